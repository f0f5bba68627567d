package diagnose_test

import (
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Rejections are a warning where they are more than one in a hundred transitions, and say
// which of them were recorded.
func TestRejectionsFinding(t *testing.T) {
	for _, c := range []struct {
		count    int
		severity diagnose.Severity
		words    []string
	}{
		{0, "", nil},
		{1, diagnose.Good, []string{"1 of 100 trajectories", "no harm", "m:3:1: big x 2 (once)"}},
		{2, diagnose.Warning, []string{"2 of 100 trajectories", "and 1 other reasons"}},
		{60, diagnose.Warning, []string{"60 of 100 trajectories", "the log is -Inf (3 of 7)", "counted over the 7 whose reasons are kept, the first 200 of each chain."}},
	} {
		d := draws.New(1, nil, []string{"x"})
		for i := range 100 {
			d.Append(draws.Row{Iteration: i, Values: []float64{float64(i % 7)}})
		}
		p := &infer.Posterior{Draws: d, Plan: draws.Plan{Thin: 1, Draws: 100, Chains: 1}, Chains: []infer.ChainReport{{RejectionCount: c.count}},
			Rejected: []draws.RejectionRun{{Message: "the log is -Inf.", Count: 3}, {Place: "m:2:1", Message: "a", Count: 2}, {Place: "m:3:1", Message: "big x 2", Count: 1}}}
		if c.count > 1 {
			p.Rejected = append(p.Rejected, draws.RejectionRun{Message: "b", Count: 1})
		} else {
			p.Rejected[0].Count = 4
		}
		found := false
		for _, f := range diagnose.Posterior(p, nil) {
			if f.Name != "rejections" {
				continue
			}
			found = true
			if f.Severity != c.severity || float64(f.Value) != float64(c.count) || (f.Remedy == "") != (c.severity == diagnose.Good) {
				t.Errorf("%d: %+v", c.count, f)
			}
			for _, w := range c.words {
				if !strings.Contains(f.Meaning, w) {
					t.Errorf("%d: no %q in %q", c.count, w, f.Meaning)
				}
			}
		}
		if found != (c.count > 0) {
			t.Errorf("%d rejections: finding %v", c.count, found)
		}
	}
}
