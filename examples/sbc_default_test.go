package examples

// This file calibrates the default fit over models of all kinds: simulation-based calibration of `nuts()` as a
// user runs it.

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang"
)

// calibrated are programs with data that give their sizes; the first is tested always.
var calibrated = []struct{ name, program, values string }{
	{"hierarchy, centred", `data { int J; vector[J] s; vector[J] y; }
parameters { real mu; real<lower=0> tau; vector[J] theta; }
model { mu ~ normal(0, 5); tau ~ normal(0, 5); theta ~ normal(mu, tau); y ~ normal(theta, s); }`,
		`{"J": 8, "s": [15, 10, 16, 11, 9, 11, 10, 18], "y": [0, 0, 0, 0, 0, 0, 0, 0]}`},
	{"labels of a mixture", `data { int N; vector[N] y; }
parameters { simplex[2] w; real a; real<lower=0> gap; array[N] int<lower=1, upper=2> z; }
model { w ~ dirichlet([2, 2]'); a ~ normal(0, 2); gap ~ gamma(4, 1); z ~ categorical(w);
  for (n in 1:N) y[n] ~ normal(z[n] == 1 ? a : a + gap, 1); }`,
		`{"N": 6, "y": [0, 0, 0, 0, 0, 0]}`},
	{"hierarchy, non-centred", `data { int J; vector[J] s; vector[J] y; }
parameters { real mu; real<lower=0> tau; vector[J] z; }
transformed parameters { vector[J] theta = mu + tau * z; }
model { mu ~ normal(0, 5); tau ~ cauchy(0, 3); z ~ std_normal(); y ~ normal(theta, s); }`,
		`{"J": 6, "s": [1, 2, 1, 3, 1, 2], "y": [0, 0, 0, 0, 0, 0]}`},
	{"precise groups", `data { int J; int K; array[J, K] real y; }
parameters { real mu; real<lower=0> tau; real<lower=0> sigma; vector[J] theta; }
model { mu ~ normal(0, 1); tau ~ exponential(1); sigma ~ exponential(2); theta ~ normal(mu, tau);
  for (j in 1:J) y[j] ~ normal(theta[j], sigma); }`,
		`{"J": 3, "K": 5, "y": [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]}`},
	{"funnel", `data { int J; vector[J] y; }
parameters { real v; vector[J] x; }
model { v ~ normal(0, 1.5); x ~ normal(0, exp(v)); y ~ normal(x, 1); }`,
		`{"J": 5, "y": [0, 0, 0, 0, 0]}`},
	{"correlated slopes", `data { int J; int N; array[N] int<lower=1, upper=J> g; vector[N] x; vector[N] y; }
parameters { vector[2] b; vector<lower=0>[2] tau; cholesky_factor_corr[2] L; matrix[2, J] z; }
transformed parameters { matrix[2, J] u = diag_pre_multiply(tau, L) * z; }
model { b ~ normal(0, 1); tau ~ normal(0, 1); L ~ lkj_corr_cholesky(2); to_vector(z) ~ std_normal();
  for (n in 1:N) y[n] ~ normal(b[1] + u[1, g[n]] + (b[2] + u[2, g[n]]) * x[n], 0.5); }`,
		`{"J": 3, "N": 9, "g": [1, 1, 1, 2, 2, 2, 3, 3, 3], "x": [-1, 0, 1, -1, 0, 1, -1, 0, 1], "y": [0, 0, 0, 0, 0, 0, 0, 0, 0]}`},
	{"logistic", `data { int N; matrix[N, 2] X; array[N] int<lower=0, upper=1> y; }
parameters { real a; vector[2] b; }
model { a ~ normal(0, 1.5); b ~ normal(0, 1); y ~ bernoulli_logit(a + X * b); }`,
		`{"N": 8, "X": [[-2, 1], [-1, 0], [-1, 2], [0, -1], [0, 1], [1, 1], [1, -2], [2, 0]], "y": [0, 0, 0, 0, 0, 0, 0, 0]}`},
	{"counts with effects", `data { int J; int N; array[N] int<lower=1, upper=J> g; array[N] int<lower=0> y; }
parameters { real a; real<lower=0> tau; vector[J] u; }
model { a ~ normal(1, 0.5); tau ~ normal(0, 0.7); u ~ normal(0, tau); y ~ poisson_log(a + u[g]); }`,
		`{"J": 4, "N": 8, "g": [1, 1, 2, 2, 3, 3, 4, 4], "y": [0, 0, 0, 0, 0, 0, 0, 0]}`},
	{"negative binomial", `data { int N; vector[N] x; array[N] int<lower=0> y; }
parameters { real a; real b; real<lower=0> phi; }
model { a ~ normal(1, 0.5); b ~ normal(0, 0.5); phi ~ gamma(3, 1); y ~ neg_binomial_2_log(a + b * x, phi); }`,
		`{"N": 6, "x": [-1, -0.5, 0, 0.5, 1, 1.5], "y": [0, 0, 0, 0, 0, 0]}`},
	{"simplex", `data { int K; array[K] int<lower=0> y; int n; }
parameters { simplex[K] p; real<lower=0> a; }
model { a ~ gamma(4, 2); p ~ dirichlet(rep_vector(a, K)); y ~ multinomial(p); }`,
		`{"K": 4, "y": [3, 3, 3, 3], "n": 12}`},
	{"ordered", `data { int N; vector[N] x; array[N] int<lower=1, upper=3> y; }
parameters { real b; ordered[2] c; }
model { b ~ normal(0, 1); c ~ normal(0, 1.5); for (n in 1:N) y[n] ~ ordered_logistic(b * x[n], c); }`,
		`{"N": 6, "x": [-1, -0.5, 0, 0.5, 1, 1.5], "y": [1, 2, 3, 1, 2, 3]}`},
	{"correlation matrix", `data { int N; array[N] vector[2] y; }
parameters { corr_matrix[2] R; vector<lower=0>[2] s; }
model { R ~ lkj_corr(2); s ~ gamma(3, 2); y ~ multi_normal(rep_vector(0, 2), quad_form_diag(R, s)); }`,
		`{"N": 5, "y": [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]]}`},
	{"covariance matrix", `data { int N; array[N] vector[2] y; }
parameters { cov_matrix[2] S; vector[2] m; }
model { S ~ inv_wishart(5, [[2, 0.5], [0.5, 1]]); m ~ normal(0, 2); y ~ multi_normal(m, S); }`,
		`{"N": 4, "y": [[0, 0], [0, 0], [0, 0], [0, 0]]}`},
	{"bounds", `data { int N; vector[N] y; }
parameters { real<lower=0, upper=1> p; real<upper=2> m; real<lower=0.5> s; }
model { p ~ beta(0.7, 1.5); m ~ normal(0, 2) T[, 2]; s ~ exponential(1) T[0.5, ]; y ~ normal(m + 3 * p, s); }`,
		`{"N": 4, "y": [0, 0, 0, 0]}`},
	{"heavy tails", `data { int N; vector[N] y; }
parameters { real m; real<lower=0> s; real<lower=1> nu; }
model { m ~ student_t(3, 0, 2); s ~ cauchy(0, 1); nu ~ gamma(2, 0.3) T[1, ]; y ~ student_t(nu, m, s); }`,
		`{"N": 8, "y": [0, 0, 0, 0, 0, 0, 0, 0]}`},
	{"time series", `data { int T; vector[T] y; }
parameters { real a; real<lower=-1, upper=1> rho; real<lower=0> s; }
model { a ~ normal(0, 1); rho ~ uniform(-1, 1); s ~ exponential(1); y[1] ~ normal(a, s);
  for (t in 2:T) y[t] ~ normal(a + rho * (y[t - 1] - a), s); }`,
		`{"T": 12, "y": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}`},
	{"stochastic volatility", `data { int T; vector[T] y; }
parameters { real m; real<lower=0> s; vector[T] h; }
model { m ~ normal(0, 1); s ~ normal(0, 0.5); h[1] ~ normal(m, 1); for (t in 2:T) h[t] ~ normal(h[t - 1], s); y ~ normal(0, exp(h / 2)); }`,
		`{"T": 10, "y": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}`},
	{"change point", `data { int T; array[T] int<lower=0> y; }
parameters { real<lower=0> a; real<lower=0> b; int<lower=1, upper=T> c; }
model { a ~ gamma(3, 1); b ~ gamma(3, 1); c ~ categorical(rep_vector(1.0 / T, T)); for (t in 1:T) y[t] ~ poisson(t < c ? a : b); }`,
		`{"T": 10, "y": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}`},
	{"survival", `data { int N; vector[N] x; vector<lower=0>[N] t; }
parameters { real a; real b; real<lower=0> k; }
model { a ~ normal(0, 1); b ~ normal(0, 1); k ~ gamma(4, 3); t ~ weibull(k, exp(a + b * x)); }`,
		`{"N": 6, "x": [-1, -0.5, 0, 0.5, 1, 1.5], "t": [1, 1, 1, 1, 1, 1]}`},
	{"gaussian process", `data { int N; array[N] real x; vector[N] y; }
parameters { real<lower=0> l; real<lower=0> a; vector[N] z; }
transformed parameters { vector[N] f = cholesky_decompose(add_diag(gp_exp_quad_cov(x, a, l), 1e-6)) * z; }
model { l ~ inv_gamma(5, 5); a ~ normal(0, 1); z ~ std_normal(); y ~ normal(f, 0.3); }`,
		`{"N": 6, "x": [0, 0.5, 1, 1.5, 2, 3], "y": [0, 0, 0, 0, 0, 0]}`},
	{"horseshoe", `data { int N; int K; matrix[N, K] X; vector[N] y; }
parameters { real<lower=0> tau; vector<lower=0>[K] lambda; vector[K] b; }
model { tau ~ cauchy(0, 0.5); lambda ~ cauchy(0, 1); b ~ normal(0, tau * lambda); y ~ normal(X * b, 1); }`,
		`{"N": 4, "K": 3, "X": [[1, 0, 1], [0, 1, 1], [1, 1, 0], [-1, 1, 0]], "y": [0, 0, 0, 0]}`},
	{"sum to zero", `data { int N; array[N] int<lower=1, upper=4> g; vector[N] y; }
parameters { real m; sum_to_zero_vector[4] u; real<lower=0> s; }
model { m ~ normal(0, 1); u ~ normal(0, 1); s ~ gamma(3, 2); y ~ normal(m + u[g], s); }
simulate { m = normal_rng(0, 1); { vector[4] z; for (k in 1:4) z[k] = normal_rng(0, 1); u = z - mean(z); } s = gamma_rng(3, 2); for (n in 1:N) y[n] = normal_rng(m + u[g[n]], s); }`,
		`{"N": 8, "g": [1, 1, 2, 2, 3, 3, 4, 4], "y": [0, 0, 0, 0, 0, 0, 0, 0]}`},
}

// TestDefaultIsCalibrated: the ranks of simulated parameters among draws of the default fit, with the centring that it
// learns, are uniform. A model is called bad by mistake with probability 0.001, whatever the number of its quantities: 0.022 for all,
// once, as the seed is fixed. A fit with another prior of a scale is told from them, so the test has some power.
func TestDefaultIsCalibrated(t *testing.T) {
	models := calibrated
	if os.Getenv("PPL_ALL") == "" {
		models = models[:1]
	}
	for _, c := range models {
		t.Run(c.name, func(t *testing.T) {
			if least, name := leastUniform(t, c.program, c.program, c.values); least < 0.001 {
				t.Errorf("the ranks of %s are not uniform (adjusted p = %.2g)", name, least)
			} else {
				t.Logf("smallest adjusted p = %.2g, of %s", least, name)
			}
		})
	}
	first := calibrated[0]
	other := strings.Replace(first.program, "tau ~ normal(0, 5)", "tau ~ normal(0, 1)", 1)
	if least, _ := leastUniform(t, first.program, other, first.values); least > 0.001 {
		t.Errorf("another prior passes with p = %.2g", least)
	}
}

// leastUniform simulates data sets by a program, fits another to each, and gives the smallest p-value, by Bonferroni's rule, that the ranks of a quantity
// are uniform: chi-square over ten bins.
func leastUniform(t *testing.T, simulated, fitted, values string) (least float64, name string) {
	const replications, kept, bins = 100, 99, 10
	bound := func(program string, text []byte) *lang.Model {
		prog, err := lang.Compile("test.ppl", program, lang.Options{})
		if err != nil {
			t.Fatal(lang.ErrorText(err))
		}
		in, err := data.ReadBytes(text, "test.json", prog.WantsData)
		if err != nil {
			t.Fatal(err)
		}
		m, err := prog.Bind(in, lang.BindOptions{Seed: 1})
		if err != nil {
			t.Fatal(lang.ErrorText(err))
		}
		return m
	}
	sizes, counts := bound(simulated, []byte(values)), map[string]*[bins]float64{}
	random := rand.New(rand.NewPCG(4, 5)) // which breaks ties
	for i := range replications {
		s, err := sizes.SimulateNumber(4, i)
		if err != nil {
			t.Fatal(lang.ErrorText(err))
		}
		text, err := s.JSON()
		if err != nil {
			t.Fatal(err)
		}
		m := bound(fitted, text)
		method, err := m.Program.Method("nuts()")
		if err != nil {
			t.Fatal(lang.ErrorText(err))
		}
		fit, err := m.Run(t.Context(), method, lang.RunOptions{Seed: uint64(i + 1), Jobs: 2})
		if err != nil {
			t.Fatal(lang.ErrorText(err))
		}
		truth := flattened(t, text)
		for _, column := range m.ParameterColumns() {
			x, at := slices.Concat(fit.Posterior.Draws.Column(column)...), truth[column]
			if slices.Max(x)-slices.Min(x) < 1e-9 {
				continue // as the diagonal of a correlation matrix
			}
			if counts[column] == nil {
				counts[column] = new([bins]float64)
			}
			rank, ties := 0, 0
			for k := range kept {
				switch v := x[(2*k+1)*len(x)/(2*kept)]; {
				case v < at:
					rank++
				case v == at:
					ties++
				}
			}
			counts[column][(rank+random.IntN(ties+1))*bins/(kept+1)]++
		}
	}
	least = 1
	for column, n := range counts {
		chi := 0.0
		for _, c := range n {
			chi += (c - replications/bins) * (c - replications/bins) / (replications / bins)
		}
		if p := min(1, distuv.ChiSquared{K: bins - 1}.Survival(chi)*float64(len(counts))); p < least || name == "" {
			least, name = p, column
		}
	}
	return least, name
}

// flattened has the numbers of a JSON object by the names that columns of draws have.
func flattened(t *testing.T, text []byte) map[string]float64 {
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	var add func(name string, v any)
	add = func(name string, v any) {
		switch v := v.(type) {
		case float64:
			out[name] = v
		case []any:
			for i, e := range v {
				add(fmt.Sprintf("%s.%d", name, i+1), e)
			}
		}
	}
	for name, v := range all {
		add(name, v)
	}
	return out
}
