// What is prior and what likelihood, however a program says it: against closed forms.

package bind_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
)

// splitFunctions are used by some of the programs.
const splitFunctions = `
functions {
  real own_prior(real mu, real m0, real s0) { return normal_lpdf(mu | m0, s0); }
  real location_lpdf(real mu, real m0, real s0) { return -0.5 * square((mu - m0) / s0) - log(s0) - 0.5 * log(2 * pi()); }
  void prior_lp(real mu, real m0, real s0) { mu ~ normal(m0, s0); }
  real log_lik(vector y, real mu, real sigma) {
    real lp = 0;
    for (n in 1:num_elements(y)) lp += normal_lpdf(y[n] | mu, sigma);
    return lp;
  }
  real by_hand(real y, real mu, real sigma) {
    return -0.5 * square((y - mu) / sigma) - log(sigma) - 0.5 * log(2 * pi());
  }
  void lik_lp(vector y, real mu, real sigma) { y ~ normal(mu, sigma); }
  void any_lp(vector x, real m, real s) { x ~ normal(m, s); }
  real obs_lpdf(vector y, real mu, real sigma) { return log_lik(y, mu, sigma); }
  real given_lpdf(real mu, vector y, real sigma) { return normal_lpdf(y | mu, sigma); }
  real partial_lpdf(array[] real part, int from, int to, real mu, real sigma) { return normal_lupdf(part | mu, sigma); }
  real partial(array[] int n, int from, int to, vector y, real mu, real sigma) { return normal_lpdf(y[from:to] | mu, sigma); }
  real recursive(vector y, int n, real mu, real sigma) {
    if (n == 0) return 0;
    return by_hand(y[n], mu, sigma) + recursive(y, n - 1, mu, sigma);
  }
}
data { int N; vector[N] y; real m0; real s0; vector[2] hyper; int use; array[N] int one; }
transformed data { real shift = mean(y) - mean(y); array[N] int n_all; for (n in 1:N) n_all[n] = n; }
parameters { real mu; real<lower=0> sigma; }
`

// splitPriors are ways to write mu ~ normal(m0, s0).
var splitPriors = []string{
	"mu ~ normal(m0, s0);",
	"target += normal_lpdf(mu | m0, s0);",
	"mu ~ normal(hyper[1], hyper[2]);",
	"mu ~ normal(m0 + shift, s0);",
	"mu ~ location(m0, s0);",
	"target += own_prior(mu, hyper[1], s0);",
	"prior_lp(mu, m0, hyper[2]);",
	"{ real p = normal_lpdf(mu | m0, s0); target += p; }",
	"if (use) mu ~ normal(m0, s0);",
	"if (use) { target += -0.5 * square((mu - 0.5) / 2); target += -log(2) - 0.5 * log(2 * pi()); }",
	"target += log_mix(0.25, normal_lpdf(mu | m0, s0), normal_lpdf(mu | hyper[1], s0));",
	"target += log_sum_exp(log(inv_logit(hyper[1])) + normal_lpdf(mu | m0, s0), log1m(inv_logit(hyper[1])) + normal_lpdf(mu | m0, s0));",
	"[mu]' ~ normal(m0, s0);",
	"any_lp([mu]', m0, s0);",
}

// splitLikelihoods are ways to write y ~ normal(mu, sigma).
var splitLikelihoods = []string{
	"y ~ normal(mu, sigma);",
	"for (n in 1:N) y[n] ~ normal(mu, sigma);",
	"target += normal_lpdf(y | mu, sigma);",
	"for (n in 1:N) target += log_mix(0.3, normal_lpdf(y[n] | mu, sigma), normal_lpdf(y[n] | mu, sigma));",
	"target += -0.5 * dot_self((y - mu) / sigma) - N * log(sigma) - 0.5 * N * log(2 * pi());",
	"target += -N * log(sigma) - 0.5 * N * log(2 * pi()); target += -0.5 * dot_self((y - mu) / sigma);",
	"{ real s = 0; for (n in 1:N) s += normal_lpdf(y[n] | mu, sigma); target += s; }",
	"{ vector[N] l; for (n in 1:N) l[n] = normal_lpdf(y[n] | mu, sigma); target += sum(l); }",
	"{ vector[N] l; for (n in 1:N) l[n] = by_hand(y[n], mu, sigma); target += l; }",
	"target += log_lik(y, mu, sigma);",
	"lik_lp(y, mu, sigma);",
	"any_lp(y, mu, sigma);",
	"y ~ obs(mu, sigma);",
	"mu ~ given(y, sigma);",
	"target += recursive(y, N, mu, sigma);",
	"y - mu ~ normal(0, sigma);",
	"{ vector[N] r = y - mu; r ~ normal(0, sigma); }",
	"{ vector[N] z = (y - mu) / sigma; z ~ std_normal(); target += -N * log(sigma); }",
	"target += reduce_sum(partial_lpdf, to_array_1d(y), 1, mu, sigma);",
	"target += reduce_sum(partial, n_all, 1, y, mu, sigma);",
	"for (v in y) v ~ normal(mu, sigma);",
	"{ vector[2] m = [mu, mu - 1]'; for (n in 1:N) target += by_hand(0, m[one[n]] - y[n], sigma); }",
	"for (n in 1:N) { if (y[n] > 0) target += by_hand(y[n], mu, sigma); else y[n] ~ normal(mu, sigma); }",
	"{ vector[N] l; for (n in 1:N) { vector[2] c = [log(0.4) + normal_lpdf(y[n] | mu, sigma), log(0.6) + normal_lpdf(y[n] | mu, sigma)]'; l[n] = log_sum_exp(c); } target += sum(l); }",
}

func TestSplitHoweverWritten(t *testing.T) {
	y := []float64{1.5, -0.25, 0.75}
	const m0, s0, mu = 0.5, 2.0, 0.3
	sigma := math.Exp(-0.2)
	normal := func(x, m, s float64) float64 {
		return -0.5*(x-m)*(x-m)/s/s - math.Log(s) - 0.5*math.Log(2*math.Pi)
	}
	prior, likelihood := normal(mu, m0, s0)-sigma+math.Log(sigma), 0.0
	for _, x := range y {
		likelihood += normal(x, mu, sigma)
	}
	const numbers = `{"N": 3, "y": [1.5, -0.25, 0.75], "m0": 0.5, "s0": 2, "hyper": [0.5, 2], "use": 1, "one": [1, 1, 1]}`
	check := func(model string) {
		t.Helper()
		m := bound(t, splitFunctions+model, numbers)
		checkSplit(t, m, model, []float64{mu, math.Log(sigma)}, prior, likelihood)
	}
	const scale = " sigma ~ exponential(1); "
	for i, p := range splitPriors {
		for k, l := range splitLikelihoods {
			if i > 0 && k > 0 && (i+k)%3 > 0 {
				continue // each with most others is enough
			}
			check("model {" + scale + p + " " + l + " }")
		}
	}
	for _, body := range []string{
		// both in one sum, or one variable
		"target += normal_lpdf(mu | m0, s0) + normal_lpdf(y | mu, sigma);",
		"target += normal_lpdf(y | mu, sigma) + normal_lpdf(mu | m0, s0);",
		"target += log_lik(y, mu, sigma) + (normal_lpdf(mu | m0, s0) + 0.0);",
		"real lp = normal_lpdf(mu | m0, s0); lp += normal_lpdf(y | mu, sigma); target += lp;",
		"real lp = 0; lp += normal_lpdf(mu | m0, s0); for (n in 1:N) { if (n > 0) lp += normal_lpdf(y[n] | mu, sigma); } target += lp;",
		"real lp; lp = normal_lpdf(mu | m0, s0) + log_lik(y, mu, sigma); target += lp;",
		"real lp = 0; lp -= -normal_lpdf(y | mu, sigma); lp += normal_lpdf(mu | m0, s0); target += lp;",
		"{ real lp = log_lik(y, mu, sigma); { lp += normal_lpdf(mu | m0, s0); } target += lp; }",
	} {
		check("model {" + scale + body + " }")
	}
	check("transformed parameters { vector[N] l; for (n in 1:N) l[n] = normal_lpdf(y[n] | mu, sigma); } model {" + scale + "mu ~ normal(m0, s0); target += sum(l); }")
	check("transformed parameters { vector[N] r = y - mu; } model {" + scale + "mu ~ normal(m0, s0); r ~ normal(0, sigma); }")
	check("transformed parameters { real lprior = 0; lprior += normal_lpdf(mu | m0, s0); lprior += exponential_lpdf(sigma | 1); } model { y ~ normal(mu, sigma); target += lprior; }")
}

// checkSplit compares the two parts at a point with what they should be.
func checkSplit(t *testing.T, m *bind.Model, name string, q []float64, prior, likelihood float64) {
	t.Helper()
	e := m.NewEvaluator()
	if err := e.(infer.Splitter).Splits(); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	p, l, err := e.(infer.Tempered).LogDensityParts(q)
	if err != nil || math.Abs(p-prior) > 1e-10 || math.Abs(l-likelihood) > 1e-10 {
		t.Errorf("%s: prior %v, likelihood %v, %v; want %v and %v", name, p, l, err, prior, likelihood)
	}
	grad := make([]float64, len(q))
	p, l, err = e.(infer.Tempered).LogDensityPartsGrad(q, 0.5, grad)
	if err != nil || math.Abs(p-prior) > 1e-10 || math.Abs(l-likelihood) > 1e-10 {
		t.Errorf("%s: with gradient prior %v, likelihood %v, %v; want %v and %v", name, p, l, err, prior, likelihood)
	}
}

// Data that choose elements or branches take part; a switch, a size and a covariate do not.
func TestSplitChoices(t *testing.T) {
	const data = `
data { int K; int N; array[N] int<lower=1, upper=K> k; array[N] int<lower=0, upper=1> b; matrix[N, 2] X; int flag; array[2] int node; array[K] int<lower=0, upper=1> seen; }
parameters { simplex[K] theta; real<lower=0, upper=1> p; vector[2] w; }
`
	const numbers = `{"K": 3, "N": 4, "k": [1, 3, 3, 2], "b": [0, 1, 1, 0], "X": [[1, 2], [3, 4], [5, 6], [7, 8]], "flag": 1, "node": [2, 1], "seen": [1, 0, 1]}`
	for _, c := range []struct {
		body string
		data bool // all of it is likelihood
	}{
		{"for (n in 1:N) target += log(theta[k[n]]);", true},
		{"{ vector[K] l = log(theta); target += sum(l[k]); }", true},
		{"for (n in 1:N) { if (b[n] == 1) target += log(p); else target += log1m(p); }", true},
		{"for (n in 1:N) target += b[n] ? log(p) : log1m(p);", true},
		{"for (n in 1:N) { if (b[n]) 1 ~ bernoulli(p); else 0 ~ bernoulli(p); }", true},
		{"for (i in 1:sum(b)) target += log(p);", true},
		{"{ int n = 1; while (b[n] == 0) { target += log1m(p); n += 1; } }", true},
		{"for (i in 1:k[2]) target += log(p);", true},
		{"target += dot_product(to_vector(b), X * w);", true},
		{"target += -0.5 * square(w[node[1]] - w[node[2]]);", true},
		{"X * w ~ normal(0, 1);", true},
		{"{ vector[K] l; for (i in 1:K) { if (seen[i]) l[i] = log(p); else l[i] = log1m(p); } target += sum(l); }", true},
		{"if (flag == 1) target += -square(w[1]);", false},
		{"if (flag) w ~ normal(0, 1); else w ~ cauchy(0, 1);", false},
		{"w ~ multi_normal(rep_vector(0, 2), add_diag(crossprod(X), 1));", false},
		{"for (i in 1:2) w[i] ~ normal(0, k[i]);", false},
		{"for (i in 1:2) { if (b[i]) w[i] ~ normal(0, 1); else w[i] ~ normal(0, 10); }", false},
		{"w[node] ~ normal(0, 1);", false},
		{"sum(w) ~ normal(0, 0.001 * N);", false},
		{"for (i in 1:N) target += -log(p) / 8;", false},
		{"theta ~ dirichlet(rep_vector(1.0 / K, K));", false},
		{"target += -square(theta[K]);", false},
		{"target += sum(head(w, flag));", false},
		{"{ vector[2] l = [-1, -1]'; target += log_sum_exp(l - square(w)); }", false},
	} {
		m := bound(t, data+"model { "+c.body+" }", numbers)
		base := bound(t, data+"model { }", numbers)
		q := []float64{0.2, -0.4, 0.3, 0.7, -0.6}
		without, err := base.NewEvaluator().LogDensity(q)
		if err != nil {
			t.Fatal(err)
		}
		with, err := m.NewEvaluator().LogDensity(q)
		if err != nil {
			t.Fatal(c.body, err)
		}
		want := 0.0
		if c.data {
			want = with - without
		}
		_, l, err := m.NewEvaluator().(infer.Tempered).LogDensityParts(q)
		if err != nil || math.Abs(l-want) > 1e-9 {
			t.Errorf("%s: likelihood %v, want %v (%v)", c.body, l, want, err)
		}
	}
}

func TestSplitRefused(t *testing.T) {
	for _, c := range []struct{ body, at string }{
		{"target += log_mix(0.5, normal_lpdf(mu | 0, 1) + normal_lpdf(y | mu, 1), normal_lpdf(mu | 1, 1) + normal_lpdf(y | mu, 2));", "target"},
		{"target += joint(mu, y);", "target"},
		{"vector[2] l = [normal_lpdf(mu | 0, 1), normal_lpdf(y | mu, 1)]'; target += sum(l);", "target"},
		{"real lp = normal_lpdf(mu | 0, 1) + normal_lpdf(y | mu, 1); if (lp < 0) print(lp); target += lp;", "target"},
		{"mu ~ normal(0, 1); y ~ normal(mu, 1); target += 0.1 * target();", "target"},
		{"joint_lp(mu, y);", "target"},
	} {
		m := bound(t, `
functions {
  real joint(real mu, vector y) { real lp = normal_lpdf(mu | 0, 1); lp += normal_lpdf(y | mu, 1); return lp; }
  void joint_lp(real mu, vector y) { target += 2 * (normal_lpdf(mu | 0, 1) + normal_lpdf(y | mu, 1)); }
}
data { vector[2] y; } parameters { real mu; } model { `+c.body+` }`, `{"y": [0.5, 1]}`)
		err := m.NewEvaluator().(infer.Splitter).Splits()
		if err == nil || !strings.Contains(err.Error(), "cannot be split") || !strings.Contains(err.Error(), "test.stan:") {
			t.Errorf("%s: %v", c.body, err)
		}
		if _, err := infer.Split("smc", m.NewEvaluator()); err == nil {
			t.Errorf("%s: split all the same", c.body)
		}
	}
}
