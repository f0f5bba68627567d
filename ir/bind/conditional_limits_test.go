package bind_test

// This file tests numbers that calls limit and declarations do not: full conditionals of the multiplied-out density
// would leave the support.

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// meanOn is the mean of a density on an interval by the trapezoidal rule.
func meanOn(low, high float64, log func(a float64) float64) float64 {
	const n = 20000
	var mass, first float64
	for i := range n + 1 {
		a := low + (high-low)*float64(i)/n
		w := math.Exp(log(a))
		if i == 0 || i == n {
			w /= 2
		}
		mass, first = mass+w, first+w*a
	}
	return first / mass
}

// TestLimits: Gibbs sweeps have the mean that quadrature has on the support, and coordinate ascent names the density.
func TestLimits(t *testing.T) {
	normal := func(a float64) float64 { return -a * a / 2 }
	for _, c := range []struct {
		declare, model string
		column         int
		mean           float64
		says           string
	}{
		{"real a;", "a ~ exponential(1); 0.1 ~ normal(a, 1);", 0,
			meanOn(0, 12, func(a float64) float64 { return -a - (a-0.1)*(a-0.1)/2 }), "exponential_lpdf, line 2, column 9, takes a within <lower=0> only"},
		{"real a;", "a ~ normal(0, 1); 0 ~ poisson(a);", 0, meanOn(0, 12, func(a float64) float64 { return -a - a*a/2 }), "declare real<lower=0> a"},
		{"real a;", "a ~ normal(0, 1); 0 ~ bernoulli(a);", 0,
			meanOn(0, 1, func(a float64) float64 { return normal(a) + math.Log1p(-a) }), "declare real<lower=0, upper=1> a"},
		{"real a;", "a ~ normal(0, 1); 0 ~ binomial(3, a);", 0, meanOn(0, 1, func(a float64) float64 { return normal(a) + 3*math.Log1p(-a) }), "<lower=0, upper=1>"},
		{"real a;", "a ~ exponential(1);", 0, 1, "<lower=0>"},
		{"real a;", "a ~ gamma(1, 2);", 0, 0.5, "<lower=0>"},
		{"real a;", "a ~ chi_square(2);", 0, 2, "<lower=0>"},
		{"real a;", "a ~ beta(1, 2);", 0, 1.0 / 3, "<lower=0, upper=1>"},
		{"real a;", "a ~ beta(2, 1);", 0, 2.0 / 3, "<lower=0, upper=1>"},
		{"real<lower=0> a;", "a ~ exponential(1); 1 ~ bernoulli(a);", 0, meanOn(0, 1, func(a float64) float64 { return math.Log(a) - a }), "<lower=0, upper=1>"},
		{"real a;", "a ~ normal(0, 1); 1 ~ categorical([a, 1 - a]');", 0, meanOn(0, 1, func(a float64) float64 { return normal(a) + math.Log(a) }), "categorical_lpmf"},
		{"real a;", "a ~ normal(0, 1); 0.5 ~ normal(0, a); target += log(a) + 0.125 / a^2;", 0, math.Sqrt(2 / math.Pi), "normal_lpdf"},
		{"vector[3] a;", "a ~ normal(0, 1); a[2] ~ exponential(1);", 1, meanOn(0, 12, func(a float64) float64 { return -a - a*a/2 }), "declare a with <lower=0>"},
		{"vector[2] a;", "a ~ normal(0, 1); 0 ~ poisson(sum(a));", 0,
			meanOn(0, 12, func(s float64) float64 { return -s - s*s/4 }) / 2, "poisson_lpmf, line 2, column 27, takes a function of a[1] within <lower=0> only"},
		{"real a;", "a ~ normal(0, 1); for (i in 1:40) 0 ~ poisson(a * i / 820.0);", 0, meanOn(0, 12, func(a float64) float64 { return -a - a*a/2 }), "<lower=0>"},
		{"real a; } transformed parameters { real<lower=0> b = a;", "a ~ normal(0, 1);", 0, meanOn(0, 12, normal), "the constraint of a transformed parameter"},
		{"real a; int<lower=0, upper=1> z;", "a ~ normal(0, 1); z ~ bernoulli(0.5); if (z == 1) 0 ~ poisson(a);", 0,
			meanOn(-12, 12, func(a float64) float64 {
				if a < 0 {
					return normal(a)
				}
				return normal(a) + math.Log1p(math.Exp(-a))
			}), "poisson_lpmf"},
	} {
		m := bound(t, fmt.Sprintf("parameters { %s }\nmodel { %s }", c.declare, c.model), "{}").Joint()
		s := run(t, gibbsMethod(t, 200, 2000), m).Summaries()[1+c.column]
		if !(math.Abs(s.Mean-c.mean) < 4.5*s.MCSE) {
			t.Errorf("%s %s: mean %v (error %v), want %v", c.declare, c.model, s.Mean, s.MCSE, c.mean)
		}
		_, err := m.(infer.Factorisable).Factorise(infer.Blocking{Choice: infer.ByParameter})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %s: %v, want %q", c.declare, c.model, err, c.says)
		}
	}
}

// TestLimitsDeclared: what declarations ensure hides no conditional.
func TestLimitsDeclared(t *testing.T) {
	for _, c := range []struct{ declare, model, forms string }{
		{"real<lower=0> a; real<lower=0> b;", "a ~ gamma(2, 1); b ~ gamma(1, 3); 0 ~ poisson(a * b); 2 ~ poisson(a / b);", "a: gamma; b: slice"},
		{"real<lower=0> a; real<lower=0> b;", "a ~ gamma(2, 1); b ~ gamma(1, 3); 2 ~ poisson(a * b);", "a: gamma; b: gamma"},
		{"real<lower=0, upper=1> p; real<lower=0, upper=1> r;", "1 ~ bernoulli(p * r); 1 ~ bernoulli(1 - p);", "p: beta; r: beta"},
		{"simplex[3] w; real m;", "0 ~ poisson(1 - w[1]); 1 ~ categorical(w); m ~ normal(0, 1);", "w: slice; m: normal"},
		{"real m; real s; vector[40] z;", "m ~ normal(0, exp(s)); s ~ normal(0, 1); for (i in 1:40) z[i] ~ normal(m, sqrt(exp(s) + i));", "m, z: normal; s: slice"},
		{"vector<lower=0>[2] r; vector[3] a;", "r ~ gamma(1, 1); 0 ~ poisson(r); a ~ normal(0, 1); a[2] ~ exponential(1);", "r: gamma; a[1]: normal; a[2]: slice; a[3]: normal"},
	} {
		if got := forms(t, bound(t, fmt.Sprintf("parameters { %s } model { %s }", c.declare, c.model), "{}")); got != c.forms {
			t.Errorf("%s %s: %s, want %s", c.declare, c.model, got, c.forms)
		}
	}
}
