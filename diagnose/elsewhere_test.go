package diagnose

import (
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// An answer is not good where the search for others came to nothing, and a check of tails does
// not stand against a population that has the same moments.
func TestPopulationDecides(t *testing.T) {
	unsettled := []Finding{{Name: "rhat", Severity: Good}, {Name: populationCheck, Severity: None}}
	if Worst(unsettled) != None || Worst(append(unsettled, Finding{Name: "ess", Severity: Warning})) != Warning {
		t.Error("an unsettled search counts as good")
	}
	d := draws.New(1, nil, []string{"x"})
	for i := range 100 {
		d.Append(draws.Row{Values: []float64{float64(i)}})
	}
	for ancestors, want := range map[float64]Severity{50: None, 5: Warning} {
		r := &draws.PopulationRun{From: draws.PriorStart, Points: 600, Beta: 1, Ancestors: draws.Number(ancestors), Compared: 1,
			Largest: draws.Compared{Name: "x", Shift: 0.05, ShiftError: 0.05, Factor: 0.1, FactorError: 0.05}}
		p := &infer.Posterior{Draws: d, Plan: draws.Plan{Method: "sgld", Chains: 1, Draws: 100}, Population: r}
		if overrules(p, "finite_step") != (want == None) {
			t.Errorf("%g ancestors", ancestors)
		}
		for _, f := range Posterior(p, nil) {
			if f.Name == "finite_step" && f.Severity != want {
				t.Errorf("%g ancestors: %+v", ancestors, f)
			}
		}
	}
}
