// Chains of discrete numbers, which are summed out as loops, against the reference interpreter,
// which sums them out one by one.

package bind_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

const chainHead = `data { int N; vector[N] y; vector[N] x; array[N] int<lower=1,upper=N> g; }
parameters { simplex[3] p; array[3] simplex[3] A; ordered[3] mu; real<lower=0> s; real b; `

// chainModels are rests of programs.
var chainModels = [][2]string{
	{"hidden Markov chain", `array[N] int<lower=1,upper=3> z; }
model { z[1] ~ categorical(p); for (n in 2:N) z[n] ~ categorical(A[z[n-1]]);
  for (n in 1:N) y[n] ~ normal(mu[z[n]], s); }`},
	{"transitions by data", `array[N] int<lower=0,upper=1> z; }
model { z[1] ~ bernoulli(p[1]); for (n in 2:N) z[n] ~ bernoulli_logit(b * x[n] + mu[1 + z[n-1]]);
  for (n in 1:N) y[n] ~ normal(mu[1 + z[n]], s); }`},
	{"observations are missing", `array[N] int<lower=1,upper=3> z; }
model { z[1] ~ categorical(p); for (n in 2:N) z[n] ~ categorical(A[z[n-1]]);
  for (n in 1:N) if (n % 7 != 3) y[n] ~ normal(mu[z[n]], s); }`},
	{"several of them", `array[N] int<lower=1,upper=2> z; }
model { for (n in 2:N) { z[n] ~ categorical(p[1:2] / sum(p[1:2])); target += b * (z[n] == z[n-1]); }
  for (n in 1:N) { y[n] ~ normal(mu[z[n]], s); x[n] ~ normal(z[n] * b, 1); } }`},
	{"two chains that share a state", `array[N] int<lower=1,upper=2> z; array[N] int<lower=1,upper=2> w; }
model { for (n in 2:N) { target += mu[z[n]] * (z[n-1] == z[n]); target += mu[w[n]] * (w[n-1] != w[n]); }
  target += b * (z[1] == w[1]); for (n in 1:N) y[n] ~ normal(mu[z[n] + 1], s); for (n in 1:N) x[n] ~ normal(mu[w[n]], s); }`},
	{"one state meets all", `array[N] int<lower=1,upper=2> z; int<lower=1,upper=2> k; }
model { for (n in 2:N) target += mu[z[n]] * (z[n-1] == z[n]) * k; for (n in 1:N) y[n] ~ normal(mu[z[n]], s); }`},
	{"ring", `array[N] int<lower=1,upper=2> z; }
model { for (n in 2:N) target += mu[z[n]] * (z[n-1] == z[n]); target += b * (z[1] == z[N]);
  for (n in 1:N) y[n] ~ normal(mu[z[n]], s); }`},
	{"tree", `array[N] int<lower=1,upper=2> z; }
model { for (n in 2:N) target += mu[z[n]] * (z[g[n]] == z[n]); for (n in 1:N) y[n] ~ normal(mu[z[n]], s); }`},
	{"steps back", `array[N] int<lower=1,upper=2> z; }
model { for (n in 2:N) z[N - n + 1] ~ bernoulli(p[z[N - n + 2]]); for (n in 1:N) y[n] ~ normal(mu[z[n]], s); }`},
	{"one value", `array[N] int<lower=1,upper=1> z; }
model { for (n in 2:N) target += mu[z[n]] * z[n-1] * y[n]; }`},
}

func chainData(n int) (*data.Set, error) {
	r := rand.New(rand.NewPCG(8, uint64(n)))
	y, x, g := make([]float64, n), make([]float64, n), make([]int, n)
	for i := range y {
		y[i], x[i], g[i] = r.NormFloat64(), r.NormFloat64(), 1+r.IntN(max(1, i))
	}
	return data.FromGo(map[string]any{"N": n, "y": y, "x": x, "g": g})
}

func TestChains(t *testing.T) {
	lib := stdlib.New()
	for _, m := range chainModels {
		t.Run(m[0], func(t *testing.T) {
			p, err := bindtest.Compile("chain.stan", chainHead+m[1], "", lib)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{1, 2, 3, 4, 9, 60} {
				in, err := chainData(n)
				if err != nil {
					t.Fatal(err)
				}
				model, interpreted := rolled(t, p, lib, in)
				r := rand.New(rand.NewPCG(9, uint64(n)))
				for _, scale := range []float64{0.1, 1, 4} {
					q := make([]float64, model.Dim())
					for i := range q {
						q[i] = scale * r.NormFloat64()
					}
					if err := agree(model, q, 0); err != nil {
						t.Errorf("%d states: %v", n, err)
					}
					if err := sameBits(model.NewEvaluator(), interpreted.NewEvaluator(), q); err != nil {
						t.Errorf("%d states: %v", n, err)
					}
				}
			}
		})
	}
}

// A program for a chain does not grow with it, but for its data.
func TestChainsAreLoops(t *testing.T) {
	lib := stdlib.New()
	p, err := bindtest.Compile("chain.stan", chainHead+chainModels[0][1], "", lib)
	if err != nil {
		t.Fatal(err)
	}
	count := func(n int) int {
		in, err := chainData(n)
		if err != nil {
			t.Fatal(err)
		}
		m, err := bind.Bind(p, lib, in, bind.Options{})
		if err != nil {
			t.Fatal(err)
		}
		program, err := m.GradientProgram(make([]float64, m.Dim()))
		if err != nil {
			t.Fatal(err)
		}
		return program.Stats().Instructions
	}
	if a, b := count(100), count(150); a != b {
		t.Errorf("%d instructions for 100 states, %d for 150", a, b)
	}
}
