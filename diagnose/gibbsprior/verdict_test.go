package gibbsprior

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
)

// TestCompatibilityIsJudged: t ~ N(0, 1), y ~ N(t, 1), answers N(a y, 1/2). With a = 1/2 they
// are exact; with a = -1/2, an error of sign, the chain's law of t is N(0, 1) all the same,
// and only t and y together tell. With a = 1/4 the chain's law of t is not N(0, 1).
func TestCompatibilityIsJudged(t *testing.T) {
	model := &toy{Model: flat(1), y: []float64{0}, prior: func(r *rand.Rand, q []float64) { q[0] = r.NormFloat64() },
		data: func(r *rand.Rand, q []float64) []float64 { return []float64{q[0] + r.NormFloat64()} }}
	for a, want := range map[float64]struct {
		severity diagnose.Severity
		says     string
	}{
		0.5:  {diagnose.Good, "cannot be told from the stated one (smallest adjusted p"},
		-0.5: {diagnose.Bad, "but no prior makes its answers exact posteriors: parameters drawn before and after a fit do not go with the data alike"},
		0.25: {diagnose.Bad, "differs from the stated one"},
	} {
		o := DefaultOptions(answer{"linear", func(r *rand.Rand, y, q []float64) { q[0] = a*y[0] + math.Sqrt(0.5)*r.NormFloat64() }})
		o.Steps, o.Chains = 500, 2
		d, err := NewDiagnosis(o)
		if err != nil {
			t.Fatal(err)
		}
		v, err := d.Diagnose(context.Background(), model, infer.Options{Seed: 3, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		if v.Severity != want.severity || !strings.Contains(v.Summary, want.says) {
			t.Errorf("a = %g: %s: %s", a, v.Severity, v.Summary)
		}
		t.Logf("a = %g: %s: %s", a, v.Severity, v.Summary)
	}
}
