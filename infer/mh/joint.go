// This file makes the joint moves of a transition together.

package mh

import (
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/vec/dense"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// together is from how many real coordinates on the joint moves of a transition are made at
// once: they do not depend on where they start, and a product of matrices takes a fraction of the time
// of as many products with a vector.
const together = 64

// rows is how many rows of the root are multiplied at a time; what is right of the diagonal is
// left out.
const rows = 48

// batch are the joint moves of a transition.
type batch struct {
	noise []float64 // one move after the other
	moves []float64 // likewise, the root times the noise
}

func newBatch(n int) *batch { return &batch{make([]float64, n*n), make([]float64, n*n)} }

// draw makes n moves of n coordinates with a root, row by row, times a scale.
func (b *batch) draw(rng *rand.Rand, root []float64, scale float64, n int) {
	for i := range b.noise {
		b.noise[i] = scale * variate.Normal(rng)
	}
	clear(b.moves)
	l := dense.Matrix{X: root, Rows: n, Cols: n, Down: n, Right: 1}
	z, out := dense.Of(n, n, b.noise), dense.Of(n, n, b.moves)
	for i := 0; i < n; i += rows {
		m := min(rows, n-i)
		dense.AddMul(out.Block(i, 0, m, n), l.Block(i, 0, m, i+m), z.Block(0, 0, i+m, n))
	}
}

// factorize writes the Cholesky factor of the leading n x n block of a symmetric matrix with
// that stride into the lower triangle of l, row by row.
func (b *batch) factorize(a []float64, stride int, l []float64, n int) bool {
	for j := range n {
		copy(b.noise[j*n+j:(j+1)*n], a[j*stride+j:])
	}
	if !dense.Cholesky(dense.Of(n, n, b.noise)) {
		return false
	}
	for i := range n {
		for j := range i + 1 {
			l[i*n+j] = b.noise[j*n+i]
		}
	}
	return true
}
