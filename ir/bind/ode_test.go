// Initial value problems in programs.

package bind_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// pharmacokinetics has everything active: initial state, initial time, times, and
// arguments of several types.
const pharmacokinetics = `
functions {
  vector compartments(real t, vector y, real ka, array[] real k, data vector w, array[] int n) {
    vector[2] dy;
    dy[1] = -ka * y[1] * w[n[1]];
    dy[2] = ka * y[1] * w[n[1]] - k[1] * y[2];
    return dy;
  }
}
transformed data { vector[2] w = [7, 1]'; }
parameters { real<lower=0> ka; real<lower=0> k; real<lower=0> dose; real start; real<lower=0> gap; }
transformed parameters {
  array[3] vector[2] y = SOLVER(compartments, [dose, 0]', start, {start + gap, start + 2 * gap, start + 5 * gap}CONTROL, ka, {k}, w, {2});
}
model {
  for (i in 1:3) target += -0.1 * dot_self(y[i] - i) + 0.3 * y[i, 1] * y[i, 2];
}
`

var odeSolvers = []struct{ name, control string }{
	{"ode_rk45", ""}, {"ode_ckrk", ""}, {"ode_bdf", ""}, {"ode_adams", ""},
	{"ode_rk45_tol", ", 1e-10, 1e-10, 10000"}, {"ode_ckrk_tol", ", 1e-10, 1e-10, 10000"},
	{"ode_adjoint_tol_ctl", ", 1e-11, [1e-11, 1e-11]', 1e-10, [1e-10, 1e-10]', 1e-10, 1e-10, 100000, 50, 1, 2, 2"},
	{"ode_adjoint_tol_ctl", ", 1e-11, [1e-11, 1e-11]', 1e-10, [1e-10, 1e-10]', 1e-10, 1e-10, 100000, 50, 2, 1, 1"},
	{"ode_bdf_tol", ", 1e-11, 1e-11, 100000"}, {"ode_adams_tol", ", 1e-11, 1e-11, 100000"},
}

func TestODE(t *testing.T) {
	for _, s := range odeSolvers {
		t.Run(s.name, func(t *testing.T) {
			m := program(t, strings.NewReplacer("SOLVER", s.name, "CONTROL", s.control).Replace(pharmacokinetics), "{}")
			q := []float64{0.3, -1.2, 0.5, 0.7, -0.4}
			ka, k, dose, gap := math.Exp(q[0]), math.Exp(q[1]), math.Exp(q[2]), math.Exp(q[4])
			got := outputs(t, m, q)
			for i, x := range []float64{gap, 2 * gap, 5 * gap} {
				y1 := dose * math.Exp(-ka*x)
				y2 := dose * ka / (ka - k) * (math.Exp(-k*x) - math.Exp(-ka*x))
				for j, want := range []float64{y1, y2} {
					name := fmt.Sprintf("y.%d.%d", i+1, j+1)
					if math.Abs(got[name]-want) > 1e-5 {
						t.Errorf("%s is %v, want %v", name, got[name], want)
					}
				}
			}
			tol := 1e-4
			if s.control != "" {
				tol = 1e-7
			}
			checkGradient(t, m, q, tol)
		})
	}
}
