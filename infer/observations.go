// This file defines what generalised objectives need: losses other than the log
// likelihood, and divergences by parameter.

package infer

// Observed is a Model whose likelihood may be a product over observations, each
// with a density p(z|q) that is normalised over z for every q.
type Observed interface {
	// NewObservations returns them for one goroutine, with power integrals of order
	// c; 0 stands for none. The error, a *MissingError or one with a place in the
	// program, says why the likelihood is no such product.
	NewObservations(c float64) (Observations, error)
}

// Observations are the factors of a likelihood.
type Observations interface {
	// Len is their number n.
	Len() int
	// LogTerms fills l, of length n, with log p(y_i|q) and powers, unless there are
	// none, with the log of the integral of p(z|q)^c over z, for discrete
	// observations the sum. Factors that do not depend on q may be left out of all.
	LogTerms(q, l, powers []float64) error
	// PullTerms adds to grad the gradient at q of the sum of byL[i]*l[i] +
	// byPowers[i]*powers[i].
	PullTerms(q, byL, byPowers, grad []float64) error
}

// Selected are Observations of which some can be had alone, at the costs of these.
type Selected interface {
	Observations
	// Select returns those of the given numbers, counted from 0; nil where that is not known.
	Select(terms []int) Observations
}

// Batched are Observations of which a few can be evaluated at the costs of a few.
type Batched interface {
	Observations
	// Batch returns so many of them; nil where that is not known.
	Batch(size int) ObservationBatch
}

// An ObservationBatch are some observations among all.
type ObservationBatch interface {
	Observations
	// Choose says which ones, counted from 0, as many as there are.
	Choose(terms []int)
}

// Named is a Model that knows what its coordinates are called.
type Named interface {
	// UnconstrainedNames are the names of the coordinates in order, those of
	// parameter theta being "theta" or "theta.1", "theta.2" and so on. The caller
	// must not change the slice.
	UnconstrainedNames() []string
}
