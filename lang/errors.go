package lang

// This file renders errors for people, all in the form in which problems are shown.

import (
	"errors"
	"strings"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// ErrorText renders an error of this package: problems of a program, failures while it
// runs and faults of the data with their source line and a caret, all others as one
// line. The text ends in a line end.
func ErrorText(err error) string {
	var compile *CompileError
	var run *eval.Error
	var wrong *data.Error
	switch {
	case errors.As(err, &compile):
		var b strings.Builder
		_ = problem.WriteText(&b, compile.Problems, problem.Options{}) // a Builder does not fail
		return b.String()
	case errors.As(err, &run):
		return RunProblem(err, run).Text()
	case errors.As(err, &wrong):
		return wrong.Text()
	}
	return "error: " + err.Error() + "\n"
}

// RunProblem gives a failure at run time as a problem; err wraps cause and may say
// more about the circumstances, which becomes a note.
func RunProblem(err error, cause *eval.Error) problem.Problem {
	p := problem.Problem{Code: "run-time", Span: cause.Span, Message: cause.Text}
	if cause.Reject {
		p.Code = "rejected"
	}
	if around := strings.TrimSuffix(err.Error(), cause.Error()); around != err.Error() {
		if around = strings.TrimRight(around, ": "); around != "" {
			p.Notes = append(p.Notes, problem.Note{Message: around})
		}
	}
	var start *infer.InitError
	if errors.As(err, &start) {
		p.Help = "give starting values with --init, or narrow the range they are drawn from: --init 0.5"
		if len(p.Notes) > 0 {
			p.Notes[0].Message = strings.TrimSuffix(p.Notes[0].Message, "the last try") + "the last try failed here"
		}
	}
	return p
}
