// This file lets chains in one goroutine wait for each other, so that their gradients are
// evaluated together.

package anneal

import (
	"iter"

	"github.com/seed-12b88e03/ppl/infer"
)

// crewSize is how many movers share a goroutine.
const crewSize = 4

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
	c := &crew{}
	for range crewSize {
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
	if c.many == nil || !c.many.Together() {
		work(c.seats[0].mover)
		return
	}
	turns := make([]func() (struct{}, bool), 0, len(c.seats))
	active := append([]*seat(nil), c.seats...)
	for _, s := range c.seats {
		next, stop := iter.Pull(func(yield func(struct{}) bool) {
			s.wait = func() bool { return yield(struct{}{}) }
			defer func() { s.wait = nil }()
			work(s.mover)
		})
		defer stop()
		turns = append(turns, next)
	}
	for len(active) > 0 {
		left := 0
		for k, s := range active {
			if _, waits := turns[k](); waits {
				active[left], turns[left] = s, turns[k]
				left++
			}
		}
		active, turns = active[:left], turns[:left]
		c.answer(active)
	}
}

// answer evaluates the requests of seats.
func (c *crew) answer(seats []*seat) {
	n := len(seats)
	if n == 0 {
		return
	}
	if c.beta == nil {
		c.q, c.grad, c.beta = make([][]float64, crewSize), make([][]float64, crewSize), make([]float64, crewSize)
		c.prior, c.likelihood, c.err = make([]float64, crewSize), make([]float64, crewSize), make([]error, crewSize)
	}
	for k, s := range seats {
		c.q[k], c.grad[k], c.beta[k] = s.q, s.grad, s.beta
	}
	c.many.LogDensityPartsGradMany(c.q[:n], c.beta[:n], c.grad[:n], c.prior[:n], c.likelihood[:n], c.err[:n])
	for k, s := range seats {
		s.prior, s.likelihood, s.err = c.prior[k], c.likelihood[k], c.err[k]
	}
}
