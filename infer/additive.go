// This file defines densities whose terms are known one by one, for estimators that
// leave out of each coordinate's part what does not depend on it.

package infer

// Additive is a Model whose log density may be known as a sum of terms.
type Additive interface {
	// NewTerms returns them for one goroutine. The error says why they are not known.
	NewTerms() (Terms, error)
}

// Terms are the terms of a log density on the unconstrained scale, log Jacobian and
// all constants included.
type Terms interface {
	// Coords are the coordinates that each term depends on, ascending. The caller must
	// not change the slices.
	Coords() [][]int
	// Likelihood reports of each term whether it belongs to the likelihood; the others
	// are the prior's.
	Likelihood() []bool
	// LogTerms fills out with the terms at q, len(out) == len(Coords()).
	LogTerms(q, out []float64) error
}

// Located are Observations of which it is known which coordinates each depends on.
type Located interface {
	Observations
	// Coords are the coordinates of each observation, ascending.
	Coords() [][]int
}
