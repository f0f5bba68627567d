// The likelihood by terms: the average over a partition against the whole, the number
// of terms, what a batch costs, and refusals.

package bind_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
)

const termsData = `data { int N; int J; int P; int K; vector[N] y; vector[N] s; matrix[N, P] X; array[N] int g; array[N] int b; array[N] int k;
  array[N] vector[P] v; array[N] int m; array[N] int c; array[N, 2] int counts; }`

const termsNumbers = `{"N": 6, "J": 2, "P": 2, "K": 3, "y": [1.5, 0.25, -0.5, 2, 0.125, -1], "s": [1, 2, 1, 0.5, 3, 1],
  "X": [[1, 0.5], [1, -0.25], [0.5, 2], [-1, 0.75], [1, 0.5], [0, 1]], "g": [1, 2, 1, 1, 2, 2], "b": [1, 0, 1, 1, 0, 0], "k": [3, 0, 1, 2, 7, 0],
  "v": [[1, 0.5], [1, -0.25], [0.5, 2], [-1, 0.75], [1, 0.5], [0, 1]], "m": [5, 6, 5, 5, 3, 1], "c": [1, 3, 2, 2, 1, 3], "counts": [[1, 2], [0, 3], [1, 1], [2, 5], [0, 1], [4, 4]]}`

// termsPrograms are statements with the number of terms that they make.
var termsPrograms = []struct {
	name, parameters, body string
	terms                  int
}{
	{"vectorised", "real a; vector[P] w; real<lower=0> t;", "y ~ normal(a + X * w, t);", 6},
	{"own scales", "real a;", "y ~ normal(a, s);", 6},
	{"loop", "real a; vector[P] w; real<lower=0> t;", "for (n in 1:N) y[n] ~ normal(a + X[n] * w, t);", 6},
	{"loop over counts", "real a; vector[P] w;", "for (n in 1:N) k[n] ~ poisson_log(a + X[n] * w);", 6},
	{"groups", "real mu; real<lower=0> t; vector[J] z;", "z ~ std_normal(); y ~ normal((mu + t * z)[g], 1.5);", 6},
	{"varying slopes", "matrix[J, P] w; real<lower=0> t;", "to_vector(w) ~ normal(0, t); for (n in 1:N) b[n] ~ bernoulli_logit(X[n] * w[g[n]]');", 6},
	{"slopes by rows", "matrix[J, P] w;", "b ~ bernoulli_logit(rows_dot_product(X, w[g]));", 6},
	{"local", "real a; vector[P] w; real<lower=0> t;", "vector[N] eta = a + X * w; for (n in 1:N) eta[n] += w[1] * s[n]; target += student_t_lpdf(y | 4, eta, t);", 6},
	{"normal glm", "real a; vector[P] w; real<lower=0> t;", "y ~ normal_id_glm(X, a, w, t);", 6},
	{"normal glm by groups", "vector[J] a; vector[P] w; vector<lower=0>[N] t;", "t ~ exponential(1); y ~ normal_id_glm(X, a[g], w, t);", 6},
	{"bernoulli glm", "vector[J] a; vector[P] w;", "b ~ bernoulli_logit_glm(X, a[g], w);", 6},
	{"binomial glm", "real a; vector[P] w;", "b ~ binomial_logit_glm(m, X, a, w);", 6},
	{"poisson glm", "real a; vector[P] w;", "k ~ poisson_log_glm(X, a, w);", 6},
	{"negative binomial glm", "real a; vector[P] w; real<lower=0> t;", "k ~ neg_binomial_2_log_glm(X, a, w, t);", 6},
	{"ordered glm", "vector[P] w; ordered[K - 1] cut;", "c ~ ordered_logistic_glm(X, w, cut);", 6},
	{"categorical glm", "vector[K] a; matrix[P, K] w;", "c ~ categorical_logit_glm(X, a, w);", 6},
	{"ordered", "vector[P] w; ordered[K - 1] cut;", "c ~ ordered_logistic(X * w, cut);", 6},
	{"categorical", "simplex[K] p;", "c ~ categorical(p);", 6},
	{"multivariate", "vector[P] w; cov_matrix[P] S;", "v ~ multi_normal(w, S);", 6},
	{"multivariate by group", "array[J] vector[P] w; cholesky_factor_cov[P] L;", "v ~ multi_normal_cholesky(w[g], L);", 6},
	{"multivariate in a loop", "vector[P] w; cov_matrix[P] S;", "for (n in 1:N) v[n] ~ multi_normal(w, S);", 6},
	{"multinomial in a loop", "simplex[2] p;", "for (n in 1:N) counts[n] ~ multinomial(p);", 6},
	{"mixture", "ordered[2] mu; real<lower=0, upper=1> p;", "for (n in 1:N) target += log_mix(p, normal_lpdf(y[n] | mu[1], 1), normal_lpdf(y[n] | mu[2], 1));", 6},
	{"discrete mixture", "ordered[2] mu; simplex[2] p; array[N] int<lower=1, upper=2> z;", "z ~ categorical(p); for (n in 1:N) y[n] ~ normal(mu[z[n]], 1);", 6},
	{"truncated", "real a; real<lower=0> t;", "y ~ normal(a, t) T[-1, ];", 6},
	{"truncated by observation", "real a; real<lower=0> t;", "y ~ normal(a + s, t) T[-1, ];", 6},
	{"autoregression", "real a; real w;", "for (n in 2:N) y[n] ~ normal(a + w * y[n - 1], 1);", 5},
	{"recursion", "real a; real<lower=0, upper=1> w;", "real h = 1; for (n in 2:N) { h = a + w * h + y[n - 1]; y[n] ~ normal(h, 1); }", 5},
	{"two statements", "real a; vector[P] w;", "y ~ normal(a, 1); for (n in 1:N) k[n] ~ poisson_log(a + X[n] * w);", 12},
	{"one observation more", "real a;", "y ~ normal(a, 1); k[1] ~ poisson_log(a);", 7},
	{"sum of a vector", "real a; vector[P] w;", "vector[N] l; for (n in 1:N) l[n] = normal_lpdf(y[n] | X[n] * w, exp(a)); target += sum(l);", 6},
	{"running sum", "real a; vector[P] w;", "real l = 0; for (n in 1:N) l += normal_lpdf(y[n] | X[n] * w, exp(a)); target += l;", 6},
	{"weighted", "real a;", "target += 0.5 * normal_lpdf(y | a, 1);", 6},
	{"two in one", "real a;", "target += normal_lpdf(y | a, 1) + poisson_log_lpmf(k | a);", 6},
	{"network", "matrix[P, 4] w; row_vector[4] a; vector[4] o; real<lower=0> t;", "y ~ normal(fmax(X * w + rep_matrix(a, N), 0) * o, t);", 6},
	{"two layers", "matrix[P, 4] w; matrix[4, 3] u; vector[3] o;", "y ~ normal(inv_logit(inv_logit(X * w) * u) * o, s);", 6},
	{"single indices", "vector[J] a; vector[N] z;", "z ~ std_normal(); y ~ normal(a[g] + z, 1);", 6},
	{"branches", "real a;", "for (n in 1:N) { if (a > 0.1 * n) y[n] ~ normal(a, 1); else y[n] ~ normal(a, 2); }", 6},
}

func TestTerms(t *testing.T) {
	for _, c := range termsPrograms {
		m := bound(t, termsData+" parameters { "+c.parameters+" } model { "+c.body+" }", termsNumbers)
		e := m.NewEvaluator()
		sub, n, err := infer.Minibatches("advi", e)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if n != c.terms {
			t.Errorf("%s: %d terms, not %d", c.name, n, c.terms)
			continue
		}
		r := rand.New(rand.NewChaCha8([32]byte{1}))
		q := make([]float64, e.Dim())
		for range 5 {
			for i := range q {
				q[i] = r.NormFloat64()
			}
			checkPartition(t, c.name, e, sub, n, q, r)
		}
	}
}

// TestTermsAsRows names the programs whose batches are evaluated by a program of their own, which TestTerms
// compares with the whole.
func TestTermsAsRows(t *testing.T) {
	wide := map[string]bool{}
	for _, name := range []string{"vectorised", "own scales", "groups", "local", "normal glm", "bernoulli glm", "binomial glm", "poisson glm",
		"negative binomial glm", "ordered glm", "categorical glm", "ordered", "categorical", "truncated", "truncated by observation",
		"sum of a vector", "network", "two layers", "single indices", "slopes by rows", "normal glm by groups"} {
		wide[name] = true
	}
	for _, c := range termsPrograms {
		m := bound(t, termsData+" parameters { "+c.parameters+" } model { "+c.body+" }", termsNumbers)
		if got := bind.HasRows(m.NewEvaluator(), 3); got != wide[c.name] {
			t.Errorf("%s: batches have a program of their own: %v", c.name, got)
		}
	}
}

// Of a program that is for batches of all rows, the first n of which are listed twice, the sum is
// that of the terms, whichever batch came before.
func TestTermsAsRowsListedTwice(t *testing.T) {
	m := bound(t, termsData+" parameters { real a; vector[P] w; } model { y ~ normal(a + X * w, s); }", termsNumbers)
	e := m.NewEvaluator()
	sub := e.(infer.Subsampled)
	q, g := []float64{0.3, -1, 0.7}, make([]float64, 3)
	y, s, x := []float64{1.5, 0.25, -0.5, 2, 0.125, -1}, []float64{1, 2, 1, 0.5, 3, 1}, [][2]float64{{1, 0.5}, {1, -0.25}, {0.5, 2}, {-1, 0.75}, {1, 0.5}, {0, 1}}
	for _, batch := range [][]int{{0, 0, 3}, {5, 1, 2}, {3, 3, 3}} {
		got, err := sub.LogDensityGradTerms(q, batch, g)
		if err != nil {
			t.Fatal(err)
		}
		want := 0.0
		for _, i := range batch {
			z := (y[i] - q[0] - x[i][0]*q[1] - x[i][1]*q[2]) / s[i]
			want += 2 * (-z*z/2 - math.Log(s[i]) - math.Log(2*math.Pi)/2)
		}
		if math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("batch %v: %.15g, want %.15g", batch, got, want)
		}
	}
}

// checkPartition compares the average over the batches of a partition, the batches
// being of different sizes but weighed by them, with the whole.
func checkPartition(t *testing.T, name string, e infer.Evaluator, sub infer.Subsampled, n int, q []float64, r *rand.Rand) {
	t.Helper()
	want := make([]float64, len(q))
	lp, err := e.LogDensityGrad(q, want)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	order := r.Perm(n)
	mean, grad, g := 0.0, make([]float64, len(q)), make([]float64, len(q))
	for len(order) > 0 {
		k := min(1+r.IntN(3), len(order))
		v, err := sub.LogDensityGradTerms(q, order[:k], g)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		share := float64(k) / float64(n)
		mean += share * v
		for i := range g {
			grad[i] += share * g[i]
		}
		order = order[k:]
	}
	if math.Abs(mean-lp) > 1e-12*(1+math.Abs(lp)) {
		t.Errorf("%s: batches average to %.15g, the whole is %.15g", name, mean, lp)
	}
	for i := range grad {
		if math.Abs(grad[i]-want[i]) > 1e-12*(1+norm(want)) {
			t.Errorf("%s: derivative %d averages to %.15g, of the whole it is %.15g", name, i, grad[i], want[i])
		}
	}
}

func TestTermsRefused(t *testing.T) {
	for _, c := range []struct{ name, parameters, body, want string }{
		{"joint", "real a;", "y ~ multi_normal(rep_vector(a, N), identity_matrix(N));", "one term for all of its observations"},
		{"multinomial", "simplex[N] p;", "k ~ multinomial(p);", "one term for all of its observations"},
		{"mixture of data sets", "real a;", "target += log_mix(0.3, normal_lpdf(y | a, 1), normal_lpdf(y | 0, 1));", "one term for all of its observations"},
		{"chain", "real a; array[N] int<lower=1, upper=2> z;",
			"for (n in 2:N) z[n] ~ categorical([0.9, 0.1]'); for (n in 2:N) y[n] ~ normal(a * z[n] + z[n - 1], 1);", "share a discrete parameter"},
		{"none", "real a;", "a ~ normal(0, 1);", "no statement gives observations"},
	} {
		m := bound(t, termsData+"\nparameters { "+c.parameters+" }\nmodel { "+c.body+" }", termsNumbers)
		_, _, err := infer.Minibatches("advi", m.NewEvaluator())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil && c.name == "joint" && !strings.Contains(err.Error(), ":4:") {
			t.Errorf("no place in %v", err)
		}
	}
}

// A batch of ten costs the same time in a hundred times as many observations: no
// evaluation touches more numbers than before, which shows in that the batch's
// evaluations are many times faster than the whole.
func BenchmarkTerms(b *testing.B) {
	for _, n := range []int{1000, 100000} {
		m := largeRegression(b, n)
		e := m.NewEvaluator()
		sub, terms, err := infer.Minibatches("advi", e)
		if err != nil {
			b.Fatal(err)
		}
		q, g := make([]float64, e.Dim()), make([]float64, e.Dim())
		batch := make([]int, 100)
		for i := range batch {
			batch[i] = (i * 7919) % terms
		}
		b.Run(map[int]string{1000: "batch of 100 in 1000", 100000: "batch of 100 in 100000"}[n], func(b *testing.B) {
			for b.Loop() {
				if _, err := sub.LogDensityGradTerms(q, batch, g); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(map[int]string{1000: "all 1000", 100000: "all 100000"}[n], func(b *testing.B) {
			for b.Loop() {
				if _, err := e.LogDensityGrad(q, g); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func largeRegression(t testing.TB, n int) *bind.Model {
	return bound(t, `data { int N; } transformed data { vector[N] y; matrix[N, 10] X; array[N] int g;
  for (n in 1:N) { y[n] = normal_rng(0, 1); g[n] = 1 + n % 20; for (p in 1:10) X[n, p] = normal_rng(0, 1); } }
parameters { vector[20] a; vector[10] w; real<lower=0> s; }
model { a ~ normal(0, 1); w ~ normal(0, 1); s ~ exponential(1); y ~ normal(a[g] + X * w, s); }`, `{"N": `+strconv.Itoa(n)+`}`)
}
