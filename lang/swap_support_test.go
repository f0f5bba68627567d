package lang

// This file tests new priors whose support is not that of the old ones, and joint ones along a curve.

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

const rateAndMean = `data { int N; array[N] int y; } parameters { real<lower=0> r; real mu; }
	model { r ~ gamma(2, 1); mu ~ normal(0, 1); y ~ poisson(r); }`

// The likelihood of the rate is r^12 exp(-5 r).
var rateCounts = map[string]any{"N": 5, "y": []int{2, 3, 1, 4, 2}}

// momentsBetween are mean and sd of the density with this logarithm on an interval, by the midpoint rule.
func momentsBetween(a, b float64, log func(x float64) float64) (mean, sd float64) {
	const n = 20000
	var s0, s1, s2 float64
	for i := range n {
		x := a + (b-a)*(float64(i)+0.5)/n
		w := math.Exp(log(x))
		s0, s1, s2 = s0+w, s1+w*x, s2+w*x*x
	}
	return s1 / s0, math.Sqrt(s2/s0 - s1*s1/s0/s0)
}

// TestSwapOtherSupport: all of the new prior's support is beyond three standard deviations of the posterior under the old one.
// Draws without weight must not count: of 4,000 about 15 are below 0.9.
func TestSwapOtherSupport(t *testing.T) {
	m := mustBind(t, rateAndMean, rateCounts)
	for expr, c := range map[string]struct {
		to  float64
		log func(x float64) float64
	}{
		"prior_swap(nuts(draws = 1000)) { r ~ beta(2, 2); }":                      {1, func(x float64) float64 { return 13*math.Log(x) + math.Log(1-x) - 5*x }},
		`prior_swap(nuts(draws = 1000), from = "draws") { r ~ uniform(0, 0.9); }`: {0.9, func(x float64) float64 { return 12*math.Log(x) - 5*x }},
	} {
		mean, sd := momentsBetween(0, c.to, c.log)
		fit, _ := ofSwap(t, m, nil, expr)
		s := fit.Summaries[1]
		if s.Name != "r" || math.Abs(float64(s.Mean)-mean) > 5*float64(s.MCSE) || !(float64(s.MCSE) < sd) {
			t.Errorf("%s: %s is %.4f (error %.4f), exactly %.4f (%.4f)", expr, s.Name, float64(s.Mean), float64(s.MCSE), mean, sd)
		}
	}
	method, err := m.Program.Method("prior_swap(nuts(draws = 500)) { mu ~ uniform(20, 30); }")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Run(context.Background(), method, RunOptions{Seed: 1}); err == nil || !strings.Contains(ErrorText(err), "0 at all 2000 draws") || !strings.Contains(ErrorText(err), "^~~~") {
		t.Errorf("no overlap: %s", ErrorText(err))
	}
}

// TestSwapAlongCurve: given r, mu is normal(r, 0.5), so that on the unconstrained scale the density has a curved ridge. Its marginals
// are r ~ gamma(15, 6) and r plus that normal. A prior that grows along the axis of mu is none.
func TestSwapAlongCurve(t *testing.T) {
	m := mustBind(t, rateAndMean, rateCounts)
	fit, f := ofSwap(t, m, nil, "prior_swap(nuts(draws = 1000)) { target += gamma_lpdf(r | 3, 1) + normal_lpdf(mu | r, 0.5); }")
	if f.Severity != diagnose.Good {
		t.Errorf("%s: %s", f.Severity, f.Meaning)
	}
	for name, want := range map[string][2]float64{"r": {2.5, math.Sqrt(15) / 6}, "mu": {2.5, math.Sqrt(15.0/36 + 0.25)}} {
		x := fit.Posterior.Draws.Column(name)
		if math.Abs(draws.Mean(x)-want[0]) > 5*draws.MCSEMean(x) || math.Abs(draws.SD(x)/want[1]-1) > 0.1 {
			t.Errorf("%s is %.4f (%.4f), exactly %.4f (%.4f)", name, draws.Mean(x), draws.SD(x), want[0], want[1])
		}
	}
	for seed := range uint64(3) {
		p := runSwapSeeded(t, m, "prior_swap(nuts(draws = 300), with = nuts(draws = 300)) { target += gamma_lpdf(r | 3, 1) + 3 * square(mu); }", seed+1)
		if !p.Swap.Improper {
			t.Errorf("seed %d: growth along mu is not seen", seed+1)
		}
	}
}
