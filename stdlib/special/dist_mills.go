// This file holds the Mills ratio of the normal distribution.

package special

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// Mills is R(x) = Phi(x)/phi(x), the ratio of the normal distribution function to
// the density; it overflows above about 37.
func Mills(x float64) float64 {
	if x < -1e9 {
		return -1 / x
	}
	return 1 / vec.Hazard.At(x)
}

// MillsSlope is the derivative of Mills, 1 + x R(x), which is positive.
func MillsSlope(x float64) float64 { return MillsSlopeOf(x, Mills(x)) }

// MillsSlopeOf is MillsSlope where r is Mills(x).
func MillsSlopeOf(x, r float64) float64 {
	if x > -8 {
		return 1 + float64(x*r)
	}
	// 1 - 1/w + 3/w^2 - 15/w^3 ... is -x R(x) for w = x*x.
	w := 1 / (x * x)
	s, term := 0.0, 1.0
	for k := 1.0; k < 100; k += 2 {
		next := float64(-term * k * w)
		if math.Abs(next) >= math.Abs(term) {
			break
		}
		term = next
		s -= term
		if math.Abs(term) < 1e-18*s {
			break
		}
	}
	return s
}
