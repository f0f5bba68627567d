// Several points in one pass of a program.

package bind

import (
	"math"

	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
)

// LogDensityMany implements infer.Many.
func (e *evaluator) LogDensityMany(q [][]float64, lp []float64, err []error) {
	e.value.Batches(q, func(m *autodiff.LaneMachine, from, to int) {
		for i := from; i < to; i++ {
			lp[i], err[i] = e.fromLane(m, i-from, q[i])
		}
	}, func(i int) { lp[i], err[i] = e.LogDensity(q[i]) })
}

// LogDensityGradMany implements infer.Many.
func (e *evaluator) LogDensityGradMany(q, grad [][]float64, lp []float64, err []error) {
	e.gradient.Batches(q, func(m *autodiff.LaneMachine, from, to int) {
		m.Root(1, grad[from:to])
		for i := from; i < to; i++ {
			lp[i], err[i] = e.gradFromLane(m, i-from, q[i], grad[i])
		}
	}, func(i int) { lp[i], err[i] = e.LogDensityGrad(q[i], grad[i]) })
}

// fromLane is the log density that a lane holds for q.
func (e *evaluator) fromLane(m *autodiff.LaneMachine, l int, q []float64) (float64, error) {
	if err := m.Err(l); err != nil {
		return e.laneFailed(q, nil, err)
	}
	return e.explained(q, m.Number(0, l))
}

// gradFromLane is fromLane with the gradient, which was taken from the lane.
func (e *evaluator) gradFromLane(m *autodiff.LaneMachine, l int, q, grad []float64) (float64, error) {
	if err := m.Err(l); err != nil {
		return e.laneFailed(q, grad, err)
	}
	return e.explainedGrad(q, m.Number(0, l), grad)
}

// laneFailed is the density where a lane fails. Where its program does not apply, the point is evaluated alone.
func (e *evaluator) laneFailed(q, grad []float64, failure error) (float64, error) {
	if trace.Undecided(failure) {
		return math.NaN(), failure
	}
	return e.failed(q, grad, failure)
}

// PrefersBatch implements infer.Many.
func (e *evaluator) PrefersBatch(n int) bool { return e.gradient.PrefersBatch(n) }

// PrefersBatchParts implements infer.BatchTempered.
func (e *evaluator) PrefersBatchParts(n int) bool {
	e.prepareTempered()
	return e.tempered.PrefersBatch(n)
}

// LogDensityPartsGradMany implements infer.BatchTempered.
func (e *evaluator) LogDensityPartsGradMany(q [][]float64, beta []float64, grad [][]float64, prior, likelihood []float64, err []error) {
	dim := e.model.dim
	e.prepareTempered()
	for len(e.points) < len(q) {
		e.points = append(e.points, make([]float64, dim+1))
	}
	for i := range q {
		copy(e.points[i], q[i])
		e.points[i][dim] = beta[i]
	}
	e.tempered.Batches(e.points[:len(q)], func(m *autodiff.LaneMachine, from, to int) {
		m.Root(2, grad[from:to]) // all but the last entry, which is the derivative by beta
		for i := from; i < to; i++ {
			l := i - from
			switch failure := m.Err(l); {
			case failure == nil:
				prior[i], likelihood[i], err[i] = e.explainedParts(q[i], beta[i], m.Number(0, l), m.Number(1, l), grad[i])
			case !trace.Undecided(failure): // others are evaluated alone
				prior[i], likelihood[i], err[i] = e.failedParts(q[i], beta[i], grad[i], failure)
			}
		}
	}, func(i int) { prior[i], likelihood[i], err[i] = e.LogDensityPartsGrad(q[i], beta[i], grad[i]) })
}

var (
	_ infer.BatchTarget   = (*evaluator)(nil)
	_ infer.BatchTempered = (*evaluator)(nil)
)
