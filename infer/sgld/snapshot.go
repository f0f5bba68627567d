// This file puts the chain's tuning aside and takes it up again.

package sgld

import (
	"fmt"
	"slices"
)

// Snapshot implements infer.Resumable: step size, steps since warm-up, the scales with
// what they come from, and the step sizes found.
func (t *tuner) Snapshot() []float64 {
	return slices.Concat([]float64{t.k.step, float64(t.k.t), float64(t.seen)}, t.k.scale, t.square, t.found)
}

// Restore implements infer.Resumable.
func (t *tuner) Restore(x []float64) error {
	n := 3 + len(t.k.scale) + len(t.square)
	if len(x) < n {
		return fmt.Errorf("its tuning has %d numbers, not %d", len(x), n)
	}
	t.k.step, t.k.t, t.seen = x[0], int(x[1]), int(x[2])
	x = x[3:]
	x = x[copy(t.k.scale, x):]
	t.found = slices.Clone(x[copy(t.square, x):])
	return nil
}
