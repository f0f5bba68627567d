package lang

// This file tests the exact false posterior outside the normal family: after a swap of
// one conjugate prior for another, the posterior is in closed form, too.

import (
	"math"
	"testing"
)

// gammaMoments are those of a gamma distribution, betaMoments those of a beta.
func gammaMoments(a, b float64) (mean, variance float64) { return a / b, a / (b * b) }

func inverseGammaMoments(a, b float64) (mean, variance float64) {
	return b / (a - 1), b * b / ((a - 1) * (a - 1) * (a - 2))
}

func betaMoments(a, b float64) (mean, variance float64) {
	return a / (a + b), a * b / ((a + b) * (a + b) * (a + b + 1))
}

// TestSwapFromExactConjugate: means to 5 standard errors; standard deviations to 12 %.
func TestSwapFromExactConjugate(t *testing.T) {
	counts := map[string]any{"n": []int{3, 1, 4}, "y": []float64{1, -2, 0.5, 3, 2, -1}, "k": []int{5, 2, 9}}
	for name, c := range map[string]struct {
		model, swap, variable string
		mean, variance        []float64
	}{
		"gamma": list("real<lower=0> r;", "r ~ gamma(2, 1); n ~ poisson(r);", "r ~ gamma(5, 3);", "r", pair(gammaMoments(5+8, 3+3))),
		"inverse gamma": list("real<lower=0> v;", "v ~ inv_gamma(3, 2); y ~ normal(0, sqrt(v));", "v ~ inv_gamma(6, 4);", "v",
			pair(inverseGammaMoments(6+3, 4+(1+4+0.25+9+4+1)/2.))),
		"beta": list("real<lower=0, upper=1> p;", "p ~ beta(1, 1); n ~ binomial(5, p);", "p ~ beta(4, 2);", "p", pair(betaMoments(4+8, 2+7))),
		"independent blocks": list("vector<lower=0>[3] r; real m;", "r ~ gamma(2, 1); n ~ poisson(r); m ~ normal(0, 1); y ~ normal(m, 1);", "r ~ gamma(4, 2);", "r",
			pair(gammaMoments(4+3, 2+1)), pair(gammaMoments(4+1, 2+1)), pair(gammaMoments(4+4, 2+1))),
		"Dirichlet": list("simplex[3] s;", "s ~ dirichlet([1, 1, 1]'); k ~ multinomial(s);", "s ~ dirichlet([3, 2, 1]');", "s",
			pair(betaMoments(8, 14)), pair(betaMoments(4, 18)), pair(betaMoments(10, 12))),
	} {
		m := mustBind(t, "data { array[3] int n; vector[6] y; array[3] int k; } "+c.model, counts)
		p := runSwap(t, m, `prior_swap(nuts(), from = "exact") { `+c.swap+` }`)
		shift, ratio, mcse := off(t, p, c.variable, c.mean, c.variance)
		t.Logf("%s: means off by %.3f sd (error %.3f), sds by %.3f", name, shift, mcse, ratio)
		if shift > 5*mcse || !(ratio < 0.12) || math.IsNaN(shift) {
			t.Errorf("%s: means off by %.3f sd (error %.3f), sds by %.3f", name, shift, mcse, ratio)
		}
	}
}

type conjugateCase = struct {
	model, swap, variable string
	mean, variance        []float64
}

func list(parameters, model, swap, variable string, moments ...[2]float64) conjugateCase {
	c := conjugateCase{model: "parameters { " + parameters + " } model { " + model + " }", swap: swap, variable: variable}
	for _, m := range moments {
		c.mean, c.variance = append(c.mean, m[0]), append(c.variance, m[1])
	}
	return c
}

func pair(mean, variance float64) [2]float64 { return [2]float64{mean, variance} }
