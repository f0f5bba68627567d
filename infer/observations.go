// This file defines what generalised objectives need: losses other than the log
// likelihood, and divergences by parameter.

package infer

// Observations is a target whose likelihood is a product over observations, each
// with a density p(z|q) that is normalised over z for every q.
type Observations interface {
	Target
	// Observations is their number n.
	Observations() int
	// LogTerms fills l, of length n, with log p(y_i|q) and, where powers is not
	// nil, powers[i] with the log of the integral of p(z|q)^c over z, for discrete
	// observations the sum.
	LogTerms(q []float64, c float64, l, powers []float64) error
	// PullTerms adds to grad the gradient at q of the sum of byL[i]*l[i] +
	// byPowers[i]*powers[i]; a nil byPowers stands for zeros.
	PullTerms(q []float64, c float64, byL, byPowers, grad []float64) error
}

// Named is a Model that knows what its coordinates are called.
type Named interface {
	// UnconstrainedNames are the names of the coordinates in order, those of
	// parameter theta being "theta" or "theta.1", "theta.2" and so on. The caller
	// must not change the slice.
	UnconstrainedNames() []string
}
