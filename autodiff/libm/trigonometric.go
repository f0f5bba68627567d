// Sine, cosine, tangent and their inverses.

package libm

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// Sin returns the sine of an angle in radians, within 1 unit in the last place.
func Sin(x float64) float64 { return vec.SinOf(x) }

// Cos returns the cosine of an angle in radians, within 1 unit in the last place.
func Cos(x float64) float64 { return vec.CosOf(x) }

// Sincos returns Sin(x) and Cos(x).
func Sincos(x float64) (sin, cos float64) { return vec.SincosOf(x) }

// Tan returns the tangent of an angle in radians, within 1 unit in the last place.
func Tan(x float64) float64 { return vec.TanOf(x) }

// Atan returns the angle in radians whose tangent is x, within 1 unit in the last place.
func Atan(x float64) float64 { return Atan2(x, 1) }

// Asin returns the angle in radians whose sine is x, within 1 unit in the last place.
func Asin(x float64) float64 {
	a := math.Abs(x)
	if !(a <= 1) {
		return math.NaN()
	}
	c, cl := leg(a)
	high, low := angle(a, 0, c, cl)
	return math.Copysign(high+low, x)
}

// Acos returns the angle in radians whose cosine is x, within 1 unit in the last place.
func Acos(x float64) float64 {
	a := math.Abs(x)
	if !(a <= 1) {
		return math.NaN()
	}
	s, sl := leg(a)
	high, low := angle(s, sl, a, 0)
	if x < 0 {
		high, low = halfTurnLess(high, low)
	}
	return high + low
}

// leg returns the root of 1 - a^2 for a from 0 to 1 as a sum of two numbers: both factors of
// (1-a)(1+a) are taken with what their rounding loses.
func leg(a float64) (high, low float64) {
	u, ul := sum(1, -a)
	v, vl := sum(1, a)
	w := float64(u * v)
	wl := math.FMA(u, v, -w) + math.FMA(u, vl, float64(v*ul))
	return rootTwofold(w, wl)
}

// rootTwofold returns the root of w + wl as a sum of two numbers.
func rootTwofold(w, wl float64) (high, low float64) {
	if w == 0 {
		return 0, 0
	}
	high = math.Sqrt(w)
	return high, (math.FMA(-high, high, w) + wl) / (2 * high)
}

// sum writes a + b, where |a| is not below |b|, as a number and what its rounding lost.
func sum(a, b float64) (high, low float64) {
	high = a + b
	return high, b - (high - a)
}

// Atan2 returns the angle in radians of the point (x, y), from -pi to pi, within 1 unit in the last
// place.
func Atan2(y, x float64) float64 {
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.NaN()
	}
	a, b := scaled(math.Abs(x), math.Abs(y))
	high, low := angle(b, 0, a, 0)
	if math.Signbit(x) {
		high, low = halfTurnLess(high, low)
	}
	return math.Copysign(high+low, y)
}

// scaled returns numbers of the same quotient that neither overflow nor underflow in sums and products;
// those of two infinities are equal.
func scaled(a, b float64) (float64, float64) {
	if math.IsInf(a, 1) || math.IsInf(b, 1) {
		return 0x1p1000 * infinite(a), 0x1p1000 * infinite(b)
	}
	switch top := math.Max(a, b); {
	case top > 0x1p900:
		return a * 0x1p-200, b * 0x1p-200
	case top < 0x1p-500:
		return a * 0x1p600, b * 0x1p600
	}
	return a, b
}

// infinite is 1 for infinity and 0 for every other number.
func infinite(a float64) float64 {
	if math.IsInf(a, 1) {
		return 1
	}
	return 0
}

// Pi/2 in two parts.
const (
	quarterTurn    = 0x1.921fb54442d18p+0
	quarterTurnLow = 0x1.1a62633145c07p-54
)

func halfTurnLess(high, low float64) (float64, float64) {
	h, l := sum(2*quarterTurn, -high)
	return h, l + (2*quarterTurnLow - low)
}

// angle returns the angle of the point (x + xl, y + yl) of the first quadrant, as a sum of two
// numbers.
func angle(y, yl, x, xl float64) (high, low float64) {
	if y <= x {
		return octant(y, yl, x, xl)
	}
	high, low = octant(x, xl, y, yl)
	h, l := sum(quarterTurn, -high)
	return h, l + (quarterTurnLow - low)
}

// eighths are the angles whose tangents are k/8, in two parts.
var eighths = [...][2]float64{
	{0x0.0p+0, 0x0.0p+0},
	{0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
	{0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
	{0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
	{0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
	{0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
	{0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
	{0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
	{0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
}

// octant is angle for y <= x: the angle whose tangent is c, the multiple of 1/8 that is nearest to
// y/x, and that of (y - cx)/(x + cy), whose size is at most 1/16, by a polynomial (a Chebyshev
// interpolant of error 2^-70).
func octant(y, yl, x, xl float64) (high, low float64) {
	if y == 0 {
		return 0, 0
	}
	if q := y / x; q < 0x1p-40 {
		return q, 0
	}
	k := math.Floor(8*y/x + 0.5)
	c := k / 8
	n := math.FMA(-c, x, y)
	nl := math.FMA(-c, xl, yl)
	d := math.FMA(c, y, x)
	dl := math.FMA(c, y, x-d) + math.FMA(c, yl, xl)
	t := n / d
	tl := (math.FMA(-t, d, n) + math.FMA(-t, dl, nl)) / d
	const (
		a0 = -0x1.5555555555555p-2
		a1 = 0x1.999999999994ep-3
		a2 = -0x1.249249245ad84p-3
		a3 = 0x1.c71c6fedc5733p-4
		a4 = -0x1.745985823fa36p-4
		a5 = 0x1.37e5c23359f8fp-4
	)
	z := float64(t * t)
	p := math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(a5, z, a4), z, a3), z, a2), z, a1), z, a0)
	e := eighths[int(k)]
	if k == 0 {
		return t, math.FMA(float64(t*z), p, tl)
	}
	high, low = sum(e[0], t)
	return high, low + (e[1] + math.FMA(float64(t*z), p, tl))
}
