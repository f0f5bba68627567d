// This file lets chains of a goroutine wait for each other's gradients.

package infer

import "context"

// A lockstepGroup is the chains that share a goroutine because there are more chains than goroutines:
// those of one run, or of runs on different data. Where the target gains by evaluating several
// points in one pass, each chain runs until it needs a gradient, and when all wait for one, these
// are evaluated together. A chain gets what it would get alone, so it makes no difference which
// chains wait for each other.
type lockstepGroup struct {
	slots  []*slot
	active int            // slots whose work has not ended
	batch  BatchEvaluator // of runs on different data; nil where chains have one model

	// The requests at hand.
	of      []Target
	q, grad [][]float64
	lp      []float64
	err     []error
}

// A slot is the place of a chain in a lockstep group, or of a run: its chains are then at work
// there one after the other.
type slot struct {
	group    *lockstepGroup
	target   BatchTarget // the evaluator of the chain at work; nil where that has no passes for several points
	wait     func() bool // until the request has been answered
	batching bool        // whether gradients are waited for

	q, grad []float64
	lp      float64
	err     error
}

type slotKey struct{}

// slotOf is where the runs of a context are at work beside others (Each); nil: nowhere.
func slotOf(ctx context.Context) *slot {
	s, _ := ctx.Value(slotKey{}).(*slot)
	return s
}

// newLockstepGroup makes a lockstep group of a number of slots.
func newLockstepGroup(slots int) *lockstepGroup {
	c := &lockstepGroup{
		active: slots, of: make([]Target, slots),
		q: make([][]float64, slots), grad: make([][]float64, slots),
		lp: make([]float64, slots), err: make([]error, slots),
	}
	for range slots {
		c.slots = append(c.slots, &slot{group: c})
	}
	return c
}

// run has work done at each slot.
func (c *lockstepGroup) run(work func(s *slot)) {
	tasks := make([]Task, len(c.slots))
	for k, s := range c.slots {
		tasks[k] = func(wait func() bool) {
			s.wait = wait
			defer func() { c.active-- }()
			work(s)
		}
	}
	Lockstep(tasks, c.answer)
}

// answer evaluates the requests of slots.
func (c *lockstepGroup) answer(waiting []int) {
	n := len(waiting)
	for i, k := range waiting {
		s := c.slots[k]
		c.of[i], c.q[i], c.grad[i] = s.target, s.q, s.grad
	}
	err := Guarded(func() error {
		if c.batch != nil {
			c.batch.LogDensityGrads(c.of[:n], c.q[:n], c.grad[:n], c.lp[:n], c.err[:n])
		} else {
			c.slots[waiting[0]].target.LogDensityGradMany(c.q[:n], c.grad[:n], c.lp[:n], c.err[:n])
		}
		return nil
	})
	for i, k := range waiting {
		s := c.slots[k]
		if s.lp, s.err = c.lp[i], c.err[i]; err != nil {
			s.err = err
		}
	}
}

// attach has the chains to come evaluate ev.
func (s *slot) attach(ev Evaluator) {
	s.target, _ = ev.(BatchTarget)
	s.batching = false
}

// canJoin reports whether chains of m are to be at work at the slot, one after the other, rather than
// in lockstep groups of their own: the slot's lockstep group can evaluate them beside others, and is
// as large.
func (s *slot) canJoin(m Model, own int) bool {
	if s == nil || len(s.group.slots) < max(own, 2) {
		return false
	}
	if r, ok := m.(Batchable); ok && s.group.batch == nil {
		s.group.batch = r.NewBatchEvaluator()
	}
	return s.group.batch != nil
}

// decide determines whether the chain waits for others from now on, and returns how many chains
// share the time that passes. What evaluating together saves is known when the target has
// been evaluated.
func (s *slot) decide() (share int) {
	n := s.group.active
	if s.batching = s.target != nil && n > 1 && s.target.PrefersBatch(n); s.batching {
		return n
	}
	return 1
}

// gradient evaluates log density and gradient together with others.
func (s *slot) gradient(q, grad []float64) (float64, error) {
	s.q, s.grad = q, grad
	if !s.wait() {
		return 0, ErrInterrupted
	}
	return s.lp, s.err
}
