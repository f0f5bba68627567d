// Exponentials, logarithms and powers.

package libm

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// Exp gives e^x, within 1 unit in the last place.
func Exp(x float64) float64 { return vec.ExpOf(x) }

// Expm1 gives e^x - 1, within 1 unit in the last place.
func Expm1(x float64) float64 { return vec.Expm1Of(x) }

// Log gives the natural logarithm, within 1 unit in the last place.
func Log(x float64) float64 { return vec.LogOf(x) }

// Log1p gives log(1 + x), within 1 unit in the last place.
func Log1p(x float64) float64 { return vec.Log1pOf(x) }

// Pow gives x^y, within 1 unit in the last place.
func Pow(x, y float64) float64 { return vec.Pow(x, y) }

// Tanh gives the hyperbolic tangent, within 2 units in the last place.
func Tanh(x float64) float64 { return vec.TanhOf(x) }

// Exp2 gives 2^x, within 1 unit in the last place.
func Exp2(x float64) float64 { return vec.Pow(2, x) }

// Log2 gives the logarithm to base 2, exactly for powers of 2.
func Log2(x float64) float64 {
	if x > 0.5 && x < 2 {
		return Log(x) * (1 / math.Ln2)
	}
	fraction, exponent := math.Frexp(x)
	if fraction == 0.5 {
		return float64(exponent - 1)
	}
	return math.FMA(Log(fraction), 1/math.Ln2, float64(exponent))
}

// Log10 gives the logarithm to base 10.
func Log10(x float64) float64 { return Log2(x) * (math.Ln2 / math.Ln10) }

// halfRange is beyond where the exponential of half an argument must be squared, lest that of
// the whole overflow.
const halfRange = 709

// Sinh gives the hyperbolic sine.
func Sinh(x float64) float64 {
	a := math.Abs(x)
	if a > halfRange {
		e := Exp(a / 2)
		return math.Copysign(e/2*e, x)
	}
	u := Expm1(a)
	return math.Copysign((u+u/(u+1))/2, x)
}

// Cosh gives the hyperbolic cosine.
func Cosh(x float64) float64 {
	a := math.Abs(x)
	if a > halfRange {
		e := Exp(a / 2)
		return e / 2 * e
	}
	e := Exp(a)
	return (e + 1/e) / 2
}

// Hypot gives the root of x^2 + y^2 without overflow or underflow on the way, within 1 unit in
// the last place.
func Hypot(x, y float64) float64 {
	if math.IsInf(x, 0) || math.IsInf(y, 0) {
		return math.Inf(1)
	}
	a, b := math.Abs(x), math.Abs(y)
	if a < b {
		a, b = b, a
	}
	const far, shift = 0x1p500, 0x1p600
	switch {
	case a > far:
		return root(a/shift, b/shift) * shift
	case a < 1/far:
		return root(a*shift, b*shift) / shift
	}
	return root(a, b)
}

func root(a, b float64) float64 { return math.Sqrt(math.FMA(a, a, float64(b*b))) }
