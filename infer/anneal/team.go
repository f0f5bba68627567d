// This file spreads work on movers over goroutines.

package anneal

import (
	"sync"
	"sync/atomic"

	"github.com/seed-12b88e03/ppl/infer"
)

// Team is a group of movers of one kind, a crew of them for each goroutine. What a
// mover does depends on its state, its tuning and the random stream only, so it does
// not matter which one does what.
type Team struct{ crews []*crew }

// NewTeam makes as many crews as there are jobs (0 means one).
func NewTeam(jobs int, create func() (*Mover, error)) (*Team, error) {
	t := &Team{}
	for range max(jobs, 1) {
		c, err := newCrew(create)
		if err != nil {
			return nil, err
		}
		t.crews = append(t.crews, c)
	}
	return t, nil
}

// Any is one of the movers, for work that is not spread.
func (t *Team) Any() *Mover { return t.crews[0].seats[0].mover }

// Evaluations is how often all movers together asked for the log density or its gradient.
func (t *Team) Evaluations() int {
	n := 0
	for _, c := range t.crews {
		for _, s := range c.seats {
			n += s.mover.Path.Evaluations()
		}
	}
	return n
}

// Freeze sets the tuning of all movers.
func (t *Team) Freeze(tuning Tuning) {
	for _, c := range t.crews {
		for _, s := range c.seats {
			s.mover.Freeze(tuning)
		}
	}
}

// Each calls work for all i below n, each call with a mover of its own. After
// an error no more calls begin; the error of the least i is returned. A panic
// becomes an *infer.PanicError.
func (t *Team) Each(n int, work func(m *Mover, i int) error) error {
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
	for _, c := range t.crews[:min(len(t.crews), n)] {
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
