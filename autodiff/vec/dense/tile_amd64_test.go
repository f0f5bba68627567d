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
