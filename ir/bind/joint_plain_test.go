// Discrete parameters that no table can hold: what samples them directly still runs.

package bind_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

const thirty = `parameters { array[30] int<lower=0, upper=1> z; real mu; }
model { z ~ bernoulli(0.4); mu ~ normal(sum(z), 1); }`

// TestPlainJointDensity compares with the sum of the statements' densities.
func TestPlainJointDensity(t *testing.T) {
	e := bound(t, `data { real y; } `+thirty[:len(thirty)-1]+` y ~ normal(2 * mu + sum(z), 3); }`, `{"y": 20}`).Joint().NewEvaluator()
	q := make([]float64, 31)
	q[0] = 5.5
	for i := range 7 {
		q[1+4*i] = 1
	}
	normal := func(x, m, s float64) float64 { return -(x-m)*(x-m)/(2*s*s) - math.Log(s) - math.Log(2*math.Pi)/2 }
	prior := 7*math.Log(0.4) + 23*math.Log(0.6) + normal(5.5, 7, 1)
	likelihood := normal(20, 18, 3)
	grad := make([]float64, 31)
	lp, err := e.LogDensityGrad(q, grad)
	if err != nil || math.Abs(lp-prior-likelihood) > 1e-12 || math.Abs(grad[0]-(1.5+2*2.0/9)) > 1e-12 {
		t.Errorf("log density %v, gradient %v, %v; want %v and %v", lp, grad[0], err, prior+likelihood, 1.5+2*2.0/9)
	}
	parts, ok := infer.Capability[infer.Tempered](e)
	if !ok {
		t.Fatal("the joint density has no parts")
	}
	p, l, err := parts.LogDensityPartsGrad(q, 0.5, grad)
	if err != nil || math.Abs(p-prior) > 1e-12 || math.Abs(l-likelihood) > 1e-12 || math.Abs(grad[0]-(1.5+2.0/9)) > 1e-12 {
		t.Errorf("parts %v and %v, gradient %v, %v; want %v, %v and %v", p, l, grad[0], err, prior, likelihood, 1.5+2.0/9)
	}
}

// TestGibbsBeyondTables compares with closed forms; each mean is within 4.5 Monte Carlo
// errors, which fails by chance once in 100,000.
func TestGibbsBeyondTables(t *testing.T) {
	// Exchangeable pairs: the sum S has probability proportional to
	// choose(30, S) exp(S (S - 1) / 20 - 1.2 S).
	var total, mean float64
	for s := range 31 {
		n, _ := math.Lgamma(31)
		a, _ := math.Lgamma(float64(s) + 1)
		b, _ := math.Lgamma(31 - float64(s))
		p := math.Exp(n - a - b + float64(s*(s-1))/20 - 1.2*float64(s))
		total, mean = total+p, mean+p*float64(s)/30
	}
	for _, c := range []struct {
		name, program string
		column        int
		want          float64
	}{
		{"one term of all", thirty, 30, 12},
		{"terms of pairs", `parameters { array[30] int<lower=0, upper=1> z; }
			model { for (i in 1:30) { target += -1.2 * z[i]; for (j in 1:(i - 1)) target += 0.1 * z[i] * z[j]; } }`, 0, mean / total},
		{"a tuple", `parameters { tuple(real, real<lower=0>) t; int<lower=0, upper=1> k; }
			model { t.1 ~ normal(3, 1); t.2 ~ exponential(1); k ~ bernoulli(0.3); }`, 0, 3},
	} {
		s := run(t, gibbsMethod(t, 200, subset.Of(800, 2000)), bound(t, c.program, `{}`).Joint()).Summaries()[1+c.column]
		if !(math.Abs(s.Mean-c.want) <= 4.5*s.MCSE) {
			t.Errorf("%s: mean of %s %v (error %v), want %v", c.name, s.Name, s.Mean, s.MCSE, c.want)
		}
	}
}
