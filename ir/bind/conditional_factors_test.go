// Factors of discrete parameters that are recorded together: one iteration for all.

package bind_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// factorModels have discrete parameters in statements on many observations, N at least. together says that
// the recording does not grow with N.
var factorModels = []struct {
	name, program string
	together      bool
}{
	{"mixture in a loop", `parameters { simplex[2] w; vector[2] mu; vector<lower=0>[2] tau; array[N] int<lower=1, upper=2> z; }
model { tau ~ gamma(2, 1); mu ~ normal(0, 3); z ~ categorical(w); for (n in 1:N) y[n] ~ normal(mu[z[n]], inv_sqrt(tau[z[n]])); }`, true},
	{"mixture of vectors", `parameters { simplex[2] w; vector[2] mu; real<lower=0> tau; array[N] int<lower=1, upper=2> z; }
model { tau ~ gamma(2, 1); mu ~ normal(0, 3); z ~ categorical(w); y ~ normal(mu[z] + x .* mu[z], inv_sqrt(tau)); }`, true},
	{"local variable", `parameters { simplex[3] w; vector[3] mu; array[N] int<lower=1, upper=3> z; }
model { mu ~ normal(0, 3); for (n in 1:N) { int k = z[n]; real m = mu[k] + 0.5 * x[n]; k ~ categorical(w); y[n] ~ normal(m, 1); } }`, true},
	{"topics", `parameters { array[4] simplex[3] theta; array[3] simplex[5] phi; array[N] int<lower=1, upper=3> z; }
model { for (d in 1:4) theta[d] ~ dirichlet([1, 2, 1.5]'); for (k in 1:3) phi[k] ~ dirichlet(rep_vector(0.7, 5));
  for (n in 1:N) { z[n] ~ categorical(theta[g[n]]); v[n] ~ categorical(phi[z[n]]); } }`, true},
	{"chain", `parameters { array[2] simplex[2] G; vector[2] mu; array[N] int<lower=1, upper=2> z; }
model { mu ~ normal(0, 3); for (k in 1:2) G[k] ~ dirichlet([2, 1]'); for (n in 2:N) z[n] ~ categorical(G[z[n - 1]]); y ~ normal(mu[z], 1); }`, true},
	{"backwards", `parameters { simplex[2] w; array[N] int<lower=0, upper=1> z; }
model { for (n in 1:N - 1) target += 0.3 * z[N + 1 - n] * (1 - z[N - n]) + log(w[1 + z[n]]); z[1] ~ bernoulli(0.3); }`, true},
	{"a pair that may be one", `parameters { real a; array[N] int<lower=0, upper=1> z; }
model { a ~ normal(0, 1); for (n in 1:N) { z[n] ~ bernoulli(0.4); target += a * x[n] * z[n] * (1 - z[g[n]]); } }`, false},
	{"condition on it", `parameters { vector[2] mu; array[N] int<lower=0, upper=1> z; }
model { mu ~ normal(0, 3); for (n in 1:N) { z[n] ~ bernoulli(0.4); if (z[n] == 1) y[n] ~ normal(mu[1], 1); else y[n] ~ normal(mu[2], 2); } }`, false},
	{"condition on data", `parameters { vector[2] mu; array[N] int<lower=0, upper=1> z; }
model { mu ~ normal(0, 3); for (n in 1:N) { if (v[n] > 2) z[n] ~ bernoulli(0.4); else z[n] ~ bernoulli(0.2); if (v[n] > 1) y[n] ~ normal(mu[1 + z[n]], 1); } }`, true},
	{"ranges that differ", `parameters { vector[3] mu; array[N] int<lower=0, upper=v> z; }
model { mu ~ normal(0, 3); for (n in 1:N) { z[n] ~ binomial(v[n], 0.4); y[n] ~ normal(z[n] * mu[1], 1); } }`, false},
	{"kept in an array", `parameters { vector[2] mu; array[N] int<lower=0, upper=1> z; }
model { vector[N] m; mu ~ normal(0, 3); for (n in 1:N) { z[n] ~ bernoulli(0.4); m[n] = mu[1 + z[n]]; } y ~ normal(m, 1); }`, false},
	{"one for all", `parameters { vector[2] mu; int<lower=0, upper=1> c; array[N] int<lower=0, upper=1> z; }
model { mu ~ normal(0, 3); c ~ bernoulli(0.3); for (n in 1:N) { z[n] ~ bernoulli(0.2 + 0.5 * c); y[n] ~ normal(mu[1 + z[n]] + c, 1); } }`, true},
	{"grid", `parameters { real<lower=0> b; array[N, 3] int<lower=0, upper=1> z; }
model { b ~ gamma(2, 2); for (i in 1:N) for (j in 1:3) { target += 0.1 * z[i, j]; if (i < N) target += b * z[i, j] * z[i + 1, j]; if (j < 3) target += b * (2 * z[i, j] - 1) * z[i, j + 1]; } }`, true},
}

func factorData(n int) string {
	list := func(f func(i int) string) string {
		out := make([]string, n)
		for i := range out {
			out[i] = f(i)
		}
		return "[" + strings.Join(out, ",") + "]"
	}
	return fmt.Sprintf(`{"N": %d, "y": %s, "x": %s, "g": %s, "v": %s}`, n,
		list(func(i int) string { return fmt.Sprint(2 * math.Sin(float64(i))) }),
		list(func(i int) string { return fmt.Sprint(math.Cos(float64(3 * i))) }),
		list(func(i int) string { return fmt.Sprint(1 + i*i%4) }),
		list(func(i int) string { return fmt.Sprint(1 + i%5) }))
}

// TestFactorsTogether compares the multiplied-out log density with the one that is evaluated from
// the statements one by one, at random points, and counts nodes: where iterations are recorded
// as one, four times the observations take no more.
func TestFactorsTogether(t *testing.T) {
	const n = 40
	for _, c := range factorModels {
		program := `data { int N; vector[N] y; vector[N] x; array[N] int g; array[N] int<lower=0> v; } ` + c.program
		m := bound(t, program, factorData(n))
		few, err := m.StatementNodes()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		many, err := bound(t, program, factorData(4*n)).StatementNodes()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		// The constrained parameters themselves may take a node each.
		if grown := float64(many) / float64(few); (grown < 1.2) != c.together {
			t.Errorf("%s: %d nodes for %d observations, %d for %d; together: %v", c.name, few, n, many, 4*n, c.together)
		}
		e := m.Joint().NewEvaluator()
		out, ok := infer.Capability[infer.Sections](e)
		if !ok {
			t.Fatal("no sections")
		}
		mixed, _ := infer.Capability[infer.Mixed](e)
		whole := mixed.Whole()
		rng := rand.New(rand.NewPCG(1, 2))
		q := make([]float64, e.Dim())
		for range 5 {
			for i := range q {
				q[i] = rng.NormFloat64()
			}
			for i, r := range whole {
				q[len(q)-len(whole)+i] = r.Low + float64(rng.IntN(int(r.High-r.Low)+1))
			}
			want, err := e.LogDensity(q)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			got, err := out.LogJoint(q)
			if err != nil || got != want && !(math.Abs(got-want) <= 1e-11*(1+math.Abs(want))) {
				t.Errorf("%s: multiplied out %v, %v; want %v", c.name, got, err, want)
			}
		}
	}
}
