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
