// This file estimates mutual information from weighted draws.

package cavi

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
)

const (
	exactSize    = 2000       // exact draws of two blocks
	sampleSize   = 1000       // draws from the approximation
	leastSample  = 50         // fewer say nothing
	leastESS     = 25         // effective draws by weight, likewise
	sampleBudget = 20_000_000 // products of draws, draws and statistics
	tabulated    = 2_000_000  // products of draws, points of a grid and statistics
)

// sampled fills in the mutual information that is not known yet. With draws s from the
// approximation, weighted to the posterior, and the full conditional of a block,
//
//	I = E[log p(t | rest) - log p(t)],  p(t) = E p(t | rest),
//
// both expectations being over the weighted draws. With the draw t itself among those of
// the second the marginal density is taken too high, without it too low on average; the
// estimate is halfway, and half the difference is part of the error.
// Where the weights are too uneven, or the model too large, it stays unknown.
func (a *ascent) sampled(ctx context.Context, d *infer.Duality, q *product, draws int, r *rand.Rand) error {
	if draws < leastSample { // who wants so few runs the method many times
		return nil
	}
	size := 0
	for i := range a.factors {
		if math.IsNaN(d.Factors[i].Information.Value) {
			size += len(a.expect[i]) + 1
		}
	}
	n := sampleSize
	for size > 0 && n*n*size > sampleBudget {
		n /= 2
	}
	if size == 0 || n < leastSample {
		return nil
	}
	points, weights, err := a.sample(n, q, r)
	if err != nil || infer.ESSWeights(weights) < leastESS {
		return err
	}
	for i := range a.factors {
		if ctx.Err() != nil {
			return infer.ErrInterrupted
		}
		if !math.IsNaN(d.Factors[i].Information.Value) {
			continue
		}
		e, err := a.information(ctx, i, points, weights)
		if err != nil {
			return err
		}
		d.Factors[i].Information = e
	}
	return nil
}

// twoBlocks estimates the mutual information of two blocks of which the marginal m of
// block i is known, as its entropy less the mean entropy of its full conditional over
// exact draws of the other block.
// Grids are coarse, and draws as few as cost no more than dearPoints of them, but leastSample.
func (a *ascent) twoBlocks(ctx context.Context, i int, m *marginal, r *rand.Rand) (infer.Estimate, error) {
	j := 1 - i
	mine, err := newFactor(&a.f.Blocks[i], false)
	if err != nil {
		return unknown, err
	}
	other, err := newFactor(&a.f.Blocks[j], false)
	if err != nil {
		return unknown, err
	}
	spent := points(dearPoints + 1)
	for _, f := range []factor{mine, other} {
		countIn(f, &spent)
	}
	readers := []*reader{newReader(&a.f.Blocks[0]), newReader(&a.f.Blocks[1])}
	statistics := [][]float64{make([]float64, len(a.expect[0])), make([]float64, len(a.expect[1]))}
	natural := [][]float64{make([]float64, len(a.expect[0])), make([]float64, len(a.expect[1]))}
	given := func(k int, free []float64, f factor) error { // f becomes the conditional given block k
		if _, err := readers[k].at(free, statistics[k]); err != nil {
			return err
		}
		a.naturalParameters(1-k, statistics, natural[1-k])
		return f.set(natural[1-k])
	}
	free := [][]float64{make([]float64, len(a.f.Blocks[0].Coords)), make([]float64, len(a.f.Blocks[1].Coords))}
	var mean, square, made float64
	for n := range exactSize {
		if ctx.Err() != nil {
			return unknown, infer.ErrInterrupted
		}
		if n >= leastSample && spent > 2*dearPoints {
			break
		}
		m.density.draw(r, free[i])
		if err := given(i, free[i], other); err != nil {
			return unknown, nil
		}
		other.density().draw(r, free[j])
		if err := given(j, free[j], mine); err != nil {
			return unknown, nil
		}
		d := mine.entropy() - mean
		mean += d / float64(n+1)
		square += float64(d * (mine.entropy() - mean))
		made++
	}
	return infer.Estimate{Value: max(m.entropy-mean, 0), Error: math.Sqrt(square) / made}, nil
}

// Information estimates the mutual information of each block with the others from
// posterior draws of all the model's coordinates, at least leastSample of them. Blocks
// are those that a Gibbs sampler draws together.
func Information(ctx context.Context, model infer.Factorisable, b infer.Blocking, points [][]float64) (*infer.Duality, error) {
	f, err := model.Factorise(b)
	if err != nil {
		return nil, err
	}
	a, err := newAscent(f, false)
	if err != nil {
		return nil, err
	}
	d := &infer.Duality{LogEvidence: unknown}
	n := min(sampleSize, len(points))
	size := 1
	for i := range a.factors {
		size += len(a.expect[i])
	}
	for n*n*size > sampleBudget {
		n /= 2
	}
	if n < leastSample {
		return d, nil
	}
	sample := make([][][]float64, n)
	for s := range sample {
		if sample[s], _, err = a.statisticsAt(points[s*len(points)/n]); err != nil {
			return nil, err
		}
	}
	weights := make([]float64, n)
	for i, q := range a.factors {
		if ctx.Err() != nil {
			return d, nil
		}
		e := infer.Estimate{}
		if len(a.factors) > 1 {
			if e, err = a.information(ctx, i, sample, weights); errors.Is(err, infer.ErrInterrupted) {
				return d, nil
			} else if err != nil {
				return nil, err
			}
		}
		d.Factors = append(d.Factors, infer.FactorReport{
			Name: f.Blocks[i].Name, Form: q.form(), Information: e, Squashing: unknown, Bound: unknown, Divergence: unknown,
		})
	}
	return d, nil
}

// statisticsAt evaluates all statistics at a point, with the log Jacobian there.
func (a *ascent) statisticsAt(q []float64) (statistics [][]float64, logJ float64, err error) {
	if a.readers == nil {
		for i := range a.f.Blocks {
			a.readers = append(a.readers, newReader(&a.f.Blocks[i]))
		}
	}
	for i, read := range a.readers {
		s := make([]float64, len(a.f.Blocks[i].Statistics))
		j, err := read.at(pick(q, a.f.Blocks[i].Coords), s)
		if err != nil {
			return nil, 0, err
		}
		statistics = append(statistics, s)
		logJ += j
	}
	return statistics, logJ, nil
}

// sample draws statistics of all blocks, with log weights.
func (a *ascent) sample(n int, q *product, r *rand.Rand) (points [][][]float64, weights []float64, err error) {
	x := make([]float64, q.Dim())
	for range n {
		q.Draw(r, x)
		statistics, logJ, err := a.statisticsAt(x)
		if err != nil {
			return nil, nil, err
		}
		points = append(points, statistics)
		weights = append(weights, a.logJoint(statistics)+logJ-q.LogDensity(x))
	}
	return points, weights, nil
}

// information estimates that of block i with the others. Of a factor on a grid it takes so few of the points that their grids cost no
// more than tabulated.
func (a *ascent) information(ctx context.Context, i int, points [][][]float64, logw []float64) (infer.Estimate, error) {
	f, err := newFactor(&a.f.Blocks[i], false)
	if err != nil {
		return unknown, err
	}
	if g, ok := f.(*gridFactor); ok && len(points) > 0 {
		first := make([]float64, len(a.expect[i]))
		a.naturalParameters(i, points[0], first)
		if g.set(first) != nil {
			return unknown, nil
		}
		if most := tabulated / len(g.stats); most < leastSample {
			return unknown, nil
		} else if step := (len(points) + most - 1) / most; step > 1 {
			points, logw = everyNth(points, step), everyNth(logw, step)
		}
	}
	n := len(points)
	natural, normalizer := make([][]float64, n), make([]float64, n)
	scratch := make([]float64, len(a.expect[i]))
	for s, p := range points {
		if ctx.Err() != nil {
			return unknown, infer.ErrInterrupted
		}
		natural[s] = make([]float64, len(scratch))
		a.naturalParameters(i, p, natural[s])
		if err := f.set(natural[s]); err != nil {
			return unknown, nil
		}
		normalizer[s] = logNormalizer(f, natural[s], scratch)
	}
	w := make([]float64, n)
	infer.Weights(logw, w)
	total := infer.LogSumExp(logw)
	terms := make([]float64, n)
	value := make([]float64, n)
	var mean, gap float64
	for s, p := range points {
		for k := range points {
			terms[k] = logw[k] - total + dot(natural[k], p[i]) - normalizer[k]
		}
		own := dot(natural[s], p[i]) - normalizer[s]
		with := infer.LogSumExp(terms)
		terms[s] = math.Inf(-1)
		without := infer.LogSumExp(terms) - libm.Log1p(-w[s])
		value[s] = own - (with+without)/2
		mean += float64(w[s] * value[s])
		gap += float64(w[s] * (with - without) / 2)
	}
	var square float64
	for s, v := range value {
		square += float64(w[s] * w[s] * (v - mean) * (v - mean))
	}
	return infer.Estimate{Value: max(mean, 0), Error: math.Sqrt(square + float64(gap*gap))}, nil
}

// everyNth is the first of every n things.
func everyNth[T any](x []T, n int) (out []T) {
	for i := 0; i < len(x); i += n {
		out = append(out, x[i])
	}
	return out
}
