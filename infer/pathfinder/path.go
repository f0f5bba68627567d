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

// ErrNoCandidate reports that no iterate had an approximation that can be used.
var ErrNoCandidate = errors.New("pathfinder: no approximation along the path stays where the density is positive")

// A Candidate is an iterate with its approximation.
type Candidate struct {
	Point  optimize.Point // its slices are the search's
	Pairs  int            // steps that the approximation is made from
	Normal *normal.Normal // nil at the start, and where rounding spoiled the matrix
	ELBO   infer.Estimate // of Normal; minus infinity if more than a fifth of its draws have density zero
}

// Follow climbs from x0, where density and gradient must be finite. samples is
// the number of draws for each bound. The target's own errors, interruption
// included, are returned with the path so far.
func Follow(t infer.Target, r *rand.Rand, x0 []float64, s optimize.Settings, samples int) (*Path, error) {
	return FollowEach(t, r, x0, s, samples, func(Candidate) {})
}

// FollowEach is Follow with a function that sees each iterate, the start included, in
// order.
func FollowEach(t infer.Target, r *rand.Rand, x0 []float64, s optimize.Settings, samples int, see func(Candidate)) (*Path, error) {
	p := &Path{Start: append([]float64{}, x0...)}
	in := newInverse(len(x0), s.History)
	e := &estimator{target: t, r: r, points: infer.NewPoints(samples, len(x0)), logq: make([]float64, samples), ratios: make([]float64, 0, samples)}
	var failure error
	consider := func(x optimize.Point) {
		n, err := in.normal()
		if err != nil {
			see(Candidate{Point: x, Pairs: len(in.pairs)})
			return // rounding spoiled the matrix; the next iterate has another
		}
		bound, err := e.bound(n)
		if err != nil {
			failure = err
			return
		}
		see(Candidate{Point: x, Pairs: len(in.pairs), Normal: n, ELBO: bound})
		p.Trace = append(p.Trace, infer.TracePoint{Iteration: x.Iteration, Objective: bound.Value, Error: bound.Error})
		if !math.IsInf(bound.Value, -1) && (p.Normal == nil || bound.Value > p.ELBO.Value) {
			p.Normal, p.ELBO = n, bound
		}
	}
	last := -1
	search, err := optimize.Maximize(t, x0, s, func(x optimize.Point) bool {
		switch in.add(x); {
		case x.Iteration == last:
		case len(in.pairs) > 0:
			consider(x)
		default:
			see(Candidate{Point: x})
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
	target infer.Target
	r      *rand.Rand
	points *infer.Points // the draws
	logq   []float64     // log densities of the approximation there
	ratios []float64
	count  int
}

// bound is -Inf if more than a fifth of the draws have density zero.
func (e *estimator) bound(n *normal.Normal) (infer.Estimate, error) {
	e.ratios = e.ratios[:0]
	samples := len(e.logq)
	for k, q := range e.points.Q {
		e.logq[k] = n.Sample(e.r, q)
	}
	e.points.Densities(e.target, samples)
	e.count += samples
	for k, logq := range e.logq {
		lp, err := e.points.Finite(k)
		if err != nil {
			return infer.Estimate{}, err
		}
		if !math.IsInf(lp, -1) {
			e.ratios = append(e.ratios, lp-logq)
		}
	}
	if len(e.ratios) == 0 || 5*len(e.ratios) < 4*samples {
		return infer.Estimate{Value: math.Inf(-1)}, nil
	}
	return *approx.Bound(e.ratios), nil
}
