// This file runs the units of a diagnosis: replications, data sets, splits.

package diagnose

import (
	"context"
	"sync"

	"github.com/seed-12b88e03/ppl/infer"
)

// Units runs those of n units that are in the share of o, o.Jobs at a time, and counts them. Finished ones are kept as
// parts under their names (Part). Units of other shares, and those that an interrupt left out, are nil; the result ends
// with the last that was run.
func Units[T any](ctx context.Context, count *Counter, o infer.Options, n int, name func(i int) string, whole func(T) bool,
	unit func(ctx context.Context, i int) (T, error)) ([]*T, error) {
	var mu sync.Mutex
	var done []*T
	err := infer.Each(ctx, o.Jobs, n, func(ctx context.Context, i int) error {
		if ctx.Err() != nil || !o.Share.Has(i) {
			return ctx.Err()
		}
		u, err := Part(count, name(i), whole, func() (T, error) { return unit(ctx, i) })
		if err == nil {
			mu.Lock()
			if i >= len(done) {
				done = append(done, make([]*T, i+1-len(done))...)
			}
			done[i] = &u
			mu.Unlock()
			count.Add(1)
		}
		return err
	})
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	return done, nil
}
