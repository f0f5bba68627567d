package examples

// This file compares the Markov methods with a reference posterior.

import (
	"runtime"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang"
)

// TestOracleMarkovMethods: both Hamiltonian methods, Gibbs sampling, and 200,000 moves in
// each chain of each random walk (20,000 transitions of 10 moves) agree with the
// reference posterior of eight schools, non-centred, by the rule of agreement of the
// other posteriors: 50 means at 5 errors. So does mh with its default settings.
func TestOracleMarkovMethods(t *testing.T) {
	const name = "eight_schools-eight_schools_noncentered"
	found, _ := posteriors(t)
	for _, p := range found {
		if p.name != name {
			continue
		}
		ref, model := readReference(t, p), load(t, p.model, p.data())
		for _, expr := range []string{
			"nuts()",
			"hmc()",
			"mh(thin = 20)",
			`mh(proposal = "single", thin = 20)`,
			"mh()",
			"gibbs(thin = 5)",
		} {
			method, err := model.Program.Method(expr)
			if err != nil {
				t.Fatal(lang.ErrorText(err))
			}
			fit, err := model.Run(t.Context(), method, lang.RunOptions{Seed: 1, Jobs: runtime.GOMAXPROCS(0)})
			if err != nil {
				t.Fatal(lang.ErrorText(err))
			}
			a := compareSummaries(fit.Summaries, ref, true)
			t.Logf("%-60s max |z| %.2f, max sd error %.1f %%, max R-hat %.4f, min ESS %.0f", expr, a.z, 100*a.sd, a.rhat, a.ess)
			if len(a.faults) > 0 {
				t.Errorf("%s: %s", expr, strings.Join(a.faults, "; "))
			}
		}
		return
	}
	t.Skipf("NOT TESTED: no posterior %s", name)
}
