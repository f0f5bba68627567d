// Package lang is what Go programs embed: it compiles a model, binds it to data, runs
// inference methods and explains errors. It is the one place that knows the order of
// the phases:
//
//	parser.Parse -> check.Check -> lower.Program -> bind.Bind -> infer.Method.Run
//
// A fit in a few lines:
//
//	prog, err := lang.CompileFile("eight_schools.ppl", lang.Options{})
//	in, err := prog.ReadDataFile("eight_schools.json")
//	model, err := prog.Bind(in, lang.BindOptions{Seed: 1})
//	method, err := prog.Method("nuts(draws = 500)")
//	fit, err := model.Run(ctx, method, lang.RunOptions{Seed: 1})
//	// fit.Summaries, fit.Findings, fit.Posterior.Draws
//
// Log densities, log evidence and evidence lower bounds are natural logarithms, in nats. A
// model without data is bound to nil.
//
// Errors are told apart by errors.As and errors.Is:
//
//   - *CompileError: a program or a method expression is wrong; it has a list of problems,
//     each with its place. A Program with errors gives it for all that needs a right one.
//   - *DataError, *data.Error: the data do not fit the program, or are not readable; both
//     know the place.
//   - *MethodError: the model lacks what a method needs.
//   - *MismatchError: the draws of a fit are not of the model's parameters.
//   - *eval.Error: a statement failed while the model ran. infer.IsReject says that the model
//     only has no density at that point, which samplers take as density zero.
//   - *infer.PanicError: a bug of this module.
//   - the cause of a context that ended, from what gives no part of its result then.
//
// Nothing here prints. ErrorText renders any error of this package for people, with
// the source line and a caret where there is one.
//
// Ownership and concurrency. A Program and a Model are immutable and may be used from
// several goroutines at once. A Method may be run from several goroutines, but must
// not be changed by Set meanwhile.
package lang
