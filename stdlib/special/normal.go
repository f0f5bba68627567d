// This file holds the normal quantile function.

package special

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// NormalQuantile is the inverse of NormalCDF.
func NormalQuantile(p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p > 0.1 && p < 0.9:
		return math.Sqrt2 * libm.Erfinv(2*p-1)
	case p > 0.5:
		return -lowerQuantile(libm.Log1p(-p))
	}
	return lowerQuantile(libm.Log(p))
}

// NormalLogQuantile is the inverse of NormalLogCDF: the quantile of the probability
// exp(l).
func NormalLogQuantile(l float64) float64 {
	switch {
	case !(l <= 0):
		return math.NaN()
	case l > -0.1:
		return -lowerQuantile(Log1mExp(l))
	case l > -2.3:
		return math.Sqrt2 * libm.Erfinv(2*libm.Exp(l)-1)
	}
	return lowerQuantile(l)
}

// lowerQuantile inverts NormalLogCDF far below 0 by Newton's method, from the leading
// term of the tail's asymptotic form.
func lowerQuantile(l float64) float64 {
	if math.IsInf(l, -1) {
		return l
	}
	z := -math.Sqrt(math.Max(1, float64(-2*l)-libm.Log(math.Max(1, -4*math.Pi*l))))
	for range 20 {
		v, d := NormalLogCDF(z)
		step := (v - l) / d
		z -= step
		if math.Abs(step) < 1e-15*math.Abs(z) {
			break
		}
	}
	return z
}

// NormalLogDensity is the logarithm of NormalDensity.
func NormalLogDensity(z float64) float64 { return float64(-0.5*z*z) - halfLogTwoPi }
