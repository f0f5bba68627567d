// This file spreads work on movers over goroutines.

package anneal

import (
	"sync"
	"sync/atomic"

	"github.com/seed-12b88e03/ppl/infer"
)

// WorkerPool is a group of movers of one kind, a lockstep group of them for each goroutine. What a
// mover does depends on its state, its tuning and the random stream only, so it does
// not matter which one does what.
type WorkerPool struct{ groups []*lockstepGroup }

// NewWorkerPool makes as many lockstep groups as there are jobs (0 means one).
func NewWorkerPool(jobs int, create func() (*Mover, error)) (*WorkerPool, error) {
	t := &WorkerPool{}
	for range max(jobs, 1) {
		c, err := newLockstepGroup(create)
		if err != nil {
			return nil, err
		}
		t.groups = append(t.groups, c)
	}
	return t, nil
}

// Any is one of the movers, for work that is not spread.
func (t *WorkerPool) Any() *Mover { return t.groups[0].slots[0].mover }

// Evaluations is how often all movers together asked for the log density or its gradient.
func (t *WorkerPool) Evaluations() int {
	n := 0
	for _, c := range t.groups {
		for _, s := range c.slots {
			n += s.mover.Path.Evaluations()
		}
	}
	return n
}

// Freeze sets the tuning of all movers.
func (t *WorkerPool) Freeze(tuning Tuning) {
	for _, c := range t.groups {
		for _, s := range c.slots {
			s.mover.Freeze(tuning)
		}
	}
}

// Each calls work for all i below n, each call with a mover of its own. After
// an error no more calls begin; the error of the least i is returned. A panic
// becomes an *infer.PanicError.
func (t *WorkerPool) Each(n int, work func(m *Mover, i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var wg sync.WaitGroup
	chains := func(m *Mover) {
		for !failed.Load() {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if errs[i] = infer.Guarded(func() error { return work(m, i) }); errs[i] != nil {
				failed.Store(true)
			}
		}
	}
	for _, c := range t.groups[:min(len(t.groups), n)] {
		wg.Go(func() { c.run(chains) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
