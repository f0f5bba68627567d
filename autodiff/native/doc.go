// Package native turns straight lines of arithmetic on numbers in one arena into machine
// code and runs it. It knows nothing of graphs or derivatives.
//
// The unit is a list of Insts in which every value is computed once (a block). Build
// makes executable memory of some blocks: registers are given out in one pass forward,
// the value whose next use is furthest away leaves first. A block is a leaf function of
// one argument, the arena's address; it calls nothing, does not loop, and touches no
// memory but the arena and its own constants.
//
// There are encoders for amd64 with AVX2 and FMA, on Linux and Darwin, and for arm64, on
// Linux; Reason says why there is no native code elsewhere. Both are behind one allocator
// (processor), and tested against an assembler on every system. Memory is never writable
// and executable at the same time. It is unmapped when its Code is no longer reachable.
//
// What a block computes equals, bit for bit, what Go computes with the same operations
// on float64 (a NaN is a NaN, whatever its payload).
//
// The runtime cannot preempt machine code that it does not know, so a garbage collection
// waits for a block to end. Callers keep blocks below MaxBlock instructions, some tenths
// of a millisecond.
//
// Code is immutable and may be run by any number of goroutines on arenas of their own.
package native
