// Package dense multiplies, factors and solves with dense matrices, and gives the
// reverse rules of what it computes: the building blocks of densities with a covariance
// matrix and of Gaussian processes.
//
// Everything is done on views of the caller's slices (Matrix) and in place, so that
// triangles, blocks and transposes cost nothing. Large operations are split, by halves,
// into products of matrices, and these into tiles of 12 by 4 numbers that stay in
// registers (Goto and van de Geijn 2008). Small ones are plain loops.
//
// A result is defined to the bit: an element of a product is, for each stretch of depth
// rows of the sum, a chain of FMAs from zero in the order of the sum, added to what was
// there; a tile in assembly does what tilePortable does. Sizes alone decide how an
// operation is split.
//
// All functions may be called from several goroutines. Scratch memory comes from a pool
// that they share, so nothing is allocated once it is warm. Sizes that do not fit and
// views that overlap are errors of the caller, which are not looked for.
package dense
