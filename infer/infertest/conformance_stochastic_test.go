package infertest_test

// This file has the row of the method that needs terms of the likelihood.

import (
	"context"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/sgld"
)

// inTerms runs a method on a target as if its density had five equal terms, so that a
// gradient from a batch has no noise.
type inTerms struct{ infer.Method }

func (m inTerms) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	return m.Method.Run(ctx, termsModel{model}, o)
}

type termsModel struct{ infer.Model }

func (m termsModel) NewEvaluator() infer.Evaluator { return terms{m.Model.NewEvaluator()} }

type terms struct{ infer.Evaluator }

func (terms) Terms() (int, error) { return 5, nil }

func (t terms) LogDensityGradTerms(q []float64, _ []int, grad []float64) (float64, error) {
	return t.LogDensityGrad(q, grad)
}

func newSGLD(preconditioner string) func(t testing.TB) infer.Method {
	return func(t testing.TB) infer.Method {
		o := sgld.DefaultOptions()
		o.Preconditioner, o.Warmup, o.Draws, o.Thin = preconditioner, 2000, 1000, 50
		m, err := sgld.New(o)
		return inTerms{build(t, m, err)}
	}
}

// stochasticRows: a bias of a tenth of the variance in the stiffest direction is one of
// a twentieth of its sd; half of that is allowed for the noise of the estimates.
func stochasticRows() []row {
	off := map[string][2]float64{}
	for _, target := range []string{"regression", "simplex", "ordered", "bounded"} {
		off[target] = [2]float64{0.1, 0.15}
	}
	return []row{
		{name: "sgld", method: newSGLD(sgld.None), kind: approximation, off: off, cancel: 2000},
		{name: "sgld", variant: "rmsprop", method: newSGLD(sgld.RMSprop), kind: approximation, off: off, cancel: 2000},
	}
}
