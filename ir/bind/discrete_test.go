// Discrete parameters: marginal densities against sums written by hand, and draws
// against exact conditional probabilities.

package bind_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

func jsonList(x []float64) string {
	parts := make([]string, len(x))
	for i, v := range x {
		parts[i] = fmt.Sprint(v)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// sameDensity compares two models' densities and gradients at random points.
func sameDensity(t *testing.T, got, want interface {
	Dim() int
	PlainDensity([]float64, bool) (float64, []float64, error)
}, compiled func(q, g []float64) (float64, error)) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	for range 3 {
		q := make([]float64, want.Dim())
		for i := range q {
			q[i] = r.NormFloat64()
		}
		lp, grad, err := want.PlainDensity(q, true)
		if err != nil {
			t.Fatal(err)
		}
		g := make([]float64, len(q))
		v, err := compiled(q, g)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(v-lp) > 1e-10*(1+math.Abs(lp)) {
			t.Errorf("log density %v, by hand %v", v, lp)
		}
		for i := range g {
			if math.Abs(g[i]-grad[i]) > 1e-10*(1+math.Abs(grad[i])) {
				t.Errorf("gradient %d is %v, by hand %v", i, g[i], grad[i])
			}
		}
		if plain, _, err := got.PlainDensity(q, true); err != nil || math.Abs(plain-lp) > 1e-10*(1+math.Abs(lp)) {
			t.Errorf("reference interpreter %v (%v), by hand %v", plain, err, lp)
		}
	}
}

const mixtureHead = `
data { int N; int K; vector[N] y; }
parameters { simplex[K] theta; ordered[K] mu; real<lower=0> sigma; `

func TestMixtureAgreesWithMarginal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	y := make([]float64, 200)
	for i := range y {
		y[i] = r.NormFloat64() + float64(4*(i%3))
	}
	json := fmt.Sprintf(`{"N": %d, "K": 3, "y": %s}`, len(y), jsonList(y))
	byHand := bound(t, mixtureHead+`}
model {
  mu ~ normal(0, 5); sigma ~ exponential(1);
  for (n in 1:N) {
    vector[K] lp;
    for (k in 1:K) lp[k] = log(theta[k]) + normal_lpdf(y[n] | mu[k], sigma);
    target += log_sum_exp(lp);
  }
}`, json)
	for name, model := range map[string]string{
		"loop":       `z ~ categorical(theta); for (n in 1:N) y[n] ~ normal(mu[z[n]], sigma);`,
		"vectorised": `z ~ categorical(theta); y ~ normal(mu[z], sigma);`,
		"locals":     `for (n in 1:N) { real m = mu[z[n]]; z[n] ~ categorical(theta); y[n] ~ normal(m, sigma); }`,
		"branches": `z ~ categorical(theta);
  for (n in 1:N) {
    if (z[n] == 1) y[n] ~ normal(mu[1], sigma);
    else { real m; if (z[n] == 2) m = mu[2]; else m = mu[3]; y[n] ~ normal(m, sigma); }
  }`,
	} {
		t.Run(name, func(t *testing.T) {
			m := bound(t, mixtureHead+`array[N] int<lower=1, upper=K> z; }
model { mu ~ normal(0, 5); sigma ~ exponential(1); `+model+` }`, json)
			sameDensity(t, m, byHand, m.NewEvaluator().LogDensityGrad)
		})
	}
}

func TestHiddenMarkovAgreesWithForward(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	y := make([]float64, 60)
	for i := range y {
		y[i] = r.NormFloat64() + float64(3*(i/10%2))
	}
	json := fmt.Sprintf(`{"T": %d, "K": 2, "y": %s}`, len(y), jsonList(y))
	head := `
data { int T; int K; vector[T] y; }
parameters { array[K] simplex[K] theta; ordered[K] mu; `
	byHand := bound(t, head+`}
model {
  vector[K] gamma; mu ~ normal(0, 5);
  for (k in 1:K) gamma[k] = -log(K) + normal_lpdf(y[1] | mu[k], 1);
  for (t in 2:T) {
    vector[K] next;
    for (k in 1:K) {
      vector[K] from;
      for (j in 1:K) from[j] = gamma[j] + log(theta[j, k]);
      next[k] = log_sum_exp(from) + normal_lpdf(y[t] | mu[k], 1);
    }
    gamma = next;
  }
  target += log_sum_exp(gamma);
}`, json)
	m := bound(t, head+`array[T] int<lower=1, upper=K> z; }
model {
  mu ~ normal(0, 5);
  z[1] ~ categorical(rep_vector(1.0 / K, K));
  for (t in 2:T) z[t] ~ categorical(theta[z[t - 1]]);
  y ~ normal(mu[z], 1);
}`, json)
	sameDensity(t, m, byHand, m.NewEvaluator().LogDensityGrad)
}

// TestDiscreteDraws compares frequencies of recovered draws of a chain of three with
// the exact joint conditional, by chi-square with 7 degrees of freedom: the bound
// 29.9 is exceeded by chance once in 10,000 runs.
func TestDiscreteDraws(t *testing.T) {
	m := bound(t, `
data { vector[3] y; }
parameters { real mu; array[3] int<lower=0, upper=1> z; }
model {
  mu ~ normal(0, 1);
  z[1] ~ bernoulli(0.3);
  for (t in 2:3) z[t] ~ bernoulli(z[t - 1] == 1 ? 0.8 : 0.2);
  for (t in 1:3) y[t] ~ normal(mu * z[t], 1);
}
generated quantities { int total = sum(z); }`, `{"y": [0.3, 1.2, -0.4]}`)
	q := []float64{0.9}
	y := []float64{0.3, 1.2, -0.4}
	exact := make([]float64, 8)
	norm := 0.0
	for s := range 8 {
		z := [3]float64{float64(s & 1), float64(s >> 1 & 1), float64(s >> 2 & 1)}
		p := 0.7
		if z[0] == 1 {
			p = 0.3
		}
		for i := 1; i < 3; i++ {
			one := 0.2
			if z[i-1] == 1 {
				one = 0.8
			}
			if z[i] == 0 {
				one = 1 - one
			}
			p *= one
		}
		for i := range 3 {
			d := y[i] - q[0]*z[i]
			p *= math.Exp(-d * d / 2)
		}
		exact[s] = p
		norm += p
	}
	e := m.NewEvaluator()
	r := rand.New(rand.NewPCG(5, 5))
	const draws = 20000
	var counts [8]float64
	out := make([]float64, len(m.Columns()))
	for range draws {
		if err := e.Write(q, r, out); err != nil {
			t.Fatal(err)
		}
		// columns: mu, z.1, z.2, z.3, total
		if out[4] != out[1]+out[2]+out[3] {
			t.Fatalf("total %v of %v", out[4], out)
		}
		counts[int(out[1]+2*out[2]+4*out[3])]++
	}
	chi := 0.0
	for s, n := range counts {
		want := draws * exact[s] / norm
		chi += (n - want) * (n - want) / want
	}
	if chi > 29.9 {
		t.Errorf("chi-square %v", chi)
	}
}

func TestTableTooLarge(t *testing.T) {
	m := bound(t, `
parameters { array[30] int<lower=1, upper=4> z; real mu; }
model { target += normal_lpdf(mu | sum(z), 1); }`, `{}`)
	_, err := m.NewEvaluator().LogDensity([]float64{0})
	for what, err := range map[string]error{"density": err, "before": m.Summable()} {
		var table *eval.Error
		if !errors.As(err, &table) || !table.Table || !strings.Contains(table.Help, "gibbs()") || !strings.Contains(err.Error(), "z[1]") {
			t.Errorf("%s: got %v, want an error that names the variables and offers gibbs()", what, err)
		}
	}
}

// TestReshapedNumbers: a vector made of the discrete numbers is taken apart, too.
func TestReshapedNumbers(t *testing.T) {
	const head = `data { array[30] real y; } parameters { real mu; array[30] int<lower=0, upper=1> z; }
model { z ~ bernoulli(0.4); `
	y := `{"y": [` + strings.Repeat("0.5, 1.5, -1, ", 9) + `2, 3, 0]}`
	want, err := bound(t, head+`for (n in 1:30) y[n] ~ normal(mu + 2 * z[n], 1); }`, y).NewEvaluator().LogDensity([]float64{0.3})
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`y ~ normal(mu + 2 * to_vector(z), 1);`,
		`y ~ normal(mu + to_row_vector(to_array_1d(z)) * 2, 1);`,
	} {
		got, err := bound(t, head+statement+` }`, y).NewEvaluator().LogDensity([]float64{0.3})
		if err != nil || math.Abs(got-want) > 1e-10 {
			t.Errorf("%s: log density %v, %v; want %v", statement, got, err, want)
		}
	}
}

// TestDriveWithStates writes the hidden Markov posterior of the shared folder with
// explicit states and compares it with the marginalised example.
func TestDriveWithStates(t *testing.T) {
	const name = "bball_drive_event_0-hmm_drive_0"
	path := filepath.Join(sharedFolder(t, "posteriors"), name, "data.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("the shared folder is not there, so the hidden Markov posterior was not compared: %v", err)
	}
	m := bound(t, `
data { int<lower=0> N; int<lower=0> K; array[N] real u; array[N] real v; matrix<lower=0>[K, K] alpha; }
parameters {
  simplex[K] theta1; simplex[K] theta2; positive_ordered[K] phi; positive_ordered[K] lambda;
  array[N] int<lower=1, upper=2> z;
}
model {
  theta1 ~ dirichlet(alpha[1]'); theta2 ~ dirichlet(alpha[2]');
  phi[1] ~ normal(0, 1); phi[2] ~ normal(3, 1); lambda[1] ~ normal(0, 1); lambda[2] ~ normal(3, 1);
  for (t in 2:N) z[t] ~ categorical(z[t-1] == 1 ? theta1 : theta2);
  u ~ exponential(phi[z]);
  v ~ exponential(lambda[z]);
}`, string(text))
	byHand, err := bindtest.Model("../../examples/posteriors/"+name+".stan", path)
	if err != nil {
		t.Fatal(err)
	}
	sameDensity(t, m, byHand, m.NewEvaluator().LogDensityGrad)
}

func TestCaptureRecaptureAndChangePoint(t *testing.T) {
	// Alive states of three animals over four occasions, against the sum over the last
	// occasion on which each was alive.
	head := `
data { int N; int T; array[N, T] int y; }
parameters { real<lower=0, upper=1> phi; real<lower=0, upper=1> p; `
	json := `{"N": 3, "T": 4, "y": [[1, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]]}`
	m := bound(t, head+`array[N, T] int<lower=0, upper=1> alive; }
model {
  for (n in 1:N) {
    alive[n, 1] ~ bernoulli(1);
    for (t in 2:T) {
      alive[n, t] ~ bernoulli(alive[n, t - 1] * phi);
      y[n, t] ~ bernoulli(alive[n, t] * p);
    }
  }
}`, json)
	byHand := bound(t, head+`}
model {
  for (n in 1:N) {
    vector[T] lp = rep_vector(negative_infinity(), T);
    int seen = 1;
    for (t in 2:T) if (y[n, t] == 1) seen = t;
    for (last in seen:T) {
      lp[last] = (last - 1) * log(phi) + (last < T ? log1m(phi) : 0);
      for (t in 2:last) lp[last] += bernoulli_lpmf(y[n, t] | p);
    }
    target += log_sum_exp(lp);
  }
}`, json)
	sameDensity(t, m, byHand, m.NewEvaluator().LogDensityGrad)

	head = `
data { int T; array[T] int d; }
parameters { real<lower=0> early; real<lower=0> late; `
	json = `{"T": 6, "d": [4, 5, 3, 1, 0, 2]}`
	m = bound(t, head+`int<lower=1, upper=T> s; }
model { early ~ exponential(1); late ~ exponential(1); for (t in 1:T) d[t] ~ poisson(t < s ? early : late); }`, json)
	byHand = bound(t, head+`}
model {
  vector[T] lp = rep_vector(0, T);
  early ~ exponential(1); late ~ exponential(1);
  for (s in 1:T) for (t in 1:T) lp[s] += poisson_lpmf(d[t] | t < s ? early : late);
  target += log_sum_exp(lp);
}`, json)
	sameDensity(t, m, byHand, m.NewEvaluator().LogDensityGrad)
}
