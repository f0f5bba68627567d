// This file defines targets with whole-number coordinates.

package infer

// Mixed is a target over reals and whole numbers: of its Dim() coordinates the
// last len(Whole()) are whole numbers, stored as floats. The gradient has no
// meaning for these; kernels that need it refuse such targets.
type Mixed interface {
	Target
	// Whole gives the ranges of the whole-number coordinates, in order; nil if
	// there are none. The caller must not change the slice.
	Whole() []Range
}

// Range is a range of whole numbers, both ends included; an infinite end is
// open.
type Range struct{ Low, High float64 }
