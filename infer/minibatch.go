// This file defines targets whose likelihood can be evaluated in part.

package infer

// Subsampled is a target whose log likelihood is a sum of terms, one for each
// observation.
type Subsampled interface {
	Target
	// Terms is the number of terms; the error is the reason why the likelihood is no such sum.
	Terms() (int, error)
	// LogDensityGradTerms is LogDensityGrad with the sum over the likelihood's
	// terms replaced by Terms()/len(terms) times the sum over the given ones,
	// counted from 0: an unbiased estimate of both if they are drawn at random.
	// A term listed twice counts twice; no terms at all give what belongs to none: the
	// prior, with the log Jacobian. Terms must have succeeded before.
	LogDensityGradTerms(q []float64, terms []int, grad []float64) (float64, error)
}

// Minibatches is t as a target whose likelihood can be evaluated in part, and the number
// of its terms. The error is a *MissingError of the method that asks.
func Minibatches(method string, t Target) (Subsampled, int, error) {
	missing := &MissingError{Method: method, Needs: "a log likelihood that is a sum over observations"}
	s, ok := Capability[Subsampled](t)
	if !ok {
		return nil, 0, missing
	}
	n, err := s.Terms()
	if err != nil {
		missing.Reason = err
		return nil, 0, missing
	}
	return s, n, nil
}
