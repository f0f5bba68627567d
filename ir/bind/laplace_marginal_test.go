// The embedded Laplace approximation in programs.

package bind_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/rng"
)

const laplaceProgram = `
functions {
  matrix kernel(array[] real x, real scale, real len) {
    return add_diag(gp_exp_quad_cov(x, scale, len), 1e-6);
  }
  real normal_ll(vector theta, vector y, real sigma) {
    return normal_lpdf(y | theta, sigma);
  }
  real poisson_ll(vector theta, array[] int y, array[] int index, vector m) {
    return poisson_log_lpmf(y | theta[index] + m[index]);
  }
  real nb_ll(vector theta, array[] int y, array[] int index, real phi, vector m) {
    return neg_binomial_2_log_lpmf(y | theta[index] + m[index], phi);
  }
  real logit_ll(vector theta, array[] int y, array[] int index, vector m) {
    return bernoulli_logit_lpmf(y | theta[index] + m[index]);
  }
}
data { int n; array[n] real x; vector[n] y; int k; array[k] int counts; array[k] int bits; array[k] int g; }
parameters { real<lower=0> scale; real<lower=0> len; real<lower=0> phi; vector[n] m; }
transformed parameters { real lp = CALL; }
model { target += lp; }
`

const laplaceData = `{"n": 3, "x": [0, 0.7, 2], "y": [0.4, -0.3, 1.2], "k": 5, "counts": [3, 0, 2, 5, 1], "bits": [1, 0, 1, 1, 0], "g": [1, 2, 1, 3, 3]}`

// TestLaplaceNormal compares with the exact marginal of a normal model.
func TestLaplaceNormal(t *testing.T) {
	for _, call := range []string{
		"laplace_marginal(normal_ll, (y, phi), kernel, (x, scale, len))",
		"laplace_marginal(normal_ll, (y, phi), 1, kernel, (x, scale, len))",
		"laplace_marginal_tol(normal_ll, (y, phi), kernel, (x, scale, len), rep_vector(0.1, n), 1e-8, 100, 3, 2, 10)",
		"laplace_marginal_tol(normal_ll, (y, phi), 3, kernel, (x, scale, len), (rep_vector(0.1, n), 1e-8, 100, 1, 10, 1))",
		"laplace_marginal_tol(normal_ll, (y, phi), 3, kernel, (x, scale, len), (m + scale, 1e-8, 100, 1, 10, 1))",
		"multi_normal_lpdf(y | rep_vector(0, n), add_diag(kernel(x, scale, len), phi^2))",
	} {
		m := program(t, strings.Replace(laplaceProgram, "CALL", call, 1), laplaceData)
		q := []float64{0.2, -0.1, -0.6, 0, 0, 0}
		scale, length, phi := math.Exp(q[0]), math.Exp(q[1]), math.Exp(q[2])
		want := normalMarginal([]float64{0, 0.7, 2}, []float64{0.4, -0.3, 1.2}, scale, length, phi*phi+1e-6)
		if got := outputs(t, m, q)["lp"]; math.Abs(got-want) > 1e-8 {
			t.Errorf("%s is %v, want %v", call, got, want)
		}
		checkGradient(t, m, q, 1e-7)
	}
}

// normalMarginal is the log density of three observations with a squared exponential
// covariance plus noise, by cofactors.
func normalMarginal(x, y []float64, scale, length, noise float64) float64 {
	k := func(i, j int) float64 {
		v := scale * scale * math.Exp(-(x[i]-x[j])*(x[i]-x[j])/(2*length*length))
		if i == j {
			v += noise
		}
		return v
	}
	minor := func(i, j int) float64 {
		a, b, c, d := (i+1)%3, (i+2)%3, (j+1)%3, (j+2)%3
		return k(a, c)*k(b, d) - k(a, d)*k(b, c)
	}
	det := k(0, 0)*minor(0, 0) + k(0, 1)*minor(0, 1) + k(0, 2)*minor(0, 2)
	sum := 0.0
	for i := range 3 {
		for j := range 3 {
			sum += y[i] * y[j] * minor(i, j) / det
		}
	}
	return -0.5*sum - 0.5*math.Log(det) - 1.5*math.Log(2*math.Pi)
}

// TestLaplaceCounts compares the library's likelihoods with the same ones written by the
// user.
func TestLaplaceCounts(t *testing.T) {
	q := []float64{0.2, -0.1, 0.3, 0.1, -0.2, 0.3}
	const tol = "rep_vector(0, n), 1e-9, 200, 1, 1, 50)"
	for _, c := range []struct{ library, user string }{
		{"laplace_marginal_poisson_log_lpmf(counts | g, m, kernel, (x, scale, len))",
			"laplace_marginal(poisson_ll, (counts, g, m), kernel, (x, scale, len))"},
		{"laplace_marginal_poisson_log_lupmf(counts | g, m, 1, kernel, (x, scale, len))",
			"laplace_marginal(poisson_ll, (counts, g, m), kernel, (x, scale, len))"},
		{"laplace_marginal_tol_poisson_log_lpmf(counts | g, m, kernel, (x, scale, len), " + tol,
			"laplace_marginal(poisson_ll, (counts, g, m), kernel, (x, scale, len))"},
		{"laplace_marginal_neg_binomial_2_log_lpmf(counts | g, phi, m, kernel, (x, scale, len))",
			"laplace_marginal(nb_ll, (counts, g, phi, m), kernel, (x, scale, len))"},
		{"laplace_marginal_tol_neg_binomial_2_log_lpmf(counts | g, rep_vector(phi, n), m, kernel, (x, scale, len), " + tol,
			"laplace_marginal(nb_ll, (counts, g, phi, m), kernel, (x, scale, len))"},
		{"laplace_marginal_bernoulli_logit_lpmf(bits | g, m, kernel, (x, scale, len))",
			"laplace_marginal(logit_ll, (bits, g, m), kernel, (x, scale, len))"},
		{"laplace_marginal_tol_bernoulli_logit_lpmf(bits | g, m, kernel, (x, scale, len), " + tol,
			"laplace_marginal(logit_ll, (bits, g, m), 3, kernel, (x, scale, len))"},
	} {
		library := program(t, strings.Replace(laplaceProgram, "CALL", strings.Replace(c.library, "lupmf", "lpmf", 1), 1), laplaceData)
		user := program(t, strings.Replace(laplaceProgram, "CALL", c.user, 1), laplaceData)
		if got, want := outputs(t, library, q)["lp"], outputs(t, user, q)["lp"]; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", c.library, got, want)
		}
		checkGradient(t, library, q, 1e-7)
		checkGradient(t, user, q, 1e-7)
	}
}

// TestLaplaceStatement writes the likelihood with "~".
func TestLaplaceStatement(t *testing.T) {
	text := strings.Replace(laplaceProgram, "CALL", "0", 1)
	text = strings.Replace(text, "target += lp;", "counts ~ laplace_marginal_poisson_log(g, m, kernel, (x, scale, len));", 1)
	statement := program(t, text, laplaceData)
	call := program(t, strings.Replace(laplaceProgram, "CALL",
		"laplace_marginal_poisson_log_lpmf(counts | g, m, kernel, (x, scale, len))", 1), laplaceData)
	q := []float64{0.2, -0.1, 0.3, 0.1, -0.2, 0.3}
	a, _, err := statement.PlainDensity(q, true)
	b, _, err2 := call.PlainDensity(q, true)
	if err != nil || err2 != nil || a != b {
		t.Errorf("%v (%v), want %v (%v)", a, err, b, err2)
	}
}

// TestLaplaceLatent compares draws with the exact posterior of a normal model: with
// independent latent variables its mean is y/(1+phi^2) for scale 1 and its variance
// phi^2/(1+phi^2). The standardised mean of 1000 draws exceeds 5 by chance with a
// probability of 6e-7.
func TestLaplaceLatent(t *testing.T) {
	for _, call := range []string{
		"laplace_latent_rng(normal_ll, (y, phi), identity, (n,  scale))",
		"laplace_latent_tol_rng(normal_ll, (y, phi), identity, (n, scale), rep_vector(0, n), 1e-8, 100, 1, 1, 10)",
	} {
		text := strings.Replace(laplaceProgram, "CALL", "0", 1)
		text = strings.Replace(text, "functions {", "functions { matrix identity(int n, real s) { return diag_matrix(rep_vector(s^2, n)); }", 1)
		m := program(t, text+"generated quantities { vector[n] theta = "+call+"; }", laplaceData)
		q := []float64{0, 0, -0.5, 0, 0, 0}
		v := math.Exp(-1) / (1 + math.Exp(-1))
		r := rng.New(7, "test", 0, 0)
		e, row := m.NewEvaluator(), make([]float64, len(m.Columns()))
		const draws = 1000
		sums := map[string]float64{}
		for range draws {
			if err := e.Write(q, r, row); err != nil {
				t.Fatal(err)
			}
			for i, name := range m.Columns() {
				sums[name] += row[i]
			}
		}
		for i, y := range []float64{0.4, -0.3, 1.2} {
			want := y / (1 + math.Exp(-1))
			z := (sums[fmt.Sprintf("theta.%d", i+1)]/draws - want) / math.Sqrt(v/draws)
			if !(math.Abs(z) < 5) {
				t.Errorf("%s: the mean of theta[%d] is off by %.1f standard errors", call, i+1, z)
			}
		}
	}
}
