// The logarithms.

package vec

import "math"

const (
	minNormal    = 0x1p-1022
	mantissa     = 1<<52 - 1
	oneBits      = 0x3ff0000000000000
	sqrtHalfBits = 0x3fe6a09e667f3bcd
	twoTo52Bits  = 0x4330000000000000
)

// log returns the natural logarithm: x = 2^k (1 + f) with 1 + f between sqrt(1/2) and
// sqrt(2).
func log(x float64) float64 {
	y := x
	bias := 0x1p52 + 1023
	if rare(x < minNormal) {
		y = x * 0x1p54
		bias = 0x1p52 + 1023 + 54
	}
	u := math.Float64bits(y) + (oneBits - sqrtHalfBits)
	k := math.Float64frombits(u>>52|twoTo52Bits) - bias
	f := math.Float64frombits(u&mantissa+sqrtHalfBits) - 1
	y = logSum(f, k, 0)
	if rare(!(x > 0 && x <= math.MaxFloat64)) {
		y = logEdge(x)
	}
	return y
}

// logPositive is log of a positive normal number.
func logPositive(x float64) float64 {
	u := math.Float64bits(x) + (oneBits - sqrtHalfBits)
	k := math.Float64frombits(u>>52|twoTo52Bits) - (0x1p52 + 1023)
	return logSum(math.Float64frombits(u&mantissa+sqrtHalfBits)-1, k, 0)
}

// logEdge is the logarithm of what is not a positive finite number.
func logEdge(x float64) float64 {
	y := x
	if x < 0 {
		y = math.NaN()
	}
	if x == 0 {
		y = math.Inf(-1)
	}
	return y
}

// log1p returns log(1 + x). It carries what 1 + x loses in rounding along as a
// correction; near 0, where k is 0, f is x itself.
func log1p(x float64) float64 {
	v := 1 + x
	b := v - 1
	lost := (1 - (v - b)) + (x - b)
	u := math.Float64bits(v) + (oneBits - sqrtHalfBits)
	e := u >> 52
	k := math.Float64frombits(e|twoTo52Bits) - (0x1p52 + 1023)
	f := math.Float64frombits(u&mantissa+sqrtHalfBits) - 1
	// 1/(1+f) to one part in a hundred is enough for the correction; half of it, so that
	// the other factor, 2^(1-k), is a number for all k.
	half := math.FMA(math.FMA(0.457, f, -0.5405), f, 0.5025)
	c := lost * math.Float64frombits((2*1023+1-e)<<52) * half
	if k == 0 {
		f = x
		c = 0
	}
	y := math.Copysign(logSum(f, k, c), x)
	if rare(!(x > -1 && x <= math.MaxFloat64)) {
		y = logEdge(v)
	}
	return y
}

// logSum returns log(1 + f) + k ln 2 + c, 1 + f being between sqrt(1/2) and sqrt(2). With
// s = f/(2 + f), log(1 + f) is 2s + s^3 P(s^2), and 2s is f - s f: that keeps the
// leading term exact.
func logSum(f, k, c float64) float64 {
	const (
		p0 = 0x1.5555555555558p-1
		p1 = 0x1.99999999952e2p-2
		p2 = 0x1.2492492df1492p-2
		p3 = 0x1.c71c62e57fa3fp-3
		p4 = 0x1.7462b4ab4c062p-3
		p5 = 0x1.39fe60617ce73p-3
		p6 = 0x1.2b584add1c619p-3
	)
	s := f / (2 + f)
	z := s * s
	w := z * z
	even := math.FMA(math.FMA(math.FMA(p6, w, p4), w, p2), w, p0)
	odd := math.FMA(math.FMA(p5, w, p3), w, p1)
	r := float64(z * math.FMA(odd, z, even))
	h := float64(0.5 * f * f)
	low := math.FMA(s, h+r, math.FMA(k, ln2Lo, c))
	return math.FMA(k, ln2Hi, f-(h-low))
}

// splitLog splits a positive normal number into a factor between sqrt(1/2) and sqrt(2)
// and the exponent of a power of two: of a product of many numbers, the logarithm is
// that of the product of the factors, plus ln 2 times the sum of the exponents.
func splitLog(x float64) (factor, exponent float64) {
	u := math.Float64bits(x) + (oneBits - sqrtHalfBits)
	k := math.Float64frombits(u>>52|twoTo52Bits) - (0x1p52 + 1023)
	return math.Float64frombits(u&mantissa + sqrtHalfBits), k
}

// rare says that a condition is seldom met: vector code jumps over what it guards
// unless some lane meets it. Then all lanes compute it, and only those keep it.
func rare(c bool) bool { return c }
