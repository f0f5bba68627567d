// Package cmdstan lets ppl stand in for CmdStan: it lays out a folder that other programs
// take for an installation, makes executables of models, and answers the arguments and
// writes the files that CmdStan does.
//
// Contract. The argument tree is one table (table.go); parsing, echoing, help and the
// JSON of a run all read it. Every method writes CSV files with CmdStan's columns and
// comments. What is computed is ppl's: random numbers, and so draws, differ from
// CmdStan's, and where a method of ppl has no such setting (the step length eta of
// variational inference, the first step of the optimisers) the argument is accepted and
// without effect; see the package's files for each method.
//
// lp__ is the log density without the constants that "~" drops, as CmdStan has it.
//
// Nothing here has global state. A command runs in one goroutine, chains in their own.
//
// The formats are those of the CmdStan User's Guide, version 2.37.
package cmdstan

// The version that the folder claims to be.
const (
	versionMajor = 2
	versionMinor = 37
	versionPatch = 0
)
