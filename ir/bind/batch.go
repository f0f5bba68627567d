// Models of one program with different observations, in the lanes of one pass.

package bind

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
)

// NewBatchEvaluator implements infer.Related: rebound models share programs that take the
// observations as runtime constants, which may be others in each lane.
func (m *Model) NewBatchEvaluator() infer.BatchEvaluator {
	if m.observationParams == nil || len(m.observationParams.numbers) == 0 {
		return nil
	}
	return &batchEvaluator{}
}

// A batchEvaluator implements infer.BatchEvaluator.
type batchEvaluator struct {
	machines []*batchMachine
	eager    bool // as in runner
	done     []bool

	// The targets that are evaluated together, by position in a call, and their points and gradients.
	at      []int
	q, grad [autodiff.Lanes][]float64
}

// A batchMachine runs a program with the observations of another model in each lane.
type batchMachine struct {
	*autodiff.LaneMachine
	given [autodiff.Lanes]*autodiff.Program // whose observations are in the lanes
}

// LogDensityGrads implements infer.BatchEvaluator.
func (c *batchEvaluator) LogDensityGrads(of []infer.Target, q, grad [][]float64, lp []float64, err []error) {
	c.done = append(c.done[:0], make([]bool, len(of))...)
	for i := range of {
		if c.done[i] {
			continue
		}
		p := c.gather(of, i)
		m := c.lanes(p, len(c.at))
		if m != nil {
			c.pass(m, of, q, grad, lp, err)
		}
		for l, k := range c.at {
			if m == nil || trace.Undecided(m.Err(l)) {
				lp[k], err[k] = of[k].LogDensityGrad(q[k], grad[k])
			}
		}
	}
}

// gather looks for those that go together with target i, and returns their program; nil where it
// goes alone.
func (c *batchEvaluator) gather(of []infer.Target, i int) *autodiff.Program {
	p := programOf(of[i])
	c.at = append(c.at[:0], i)
	for k := i + 1; p != nil && k < len(of) && len(c.at) < autodiff.Lanes; k++ {
		if !c.done[k] && p.SameCode(programOf(of[k])) {
			c.at = append(c.at, k)
			c.done[k] = true
		}
	}
	return p
}

// programOf is the program that a target ran last; nil where there is none.
func programOf(t infer.Target) *autodiff.Program {
	if e, ok := t.(*evaluator); ok && e.gradient.Last != nil {
		return e.gradient.Last.Program()
	}
	return nil
}

// lanes returns the lanes for n points of a program; nil where there are none (yet), or n
// points gain nothing by them.
func (c *batchEvaluator) lanes(p *autodiff.Program, n int) *batchMachine {
	if p == nil || n < 2 {
		return nil
	}
	i := slices.IndexFunc(c.machines, func(m *batchMachine) bool { return m.Runs(p) })
	if i >= 0 {
		if !c.eager && autodiff.LanesSave(p, n) == 0 {
			return nil
		}
		return c.machines[i]
	}
	if !c.eager && !autodiff.LanesPay(p, n, trace.MinPoints) {
		return nil
	}
	l := autodiff.NewLaneMachine(p)
	if l == nil {
		return nil
	}
	m := &batchMachine{LaneMachine: l}
	for k := range m.given {
		m.given[k] = p
	}
	c.machines = append(c.machines, m)
	return m
}

// pass evaluates the targets that go together.
func (c *batchEvaluator) pass(m *batchMachine, of []infer.Target, q, grad [][]float64, lp []float64, err []error) {
	n := len(c.at)
	for l, k := range c.at {
		c.q[l], c.grad[l] = q[k], grad[k]
		if p := programOf(of[k]); m.given[l] != p {
			m.BindConstants(l, p)
			m.given[l] = p
		}
	}
	m.Run(c.q[:n])
	m.Root(1, c.grad[:n])
	for l, k := range c.at {
		lp[k], err[k] = of[k].(*evaluator).gradFromLane(m.LaneMachine, l, q[k], grad[k])
	}
}

var _ infer.Batchable = (*Model)(nil)
