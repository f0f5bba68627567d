package lang

// This file tests chains of a Gibbs prior that are put aside and taken up again.

import (
	"context"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose/gibbsprior"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest"
)

// TestGibbsPriorInPieces: chains go on with the step after their last checkpoint, and draws, generated
// quantities and discrete parameters included, are those of a run in one piece.
func TestGibbsPriorInPieces(t *testing.T) {
	m := mustBind(t, `data { vector[2] y; } parameters { real mu; int<lower=0, upper=1> z; }
		model { mu ~ normal(0, 1); z ~ bernoulli(0.3); y ~ normal(mu + z, 1); }
		generated quantities { real u = normal_rng(mu, 1); }`, map[string]any{"y": []float64{1, 2}})
	for _, expr := range []string{"gibbs_prior(laplace(draws = 1), steps = 23, chains = 3, data = true)", "gibbs_prior(gibbs(warmup = 3, draws = 2, chains = 1), steps = 23, chains = 2)"} {
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

// endsAfter cancels a run after so many steps.
type endsAfter struct {
	infer.Ignore
	left   int
	cancel func()
}

func (o *endsAfter) Step(infer.Step) {
	if o.left--; o.left == 0 {
		o.cancel()
	}
}

// TestGibbsChainsAdvanceInTurn: a diagnosis that is cut short after a hundredth of its steps is about all chains, with one job,
// too: there is an R-hat. One after the other, all but the first had no steps, and there was no verdict.
func TestGibbsChainsAdvanceInTurn(t *testing.T) {
	m := mustBind(t, `data { real y; } parameters { real mu; } model { mu ~ normal(0, 1); y ~ normal(mu, 1); }`, map[string]any{"y": 1.0})
	d, err := m.Program.Diagnosis("gibbs_prior(laplace(draws = 1), steps = 50000)")
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	v, err := m.Diagnose(ctx, d, RunOptions{Seed: 3, Jobs: 1, Observer: &endsAfter{left: 2000, cancel: cancel}})
	if err != nil {
		t.Fatal(err)
	}
	f, ok := v.Figures.(*gibbsprior.Figures)
	if !ok {
		t.Fatalf("%T", v.Figures)
	}
	if !v.Incomplete || math.IsNaN(float64(f.RHat)) || !(f.ESS > 100) {
		t.Errorf("after 2,000 of 200,000 steps: %s %s, R-hat %g, ESS %g", v.Severity, v.Summary, f.RHat, f.ESS)
	}
}
