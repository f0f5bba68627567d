// This file declares the result that the incomplete gamma and beta functions share.

package special

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// Tails describes a distribution function at a point: both tails, the density, and
// the derivatives with respect to the shape parameters. Each field is accurate by
// itself, however small the tail.
type Tails struct {
	P, Q       float64 // lower and upper tail
	LogP, LogQ float64
	LogDensity float64 // log of dP/dx

	// Derivatives of LogP and LogQ with respect to the first and second shape
	// parameter (a and b; b is only there for IncBeta).
	LogPA, LogQA float64
	LogPB, LogQB float64
}

// fromLogP fills in the upper tail from the lower one and its logarithm.
func (t *Tails) fromLogP() {
	t.LogP = math.Min(t.LogP, 0)
	t.P = libm.Exp(t.LogP)
	if t.P < 0.5 {
		t.Q, t.LogQ = 1-t.P, libm.Log1p(-t.P)
	} else {
		t.Q = -libm.Expm1(t.LogP)
		t.LogQ = libm.Log(t.Q)
	}
	r := t.P / t.Q
	t.LogQA, t.LogQB = negTimes(r, t.LogPA), negTimes(r, t.LogPB)
}

// negTimes is -r*d with 0 where r vanishes.
func negTimes(r, d float64) float64 {
	if r == 0 || d == 0 {
		return 0
	}
	return -r * d
}

// swapped exchanges the tails, and the parameters with them.
func (t Tails) swapped() Tails {
	t.P, t.Q = t.Q, t.P
	t.LogP, t.LogQ = t.LogQ, t.LogP
	t.LogPA, t.LogQA, t.LogPB, t.LogQB = t.LogQB, t.LogPB, t.LogQA, t.LogPA
	return t
}

// exchanged exchanges the tails alone.
func (t Tails) exchanged() Tails {
	t.P, t.Q = t.Q, t.P
	t.LogP, t.LogQ = t.LogQ, t.LogP
	t.LogPA, t.LogQA = t.LogQA, t.LogPA
	t.LogPB, t.LogQB = t.LogQB, t.LogPB
	return t
}

// Log1mExp is log(1 - exp(x)) for x <= 0.
func Log1mExp(x float64) float64 {
	if x > -math.Ln2 {
		return libm.Log(-libm.Expm1(x))
	}
	return libm.Log1p(-libm.Exp(x))
}
