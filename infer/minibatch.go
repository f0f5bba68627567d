// This file defines targets whose likelihood can be evaluated in part.

package infer

// Subsampled is a target whose log likelihood is a sum of terms, one for each
// observation.
type Subsampled interface {
	Target
	// Terms is the number of terms.
	Terms() int
	// LogDensityGradTerms is LogDensityGrad with the sum over the likelihood's
	// terms replaced by Terms()/len(terms) times the sum over the given ones,
	// counted from 0: an unbiased estimate of both if they are drawn at random.
	LogDensityGradTerms(q []float64, terms []int, grad []float64) (float64, error)
}
