package lang_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose/loo"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/lang"
)

// without is log p(y_i | the observations outside of its group), in closed form.
func (c normalModel) without(i int, group []int) float64 {
	precision, sum := 1/(c.s*c.s), c.m/(c.s*c.s)
	for k, y := range c.y {
		if group[k] != group[i] {
			precision, sum = precision+1, sum+y
		}
	}
	v := 1 + 1/precision
	return -0.5*math.Pow(c.y[i]-sum/precision, 2)/v - 0.5*math.Log(2*math.Pi*v)
}

// TestOracleRefits: observations up to 40 standard deviations away, whose Pareto k is hopeless, and groups of observations,
// have the densities of the closed form, by fits without them.
func TestOracleRefits(t *testing.T) {
	r := rng.New(9, "refits", 0, 0)
	ctx, mended := context.Background(), 0
	for i := range subset.Of(4, 30) {
		c := normalModel{m: r.NormFloat64(), s: math.Exp(r.NormFloat64()), y: make([]float64, 6+r.IntN(10))}
		each, group := make([]int, len(c.y)), make([]int, len(c.y))
		for k := range c.y {
			c.y[k], each[k], group[k] = r.NormFloat64(), k, k%3
		}
		c.y[r.IntN(len(c.y))] = 40 * r.Float64()
		m, fit := fitted(t, normalModelText, c.data(), "nuts(warmup = 500, draws = 1000)")
		table, err := m.LogLik(ctx, fit.Posterior.Draws, 2)
		if err != nil {
			t.Fatal(err)
		}
		for g, groups := range [][]int{each, group} {
			result, err := loo.Of(table, "log_lik")
			if err != nil {
				t.Fatal(err)
			}
			p := &lang.Pointwise{Fit: fit.Posterior.Draws, LogLik: table, Name: "log_lik", Result: result}
			n := 0
			if g == 0 {
				n, err = m.Refit(ctx, p, 10, lang.RefitOptions{Seed: 1, Jobs: 2})
			} else {
				err = m.Folds(ctx, p, groups, lang.RefitOptions{Seed: 1, Jobs: 2})
			}
			if mended += n; len(result.Bad()) > 0 {
				t.Errorf("case %d: %d terms are still bad", i, len(result.Bad()))
			}
			if err != nil {
				t.Fatal(err)
			}
			for k, term := range result.LOO.Terms {
				want := c.without(k, groups)
				bound := 0.15 + 0.01*math.Abs(want)
				if term.Moved { // a fit says the same
					mended++
					out := m.Without(ctx, lang.LeftOut{Observations: []int{k}, Unweighed: true}, lang.RefitOptions{Seed: 1, Jobs: 2})
					if out.Err != nil || !(math.Abs(out.ELPD[0]-want) < bound) {
						t.Errorf("case %d, observation %d (y = %.2f, k %.2f): %v by a fit, exactly %.3f", i, k+1, c.y[k], term.K, out, want)
					}
				} else if !term.Refit {
					bound = 0.15 + 0.03*math.Abs(want) // weights up to the bound on k
				}
				if !(math.Abs(term.ELPD-want) < bound) {
					t.Errorf("case %d, observation %d (y = %.2f, k %.2f, refit %v): %.3f, exactly %.3f", i, k+1, c.y[k], term.K, term.Refit, term.ELPD, want)
				}
			}
		}
	}
	if mended == 0 {
		t.Error("no observation had a high k")
	}
}

// TestRefitsRefused: densities that are not the factors of the likelihood in their order cannot be left out.
func TestRefitsRefused(t *testing.T) {
	const text = `data { vector[5] y; } parameters { real mu; } model { mu ~ normal(0, 1); y ~ normal(mu, 1); }
generated quantities { vector[5] log_lik; vector[2] few; for (n in 1:5) log_lik[n] = normal_lpdf(y[6 - n] | mu, 1); few = log_lik[1:2]; }`
	m, fit := fitted(t, text, `{"y": [1, 2, 3, 4, 25]}`, "nuts(warmup = 200, draws = 300)")
	for name, want := range map[string]string{"log_lik": "is not the factor of the likelihood that stands in its place", "few": "few has 2 numbers, and the likelihood has 5 factors"} {
		r, err := loo.Of(fit.Posterior.Draws, name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.LOO.Terms {
			r.LOO.Terms[i].K = 2
		}
		p := &lang.Pointwise{Fit: fit.Posterior.Draws, LogLik: fit.Posterior.Draws, Name: name, Result: r}
		if _, err := m.Refit(context.Background(), p, 3, lang.RefitOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Error(fmt.Sprint(name, ": ", err))
		}
	}
}
