package lang

// Programs that stanc rejects, and their neighbours that it takes: classes of errors that depend on
// the library's functions.

import (
	"errors"
	"strings"
	"testing"
)

// callbacks are functions with forms that differ in which of two further arguments is real.
const callbacks = `functions {
  vector f(real t, vector y, real a, int b) { return -y; }
  vector f(real t, vector y, int a, real b) { return -y; }
  vector f(real t, vector y, array[] real a, array[] int b) { return -y; }
  vector f(real t, vector y, array[] int a, array[] real b) { return -y; }
  vector d(real t, vector y, vector yp, real a, int b) { return yp + y; }
  vector d(real t, vector y, vector yp, int a, real b) { return yp + y; }
  vector s(vector y, real a, int b) { return -y; }
  vector s(vector y, int a, real b) { return -y; }
  real q(real x, real xc, real a, int b) { return x; }
  real q(real x, real xc, int a, real b) { return x; }
  real r(array[] int x, int from, int to, real a, int b) { return a; }
  real r(array[] int x, int from, int to, int a, real b) { return a; }
  real ll(vector th, real a, int b) { return -dot_self(th - a); }
  real ll(vector th, int a, real b) { return -dot_self(th - a); }
  real one(vector th, real a) { return -dot_self(th - a); }
  matrix K(real x, int y) { return identity_matrix(2) * x; }
  matrix K(int x, real y) { return identity_matrix(2) * x; }
  matrix cov(real x) { return identity_matrix(2) * x; }
  vector m(vector phi, vector th, data array[] real xr, data array[] int xi) { return [phi[1] * xi[1]]'; }
  int positive(real x) { return x > 0; }
  real complexes(array[] complex x, int from, int to) { return get_real(x[1]); }
  real complexes(array[] complex_vector x, int from, int to) { return 1; }
  real complexes(array[,] complex x, int from, int to) { return 1; }
  real tuples(array[] tuple(real, int) x, int from, int to) { return 1; }
  real matrices(array[,] matrix x, int from, int to) { return 1; }
}
data {
  int n; array[1, 1] real xr; array[1, 1] int xi; vector[2] given; real tol;
  array[2] complex z; array[2] complex_vector[2] zs; array[2, 2] complex zz; array[2] tuple(real, int) pairs; array[2, 2] matrix[2, 2] ms;
}
transformed data { tuple(vector[2], real, int, int, int, int) control = (rep_vector(0, 2), 1e-6, 100, 1, 100, 1); }
parameters { vector[1] p; array[1] vector[1] t; real<lower=0> a; vector[2] th; }
model {
`

// TestWrongCalls: one statement each, with the code of its error or none.
func TestWrongCalls(t *testing.T) {
	const args, slices = "argument-types", "slice-type"
	for _, c := range []struct{ statement, code string }{
		{"target += sum(ode_rk45(f, p, 0, {1.0}, 1, 1)[1]);", args},
		{"target += sum(ode_rk45(f, p, 0, {1.0}, 1.0, 1)[1]);", ""},
		{"target += sum(ode_bdf(f, p, 0, {1.0}, {1}, {1})[1]);", args},
		{"target += sum(ode_bdf(f, p, 0, {1.0}, {1}, {1.0})[1]);", ""},
		{"target += sum(ode_adams_tol(f, p, 0, {1.0}, 1e-6, 1e-6, 100, 1, 1)[1]);", args},
		{"target += sum(dae(d, p, -p, 0, {1.0}, 1, 1)[1]);", args},
		{"target += sum(dae(d, p, -p, 0, {1.0}, 1, 1.0)[1]);", ""},
		{"target += sum(solve_newton(s, p, 1, 1));", args},
		{"target += sum(solve_powell(s, p, a, 1));", ""},
		{"target += integrate_1d_gauss_kronrod(q, 0, 1, 1, 1);", args},
		{"target += reduce_sum(r, {1, 2}, 1, 1, 1);", args},
		{"target += reduce_sum(r, {1, 2}, 1, a, 1);", ""},
		{"target += laplace_marginal(ll, (1, 1), 1, cov, (a,));", args},
		{"target += laplace_marginal(ll, (a, 1), 1, cov, (a,));", ""},
		{"target += laplace_marginal(one, (1.0,), 1, K, (1, 1));", args},
		{"target += laplace_marginal(one, (1.0,), 1, K, (1, 1.5));", ""},

		{"target += sum(map_rect(m, p, t, xr, xi));", ""},
		{"target += sum(map_rect(m, p, t, xr, {{n > 2}}));", ""},
		{"target += sum(map_rect(m, p, t, xr, {{p[1] > 0}}));", args},
		{"target += sum(map_rect(m, p, t, xr, {{p[1] > 0 ? 1 : 2}}));", args},
		{"target += sum(map_rect(m, p, t, xr, {{1 + positive(a)}}));", args},
		{"target += sum(map_rect(m, p, t, {{p[1]}}, xi));", args},
		{"target += sum(map_rect(m, p, t, {{1.0 * (a > 1)}}, xi));", args},
		{"int k = a > 1; target += sum(map_rect(m, p, t, xr, {{k}}));", ""}, // as stanc has it
		{"target += sum(ode_rk45_tol(f, p, 0, {1.0}, 1e-6, 1e-6, a > 1 ? 10 : 20, 1.0, 1)[1]);", args},
		{"target += sum(ode_rk45_tol(f, p, 0, {1.0}, 1e-6, 1e-6, n > 1 ? 10 : 20, 1.0, 1)[1]);", ""},

		{"target += reduce_sum(complexes, z, 1);", slices},
		{"target += reduce_sum(complexes, zs, 1);", slices},
		{"target += reduce_sum_static(complexes, zz, 1);", slices},
		{"target += reduce_sum(tuples, pairs, 1);", slices},
		{"target += reduce_sum(matrices, ms, 1);", ""},

		{"target += laplace_marginal_tol(one, (a,), 1, cov, (a,), control);", ""},
		{"target += laplace_marginal_tol(one, (a,), 1, cov, (a,), (given, tol, 100, 1, 100, 1));", ""},
		{"target += laplace_marginal_tol(one, (a,), 1, cov, (a,), (th, tol, 100, 1, 100, 1));", ""}, // the first guess may depend on parameters
		{"target += laplace_marginal_tol(one, (a,), 1, cov, (a,), (given, a, 100, 1, 100, 1));", args},
		{"target += laplace_marginal_tol(one, (a,), 1, cov, (a,), (given, tol, a > 1 ? 10 : 20, 1, 100, 1));", args},
		{"tuple(vector[2], real, int, int, int, int) own = control; target += laplace_marginal_tol(one, (a,), 1, cov, (a,), own);", args},

		{"array[2] int x = {1, 2}; x[x[1]] = 2;", "unpack-read"},
		{"array[2] int x = {1, 2}; x[x[1]] += 2;", "unpack-read"},
		{"array[2] int x = {1, 2}; x[x[1]:2] = {1, 2};", "unpack-read"},
		{"array[2] int x = {1, 2}; x[1 + min(x)] = 2;", "unpack-read"},
		{"array[2, 2] int x = {{1, 2}, {1, 2}}; x[1, x[1, 1]] = 2;", "unpack-read"},
		{"array[2, 2] int x = {{1, 2}, {1, 2}}; x[1][x[1, 1]] = 2;", "unpack-read"},
		{"array[2] int x = {1, 2}; x[size(x)] = 2;", ""},
		{"array[2] int x = {1, 2}; x[1] = x[x[1]];", ""},
		{"array[2] int x = {1, 2}; array[2] int y = x; x[y[1]] = x[y[2]];", ""},

		{"real jacobian = 2;", "reserved-word"},
		{"for (jacobian in 1:3) target += a;", "reserved-word"},
		{"real jacobians = 2;", ""},
	} {
		p, err := Compile("wrong.ppl", callbacks+c.statement+"\n}\n", Options{})
		found := ""
		if _, ok := errors.AsType[*CompileError](err); ok {
			found = p.Problems().Sorted()[0].Code
		}
		if found != c.code {
			t.Errorf("%s: %q, want %q: %v", c.statement, found, c.code, err)
		}
	}
}

// TestWrongUnnormalized: functions with access to the target use "~", not _lupdf.
func TestWrongUnnormalized(t *testing.T) {
	for body, ok := range map[string]bool{
		"void f_lp(real x) { target += normal_lupdf(x | 0, 1); }":                                              false,
		"real f_lp(real x) { return poisson_lupmf(3 | x); }":                                                   false,
		"real u_lpdf(real x) { return -x; } void f_lp(real x) { target += u_lupdf(x | ); }":                    false,
		"void f_lp(real x) { x ~ normal(0, 1); target += normal_lpdf(x | 0, 1); }":                             true,
		"real u_lpdf(real x) { return normal_lupdf(x | 0, 1); } void f_lp(real x) { target += u_lpdf(x | ); }": true,
	} {
		_, err := Compile("f.ppl", "functions { "+body+" }\nparameters { real a; }\nmodel { a ~ normal(0, 1); }\n", Options{})
		if (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "unnormalized-not-allowed") {
			t.Errorf("%s: %v", body, err)
		}
	}
}
