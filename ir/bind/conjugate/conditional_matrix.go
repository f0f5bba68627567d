// Draws of simplexes and of covariance and precision matrices.

package conjugate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec/dense"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// drawDirichlet: the log density is the sum of a_k log t_k.
func drawDirichlet(s *State, c *conditional, rng *rand.Rand) error {
	sum, err := s.sums(c.table)
	if err != nil {
		return err
	}
	greatest := math.Inf(-1)
	for i, a := range sum {
		if !(a+1 > 0) {
			return improper(c, "parameter %d is %g", i+1, a+1)
		}
		sum[i] = variate.LogGamma(rng, a+1)
		greatest = math.Max(greatest, sum[i])
	}
	total := 0.0
	for i, v := range sum {
		sum[i] = libm.Exp(v - greatest)
		total += sum[i]
	}
	for i, v := range sum {
		sum[i] = math.Max(v/total, math.SmallestNonzeroFloat64)
	}
	return s.unconstrain(c, "simplex", sum)
}

// unconstrain moves the coordinates of one element of a parameter to where its numbers
// are x.
func (s *State) unconstrain(c *conditional, transform string, x []float64) error {
	free := room(&s.free, len(c.Coords))
	if err := s.m.Lib.Transform(transform).Unconstrain(c.dims, x, nil, free); err != nil {
		return err
	}
	for i, k := range c.Coords {
		s.move(k, free[i])
	}
	return nil
}

// room returns n numbers of scratch memory, of any value.
func room(scratch *[]float64, n int) []float64 {
	if cap(*scratch) < n {
		*scratch = make([]float64, n)
	}
	return (*scratch)[:n]
}

// drawWishart: the log density is a log|T| + sum(B * T), so the degrees of freedom are
// 2 a + k + 1 and the inverse of the scale matrix is -(B + B').
func drawWishart(s *State, c *conditional, rng *rand.Rand) error {
	sum, err := s.sums(c.table)
	if err != nil {
		return err
	}
	return s.drawMatrix(c, 2*sum[0]+float64(c.dims[0])+1, sum[1:], false, rng)
}

// drawInvWishart: the log density is a log|T| + sum(B * T^-1), so the degrees of freedom
// are -2 a - k - 1 and the scale matrix is -(B + B').
func drawInvWishart(s *State, c *conditional, rng *rand.Rand) error {
	sum, err := s.sums(c.table)
	if err != nil {
		return err
	}
	return s.drawMatrix(c, float64(-2*sum[0])-float64(c.dims[0])-1, sum[1:], true, rng)
}

// drawMatrix draws by Bartlett's decomposition. With C C' = -(B + B') and A lower
// triangular, normals below the diagonal and roots of chi-square variates on it, a
// Wishart variate is M M' with M = (C')^-1 A, and an inverse Wishart variate M M' with
// M = C (A')^-1. B is taken with its transpose.
func (s *State) drawMatrix(c *conditional, df float64, b []float64, inverse bool, rng *rand.Rand) error {
	k := c.dims[0]
	kk := k * k
	memory := room(&s.scratch, 4*kk)
	clear(memory)
	// By columns, which makes no difference to a symmetric matrix.
	scale := dense.Of(k, k, memory[:kk])
	for i := range k {
		for j := range k {
			scale.X[i*k+j] = -b[i*k+j] - b[j*k+i]
		}
	}
	if !dense.Cholesky(scale) || !(df > float64(k-1)) {
		return improper(c, "%g degrees of freedom, or a scale matrix that is not positive definite", df)
	}
	a, m := dense.Of(k, k, memory[kk:2*kk]), dense.Of(k, k, memory[2*kk:3*kk])
	bartlett(rng, df, a)
	if inverse {
		copyLower(m, scale)
		dense.SolveLower(a, m.T()) // M A' = C
	} else {
		copyLower(m, a)
		dense.SolveLowerT(scale, m) // C' M = A
	}
	x := memory[3*kk:]
	for i := range k {
		for j := range i + 1 {
			v := 0.0
			for l := range k {
				v += float64(m.At(i, l) * m.At(j, l))
			}
			x[i*k+j], x[j*k+i] = v, v
		}
	}
	return s.unconstrain(c, "cov_matrix", x)
}

// bartlett fills a with the factor of a standard Wishart variate.
func bartlett(rng *rand.Rand, df float64, a dense.Matrix) {
	for i := range a.Rows {
		a.X[i+i*a.Rows] = math.Sqrt(2 * libm.Exp(variate.LogGamma(rng, 0.5*(df-float64(i)))))
		for j := range i {
			a.X[i+j*a.Rows] = variate.Normal(rng)
		}
	}
}

// copyLower copies a lower triangular matrix to one of zeros.
func copyLower(to, from dense.Matrix) {
	for j := range from.Cols {
		copy(to.X[j*to.Rows+j:(j+1)*to.Rows], from.X[j*from.Rows+j:])
	}
}
