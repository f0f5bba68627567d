// This file is the prior swap function as a model that methods can run on.

package swap

import (
	"fmt"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
)

// space is the model whose points are whitened sampled coordinates; its rows are its
// points.
type space struct {
	f      *falsePosterior
	priors Priors
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
	e := &evaluator{f: s.f, difference: d, point: make([]float64, n), grad: make([]float64, n),
		q: make([]float64, d.Dim()), all: make([]float64, d.Dim())}
	copy(e.q, s.f.sample[0])
	return e
}

// An evaluator is the prior swap function in whitened coordinates, without the constant
// that whitening adds.
type evaluator struct {
	f           *falsePosterior
	difference  infer.Target
	point, grad []float64 // the sampled coordinates
	q, all      []float64 // all coordinates
}

// Dim implements infer.Target.
func (e *evaluator) Dim() int { return len(e.point) }

// move goes to a point.
func (e *evaluator) move(z []float64) {
	e.f.white.Place(z, e.point)
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
	copy(out, z)
	return nil
}

var (
	_ infer.Model     = (*space)(nil)
	_ infer.Evaluator = (*evaluator)(nil)
)
