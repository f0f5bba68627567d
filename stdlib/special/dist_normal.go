// This file holds the normal distribution function and its logarithm, with accurate tails.

package special

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// Erfcx is exp(x*x) erfc(x); +Inf where that overflows (x below about -26).
func Erfcx(x float64) float64 {
	if x < 12 {
		return libm.Exp(x*x) * libm.Erfc(x)
	}
	// The asymptotic series; its terms fall below 1e-17 before they grow.
	w := 0.5 / (x * x)
	s, term := 1.0, 1.0
	for k := 1.0; k < 60; k += 2 {
		term = float64(term * (-k * w))
		s += term
		if math.Abs(term) < 1e-17 {
			break
		}
	}
	return s / (x * math.Sqrt(math.Pi))
}

// NormalCDF is the standard normal distribution function.
func NormalCDF(z float64) float64 { return float64(0.5 * libm.Erfc(-z*(math.Sqrt2/2))) }

// NormalLogCDF is the logarithm of NormalCDF, and its derivative (the inverse
// Mills ratio of -z).
func NormalLogCDF(z float64) (v, dv float64) {
	const sqrt2OverPi = 0.79788456080286535588
	switch {
	case z > 0:
		q := float64(0.5 * libm.Erfc(z*(math.Sqrt2/2)))
		return libm.Log1p(-q), NormalDensity(z) / (1 - q)
	case math.IsInf(z, -1):
		return z, math.Inf(1)
	}
	e := Erfcx(-z * (math.Sqrt2 / 2))
	return libm.Log(0.5*e) - float64(0.5*z*z), sqrt2OverPi / e
}

// NormalDensity is the standard normal density.
func NormalDensity(z float64) float64 {
	const invSqrtTwoPi = 0.39894228040143267794
	return invSqrtTwoPi * libm.Exp(-0.5*z*z)
}
