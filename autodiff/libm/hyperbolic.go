// The hyperbolic functions and their inverses.

package libm

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// halfRange is beyond where the exponential of half an argument must be squared, lest that of
// the whole overflow.
const halfRange = 709

// Sinh returns the hyperbolic sine, within 2 units in the last place.
func Sinh(x float64) float64 {
	a := math.Abs(x)
	if a > halfRange {
		e := Exp(a / 2)
		return math.Copysign(e/2*e, x)
	}
	u := Expm1(a)
	return math.Copysign((u+u/(u+1))/2, x)
}

// Cosh returns the hyperbolic cosine, within 2 units in the last place.
func Cosh(x float64) float64 {
	a := math.Abs(x)
	if a > halfRange {
		e := Exp(a / 2)
		return e / 2 * e
	}
	e := Exp(a)
	return (e + 1/e) / 2
}

// Tanh returns the hyperbolic tangent, within 2 units in the last place.
func Tanh(x float64) float64 { return vec.TanhOf(x) }

// far is beyond where the square of a number does not change when 1 is added to it.
const far = 0x1p28

// Asinh returns the inverse hyperbolic sine, within 1 unit in the last place: log(1 + y) where y is
// a + a^2/(1 + sqrt(1 + a^2)).
func Asinh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case !(a <= math.MaxFloat64) || a < 0x1p-28:
		return x
	case a > far:
		return math.Copysign(logTwice(a), x)
	}
	s := float64(a * a)
	sl := math.FMA(a, a, -s)
	r, rl := onePlus(s, sl)
	r, rl = rootTwofold(r, rl)
	d, dl := onePlus(r, rl)
	q := s / d
	ql := (math.FMA(-q, d, s) + math.FMA(-q, dl, sl)) / d
	y, yl := sum(a, q)
	if q > a {
		y, yl = sum(q, a)
	}
	return math.Copysign(log1pOf(y, yl+ql), x)
}

// Acosh returns the inverse hyperbolic cosine, within 1 unit in the last place: log(1 + y) where y
// is t + sqrt(t (t + 2)) and t is x - 1.
func Acosh(x float64) float64 {
	switch {
	case !(x >= 1):
		return math.NaN()
	case x > math.MaxFloat64:
		return x
	case x > far:
		return logTwice(x)
	}
	t := x - 1
	u, ul := sum(math.Max(2, t), math.Min(2, t))
	w := float64(t * u)
	r, rl := rootTwofold(w, math.FMA(t, u, -w)+float64(t*ul))
	y, yl := sum(r, t) // the root is the larger one
	return log1pOf(y, yl+rl)
}

// Atanh returns the inverse hyperbolic tangent, within 1 unit in the last place: half of log(1 + y) where
// y is 2a/(1 - a).
func Atanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case !(a <= 1):
		return math.NaN()
	case a == 1:
		return math.Copysign(math.Inf(1), x)
	case a < 0x1p-28:
		return x
	}
	d, dl := sum(1, -a)
	y := 2 * a / d
	yl := (math.FMA(-y, d, 2*a) - float64(y*dl)) / d
	return math.Copysign(0.5*log1pOf(y, yl), x)
}

// onePlus returns 1 + x + xl for positive x as a sum of two numbers.
func onePlus(x, xl float64) (high, low float64) {
	if x > 1 {
		high, low = sum(x, 1)
	} else {
		high, low = sum(1, x)
	}
	return high, low + xl
}

// log1pOf is log(1 + x + xl) for positive x.
func log1pOf(x, xl float64) float64 {
	if x < 0.4 {
		h, l := vec.Log1pTwofold(x, xl)
		return h + l
	}
	h, l := vec.LogTwofold(onePlus(x, xl))
	return h + l
}

// logTwice is log(2x) for large x.
func logTwice(x float64) float64 {
	h, l := vec.LogTwofold(x/2, 0)
	const twiceLn2, low = 2 * 0x1.62e42fefa39efp-1, 2 * 0x1.abc9e3b39803fp-56
	high, lost := sum(h, twiceLn2)
	return high + (lost + (l + low))
}
