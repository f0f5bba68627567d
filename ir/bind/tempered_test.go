// Prior and likelihood apart: against closed forms, and their sum against the whole.

package bind_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// bound compiles a program and binds it to JSON text.
func bound(t testing.TB, program, json string) *bind.Model {
	t.Helper()
	lib := stdlib.New()
	p, err := bindtest.Compile("test.stan", program, ".", lib)
	if err != nil {
		t.Fatal(err)
	}
	in, err := data.ReadBytes([]byte(json), "test.json", func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	m, err := bind.Bind(p, lib, in, bind.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTemperedParts(t *testing.T) {
	m := bound(t, `
data { int N; vector[N] y; real s; }
transformed data { real scale = 2 * s; }
parameters { real mu; real<lower=0> sigma; }
transformed parameters { real twice = 2 * mu; }
model {
  vector[N] residual = y - twice;
  mu ~ normal(0, scale);
  sigma ~ exponential(1);
  residual[1] ~ normal(0, sigma);
  y[2] ~ normal(mu, sigma) T[0, ];
}`, `{"N": 2, "y": [1.5, 0.25], "s": 1.5}`)
	q := []float64{0.4, -0.3}
	mu, sigma := q[0], math.Exp(q[1])
	normal := func(y, m, s float64) float64 {
		return -0.5*(y-m)*(y-m)/s/s - math.Log(s) - 0.5*math.Log(2*math.Pi)
	}
	wantPrior := normal(mu, 0, 3) - sigma + q[1]
	wantLik := normal(1.5-2*mu, 0, sigma) + normal(0.25, mu, sigma) - math.Log(0.5*math.Erfc(-mu/sigma/math.Sqrt2))
	e := m.NewEvaluator().(infer.Tempered)
	grad := make([]float64, 2)
	const beta = 0.3
	p, l, err := e.LogDensityPartsGrad(q, beta, grad)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(p-wantPrior) > 1e-12 || math.Abs(l-wantLik) > 1e-12 {
		t.Errorf("prior %v likelihood %v, want %v and %v", p, l, wantPrior, wantLik)
	}
	for i := range q {
		f := func(d float64) float64 {
			x := append([]float64(nil), q...)
			x[i] += d
			p, l, err := e.LogDensityParts(x)
			if err != nil {
				t.Fatal(err)
			}
			return p + beta*l
		}
		const h = 1e-5
		if want := (f(h) - f(-h)) / (2 * h); math.Abs(grad[i]-want) > 1e-8 {
			t.Errorf("gradient %d is %v, differences say %v", i, grad[i], want)
		}
	}
	if lp, _ := e.LogDensity(q); math.Abs(lp-p-l) > 1e-12 {
		t.Errorf("prior + likelihood is %v, the log density %v", p+l, lp)
	}
}

// Parts of the density where it is zero do not depend on whether the likelihood or the priors are
// written first: both ends of the interval have the same distribution function there, so that the log
// likelihood is -Inf, and the log prior is normal(mu | 0, 1) + normal(s | 0, 2) + log(2) and the log Jacobian log(s).
func TestPartsOfImpossiblePoints(t *testing.T) {
	const head = "data { real y; } parameters { real mu; real<lower=0> s; } model { "
	const likelihood = "target += log_diff_exp(normal_lcdf(y + 0.5 | mu, s), normal_lcdf(y - 0.5 | mu, s)); "
	const priors = "mu ~ normal(0, 1); s ~ normal(0, 2); "
	for name, body := range map[string]string{"priors first": priors + likelihood, "likelihood first": likelihood + priors} {
		e := bound(t, head+body+"}", `{"y": 6}`).NewEvaluator()
		parts := e.(infer.Tempered)
		for _, q := range [][]float64{{1, -3}, {0.5, -4}} {
			s := math.Exp(q[1])
			want := -math.Log(2*math.Pi) - q[0]*q[0]/2 - math.Log(2) - s*s/8 + math.Log(2) + q[1]
			p, l, err := parts.LogDensityParts(q)
			if err != nil || !math.IsInf(l, -1) || math.Abs(p-want) > 1e-12 {
				t.Errorf("%s, at %v: log prior %v, log likelihood %v, %v; want %v and -Inf", name, q, p, l, err, want)
			}
			grad := make([]float64, 2)
			if p, l, err = parts.LogDensityPartsGrad(q, 0.5, grad); err != nil || !math.IsInf(l, -1) || math.Abs(p-want) > 1e-12 {
				t.Errorf("%s, at %v with the gradient: log prior %v, log likelihood %v, %v; want %v and -Inf", name, q, p, l, err, want)
			}
		}
	}
}
