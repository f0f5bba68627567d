// Loops over variates of multivariate densities: one call for all of them, with the same value and gradient.

package lang

import (
	"math"
	"math/rand/v2"
	"testing"
)

// multivariateLoops have the body of a loop over 20 variates of dimension 3.
var multivariateLoops = []struct{ parameters, body string }{
	{"vector[3] mu; cov_matrix[3] S;", "y[i] ~ multi_normal(mu, S);"},
	{"vector[3] mu; cov_matrix[3] S;", "y[i] ~ multi_normal_prec(mu, S);"},
	{"vector[3] b; cov_matrix[3] S;", "y[i] ~ multi_normal(x[i] * b, S);"},
	{"array[20] vector[3] mu; cov_matrix[3] S;", "y[i] ~ multi_normal(mu[i], S);"},
	{"array[4] vector[3] mu; cov_matrix[3] S;", "y[i] ~ multi_normal(mu[g[i]], S);"},
	{"vector[3] mu; vector<lower=0>[3] tau; cholesky_factor_corr[3] L;", "y[i] ~ multi_normal_cholesky(mu, diag_pre_multiply(tau, L));"},
	{"vector[3] mu; cov_matrix[3] S; real<lower=0> nu;", "y[i] ~ multi_student_t(nu, mu, S);"},
	{"vector[3] mu; array[4] cov_matrix[3] S;", "y[i] ~ multi_normal(mu, S[g[i]]);"},
	{"vector<lower=0>[3] a;", "p[i] ~ dirichlet(a);"},
	{"simplex[4] theta;", "g[i] ~ categorical(theta);"},
	{"array[20] simplex[4] theta;", "g[i] ~ categorical(theta[i]);"},
	{"vector[4] beta;", "g[i] ~ categorical_logit(beta);"},
	{"vector[20] eta; ordered[3] c;", "g[i] ~ ordered_logistic(eta[i], c);"},
	{"real eta; ordered[3] c;", "g[i] ~ ordered_logistic(eta, c);"},
	{"real<lower=0> a; real v;", "t[i] ~ wiener(a, 0.01, 0.5, v);"},
	{"vector[3] mu; cov_matrix[3] S;", "if (g[i] > 1) y[i] ~ multi_normal(mu, S);"},
	{"array[20] vector[3] z; cov_matrix[3] S;", "z[i] ~ multi_normal(y[i], S);"},
}

func TestLoopsOfMultivariateDensities(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const rows = 20
	var y, p [][]float64
	var g []int
	var x, first []float64
	for range rows {
		y = append(y, []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
		u, v := 0.1+0.3*r.Float64(), 0.1+0.3*r.Float64()
		p = append(p, []float64{u, v, 1 - u - v})
		g, x, first = append(g, 1+r.IntN(4)), append(x, r.NormFloat64()), append(first, 0.2+r.Float64())
	}
	in := map[string]any{"y": y, "p": p, "g": g, "x": x, "t": first}
	for _, c := range multivariateLoops {
		text := "data { array[20] vector[3] y; array[20] simplex[3] p; array[20] int g; vector[20] x; vector[20] t; }\n" +
			"parameters { " + c.parameters + " }\nmodel { for (i in 1:20) " + c.body + " }\n"
		fast, plain := bindShapes(t, text, in), bindShapes(t, text, in, "vectorize", "scan", "expand", "repeats")
		q := make([]float64, fast.Dim())
		for i := range q {
			q[i] = 0.4 * r.NormFloat64()
		}
		a, ga, err1 := fast.Gradient(q)
		b, gb, err2 := plain.Gradient(q)
		if err1 != nil || err2 != nil {
			t.Fatalf("%s: %v, %v", c.body, err1, err2)
		}
		worst, most := math.Abs(a-b)/(1+math.Abs(b)), 1.0
		for _, v := range gb {
			most = max(most, math.Abs(v))
		}
		for i := range ga {
			worst = max(worst, math.Abs(ga[i]-gb[i])/most)
		}
		if worst > 1e-10 {
			t.Errorf("%s: off by %.1e", c.body, worst)
		}
	}
}
