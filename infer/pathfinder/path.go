// This file follows one path.

package pathfinder

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/approx"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/optimize"
)

// Path is what one path found.
type Path struct {
	Start       []float64
	Normal      *normal.Normal // the approximation with the largest bound
	ELBO        infer.Estimate // its evidence lower bound
	Search      optimize.Result
	Trace       []infer.TracePoint // the bounds of all candidates
	Evaluations int                // of density or gradient
}

// ErrNoCandidate says that no iterate had an approximation that can be used.
var ErrNoCandidate = errors.New("pathfinder: no approximation along the path stays where the density is positive")

// Follow climbs from x0, where density and gradient must be finite. samples is
// the number of draws for each bound. The target's own errors, interruption
// included, are returned with the path so far.
func Follow(t infer.Target, r *rand.Rand, x0 []float64, s optimize.Settings, samples int) (*Path, error) {
	p := &Path{Start: append([]float64{}, x0...)}
	in := newInverse(len(x0), s.History)
	e := &estimator{target: t, r: r, q: make([]float64, len(x0)), ratios: make([]float64, 0, samples), samples: samples}
	var failure error
	consider := func(x optimize.Point) {
		n, err := in.normal()
		if err != nil {
			return // rounding spoiled the matrix; the next iterate has another
		}
		bound, err := e.bound(n)
		if err != nil {
			failure = err
			return
		}
		p.Trace = append(p.Trace, infer.TracePoint{Iteration: x.Iteration, Objective: bound.Value, Error: bound.Error})
		if !math.IsInf(bound.Value, -1) && (p.Normal == nil || bound.Value > p.ELBO.Value) {
			p.Normal, p.ELBO = n, bound
		}
	}
	last := -1
	search, err := optimize.Maximize(t, x0, s, func(x optimize.Point) bool {
		if in.add(x); len(in.pairs) > 0 && x.Iteration != last {
			consider(x)
		}
		last = x.Iteration
		return failure == nil
	})
	if err == nil && failure == nil && len(in.pairs) == 0 { // it started at the mode
		consider(search.Point)
	}
	p.Search, p.Evaluations = search, search.Evaluations+e.count
	if err = errors.Join(err, failure); err != nil {
		return p, err
	}
	if p.Normal == nil {
		return p, ErrNoCandidate
	}
	return p, nil
}

// estimator estimates evidence lower bounds.
type estimator struct {
	target  infer.Target
	r       *rand.Rand
	samples int
	q       []float64
	ratios  []float64
	count   int
}

// bound is -Inf if more than a fifth of the draws have density zero.
func (e *estimator) bound(n *normal.Normal) (infer.Estimate, error) {
	e.ratios = e.ratios[:0]
	for range e.samples {
		n.Draw(e.r, e.q)
		e.count++
		lp, err := infer.FiniteLogDensity(e.target, e.q)
		if err != nil {
			return infer.Estimate{}, err
		}
		if !math.IsInf(lp, -1) {
			e.ratios = append(e.ratios, lp-n.LogDensity(e.q))
		}
	}
	if len(e.ratios) == 0 || 5*len(e.ratios) < 4*e.samples {
		return infer.Estimate{Value: math.Inf(-1)}, nil
	}
	return *approx.Bound(e.ratios), nil
}
