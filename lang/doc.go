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
// Nothing here prints. ErrorText renders any error of this package for people, with
// the source line and a caret where there is one.
//
// Ownership and concurrency. A Program and a Model are immutable and may be used from
// several goroutines at once. A Method may be run from several goroutines, but must
// not be changed by Set meanwhile.
package lang
