// Several points in one pass of a program.

package bind

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
)

// fewPoints is at how many points a program must have been wanted before it is compiled for
// several at once, which takes about as long as is gained at so many.
const fewPoints = 1000

// lanes returns the machine for several points of the program that ran last; nil where there
// is none (yet), or n points gain nothing by it.
func (r *runner) lanes(n int) *autodiff.LaneMachine {
	if n < 2 || r.last == nil {
		return nil
	}
	l, ok := r.several[r.last]
	if !ok {
		if !r.eager && !r.last.Program().LanesPay(n, fewPoints) {
			return nil
		}
		if r.several == nil || len(r.several) >= 2*r.traced.kept() {
			r.several = map[*autodiff.Machine]*autodiff.LaneMachine{}
		}
		l = r.last.Program().NewLaneMachine()
		r.several[r.last] = l
	}
	if l != nil && !r.eager && r.last.Program().LanesSave(n) == 0 {
		return nil
	}
	return l
}

// together evaluates a piece at each point: take gets the machine after each pass, and
// which of the points are in its lanes; alone is called for those in none.
func (r *runner) together(q [][]float64, take func(m *autodiff.LaneMachine, from, to int), alone func(i int)) {
	for i := 0; i < len(q); {
		n := min(autodiff.Lanes, len(q)-i)
		m := r.lanes(n)
		if m == nil {
			for range n {
				alone(i)
				i++
			}
			continue
		}
		m.Run(q[i : i+n])
		take(m, i, i+n)
		for l := range n {
			if undecided(m.Err(l)) {
				alone(i + l)
			}
		}
		i += n
	}
}

// LogDensityMany implements infer.Many.
func (e *evaluator) LogDensityMany(q [][]float64, lp []float64, err []error) {
	e.value.together(q, func(m *autodiff.LaneMachine, from, to int) {
		for i := from; i < to; i++ {
			lp[i], err[i] = e.fromLane(m, i-from, q[i])
		}
	}, func(i int) { lp[i], err[i] = e.LogDensity(q[i]) })
}

// LogDensityGradMany implements infer.Many.
func (e *evaluator) LogDensityGradMany(q, grad [][]float64, lp []float64, err []error) {
	e.gradient.together(q, func(m *autodiff.LaneMachine, from, to int) {
		m.Root(1, grad[from:to])
		for i := from; i < to; i++ {
			lp[i], err[i] = e.fromLane(m, i-from, q[i])
		}
	}, func(i int) { lp[i], err[i] = e.LogDensityGrad(q[i], grad[i]) })
}

// fromLane is the log density that a lane holds for q.
func (e *evaluator) fromLane(m *autodiff.LaneMachine, l int, q []float64) (float64, error) {
	if err := m.Err(l); err != nil {
		if undecided(err) { // it is evaluated alone
			return math.NaN(), err
		}
		return math.NaN(), e.model.rejected(q, e.mode, err)
	}
	return e.explained(q, m.Number(0, l))
}

// worthWaiting is how many machine operations must be saved at a point for chains to wait
// for each other: what it takes to go from one to the next and back.
const worthWaiting = 1000

// PrefersBatch implements infer.Many.
func (e *evaluator) PrefersBatch(n int) bool { return e.gradient.worthWaiting(n) }

// PrefersBatchParts implements infer.BatchTempered.
func (e *evaluator) PrefersBatchParts(n int) bool {
	e.prepareTempered()
	return e.tempered.worthWaiting(n)
}

// worthWaiting reports whether more is gained at n points than it takes to go from one chain to
// another.
func (r *runner) worthWaiting(n int) bool {
	if r.eager {
		return true
	}
	p := r.traced.known(0)
	return p != nil && p.LanesSave(n) >= worthWaiting
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
	e.tempered.together(e.points[:len(q)], func(m *autodiff.LaneMachine, from, to int) {
		m.Root(2, grad[from:to]) // all but the last entry, which is the derivative by beta
		for i := from; i < to; i++ {
			l := i - from
			switch failure := m.Err(l); {
			case failure == nil:
				prior[i], likelihood[i], err[i] = e.explainedParts(q[i], m.Number(0, l), m.Number(1, l))
			case !undecided(failure): // others are evaluated alone
				prior[i], likelihood[i], err[i] = e.failedParts(q[i], beta[i], nil, failure)
			}
		}
	}, func(i int) { prior[i], likelihood[i], err[i] = e.LogDensityPartsGrad(q[i], beta[i], grad[i]) })
}

var (
	_ infer.BatchTarget   = (*evaluator)(nil)
	_ infer.BatchTempered = (*evaluator)(nil)
)
