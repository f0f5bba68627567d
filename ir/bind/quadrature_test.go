// Integrals in programs.

package bind_test

import (
	"math"
	"strings"
	"testing"
)

// TestIntegrals integrates a normal density with everything active.
func TestIntegrals(t *testing.T) {
	const text = `
functions {
  real density(real x, real xc, array[] real theta, data array[] real x_r, data array[] int x_i) {
    return x_r[x_i[1]] * exp(normal_lpdf(x | theta[1], theta[2]));
  }
  real variadic(real x, real xc, real mu, vector sigma, data real two) {
    return two * exp(-0.5 * square((x - mu) / sigma[1])) / (sigma[1] * sqrt(2 * pi()));
  }
}
parameters { real mu; real<lower=0> sigma; real lo; real<lower=lo> hi; }
transformed parameters { real z = CALL; }
model { target += -square(z - 1); }
`
	old := "integrate_1d(density, LO, HI, {mu, sigma}, {1, 2}, {2}"
	variadic := "(variadic, LO, HI, CONTROL mu, [sigma]', 2)"
	for _, call := range []string{old + ")", old + ", 1e-10)",
		"integrate_1d_double_exponential" + variadic, "integrate_1d_double_exponential_tol" + variadic,
		"integrate_1d_gauss_kronrod" + variadic, "integrate_1d_gauss_kronrod_tol" + variadic} {
		control := ""
		if strings.Contains(call, "_tol") {
			control = "1e-10, 1e-12, 12,"
		}
		for _, limits := range [][2]string{{"lo", "hi"}, {"negative_infinity()", "hi"}, {"lo", "positive_infinity()"}, {"negative_infinity()", "positive_infinity()"}} {
			full := strings.NewReplacer("LO", limits[0], "HI", limits[1], "CONTROL", control).Replace(call)
			t.Run(full, func(t *testing.T) {
				m := program(t, strings.Replace(text, "CALL", full, 1), "{}")
				q := []float64{0.2, -0.3, -0.6, 0.4}
				sigma, hi := math.Exp(q[1]), q[2]+math.Exp(q[3])
				upper, lower := 2.0, 0.0
				if limits[1] == "hi" {
					upper = math.Erfc(-(hi - q[0]) / sigma / math.Sqrt2)
				}
				if limits[0] == "lo" {
					lower = math.Erfc(-(q[2] - q[0]) / sigma / math.Sqrt2)
				}
				if got := outputs(t, m, q)["z"]; math.Abs(got-(upper-lower)) > 1e-9 {
					t.Errorf("integral %v, want %v", got, upper-lower)
				}
				checkGradient(t, m, q, 1e-7)
			})
		}
	}
}
