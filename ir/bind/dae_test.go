// Differential-algebraic equations in programs.

package bind_test

import (
	"fmt"
	"math"
	"testing"
)

// TestDAE solves y1' = -p*y2, y2 = 2*y1 with everything active that may be.
func TestDAE(t *testing.T) {
	const text = `
functions {
  vector divider(real t, vector y, vector yp, real p, data real two) {
    return [yp[1] + p * y[2], y[2] - two * y[1]]';
  }
}
parameters { real<lower=0> p; real<lower=0> a; }
transformed parameters {
  array[3] vector[2] y = dae_tol(divider, [a, 2 * a]', [-2 * p * a, -4 * p * a]', 0, {0.5, 1, 2}, 1e-11, 1e-11, 10000, p, 2.0);
  array[3] vector[2] y2 = dae(divider, [a, 2 * a]', [-2 * p * a, -4 * p * a]', 0, {0.5, 1, 2}, p, 2.0);
}
model {
  for (i in 1:3) target += -dot_self(y[i] - i) + y2[i, 1] * y[i, 2];
}
`
	m := program(t, text, "{}")
	q := []float64{-0.7, 0.4}
	p, a := math.Exp(q[0]), math.Exp(q[1])
	got := outputs(t, m, q)
	for i, s := range []float64{0.5, 1, 2} {
		want := a * math.Exp(-2*p*s)
		for _, v := range []string{"y", "y2"} {
			if g := got[fmt.Sprintf("%s.%d.1", v, i+1)]; math.Abs(g-want) > 1e-7 {
				t.Errorf("%s[%d] is %v, want %v", v, i+1, g, want)
			}
		}
	}
	checkGradient(t, m, q, 1e-6)
}
