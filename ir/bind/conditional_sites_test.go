package bind_test

// This file tests discrete numbers that have one table of probabilities for several of them.

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// TestSitesAlike draws labels of points of which two are equal, one has the same value with another prior and one is
// different, given the rest: all combinations come as often as the labels' exact probabilities, which
// are independent, have them.
func TestSitesAlike(t *testing.T) {
	m := bound(t, `
data { vector[4] y; vector[4] p; }
parameters { real mu; array[4] int<lower=0, upper=1> z; }
model {
  mu ~ normal(0, 1);
  for (n in 1:4) z[n] ~ bernoulli(p[n]);
  for (n in 1:4) y[n] ~ normal(mu * z[n], 1);
}`, `{"y": [0.7, 0.7, 0.7, -0.4], "p": [0.3, 0.3, 0.6, 0.3]}`)
	y, p, mu := []float64{0.7, 0.7, 0.7, -0.4}, []float64{0.3, 0.3, 0.6, 0.3}, 0.9
	one := make([]float64, 4)
	for i := range y {
		a, b := (1-p[i])*math.Exp(-y[i]*y[i]/2), p[i]*math.Exp(-(y[i]-mu)*(y[i]-mu)/2)
		one[i] = b / (a + b)
	}
	e, ok := m.Joint().NewEvaluator().(infer.Conditionals)
	if !ok {
		t.Fatal("there are no conditionals")
	}
	block := -1
	for i, b := range e.Blocks() {
		if b.Form == "enumerated" {
			block = i
		}
	}
	const draws = 20000
	var counts [16]float64
	rng := rand.New(rand.NewPCG(5, 5))
	q := []float64{mu, 0, 0, 0, 0}
	for range draws {
		if err := e.DrawBlocks([]int{block}, q, rng); err != nil {
			t.Fatal(err)
		}
		counts[int(q[1]+2*q[2]+4*q[3]+8*q[4])]++
	}
	chi := 0.0
	for s, n := range counts {
		want := float64(draws)
		for i := range one {
			if s>>i&1 == 1 {
				want *= one[i]
			} else {
				want *= 1 - one[i]
			}
		}
		chi += (n - want) * (n - want) / want
	}
	if chi > 44.3 { // with 15 degrees of freedom, one time in 10,000
		t.Errorf("chi-square %v", chi)
	}
}

// TestFactorisedOnce: the factorisation that a check makes is the one that the fit after it has, and no more
// than that one.
func TestFactorisedOnce(t *testing.T) {
	m := bound(t, `parameters { real a; real b; } model { a ~ normal(b, 1); b ~ normal(0, 1); }`, `{}`).Joint().(infer.Factorisable)
	var of [3]*infer.Factorisation
	for i := range of {
		f, err := m.Factorise(infer.Blocking{Choice: infer.ByParameter})
		if err != nil {
			t.Fatal(err)
		}
		of[i] = f
	}
	if of[0] != of[1] || of[1] == of[2] {
		t.Errorf("factorisations %p, %p, %p: the second should be the first, and the third a new one", of[0], of[1], of[2])
	}
	if f, err := m.Factorise(infer.Blocking{Choice: infer.Jointly}); err != nil || f == of[2] || len(f.Blocks) != 1 {
		t.Errorf("another choice of blocks: %v, %v", f, err)
	}
}
