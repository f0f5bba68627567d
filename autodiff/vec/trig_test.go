package vec

// This file holds the kernels of sine and cosine against their definition, where they are
// used, and both sides of where other code takes over.

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestTrigonometricIdentity(t *testing.T) {
	rng := rand.New(rand.NewChaCha8([32]byte{31}))
	x := points(1<<14, 32)
	for i, v := range x {
		if !(math.Abs(v) <= nearest) {
			x[i] = nearest * (2*rng.Float64() - 1)
		}
	}
	x[0], x[1] = nearest, -nearest
	if !Sin.reaches(x) || Sin.reaches([]float64{1, math.Nextafter(nearest, math.Inf(1))}) {
		t.Error("the kernel's range is another one")
	}
	got := make([]float64, len(x))
	withKernels(t, func(s *set) {
		for _, f := range []Func{Sin, Cos} {
			f.Map(got, x)
			for i, v := range x {
				if want := f.At(v); !same(got[i], want) {
					t.Fatalf("%s, function %d of %v: %v, want %v", s.name, f, v, got[i], want)
				}
			}
		}
	})
}

// TestQuadrantFar compares with quadrant where both hold: what they give differs by the
// rounding of the sum of two parts.
func TestQuadrantFar(t *testing.T) {
	rng := rand.New(rand.NewChaCha8([32]byte{33}))
	for range 20_000 {
		x := math.Exp(rng.Float64() * math.Log(nearest))
		u, r, lo := quadrant(x)
		v, s, low := quadrantFar(x)
		if (u-v)&3 != 0 || math.Abs((r-s)+(lo-low)) > 0x1p-100 {
			t.Fatalf("%v: %d %v %v, near %d %v %v", x, v&3, s, low, u&3, r, lo)
		}
	}
}
