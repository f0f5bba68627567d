package lang

// This file renders errors for people, all in the form in which problems are shown.

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// ErrorText renders an error of this package: problems of a program, failures while it
// runs and faults of the data with their source line and a caret, all others as one
// line. The text ends in a line end.
func ErrorText(err error) string {
	var compile *CompileError
	var run *eval.Error
	var wrong *data.Error
	var misfit *DataError
	var method *MethodError
	switch {
	case errors.As(err, &method):
		return method.Problem.Text()
	case errors.As(err, &misfit):
		return misfit.text()
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

// RunProblem returns a failure at run time as a problem; err wraps cause and may say
// more about the circumstances, which becomes a note.
func RunProblem(err error, cause *eval.Error) problem.Problem {
	p := problem.Problem{Code: "run-time", Span: cause.Span, Message: cause.Text, Help: cause.Help}
	if cause.Reject {
		p.Code = "rejected"
	}
	if around := strings.TrimSuffix(err.Error(), cause.Error()); around != err.Error() {
		if around = strings.TrimRight(around, ": "); around != "" {
			p.Notes = append(p.Notes, problem.Note{Message: around})
		}
	}
	if start, ok := errors.AsType[*infer.InitError](err); ok {
		p.Help = "give a fit starting values with ppl run --init FILE, or narrow the range they are drawn from: ppl run --init 0.5"
		if start.Same {
			p.Help = "every try failed with these very words: if no parameter is involved, the data or the model are at fault; otherwise give a fit starting values with ppl run --init FILE"
		}
		if len(p.Notes) > 0 {
			if random, ok := strings.CutSuffix(p.Notes[0].Message, "the last try"); ok {
				p.Notes[0].Message = random + "the last try failed here"
			}
		}
	}
	return p
}

// locate adds to a search for initial points that met a density that is not finite which
// statement is the first to make it so.
func (m *Model) locate(err error) {
	var start *infer.InitError
	var run *eval.Error
	if errors.As(err, &start) && !errors.As(err, &run) {
		start.Last = m.located(start.Point, start.Last)
	}
}

// located adds to the reason why there is no finite density at a point which statement is the
// first to make it so.
func (m *Model) located(point []float64, reason error) error {
	terms, err := m.bound.PlainTerms(point, true)
	if err != nil {
		return reason
	}
	for _, t := range terms {
		x := t.Value.X[0]
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return &eval.Error{Span: t.At, Text: fmt.Sprintf("%v; this statement adds %v", reason, x), Reject: true}
		}
	}
	return reason
}

// explain reports why the model rejected points on the way of the chains.
func (m *Model) explain(p *infer.Posterior) {
	for _, c := range p.Chains {
		for i, r := range c.Rejections {
			switch r.Cause {
			case infer.ErrZeroDensity, infer.ErrNaNDensity, infer.ErrInfiniteDensity:
				c.Rejections[i].Cause = m.located(r.Point, r.Cause)
			}
		}
	}
	p.ExplainRejections()
}

// A DataError says that data and program do not fit together: it adds to the error of
// binding the place of the other side.
type DataError struct {
	Err      error       // an *eval.Error with a place in the program, or a *data.Error with one in the data
	Variable string      // the data variable
	Declared source.Span // where the program declares it
	given    *data.Error // where the data have it; nil where they do not
	meant    string      // name in the data that was probably meant by the variable's, which is not there; empty: none
}

// Error is that of Err.
func (e *DataError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *DataError) Unwrap() error { return e.Err }

// newDataError finds the data variable that an error of binding is about; other errors
// come back as they are.
func newDataError(p *ir.Program, in *data.Set, err error) error {
	var run *eval.Error
	var wrong *data.Error
	at, name := source.Span{}, ""
	switch {
	case errors.As(err, &run):
		at = run.Span
	case errors.As(err, &wrong):
		name, _, _ = strings.Cut(wrong.Variable, "[")
		name, _, _ = strings.Cut(name, ".")
	}
	for _, v := range p.Data {
		if v.Name != name && (at.IsZero() || v.Loc != at) {
			continue
		}
		e := &DataError{Err: err, Variable: v.Name, Declared: v.Loc}
		if given := in.Vars[v.Name]; given != nil && run != nil {
			errors.As(in.ErrorAtElement(given, run.Text, "", ""), &e.given)
		}
		if wrong != nil && wrong.Code == "data-missing" && wrong.Variable == v.Name {
			e.meant = meant(p, in, v.Name)
		}
		return e
	}
	return err
}

// meant is the name in the data that is closest to one that is not there, of those that are no other variable.
func meant(p *ir.Program, in *data.Set, name string) string {
	free := slices.DeleteFunc(slices.Clone(in.Names()), func(there string) bool {
		return slices.ContainsFunc(p.Data, func(v *ir.Var) bool { return v.Name == there })
	})
	return check.Nearest(name, free)
}

// text renders the error with a note about the other side.
func (e *DataError) text() string {
	var run *eval.Error
	var wrong *data.Error
	switch {
	case errors.As(e.Err, &wrong):
		text := wrong.Text() + "  note: " + e.Declared.String() + ": declared here\n"
		if e.meant != "" {
			text += fmt.Sprintf("  help: did you mean %q? Name it %s in the data\n", e.meant, e.Variable)
		}
		return text
	case errors.As(e.Err, &run):
		text := (&problem.Problem{Code: "data-constraint", Span: run.Span, Message: run.Text}).Text()
		if e.given != nil {
			if place, known := e.given.Place(); known {
				_, excerpt, _ := strings.Cut(e.given.Text(), "\n")
				text += fmt.Sprintf("  note: %s: the value of %s\n%s", place, e.given.Variable, excerpt)
			}
		}
		if run.Help != "" {
			text += "  help: " + run.Help + "\n"
		}
		return text
	}
	return e.Err.Error() + "\n"
}
