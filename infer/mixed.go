// This file defines targets with whole-number coordinates.

package infer

import "math/rand/v2"

// Mixed is a target over reals and whole numbers: of its Dim() coordinates the
// last len(Whole()) are whole numbers, stored as floats. The gradient has no
// meaning for these; kernels that need it refuse such targets.
type Mixed interface {
	Target
	// Whole returns the ranges of the whole-number coordinates, in order; nil if
	// there are none. The caller must not change the slice.
	Whole() []Range
}

// Range is a range of whole numbers, both ends included; an infinite end is
// open.
type Range struct{ Low, High float64 }

// DrawWhole replaces the whole-number coordinates of q by a draw from their full
// conditional given the others. It returns false where the target cannot draw all of them at once.
func DrawWhole(t Target, q []float64, r *rand.Rand) (bool, error) {
	m, ok := Capability[Mixed](t)
	if !ok || len(m.Whole()) == 0 {
		return false, nil
	}
	c, ok := Capability[Conditionals](t)
	if !ok || c.Dim() != len(q) {
		return false, nil
	}
	first := len(q) - len(m.Whole())
	for i, b := range c.Blocks() {
		if b.Exact && len(b.Coords) == len(m.Whole()) && b.Coords[0] == first {
			return true, c.DrawBlocks([]int{i}, q, r)
		}
	}
	return false, nil
}

// A WholeDrawer is a Kernel that can start with whole numbers drawn given the rest. A
// start at which the whole numbers have probability zero is tried once more so: where some
// values exclude others, hardly any combination that chance proposes is possible.
type WholeDrawer interface {
	Kernel
	// DrawWhole is the function DrawWhole on the kernel's target.
	DrawWhole(r *rand.Rand, q []float64) (bool, error)
}
