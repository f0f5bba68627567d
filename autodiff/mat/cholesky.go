package mat

// This file has the Cholesky decomposition, and what is solved by it.

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec/dense"
)

// hopeless is the condition number from which on a solution may have no right digit.
const hopeless = 1e16

// A Condition is the condition number of a matrix that is nearly singular, as an error: the solution that
// comes with it is there, but may have no right digit.
type Condition float64

// Error implements error.
func (c Condition) Error() string {
	return fmt.Sprintf("matrix singular or near-singular with condition number %.4e", float64(c))
}

// A Cholesky is the decomposition A = L L' of a symmetric positive definite matrix.
type Cholesky struct {
	n    int
	l    []float64 // L by columns, which is U = L' by rows
	norm float64   // of A: largest sum of absolute values of a column
	cond float64   // of A; 0 before it is asked for
}

// Factorize decomposes a matrix, and reports whether it is positive definite.
func (c *Cholesky) Factorize(a *SymDense) bool {
	c.n, c.l, c.norm, c.cond = a.n, append(c.l[:0], a.data...), 0, 0
	for i := range a.n {
		var sum float64
		for _, v := range a.data[i*a.n:][:a.n] {
			sum += math.Abs(v)
		}
		c.norm = max(c.norm, sum)
	}
	if !dense.Cholesky(c.lower()) {
		return false
	}
	for j := range c.n {
		clear(c.l[j*c.n:][:j])
	}
	return true
}

func (c *Cholesky) lower() dense.Matrix { return dense.Of(c.n, c.n, c.l) }

// LTo sets t to the lower triangular L.
func (c *Cholesky) LTo(t *TriDense) {
	*t = *NewTriDense(c.n)
	for i := range c.n {
		for j := range i + 1 {
			t.data[i*c.n+j] = c.l[j*c.n+i]
		}
	}
}

// UTo sets t to the upper triangular U = L'.
func (c *Cholesky) UTo(t *TriDense) { *t = TriDense{c.n, slices.Clone(c.l)} }

// LogDet returns the logarithm of A's determinant.
func (c *Cholesky) LogDet() float64 {
	var sum float64
	for i := range c.n {
		sum += libm.Log(c.l[i*(c.n+1)])
	}
	return 2 * sum
}

// solve solves A X = B in the place of B.
func (c *Cholesky) solve(b dense.Matrix) error {
	dense.SolveLower(c.lower(), b)
	dense.SolveLowerT(c.lower(), b)
	return c.condition()
}

// condition returns an error where A is nearly singular.
func (c *Cholesky) condition() error {
	if c.cond == 0 {
		solve := func(x []float64) {
			b := dense.Of(c.n, 1, x)
			dense.SolveLower(c.lower(), b)
			dense.SolveLowerT(c.lower(), b)
		}
		c.cond = c.norm * inverseNorm(c.n, solve, solve)
	}
	if c.cond > hopeless {
		return Condition(c.cond)
	}
	return nil
}

// SolveVecTo sets x to the solution of A x = b. The error is a Condition.
func (c *Cholesky) SolveVecTo(x, b *VecDense) error {
	size(len(b.data), c.n)
	if len(x.data) == 0 {
		x.data = make([]float64, c.n)
	}
	size(len(x.data), c.n)
	copy(x.data, b.data)
	return c.solve(x.view())
}

// SolveTo sets x to the solution of A X = B. The error is a Condition.
func (c *Cholesky) SolveTo(x *Dense, b Matrix) error {
	from := DenseOf(b)
	size(from.rows, c.n)
	reshape(&x.data, &x.rows, &x.cols, from.rows, from.cols)
	copy(x.data, from.data)
	return c.solve(x.view())
}

// InverseTo sets s to the inverse of A. The error is a Condition.
func (c *Cholesky) InverseTo(s *SymDense) error {
	reshape(&s.data, &s.n, &s.n, c.n, c.n)
	w := dense.Of(c.n, c.n, slices.Clone(c.l))
	dense.InvertLower(w)
	clear(s.data)
	dense.AddGramLower(s.view(), w)
	dense.MirrorLower(s.view())
	return c.condition()
}

// SolveLower sets d to the solution X of L X = B, with L lower triangular.
func (d *Dense) SolveLower(l *TriDense, b Matrix) {
	from := DenseOf(b)
	size(from.rows, l.n)
	dense.SolveLower(l.view(), from.view())
	*d = *from
}

// inverseNorm estimates the largest sum of absolute values of a column of an inverse of n rows, by
// solutions with the matrix and with its transpose in the place of x; the estimate is seldom less than a
// third of the truth (Higham 1988, "FORTRAN codes for estimating the one-norm", algorithm 4.1).
func inverseNorm(n int, solve, solveT func(x []float64)) float64 {
	x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = 1 / float64(n)
	}
	best := 0.0
	for range 5 {
		copy(y, x)
		solve(y)
		sum := 0.0
		for i, v := range y {
			sum += math.Abs(v)
			z[i] = math.Copysign(1, v)
		}
		if !(sum > best) {
			break
		}
		best = sum
		solveT(z)
		at, along := 0, 0.0
		for i, v := range z {
			along += float64(v * x[i])
			if math.Abs(v) > math.Abs(z[at]) {
				at = i
			}
		}
		if math.Abs(z[at]) <= along {
			break
		}
		clear(x)
		x[at] = 1
	}
	for i := range y {
		y[i] = 1 + float64(i)/float64(max(n-1, 1))
		if i%2 == 1 {
			y[i] = -y[i]
		}
	}
	solve(y)
	sum := 0.0
	for _, v := range y {
		sum += math.Abs(v)
	}
	return max(best, 2*sum/(3*float64(n)))
}
