// Functions of one number, called by name: the same bits as the kernels.

package vec

import "math"

// LargerOf returns the larger number, or the number beside NaN.
func LargerOf(x, y float64) float64 { return larger(x, y) }

// SmallerOf returns the smaller number, or the number beside NaN.
func SmallerOf(x, y float64) float64 { return smaller(x, y) }

// EqualOf returns 1 for equal numbers, else 0.
func EqualOf(x, y float64) float64 { return equal(x, y) }

// ExpOf returns e^x.
func ExpOf(x float64) float64 { return exp(x) }

// Expm1Of returns e^x - 1.
func Expm1Of(x float64) float64 { return expm1(x) }

// LogOf returns the natural logarithm.
func LogOf(x float64) float64 { return log(x) }

// Log1pOf returns log(1 + x).
func Log1pOf(x float64) float64 { return log1p(x) }

// TanhOf returns the hyperbolic tangent.
func TanhOf(x float64) float64 { return tanh(x) }

// ErfOf returns the error function.
func ErfOf(x float64) float64 { return erf(x) }

// ErfcOf returns the complement of the error function.
func ErfcOf(x float64) float64 { return erfc(x) }

// SinOf returns the sine of an angle in radians.
func SinOf(x float64) float64 { return sin(x) }

// CosOf returns the cosine of an angle in radians.
func CosOf(x float64) float64 { return cos(x) }

// SincosOf returns the sine and the cosine, and reduces the angle once for both.
func SincosOf(x float64) (sine, cosine float64) {
	u, r, lo := quadrantOf(x)
	s, c := turned(u, r, lo), turned(u+1, r, lo)
	return math.Copysign(1, x) * s, c
}

// quadrantOf is the reduction of |x|: quadrant where that is exact enough, quadrantFar beyond.
func quadrantOf(x float64) (u uint64, r, lo float64) {
	if a := math.Abs(x); a > nearest {
		return quadrantFar(a)
	} else {
		return quadrant(a)
	}
}

// TanOf returns the tangent: sine and cosine are both sums of a large and a small part, of whose
// quotient nothing but the last rounding is lost.
func TanOf(x float64) float64 {
	u, r, lo := quadrantOf(x)
	z := float64(r * r)
	s, sl := twofold(r, sineTail(r, lo, z))
	one, tail := cosineParts(r, lo, z)
	c, cl := twofold(one, tail)
	if u&1 != 0 {
		s, sl, c, cl = c, cl, -s, -sl
	}
	if s == 0 {
		return math.Copysign(s, x)
	}
	q := s / c
	rest := math.FMA(-q, c, s) + math.FMA(-q, cl, sl)
	return math.Copysign(1, x) * (q + rest/c)
}

// twofold writes a + b, where a is the larger, as a number and what its rounding lost.
func twofold(a, b float64) (sum, lost float64) {
	sum = a + b
	return sum, b - (sum - a)
}

// ErfInvOf returns the number whose error function is x: the quantile of (1+x)/2, divided by the root
// of two. Near 0 it is x times a polynomial.
func ErfInvOf(x float64) float64 {
	if !(math.Abs(x) < 1) {
		return math.Copysign(math.Inf(1), x) * edge(math.Abs(x))
	}
	w := -logPositive((1 - x) * (1 + x))
	if w < 4 {
		return float64(0.5*math.Sqrt2/2*x) * quantileCentre(w)
	}
	p, q := float64(0.5*(1+x)), float64(0.5*(1-x))
	return normalQuantileTail(p, q) * (math.Sqrt2 / 2)
}

// edge is 1 at 1, and NaN beyond it and for what is no number.
func edge(a float64) float64 {
	if a == 1 {
		return 1
	}
	return math.NaN()
}

// LogTwofold returns the logarithm of the positive number x + lo, lo being tiny beside x, as a sum of two
// numbers that is good to 2^-62.
func LogTwofold(x, lo float64) (high, low float64) {
	shift := 0.0
	if x < minNormal {
		x, lo, shift = x*0x1p54, lo*0x1p54, 54
	}
	u := math.Float64bits(x) + (oneBits - sqrtHalfBits)
	k := math.Float64frombits(u>>52|twoTo52Bits) - (0x1p52 + 1023)
	m := math.Float64frombits(u&mantissa + sqrtHalfBits)
	high, low = logTwofold(m-1, k-shift)
	return twofold(high, low+lo/x)
}

// Log1pTwofold is LogTwofold of 1 + x + lo for x from 0 to 0.4, with as good a relative error.
func Log1pTwofold(x, lo float64) (high, low float64) {
	high, low = logTwofold(x, 0)
	return twofold(high, low+lo/(1+x))
}
