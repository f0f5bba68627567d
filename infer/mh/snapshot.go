// This file puts the adaptation aside and takes it up again.

package mh

import (
	"fmt"
	"slices"
)

// Snapshot implements infer.Resumable: scale, root, widths, and the running mean.
func (t *tuner) Snapshot() []float64 {
	return slices.Concat([]float64{t.k.scale}, t.k.root, t.k.width, t.mean)
}

// Restore implements infer.Resumable.
func (t *tuner) Restore(x []float64) error {
	k := t.k
	if n := 1 + len(k.root) + len(k.width) + len(t.mean); len(x) != n {
		return fmt.Errorf("its tuning has %d numbers, not %d", len(x), n)
	}
	k.scale, x = x[0], x[1:]
	for _, to := range [][]float64{k.root, k.width, t.mean} {
		x = x[copy(to, x):]
	}
	return nil
}
