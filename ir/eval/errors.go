// What can go wrong while a program runs.

package eval

import (
	"errors"
	"fmt"

	"github.com/seed-12b88e03/ppl/lang/source"
)

// An Error is a failure of the user's program at run time, with the statement or
// expression where it happened.
type Error struct {
	Span source.Span
	Text string
	Help string // what to do; may be empty
	// Reject reports that only the present point is rejected (a domain error, reject());
	// otherwise the run must stop (an index out of range, sizes that do not fit,
	// fatal_error()).
	Reject bool
	// Table reports that what is too large is a table over discrete parameters: their
	// joint density can still be had at single values.
	Table bool
	// Undrawable reports that the density is positive here, but that no data can be drawn: a
	// count beyond what an integer holds.
	Undrawable bool
	// Cause is the error of the library function that failed; nil for others.
	Cause error
}

// Unwrap returns Cause.
func (e *Error) Unwrap() error { return e.Cause }

// Error returns file:line:column and the text.
func (e *Error) Error() string {
	if e.Span.IsZero() {
		return e.Text
	}
	return e.Span.String() + ": " + e.Text
}

// Place is file:line:column, empty where it is not known.
func (e *Error) Place() string {
	if e.Span.IsZero() {
		return ""
	}
	return e.Span.String()
}

// Reason is the text without the place.
func (e *Error) Reason() string { return e.Text }

// Recoverable reports whether the error rejects a point rather than the run.
func (e *Error) Recoverable() bool { return e.Reject }

// CannotDraw reports whether it is other data that could be drawn; see infer.IsUndrawable.
func (e *Error) CannotDraw() bool { return e.Undrawable }

// stop is how errors travel inside the evaluator; run turns it back into an error.
type stop struct{ err error }

func fail(at source.Span, format string, args ...any) {
	panic(stop{&Error{Span: at, Text: fmt.Sprintf(format, args...)}})
}

// failWith reports a library function's error at a place.
func failWith(at source.Span, err error) {
	var r interface{ Recoverable() bool }
	reject := errors.As(err, &r) && r.Recoverable()
	panic(stop{&Error{Span: at, Text: err.Error(), Reject: reject, Cause: err}})
}

// guarded calls f and returns the error that it stopped with.
func guarded(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stop:
			err = r.err
		default:
			panic(r)
		}
	}()
	f()
	return nil
}
