package optimize_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/optimize"
)

// The end of a search is a mode, short of one, at an edge, or on the way to where the density
// has no bound, whatever the scale of the coordinates.
func TestAssess(t *testing.T) {
	for name, c := range map[string]struct {
		f                      func(x, scale float64) (lp, d float64)
		at                     float64
		open, rises, unbounded bool
		decrement              float64
	}{
		"mode":      {func(x, s float64) (float64, float64) { return -x * x / (2 * s * s), -x / (s * s) }, 0, false, false, false, 0},
		"off":       {func(x, s float64) (float64, float64) { return -x * x / (2 * s * s), -x / (s * s) }, 0.5, false, false, false, 0.125},
		"far":       {func(x, s float64) (float64, float64) { return -x * x / (2 * s * s), -x / (s * s) }, 20, true, true, false, 200},
		"unbounded": {func(x, s float64) (float64, float64) { return x / s, 1 / s }, 3, true, true, true, math.Inf(1)},
		"explodes":  {func(x, s float64) (float64, float64) { return math.Exp(x / s), math.Exp(x/s) / s }, 600, true, true, true, math.Inf(1)},
		"flat":      {func(x, s float64) (float64, float64) { return 1, 0 }, 3, true, false, false, 0},
	} {
		for _, scale := range []float64{1e-3, 1, 1e6} {
			m := infertest.FromFunc(1, func(q, grad []float64) (float64, error) {
				lp, d := c.f(q[0], scale)
				if grad != nil {
					grad[0] = d
				}
				return lp, nil
			})
			got, err := optimize.Assess(m.NewEvaluator(), []float64{c.at * scale}, []string{"x"})
			if err != nil {
				t.Fatal(err)
			}
			open := got.Open != nil
			if open != c.open || open && (got.Open.Rises != c.rises || got.Open.Unbounded != c.unbounded || got.Open.Name != "x") {
				t.Errorf("%s at scale %g: %+v", name, scale, got.Open)
			}
			if d := float64(got.Decrement); d != c.decrement && math.Abs(d-c.decrement) > 1e-4*(1+c.decrement) {
				t.Errorf("%s at scale %g: decrement %g, want %g", name, scale, d, c.decrement)
			}
		}
	}
}
