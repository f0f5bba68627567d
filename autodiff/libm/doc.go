// Package libm has elementary functions that give the same bits on every processor.
//
// Go's package math does not: on some processors a function is assembly, and where there is
// an instruction for it the compiler fuses a product with the sum it goes into. What the draws
// of a seed depend on calls this package instead. Where autodiff/vec has a kernel of the same
// name, the function has its bits. Every operation is rounded once in the order written, and
// what is called math.FMA is one.
//
// Special cases are those of package math. All functions may be called from several goroutines.
package libm
