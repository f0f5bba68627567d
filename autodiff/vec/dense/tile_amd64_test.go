package dense

// This file holds the assembly against the definition, bit by bit.

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestTileIdentity(t *testing.T) {
	if !assembly {
		t.Skip("this processor has no AVX2")
	}
	defer func() { assembly = true }()
	rng := rand.New(rand.NewChaCha8([32]byte{9}))
	for _, n := range sizes() {
		m, k := 1+rng.IntN(2*n), 1+rng.IntN(2*n)
		a, b, c, s := random(rng, m, k), random(rng, k, n), random(rng, m, n), spd(rng, n)
		f := random(rng, n, n)
		var results [2][]float64
		for i := range results {
			assembly = i == 0
			p, l, g := clone(c), clone(s), clone(f)
			AddMul(p, a, b)
			Cholesky(l)
			CholeskyReverse(l, g)
			results[i] = append(append(p.X, l.X...), g.X...)
		}
		for i, v := range results[0] {
			if math.Float64bits(v) != math.Float64bits(results[1][i]) {
				t.Fatalf("size %d: element %d is %v in assembly, %v in Go", n, i, v, results[1][i])
			}
		}
	}
}

// TestSmallCholeskyIdentity runs all sizes inside of larger matrices, with numbers above the
// diagonal and beside the matrix that must stay as they are, and pivots that are none.
func TestSmallCholeskyIdentity(t *testing.T) {
	if !assembly {
		t.Skip("this processor has no AVX2")
	}
	rng := rand.New(rand.NewChaCha8([32]byte{10}))
	for n := short + 1; n <= base; n++ {
		for extra := range 4 {
			for at := -1; at < n; at++ { // the pivot that is bad; -1 for none
				whole := random(rng, n+extra, n)
				whole.X = whole.X[:len(whole.X)-extra]
				a, good := whole.Block(0, 0, n, n), spd(rng, n)
				for j := range n {
					copy(a.X[j*a.Right+j:][:n-j], good.X[j*n+j:])
				}
				a.X[1*a.Right] = math.NaN()
				if at >= 0 {
					a.X[at*(a.Right+1)] = []float64{0, -1, math.NaN(), math.Inf(1)}[rng.IntN(4)]
				}
				b := clone(a)
				want, got := choleskyBase(&b), choleskyAVX2(&a.X[0], n, a.Right)
				if got != want || want != (at < 0) {
					t.Fatalf("size %d, bad pivot %d: %v, want %v", n, at, got, want)
				}
				for i, v := range a.X {
					if want && math.Float64bits(v) != math.Float64bits(b.X[i]) {
						t.Fatalf("size %d, stride %d: number %d is %v in assembly, %v in Go", n, a.Right, i, v, b.X[i])
					}
				}
			}
		}
	}
}
