package diagnose_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-12b88e03/ppl/diagnose"
)

// Worked out by hand from the definition.
func TestHolm(t *testing.T) {
	got := diagnose.Holm([]float64{0.01, 0.04, math.NaN(), 0.03, 0.005})
	want := []float64{0.03, 0.06, math.NaN(), 0.06, 0.02}
	if d := cmp.Diff(want, got, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-15)); d != "" {
		t.Error(d)
	}
}

func TestJudge(t *testing.T) {
	for p, want := range map[float64]diagnose.Severity{0.0005: diagnose.Bad, 0.005: diagnose.Warning, 0.5: diagnose.Good} {
		if got := diagnose.Judge(p, 200, 0.001, 0.01); got != want {
			t.Errorf("%g is %s", p, got)
		}
	}
	if diagnose.Judge(math.NaN(), 200, 0.001, 0.01) != diagnose.None {
		t.Error("NaN was judged")
	}
}

func TestVerdictAsJSON(t *testing.T) {
	v := &diagnose.Verdict{Directive: "sbc(nuts())", Kind: "sbc", Severity: diagnose.Good, Summary: "a < b", Figures: struct {
		Bins int `json:"bins"`
	}{20}}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"directive": "sbc(nuts())", "kind": "sbc", "severity": "good", "summary": "a < b", "notes": []any{}, "incomplete": false, "bins": 20.0}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
