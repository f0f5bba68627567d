// Package autodiff holds values with derivatives and the machine that runs them.
// It knows no language. It is a facade: each of its names is at home in one of the
// packages below internal, in the order in which they import each other: graph; codegen;
// loop; grad, opt, nonfinite, symbolic; batch, demand.
//
// A Graph is a program in single-assignment form over vectors of float64: its
// nodes are built in topological order, shared by hash-consing, and simplified as
// they are made. Vectorize makes vectors of isomorphic scalar operations,
// Gradient appends the reverse-mode adjoints as further nodes (source
// transformation), Compile fuses operations on long vectors, drops what
// no root needs, schedules the rest so that equal scalar operations come in runs, assigns
// every value a place in one arena, and returns a Program: an immutable list of
// instructions. A Machine is a Program with its own arena; running it allocates nothing.
//
// Where package native has machine code for the processor, arithmetic between calls of
// kernels becomes blocks of it, in an order of its own; Graph.Interpret keeps it out.
// Both executors compute the same bits.
//
// A LaneMachine runs a program at several points in one pass; a lane's bits are those of
// a Machine.
//
// Tape is the second, independent way to a gradient: it records operations on
// concrete numbers and sweeps back over them. It is the oracle of the first.
//
// Graphs are not safe for concurrent use; Programs are; a Machine belongs to one
// goroutine.
package autodiff
