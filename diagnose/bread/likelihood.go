// This file compares the method's own draws with annealed ones by their log likelihood:
// chains that all sit in one minor mode agree with each other, but not with annealing.

package bread

import (
	"context"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
)

// fewestEnds is the least number of annealed draws whose mean is worth a fit by the method itself.
const fewestEnds = 4

// likelihoods fills in the mean log likelihoods of a data set. A method that fails here
// leaves its own unknown, for the chains are what is judged.
func (c *chains) likelihoods(ctx context.Context, set *dataset) error {
	t, ok := infer.Capability[infer.Tempered](c.model.NewEvaluator())
	if !ok {
		return nil
	}
	logw := set.forward[len(set.forward)-1]
	if len(logw) != len(c.ends) || len(logw) < fewestEnds {
		return nil
	}
	w := make([]float64, len(logw))
	infer.Weights(logw, w)
	var err error
	if set.annealed, err = meanLikelihood(t, c.ends, w); err != nil {
		return err
	}
	o := c.options
	o.KeepUnconstrained = true
	p, err := c.Diagnosis.options.Method.Run(ctx, c.model, o)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return nil
	}
	points := slices.Concat(p.Unconstrained...)
	if len(points) == 0 || len(points[0]) != t.Dim() {
		return nil
	}
	w = make([]float64, len(points))
	for i := range w {
		w[i] = 1 / float64(len(w))
	}
	if p.LogWeights != nil {
		infer.Weights(slices.Concat(p.LogWeights...), w)
	}
	set.own, err = meanLikelihood(t, points, w)
	return err
}

// meanLikelihood is the weighted mean of the log likelihood over points.
func meanLikelihood(t infer.Tempered, points [][]float64, w []float64) (float64, error) {
	mean := 0.0
	for i, q := range points {
		if w[i] == 0 {
			continue
		}
		_, l, err := t.LogDensityParts(q)
		if err != nil && !infer.IsReject(err) {
			return 0, err
		}
		if err != nil {
			l = math.Inf(-1)
		}
		mean += float64(w[i] * l)
	}
	return mean, nil
}
