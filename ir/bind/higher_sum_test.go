// reduce_sum, map_rect and the older spellings in programs, and what is refused.

package bind_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
)

// same checks that two expressions have the same value and gradient.
func same(t *testing.T, text string, q []float64, first, second string) {
	t.Helper()
	a := program(t, strings.Replace(text, "CALL", first, 1), "{}")
	b := program(t, strings.Replace(text, "CALL", second, 1), "{}")
	ga, gb := make([]float64, len(q)), make([]float64, len(q))
	va, err := a.NewEvaluator().LogDensityGrad(q, ga)
	if err != nil {
		t.Fatalf("%s: %v", first, err)
	}
	vb, err := b.NewEvaluator().LogDensityGrad(q, gb)
	if err != nil {
		t.Fatalf("%s: %v", second, err)
	}
	if math.Abs(va-vb) > 1e-12*math.Abs(vb) {
		t.Errorf("%s is %v, %s is %v", first, va, second, vb)
	}
	for i := range ga {
		if math.Abs(ga[i]-gb[i]) > 1e-10*(1+math.Abs(gb[i])) {
			t.Errorf("derivative %d of %s is %v, of %s %v", i, first, ga[i], second, gb[i])
		}
	}
	checkGradient(t, a, q, 1e-7)
}

func TestReduceSum(t *testing.T) {
	const text = `
functions {
  real partial_sum_lpmf(array[] int slice, int start, int end, vector mu, real scale) {
    return poisson_log_lupmf(slice | scale * mu[start:end]);
  }
  real vectors(array[] vector slice, int start, int end, real a) {
    real s = 0;
    for (i in 1:size(slice)) s += a * i * dot_self(slice[i]) + start - end;
    return s;
  }
}
transformed data { array[3] int y = {2, 0, 5}; array[0] int none; }
parameters { vector[3] mu; real s; }
model { target += CALL; }
`
	q := []float64{0.1, -0.4, 1.2, 0.6}
	const full = "poisson_log_lupmf(y | s * mu)"
	same(t, text, q, "reduce_sum(partial_sum_lpmf, y, 1, mu, s)", full)
	same(t, text, q, "reduce_sum(partial_sum_lupmf, y, 2, mu, s)", full)
	same(t, text, q, "reduce_sum_static(partial_sum_lpmf, y, 2, mu, s)", full)
	same(t, text, q, "reduce_sum(partial_sum_lpmf, none, 2, mu, s) + s", "s")
	same(t, text, q, "reduce_sum(vectors, {mu, 2 * mu}, 1, s)", "s * dot_self(mu) + 8 * s * dot_self(mu) - 2")
}

func TestMapRect(t *testing.T) {
	const text = `
functions {
  vector job(vector phi, vector theta, data array[] real x_r, data array[] int x_i) {
    vector[x_i[1]] out = rep_vector(phi[1] * theta[1] * x_r[1], x_i[1]);
    out[1] += theta[2] * phi[2];
    return out;
  }
}
parameters { vector[2] phi; array[2] vector[2] theta; }
model { target += CALL; }
`
	q := []float64{0.1, -0.4, 1.2, 0.6, -0.7, 0.3}
	same(t, text, q, "dot_self(map_rect(job, phi, theta, {{1.5}, {-2}}, {{1}, {3}}))",
		"square(phi[1] * theta[1, 1] * 1.5 + theta[1, 2] * phi[2]) + square(phi[1] * theta[2, 1] * -2 + theta[2, 2] * phi[2]) + 2 * square(phi[1] * theta[2, 1] * -2)")
}

func TestOldODE(t *testing.T) {
	const text = `
functions {
  array[] real decay(real t, array[] real y, array[] real theta, data array[] real x_r, data array[] int x_i) {
    return {-theta[1] * y[1] * x_r[x_i[1]], theta[1] * y[1] - theta[2] * y[2]};
  }
  vector decay_new(real t, vector y, real a, real b, data array[] real x_r, data array[] int x_i) {
    return [-a * y[1] * x_r[x_i[1]], a * y[1] - b * y[2]]';
  }
  real total(array[] vector y) { return sum(y[1]) + sum(y[2]); }
}
parameters { real<lower=0> a; real<lower=0> b; real c; }
model { target += CALL; }
`
	q := []float64{0.1, -0.4, 1.2}
	for old, new := range map[string]string{"integrate_ode": "rk45", "integrate_ode_rk45": "rk45", "integrate_ode_bdf": "bdf", "integrate_ode_adams": "adams"} {
		// the gradient of an adaptive solution is that of the steps taken
		const args, newArgs = "{c, 1}, 0, {0.5, 2}, {a, b}, {1, 1.5}, {2}", "a, b, {1, 1.5}, {2}"
		same(t, text, q, "sum(to_array_1d("+old+"(decay, "+args+", 1e-9, 1e-9, 1e4)))",
			"total(ode_"+new+"_tol(decay_new, [c, 1]', 0, {0.5, 2}, 1e-9, 1e-9, 10000, "+newArgs+"))")
		if strings.HasSuffix(old, "s") || strings.HasSuffix(old, "f") {
			same(t, text, q, "sum(to_array_1d("+old+"(decay, "+args+")))",
				"total(ode_"+new+"(decay_new, [c, 1]', 0, {0.5, 2}, "+newArgs+"))")
		}
	}
}

// TestHigherErrors: what rejects a point, and what stops the run.
func TestHigherErrors(t *testing.T) {
	const text = `
functions {
  vector rhs(real t, vector y, real a) { return -a * y; }
  vector long(real t, vector y, real a) { return append_row(y, a); }
  vector refuse(real t, vector y, real a) { if (t > 0.5) reject("too late"); return -a * y; }
  vector parabola(vector x, real a) { return x^2 + 1 + a; }
  real pole(real x, real xc, array[] real theta, data array[] real x_r, data array[] int x_i) { return theta[1] / x; }
  vector residual(real t, vector y, vector yp, real a) { return yp + a * y; }
  real ll(vector theta, real a, real b) { return -a * sum(theta^2); }
  matrix cov(real a, real b) { return [[a, 0]]; }
  real part(array[] int x, int start, int end, real a) { return a; }
  vector job(vector phi, vector theta, data array[] real x_r, data array[] int x_i) { return phi; }
}
parameters { real<lower=0> a; }
model { target += CALL; }
`
	for _, c := range []struct {
		call, message string
		reject        bool
	}{
		{"ode_rk45(rhs, [1]', 0, {1.0, 0.5}, a)[1, 1]", "time 2 is 0.5, but times must not decrease", true},
		{"ode_bdf(rhs, [1]', 1, {1.0}, a)[1, 1]", "the initial time is 1, but must be before the first time", true},
		{"ode_rk45(rhs, [1 / (a - a)]', 0, {1.0}, a)[1, 1]", "initial state is +Inf, but must be finite", true},
		{"ode_rk45(rhs, [1]', 0, {1.0}, 1 / (a - a))[1, 1]", "is +Inf, but must be finite", true},
		{"ode_rk45_tol(rhs, [1]', 0, {1.0}, 1e-6, 1e-6, 1, 30 * a)[1, 1]", "max_num_steps = 1", true},
		{"ode_bdf_tol(rhs, [1]', 0, {1.0}, 1e-6, 1e-6, 2, 30 * a)[1, 1]", "max_num_steps = 2", true},
		{"ode_adams(refuse, [1]', 0, {1.0}, a)[1, 1]", "too late", true},
		{"ode_rk45(long, [1]', 0, {1.0}, a)[1, 1]", "long returned 2 numbers, but must return 1", false},
		{"ode_rk45_tol(rhs, [1]', 0, {1.0}, 0, 1e-6, 10, a)[1, 1]", "the relative tolerance is 0, but must be positive", false},
		{"ode_bdf_tol(rhs, [1]', 0, {1.0}, 1e-6, -1, 10, a)[1, 1]", "the absolute tolerance is -1, but must be positive", false},
		{"ode_adjoint_tol_ctl(rhs, [1]', 0, {1.0}, 1e-6, [1e-6]', 1e-6, [1e-6]', 1e-6, 1e-6, 10, 5, 3, 1, 1, a)[1, 1]", "interpolation_polynomial is 3", false},
		{"dae(residual, [1]', [1, 2]', 0, {1.0}, a)[1, 1]", "there are 1 states, but 2 derivatives", false},
		{"solve_newton(parabola, [1]', a)[1]", "solve_newton: ", true},
		{"solve_powell(parabola, [1]', a)[1]", "solve_powell: ", true},
		{"solve_newton_tol(parabola, [1]', -1, 1e-6, 10, a)[1]", "tolerance is -1", false},
		{"integrate_1d(pole, 0, 1, {a}, {1.0}, {1})", "exceeds the given relative tolerance", true},
		{"integrate_1d(pole, 2, 1, {a}, {1.0}, {1})", "the lower limit is 2, but must not be greater than the upper limit", true},
		{"laplace_marginal(ll, (a, a), cov, (a, a))", "a matrix of 1 x 2, but must return a square one", false},
		{"reduce_sum(part, {1, 2}, 0, a)", "the grainsize is 0, but must be positive", true},
		{"sum(map_rect(job, [a]', {[a]', [a]'}, {{1.0}}, {{1}, {1}}))", "there are 2 jobs, but real data for 1", true},
	} {
		err := densityError(t, strings.Replace(text, "CALL", c.call, 1))
		if err == nil || !strings.Contains(err.Error(), c.message) || infer.IsReject(err) != c.reject {
			t.Errorf("%s: error %v, want one with %q, recoverable %v", c.call, err, c.message, c.reject)
		}
	}
}

// densityError evaluates a density at 0 and gives the error.
func densityError(t *testing.T, text string) error {
	t.Helper()
	p, err := bindtest.Compile("test.stan", text, "", higherLibrary)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	m, err := bind.Bind(p, higherLibrary, &data.Set{}, bind.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	grad := make([]float64, m.Dim())
	_, err = m.NewEvaluator().LogDensityGrad(make([]float64, m.Dim()), grad)
	return err
}

// TestNestedSolvers puts solvers inside each other and in every block.
func TestNestedSolvers(t *testing.T) {
	const text = `
functions {
  vector root(vector x, real a) { return x^3 - a; }
  real power(real x, real xc, array[] real theta, data array[] real x_r, data array[] int x_i) { return theta[1] * x^2; }
  real rate(real a) { return solve_newton(root, [1]', a)[1] + 3 * integrate_1d(power, 0, 1, {a}, {1.0}, {1}); }
  vector rhs(real t, vector y, real a, tuple(real, vector) p) { return -rate(a) * y * p.1 + p.2[1]; }
  vector subject(vector y0, real a, real b, int n) {
    return ode_bdf_tol(rhs, y0, 0, {0.5 * n, n}, 1e-10, 1e-10, 100000, a, (b, [0.0, 1]'))[2];
  }
  real subjects(array[] vector y0, int start, int end, real a, real b) {
    real s = 0;
    for (i in 1:size(y0)) s += sum(subject(y0[i], a, b, start + i - 1));
    return s;
  }
}
transformed data {
  vector[2] known = subject([1, 2]', 8, 0.1, 1);
}
parameters { real<lower=0> a; real b; }
model { target += reduce_sum(subjects, {known, [b, 1]'}, 1, a, b); }
generated quantities { vector[2] again = subject([1, 2]', 8, 0.1, 1) - known; real draw = normal_rng(again[1], 1e-300); }
`
	m := program(t, text, "{}")
	q := []float64{0.4, 0.3}
	checkGradient(t, m, q, 1e-6)
	a := math.Exp(q[0])
	k := (math.Cbrt(a) + a) * q[1]
	// the first subject starts from exp(-(2 + 8) * 0.1) * (1, 2), the second from (b, 1)
	want := 3*math.Exp(-1)*math.Exp(-k) + (q[1]+1)*math.Exp(-2*k)
	got, err := m.NewEvaluator().LogDensity(q)
	if err != nil || math.Abs(got-(want+q[0])) > 1e-7 {
		t.Errorf("log density %v (%v), want %v", got, err, want+q[0])
	}
	row := make([]float64, len(m.Columns()))
	if err := m.NewEvaluator().Write(q, rng.New(1, "test", 0, 0), row); err != nil {
		t.Fatal(err)
	}
	for i, name := range m.Columns() {
		if strings.HasPrefix(name, "again") && math.Abs(row[i]) > 1e-12 {
			t.Errorf("%s is %v", name, row[i])
		}
	}
}
