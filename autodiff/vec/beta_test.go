package vec

// This file holds the logarithm of the beta function and its derivatives against values of
// many more digits.

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// bigLbetaSlope is the derivative of bigLbeta by a, as a quotient of differences.
func bigLbetaSlope(a, b float64) *big.Float {
	const h = 0x1p-60
	at := func(shift float64) *big.Float {
		x := fresh().Add(number(a), number(shift*a))
		y := bigLgamma(x)
		return y.Sub(y, bigLgamma(x.Add(x, number(b))))
	}
	d := at(h)
	d.Sub(d, at(-h))
	return d.Quo(d, number(2*h*a))
}

// TestLbeta measures errors in units of the last place of the value, or of 1 where that is
// less, and those of derivatives in units of digamma's last place at the smaller argument,
// or of 1.
func TestLbeta(t *testing.T) {
	n := 100
	if testing.Short() {
		n = 20
	}
	const limit = 12
	rng := rand.New(rand.NewChaCha8([32]byte{21}))
	for _, c := range []struct{ lo, hi float64 }{{1e-3, 1e8}, {1e-3, 1}, {0.1, 30}, {5, 12}, {1, 1e3}} {
		worst, worstSlope := 0.0, 0.0
		var at, atSlope [2]float64
		for range n {
			draw := func() float64 { return c.lo * math.Exp(rng.Float64()*math.Log(c.hi/c.lo)) }
			a, b := draw(), draw()
			v, da, db := lbetaPsi(a, b)
			if u := unitsOff(v, bigLbeta(a, b), 1); u > worst {
				worst, at = u, [2]float64{a, b}
			}
			for _, d := range []struct{ got, a, b float64 }{{da, a, b}, {db, b, a}} {
				if u := unitsOff(d.got, bigLbetaSlope(d.a, d.b), max(1, 1/math.Min(a, b))); u > worstSlope {
					worstSlope, atSlope = u, [2]float64{d.a, d.b}
				}
			}
		}
		t.Logf("from %g to %g: value %.2f ulp, at %v; derivatives %.2f, at %v", c.lo, c.hi, worst, at, worstSlope, atSlope)
		if worst > limit || worstSlope > limit {
			t.Errorf("from %g to %g: more than %d ulp off", c.lo, c.hi, limit)
		}
	}
}

// unitsOff is the error in units of the last place of numbers of the size of want, or of
// size where that is greater.
func unitsOff(got float64, want *big.Float, size float64) float64 {
	w, _ := want.Float64()
	_, exp := math.Frexp(math.Max(math.Abs(w), size))
	diff := fresh().Sub(number(got), want)
	u, _ := diff.SetMantExp(diff, 53-exp).Float64()
	return math.Abs(u)
}
