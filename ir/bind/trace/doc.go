// Package trace records the walk of the reference interpreter over a program as a graph of
// package autodiff.
//
// A Recorder receives what the interpreter does (Recorder implements eval.LoopRecorder and
// eval.DrawRecorder), expands calls of the library (record.go), traces a loop once for all
// iterations that do the same operations (trace_loop.go), and keeps what each call requires as an
// obligation until it is discharged (checks.go, checks_discharge.go). A Traced keeps the compiled
// programs of one function of the point, which apply where their guards hold; a Runner runs them
// in one goroutine.
package trace
