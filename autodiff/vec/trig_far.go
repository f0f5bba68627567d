// Sine and cosine of all numbers.

package vec

import (
	"math"
	"math/bits"
)

// nearest is up to where quadrant is exact enough: quotients then have 30 bits.
const nearest = 0x1p30

// sin returns the sine of x.
func sin(x float64) float64 {
	if math.Abs(x) <= nearest {
		return sine(x)
	}
	u, r, lo := quadrantFar(math.Abs(x))
	return math.Float64frombits(math.Float64bits(turned(u, r, lo)) ^ math.Float64bits(x)&(1<<63))
}

// cos returns the cosine of x.
func cos(x float64) float64 {
	if math.Abs(x) <= nearest {
		return cosine(x)
	}
	u, r, lo := quadrantFar(math.Abs(x))
	return turned(u+1, r, lo)
}

// twoOverPiBits holds 2/pi, after 64 zeros, as bits behind the point.
var twoOverPiBits = [...]uint64{0,
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
	0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
	0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
	0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
}

// quadrantFar is quadrant for any finite positive x of at least 1 (Payne and Hanek, Radian
// Reduction for Trigonometric Functions, 1983): of 2/pi it takes the 192 bits whose products
// with x matter, those before them giving whole turns.
func quadrantFar(x float64) (u uint64, r, lo float64) {
	if !(x <= math.MaxFloat64) {
		return 0, math.NaN(), 0
	}
	b := math.Float64bits(x)
	m := b&mantissa | 1<<52
	start := 64 + int(b>>52) - 1075 - 2 // x is m 2^e; turns are whole beyond bit e-2
	word, shift := start/64, uint(start%64)
	var part [3]uint64
	for i := range part {
		part[i] = twoOverPiBits[word+i]<<shift | twoOverPiBits[word+i+1]>>(64-shift)
	}
	h2, low := bits.Mul64(m, part[2])
	h1, l1 := bits.Mul64(m, part[1])
	mid, carry := bits.Add64(l1, h2, 0)
	high, _ := bits.Add64(m*part[0], h1, carry)
	// Of the fraction of a turn the first two bits are the quadrant.
	u = high >> 62
	high, mid = high<<2|mid>>62, mid<<2|low>>62
	sign := 1.0
	if high>>63 != 0 { // nearer to the next one
		u++
		sign = -1
		var borrow uint64
		mid, borrow = bits.Sub64(0, mid, 0)
		high, _ = bits.Sub64(0, high, borrow)
	}
	zeros := uint(bits.LeadingZeros64(high))
	high, mid = high<<zeros|mid>>(64-zeros), mid<<zeros
	scale := math.Ldexp(sign, -int(zeros))
	first := float64(float64(high>>11) * 0x1p-53 * scale)
	second := float64(float64(high<<53>>11|mid>>22) * 0x1p-106 * scale)
	r = float64(first * halfPi1)
	lo = math.FMA(second, halfPi1, math.FMA(first, halfPi2, math.FMA(first, halfPi1, -r)))
	return u, r, lo
}
