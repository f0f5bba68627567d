// This file estimates mutual information from weighted draws.

package cavi

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
)

const (
	sampleSize   = 400       // draws from the approximation
	leastSample  = 50        // fewer say nothing
	leastESS     = 25        // effective draws by weight, likewise
	sampleBudget = 200000000 // products of draws, draws and statistics
)

// sampled fills in the mutual information that is not known yet. With draws s from the
// approximation, weighted to the posterior, and the full conditional of a block,
//
//	I = E[log p(t | rest) - log p(t)],  p(t) = E p(t | rest),
//
// both expectations being over the weighted draws. The error is that of the outer one.
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
		e, err := a.information(i, points, weights)
		if err != nil {
			return err
		}
		d.Factors[i].Information = e
	}
	return nil
}

// sample draws statistics of all blocks, with log weights.
func (a *ascent) sample(n int, q *product, r *rand.Rand) (points [][][]float64, weights []float64, err error) {
	x := make([]float64, q.Dim())
	var readers []*reader
	for i := range a.f.Blocks {
		readers = append(readers, newReader(&a.f.Blocks[i]))
	}
	for range n {
		q.Draw(r, x)
		statistics := make([][]float64, len(readers))
		logJ := 0.0
		for i, read := range readers {
			statistics[i] = make([]float64, len(a.f.Blocks[i].Statistics))
			j, err := read.at(pick(x, a.f.Blocks[i].Coords), statistics[i])
			if err != nil {
				return nil, nil, err
			}
			logJ += j
		}
		points = append(points, statistics)
		weights = append(weights, a.logJoint(statistics)+logJ-q.LogDensity(x))
	}
	return points, weights, nil
}

// information estimates that of block i with the others.
func (a *ascent) information(i int, points [][][]float64, logw []float64) (infer.Estimate, error) {
	unknown := infer.Estimate{Value: math.NaN(), Error: math.NaN()}
	f, err := newFactor(&a.f.Blocks[i], false)
	if err != nil {
		return unknown, err
	}
	n := len(points)
	natural, normalizer := make([][]float64, n), make([]float64, n)
	scratch := make([]float64, len(a.expect[i]))
	for s, p := range points {
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
	var mean float64
	for s, p := range points {
		for k := range points {
			terms[k] = logw[k] - total + dot(natural[k], p[i]) - normalizer[k]
		}
		value[s] = dot(natural[s], p[i]) - normalizer[s] - infer.LogSumExp(terms)
		mean += w[s] * value[s]
	}
	var square float64
	for s, v := range value {
		square += w[s] * w[s] * (v - mean) * (v - mean)
	}
	return infer.Estimate{Value: max(mean, 0), Error: math.Sqrt(square)}, nil
}
