// Powers.

package vec

import "math"

// Pow returns x^y, the same bits as PowVV, PowVS and PowSV.
func Pow(x, y float64) float64 { return pow(x, y) }

// pow returns x^y as the exponential of y log|x|, both in two parts: the logarithm is good to
// 2^-64, so that of the product, which is at most 746, some 2^-55 is lost.
func pow(x, y float64) float64 {
	b := math.Abs(x)
	bias := 0x1p52 + 1023
	if rare(b < minNormal) {
		b = b * 0x1p54
		bias = 0x1p52 + 1023 + 54
	}
	u := math.Float64bits(b) + (oneBits - sqrtHalfBits)
	k := math.Float64frombits(u>>52|twoTo52Bits) - bias
	h, l := logTwofold(math.Float64frombits(u&mantissa+sqrtHalfBits)-1, k)
	t := float64(y * h)
	lo := math.FMA(y, l, math.FMA(y, h, -t))
	if t > 800 {
		t = 800
		lo = 0
	}
	if t < -800 {
		t = -800
		lo = 0
	}
	p := expTwofold(t, lo)
	if rare(!(x > 0 && x <= math.MaxFloat64 && math.Abs(y) <= math.MaxFloat64) || y == 1) {
		p = powEdge(x, y, p)
	}
	return p
}

// logTwofold returns log(1 + f) + k ln 2 as a sum of two numbers; 1 + f is between sqrt(1/2) and
// sqrt(2). With s = f/(2 + f), log(1 + f) is 2 s (1 + z (1/3 + z R(z))) where z is s^2: of s, z and
// all but R rounding errors are carried along.
func logTwofold(f, k float64) (high, low float64) {
	const (
		third   = 0x1.5555555555555p-2
		thirdLo = 0x1.5555555555555p-56
		r0      = 0x1.999999999999ap-3
		r1      = 0x1.2492492492492p-3
		r2      = 0x1.c71c71c71c71cp-4
		r3      = 0x1.745d1745d1746p-4
		r4      = 0x1.3b13b13b13b14p-4
		r5      = 0x1.1111111111111p-4
		r6      = 0x1.e1e1e1e1e1e1ep-5
		r7      = 0x1.af286bca1af28p-5
		r8      = 0x1.8618618618618p-5
		r9      = 0x1.642c8590b2164p-5
	)
	d := 2 + f
	inv := 1 / d
	s := float64(f * inv)
	sl := float64(math.FMA(-s, f-(d-2), math.FMA(-s, d, f)) * inv)
	z := float64(s * s)
	zl := math.FMA(2*s, sl, math.FMA(s, s, -z))
	z2 := z * z
	top := math.FMA(math.FMA(r9, z, r8), z2, math.FMA(r7, z, r6))
	mid := math.FMA(math.FMA(r5, z, r4), z2, math.FMA(r3, z, r2))
	q := float64(z * math.FMA(math.FMA(top, z2*z2, mid), z2, math.FMA(r1, z, r0)))
	g := third + q
	gl := (q - (g - third)) + thirdLo
	w := float64(z * g)
	wl := math.FMA(zl, g, math.FMA(z, gl, math.FMA(z, g, -w)))
	p := float64(s * w)
	pl := math.FMA(s, wl, math.FMA(s, w, -p))
	e := s + p
	el := (p - (e - s)) + (pl + math.FMA(sl, w, sl))
	c := float64(k * ln2Hi)
	e = float64(2 * e)
	high = c + e
	low = (e - (high - c)) + math.FMA(k, ln2Lo, float64(2*el))
	return high, low
}

// expTwofold returns e^(x + lo), x being between -800 and 800 and lo tiny beside it.
func expTwofold(x, lo float64) float64 {
	t := math.FMA(x, log2e, rounder)
	k := t - rounder
	hi := math.FMA(-k, ln2Hi, x)
	lo = math.FMA(-k, ln2Lo, lo)
	r := hi + lo
	r2 := r * r
	tail := math.FMA(r2, math.FMA(expCubic(r, r2), r, 0.5), (hi-r)+lo)
	return scale(1+(r+tail), t)
}

// powEdge corrects p, the power of |x| where that is positive and finite, for all other
// arguments, as C defines them.
func powEdge(x, y, p float64) float64 {
	small := 0.0 // 1 for 0, -1 for infinities
	if x == 0 {
		small = 1
	}
	if x > math.MaxFloat64 || x < -math.MaxFloat64 {
		small = -1
	}
	if small*y > 0 {
		p = 0
	}
	if small*y < 0 {
		p = math.Inf(1)
	}
	if x == -1 {
		p = 1
	}
	half := float64(0.5 * math.Abs(y)) // how far it is from an integer tells even, odd and neither
	if half > 0x1p52 {
		half = 0x1p52
	}
	off := math.Abs(half - ((half + 0x1p52) - 0x1p52))
	if half < 0.25 { // which may have been rounded to 0
		off = half + 0.125
	}
	if off == 0.5 {
		p = math.Copysign(p, x)
	}
	if x < 0 && x >= -math.MaxFloat64 && off != 0 && off != 0.5 {
		p = math.NaN()
	}
	if x != x || y != y {
		p = math.NaN()
	}
	if y == 1 {
		p = x
	}
	if x == 1 || y == 0 {
		p = 1
	}
	return p
}
