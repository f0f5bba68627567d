// This file draws Wishart matrices.

package variate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec/dense"
)

// Wishart fills x with a Wishart variate with df degrees of freedom, more than its size less 1,
// and the scale matrix (C C')^-1 or, where inverse is set, with an inverse Wishart variate with
// the scale matrix C C'. C is lower triangular; work has room for two matrices. By Bartlett's
// decomposition, with A lower triangular, normals below the diagonal and roots of chi-square
// variates on it, the first is M M' with M = (C')^-1 A, and the second M M' with M = C (A')^-1.
func Wishart(r *rand.Rand, df float64, c dense.Matrix, inverse bool, x, work []float64) {
	k := c.Rows
	clear(work)
	a, m := dense.Of(k, k, work[:k*k]), dense.Of(k, k, work[k*k:2*k*k])
	for i := range k {
		a.X[i+i*k] = math.Sqrt(2 * libm.Exp(LogGamma(r, 0.5*(df-float64(i)))))
		for j := range i {
			a.X[i+j*k] = Normal(r)
		}
	}
	if inverse {
		copyLower(m, c)
		dense.SolveLower(a, m.T()) // M A' = C
	} else {
		copyLower(m, a)
		dense.SolveLowerT(c, m) // C' M = A
	}
	for i := range k {
		for j := range i + 1 {
			v := 0.0
			for l := range k {
				v += float64(m.At(i, l) * m.At(j, l))
			}
			x[i*k+j], x[j*k+i] = v, v
		}
	}
}

// copyLower copies a lower triangular matrix to one of zeros.
func copyLower(to, from dense.Matrix) {
	for j := range from.Cols {
		copy(to.X[j*to.Rows+j:(j+1)*to.Rows], from.X[j*from.Rows+j:])
	}
}
