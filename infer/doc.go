// Package infer defines what an inference method is, and runs Markov chains.
//
// The way of a fit:
//
//	Model --NewEvaluator--> Evaluator (one a goroutine)
//	Method.Run(ctx, Model, Options) --> Posterior
//
// A Method sees a Model, which is a vector function with names: a log density
// on the unconstrained scale, and Write, which turns an unconstrained point
// into a row of named values. It knows nothing of programs or data.
//
// A Markov method is a Kernel, which moves a State in place and leaves its
// target invariant, and a Tuner, which adapts the kernel while the run loop
// (RunMarkov) is in warm-up. The loop does everything else: initial points,
// chains on goroutines, thinning, recording, cancelling.
//
// # Failures
//
// There are three kinds and they do not mix. A rejection (IsReject) says that
// the log density has no value at this point; kernels treat it as density
// zero. Any other error from an evaluator stops the run. A panic is a bug: the
// run loop catches it in its goroutine and returns a *PanicError.
//
// # Ownership and concurrency
//
// A Model is shared and read-only. An Evaluator, a Kernel, a Tuner and a State
// belong to one goroutine at a time. An Observer's methods are called one
// after the other for one chain, but for several chains at the same time.
//
// # Randomness
//
// Each chain has its own streams (package rng), so the result depends on the
// seed alone and not on Options.Jobs or GOMAXPROCS.
package infer
