// This file puts the chain's tuning aside and takes it up again.

package sgld

import (
	"fmt"
	"slices"
)

// Snapshot implements infer.Resumable: step size, steps since warm-up, the scales with
// what they come from, the control variates, and the step sizes found.
func (t *tuner) Snapshot() []float64 {
	head := []float64{t.k.step, float64(t.k.t), float64(t.seen), float64(t.points), float64(len(t.k.anchor)), t.k.anchorLP, float64(len(t.found))}
	anchored := t.k.anchorGrad[:len(t.k.anchor)]
	return slices.Concat(head, t.k.scale, t.square, t.middle, t.k.anchor, anchored, t.found, t.better)
}

// Restore implements infer.Resumable.
func (t *tuner) Restore(x []float64) error {
	const head = 7
	n := head + len(t.k.scale) + len(t.square) + len(t.middle)
	if len(x) < n || len(x) < n+2*int(x[4])+int(x[6]) {
		return fmt.Errorf("its tuning has %d numbers, too few", len(x))
	}
	t.k.step, t.k.t, t.seen, t.points = x[0], int(x[1]), int(x[2]), int(x[3])
	anchored, found := int(x[4]), int(x[6])
	t.k.anchor, t.k.anchorLP = nil, x[5]
	x = x[head:]
	x = x[copy(t.k.scale, x):]
	x = x[copy(t.square, x):]
	x = x[copy(t.middle, x):]
	if anchored > 0 {
		t.k.anchor, t.k.anchorGrad = slices.Clone(x[:anchored]), slices.Clone(x[anchored:2*anchored])
	}
	x = x[2*anchored:]
	t.found, t.better = slices.Clone(x[:found]), slices.Clone(x[found:])
	return nil
}
