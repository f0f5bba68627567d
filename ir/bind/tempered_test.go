// Prior and likelihood apart: against closed forms, and their sum against the whole.

package bind_test

import (
	"encoding/json"
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

// Loops become vectors where parts are told apart, too, and what is likelihood stays so: the program takes about the instructions of the
// whole log density, and its parts are those of the reference interpreter, which goes by the statements as they are written.
func TestPartsOfLoops(t *testing.T) {
	const head = `functions { real counted_lpmf(int k, real mu, real phi) { return neg_binomial_2_lpmf(k | mu, phi); }
  void weigh_lp(vector b, vector y) { for (i in 1:num_elements(b)) { b[i] ~ normal(0, 2); y[i] ~ normal(b[i], 1); } } }
data { int N; int J; vector[N] y; array[N] int k; array[N] int g; vector[N] x; int flag; }
parameters { vector[J] a; vector[N] b; real<lower=0> s; real<lower=0> phi; ordered[3] c; }
model { `
	n, j := 40, 4
	var y, k, g, x []any
	for i := range n {
		y, x = append(y, math.Sin(float64(3*i))), append(x, math.Cos(float64(5*i)))
		k, g = append(k, i*7%4+1), append(g, i%j+1)
	}
	text, err := json.Marshal(map[string]any{"N": n, "J": j, "y": y, "k": k, "g": g, "x": x, "flag": 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		body  string
		loops bool // that stay
	}{
		{body: "for (j in 1:J) a[j] ~ normal(0, s); for (i in 1:N) y[i] ~ normal(a[g[i]] + x[i], s); for (i in 1:N) b[i] ~ normal(x[i], 1); "},
		{body: "for (i in 1:N) { real mu = exp(a[g[i]]); b[i] ~ normal(0, 1); k[i] ~ neg_binomial_2(mu, phi); }"},
		{body: "for (i in 1:N) { b[i] ~ normal(0, phi); k[i] ~ counted(exp(b[i]), phi); }"},
		{body: "for (i in 1:N) { if (y[i] > 0) y[i] ~ normal(b[i], s); else target += normal_lcdf(0 | b[i], s); if (flag == 1) b[i] ~ normal(0, 1); }"},
		{body: "for (i in 1:N) { if (flag == 1) b[i] ~ normal(0, 1); else b[i] ~ normal(0, 5); k[i] ~ ordered_logistic(b[i], c); }"},
		{body: "real lp = 0; for (i in 1:N) lp += poisson_log_lpmf(k[i] | a[g[i]]); target += lp; for (i in 1:N) target += -abs(b[i]); "},
		{body: "for (i in 1:N) { target += normal_lpdf(b[i] | a[g[i]], s); target += log_mix(0.3, normal_lpdf(y[i] | b[i], 1), normal_lpdf(y[i] | 0, s)); }"},
		{body: "for (i in 1:N) target += normal_lpdf(b[i] | 0, 1) + normal_lpdf(y[i] | b[i], s); ", loops: true},
		{body: "weigh_lp(b, y); ", loops: true},
	} {
		m := bound(t, head+c.body+" a ~ normal(0, 1); s ~ normal(0, 1); phi ~ exponential(1); c ~ normal(0, 2); }", string(text))
		q := make([]float64, m.Dim())
		for i := range q {
			q[i] = 0.3 * math.Sin(float64(2*i+1))
		}
		prior, likelihood, err := m.PlainParts(q)
		if err != nil {
			t.Fatal(err)
		}
		p, l, err := m.NewEvaluator().(infer.Tempered).LogDensityPartsGrad(q, 0.5, make([]float64, m.Dim()))
		if err != nil || !(math.Abs(p-prior) < 1e-10*(1+math.Abs(prior))) || !(math.Abs(l-likelihood) < 1e-10*(1+math.Abs(likelihood))) {
			t.Errorf("%s: parts %v and %v, %v; by the reference interpreter %v and %v", c.body, p, l, err, prior, likelihood)
		}
		whole, both := instructions(t, m.DumpGraph, m.Dim()), instructions(t, m.DumpParts, m.Dim())
		if !c.loops && both > whole+whole/4+4 {
			t.Errorf("%s: %d instructions of the parts, %d of the whole", c.body, both, whole)
		}
	}
}
