// Package libm is a C mathematical library (libm) that returns the same bits on every processor.
//
// Go's package math does not: on some processors a function is assembly, one of them asks for the
// instructions there are, and where there is an instruction for it the compiler fuses a product with
// the sum it goes into. What the draws of a seed, a verdict or a printed number depend on calls this
// package instead, under the same names. Where autodiff/vec has a kernel of the same name, the
// function has its bits. Every operation is rounded once in the order written, and what is called
// math.FMA is one.
//
// Special cases are those of package math, which are C's. Each function's comment has its largest
// error in units of the last place, which the tests measure against series of 1200 bits. All
// functions may be called from several goroutines.
package libm
