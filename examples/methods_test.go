package examples

// This file compares Markov methods other than nuts with a reference posterior.

import (
	"runtime"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang"
)

// TestOracleMarkovMethods: static Hamiltonian Monte Carlo and 200,000 moves of each
// random walk agree with the reference posterior of eight schools, non-centred, by
// the rule of agreement of the other posteriors: 30 means at 5 errors.
func TestOracleMarkovMethods(t *testing.T) {
	const name = "eight_schools-eight_schools_noncentered"
	found, _ := posteriors(t)
	for _, p := range found {
		if p.name != name {
			continue
		}
		ref, model := readReference(t, p), load(t, p.model, p.data())
		for _, expr := range []string{
			"hmc()",
			"mh(warmup = 10000, draws = 2000, thin = 25)",
			`mh(proposal = "single", warmup = 2000, draws = 2000, thin = 25)`,
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
