// This file spreads work over goroutines whose runs wait for each other's gradients.

package infer

import (
	"context"
	"sync"
	"sync/atomic"
)

// Each calls work for all i below n on some goroutines (0 means one), in order, until an error;
// that of the least i is returned. A panic becomes a *PanicError.
//
// A goroutine does several calls by turns. What they evaluate may be evaluated in one pass: the context that a
// call is given has the runs of methods on data of its own take part in that. It is for the goroutine of the
// call. The calls of a goroutine must not wait for each other in any other way: not for a lock that one holds
// during a run, not on a channel.
func Each(ctx context.Context, jobs, n int, work func(ctx context.Context, i int) error) error {
	var mu sync.Mutex // of the first error and its place; nothing has the size n, which may be without bound
	var first error
	place := n
	var next atomic.Int64
	var failed atomic.Bool
	jobs = min(max(jobs, 1), n)
	if n == 0 {
		return nil
	}
	spread(jobs, min((n+jobs-1)/jobs, LockstepSize), func(s *slot) {
		own := context.WithValue(ctx, slotKey{}, s)
		for !failed.Load() {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if err := Guarded(func() error { return work(own, i) }); err != nil {
				failed.Store(true)
				mu.Lock()
				if i < place {
					first, place = err, i
				}
				mu.Unlock()
			}
		}
	})
	return first
}

// spread has work done at all slots of lockstep groups, one for each goroutine.
func spread(jobs, slots int, work func(s *slot)) {
	var wg sync.WaitGroup
	for range jobs {
		wg.Go(func() { newLockstepGroup(slots).run(work) })
	}
	wg.Wait()
}
