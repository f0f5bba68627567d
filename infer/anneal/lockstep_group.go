// This file lets chains in one goroutine wait for each other, so that their gradients are
// evaluated together.

package anneal

import "github.com/seed-12b88e03/ppl/infer"

// A lockstepGroup is the movers of one goroutine. They take turns: each runs until it needs a
// gradient, and when all wait for one, these are evaluated together. What a mover gets is
// what it would get alone, so which chains wait for each other makes no difference.
type lockstepGroup struct {
	slots []*slot
	many  infer.BatchTempered // nil where movers work one after the other

	// The requests at hand.
	q, grad           [][]float64
	beta              []float64
	prior, likelihood []float64
	err               []error
}

// A slot is the place of a mover in a lockstep group. It stands between its path and the path's
// base.
type slot struct {
	infer.Tempered
	mover *Mover
	wait  func() bool // until the request has been answered; nil where there is none to wait for

	q, grad           []float64
	beta              float64
	prior, likelihood float64
	err               error
}

// newLockstepGroup makes a lockstep group of movers.
func newLockstepGroup(create func() (*Mover, error)) (*lockstepGroup, error) {
	const n = infer.LockstepSize
	c := &lockstepGroup{
		q: make([][]float64, n), grad: make([][]float64, n), beta: make([]float64, n),
		prior: make([]float64, n), likelihood: make([]float64, n), err: make([]error, n),
	}
	for range n {
		m, err := create()
		if err != nil {
			return nil, err
		}
		s := &slot{Tempered: m.Path.base, mover: m}
		if c.many == nil && len(c.slots) == 0 {
			c.many = manyOf(m.Path.base)
		}
		m.Path.base = s
		c.slots = append(c.slots, s)
		if c.many == nil {
			break
		}
	}
	return c, nil
}

// manyOf is the capability of a path's base, if it has it itself.
func manyOf(base infer.Tempered) infer.BatchTempered {
	if s, ok := base.(source); ok {
		base = s.Tempered
	}
	m, _ := base.(infer.BatchTempered)
	return m
}

// Unwrap implements infer.Wrapper.
func (s *slot) Unwrap() infer.Target { return s.Tempered }

// LogDensityPartsGrad implements infer.Tempered.
func (s *slot) LogDensityPartsGrad(q []float64, beta float64, grad []float64) (prior, likelihood float64, err error) {
	if s.wait == nil || grad == nil {
		return s.Tempered.LogDensityPartsGrad(q, beta, grad)
	}
	s.q, s.beta, s.grad = q, beta, grad
	if !s.wait() {
		return 0, 0, infer.ErrInterrupted
	}
	return s.prior, s.likelihood, s.err
}

// run lets all movers work; each does so until work returns.
func (c *lockstepGroup) run(work func(m *Mover)) {
	if c.many == nil || !c.many.PrefersBatchParts(len(c.slots)) {
		work(c.slots[0].mover)
		return
	}
	tasks := make([]infer.Task, len(c.slots))
	for k, s := range c.slots {
		tasks[k] = func(wait func() bool) {
			s.wait = wait
			defer func() { s.wait = nil }()
			work(s.mover)
		}
	}
	infer.Lockstep(tasks, c.answer)
}

// answer evaluates the requests of slots.
func (c *lockstepGroup) answer(waiting []int) {
	for i, k := range waiting {
		s := c.slots[k]
		c.q[i], c.grad[i], c.beta[i] = s.q, s.grad, s.beta
	}
	n := len(waiting)
	c.many.LogDensityPartsGradMany(c.q[:n], c.beta[:n], c.grad[:n], c.prior[:n], c.likelihood[:n], c.err[:n])
	for i, k := range waiting {
		s := c.slots[k]
		s.prior, s.likelihood, s.err = c.prior[i], c.likelihood[i], c.err[i]
	}
}
