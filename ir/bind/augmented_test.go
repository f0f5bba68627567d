// A model of two data sets at once, against the program that says so.

package bind_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir/bind"
)

// oneDataSet observes y in a loop, through transformed data, and in a transformed parameter.
const oneDataSet = `
data { int N; vector<lower=0>[N] y; vector[N] x; array[N] int k; }
transformed data { real centre = mean(x); }
parameters { real a; real<lower=0> s; vector[2] u; }
transformed parameters { vector[N] eta = a + u[1] * (x - centre); real<lower=0> scale = s + 0.1; }
model {
  a ~ normal(0, 2);
  target += exponential_lpdf(s | 1);
  for (i in 1:2) u[i] ~ normal(a, 1);
  y ~ lognormal(eta, scale);
  for (n in 1:N) {
    k[n] ~ poisson_log(u[2] + 0.1 * n);
  }
}`

// twoDataSets has the likelihood of y and k, and that of z and l.
const twoDataSets = `
data { int N; vector<lower=0>[N] y; vector<lower=0>[N] z; vector[N] x; array[N] int k; array[N] int l; }
parameters { real a; real<lower=0> s; vector[2] u; }
model {
  vector[N] eta = a + u[1] * (x - mean(x));
  a ~ normal(0, 2); s ~ exponential(1); u ~ normal(a, 1);
  y ~ lognormal(eta, s + 0.1); z ~ lognormal(eta, s + 0.1);
  for (n in 1:N) { k[n] ~ poisson_log(u[2] + 0.1 * n); l[n] ~ poisson_log(u[2] + 0.1 * n); }
}`

// Densities, gradients and parts are those of the program of both data sets, for several simulated ones in turn.
func TestOracleAugmented(t *testing.T) {
	m := bound(t, oneDataSet, `{"N": 3, "y": [1, 2, 0.5], "x": [1, 2, 4], "k": [0, 2, 1]}`)
	r := rng.New(1, "test", 0, 0)
	for i := range 4 {
		q := []float64{0.3 * r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		y, err := m.DrawData(r, q)
		if err != nil {
			t.Fatal(err)
		}
		a, err := m.Augmented(y)
		if err != nil {
			t.Fatal(err)
		}
		x := y.Numbers()
		z, _ := json.Marshal(x[:3])
		l, _ := json.Marshal(x[3:])
		both := bound(t, twoDataSets, fmt.Sprintf(`{"N": 3, "y": [1, 2, 0.5], "z": %s, "x": [1, 2, 4], "k": [0, 2, 1], "l": %s}`, z, l))
		got, want := make([]float64, 4), make([]float64, 4)
		lp, err := a.NewEvaluator().LogDensityGrad(q, got)
		if err != nil {
			t.Fatal(err)
		}
		exact, err := both.NewEvaluator().LogDensityGrad(q, want)
		if err != nil {
			t.Fatal(err)
		}
		p, lik, err := a.NewEvaluator().(infer.Tempered).LogDensityParts(q)
		if err != nil {
			t.Fatal(err)
		}
		_, likelihood, err := both.NewEvaluator().(infer.Tempered).LogDensityParts(q)
		if err != nil {
			t.Fatal(err)
		}
		plain, _, err := a.(*bind.Model).PlainDensity(q, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []float64{lp - exact, got[0] - want[0], got[1] - want[1], got[2] - want[2], got[3] - want[3], p + lik - exact, lik - likelihood, plain - exact} {
			if !(math.Abs(d) < 1e-9*(1+math.Abs(exact))) {
				t.Errorf("data set %d: density %g, both written out %g; gradients %v, %v; likelihood %g, %g", i, lp, exact, got, want, lik, likelihood)
				break
			}
		}
	}
}

// Where the likelihood is not told from the prior, or there are discrete parameters, it is said why.
func TestNotAugmentable(t *testing.T) {
	for _, program := range []string{
		`functions { real f(real y, real a) { return normal_lpdf(y | a, 1) + normal_lpdf(a | 0, 1); } } data { real y; } parameters { real a; } model { target += f(y, a); }`,
		`data { real y; } parameters { real a; int<lower=0, upper=1> z; } model { a ~ normal(0, 1); z ~ bernoulli(0.5); y ~ normal(a + z, 1); }`,
	} {
		m := bound(t, program, `{"y": 1}`)
		var missing *infer.MissingError
		if err := bind.Augmentable(m); !errors.As(err, &missing) {
			t.Errorf("%s: %v", program, err)
		}
	}
}
