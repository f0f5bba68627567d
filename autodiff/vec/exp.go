// The exponential functions.

package vec

import "math"

const (
	log2e = 0x1.71547652b82fep+0
	// ln2Hi has 42 bits, so that its product with an exponent is exact.
	ln2Hi = 0x1.62e42fefa38p-1
	ln2Lo = 0x1.ef35793c7673p-45
	// rounder rounds to an integer what is added to it, and keeps it in its low bits.
	rounder     = 0x1.8p52
	rounderBits = 0x4338000000000000
)

// exp returns e^x: x = k ln 2 + r with |r| <= ln(2)/2, then a polynomial in r.
func exp(x float64) float64 {
	if x > 710 {
		x = 710
	}
	if x < -746 {
		x = -746
	}
	t := math.FMA(x, log2e, rounder)
	k := t - rounder
	hi := math.FMA(-k, ln2Hi, x)
	r := math.FMA(-k, ln2Lo, hi)
	lo := math.FMA(-k, ln2Lo, hi-r)
	r2 := r * r
	tail := math.FMA(r2, math.FMA(expCubic(r, r2), r, 0.5), lo)
	return scale(1+(r+tail), t)
}

// expm1 returns e^x - 1. It adds 1 - 2^-k to e^r - 1, the larger part exactly, and
// scales by 2^k at the end. As the two may cancel, the square of r is carried with what
// its rounding loses.
func expm1(x float64) float64 {
	a := x
	if a > 710 {
		a = 710
	}
	if a < -40 {
		a = -40
	}
	t := math.FMA(a, log2e, rounder)
	k := t - rounder
	hi := math.FMA(-k, ln2Hi, a)
	r := math.FMA(-k, ln2Lo, hi)
	lo := math.FMA(-k, ln2Lo, hi-r)
	w := scale(1, rounder-k)
	h := 1 - w
	r2 := r * r
	lost := math.FMA(0.5, math.FMA(r, r, -r2), lo)
	tail := math.FMA(r2, 0.5, math.FMA(r2*r, expCubic(r, r2), lost)) + ((1 - h) - w)
	sum := h + r
	b := sum - h
	err := (h - (sum - b)) + (r - b)
	y := scale(sum+(err+tail), t)
	return math.Copysign(y, x)
}

// expCubic returns (e^r - 1 - r - r^2/2)/r^3 for |r| <= ln(2)/2, to 2^-58 of e^r - 1: the
// Chebyshev interpolant, coefficients rounded.
func expCubic(r, r2 float64) float64 {
	const (
		c1  = 0x1.5555555555556p-3
		c2  = 0x1.5555555555555p-5
		c3  = 0x1.11111111109b5p-7
		c4  = 0x1.6c16c16c167e2p-10
		c5  = 0x1.a01a01a7c2f03p-13
		c6  = 0x1.a01a01a47a594p-16
		c7  = 0x1.71de0db2f585ep-19
		c8  = 0x1.27e4e1f721817p-22
		c9  = 0x1.af389ed28db09p-26
		c10 = 0x1.1f66d94a3bcd6p-29
	)
	r4 := r2 * r2
	low := math.FMA(math.FMA(c4, r, c3), r2, math.FMA(c2, r, c1))
	mid := math.FMA(math.FMA(c8, r, c7), r2, math.FMA(c6, r, c5))
	top := math.FMA(c10, r, c9)
	return math.FMA(math.FMA(top, r4, mid), r4, low)
}

// scale returns p times 2^k, rounded once, where t is k + rounder. Two factors keep the
// exponents of both in range.
func scale(p, t float64) float64 {
	n := math.Float64bits(t) - (rounderBits - 2*1023)
	h := n >> 1
	return float64(p * math.Float64frombits(h<<52) * math.Float64frombits((n-h)<<52))
}
