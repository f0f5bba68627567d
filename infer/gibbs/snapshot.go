// This file puts the adaptation aside and takes it up again.

package gibbs

import (
	"fmt"
	"slices"
)

// Snapshot implements infer.Resumable: widths of slices and, in warm-up, the distances
// covered.
func (t *tuner) Snapshot() []float64 {
	if t.k.steps == nil {
		return slices.Clone(t.k.width)
	}
	return slices.Concat(t.k.width, t.moved)
}

// Restore implements infer.Resumable.
func (t *tuner) Restore(x []float64) error {
	n := len(t.k.width)
	switch len(x) {
	case n:
	case 2 * n:
		copy(t.moved, x[n:])
		t.k.steps = make([]float64, n)
	default:
		return fmt.Errorf("its tuning has %d numbers, not %d or %d", len(x), n, 2*n)
	}
	copy(t.k.width, x)
	return nil
}
