package rng

import (
	"math"
	"testing"
)

func TestSameKeySameStream(t *testing.T) {
	a, b := New(42, Transition, 3, 7), New(42, Transition, 3, 7)
	for i := range 1000 {
		if x, y := a.Uint64(), b.Uint64(); x != y {
			t.Fatalf("word %d: %x and %x from one key", i, x, y)
		}
	}
}

func TestEachPartOfTheKeyMatters(t *testing.T) {
	streams := map[string]float64{
		"base":      New(1, Transition, 0, 0).Float64(),
		"seed":      New(2, Transition, 0, 0).Float64(),
		"purpose":   New(1, Quantities, 0, 0).Float64(),
		"chain":     New(1, Transition, 1, 0).Float64(),
		"replicate": New(1, Transition, 0, 1).Float64(),
	}
	seen := map[float64]string{}
	for name, x := range streams {
		if other, dup := seen[x]; dup {
			t.Errorf("streams %q and %q start alike", name, other)
		}
		seen[x] = name
	}
}

// Chains must not be correlated. Under independence the correlation of n
// pairs is about normal with sd 1/sqrt(n); 5 sd is a false alarm in 2e6 runs.
func TestNeighbouringChainsAreUncorrelated(t *testing.T) {
	const n = 20000
	a, b := New(9, Transition, 0, 0), New(9, Transition, 1, 0)
	var sum float64
	for range n {
		sum += a.NormFloat64() * b.NormFloat64()
	}
	if r := sum / n; math.Abs(r) > 5/math.Sqrt(n) {
		t.Errorf("correlation of chains 0 and 1: %.4f", r)
	}
}
