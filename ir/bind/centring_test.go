// Location-scale effects, and coordinates between centred and non-centred.

package bind_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
	"gonum.org/v1/gonum/mat"
)

// centringCases are programs with what effects they have: parameter, number of coordinates, and how they are written.
var centringCases = []struct{ name, program, want string }{
	{"vector", "parameters { real mu; real<lower=0> tau; vector[4] x; } model { mu ~ normal(0, 1); tau ~ exponential(1); x ~ normal(mu, tau); x ~ normal(1, 2); }", "x 4 centred"},
	{"loop", "parameters { real<lower=0> tau; vector[4] x; vector[4] m; } model { for (i in 1:4) x[i] ~ normal(m[i], tau); m ~ normal(0, 2); tau ~ exponential(1); }", "x 4 centred"},
	{"target", "parameters { real mu; real<lower=0> tau; array[3] real x; } model { target += student_t_lpdf(x | 4, mu, tau) + normal_lpdf(mu | 0, 1) + exponential_lpdf(tau | 1); }", "x 3 centred"},
	{"families", `parameters { real m; real<lower=0> s; real a; real b; real c; real d; }
model { a ~ cauchy(m, s); b ~ double_exponential(m, s); c ~ logistic(m, s); d ~ gumbel(m, s); m ~ normal(0, 1); s ~ lognormal(0, 1); }`, "a 1 centred, b 1 centred, c 1 centred, d 1 centred"},
	{"scales", "parameters { vector<lower=0>[3] s; real<lower=0> g; vector[3] x; } model { g ~ cauchy(0, 1); s ~ cauchy(0, 1); x ~ normal(0, g * s); {3.0, 1, -2} ~ normal(x, 1); }", "x 3 centred"},
	{"nested", `parameters { real m; real<lower=0> s; real<lower=0> t; vector[2] x; vector[4] y; }
model { x ~ normal(m, s); for (i in 1:4) y[i] ~ normal(x[1 + i % 2], t); y ~ normal(0, 3); m ~ normal(0, 1); s ~ exponential(1); t ~ exponential(1); }`, "x 2 centred, y 4 centred"},
	{"product", "parameters { real m; real<lower=0> s; vector[5] z; } model { vector[5] x = m + s * z; z ~ std_normal(); m ~ normal(0, 1); s ~ exponential(1); x ~ normal(1, 2); }", "z 5 non-centred"},
	{"product in a loop", `parameters { real m; real<lower=0> s; vector[5] z; }
transformed parameters { vector[5] x; for (i in 1:5) x[i] = s * z[i]; }
model { z ~ normal(0, 1); m ~ normal(0, 1); s ~ exponential(1); {1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10} ~ normal(m + append_row(x, x), 2); }`, "z 5 non-centred"},
	{"offset and multiplier", "parameters { real m; real<lower=0> s; vector<offset=m, multiplier=s>[3] x; } model { x ~ normal(m, s); m ~ normal(0, 1); s ~ exponential(1); x ~ normal(2, 1); }", "x 3 non-centred"},
	{"multiplier of each", "parameters { vector<lower=0>[3] s; vector<multiplier=s>[3] x; } model { x ~ normal(0, s); s ~ exponential(1); x ~ normal(2, 1); }", "x 3 non-centred"},
	{"Cholesky factor", `parameters { vector[3] m; vector<lower=0>[3] s; cholesky_factor_corr[3] L; array[2] vector[3] x; }
model { x ~ multi_normal_cholesky(m, diag_pre_multiply(s, L)); m ~ normal(0, 1); s ~ exponential(1); L ~ lkj_corr_cholesky(2); x[1] ~ normal(1, 1); }`, "x 6 centred"},
	{"correlated", `parameters { vector<lower=0>[3] s; cholesky_factor_corr[3] L; matrix[3, 4] z; }
model { matrix[4, 3] x = (diag_pre_multiply(s, L) * z)'; to_vector(z) ~ std_normal(); s ~ exponential(1); L ~ lkj_corr_cholesky(2); to_vector(x) ~ normal(1, 2); }`,
		"z 4 non-centred, z 4 non-centred, z 4 non-centred"},
	{"correlated, on the right", `parameters { row_vector[2] m; vector<lower=0>[2] s; cholesky_factor_corr[2] L; matrix[4, 2] z; }
model { matrix[4, 2] x = rep_matrix(m, 4) + z * diag_pre_multiply(s, L)'; to_vector(z) ~ std_normal(); m ~ normal(0, 1); s ~ exponential(1); L ~ lkj_corr_cholesky(2); to_vector(x) ~ normal(1, 2); }`,
		"z 4 non-centred, z 4 non-centred"},
	{"correlated, in a loop", `parameters { vector[2] m; vector<lower=0>[2] s; cholesky_factor_corr[2] L; array[3] vector[2] z; }
model { for (j in 1:3) { vector[2] x = m + diag_pre_multiply(s, L) * z[j]; z[j] ~ normal(0, 1); x ~ normal(1, 2); } m ~ normal(0, 1); s ~ exponential(1); L ~ lkj_corr_cholesky(2); }`,
		"z 3 non-centred, z 3 non-centred"},
	{"correlated by a covariance", `parameters { cov_matrix[2] S; vector[2] z; }
model { vector[2] x = cholesky_decompose(S) * z; z ~ std_normal(); S ~ wishart(4, identity_matrix(2)); x ~ normal(1, 2); }`, ""},
	{"correlated by a covariance, in groups", `parameters { cov_matrix[2] S; matrix[2, 3] z; }
model { matrix[2, 3] x = cholesky_decompose(S) * z; to_vector(z) ~ std_normal(); S ~ wishart(4, identity_matrix(2)); to_vector(x) ~ normal(1, 2); }`,
		"z 3 non-centred, z 3 non-centred"},
	{"a scale for each of two", `parameters { vector[2] m; vector<lower=0>[2] s; matrix[5, 2] x; }
model { for (k in 1:2) x[, k] ~ normal(m[k], s[k]); m ~ normal(0, 1); s ~ exponential(1); to_vector(x) ~ normal(1, 2); }`, "x 5 centred, x 5 centred"},
	{"diagonal on the left", `parameters { vector[2] m; vector<lower=0>[2] s; matrix[2, 3] z; }
model { matrix[2, 3] x = rep_matrix(m, 3) + diag_pre_multiply(s, z); to_vector(z) ~ std_normal(); m ~ normal(0, 1); s ~ exponential(1); to_vector(x) ~ normal(1, 2); }`, "z 6 non-centred"},
	{"diagonal on the right", `parameters { vector<lower=0>[2] s; matrix[3, 2] z; }
model { matrix[3, 2] x = diag_post_multiply(z, s); to_vector(z) ~ std_normal(); s ~ exponential(1); to_vector(x) ~ normal(1, 2); }`, "z 6 non-centred"},
	{"loadings", "parameters { matrix[2, 2] A; vector[2] z; } model { vector[2] x = A * z; z ~ std_normal(); to_vector(A) ~ std_normal(); x ~ normal(1, 2); }", ""},
	{"covariance matrix", `parameters { vector[2] m; real<lower=0> s; vector[2] x; }
model { x ~ multi_normal(m, quad_form_diag([[1, 0.5], [0.5, 1]], [s, 2 * s]')); m ~ normal(0, 1); s ~ exponential(1); x ~ normal(1, 1); }`, "x 2 centred"},
	{"function", `functions { real f_lpdf(vector x, real m, real s) { return normal_lpdf(x | m, s); } }
parameters { real m; real<lower=0> s; vector[3] x; } model { x ~ f(m, s); m ~ normal(0, 1); s ~ exponential(1); x ~ normal(1, 1); }`, "x 3 centred"},
	{"known scale", "parameters { real m; vector[3] x; } model { x ~ normal(m, 2); m ~ normal(0, 1); }", ""},
	{"random walk", "parameters { real<lower=0> s; vector[4] x; } model { s ~ exponential(1); x[1] ~ normal(0, 1); for (i in 2:4) x[i] ~ normal(x[i - 1], s); }", ""},
	{"several products", "parameters { real<lower=0> s; real<lower=0> t; vector[3] z; } model { z ~ std_normal(); s ~ exponential(1); t ~ exponential(1); {1.0, 2, 3} ~ normal(s * z + t * z, 1); }", ""},
	{"control flow", "parameters { real m; real<lower=0> s; vector[3] x; } model { if (m > 0) x ~ normal(m, s); else x ~ normal(0, s); m ~ normal(0, 1); s ~ exponential(1); }", ""},
	{"bounded variate", "parameters { real<lower=0> s; vector<lower=0>[3] x; } model { x ~ normal(0, s); s ~ exponential(1); }", ""},
}

// Effects are found, and in their coordinates the density is the model's times the Jacobian determinant of
// q by z, found by differences, as is the gradient.
func TestCentring(t *testing.T) {
	for _, c := range centringCases {
		t.Run(c.name, func(t *testing.T) {
			m := bound(t, c.program, "{}")
			effects := m.Effects()
			if got := effectsText(effects); got != c.want {
				t.Fatalf("effects %q, want %q", got, c.want)
			}
			if effects == nil {
				return
			}
			r := rand.New(rand.NewPCG(1, 2))
			ev := m.NewCentredEvaluator()
			own := m.NewEvaluator()
			for range 5 {
				lambda := make([]float64, len(ev.Lambda()))
				for i := range lambda {
					lambda[i] = r.Float64()
				}
				ev.SetLambda(lambda)
				z := make([]float64, m.Dim())
				for i := range z {
					z[i] = 0.7 * r.NormFloat64()
				}
				checkCentred(t, ev, own, z)
			}
			checkOrdinary(t, m, ev, own)
		})
	}
}

func effectsText(effects []infer.Effect) (text string) {
	for i, e := range effects {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprint(e.Name, " ", len(e.Coordinates), " ", e.Written())
	}
	return text
}

// checkCentred compares density, Jacobian determinant, gradient and row at z.
func checkCentred(t *testing.T, ev infer.CentredEvaluator, own infer.Evaluator, z []float64) {
	t.Helper()
	n := len(z)
	q, grad, back := make([]float64, n), make([]float64, n), make([]float64, n)
	logJ, err := ev.Original(z, q)
	lp, err2 := ev.LogDensityGrad(z, grad)
	want, err3 := own.LogDensity(q)
	if err != nil || err2 != nil || err3 != nil {
		t.Fatal(err, err2, err3)
	}
	if plain, err := ev.LogDensity(z); err != nil || !close64(lp, want+logJ, 1e-9*(1+math.Abs(want))) || !close64(plain, lp, 1e-9*(1+math.Abs(want))) {
		t.Errorf("log density %v and %v, want %v + %v", lp, plain, want, logJ)
	}
	jacobian := mat.NewDense(n, n, nil)
	for i := range z {
		const h = 1e-5
		high, low := slices.Clone(z), slices.Clone(z)
		high[i] += h
		low[i] -= h
		qh, ql := make([]float64, n), make([]float64, n)
		if _, err := ev.Original(high, qh); err != nil {
			t.Fatal(err)
		}
		if _, err := ev.Original(low, ql); err != nil {
			t.Fatal(err)
		}
		for k := range qh {
			jacobian.Set(k, i, (qh[k]-ql[k])/(2*h))
		}
		lh, _ := ev.LogDensity(high)
		ll, _ := ev.LogDensity(low)
		if slope := (lh - ll) / (2 * h); !close64(slope, grad[i], 2e-6*(1+math.Abs(slope)+math.Abs(lp))) {
			t.Errorf("derivative by %d is %v, by differences %v", i, grad[i], slope)
		}
	}
	if det, sign := mat.LogDet(jacobian); sign != 1 || !close64(det, logJ, 1e-6) {
		t.Errorf("log Jacobian %v, by differences %v with sign %v", logJ, det, sign)
	}
	copy(back, grad)
	if _, err := bind.SlowCentred(ev, z, back); err != nil || !slices.EqualFunc(grad, back, func(a, b float64) bool { return close64(a, b, 1e-9*(1+math.Abs(a)+math.Abs(lp))) }) {
		t.Errorf("gradient by way of q %v, %v, want %v", back, err, grad)
	}
}

// checkOrdinary compares with the model's own evaluator: at lambda = 0 every number is the same, several points in
// one pass give what each gives, and rows are those of the model at q.
func checkOrdinary(t *testing.T, m *bind.Model, ev infer.CentredEvaluator, own infer.Evaluator) {
	t.Helper()
	n := m.Dim()
	bind.CompileLanesAtOnce(ev)
	r := rand.New(rand.NewPCG(3, 4))
	p := infer.NewPoints(6, n)
	for i := range p.Q {
		for k := range p.Q[i] {
			p.Q[i][k] = 0.7 * r.NormFloat64()
		}
	}
	grad, row, want, q := make([]float64, n), make([]float64, len(m.Columns())), make([]float64, len(m.Columns())), make([]float64, n)
	for _, level := range []float64{0, 1} {
		ev.SetLambda(slices.Repeat([]float64{level}, len(ev.Lambda())))
		p.Gradients(ev, len(p.Q))
		for i, z := range p.Q {
			lp, err := ev.LogDensityGrad(z, grad)
			if lp != p.LogDensity[i] || err != nil || p.Err[i] != nil || !slices.Equal(grad, p.Grad[i]) {
				t.Errorf("point %d at lambda %v: together %v, %v, %v, alone %v, %v, %v", i, level, p.LogDensity[i], p.Grad[i], p.Err[i], lp, grad, err)
			}
			if _, err := ev.Original(z, q); err != nil {
				t.Fatal(err)
			}
			if err := ev.Write(z, r, row); err != nil {
				t.Fatal(err)
			}
			if err := own.Write(q, r, want); err != nil || !slices.Equal(row, want) {
				t.Errorf("row %v, want %v", row, want)
			}
			if level == 0 {
				if lp, err := own.LogDensityGrad(z, q); lp != p.LogDensity[i] || err != nil || !slices.Equal(q, grad) {
					t.Errorf("at lambda 0: %v, %v, want %v, %v", p.LogDensity[i], grad, lp, q)
				}
			}
		}
	}
}

// The optimisation can be switched off.
func TestCentringDisabled(t *testing.T) {
	lib := stdlib.New()
	p, err := bindtest.Compile("test.stan", centringCases[0].program, ".", lib)
	if err != nil {
		t.Fatal(err)
	}
	m, err := bind.Bind(p, lib, &data.Set{}, bind.Options{Without: []string{"centring"}})
	if err != nil {
		t.Fatal(err)
	}
	if e := m.Effects(); e != nil {
		t.Errorf("effects %q although centring is off", effectsText(e))
	}
}
