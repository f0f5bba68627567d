package variate

// This file compares the variates with those of math/rand/v2, whose algorithms they are.

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestVariates holds both generators against each other. One draw in some millions may differ, where
// a uniform number meets the density within its rounding: such a draw is passed over.
func TestVariates(t *testing.T) {
	if bits.UintSize == 32 {
		t.Skip("math/rand/v2 consumes its stream in another way here")
	}
	ours, theirs := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(1, 2))
	differ := 0
	for i := range 2_000_000 {
		var got, want float64
		switch i % 3 {
		case 0:
			got, want = Normal(ours), theirs.NormFloat64()
		case 1:
			got, want = Exponential(ours), theirs.ExpFloat64()
		default:
			n := 1 + i%1000
			got, want = float64(IntN(ours, n)), float64(theirs.IntN(n))
		}
		if math.Abs(got-want) > 1e-15*math.Abs(want) {
			if differ++; differ > 3 {
				t.Fatalf("draw %d is %v, should be %v", i, got, want)
			}
			ours, theirs = rand.New(rand.NewPCG(uint64(i), 2)), rand.New(rand.NewPCG(uint64(i), 2))
		}
	}
	if differ > 0 {
		t.Logf("%d draws differ", differ)
	}
}

// TestIntN takes numbers so large that some are rejected.
func TestIntN(t *testing.T) {
	ours, theirs := rand.New(rand.NewPCG(3, 4)), rand.New(rand.NewPCG(3, 4))
	for i := range 10_000 {
		n := int64(math.MaxInt64/2+2) + int64(i)
		if got, want := IntN(ours, n), theirs.Int64N(n); got != want {
			t.Fatalf("draw %d is %d, should be %d", i, got, want)
		}
	}
}

func TestShuffle(t *testing.T) {
	if bits.UintSize == 32 {
		t.Skip("math/rand/v2 consumes its stream in another way here")
	}
	ours, theirs := rand.New(rand.NewPCG(5, 6)), rand.New(rand.NewPCG(5, 6))
	a, b := make([]int, 100), make([]int, 100)
	for i := range a {
		a[i], b[i] = i, i
	}
	Shuffle(ours, len(a), func(i, j int) { a[i], a[j] = a[j], a[i] })
	theirs.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("place %d holds %d, should hold %d", i, a[i], b[i])
		}
	}
}
