// Package mat is dense linear algebra that returns the same bits on every processor.
//
// It has the types and methods of gonum's package mat that this module needs, under the same names,
// so that they read as known. Gonum's own sums are assembly on one processor and loops on another, in
// another order, and the compiler fuses products in them where there is an instruction for it. Here
// sums and products are those of packages vec and dense, which are defined to the bit, and all other
// arithmetic is rounded once in the order written.
//
// Matrices are row-major. An empty (zero) value of a type takes the size of the first result that is
// written into it; any other must have the size of the result. Sizes that do not fit are errors of
// the caller, and panic. A result may be one of the operands of its operation.
//
// Values may be read by several goroutines, and written by one.
package mat
