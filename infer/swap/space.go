// This file is the prior swap function as a model that methods can run on.

package swap

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
)

// space is the model whose points are whitened sampled coordinates, from an origin; its rows are
// these coordinates.
type space struct {
	f      *falsePosterior
	priors Priors
	origin []float64 // of the points, in whitened coordinates; nil: 0
}

// fewStarts is the part of the draws under the old priors that have a density under the new ones, below which chains
// start about the best of these draws, and not about the mean of all.
const fewStarts = 0.1

// An ApartError is of new priors that are 0 at all draws under the old ones.
type ApartError struct{ Draws int }

// Error implements error.
func (e *ApartError) Error() string {
	return fmt.Sprintf("prior_swap: the new priors are 0 at all %d draws under the old ones, so that these say nothing of the posterior there", e.Draws)
}

// begin is where chains start: nil for the mean of the first posterior.
func (f *falsePosterior) begin() ([]float64, error) {
	n, best := 0, 0
	for i, w := range f.logw {
		if math.IsInf(w, -1) {
			continue
		}
		if n++; n == 1 || w > f.logw[best] {
			best = i
		}
	}
	switch {
	case n == 0 && len(f.logw) > 0:
		return nil, &ApartError{len(f.logw)}
	case float64(n) >= fewStarts*float64(len(f.logw)):
		return nil, nil
	}
	return f.whitened(f.sample[best : best+1])[0], nil
}

// Dim implements infer.Model.
func (s *space) Dim() int { return len(s.f.coords) }

// Columns implements infer.Model.
func (s *space) Columns() []string {
	out := make([]string, s.Dim())
	for i := range out {
		out[i] = fmt.Sprintf("z.%d", i+1)
	}
	return out
}

// NewEvaluator implements infer.Model.
func (s *space) NewEvaluator() infer.Evaluator {
	d := s.priors.Difference()
	n := s.Dim()
	e := &evaluator{f: s.f, origin: s.origin, difference: d, z: make([]float64, n), point: make([]float64, n), grad: make([]float64, n),
		q: make([]float64, d.Dim()), all: make([]float64, d.Dim())}
	copy(e.q, s.f.sample[0])
	return e
}

// An evaluator is the prior swap function in whitened coordinates, without the constant
// that whitening adds.
type evaluator struct {
	f           *falsePosterior
	origin, z   []float64 // see space, and scratch
	difference  infer.Target
	point, grad []float64 // the sampled coordinates
	q, all      []float64 // all coordinates
}

// Dim implements infer.Target.
func (e *evaluator) Dim() int { return len(e.point) }

// place writes whitened coordinates.
func (e *evaluator) place(z, out []float64) {
	copy(out, z)
	for k, v := range e.origin {
		out[k] += v
	}
}

// move goes to a point.
func (e *evaluator) move(z []float64) {
	e.place(z, e.z)
	e.f.white.Place(e.z, e.point)
	for k, i := range e.f.coords {
		e.q[i] = e.point[k]
	}
}

// LogDensity implements infer.Target.
func (e *evaluator) LogDensity(z []float64) (float64, error) {
	e.move(z)
	d, err := e.difference.LogDensity(e.q)
	if err != nil {
		return d, err
	}
	return d + e.f.density.LogDensity(e.point), nil
}

// LogDensityGrad implements infer.Target.
func (e *evaluator) LogDensityGrad(z, grad []float64) (float64, error) {
	e.move(z)
	d, err := e.difference.LogDensityGrad(e.q, e.all)
	if err != nil {
		return d, err
	}
	lp := d + e.f.density.LogDensityGrad(e.point, e.grad)
	for k, i := range e.f.coords {
		e.grad[k] += e.all[i]
	}
	e.f.white.Pull(e.grad, grad)
	return lp, nil
}

// Write implements infer.Evaluator.
func (e *evaluator) Write(z []float64, _ *rand.Rand, out []float64) error {
	e.place(z, out)
	return nil
}

var (
	_ infer.Model     = (*space)(nil)
	_ infer.Evaluator = (*evaluator)(nil)
)
