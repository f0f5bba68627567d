// The reasons why a model is not generative: each with its place and its words.

package bind_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/graph"
)

// A reason is a program with the line and column of what stands in the way, and words
// that the message must hold.
type reason struct {
	name, program string
	at            string // line:column, of the first problem
	words         string
	late          bool // shows only with the data
	together      bool // parameters and observations can be drawn, the prior alone cannot
	prior         bool // the prior is at fault, so that there are no draws from it
}

const reasonData = `{"N": 3, "y": [0.5, 1, 2], "k": [1, 2, 0], "g": [1, 1, 2]}`

var reasons = []reason{
	{name: "no prior", at: "1:19", prior: true, words: "mu has no prior, and is unbounded",
		program: `parameters { real mu; }`},
	{name: "one-sided", at: "1:28", prior: true, words: "sigma has no prior, and is bounded on one side only",
		program: `parameters { real<lower=0> sigma; }`},
	{name: "ordered", at: "1:25", prior: true, words: "c has no prior, and is ordered but unbounded",
		program: `parameters { ordered[3] c; }`},
	{name: "covariance", at: "1:28", prior: true, words: "S has no prior, and its cov_matrix is unbounded",
		program: `parameters { cov_matrix[3] S; }`},
	{name: "element without a prior", at: "1:24", prior: true, late: true, words: "mu[1] has no prior",
		program: `parameters { vector[3] mu; } model { mu[2:3] ~ normal(0, 1); }`},
	{name: "two distributions", at: "1:52", prior: true, words: "mu has a distribution already, from",
		program: `parameters { real mu; } model { mu ~ normal(0, 1); mu ~ cauchy(0, 1); }`},
	{name: "two for an element", at: "1:57", prior: true, words: "mu has a distribution already, from",
		program: `parameters { vector[3] mu; } model { mu ~ normal(0, 1); mu[2] ~ cauchy(0, 1); }`},
	{name: "each iteration", at: "3:31", words: "y gets a distribution in each iteration of the loop",
		program: `data { int N; vector[N] y; } parameters { real<lower=0, upper=1> mu; }
model {
              for (n in 1:N)  y ~ normal(mu, 1); }`},
	{name: "one for each group", at: "2:31", late: true, words: "y[1] has a distribution already, from",
		program: `data { int N; vector[N] y; array[N] int g; } parameters { real<lower=0, upper=1> mu; }
model {       for (n in 1:N)  y[g[n]] ~ normal(mu, 1); }`},
	{name: "a scalar with several", at: "2:9", prior: true, late: true, words: "mu has 3 distributions at once",
		program: `data { int N; vector[N] y; } parameters { real mu; }
model { mu ~ normal(y, 1); y ~ normal(mu, 1); }`},
	{name: "other terms", at: "2:9", prior: true, words: `"target +=" holds something else`,
		program: `parameters { real<lower=0, upper=1> p; }
model { target += 2 * log(p); }`},
	{name: "normaliser of fewer", at: "2:9", prior: true, late: true, words: "x has 2 numbers, and the normaliser of its truncation is subtracted 1 times",
		program: `parameters { vector<lower=0>[2] x; }
model { target += normal_lpdf(x | 0, 1) - 1 * normal_lccdf(0 | 0, 1); }`},
	{name: "normaliser of another", at: "2:9", prior: true, words: `"target +=" holds something else`,
		program: `parameters { real<lower=0> x; }
model { target += normal_lpdf(x | 0, 1) - normal_lccdf(0 | 0, 2); }`},
	{name: "collected twice", at: "3:9", prior: true, words: `"target +=" holds something else`,
		program: `parameters { real x; }
transformed parameters { real s = 0; s += normal_lpdf(x | 0, 1); }
model { target += s; x ~ normal(0, 1); target += s; }`},
	{name: "mixture", at: "2:9", words: `"target +=" holds something else`,
		program: `data { int N; vector[N] y; } parameters { real<lower=0, upper=1> p; }
model { target += log_mix(p, normal_lpdf(y | 0, 1), normal_lpdf(y | 1, 1)); }`},
	{name: "observed term", at: "2:27", words: `"target +=" holds something else`,
		program: `data { int N; vector[N] y; } parameters { real<lower=0, upper=1> p; }
model { y ~ normal(p, 1); target += sum(y) * p; }`},
	{name: "jacobian", at: "2:26", prior: true, words: `"jacobian +=" changes a density`,
		program: `parameters { real<lower=0, upper=1> p; }
transformed parameters { jacobian += log(p); } model { }`},
	{name: "target()", at: "2:23", prior: true, words: "target() is read",
		program: `parameters { real<lower=0, upper=1> p; }
model { real before = target(); p ~ beta(1, 2); }`},
	{name: "transformed parameter", at: "2:51", prior: true, words: "s is a transformed parameter",
		program: `parameters { real<lower=0, upper=1> p; }
transformed parameters { real s = p^2; }  model { s ~ normal(0, 1); }`},
	{name: "local variable", at: "2:30", words: "r is a local variable",
		program: `data { int N; vector[N] y; } parameters { real<lower=0, upper=1> p; }
model { vector[N] r = y - p; r ~ normal(0, 1); y ~ normal(p, 1); }`},
	{name: "expression", at: "2:9", words: "what has the distribution is computed",
		program: `data { int N; vector[N] y; } parameters { real<lower=0, upper=1> p; }
model { y - p ~ normal(0, 1); y ~ normal(p, 1); }`},
	{name: "constant", at: "2:9", words: "what has the distribution is computed",
		program: `parameters { real<lower=0, upper=1> p; }
model { 0 ~ normal(p, 1); }`},
	{name: "transformed data used twice", at: "2:32", words: "the observation z is computed from y, which is also used by the model",
		program: `data { int N; vector[N] y; }
transformed data { vector[N]   z = log(y); } parameters { real<lower=0, upper=1> p; } model { z ~ normal(p, sum(y)); }`},
	{name: "data used before", at: "2:32", prior: true, words: "m is computed from the observation y",
		program: `data { int N; vector[N] y; }
transformed data { real        m = mean(y); } parameters { real p; } model { p ~ normal(m, 1); y ~ normal(p, 1); }`},
	{name: "no twin", at: "3:9", words: "odd_lpdf has no twin odd_rng to draw with",
		program: `functions { real odd_lpdf(vector y, real p) { return -p * sum(y); } }
data { int N; vector[N] y; } parameters { real<lower=0, upper=1> p; }
model { y ~ odd(p); }`},
	{name: "no sampler", at: "2:9", words: "the library cannot draw from the distribution of wiener_lpdf",
		program: `data { int N; vector[N] y; } parameters { real<lower=0, upper=1> p; }
model { y ~ wiener(1, 0.1, 0.5, p); }`},
	{name: "truncation by parameters", at: "2:28", prior: true, words: "the bounds of x cut normal off by an amount that depends on parameters",
		program: `parameters { real mu; real<lower=0> x; }
model { mu ~ normal(0, 1); x ~ normal(mu, 1); }`},
	{name: "bounds by parameters", at: "2:28", prior: true, words: "the bounds of x cut normal off by an amount that depends on parameters",
		program: `parameters { real mu; real<lower=mu> x; }
model { mu ~ normal(0, 1); x ~ normal(0, 1); }`},
	{name: "uniform by parameters", at: "2:30", prior: true, late: true, words: "the bounds of x cut uniform off by an amount that depends on parameters",
		program: `parameters { real<lower=0> mu; real<lower=0> x; }
model { mu ~ exponential(1); x ~ uniform(-mu, mu); }`},
	{name: "uniform between parameters", at: "1:60", prior: true, words: "x has no prior, and bounds that depend on parameters",
		program: `parameters { real<lower=0> mu; real<lower=-mu, upper=mu>   x; }
model { mu ~ exponential(1); }`},
	{name: "cut vector", at: "2:9", prior: true, words: "the bounds of x cut multi_normal off",
		program: `parameters { vector<lower=0>[2] x; }
model { x ~ multi_normal([0, 0]', identity_matrix(2)); }`},
	{name: "wrong support", at: "2:9", prior: true, words: "x is a simplex, on which normal is no proper distribution",
		program: `parameters { simplex[2] x; }
model { x ~ normal(0, 1); }`},
	{name: "unequal order", at: "2:28", prior: true, late: true, words: "its elements have different priors: their normaliser depends on parameters",
		program: `parameters { ordered[2] x; real m; }
model { m ~ normal(0, 1);  x ~ normal([0, m]', 1); }`},
	{name: "circle", at: "2:9", prior: true, late: true, words: "waits for values that depend on its own",
		program: `parameters { real a; real b; }
model { a ~ normal(b, 1); b ~ normal(a, 1); }`},
	{name: "prior together with an observation", at: "2:31", prior: true, together: true, words: "x has its distribution together with an observation",
		program: `data { int N; vector[N] y; } parameters { real x; }
model {                       append_row(y, x) ~ multi_normal(rep_vector(0, N + 1), identity_matrix(N + 1)); }`},
}

func TestReasons(t *testing.T) {
	for _, c := range reasons {
		t.Run(c.name, func(t *testing.T) {
			m := bound(t, c.program, reasonData)
			static, err := m.Reading().Err(), m.Generative()
			if c.together {
				if err != nil {
					t.Errorf("simulating fails: %v", err)
				}
				static = m.Reading().PriorErr()
				err = static
			}
			if (static == nil) != c.late {
				t.Errorf("without data: %v", static)
			}
			var not *graph.NotGenerative
			if !errors.As(err, &not) {
				t.Fatalf("got %v", err)
			}
			p := not.Problems[0]
			place := p.At.Position()
			if at := fmt.Sprintf("%d:%d", place.Line, place.Column); at != c.at {
				t.Errorf("the problem is at %s, want %s", at, c.at)
			}
			if !strings.Contains(p.Text, c.words) {
				t.Errorf("got %q, want %q", p.Text, c.words)
			}
			if p.Hint == "" {
				t.Error("nothing is said of what would mend it")
			}
			q := make([]float64, m.Dim())
			prior := m.NewEvaluator().(infer.PriorSampler).DrawPrior(stream(1), q)
			if (prior != nil) != c.prior {
				t.Errorf("a draw from the prior gives %v", prior)
			}
			var missing *infer.MissingError
			if prior != nil && !errors.As(prior, &missing) {
				t.Errorf("the error %v is no MissingError", prior)
			}
		})
	}
}
