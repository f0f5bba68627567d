// Package bind joins a program with data and makes it run: it checks the data's
// sizes and constraints, evaluates transformed data, lays the parameters out on the
// unconstrained scale, and compiles the log density, its gradient, and the values
// that a draw reports.
//
// A Model is immutable after Bind but for a cache of compiled traces, which is safe
// for concurrent use; every goroutine works with an Evaluator of its own.
//
// Programs are recorded by running the evaluator of package ir/eval at a point.
// Where the model's control flow depends on parameters the recording is valid only
// as long as the same branches are taken, which its guards check; at other points
// another recording is looked up or made.
//
// A recording computes what its results need, and what may reject the point (package trace). The
// reference interpreter decides wherever a program fails or has no finite result.
package bind
