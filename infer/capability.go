// This file defines what some methods need beyond a target. A model's evaluator
// implements what it can; methods ask with Capability and name what is missing.

package infer

import (
	"fmt"
	"math/rand/v2"
)

// Tempered is a target whose prior and likelihood are separate terms of one
// evaluation. Both include all constants, so that the normalising constant of
// prior + likelihood is log p(y).
type Tempered interface {
	Target
	// LogDensityParts returns the log prior, log Jacobian of the constraint
	// transforms included, and the log likelihood at q.
	LogDensityParts(q []float64) (prior, likelihood float64, err error)
	// LogDensityPartsGrad also fills grad with the gradient of
	// prior + beta*likelihood.
	LogDensityPartsGrad(q []float64, beta float64, grad []float64) (prior, likelihood float64, err error)
}

// PriorSampler draws from the prior: proper, and truncated where a constraint says so.
type PriorSampler interface {
	// DrawPrior fills q with an independent draw on the unconstrained scale.
	DrawPrior(r *rand.Rand, q []float64) error
}

// A MissingError says that a model lacks what a method needs.
type MissingError struct {
	Method string // who asks
	Needs  string // what for, in words: "a proper prior to start from"
	Reason error  // why the model has none; may be nil
}

// Error implements error.
func (e *MissingError) Error() string {
	if e.Reason == nil {
		return fmt.Sprintf("%s needs %s, which this model does not have", e.Method, e.Needs)
	}
	return fmt.Sprintf("%s needs %s, which this model does not have: %v", e.Method, e.Needs, e.Reason)
}

// Unwrap returns the reason.
func (e *MissingError) Unwrap() error { return e.Reason }
