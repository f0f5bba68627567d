package examples

// This file has models whose loops have loop-carried variables, for comparisons
// of several points with one.

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang"
)

// A recurrent is a model of a recurrence, with its data.
type recurrent struct {
	name, text string
	data       func(n int) map[string]any
	n          int
}

// normalStates is a hidden Markov chain of two states with normal observations, written as a
// forward algorithm: head declares what is observed and the parameters, obs is the log
// density of an observation in state k.
func normalStates(head, obs string) string {
	return `data { int N; vector[N] y; vector[N] x; }
parameters { array[2] simplex[2] theta; ` + head + ` }
model {
  vector[2] acc;
  mu[1] ~ normal(3, 1); mu[2] ~ normal(10, 1);
  for (k in 1:2) acc[k] = ` + strings.ReplaceAll(obs, "[t]", "[1]") + `;
  for (t in 2:N) {
    vector[2] next;
    for (k in 1:2) {
      vector[2] from;
      for (j in 1:2) from[j] = acc[j] + log(theta[j, k]) + ` + obs + `;
      next[k] = log_sum_exp(from);
    }
    acc = next;
  }
  target += log_sum_exp(acc);
}
`
}

// recurrents are loops that stay loops: chains of hidden states, volatilities, a filter.
var recurrents = []recurrent{
	{"hmm_example, T = 100", normalStates("positive_ordered[2] mu;", "normal_lpdf(y[t] | mu[k], 1)"), inTwoLevels, 100},
	{"hmm_drive_1, T = 416", normalStates("ordered[2] mu; ordered[2] nu; real<lower=0> s; real<lower=0> u;",
		"normal_lpdf(y[t] | mu[k], s) + normal_lpdf(x[t] | nu[k], u)"), inTwoLevels, 416},
	{"stochastic volatility, T = 500", `data { int N; vector[N] y; }
parameters { real mu; real<lower=-1, upper=1> phi; real<lower=0> sigma; vector[N] e; }
model {
  vector[N] h = e * sigma;
  h[1] /= sqrt(1 - square(phi));
  h += mu;
  for (t in 2:N) h[t] += phi * (h[t - 1] - mu);
  phi ~ uniform(-1, 1); sigma ~ cauchy(0, 5); mu ~ cauchy(0, 10); e ~ std_normal();
  y ~ normal(0, exp(h / 2));
}
`, volatile, 500},
	{"GARCH, T = 2000", `data { int N; vector[N] y; }
parameters { real m; real<lower=0> a0; real<lower=0, upper=1> a1; real<lower=0, upper=1 - a1> b1; }
model {
  vector[N] s;
  s[1] = 0.5;
  for (t in 2:N) s[t] = sqrt(a0 + a1 * square(y[t - 1] - m) + b1 * square(s[t - 1]));
  y ~ normal(m, s);
}
`, volatile, 2000},
	{"explicit states, K = 3, T = 500", `data { int N; vector[N] y; }
parameters { simplex[3] p; array[3] simplex[3] A; ordered[3] mu; real<lower=0> s; array[N] int<lower=1, upper=3> z; }
model {
  z[1] ~ categorical(p);
  for (n in 2:N) z[n] ~ categorical(A[z[n - 1]]);
  for (n in 1:N) y[n] ~ normal(mu[z[n]], s);
}
`, inTwoLevels, 500},
	{"Kalman filter, T = 500", `data { int N; vector[N] y; }
parameters { real<lower=0> q; real<lower=0> r; real a; }
model {
  real m = a;
  real v = 1;
  q ~ normal(0, 1); r ~ normal(0, 1); a ~ normal(0, 3);
  for (t in 1:N) {
    real f;
    real gain;
    v += q;
    f = v + r;
    gain = v / f;
    y[t] ~ normal(m, sqrt(f));
    m += gain * (y[t] - m);
    v *= 1 - gain;
  }
}
`, inTwoLevels, 500},
}

// inTwoLevels are observations around 3 and 10, in turns of some length.
func inTwoLevels(n int) map[string]any {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	y, x, level := make([]float64, n), make([]float64, n), 3.0
	for i := range y {
		if r.IntN(8) == 0 {
			level = 13 - level
		}
		y[i], x[i] = level+r.NormFloat64(), 0.3*level+0.5*r.NormFloat64()
	}
	return map[string]any{"N": n, "y": y, "x": x}
}

// volatile are returns whose volatility changes slowly.
func volatile(n int) map[string]any {
	r := rand.New(rand.NewPCG(2, uint64(n)))
	y, h := make([]float64, n), 0.0
	for i := range y {
		h = 0.95*h + 0.25*r.NormFloat64()
		y[i] = math.Exp(h/2) * r.NormFloat64()
	}
	return map[string]any{"N": n, "y": y}
}

// bound is the model with its data, without some optimisations.
func (m *recurrent) bound(t testing.TB, off ...string) *lang.Model {
	t.Helper()
	prog, err := lang.Compile("model.stan", m.text, lang.Options{})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	in, err := lang.Data(m.data(m.n))
	if err != nil {
		t.Fatal(err)
	}
	model, err := prog.Bind(in, lang.BindOptions{Seed: 1, Without: off})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	return model
}

// both are the model with lanes and without.
func (m *recurrent) both(t testing.TB) [2]*lang.Model {
	return [2]*lang.Model{m.bound(t), m.bound(t, "lanes")}
}
