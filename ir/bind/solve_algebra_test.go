// Algebraic systems in programs.

package bind_test

import (
	"math"
	"strings"
	"testing"
)

// TestRoots solves x1^2 = a, x1*x2 = b*w, whose positive root is (sqrt a, b*w/sqrt a),
// from a guess that depends on parameters as well.
func TestRoots(t *testing.T) {
	const text = `
functions {
  vector system(vector x, tuple(real, array[] real) p, data vector w) {
    return [x[1]^2 - p.1, x[1] * x[2] - p.2[2] * w[1]]';
  }
  vector old_system(vector x, vector theta, data array[] real x_r, data array[] int x_i) {
    return [x[1]^2 - theta[1], x[1] * x[2] - theta[2] * x_r[x_i[1]]]';
  }
}
transformed data { vector[1] w = [3]'; array[2] real x_r = {7, 3}; }
parameters { real<lower=0> a; real b; }
transformed parameters { vector[2] x = CALL; }
model { target += -dot_self(x - 1) + x[1] * x[2]^2; }
`
	for _, call := range []string{
		"solve_newton(system, [a, 1]', (a, {1.0, b}), w)",
		"solve_powell(system, [a, 1]', (a, {1.0, b}), w)",
		"solve_newton_tol(system, [1, 1]', 1e-3, 1e-8, 100, (a, {1.0, b}), w)",
		"solve_powell_tol(system, [1, 1]', 1e-9, 1e-8, 100, (a, {1.0, b}), w)",
		"algebra_solver(old_system, [1, 1]', [a, b]', x_r, {2})",
		"algebra_solver(old_system, [1, 1]', [a, b]', x_r, {2}, 1e-9, 1e-8, 100)",
		"algebra_solver_newton(old_system, [1, 1]', [a, b]', x_r, {2})",
		"algebra_solver_newton(old_system, [1, 1]', [a, b]', x_r, {2}, 1e-3, 1e-8, 100)",
	} {
		t.Run(call, func(t *testing.T) {
			m := program(t, strings.Replace(text, "CALL", call, 1), "{}")
			q := []float64{1.1, -0.6}
			got := outputs(t, m, q)
			root := math.Exp(q[0] / 2)
			if math.Abs(got["x.1"]-root) > 1e-12 || math.Abs(got["x.2"]-3*q[1]/root) > 1e-12 {
				t.Errorf("root (%v, %v), want (%v, %v)", got["x.1"], got["x.2"], root, 3*q[1]/root)
			}
			checkGradient(t, m, q, 1e-8)
		})
	}
}
