// Package eval runs the IR on concrete numbers: the reference interpreter. It is the
// meaning of the language; the compiled programs of package ir/bind must agree with
// it, and it serves itself where speed does not matter: transformed data, generated
// quantities with random numbers, simulation.
//
// With a Recorder attached the evaluator also reports every operation on values that
// depend on the recorder's input, so that the same walk yields a gradient on a tape
// (TapeRecorder, the oracle) or an optimised program (ir/bind). Control flow, indices
// and sizes follow the concrete numbers; where they depend on the input the recorder makes a
// guard.
//
// A Simulation (simulate.go) makes the same walk draw parameters and observations where
// it would otherwise evaluate their densities.
//
// A Machine belongs to one goroutine; the ir.Program it runs is shared.
package eval
