package lang

// This file tests what a swap of priors does to parameters that it leaves alone.

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// TestSwapLeavesAlone: the law of z and g depends on nothing else, and Laplace's approximation of it
// is exact, so that squared errors of their means, in units of the stated standard errors, add up
// to a chi-square variate of 8 degrees of freedom: above 35 at one in 30,000. Donors near the new
// posterior, few and used many times, made it some hundreds.
func TestSwapLeavesAlone(t *testing.T) {
	for name, model := range map[string]string{
		"in the model block": "z ~ normal(0, 1); g ~ lognormal(0, 0.5);",
		"by other variables": "real half = 0.5; for (i in 1:1) { real s = half; g ~ lognormal(2 * z - w, s); z ~ normal(0, 1); }",
	} {
		m := mustBind(t, `data { int d; array[d] int y; }
			parameters { vector[d] b; real z; real<lower=0> g; }
			transformed parameters { real w = 2 * z; }
			model { b ~ normal(0, 2); y ~ binomial_logit(10, b); `+model+" }",
			map[string]any{"d": 10, "y": []int{3, 5, 7, 4, 6, 5, 2, 8, 5, 6}})
		sum := 0.0
		for seed := range uint64(4) {
			p := runSwapSeeded(t, m, `prior_swap(laplace(), from = "parametric") { b ~ normal(0.5, 0.7); }`, seed+1)
			for column, want := range map[string]float64{"z": 0, "g": math.Exp(0.125)} {
				x := p.Draws.Column(column)
				sum += math.Pow((draws.Mean(x)-want)/draws.SD(x), 2) * draws.ESSMean(x)
			}
		}
		if t.Log(name, fmt.Sprintf("%.1f", sum)); !(sum < 35) {
			t.Errorf("%s: means are off by %.1f standard errors, squared and added", name, sum)
		}
	}
}
