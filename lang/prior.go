// The log prior density of draws.

package lang

import (
	"context"
	"fmt"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// LogPriors returns the log prior density of each draw of each chain, in the parameters as they are declared: of the
// statements in which no data take part, without the log Jacobian of the transforms. The errors
// are those of Generate, and of a model whose prior cannot be told from the likelihood.
func (m *Model) LogPriors(ctx context.Context, fit *draws.Draws, jobs int) ([][]float64, error) {
	at, err := m.parametersIn(fit)
	if err != nil {
		return nil, err
	}
	probe := m.bound.NewEvaluator()
	if s, ok := probe.(infer.Splitter); ok {
		if err := s.Splits(); err != nil {
			return nil, err
		}
	}
	if _, ok := probe.(infer.Tempered); !ok {
		return nil, fmt.Errorf("the model has no prior of its own")
	}
	out := make([][]float64, fit.Chains())
	err = m.eachChain(ctx, fit, jobs, func(chain int) error {
		parts := m.bound.NewEvaluator().(infer.Tempered)
		with, without := m.bound.Density(true, false), m.bound.Density(false, false)
		for i := range fit.Len(chain) {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			q, err := m.bound.UnconstrainRow(draws.Picked(fit.Row(chain, i), at))
			if err != nil {
				return atDraw(chain, i, err)
			}
			x, err := logPrior(parts, with, without, q)
			if err != nil {
				return atDraw(chain, i, err)
			}
			out[chain] = append(out[chain], x)
		}
		return nil
	})
	return out, err
}

// logPrior is the log prior without the log Jacobian, which is the difference of two densities.
func logPrior(parts infer.Tempered, with, without infer.Target, q []float64) (float64, error) {
	prior, _, err := parts.LogDensityParts(q)
	if err != nil {
		return 0, err
	}
	a, err := with.LogDensity(q)
	if err != nil {
		return 0, err
	}
	b, err := without.LogDensity(q)
	return prior - (a - b), err
}
