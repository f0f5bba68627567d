// Initial value problems in programs.

package bind_test

import (
	"fmt"
	"math"
	"math/rand/v2"
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

// epidemics and oscillators as users write them, by the solvers they suit.
var odePrograms = []struct {
	name, rhs, call string
	q               []float64
	tol             float64
}{
	{"Lotka-Volterra", "vector rhs(real t, vector z, vector p) { return [(p[1] - p[2] * z[2]) * z[1], (p[4] * z[1] - p[3]) * z[2]]'; }",
		"ode_rk45_tol(rhs, [30, 4]', 0, {1.0, 5, 20}, 1e-9, 1e-9, 100000, p)", []float64{-0.6, -3.6, -0.17, -3.6}, 1e-6},
	{"SIR", "vector rhs(real t, vector y, vector p) { real i = p[1] * y[1] * y[2] / 763; return [-i, i - p[2] * y[2], p[2] * y[2]]'; }",
		"ode_adams_tol(rhs, [762, 1, 0]', 0, {1.0, 5, 14}, 1e-11, 1e-9, 100000, p)", []float64{0.5, -0.7, 0, 0}, 1e-6},
	{"Robertson", "vector rhs(real t, vector y, vector p) { real a = -p[1] * y[1] + p[2] * y[2] * y[3]; real b = p[3] * y[2]^2; return [a, -a - b, b]'; }",
		"ode_bdf_tol(rhs, [1, 0, 0]', 0, {1.0, 1e3, 1e5}, 1e-11, 1e-14, 100000, p)", []float64{math.Log(0.04), math.Log(1e4), math.Log(3e7), 0}, 1e-5},
	// past a jump, where sensitivities are small differences of what were large ones
	{"Van der Pol", "vector rhs(real t, vector y, vector p) { return [y[2], p[1] * (1 - y[1]^2) * y[2] - y[1]]'; }",
		"ode_bdf_tol(rhs, [2, 0]', 0, {1.0, 400, 1200}, 1e-11, 1e-13, 1000000, p)", []float64{math.Log(1000), 0, 0, 0}, 1e-3},
	// dosing at fixed times and a table looked up by time: control flow that depends on t
	{"table", "vector rhs(real t, vector y, vector p) { real k = 0; for (i in 1:40) if (t >= 0.1 * i) k = sin(i); return [-p[1] * y[1] + k]'; }",
		"ode_rk45_tol(rhs, [1]', 0, {0.05, 2.33, 4.5}, 1e-8, 1e-8, 100000, p)", []float64{0.2, 0, 0, 0}, 1e-3},
}

func TestODEPrograms(t *testing.T) {
	for _, c := range odePrograms {
		t.Run(c.name, func(t *testing.T) {
			m := program(t, "functions { "+c.rhs+` }
parameters { vector<lower=0>[4] p; }
model {
  for (y in `+c.call+`) target += log(y[1] + 3) - 0.1 * y[1];
}`, "{}")
			checkGradient(t, m, c.q, c.tol)
		})
	}
}

// stepped are problems whose steps are programs of their own.
var stepped = []struct{ name, rhs, call string }{
	{"one state, a branch in time", "vector rhs(real t, vector y, vector p) { return [(t > 1.3 ? p[1] : p[2]) - p[3] * y[1]]'; }",
		"ode_rk45_tol(rhs, [p[4]]', 0, {0.4, 1.1, 2.9}, 1e-9, 1e-9, 100000, p)"},
	{"a branch in the state", "vector rhs(real t, vector y, vector p) { return [y[1] < p[4] ? p[1] * y[1] : p[1] * p[4] - p[2] * (y[1] - p[4]), -p[3] * y[2]]'; }",
		"ode_ckrk_tol(rhs, [0.5, 1]', 0, {0.4, 1.1, 2.9}, 1e-8, 1e-8, 100000, p)"},
	{"times close together", "vector rhs(real t, vector y, vector p) { return [p[3] * (y[1] - y[1]^3 / 3 + y[2]), -(y[1] - p[1] + p[2] * y[2]) / p[3]]'; }",
		"ode_rk45_tol(rhs, p[1:2], 0, linspaced_array(80, 0.05, 4), 1e-7, 1e-7, 100000, p)"},
	{"the initial state alone", "vector rhs(real t, vector y) { return [y[2], -sin(y[1])]'; }",
		"ode_rk45(rhs, p[1:2], p[3] - 5, {1.0, 2 + p[4]})"},
	{"functions of time and parameters", "vector rhs(real t, vector y, vector p, real a) { return [exp(-p[1] * t) * a - p[2] * y[1] / (p[3] + y[1]), log1p(t) * y[1] - y[2], y[2] * p[4]]'; }",
		"ode_rk45(rhs, rep_vector(0, 3), 0, {0.5, 4}, p, p[2] * p[3])"},
}

// TestSteps compares solutions whose steps are programs with those made stage by stage.
func TestSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range stepped {
		t.Run(c.name, func(t *testing.T) {
			text := "functions { " + c.rhs + " } parameters { vector<lower=0>[4] p; } model { for (y in " + c.call + ") target += sum(square(y)) - 0.1 * y[1]; }"
			whole, stages := program(t, text, "{}"), program(t, text, "{}", "steps")
			for range 20 {
				q := make([]float64, 4)
				for i := range q {
					q[i] = 0.5 * rng.NormFloat64()
				}
				a, b := make([]float64, 4), make([]float64, 4)
				lp, err := whole.NewEvaluator().LogDensityGrad(q, a)
				want, errB := stages.NewEvaluator().LogDensityGrad(q, b)
				if err != nil || errB != nil {
					t.Fatal(err, errB)
				}
				for i := range q {
					if math.Abs(a[i]-b[i]) > 1e-8*(1+math.Abs(b[i])) {
						t.Errorf("at %v: derivative %d is %v, stage by stage %v", q, i, a[i], b[i])
					}
				}
				if math.Abs(lp-want) > 1e-8*(1+math.Abs(want)) {
					t.Errorf("at %v: %v, stage by stage %v", q, lp, want)
				}
			}
			checkGradient(t, whole, []float64{0.3, -0.4, 0.2, 0.1}, 1e-4)
		})
	}
}

// TestRejectedStages has steps that a right-hand side rejects: they end as those made stage by stage.
func TestRejectedStages(t *testing.T) {
	for _, without := range [][]string{nil, {"steps"}} {
		m := program(t, `functions { vector rhs(real t, vector y, real k) { if (t > 2) reject("too late: ", t); return [-k * y[1]]'; } }
parameters { real<lower=0> k; real<lower=0> end; }
model { target += sum(ode_rk45(rhs, [1.0]', 0, {end}, k)[1]); }`, "{}", without...)
		grad := make([]float64, 2)
		if _, err := m.NewEvaluator().LogDensityGrad([]float64{0, 0}, grad); err != nil {
			t.Error(err)
		}
		if _, err := m.NewEvaluator().LogDensityGrad([]float64{0, 2}, grad); err == nil || !strings.Contains(err.Error(), "too late") {
			t.Errorf("without %v: %v", without, err)
		}
	}
}
