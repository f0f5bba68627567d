package libm

// This file measures the errors that comments promise, against series of 1200 bits.

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

const precision = 1200

func num(v float64) *big.Float       { return new(big.Float).SetPrec(precision).SetFloat64(v) }
func zero() *big.Float               { return num(0) }
func add(x, y *big.Float) *big.Float { return zero().Add(x, y) }
func sub(x, y *big.Float) *big.Float { return zero().Sub(x, y) }
func mul(x, y *big.Float) *big.Float { return zero().Mul(x, y) }
func quo(x, y *big.Float) *big.Float { return zero().Quo(x, y) }
func sqrt(x *big.Float) *big.Float   { return zero().Sqrt(x) }

// small reports whether a term adds nothing any more.
func small(term, sum *big.Float) bool {
	return term.Sign() == 0 || sum.Sign() != 0 && term.MantExp(nil) < sum.MantExp(nil)-precision
}

// bigExp is the series of e^(x/2^s), squared s times.
func bigExp(x *big.Float) *big.Float {
	s := max(x.MantExp(nil), 0) + 10
	y := zero().SetMantExp(x, -s)
	sum, term := num(1), num(1)
	for k := 1.0; !small(term, sum); k++ {
		term = quo(mul(term, y), num(k))
		sum.Add(sum, term)
	}
	for range s {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigAtan halves the angle until the series is short.
func bigAtan(x *big.Float) *big.Float {
	const halvings = 12
	y := zero().Set(x)
	for range halvings {
		y = quo(y, add(num(1), sqrt(add(num(1), mul(y, y)))))
	}
	square, sum, power := mul(y, y), zero(), zero().Set(y)
	for k := 1.0; ; k += 2 {
		term := quo(power, num(k))
		if small(term, sum) {
			break
		}
		sum.Add(sum, term)
		power.Neg(power.Mul(power, square))
	}
	return sum.SetMantExp(sum, halvings)
}

var pi = mul(num(4), bigAtan(num(1)))

// bigSincos takes multiples of pi/2 off and sums the series.
func bigSincos(x *big.Float) (sin, cos *big.Float) {
	quarter := quo(pi, num(2))
	turns, _ := add(quo(x, quarter), num(math.Copysign(0.5, float64(x.Sign())))).Int(nil)
	r := sub(x, mul(zero().SetInt(turns), quarter))
	series := func(term *big.Float, k float64) *big.Float {
		sum := zero().Set(term)
		for ; ; k += 2 {
			term = quo(mul(term, mul(r, r)), num(-(k+1)*(k+2)))
			if small(term, sum) {
				return sum
			}
			sum.Add(sum, term)
		}
	}
	s, c := series(r, 1), series(num(1), 0)
	switch new(big.Int).And(turns, big.NewInt(3)).Int64() {
	case 1:
		s, c = c, zero().Neg(s)
	case 2:
		s, c = zero().Neg(s), zero().Neg(c)
	case 3:
		s, c = zero().Neg(c), s
	}
	return s, c
}

// bigLn is bigLog of a number that is no float64.
func bigLn(x *big.Float) *big.Float {
	at, _ := x.Float64()
	y := bigLog(at).SetPrec(precision)
	for range 3 { // Newton: each step doubles the digits
		y = add(y, sub(quo(x, bigExp(y)), num(1)))
	}
	return y
}

// bigErf is the series 2/sqrt(pi) sum (-1)^k x^(2k+1)/(k! (2k+1)).
func bigErf(x *big.Float) *big.Float {
	sum, power := zero(), zero().Set(x)
	for k := 0.0; ; k++ {
		term := quo(power, num(2*k+1))
		if k > 1 && small(term, sum) {
			break
		}
		sum.Add(sum, term)
		power = quo(mul(power, mul(x, x)), num(-(k + 1)))
	}
	return quo(mul(num(2), sum), sqrt(pi))
}

func TestAccuracy(t *testing.T) {
	one, half := num(1), num(0.5)
	sinh := func(x *big.Float) *big.Float { return mul(half, sub(bigExp(x), bigExp(zero().Neg(x)))) }
	cosh := func(x *big.Float) *big.Float { return mul(half, add(bigExp(x), bigExp(zero().Neg(x)))) }
	asin := func(x *big.Float) *big.Float { return bigAtan(quo(x, sqrt(sub(one, mul(x, x))))) }
	for _, c := range []struct {
		name     string
		f        func(float64) float64
		want     func(*big.Float) *big.Float
		limit    float64
		from, to float64 // exponents of 2 of arguments, or the arguments themselves where they are bounded
		bounded  bool
		positive bool
	}{
		{"Exp", Exp, bigExp, 1, -40, 9, false, false},
		{"Expm1", Expm1, func(x *big.Float) *big.Float { return sub(bigExp(x), one) }, 1, -40, 9, false, false},
		{"Exp2", Exp2, func(x *big.Float) *big.Float { return bigExp(mul(x, bigLn(num(2)))) }, 1, -40, 9, false, false},
		{"Log", Log, bigLn, 1, -900, 900, false, true},
		{"Log near 1", Log, bigLn, 1, 0.9, 1.1, true, true},
		{"Log1p", Log1p, func(x *big.Float) *big.Float { return bigLn(add(one, x)) }, 1, -60, 60, false, true},
		{"Log1p near 0", Log1p, func(x *big.Float) *big.Float { return bigLn(add(one, x)) }, 1, -0.9, 0.5, true, false},
		{"Log2", Log2, func(x *big.Float) *big.Float { return quo(bigLn(x), bigLn(num(2))) }, 1, -900, 900, false, true},
		{"Log10", Log10, func(x *big.Float) *big.Float { return quo(bigLn(x), bigLn(num(10))) }, 1, -900, 900, false, true},
		{"Cbrt", Cbrt, func(x *big.Float) *big.Float {
			y := bigExp(quo(bigLn(zero().Abs(x)), num(3)))
			if x.Sign() < 0 {
				y.Neg(y)
			}
			return y
		}, 1, -900, 900, false, false},
		{"Sin", Sin, func(x *big.Float) *big.Float { s, _ := bigSincos(x); return s }, 1, -40, 30, false, false},
		{"Cos", Cos, func(x *big.Float) *big.Float { _, c := bigSincos(x); return c }, 1, -40, 30, false, false},
		{"Sin far out", Sin, func(x *big.Float) *big.Float { s, _ := bigSincos(x); return s }, 1, 30, 700, false, false},
		{"Tan", Tan, func(x *big.Float) *big.Float { s, c := bigSincos(x); return quo(s, c) }, 1, -40, 60, false, false},
		{"Atan", Atan, bigAtan, 1, -40, 60, false, false},
		{"Asin", Asin, asin, 1, -1, 1, true, false},
		{"Asin near 0", Asin, asin, 1, -40, -1, false, false},
		{"Acos", Acos, func(x *big.Float) *big.Float { return sub(quo(pi, num(2)), asin(x)) }, 1, -1, 1, true, false},
		{"Acos near 1", Acos, func(x *big.Float) *big.Float { return sub(quo(pi, num(2)), asin(x)) }, 1, 0.999, 1, true, true},
		{"Sinh", Sinh, sinh, 2, -40, 9, false, false},
		{"Cosh", Cosh, cosh, 2, -40, 9, false, false},
		{"Tanh", Tanh, func(x *big.Float) *big.Float { return quo(sinh(x), cosh(x)) }, 2, -40, 5, false, false},
		{"Asinh", Asinh, func(x *big.Float) *big.Float {
			y := bigLn(add(zero().Abs(x), sqrt(add(one, mul(x, x)))))
			if x.Sign() < 0 {
				y.Neg(y)
			}
			return y
		}, 1, -40, 60, false, false},
		{"Acosh", Acosh, func(x *big.Float) *big.Float { return bigLn(add(x, sqrt(sub(mul(x, x), one)))) }, 1, 1, 3, true, true},
		{"Atanh", Atanh, func(x *big.Float) *big.Float { return mul(half, bigLn(quo(add(one, x), sub(one, x)))) }, 1, -1, 1, true, false},
		{"Erf", Erf, bigErf, 2, -40, 2, false, false},
		{"Erfc", Erfc, func(x *big.Float) *big.Float { return sub(one, bigErf(x)) }, 5, -3, 20, true, false},
	} {
		worst, at := 0.0, 0.0
		r := rand.New(rand.NewPCG(1, 2))
		for range 60 {
			x := c.from + r.Float64()*(c.to-c.from)
			if !c.bounded {
				x = math.Exp2(x)
			}
			if !c.positive && !c.bounded && r.Uint64()&1 == 0 {
				x = -x
			}
			if e := errorIn(c.f(x), c.want(num(x))); e > worst {
				worst, at = e, x
			}
		}
		t.Logf("%-14s %.2f units in the last place, at %v", c.name, worst, at)
		if worst > c.limit {
			t.Errorf("%s(%v) is off by %.2f units in the last place, not at most %v", c.name, at, worst, c.limit)
		}
	}
}

// errorIn is the error of a result in units of the last place.
func errorIn(got float64, want *big.Float) float64 {
	near, _ := want.Float64()
	near = math.Abs(near)
	if math.IsInf(near, 0) || near == 0 {
		if math.Abs(got) == near {
			return 0
		}
		return math.Inf(1)
	}
	unit := math.Nextafter(near, math.Inf(1)) - near
	e, _ := quo(sub(num(got), want), num(unit)).Float64()
	return math.Abs(e)
}

// The power is exact to a unit, and Erfinv to four: erf at the result differs from x by no more than the
// slope there allows.
func TestPowAndErfinv(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		x, y := math.Exp2(40*r.Float64()-20), 60*r.Float64()-30
		if e := errorIn(Pow(x, y), bigExp(mul(num(y), bigLn(num(x))))); e > 1 {
			t.Errorf("Pow(%v, %v) is off by %.2f units", x, y, e)
		}
		p := 2*r.Float64() - 1
		z := Erfinv(p)
		slope := quo(mul(num(2), bigExp(num(0).Neg(mul(num(z), num(z))))), sqrt(pi))
		if e := errorIn(z, add(num(z), quo(sub(num(p), bigErf(num(z))), slope))); e > 4 {
			t.Errorf("Erfinv(%v) is off by %.2f units", p, e)
		}
	}
}
