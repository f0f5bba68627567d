package lang

// This file tests new priors that reach where the old ones are zero.

import (
	"context"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

// TestSwapBeyondSupport: where the old prior cuts off what the new one allows, the answer is
// wrong whatever stands for the posterior under the old prior, and is called bad; where
// nothing to speak of is cut off it is not.
func TestSwapBeyondSupport(t *testing.T) {
	data := map[string]any{"N": 2, "y": []float64{1.6, 1.9}}
	for _, c := range []struct {
		program, expr string
		bad           bool
	}{
		{"data { int N; vector[N] y; } parameters { real mu; } model { mu ~ uniform(-2, 2); y ~ normal(mu, 1); }", "prior_swap(nuts(), with = mh()) { mu ~ normal(0, 3); }", true},
		{"data { int N; vector[N] y; } parameters { real mu; } model { mu ~ uniform(-2, 2); y ~ normal(mu, 1); }", `prior_swap(mh(), from = "semiparametric") { mu ~ normal(0, 3); }`, true},
		{"data { int N; vector[N] y; } parameters { real mu; } model { mu ~ uniform(-2, 2); y ~ normal(mu, 1); }", "prior_swap(laplace()) { mu ~ uniform(-3, 5); }", true},
		{"data { int N; vector[N] y; } parameters { vector[2] mu; } model { mu ~ uniform(-2, 2); y ~ normal(mu, 1); }", "prior_swap(gibbs()) { mu ~ normal(0, 3); }", true},
		{"data { int N; vector[N] y; } parameters { real mu; } model { mu ~ normal(0, 1) T[, 1.5]; y ~ normal(mu, 1); }", "prior_swap(gibbs()) { mu ~ normal(0, 3); }", true},
		{"data { int N; vector[N] y; } parameters { real mu; } model { mu ~ uniform(-20, 20); y ~ normal(mu, 1); }", "prior_swap(nuts()) { mu ~ normal(0, 3); }", false},
		{"data { int N; vector[N] y; } parameters { real<lower=-2, upper=2> mu; } model { mu ~ uniform(-2, 2); y ~ normal(mu, 1); }", "prior_swap(nuts()) { mu ~ normal(0, 3); }", false},
	} {
		if !subset.Has(c.program+c.expr, 2) {
			continue
		}
		m := mustBind(t, c.program, data)
		method, err := m.Program.Method(c.expr)
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		fit, err := m.Run(context.Background(), method, RunOptions{Seed: 1})
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		if bad := diagnose.Worst(fit.Findings) == diagnose.Bad; bad != c.bad || c.bad != (fit.Posterior.Swap.Lost > 0.01) {
			t.Errorf("%s with %s: bad %v, lost %.4f", c.program, c.expr, bad, fit.Posterior.Swap.Lost)
		}
	}
}
