// Variates outside of the support, where constants take out what would show it.

package bind_test

import (
	"fmt"
	"testing"
)

// TestUnsupported: the compiled density of a number that is not declared to be in the support has no value
// outside of it, whatever the shapes. A logarithm times a shape of 1 less 1 is no longer there.
func TestUnsupported(t *testing.T) {
	for _, c := range []struct {
		law string
		out []float64
	}{
		{"beta(1, 1)", []float64{-0.5, 1.5}}, {"beta(1, 2)", []float64{-0.5, 1.5}}, {"beta(2, 1)", []float64{-0.5, 1.5}}, {"beta(2, 3)", []float64{-0.5, 1.5}},
		{"beta_proportion(0.5, 2)", []float64{-0.5, 1.5}}, {"beta_proportion(0.25, 4)", []float64{-0.5, 1.5}},
		{"uniform(0, 1)", []float64{-0.5, 1.5}}, {"gamma(1, 2)", []float64{-0.5}}, {"exponential(1)", []float64{-0.5}}, {"weibull(1, 1)", []float64{-0.5}},
		{"chi_square(2)", []float64{-0.5}}, {"inv_gamma(1, 1)", []float64{-0.5}}, {"pareto(0.5, 1)", []float64{-0.5, 0.25}}, {"lognormal(0, 1)", []float64{-0.5}},
		{"rayleigh(1)", []float64{-0.5}}, {"frechet(1, 1)", []float64{-0.5}}, {"loglogistic(1, 1)", []float64{-0.5}}, {"pareto_type_2(0, 1, 1)", []float64{-0.5}},
	} {
		for _, form := range []string{"a[1]", "a[1:2]", "append_row(a[1:2], rep_vector(0.5, 30))"} {
			program := fmt.Sprintf("parameters { vector[3] a; } model { a[3] ~ normal(0, 1); %s ~ %s; }", form, c.law)
			e := bound(t, program, "{}").NewEvaluator()
			grad := make([]float64, 3)
			inside := 0.75 // where the program is recorded
			if _, err := e.LogDensityGrad([]float64{inside, inside, inside}, grad); err != nil {
				t.Fatal(err)
			}
			for _, v := range c.out {
				if lp, err := e.LogDensityGrad([]float64{v, inside, inside}, grad); err == nil && lp-lp == 0 {
					t.Errorf("%s ~ %s at %g: log density %g", form, c.law, v, lp)
				}
			}
		}
	}
}
