// The logistic functions.

package vec

import "math"

// log1pExp returns log(1 + e^x) without overflow.
func log1pExp(x float64) float64 {
	top := x
	if x < 0 {
		top = 0
	}
	return top + log1pUnit(exp(-math.Abs(x)))
}

// log1pUnit returns log(1 + e) for e between 0 and 1, in the same form as logSum but with
// a polynomial for the wider range, so that no exponent need be split off.
func log1pUnit(e float64) float64 {
	const (
		p0  = 0x1.5555555555555p-1
		p1  = 0x1.9999999999944p-2
		p2  = 0x1.2492492499d46p-2
		p3  = 0x1.c71c71bedea97p-3
		p4  = 0x1.745d19937b1fcp-3
		p5  = 0x1.3b13515f6f9efp-3
		p6  = 0x1.111abdc8abe16p-3
		p7  = 0x1.e0a2d581ab68fp-4
		p8  = 0x1.bc37f0140c19ep-4
		p9  = 0x1.32e0d25c9c761p-4
		p10 = 0x1.401d3e65cdc48p-3
	)
	s := e / (2 + e)
	z := s * s
	w := z * z
	w2 := w * w
	low := math.FMA(math.FMA(p3, z, p2), w, math.FMA(p1, z, p0))
	mid := math.FMA(math.FMA(p7, z, p6), w, math.FMA(p5, z, p4))
	top := math.FMA(p10, w, math.FMA(p9, z, p8))
	r := float64(z * math.FMA(math.FMA(top, w2, mid), w2, low))
	h := float64(0.5 * e * e)
	return e - (h - float64(s*(h+r)))
}

// invLogit returns 1/(1 + e^-x), accurate in both tails.
func invLogit(x float64) float64 {
	e := exp(-math.Abs(x))
	n := 1.0
	if x < 0 {
		n = e
	}
	d := 1 + e
	lost := e - (d - 1)
	inv := 1 / d
	q := n * inv
	rest := math.FMA(-q, lost, math.FMA(-q, d, n)) // of the division by d + lost
	return math.FMA(rest, inv, q)
}

// tanh returns the hyperbolic tangent: with u = e^(2|x|) - 1 it is u/(u+2), which is
// 1 - 2/(u+2).
func tanh(x float64) float64 {
	a := math.Abs(x)
	u := expm1(2 * a)
	n := u
	base := 0.0
	if a > 0.8 {
		n = -2
		base = 1
	}
	return math.Copysign(base+n/(2+u), x)
}

// log1mExp returns log(1 - e^x) for x <= 0: with k and r as in exp, 1 - e^x above -log(2) comes
// of e^r - 1, without cancellation; below it is like log1p.
func log1mExp(x float64) float64 {
	a := x
	if a < -746 {
		a = -746
	}
	t := math.FMA(a, log2e, rounder)
	k := t - rounder
	hi := math.FMA(-k, ln2Hi, a)
	r := math.FMA(-k, ln2Lo, hi)
	lo := math.FMA(-k, ln2Lo, hi-r)
	r2 := r * r
	g := r + math.FMA(r2, math.FMA(expCubic(r, r2), r, 0.5), lo)
	e := scale(1+g, t)
	near := -g
	if k < 0 {
		near = math.FMA(-0.5, g, 0.5)
	}
	v := 1 - e
	c := float64(1.7 * ((1 - v) - e)) // what v lost, over v, which is between 0.5 and 0.7 where k is not 0
	if x > -math.Ln2 {
		v = near
		c = 0
	}
	bias := 0x1p52 + 1023
	if rare(v < minNormal) {
		v = v * 0x1p54
		bias = 0x1p52 + 1023 + 54
	}
	u := math.Float64bits(v) + (oneBits - sqrtHalfBits)
	m := math.Float64frombits(u>>52|twoTo52Bits) - bias
	f := math.Float64frombits(u&mantissa+sqrtHalfBits) - 1
	if m == 0 {
		f = -e
		c = 0
	}
	y := logSum(f, m, c)
	if rare(!(x < 0)) {
		y = logEdge(-x)
	}
	return y
}
