// This file compares the logarithm with one of 400 bits, subnormal numbers among others.

package libm

import (
	"math"
	"math/big"
	"testing"
)

// bigLog is the logarithm to 400 bits: of 2^e m it is e log 2 + log m, and log m is twice the
// series of artanh (m-1)/(m+1).
func bigLog(x float64) *big.Float {
	const bits = 400
	num := func(v float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(v) }
	series := func(m *big.Float) *big.Float {
		z := num(0).Quo(num(0).Sub(m, num(1)), num(0).Add(m, num(1)))
		square, sum, power := num(0).Mul(z, z), num(0), num(0).Set(z)
		for k := 1.0; k < 600; k += 2 {
			sum.Add(sum, num(0).Quo(power, num(k)))
			power.Mul(power, square)
		}
		return sum.Mul(sum, num(2))
	}
	m, e := math.Frexp(x)
	return num(0).Add(num(0).Mul(num(float64(e)), series(num(2))), series(num(m)))
}

func TestLogAgainst400Bits(t *testing.T) {
	list := []float64{5e-324, 1e-323, 3e-320, 1e-310, 0x1p-1023, 0x1.fffffffffffffp-1023, 0x1p-1022, 0x1.8p-1022, 1e-300, 0.3, 1 - 0x1p-53, 1 + 0x1p-52, 7, 1e300, math.MaxFloat64}
	for x := 0x1p-1074; x < 0x1p-1020; x *= 1.37 {
		list = append(list, x)
		if x < 0x1p-1070 {
			x += 0x1p-1074
		}
	}
	for _, x := range list {
		want, _ := bigLog(x).Float64()
		if got := Log(x); !(math.Abs(got-want) <= 2.3e-16*math.Abs(want)) {
			t.Errorf("log %v is %v, want %v", x, got, want)
		}
	}
	for x, want := range map[float64]float64{0: math.Inf(-1), math.Inf(1): math.Inf(1), 1: 0} {
		if got := Log(x); got != want {
			t.Errorf("log %v is %v, want %v", x, got, want)
		}
	}
	if !math.IsNaN(Log(-5e-324)) || !math.IsNaN(Log(math.NaN())) {
		t.Error("a number without logarithm has one")
	}
}
