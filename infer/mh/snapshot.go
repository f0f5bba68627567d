// This file puts the adaptation aside and takes it up again.

package mh

import (
	"fmt"
	"slices"
)

// Snapshot implements infer.Resumable: scale, how far the joint proposal has come, whether
// coordinates move one by one, root, widths, and the running mean.
func (t *tuner) Snapshot() []float64 {
	sweep := 0.0
	if t.k.sweep {
		sweep = 1
	}
	return slices.Concat([]float64{t.k.scale, float64(t.steps), sweep}, t.k.root, t.k.width, t.mean)
}

// Restore implements infer.Resumable.
func (t *tuner) Restore(x []float64) error {
	k := t.k
	if n := 3 + len(k.root) + len(k.width) + len(t.mean); len(x) != n {
		return fmt.Errorf("its tuning has %d numbers, not %d", len(x), n)
	}
	k.scale, t.steps, k.sweep, x = x[0], int(x[1]), x[2] != 0, x[3:]
	for _, to := range [][]float64{k.root, k.width, t.mean} {
		x = x[copy(to, x):]
	}
	return nil
}
