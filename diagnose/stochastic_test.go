package diagnose

import (
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Draws of sgld are said to be biased, whatever else is found; those of others are not.
func TestFiniteStep(t *testing.T) {
	d := draws.New(1, []string{"stepsize__"}, []string{"x"})
	for i := range 100 {
		d.Append(draws.Row{Stats: []float64{0.25}, Values: []float64{float64(i * 37 % 100)}})
	}
	p := &infer.Posterior{Draws: d, Plan: draws.Plan{Method: "sgld", Chains: 1, Draws: 100}, Chains: []infer.ChainReport{{DivergenceCount: 3}}}
	f := find(t, Posterior(p, nil), "finite_step")
	if f.Severity != Warning || !strings.Contains(f.Meaning, "0.25 on average") || !strings.Contains(f.Meaning, "biased") || !strings.Contains(f.Meaning, "3 steps led") {
		t.Errorf("finding %+v", f)
	}
	p.Plan.Method = "nuts"
	for _, f := range Posterior(p, nil) {
		if f.Name == "finite_step" {
			t.Errorf("of nuts: %+v", f)
		}
	}
}

// The log density of sgld is an estimate whose noise differs between chains; it is not judged. That of
// others is.
func TestNoiseOfEstimatedDensity(t *testing.T) {
	d := draws.New(2, []string{"stepsize__"}, []string{"x"})
	for c := range 2 {
		for i := range 1000 {
			x := float64(i * 377 % 1000)
			d.Append(draws.Row{Chain: c, LogDensity: x * float64(1+9*c), Stats: []float64{0.25}, Values: []float64{float64(i * 611 % 1000)}})
		}
	}
	for method, want := range map[string]Severity{"sgld": Good, "nuts": Bad} {
		if f := find(t, Fit(d, draws.Plan{Method: method, Chains: 2, Draws: 1000}, nil), "rhat"); f.Severity != want {
			t.Errorf("%s: %+v", method, f)
		}
	}
}
