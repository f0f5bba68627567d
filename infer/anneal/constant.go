// This file handles models without parameters, whose evidence is a number.

package anneal

import (
	"context"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Constant is the posterior of a model without parameters: plan.Draws rows of
// its generated quantities, and its likelihood, which is exact. The sampler
// columns of the plan are 0.
func Constant(ctx context.Context, method string, m infer.Model, o infer.Options, plan draws.Plan) (*infer.Posterior, error) {
	ev := m.NewEvaluator()
	tempered, ok := infer.Capability[infer.Tempered](ev)
	if !ok {
		return nil, &infer.MissingError{Method: method, Needs: "prior and likelihood as separate terms"}
	}
	prior, likelihood, err := tempered.LogDensityParts(nil)
	if err != nil {
		return nil, err
	}
	rec, err := infer.NewRecorder(m, ev, o, plan, 0)
	if err != nil {
		return nil, err
	}
	rec.Posterior().LogEvidence = &infer.Estimate{Value: prior + likelihood}
	zero := make([]float64, len(plan.Stats))
	for range plan.Draws {
		if ctx.Err() != nil {
			return rec.End(context.Cause(ctx))
		}
		if err := rec.Draw(nil, prior+likelihood, zero...); err != nil {
			return nil, err
		}
	}
	return rec.End(nil)
}
