package math

// This file holds the FMA of processors without one to that of package math.

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Of random numbers of all sizes, and of sums that nearly or wholly cancel, all bits agree.
func TestFMA(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() float64 {
		switch r.IntN(6) {
		case 0:
			return math.Ldexp(r.Float64()-0.5, r.IntN(2140)-1075)
		case 1:
			return float64(r.IntN(9) - 4)
		case 2:
			return math.Float64frombits(r.Uint64()) // NaN and infinities among them
		case 3:
			return math.Float64frombits(math.Float64bits(r.NormFloat64()) &^ (1<<r.IntN(52) - 1)) // few digits: halves
		}
		return r.NormFloat64()
	}
	for range 1_000_000 {
		x, y, z := number(), number(), number()
		p := float64(x * y)
		switch r.IntN(5) {
		case 0:
			z = -p
		case 1:
			z = math.Nextafter(-p, z)
		case 2:
			z = math.Ldexp(p, r.IntN(240)-120) * float64(r.IntN(3)-1)
		}
		if got, want := FMA(x, y, z), math.FMA(x, y, z); math.Float64bits(got) != math.Float64bits(want) && !(got != got && want != want) {
			t.Fatalf("%x * %x + %x: found %x, want %x", x, y, z, got, want)
		}
	}
}
