// Sine and cosine of numbers that are not large.

package vec

import "math"

// sine is sin for |x| <= nearest.
func sine(x float64) float64 {
	u, r, lo := quadrant(x)
	return turned(u, r, lo)
}

// cosine is cos for |x| <= nearest.
func cosine(x float64) float64 {
	u, r, lo := quadrant(x)
	return turned(u+1, r, lo)
}

// Pi/2 in three parts.
const (
	halfPi1 = 0x1.921fb54442d18p+0
	halfPi2 = 0x1.1a62633145c07p-54
	halfPi3 = -0x1.f1976b7ed8fbcp-110
)

// quadrant writes x as k pi/2 + r + lo with |r| <= pi/4 or little more; u has k's last bits.
// The first product is taken off exactly, of the second what rounding loses is kept.
func quadrant(x float64) (u uint64, r, lo float64) {
	const twoOverPi = 0x1.45f306dc9c883p-1
	t := math.FMA(x, twoOverPi, rounder)
	k := t - rounder
	a := math.FMA(-k, halfPi1, x)
	b := float64(k * halfPi2)
	lost := math.FMA(k, halfPi2, -b)
	r = a - b
	lo = math.FMA(-k, halfPi3, ((a-r)-b)-lost)
	return math.Float64bits(t), r, lo
}

// turned returns the sine of u quarters of a turn plus r + lo: that of r + lo, its cosine, or
// minus one of these.
func turned(u uint64, r, lo float64) float64 {
	z := float64(r * r)
	y := math.Copysign(r+sineTail(r, lo, z), r)
	one, tail := cosineParts(r, lo, z)
	if math.Float64frombits((u&1)<<62) != 0 {
		y = one + tail
	}
	return math.Float64frombits(math.Float64bits(y) ^ (u&2)<<62)
}

// sineTail is the sine of r + lo less r, where z is r^2.
func sineTail(r, lo, z float64) float64 {
	const (
		s1 = -0x1.5555555555555p-3
		s2 = 0x1.1111111110bb3p-7
		s3 = -0x1.a01a019e83c62p-13
		s4 = 0x1.71de3796a8d6dp-19
		s5 = -0x1.ae600b1f186ccp-26
		s6 = 0x1.5e0b232228793p-33
	)
	w := z * z
	h := float64(0.5 * z)
	s := math.FMA(math.FMA(math.FMA(s6, z, s5), w, math.FMA(s4, z, s3)), w, math.FMA(s2, z, s1))
	return math.FMA(z*r, s, math.FMA(-h, lo, lo))
}

// cosineParts is the cosine of r + lo as a sum, whose first part is 1 - z/2 rounded.
func cosineParts(r, lo, z float64) (one, tail float64) {
	const (
		c1 = 0x1.5555555555555p-5
		c2 = -0x1.6c16c16c16967p-10
		c3 = 0x1.a01a019f4ebc2p-16
		c4 = -0x1.27e4fa17e7aabp-22
		c5 = 0x1.1eeb68f5cb27fp-29
		c6 = -0x1.907dab82778c2p-37
	)
	w := z * z
	h := float64(0.5 * z)
	c := math.FMA(math.FMA(math.FMA(c6, z, c5), w, math.FMA(c4, z, c3)), w, math.FMA(c2, z, c1))
	one = 1 - h
	return one, ((1 - one) - h) + math.FMA(-r, lo, float64(w*c))
}
