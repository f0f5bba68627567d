// The joint density where terms depend on conditions on continuous parameters.

package bind_test

import (
	"math"
	"testing"
)

// TestJointBranches: which discrete parameters a density has terms of may depend on continuous ones. The joint density is that of the program
// at every point, whatever one evaluator, or another, has been asked for before.
func TestJointBranches(t *testing.T) {
	normal := func(a float64) float64 { return -a * a / 2 }
	for text, want := range map[string]func(a, y, z float64) float64{
		"if (a > 0) target += 2.0 * y; else target += 3.0 * z;": func(a, y, z float64) float64 {
			if a > 0 {
				return 2 * y
			}
			return 3 * z
		},
		"if (a > 0 && y == 1 && z == 2) target += 2.0;": func(a, y, z float64) float64 {
			if a > 0 && y == 1 && z == 2 {
				return 2
			}
			return 0
		},
		"target += y + 0.5 * z; if (a > 0) target += y * z * a; else if (a < -1) target += z;": func(a, y, z float64) float64 {
			v := y + 0.5*z
			if a > 0 {
				return v + y*z*a
			} else if a < -1 {
				return v + z
			}
			return v
		},
	} {
		m := bound(t, "parameters { real a; int<lower=0, upper=1> y; int<lower=0, upper=2> z; } model { target += -square(a) / 2; "+text+" }", "{}").Joint()
		for _, points := range [][]float64{{-0.5, 0.5, -2, 1}, {0.5, -0.5, 1, -2}} {
			e := m.NewEvaluator()
			for range 2 {
				for _, a := range points {
					for y := range 2 {
						for z := range 3 {
							q, grad := []float64{a, float64(y), float64(z)}, make([]float64, 3)
							got, err := e.LogDensity(q)
							with, errGrad := e.LogDensityGrad(q, grad)
							if w := normal(a) + want(a, q[1], q[2]); err != nil || errGrad != nil || math.Abs(got-w) > 1e-13 || math.Abs(with-w) > 1e-13 {
								t.Fatalf("%s at %v: %g and %g, want %g (%v, %v)", text, q, got, with, w, err, errGrad)
							}
						}
					}
				}
			}
		}
	}
}
