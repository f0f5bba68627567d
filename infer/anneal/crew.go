// This file lets chains in one goroutine wait for each other, so that their gradients are
// evaluated together.

package anneal

import "github.com/seed-12b88e03/ppl/infer"

// A crew is the movers of one goroutine. They take turns: each runs until it needs a
// gradient, and when all wait for one, these are evaluated together. What a mover gets is
// what it would get alone, so which chains wait for each other makes no difference.
type crew struct {
	seats []*seat
	many  infer.ManyTempered // nil where movers work one after the other

	// The requests at hand.
	q, grad           [][]float64
	beta              []float64
	prior, likelihood []float64
	err               []error
}

// A seat is the place of a mover in a crew. It stands between its path and the path's
// base.
type seat struct {
	infer.Tempered
	mover *Mover
	wait  func() bool // until the request has been answered; nil where there is none to wait for

	q, grad           []float64
	beta              float64
	prior, likelihood float64
	err               error
}

// newCrew makes a crew of movers.
func newCrew(create func() (*Mover, error)) (*crew, error) {
	const n = infer.LockstepSize
	c := &crew{
		q: make([][]float64, n), grad: make([][]float64, n), beta: make([]float64, n),
		prior: make([]float64, n), likelihood: make([]float64, n), err: make([]error, n),
	}
	for range n {
		m, err := create()
		if err != nil {
			return nil, err
		}
		s := &seat{Tempered: m.Path.base, mover: m}
		if c.many == nil && len(c.seats) == 0 {
			c.many = manyOf(m.Path.base)
		}
		m.Path.base = s
		c.seats = append(c.seats, s)
		if c.many == nil {
			break
		}
	}
	return c, nil
}

// manyOf is the capability of a path's base, if it has it itself.
func manyOf(base infer.Tempered) infer.ManyTempered {
	if s, ok := base.(source); ok {
		base = s.Tempered
	}
	m, _ := base.(infer.ManyTempered)
	return m
}

// Unwrap implements infer.Wrapper.
func (s *seat) Unwrap() infer.Target { return s.Tempered }

// LogDensityPartsGrad implements infer.Tempered.
func (s *seat) LogDensityPartsGrad(q []float64, beta float64, grad []float64) (prior, likelihood float64, err error) {
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
func (c *crew) run(work func(m *Mover)) {
	if c.many == nil || !c.many.PartsTogether(len(c.seats)) {
		work(c.seats[0].mover)
		return
	}
	tasks := make([]infer.Task, len(c.seats))
	for k, s := range c.seats {
		tasks[k] = func(wait func() bool) {
			s.wait = wait
			defer func() { s.wait = nil }()
			work(s.mover)
		}
	}
	infer.Lockstep(tasks, c.answer)
}

// answer evaluates the requests of seats.
func (c *crew) answer(waiting []int) {
	for i, k := range waiting {
		s := c.seats[k]
		c.q[i], c.grad[i], c.beta[i] = s.q, s.grad, s.beta
	}
	n := len(waiting)
	c.many.LogDensityPartsGradMany(c.q[:n], c.beta[:n], c.grad[:n], c.prior[:n], c.likelihood[:n], c.err[:n])
	for i, k := range waiting {
		s := c.seats[k]
		s.prior, s.likelihood, s.err = c.prior[i], c.likelihood[i], c.err[i]
	}
}
