package vec

// This file holds powers against values of many more digits, and their special cases
// against those of package math.

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

func bigPow(x, y float64) *big.Float {
	product := fresh().Mul(number(y), bigLog(x))
	return bigExp(product)
}

// Exponents are such that the power is anywhere in the range of doubles, subnormal ones
// included, or near 1.
func TestPowAccuracy(t *testing.T) {
	n := subset.Of(1000, 2000)
	const limit = 1
	rng := rand.New(rand.NewChaCha8([32]byte{11}))
	for _, c := range []struct {
		name   string
		lo, hi float64 // of the base, whose exponent is uniform
		reach  float64 // of |log of the power|
	}{
		{"any base", 1e-323, 1e308, 744}, {"bases near 1", 0.9, 1.1, 700}, {"everyday", 0.01, 100, 10}, {"powers near 1", 1e-5, 1e5, 1},
	} {
		worst, atX, atY := 0.0, 0.0, 0.0
		for range n {
			a, b := math.Log(c.lo), math.Log(c.hi)
			x := math.Exp(a + rng.Float64()*(b-a))
			y := c.reach * (2*rng.Float64() - 1) / math.Log(x)
			if x == 1 || y*math.Log(x) > 709.7 {
				continue
			}
			if u := ulps(Pow(x, y), bigPow(x, y)); u > worst {
				worst, atX, atY = u, x, y
			}
		}
		t.Logf("%s: at most %.3f ulp, at %v and %v", c.name, worst, atX, atY)
		if worst > limit {
			t.Errorf("%s: %v^%v is %v ulp off; at most %v allowed", c.name, atX, atY, worst, float64(limit))
		}
	}
}

func TestPowSpecialValues(t *testing.T) {
	inf, negZero := math.Inf(1), math.Copysign(0, -1)
	edges := []float64{0, 1, 0.5, 2, 3, 4, 1.5, 0.1, 5e-324, 0x1p-1022, math.MaxFloat64, inf, 0x1p51, 0x1p51 + 0.5, 0x1p52, 0x1p52 + 1, 0x1p53, 0x1p53 - 1,
		0x1p53 + 2, 1e15 + 1, 1e300, 1 - 0x1p-53, 1 + 0x1p-52}
	for _, e := range edges {
		edges = append(edges, -e)
	}
	edges = append(edges, math.NaN(), negZero)
	for _, x := range edges {
		for _, y := range edges {
			got, want := Pow(x, y), math.Pow(x, y)
			exact := want != want || math.IsInf(want, 0) || want == 0 || x == 1 || x == -1 || y == 0 || y == 1
			if exact && !same(got, want) {
				t.Errorf("%v^%v is %v, want %v", x, y, got, want)
			}
			if exact {
				continue // package math is less exact for large exponents
			}
			size := bigPow(math.Abs(x), y)
			if u := ulps(math.Copysign(got, want), size.Mul(size, number(math.Copysign(1, want)))); u > 1 || (got < 0) != (want < 0) {
				t.Errorf("%v^%v is %v, %v ulp off", x, y, got, u)
			}
		}
	}
}
