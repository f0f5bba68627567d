package lang

// This file tests chains of a Gibbs prior that are put aside and taken up again.

import (
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest"
)

// TestGibbsPriorInPieces: chains go on with the step after their last checkpoint, and draws, generated
// quantities and discrete parameters included, are those of a run in one piece.
func TestGibbsPriorInPieces(t *testing.T) {
	m := mustBind(t, `data { vector[2] y; } parameters { real mu; int<lower=0, upper=1> z; }
		model { mu ~ normal(0, 1); z ~ bernoulli(0.3); y ~ normal(mu + z, 1); }
		generated quantities { real u = normal_rng(mu, 1); }`, map[string]any{"y": []float64{1, 2}})
	for _, expr := range []string{"gibbs_prior(laplace(draws = 1), steps = 23, chains = 3)", "gibbs_prior(gibbs(warmup = 3, draws = 2, chains = 1), steps = 23, chains = 2)"} {
		method, err := m.Program.Method(expr)
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		built, err := (&builder{program: m.Program, info: method.info}).build(method.checked)
		if err != nil {
			t.Fatal(err)
		}
		o := infer.Options{Seed: 11, Jobs: 2, KeepUnconstrained: true}
		whole := infertest.Fit(t, built, m.bound, o)
		p, pieces := infertest.InPieces(t, built, m.bound, o)
		if pieces < 3 || !infertest.SameDraws(whole, p) {
			t.Errorf("%s: %d pieces, other draws than in one piece", expr, pieces)
		}
	}
}
