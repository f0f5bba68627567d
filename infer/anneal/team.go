// This file spreads work on movers over goroutines.

package anneal

import (
	"sync"
	"sync/atomic"

	"github.com/seed-12b88e03/ppl/infer"
)

// Team is a group of movers of one kind, one for each goroutine. What a mover
// does depends on its state, its tuning and the random stream only, so it does
// not matter which one does what.
type Team struct{ movers []*Mover }

// NewTeam makes as many movers as there are jobs (0 means one).
func NewTeam(jobs int, create func() (*Mover, error)) (*Team, error) {
	t := &Team{}
	for range max(jobs, 1) {
		m, err := create()
		if err != nil {
			return nil, err
		}
		t.movers = append(t.movers, m)
	}
	return t, nil
}

// Any is one of the movers, for work that is not spread.
func (t *Team) Any() *Mover { return t.movers[0] }

// Freeze sets the tuning of all movers.
func (t *Team) Freeze(tuning Tuning) {
	for _, m := range t.movers {
		m.Freeze(tuning)
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
	for _, m := range t.movers[:min(len(t.movers), n)] {
		wg.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = infer.Guarded(func() error { return work(m, i) }); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
