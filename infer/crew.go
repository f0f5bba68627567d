// This file lets chains of a goroutine wait for each other's gradients.

package infer

// A crew is the chains that share a goroutine because there are more chains than goroutines:
// those of one run, or of runs on different data. Where the target gains by evaluating several
// points in one pass, each chain runs until it needs a gradient, and when all wait for one, these
// are evaluated together. A chain gets what it would get alone, so it makes no difference which
// chains wait for each other.
type crew struct {
	seats   []*Seat
	active  int     // seats whose work has not ended
	company Company // of runs on different data; nil where chains have one model

	// The requests at hand.
	of      []Target
	q, grad [][]float64
	lp      []float64
	err     []error
}

// A Seat is the place of a chain in a crew, or of a run: its chains are then at work there one
// after the other.
type Seat struct {
	crew *crew
	many Many        // the evaluator of the chain at work; nil where that has no passes for several points
	wait func() bool // until the request has been answered
	park bool        // whether gradients are waited for

	q, grad []float64
	lp      float64
	err     error
}

// newCrew makes a crew of a number of seats.
func newCrew(seats int) *crew {
	c := &crew{
		active: seats, of: make([]Target, seats),
		q: make([][]float64, seats), grad: make([][]float64, seats),
		lp: make([]float64, seats), err: make([]error, seats),
	}
	for range seats {
		c.seats = append(c.seats, &Seat{crew: c})
	}
	return c
}

// run has work done at each seat.
func (c *crew) run(work func(s *Seat)) {
	tasks := make([]Task, len(c.seats))
	for k, s := range c.seats {
		tasks[k] = func(wait func() bool) {
			s.wait = wait
			defer func() { c.active-- }()
			work(s)
		}
	}
	Lockstep(tasks, c.answer)
}

// answer evaluates the requests of seats.
func (c *crew) answer(waiting []int) {
	n := len(waiting)
	for i, k := range waiting {
		s := c.seats[k]
		c.of[i], c.q[i], c.grad[i] = s.many, s.q, s.grad
	}
	err := Guarded(func() error {
		if c.company != nil {
			c.company.LogDensityGrads(c.of[:n], c.q[:n], c.grad[:n], c.lp[:n], c.err[:n])
		} else {
			c.seats[waiting[0]].many.LogDensityGradMany(c.q[:n], c.grad[:n], c.lp[:n], c.err[:n])
		}
		return nil
	})
	for i, k := range waiting {
		s := c.seats[k]
		if s.lp, s.err = c.lp[i], c.err[i]; err != nil {
			s.err = err
		}
	}
}

// sit has the chains to come evaluate ev.
func (s *Seat) sit(ev Evaluator) {
	s.many, _ = ev.(Many)
	s.park = false
}

// admits says whether chains of m are to be at work at the seat, one after the other, rather than in
// crews of their own: the seat's crew can evaluate them beside others, and is as large.
func (s *Seat) admits(m Model, own int) bool {
	if s == nil || len(s.crew.seats) < max(own, 2) {
		return false
	}
	if r, ok := m.(Related); ok && s.crew.company == nil {
		s.crew.company = r.NewCompany()
	}
	return s.crew.company != nil
}

// weigh decides whether the chain waits for others from now on, and says how many chains
// share the time that passes. What evaluating together saves is known when the target has
// been evaluated.
func (s *Seat) weigh() (share int) {
	n := s.crew.active
	if s.park = s.many != nil && n > 1 && s.many.Together(n); s.park {
		return n
	}
	return 1
}

// gradient evaluates log density and gradient together with others.
func (s *Seat) gradient(q, grad []float64) (float64, error) {
	s.q, s.grad = q, grad
	if !s.wait() {
		return 0, ErrInterrupted
	}
	return s.lp, s.err
}
