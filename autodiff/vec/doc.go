// Package vec computes elementary functions and sums over vectors of float64 with the
// vector instructions of the processor.
//
// The scalar Go functions of this package (exp.go, log.go, ...) define what is computed,
// to the bit: every operation in them is rounded once, in the order written, and what
// they call math.FMA is one. The assembly of amd64 is compiled from their source by the
// program in gen, so AVX-512, AVX2 and portable Go give the same bits (for NaN: a NaN).
// A result does not depend on an element's place in the vector. Sums are those of a
// machine with 8 accumulators, see reduce.go.
//
// Which instructions are used is found out once, when the program starts; Name tells.
//
// Functions take slices of equal length. The result may be an argument's own slice, but
// must not overlap it otherwise. Nothing outside the slices is read or written. All
// functions may be called from several goroutines.
package vec

//go:generate go run gen/main.go gen/read.go gen/emit.go gen/alloc.go gen/reduce.go gen/linear.go gen/terms.go
