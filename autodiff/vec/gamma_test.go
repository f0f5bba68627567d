package vec

// This file holds the logarithm of the gamma function and its derivative against values of
// many more digits.

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// bigDigamma is a quotient of differences of bigLgamma.
func bigDigamma(x float64) *big.Float {
	const h = 0x1p-60
	d := bigLgamma(fresh().Add(number(x), number(h*x)))
	d.Sub(d, bigLgamma(fresh().Sub(number(x), number(h*x))))
	return d.Quo(d, number(2*h*x))
}

// TestGamma measures errors in units of the last place of the value, or of 1 where that is less.
func TestGamma(t *testing.T) {
	n := 200
	if testing.Short() {
		n = 40
	}
	const limit, limitSlope = 32, 8 // logarithms of numbers about 10 are multiplied and subtracted
	rng := rand.New(rand.NewChaCha8([32]byte{22}))
	for _, c := range []struct{ lo, hi float64 }{{1e-3, 1e8}, {1e-3, 1}, {0.1, 30}, {5, 12}, {1, 1e3}} {
		var worst, at [2]float64
		for range n {
			x := c.lo * math.Exp(rng.Float64()*(math.Log(c.hi)-math.Log(c.lo)))
			lg, psi := lgammaPsi(x)
			for k, u := range []float64{unitsOff(lg, bigLgamma(number(x)), 1), unitsOff(psi, bigDigamma(x), 1)} {
				if u > worst[k] {
					worst[k], at[k] = u, x
				}
			}
		}
		t.Logf("from %g to %g: value %.2f ulp, at %v; derivative %.2f, at %v", c.lo, c.hi, worst[0], at[0], worst[1], at[1])
		if worst[0] > limit || worst[1] > limitSlope {
			t.Errorf("from %g to %g: more than %d or %d ulp off", c.lo, c.hi, limit, limitSlope)
		}
	}
}
