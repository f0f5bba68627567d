package vec

// This file computes trigonometric functions, the error function, quantiles and the beta
// function with many more digits than a double has.

import (
	"math"
	"math/big"
)

// bigPi is pi to prec bits, by Machin's formula 16 atan(1/5) - 4 atan(1/239).
func bigPi(prec uint) *big.Float {
	atan := func(n int64) *big.Float {
		x := new(big.Float).SetPrec(prec).SetInt64(n)
		square := new(big.Float).SetPrec(prec).Mul(x, x)
		sum, power := new(big.Float).SetPrec(prec), new(big.Float).SetPrec(prec).SetInt64(1)
		power.Quo(power, x)
		for k := int64(1); power.MantExp(nil) > -int(prec); k += 2 {
			t := new(big.Float).SetPrec(prec).SetInt64(k)
			t.Quo(power, t)
			if k%4 == 3 {
				t.Neg(t)
			}
			sum.Add(sum, t)
			power.Quo(power, square)
		}
		return sum
	}
	a, b := atan(5), atan(239)
	a.Mul(a, new(big.Float).SetInt64(16))
	return a.Sub(a, b.Mul(b, new(big.Float).SetInt64(4)))
}

// halfPi has digits enough to reduce every double.
var halfPi = func() *big.Float { p := bigPi(1500); return p.SetMantExp(p, -1) }()

// bigTurned is the sine of x plus quarters of a turn.
func bigTurned(x float64, quarters int64) *big.Float {
	r := new(big.Float).SetPrec(1500).SetFloat64(x)
	k := new(big.Float).SetPrec(1500).Quo(r, halfPi)
	k.Add(k, big.NewFloat(math.Copysign(0.5, x)))
	n, _ := k.Int(nil)
	r.Sub(r, k.Mul(k.SetInt(n), halfPi))
	quadrant := new(big.Int).And(n.Add(n, big.NewInt(quarters)), big.NewInt(3)).Int64()
	// The Taylor series of the sine or cosine.
	square := fresh().Mul(r, r)
	term := fresh().Set(r)
	first := 2.0
	if quadrant&1 == 1 {
		term, first = number(1), 1
	}
	sum := fresh().Set(term)
	for k := first; term.Sign() != 0 && term.MantExp(nil) > sum.MantExp(nil)-precision; k += 2 {
		term.Mul(term, square)
		term.Quo(term, number(-k*(k+1)))
		sum.Add(sum, term)
	}
	if quadrant&2 != 0 {
		sum.Neg(sum)
	}
	return sum
}

func bigSin(x float64) *big.Float { return bigTurned(x, 0) }

func bigCos(x float64) *big.Float { return bigTurned(x, 1) }

// rootTwo is the root of two.
var rootTwo = fresh().Sqrt(number(2))

// bigErf sums 2/sqrt(pi) e^(-x^2) (x + 2 x^3/3 + 4 x^5/15 + ...).
func bigErf(x float64) *big.Float {
	square := fresh().Mul(number(x), number(x))
	sum, term := number(x), number(x)
	for k := 3.0; term.Sign() != 0 && term.MantExp(nil) > -precision-1100; k += 2 {
		term.Mul(term, square)
		term.Quo(term, number(k/2))
		sum.Add(sum, term)
		if term.MantExp(nil) < sum.MantExp(nil)-precision {
			break
		}
	}
	sum.Mul(sum, bigExp(fresh().Neg(square)))
	sum.Mul(sum, number(2))
	return sum.Quo(sum, fresh().Sqrt(bigPi(precision)))
}

// bigErfc is twice the normal distribution's tail, x sqrt(2) being known to all digits.
func bigErfc(x float64) *big.Float {
	if x < 5 {
		return fresh().Sub(number(1), bigErf(x))
	}
	tail := bigTailOf(fresh().Mul(number(x), rootTwo))
	return tail.Mul(tail, number(2))
}

// bigQuantile makes one step of Newton's method from the double nearest the quantile; from an
// error of 1e-15 that goes to 1e-29.
func bigQuantile(p float64) *big.Float {
	z := number(InvPhi.At(p))
	size := fresh().Abs(z)
	tail := bigTailOf(size)
	if z.Sign() > 0 {
		tail.Sub(number(1), tail)
	}
	density := bigExp(fresh().Quo(fresh().Neg(fresh().Mul(z, z)), number(2)))
	density.Quo(density, rootTwoPi)
	tail.Sub(tail, number(p))
	return z.Sub(z, tail.Quo(tail, density))
}

// bigLogOf is the logarithm of a positive number.
func bigLogOf(x *big.Float) *big.Float {
	m := fresh()
	exp := x.MantExp(m)
	y := bigLog1p(m.Sub(m, number(1)))
	ln2 := bigLog1p(number(1))
	return y.Add(y, ln2.Mul(ln2, number(float64(exp))))
}

func bigLog1mExp(x float64) *big.Float {
	if x > -1 {
		e := bigExpm1(number(x))
		return bigLogOf(e.Neg(e))
	}
	e := bigExp(number(x))
	return bigLog1p(e.Neg(e))
}

// stirlingTerms are the Bernoulli numbers B(2k) over 2k(2k-1).
var stirlingTerms = func() []*big.Float {
	const n = 60
	b := []*big.Rat{big.NewRat(1, 1)}
	var terms []*big.Float
	for m := int64(1); m <= 2*n; m++ { // sum over j of binomial(m+1, j) B(j) is 0
		s := new(big.Rat)
		for j := range m {
			c := new(big.Int).Binomial(m+1, j)
			s.Add(s, new(big.Rat).Mul(new(big.Rat).SetInt(c), b[j]))
		}
		b = append(b, s.Mul(s, big.NewRat(-1, m+1)))
		if m%2 == 0 {
			terms = append(terms, fresh().SetRat(new(big.Rat).Mul(s, big.NewRat(1, m*(m-1)))))
		}
	}
	return terms
}()

// bigLgamma is Stirling's series beyond 60.
func bigLgamma(x *big.Float) *big.Float {
	product := number(1)
	y := fresh().Set(x)
	for y.Cmp(number(60)) < 0 {
		product.Mul(product, y)
		y.Add(y, number(1))
	}
	sum := bigLogOf(y)
	sum.Mul(sum, fresh().Sub(y, number(0.5)))
	sum.Sub(sum, y)
	sum.Add(sum, bigLogOf(rootTwoPi))
	power := fresh().Quo(number(1), y)
	square := fresh().Mul(power, power)
	for _, t := range stirlingTerms {
		sum.Add(sum, fresh().Mul(t, power))
		power.Mul(power, square)
	}
	return sum.Sub(sum, bigLogOf(product))
}

func bigLbeta(a, b float64) *big.Float {
	y := fresh().Add(bigLgamma(number(a)), bigLgamma(number(b)))
	return y.Sub(y, bigLgamma(fresh().Add(number(a), number(b))))
}
