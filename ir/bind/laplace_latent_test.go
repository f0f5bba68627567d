// Draws of latent variables for the library's likelihoods.

package bind_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/rng"
)

// TestLaplaceLatentCounts compares draws for the library's likelihoods with draws for
// the same ones written by the user: with one stream of random numbers they are the
// same up to the tolerance of the mode.
func TestLaplaceLatentCounts(t *testing.T) {
	const tol = "rep_vector(0, n), 1e-10, 200, 1, 1, 50)"
	for _, c := range []struct{ library, args, user string }{
		{"poisson_log", "(counts, g, m, ", "poisson_ll, (counts, g, m), "},
		{"neg_binomial_2_log", "(counts, g, phi, m, ", "nb_ll, (counts, g, phi, m), "},
		{"bernoulli_logit", "(bits, g, m, ", "logit_ll, (bits, g, m), "},
	} {
		const covariance = "kernel, (x, scale, len)"
		want := latentDraws(t, "laplace_latent_tol_rng("+c.user+covariance+", "+tol)
		for _, call := range []string{
			"laplace_latent_" + c.library + "_rng" + c.args + covariance + ")",
			"laplace_latent_tol_" + c.library + "_rng" + c.args + covariance + ", " + tol,
		} {
			got := latentDraws(t, call)
			for i := range want {
				if !(math.Abs(got[i]-want[i]) < 1e-4) {
					t.Errorf("%s gives %v, want %v", call, got, want)
					break
				}
			}
		}
	}
}

// latentDraws returns the generated quantity of one call at one point.
func latentDraws(t *testing.T, call string) []float64 {
	t.Helper()
	text := strings.Replace(laplaceProgram, "CALL", "0", 1)
	m := program(t, text+"generated quantities { vector[n] theta = "+call+"; }", laplaceData)
	row := make([]float64, len(m.Columns()))
	if err := m.NewEvaluator().Write([]float64{0.2, -0.1, 0.3, 0.1, -0.2, 0.3}, rng.New(7, "test", 0, 0), row); err != nil {
		t.Fatal(err)
	}
	var out []float64
	for i, name := range m.Columns() {
		if strings.HasPrefix(name, "theta.") {
			out = append(out, row[i])
		}
	}
	return out
}
