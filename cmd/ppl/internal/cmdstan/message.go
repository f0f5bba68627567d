package cmdstan

// This file is errors in CmdStan's words, which other programs show as they are, and match.

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// A message is an error whose text is complete: a sentence, as CmdStan writes them.
type message struct{ error }

// Unwrap returns what the text was made of.
func (m message) Unwrap() error { return m.error }

// says makes a message.
func says(format string, args ...any) error { return message{fmt.Errorf(format, args...)} }

// report shows an error: a message as it is, any other in CmdStan's words on a line that
// programs look for, and below it in ppl's way.
func report(w io.Writer, err error) {
	if _, ok := errors.AsType[message](err); ok {
		fmt.Fprintln(w, err)
		return
	}
	text := lang.ErrorText(err)
	rest, plain := strings.CutPrefix(text, "error: ")
	switch first := exception(err); {
	case first != "":
		fmt.Fprintf(w, "Exception: %s\n%s", first, text)
	case plain:
		fmt.Fprint(w, "Error: "+rest)
	default:
		fmt.Fprint(w, "Exception: "+text)
	}
}

// exception is CmdStan's wording of a failure of the program or the data, with the place as
// stanc writes it; empty where there is none.
func exception(err error) string {
	var unfit *data.Error
	var run *eval.Error
	switch {
	case errors.As(err, &unfit) && mismatch(unfit) != "":
		at := ""
		if misfit, ok := errors.AsType[*lang.DataError](err); ok {
			at = in(misfit.Declared)
		}
		return told(mismatch(unfit), "data initialization", unfit.Variable, unfit.Message) + at
	case errors.As(err, &run):
		return run.Text + in(run.Span)
	}
	return ""
}

// mismatch is CmdStan's phrase for data that do not fit the declaration; empty where it has none.
func mismatch(e *data.Error) string {
	switch {
	case e.Code == "data-missing":
		return "variable does not exist"
	case e.Code == "data-size":
		return "mismatch in dimension declared and found in context"
	case e.Code == "data-type" && strings.HasPrefix(e.Message, "the program declares int,"):
		return "int variable contained non-int values"
	}
	return ""
}

// told says what is wrong with a variable among the data or the initial values; declared is our
// message, which begins with what the program declares.
func told(what, stage, name, declared string) string {
	base := "double"
	if strings.Contains(declared, " int,") || strings.Contains(declared, " int ") {
		base = "int"
	}
	name, _, _ = strings.Cut(name, "[")
	return fmt.Sprintf("%s; processing stage=%s; variable name=%s; base type=%s", what, stage, name, base)
}

// in is a place as stanc writes it: lines from 1, columns from 0.
func in(at source.Span) string {
	if at.IsZero() {
		return ""
	}
	from, to := at.Position(), at.File.Position(at.End)
	end := fmt.Sprintf("column %d", to.Column-1)
	if to.Line != from.Line {
		end = fmt.Sprintf("line %d, %s", to.Line, end)
	}
	return fmt.Sprintf(" (in '%s', line %d, column %d to %s)", at.File.Name, from.Line, from.Column-1, end)
}
