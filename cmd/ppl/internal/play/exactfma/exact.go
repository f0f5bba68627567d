// Package math is a part of the standard library's package of that name for the playground, whose processor is WebAssembly: it has
// no instruction for FMA, and the library computes it by integers of 128 bits, in four times the time.
// cmd/ppl/extra/play/build.sh puts this file beside the library's own (go build -overlay); the bits are the same.
package math

// FMA is x y + z, rounded once, by operations that round each (Boldo and Melquiond 2008, Emulation of a FMA and correctly rounded
// sums): the product and its error, two sums with their errors, and what is left rounded to odd.
func FMA(x, y, z float64) float64 {
	const most, least, split = 0x1p990, 0x1p-900, 0x1p27 + 1
	p := float64(x * y)
	size := Abs(p)
	switch {
	case x == 0 || y == 0:
		return p + z
	case !(size > least && size < most && Abs(x) < most && Abs(y) < most && Abs(z) < most):
		return fmaByIntegers(x, y, z) // errors might be no numbers, and infinities and NaN have none
	}
	cx, cy := float64(split*x), float64(split*y)
	xh, yh := cx-(cx-x), cy-(cy-y)
	xl, yl := x-xh, y-yh
	lost := ((float64(xh*yh) - p) + float64(xh*yl) + float64(xl*yh)) + float64(xl*yl)
	high, low := twoSum(z, lost)
	sum, rest := twoSum(p, high)
	odd, beyond := twoSum(low, rest)
	if bits := Float64bits(odd); beyond != 0 && bits&1 == 0 {
		if (beyond > 0) == (odd > 0) {
			bits++
		} else {
			bits--
		}
		odd = Float64frombits(bits)
	}
	return sum + odd
}

// twoSum is the rounded sum of two numbers, and what its rounding loses.
func twoSum(x, y float64) (sum, lost float64) {
	sum = x + y
	t := sum - x
	return sum, (x - (sum - t)) + (y - t)
}
