// This file defines what a method is given: targets, evaluators, models.

package infer

import (
	"errors"
	"math/rand/v2"
)

// Target is a log density over R^n, known up to a constant.
//
// Both functions may return an error. If IsReject(err), the density is zero at
// q; otherwise the run must stop. A value of -Inf without an error also means
// density zero. Neither function keeps or changes q.
type Target interface {
	// Dim is n.
	Dim() int
	// LogDensity returns the log density at q, len(q) == Dim().
	LogDensity(q []float64) (float64, error)
	// LogDensityGrad also fills grad, len(grad) == Dim(), with the gradient.
	// After an error the content of grad means nothing.
	LogDensityGrad(q, grad []float64) (float64, error)
}

// Evaluator is a Target that can also turn a point into a row of named values.
// It has scratch memory and so belongs to one goroutine; what it returns must
// depend on its arguments only, never on earlier calls.
type Evaluator interface {
	Target
	// Write fills out, len(out) == len(Model.Columns()), with the constrained
	// parameters, transformed parameters and generated quantities at q. The
	// stream serves the generated quantities. On a rejection the run goes on
	// with what is in out; the caller has filled it with NaN before.
	Write(q []float64, rng *rand.Rand, out []float64) error
}

// Model is a program bound to data: the shared, read-only part.
type Model interface {
	// Dim is the number of unconstrained coordinates.
	Dim() int
	// Columns are the names of the values in a row, in order, in the form
	// "theta.1.2". The caller must not change the slice.
	Columns() []string
	// NewEvaluator returns an evaluator for one goroutine.
	NewEvaluator() Evaluator
}

// Recoverable is implemented by errors that only reject the point they were
// met at. Packages that define such errors need not import this one.
type Recoverable interface {
	error
	Recoverable() bool
}

// IsReject reports whether err, or an error it wraps, is recoverable.
func IsReject(err error) bool {
	var r Recoverable
	return errors.As(err, &r) && r.Recoverable()
}

// IsUndrawable reports whether err, or an error it wraps, means that no data can be drawn given
// parameters at which the density is positive. Who draws others instead works with another
// prior, and must count how often.
func IsUndrawable(err error) bool {
	var r interface {
		error
		CannotDraw() bool
	}
	return errors.As(err, &r) && r.CannotDraw()
}

// Reject returns a recoverable error with the given text.
func Reject(text string) error { return &reject{text} }

type reject struct{ text string }

func (r *reject) Error() string     { return r.text }
func (r *reject) Recoverable() bool { return true }

// Wrapper is a Target that adds something to another one.
type Wrapper interface {
	Target
	Unwrap() Target
}

// Capability looks for T in t and in the targets that t wraps. Methods ask
// with it for what they need beyond a Target.
func Capability[T any](t Target) (T, bool) {
	for {
		if c, ok := t.(T); ok {
			return c, true
		}
		w, ok := t.(Wrapper)
		if !ok {
			var none T
			return none, false
		}
		t = w.Unwrap()
	}
}
