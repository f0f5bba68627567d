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

// drawMatrix draws with these degrees of freedom and C C' = -(B + B'); B is taken with its transpose.
func (s *State) drawMatrix(c *conditional, df float64, b []float64, inverse bool, rng *rand.Rand) error {
	k := c.dims[0]
	kk := k * k
	memory := room(&s.scratch, 4*kk)
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
	x := memory[kk : 2*kk]
	variate.Wishart(rng, df, scale, inverse, x, memory[2*kk:])
	return s.unconstrain(c, "cov_matrix", x)
}
