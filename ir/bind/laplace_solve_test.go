// Mean and Cholesky factor of latent variables by the embedded Laplace approximation.

package bind_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/rng"
)

// TestLaplaceLatentSolve: with a normal likelihood the approximation is exact. The
// covariance of the latent variables is (K^-1 + I/phi^2)^-1, their mean that times y/phi^2.
func TestLaplaceLatentSolve(t *testing.T) {
	const template = `
functions {
  matrix kernel(array[] real x, real scale) { return add_diag(gp_exp_quad_cov(x, scale, 1.0), 0.1); }
  real normal_ll(vector theta, vector y, real phi) { return normal_lpdf(y | theta, phi); }
}
data { int n; array[n] real x; vector[n] y; }
parameters { real<lower=0> scale; real<lower=0> phi; }
model { scale ~ gamma(2, 2); phi ~ gamma(2, 2); }
generated quantities {
  tuple(vector[n], matrix[n, n]) s = CALL;
  matrix[n, n] exact = inverse_spd(add_diag(inverse_spd(kernel(x, scale)), 1 / phi^2));
  vector[n] errors = s.1 - exact * y / phi^2;
  matrix[n, n] difference = s.2 - cholesky_decompose(exact);
}`
	for _, call := range []string{
		"laplace_latent_solve(normal_ll, (y, phi), 1, kernel, (x, scale))",
		"laplace_latent_solve(normal_ll, (y, phi), n, kernel, (x, scale))",
		"laplace_latent_solve_tol(normal_ll, (y, phi), 1, kernel, (x, scale), generate_laplace_options(n))",
		"laplace_latent_solve_tol(normal_ll, (y, phi), 1, kernel, (x, scale), generate_laplace_options(rep_vector(0.3, n)))",
		"laplace_latent_solve_tol(normal_ll, (y, phi), 1, kernel, (x, scale), (rep_vector(0, n), 1e-9, 100, 2, 10, 0))",
	} {
		m := program(t, strings.Replace(template, "CALL", call, 1), `{"n": 3, "x": [0, 0.7, 2], "y": [0.4, -0.3, 1.2]}`)
		row := make([]float64, len(m.Columns()))
		for _, q := range [][]float64{{0.2, -0.1}, {1, 0.7}, {-1, -2}} {
			if err := m.NewEvaluator().Write(q, rng.New(7, "test", 0, 0), row); err != nil {
				t.Fatal(err)
			}
			for i, name := range m.Columns() {
				if (strings.HasPrefix(name, "errors") || strings.HasPrefix(name, "difference")) && !(math.Abs(row[i]) < 1e-7) {
					t.Errorf("%s at %v: %s is %v, want 0", call, q, name, row[i])
				}
			}
		}
	}
}

// TestLaplaceLatentSolveHasNoDerivatives: a call that the density would have to
// differentiate is an error with a place.
func TestLaplaceLatentSolveHasNoDerivatives(t *testing.T) {
	const text = `
functions {
  matrix kernel(real a) { return identity_matrix(2) * a; }
  real ll(vector theta, vector y) { return normal_lpdf(y | theta, 1); }
}
transformed data { tuple(vector[2], matrix[2, 2]) given = laplace_latent_solve(ll, ([1, 2]',), 1, kernel, (1.0,)); }
parameters { real<lower=0> a; }
model {
  tuple(vector[2], matrix[2, 2]) s = laplace_latent_solve(ll, ([1, 2]',), 1, kernel, (a,));
  target += sum(s.1) + given.1[1];
}`
	m := program(t, text, `{}`)
	if _, err := m.NewEvaluator().LogDensity([]float64{0.1}); err == nil || !strings.Contains(err.Error(), "no derivatives") {
		t.Errorf("error %v", err)
	}
}
