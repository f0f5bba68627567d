package lang

// This file tests the form that stands for the first posterior where none is named.

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

// TestSwapRecognisesTheForm: at the edge of the parameter space a normal in place of the
// posterior is far off (none of ten under a beta(5, 5) prior, swapped to beta(1, 1): mean
// 0.131, exactly 0.083). The form is found by the log densities that the draws come with,
// and the means are right to 5 standard errors, standard deviations to 12 %.
func TestSwapRecognisesTheForm(t *testing.T) {
	data := map[string]any{"n": []int{0, 0, 0}, "y": []float64{1, -2, 0.5, 3, 2, -1}}
	for name, c := range map[string]conjugateCase{
		"none of ten": list("real<lower=0, upper=1> p;", "p ~ beta(5, 5); 0 ~ binomial(10, p);", "p ~ beta(1, 1);", "p", pair(betaMoments(1, 11))),
		"no counts":   list("real<lower=0> r;", "r ~ gamma(4, 1); n ~ poisson(r);", "r ~ gamma(1, 0.5);", "r", pair(gammaMoments(1, 3.5))),
		"variance":    list("real<lower=0> v;", "v ~ inv_gamma(8, 8); y ~ normal(0, sqrt(v));", "v ~ inv_gamma(4, 2);", "v", pair(inverseGammaMoments(4+3, 2+(1+4+0.25+9+4+1)/2.))),
		"one of two":  list("real<lower=0> r; real m;", "r ~ gamma(4, 1); n ~ poisson(r); m ~ normal(0, 1); y ~ normal(m, 1);", "m ~ normal(3, 0.5);", "m", pair((3/0.25+3.5)/10, 0.1)),
		"Dirichlet": list("simplex[3] s;", "s ~ dirichlet([5, 5, 5]'); {0, 1, 9} ~ multinomial(s);", "s ~ dirichlet([1, 1, 1]');", "s",
			pair(betaMoments(1, 12)), pair(betaMoments(2, 11)), pair(betaMoments(10, 3))),
		"mean and precision": list("real m; real<lower=0> t;", "t ~ gamma(3, 3); m ~ normal(0, 2); y ~ normal(m, 1 / sqrt(t));", "t ~ gamma(1, 1); m ~ normal(5, 1);", "m",
			onLine(func(m float64) float64 { // the precision integrated out
				var s float64
				for _, y := range data["y"].([]float64) {
					s += (y - m) * (y - m)
				}
				return -(m-5)*(m-5)/2 - 4*math.Log(1+s/2)
			})),
	} {
		if !subset.Has(name, 2) {
			continue
		}
		m := mustBind(t, "data { array[3] int n; vector[6] y; } "+c.model, data)
		p := runSwap(t, m, `prior_swap(nuts()) { `+c.swap+` }`)
		if p.Swap.From != "exact" {
			t.Errorf("%s: from %s", name, p.Swap.From)
		}
		shift, ratio, mcse := off(t, p, c.variable, c.mean, c.variance)
		t.Logf("%s: means off by %.3f sd (error %.3f), sds by %.3f", name, shift, mcse, ratio)
		if !(shift <= 5*mcse) || !(ratio < 0.12) {
			t.Errorf("%s: means off by %.3f sd (error %.3f), sds by %.3f", name, shift, mcse, ratio)
		}
	}
}

// TestSwapBeyondAnEdge: under the first prior t is near 10, and nothing shows that the
// likelihood of y = 3 is zero below 3, where the new prior moves t. The finding does.
func TestSwapBeyondAnEdge(t *testing.T) {
	m := mustBind(t, "parameters { real<lower=0> t; } model { t ~ gamma(100, 10); 3 ~ uniform(0, t); }", nil)
	for prior, want := range map[string]diagnose.Severity{"gamma(10, 5)": diagnose.Bad, "gamma(100, 12)": diagnose.Good} {
		method, err := m.Program.Method("prior_swap(nuts()) { t ~ " + prior + "; }")
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		fit, err := m.Run(t.Context(), method, RunOptions{Seed: 4, Jobs: 2})
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		for _, f := range fit.Findings {
			if f.Name == "prior_swap" && f.Severity != want {
				t.Errorf("%s: %s, should be %s: %s", prior, f.Severity, want, f.Meaning)
			}
		}
	}
}

// onLine returns mean and variance of exp(f) over [-20, 20].
func onLine(f func(x float64) float64) [2]float64 {
	var total, first, second float64
	for i := range 40001 {
		x := -20 + 0.001*float64(i)
		w := math.Exp(f(x))
		total, first, second = total+w, first+w*x, second+w*x*x
	}
	first /= total
	return [2]float64{first, second/total - first*first}
}
