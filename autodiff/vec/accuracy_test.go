package vec

// This file compares the functions with values of many more digits.

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

const precision = 300

func number(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func fresh() *big.Float { return new(big.Float).SetPrec(precision) }

// bigExp sums the Taylor series at x/2^s and squares s times.
func bigExp(x *big.Float) *big.Float {
	const s = 24
	r := fresh().SetMantExp(x, -s)
	if e := x.MantExp(nil); e > 12 {
		panic("argument too large")
	}
	sum, term := number(1), number(1)
	for i := 1; term.Sign() != 0 && term.MantExp(nil) > -precision-40; i++ {
		term.Mul(term, r)
		term.Quo(term, number(float64(i)))
		sum.Add(sum, term)
	}
	for range s {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigExpm1 keeps the digits of small arguments.
func bigExpm1(x *big.Float) *big.Float {
	if x.Sign() == 0 || x.MantExp(nil) < -80 { // x + x^2/2
		h := fresh().Mul(x, x)
		return h.Add(x, h.SetMantExp(h, -1))
	}
	e := bigExp(x)
	return e.Sub(e, number(1))
}

// bigLog1p corrects the double-precision logarithm of 1 + v: it leaves log(1+d) with a d
// of some 1e-16, and four terms of its series are enough.
func bigLog1p(v *big.Float) *big.Float {
	f, _ := v.Float64()
	y := number(math.Log1p(f))
	if f == 0 || v.MantExp(nil) < -200 {
		h := fresh().Mul(v, v)
		return h.Sub(v, h.SetMantExp(h, -1))
	}
	one := number(1)
	d := fresh().Add(one, v)
	d.Mul(d, bigExp(fresh().Neg(y)))
	d.Sub(d, one)
	power := number(1)
	for i := 1; i <= 12; i++ {
		power.Mul(power, d)
		t := fresh().Quo(power, number(float64(i)))
		if i%2 == 0 {
			t.Neg(t)
		}
		y.Add(y, t)
	}
	return y
}

// ulps is the error of got in units of the last place of a double near the true value.
func ulps(got float64, want *big.Float) float64 {
	w, _ := want.Float64()
	if math.IsInf(w, 0) || math.IsNaN(got) || math.IsInf(got, 0) {
		if got == w {
			return 0
		}
		return math.Inf(1)
	}
	if w == 0 && got == 0 {
		return 0
	}
	exp := max(want.MantExp(nil)-53, -1074)
	diff := fresh().Sub(number(got), want)
	u, _ := diff.SetMantExp(diff, -exp).Float64()
	return math.Abs(u)
}

// limits are the functions, their references, ranges, and the error allowed.
var limits = []struct {
	f      Func
	name   string
	lo, hi float64 // of the argument
	signed bool    // both signs
	wide   bool    // the argument's exponent is uniform, not the argument
	limit  float64
	want   func(x float64) *big.Float
}{
	{Exp, "exp", -745, 709.7, false, false, 1, func(x float64) *big.Float { return bigExp(number(x)) }},
	{Exp, "exp", 1e-20, 700, true, true, 1, func(x float64) *big.Float { return bigExp(number(x)) }},
	{Expm1, "expm1", -40, 709.7, false, false, 1, func(x float64) *big.Float { return bigExpm1(number(x)) }},
	{Expm1, "expm1", -2, 2, false, false, 1, func(x float64) *big.Float { return bigExpm1(number(x)) }},
	{Expm1, "expm1", 1e-300, 40, true, true, 1, func(x float64) *big.Float { return bigExpm1(number(x)) }},
	{Log, "log", 1e-323, 1e308, false, true, 1, bigLog},
	{Log, "log", 0.3, 3, false, false, 1, bigLog},
	{Log, "log", 0.99, 1.01, false, false, 1, bigLog},
	{Log1p, "log1p", -0.999, 3, false, false, 1, func(x float64) *big.Float { return bigLog1p(number(x)) }},
	{Log1p, "log1p", 1e-310, 1e300, false, true, 1, func(x float64) *big.Float { return bigLog1p(number(x)) }},
	{Log1p, "log1p", 1e-310, 0.99, true, true, 1, func(x float64) *big.Float { return bigLog1p(number(x)) }},
	{Log1pExp, "log1p_exp", -745, 800, false, false, 2, bigLog1pExp},
	{Log1pExp, "log1p_exp", -40, 40, false, false, 2, bigLog1pExp},
	{Log1pExp, "log1p_exp", -2, 2, false, false, 2, bigLog1pExp},
	{InvLogit, "inv_logit", -745, 800, false, false, 2, bigInvLogit},
	{InvLogit, "inv_logit", -4, 40, false, false, 2, bigInvLogit},
	{Tanh, "tanh", -20, 20, false, false, 2, bigTanh},
	{Tanh, "tanh", 1e-300, 1, true, true, 2, bigTanh},
	{Phi, "Phi", -37, 9, false, false, 4, bigPhi},
	{Phi, "Phi", 1e-300, 5, true, true, 4, bigPhi},
	{LogPhi, "log Phi", -40, 37, false, false, 5, bigLogPhi},
	{LogPhi, "log Phi", -3, 3, false, false, 5, bigLogPhi},
	{Hazard, "hazard", -40, 37, false, false, 5, bigHazard},
	{Hazard, "hazard", -4, 4, false, false, 5, bigHazard},
	{LogPhi, "log Phi", 1e-300, 5, true, true, 5, bigLogPhi},
	{Log1mExp, "log1m_exp", -745, 0, false, false, 2, bigLog1mExp},
	{Log1mExp, "log1m_exp", -2, 0, false, false, 2, bigLog1mExp},
	{Log1mExp, "log1m_exp", -1e-3, 0, false, false, 2, bigLog1mExp},
	{InvPhi, "inv_Phi", 0, 1, false, false, 3, bigQuantile},
	{InvPhi, "inv_Phi", 1e-323, 1, false, true, 3, bigQuantile},
	{InvPhi, "inv_Phi", 0.002, 0.008, false, false, 3, bigQuantile},
	{InvPhi, "inv_Phi", 1e-17, 1e-15, false, false, 3, bigQuantile},
	{InvPhi, "inv_Phi", 1 - 1e-10, 1, false, false, 3, bigQuantile},
	{Erf, "erf", 0, 6, true, false, 2, bigErf},
	{Erf, "erf", 1e-300, 6, true, true, 2, bigErf},
	{Erfc, "erfc", -6, 6, false, false, 5, bigErfc},
	{Erfc, "erfc", 0, 26.5, false, false, 5, bigErfc},
	{Erfc, "erfc", 1e-300, 5, true, true, 5, bigErfc},
	{Sin, "sin", -10, 10, false, false, 1, bigSin},
	{Sin, "sin", 1e-310, 1e308, true, true, 1, bigSin},
	{Sin, "sin", 1, nearest, true, true, 1, bigSin},
	{Cos, "cos", -10, 10, false, false, 1, bigCos},
	{Cos, "cos", 1e-310, 1e308, true, true, 1, bigCos},
	{Cos, "cos", 1, nearest, true, true, 1, bigCos},
}

func bigLog(x float64) *big.Float {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	y := bigLog1p(fresh().Sub(number(m), number(1)))
	ln2 := bigLog1p(number(1))
	return y.Add(y, ln2.Mul(ln2, number(float64(e))))
}

func bigLog1pExp(x float64) *big.Float {
	if x > 0 {
		y := bigLog1p(bigExp(number(-x)))
		return y.Add(y, number(x))
	}
	return bigLog1p(bigExp(number(x)))
}

func bigInvLogit(x float64) *big.Float {
	e := bigExp(number(x))
	return e.Quo(e, fresh().Add(number(1), e))
}

func bigTanh(x float64) *big.Float {
	e := bigExpm1(number(2 * x))
	return e.Quo(e, fresh().Add(number(2), e))
}

// bigTail is Phi(-a) for positive a: near 0 by the series of the integral of the density,
// far away by the continued fraction 1/(a + 1/(a + 2/(a + ...))) of its ratio to the density.
func bigTail(a float64) *big.Float { return bigTailOf(number(a)) }

func bigTailOf(x *big.Float) *big.Float {
	square := fresh().Mul(x, x)
	density := bigExp(fresh().Quo(fresh().Neg(square), number(2)))
	density.Quo(density, rootTwoPi)
	if x.Cmp(number(8)) > 0 {
		r := fresh().Set(x)
		for k := 600; k > 0; k-- {
			r.Quo(number(float64(k)), r)
			r.Add(r, x)
		}
		return density.Quo(density, r)
	}
	sum, term := fresh().Set(x), fresh().Set(x) // x + x^3/3 + x^5/15 + ...
	for k := 3.0; term.Sign() != 0 && term.MantExp(nil) > -precision-40; k += 2 {
		term.Mul(term, square)
		term.Quo(term, number(k))
		sum.Add(sum, term)
	}
	return fresh().Sub(number(0.5), sum.Mul(sum, density))
}

// rootTwoPi is the root of two pi.
var rootTwoPi = func() *big.Float {
	pi, _, err := big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798", 10, precision, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	return fresh().Sqrt(pi.Mul(pi, number(2)))
}()

func bigPhi(x float64) *big.Float {
	tail := bigTail(math.Abs(x))
	if x > 0 {
		tail.Sub(number(1), tail)
	}
	return tail
}

func bigHazard(x float64) *big.Float {
	square := fresh().Mul(number(x), number(x))
	density := bigExp(fresh().Quo(fresh().Neg(square), number(2)))
	density.Quo(density, rootTwoPi)
	return density.Quo(density, bigPhi(x))
}

func bigLogPhi(x float64) *big.Float {
	tail := bigTail(math.Abs(x))
	if x > 0 {
		return bigLog1p(tail.Neg(tail))
	}
	// A double has the tail's magnitude; bigLog1p does the rest.
	scale, exp := fresh(), tail.MantExp(nil)
	scale.SetMantExp(tail, -exp)
	y := bigLog1p(scale.Sub(scale, number(1)))
	ln2 := bigLog1p(number(1))
	return y.Add(y, ln2.Mul(ln2, number(float64(exp))))
}

func TestAccuracy(t *testing.T) {
	n := subset.Of(800, 4000)
	rng := rand.New(rand.NewChaCha8([32]byte{1}))
	for _, l := range limits {
		worst, at := 0.0, 0.0
		n := n
		switch l.f {
		case Log1mExp, InvPhi, Erf, Erfc, Sin, Cos: // whose references are slow
			n /= 10
		}
		for range n {
			x := l.lo + rng.Float64()*(l.hi-l.lo)
			if l.wide {
				a, b := math.Log(l.lo), math.Log(l.hi)
				x = math.Exp(a + rng.Float64()*(b-a))
			}
			if l.signed && rng.IntN(2) == 0 {
				x = -x
			}
			if u := ulps(l.f.At(x), l.want(x)); u > worst {
				worst, at = u, x
			}
		}
		t.Logf("%-10s on [%g, %g]: at most %.3f ulp, at %v", l.name, l.lo, l.hi, worst, at)
		if worst > l.limit {
			t.Errorf("%s(%v) is %v ulp off; at most %v allowed", l.name, at, worst, l.limit)
		}
	}
}

func TestSpecialValues(t *testing.T) {
	inf, nan, negZero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	cases := []struct {
		f       Func
		x, want float64
	}{
		{Exp, inf, inf}, {Exp, -inf, 0}, {Exp, nan, nan}, {Exp, 0, 1}, {Exp, negZero, 1}, {Exp, 710, inf}, {Exp, -746, 0}, {Exp, 1e300, inf}, {Exp, -1e300, 0},
		{Exp, 5e-324, 1},
		{Expm1, inf, inf}, {Expm1, -inf, -1}, {Expm1, nan, nan}, {Expm1, 0, 0}, {Expm1, negZero, negZero}, {Expm1, 5e-324, 5e-324}, {Expm1, 1e300, inf}, {Expm1, -1e300, -1},
		{Log, inf, inf}, {Log, -inf, nan}, {Log, nan, nan}, {Log, 0, -inf}, {Log, negZero, -inf}, {Log, -1, nan}, {Log, -5e-324, nan}, {Log, 1, 0},
		{Log1p, inf, inf}, {Log1p, -inf, nan}, {Log1p, nan, nan}, {Log1p, 0, 0}, {Log1p, negZero, negZero}, {Log1p, -1, -inf}, {Log1p, -1.5, nan}, {Log1p, 5e-324, 5e-324},
		{Log1pExp, inf, inf}, {Log1pExp, -inf, 0}, {Log1pExp, nan, nan}, {Log1pExp, 1000, 1000},
		{InvLogit, inf, 1}, {InvLogit, -inf, 0}, {InvLogit, nan, nan}, {InvLogit, 0, 0.5},
		{Tanh, inf, 1}, {Tanh, -inf, -1}, {Tanh, nan, nan}, {Tanh, 0, 0}, {Tanh, negZero, negZero},
		{Phi, inf, 1}, {Phi, -inf, 0}, {Phi, nan, nan}, {Phi, 0, 0.5}, {Phi, -1e300, 0},
		{Hazard, inf, 0}, {Hazard, nan, nan},
		{LogPhi, inf, 0}, {LogPhi, -inf, -inf}, {LogPhi, nan, nan}, {LogPhi, 0, -math.Ln2},
		{Log1mExp, -inf, 0}, {Log1mExp, 0, -inf}, {Log1mExp, negZero, -inf}, {Log1mExp, 1e-300, nan}, {Log1mExp, inf, nan}, {Log1mExp, nan, nan},
		{InvPhi, 0, -inf}, {InvPhi, negZero, -inf}, {InvPhi, 1, inf}, {InvPhi, 0.5, 0}, {InvPhi, -1e-300, nan}, {InvPhi, 1 + 0x1p-52, nan}, {InvPhi, nan, nan},
		{InvPhi, inf, nan}, {InvPhi, -inf, nan}, {InvPhi, 1e300, nan}, {InvPhi, -2, nan},
		{Erf, inf, 1}, {Erf, -inf, -1}, {Erf, nan, nan}, {Erf, 0, 0}, {Erf, negZero, negZero}, {Erf, 1e300, 1},
		{Erfc, inf, 0}, {Erfc, -inf, 2}, {Erfc, nan, nan}, {Erfc, 0, 1}, {Erfc, 28, 0}, {Erfc, -1e300, 2},
		{Sin, inf, nan}, {Sin, -inf, nan}, {Sin, nan, nan}, {Sin, 0, 0}, {Sin, negZero, negZero}, {Sin, 5e-324, 5e-324},
		{Cos, inf, nan}, {Cos, -inf, nan}, {Cos, nan, nan}, {Cos, 0, 1}, {Cos, negZero, 1},
		{Sqrt, -1, nan}, {Inv, 0, inf}, {Inv, negZero, -inf},
	}
	for _, c := range cases {
		if got := c.f.At(c.x); !same(got, c.want) {
			t.Errorf("function %d of %v is %v, want %v", c.f, c.x, got, c.want)
		}
	}
}

// same reports whether two numbers have the same bits, or are both NaN.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}
