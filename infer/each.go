// This file spreads work over goroutines whose runs wait for each other's gradients.

package infer

import (
	"sync"
	"sync/atomic"
)

// Each calls work for all i below n on some goroutines (0 means one), in order, until an error;
// that of the least i is returned. A panic becomes a *PanicError.
//
// A goroutine does several calls by turns. Those that run a method on data of their own hand on
// their slot in Options, so that what they evaluate may be evaluated in one pass. The calls of a
// goroutine must not wait for each other in any other way: not for a lock that one holds
// during a run, not on a channel.
func Each(jobs, n int, work func(i int, s *Slot) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	jobs = min(max(jobs, 1), n)
	if n == 0 {
		return nil
	}
	spread(jobs, min((n+jobs-1)/jobs, LockstepSize), func(s *Slot) {
		for !failed.Load() {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if errs[i] = Guarded(func() error { return work(i, s) }); errs[i] != nil {
				failed.Store(true)
			}
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// spread has work done at all slots of lockstep groups, one for each goroutine.
func spread(jobs, slots int, work func(s *Slot)) {
	var wg sync.WaitGroup
	for range jobs {
		wg.Go(func() { newLockstepGroup(slots).run(work) })
	}
	wg.Wait()
}
