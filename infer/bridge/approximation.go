// This file bridges to the posterior from an approximation of it.

package bridge

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/psis"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

const (
	// shortTail is the largest shape of the weights at which the approximation is left as it
	// is. Above 1/2 their sums have no variance; at 0.45, as 1000 draws have it, errors were
	// measured three times too small.
	shortTail = 0.2
	// leastShare is the effective share of draws of a widened approximation that suffices,
	// whatever the shape of their weights.
	leastShare = 0.2
	// replicates is the number of further estimates that the error is measured by.
	replicates = 5
)

// fromApproximation estimates log p(y) from n draws of q, resampled towards the posterior.
// Where their weights are not short-tailed, or there is no estimate, q is widened. The
// error is +Inf where hardly any of the widened one's count, either.
func (m *Method) fromApproximation(ctx context.Context, q infer.Approximation, t infer.Tempered, n int, o infer.Options) (infer.Estimate, error) {
	e, err := m.replicated(ctx, q, t, n, short, o)
	if err == nil && !math.IsInf(e.Error, 1) {
		return e, nil
	}
	n = max(n, least)
	w, err := widened(ctx, q, t, n, rng.New(o.Seed, "bridge/wide", 0, o.Replicate))
	if err != nil {
		return infer.Estimate{}, err
	}
	return m.replicated(ctx, w, t, n, usable, o)
}

// replicated is the estimate from n draws of q, and its error. What Estimate says of that
// knows nothing of the resampling, so that it is measured, too: by replicates with draws of
// their own, whose standard deviation counts, or the distance of their mean from the
// estimate, or the stated error, whichever is the largest.
// It is +Inf where the weights are not to be trusted, in the first n or, since chance can
// hide it there, in all draws together.
func (m *Method) replicated(ctx context.Context, q infer.Approximation, t infer.Tempered, n int, trust func(logw []float64) bool, o infer.Options) (infer.Estimate, error) {
	first, logw, err := m.bridged(ctx, q, t, n, rng.New(o.Seed, "bridge/resample", 0, o.Replicate), rng.New(o.Seed, "bridge/proposal", 0, o.Replicate))
	if err != nil {
		return first, err
	}
	if !trust(logw) {
		first.Error = math.Inf(1)
		return first, nil
	}
	values := make([]float64, replicates)
	for i := range values {
		r := rng.New(o.Seed, "bridge/replicate", uint64(i), o.Replicate)
		e, own, err := m.bridged(ctx, q, t, n, r, r)
		if err != nil {
			return first, fmt.Errorf("replicate %d: %w", i+1, err)
		}
		values[i] = e.Value
		logw = append(logw, own...)
	}
	if !trust(logw) {
		first.Error = math.Inf(1)
		return first, nil
	}
	mean, sd := draws.Mean([][]float64{values}), draws.SD([][]float64{values})
	first.Error = max(first.Error, sd, math.Abs(mean-first.Value))
	return first, nil
}

// short reports whether weights have short tails, or are so even that their shape means nothing.
func short(logw []float64) bool {
	s := psis.Smooth(logw, 1)
	return s.K <= shortTail || s.Share() >= psis.Even
}

// usable reports whether weights against a widened approximation can be used. They have a
// variance, so that a shape up to psis's own bound will do; and as they bend back where
// the two parts meet, a large one tells nothing as long as a good part of them counts.
func usable(logw []float64) bool {
	s := psis.Smooth(logw, 1)
	return s.K <= psis.Threshold(len(logw)) || s.Share() >= leastShare
}

// bridged estimates from fresh draws, with the logs of their weights.
func (m *Method) bridged(ctx context.Context, q infer.Approximation, t infer.Tempered, n int, draw, propose *rand.Rand) (e infer.Estimate, logw []float64, err error) {
	points, logw, err := resampled(q, t, n, draw)
	if err != nil {
		return infer.Estimate{}, nil, err
	}
	e, err = Estimate(ctx, t, [][][]float64{points}, m.options.Settings, propose)
	return e, logw, err
}

// resampled are draws of an approximation, resampled towards the posterior by
// Pareto-smoothed weights, and the logs of the weights as they were.
func resampled(q infer.Approximation, t infer.Tempered, n int, r *rand.Rand) (points [][]float64, logw []float64, err error) {
	fresh := make([][]float64, n)
	logw = make([]float64, n)
	w, parents := make([]float64, n), make([]int, n)
	for i := range fresh {
		fresh[i] = make([]float64, q.Dim())
		q.Draw(r, fresh[i])
		lp, err := logDensity(t, fresh[i])
		if err != nil {
			return nil, nil, err
		}
		logw[i] = lp - q.LogDensity(fresh[i])
	}
	infer.Weights(psis.Smooth(logw, 1).LogWeights, w)
	infer.ResampleSystematic(r, w, parents)
	points = make([][]float64, n)
	for i, k := range parents {
		points[i] = fresh[k]
	}
	return points, logw, nil
}
