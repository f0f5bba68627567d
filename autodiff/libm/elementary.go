// Exponentials, logarithms, powers and roots.

package libm

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// Exp returns e^x, within 1 unit in the last place.
func Exp(x float64) float64 { return vec.ExpOf(x) }

// Expm1 returns e^x - 1, within 1 unit in the last place.
func Expm1(x float64) float64 { return vec.Expm1Of(x) }

// Log returns the natural logarithm, within 1 unit in the last place.
func Log(x float64) float64 { return vec.LogOf(x) }

// Log1p returns log(1 + x), within 1 unit in the last place.
func Log1p(x float64) float64 { return vec.Log1pOf(x) }

// Pow returns x^y, within 1 unit in the last place.
func Pow(x, y float64) float64 { return vec.Pow(x, y) }

// Exp2 returns 2^x, within 1 unit in the last place.
func Exp2(x float64) float64 { return vec.Pow(2, x) }

// Log2 returns the logarithm to base 2, within 1 unit in the last place; that of a power of 2 is exact.
func Log2(x float64) float64 { return logTo(x, math.Log2E, 0x1.777d0ffda0d24p-56) }

// Log10 returns the logarithm to base 10, within 1 unit in the last place; that of a power of 10 is exact.
func Log10(x float64) float64 { return logTo(x, math.Log10E, 0x1.95355baaafad3p-57) }

// logTo is the logarithm of x times the number high + low.
func logTo(x, high, low float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64) || x == 1 {
		return Log(x)
	}
	h, l := vec.LogTwofold(x, 0)
	p := float64(h * high)
	return p + (math.FMA(h, high, -p) + math.FMA(h, low, float64(l*high)))
}

// Cbrt returns the cube root, within 1 unit in the last place.
func Cbrt(x float64) float64 {
	if x == 0 || !(math.Abs(x) <= math.MaxFloat64) {
		return x
	}
	m, e := math.Frexp(math.Abs(x))
	third := e / 3
	m = math.Ldexp(m, e-3*third) // from 1/8 to 4
	y := Pow(m, 1.0/3)
	square := float64(y * y)
	lost := math.FMA(y, y, -square)
	y -= math.FMA(y, lost, math.FMA(y, square, -m)) / float64(3*square)
	return math.Copysign(math.Ldexp(y, third), x)
}

// Hypot returns the root of x^2 + y^2 without overflow or underflow on the way, within 1 unit in
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
