// Dense linear algebra on column-major slices: what the matrix kernels share, most of it
// package dense under other names. Matrices are n by n unless sizes are given; nothing
// here allocates.

package catalogue

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/autodiff/vec/dense"
)

// Dot is the inner product of two vectors of one length.
func Dot(a, b []float64) float64 { return vec.Dot(a, b) }

// Axpy adds alpha*x to y, each addition an FMA.
func Axpy(alpha float64, x, y []float64) {
	const short = 4 // up to which a call takes longer than a loop
	y = y[:len(x)]
	if len(x) > short {
		vec.AddScaled(y, alpha, x)
		return
	}
	for i, v := range x {
		y[i] = math.FMA(alpha, v, y[i])
	}
}

// AddTimes adds A c to y, for A with len(y) rows, len(c) columns, and step numbers
// from column to column.
func AddTimes(a []float64, step int, c, y []float64) { vec.AddMatVec(y, a, step, c) }

// AddTransposeTimes adds A' y to c, for A as in addTimes.
func AddTransposeTimes(a []float64, step int, y, c []float64) {
	var sums [16]float64
	for lo := 0; lo < len(c); lo += len(sums) {
		part := c[lo:min(lo+len(sums), len(c))]
		vec.MatTVec(sums[:len(part)], a[lo*step:], step, y)
		for j := range part {
			part[j] += sums[j]
		}
	}
}

// MulAdd adds A B to C: A is m by k, B k by n, C m by n.
func MulAdd(m, k, n int, a, b, c []float64) {
	dense.AddMul(dense.Of(m, n, c), dense.Of(m, k, a), dense.Of(k, n, b))
}

// MulTransposeAAdd adds A' B to C: A is k by m, B k by n, C m by n.
func MulTransposeAAdd(m, k, n int, a, b, c []float64) {
	dense.AddMul(dense.Of(m, n, c), dense.Of(k, m, a).T(), dense.Of(k, n, b))
}

// MulTransposeBAdd adds A B' to C: A is m by k, B n by k, C m by n.
func MulTransposeBAdd(m, k, n int, a, b, c []float64) {
	dense.AddMul(dense.Of(m, n, c), dense.Of(m, k, a), dense.Of(n, k, b).T())
}

// copyLower copies a lower triangle to l, with zeros above the diagonal. l and a may be
// the same memory.
func copyLower(n int, a, l []float64) {
	for j := 0; j < n; j++ {
		copy(l[j*n+j:(j+1)*n], a[j*n+j:(j+1)*n])
		clear(l[j*n : j*n+j])
	}
}

// Cholesky writes the lower Cholesky factor of the symmetric matrix a (of which it
// reads the lower triangle) to l, with zeros above the diagonal, and reports whether a is
// positive definite. l and a may be the same memory.
func Cholesky(n int, a, l []float64) bool {
	copyLower(n, a, l)
	return dense.Cholesky(dense.Of(n, n, l))
}

// CholeskyReverse turns the derivative f with respect to the lower triangle of the
// Cholesky factor l into that with respect to the lower triangle of the matrix (each
// off-diagonal pair counted once), in place. The upper triangle of f is overwritten.
func CholeskyReverse(n int, l, f []float64) {
	dense.CholeskyReverse(dense.Of(n, n, l), dense.Of(n, n, f))
}

// AddLowerAsSymmetric adds the derivative f with respect to a lower triangle to that of
// the symmetric matrix, half to each of an off-diagonal pair. The upper triangle of f is
// overwritten.
func AddLowerAsSymmetric(n int, f, da []float64) {
	m := dense.Of(n, n, f)
	for i := 0; i < n; i++ {
		f[i+i*n] *= 2
	}
	dense.MirrorLower(m)
	Axpy(0.5, f[:n*n], da)
}

// SolveLower solves L X = B in place of B, which has m columns.
func SolveLower(n, m int, l, b []float64) {
	dense.SolveLower(dense.Of(n, n, l), dense.Of(n, m, b))
}

// SolveLowerTranspose solves L' X = B in place of B, which has m columns.
func SolveLowerTranspose(n, m int, l, b []float64) {
	dense.SolveLowerT(dense.Of(n, n, l), dense.Of(n, m, b))
}

// SolveRightLower solves X L = B in place of B, which has m rows.
func SolveRightLower(n, m int, l, b []float64) {
	dense.SolveLowerT(dense.Of(n, n, l), dense.Of(m, n, b).T())
}

// SolveRightLowerTranspose solves X L' = B in place of B, which has m rows.
func SolveRightLowerTranspose(n, m int, l, b []float64) {
	dense.SolveLower(dense.Of(n, n, l), dense.Of(m, n, b).T())
}

// SetIdentity writes the identity matrix.
func SetIdentity(n int, x []float64) {
	clear(x[:n*n])
	for i := 0; i < n; i++ {
		x[i+i*n] = 1
	}
}

// InvertFromCholesky writes the inverse of L L', with room for n*n numbers in work.
func InvertFromCholesky(n int, l, x, work []float64) {
	w, out := dense.Of(n, n, work), dense.Of(n, n, x)
	copyLower(n, l, work)
	dense.InvertLower(w)
	clear(x[:n*n])
	dense.AddGramLower(out, w)
	dense.MirrorLower(out)
}

// LogDiagonalSum is the sum of the logarithms of the diagonal.
func LogDiagonalSum(n int, l []float64) float64 {
	sum := 0.0
	for i := 0; i < n; i++ {
		sum += libm.Log(l[i+i*n])
	}
	return sum
}

// LuFactor writes the LU decomposition of a with partial pivoting: row exchanges in
// pivot, U in lu and below its diagonal L with columns times the diagonal of U. It gives the sign of the permutation, 0 for a
// singular matrix (then lu is incomplete).
func LuFactor(n int, a, lu, pivot []float64) float64 {
	copy(lu, a[:n*n])
	return luColumns(n, 0, n, lu, pivot)
}

// luPanel is the number of columns that are eliminated one by one: wider parts are halved, so that
// most of the work is products of matrices (S. Toledo, SIAM J. Matrix Anal. Appl. 18, 1997).
const luPanel = 32

// luColumns decomposes columns from..to, of which the rows above from are done. Row exchanges are
// made in these columns alone.
func luColumns(n, from, to int, lu, pivot []float64) float64 {
	if to-from <= luPanel {
		return luOneByOne(n, from, to, lu, pivot)
	}
	mid := from + (to-from)/2
	sign := luColumns(n, from, mid, lu, pivot)
	if sign == 0 {
		return 0
	}
	exchange(n, from, mid, mid, to, lu, pivot)
	all := dense.Of(n, n, lu)
	top := all.Block(from, mid, mid-from, to-mid)
	dense.SolveLower(all.Block(from, from, mid-from, mid-from), top)
	dense.SubMul(all.Block(mid, mid, n-mid, to-mid), all.Block(mid, from, n-mid, mid-from), top)
	for c := mid; c < to; c++ {
		for j := from; j < mid; j++ {
			lu[j+c*n] *= lu[j*(n+1)]
		}
	}
	sign *= luColumns(n, mid, to, lu, pivot)
	if sign != 0 {
		exchange(n, mid, to, from, mid, lu, pivot)
	}
	return sign
}

// exchange makes the row exchanges of steps from..to in columns left..right.
func exchange(n, from, to, left, right int, lu, pivot []float64) {
	for c := left; c < right; c++ {
		x := lu[c*n : (c+1)*n]
		for j := from; j < to; j++ {
			p := int(pivot[j])
			x[j], x[p] = x[p], x[j]
		}
	}
}

// luOneByOne is luColumns, column by column.
func luOneByOne(n, from, to int, lu, pivot []float64) float64 {
	sign := 1.0
	for j := from; j < to; j++ {
		p := j
		for i := j + 1; i < n; i++ {
			if math.Abs(lu[i+j*n]) > math.Abs(lu[p+j*n]) {
				p = i
			}
		}
		pivot[j] = float64(p)
		if !(lu[p+j*n] != 0) {
			return 0
		}
		if p != j {
			sign = -sign
			for k := from; k < to; k++ {
				lu[j+k*n], lu[p+k*n] = lu[p+k*n], lu[j+k*n]
			}
		}
		col := lu[j*n+j+1 : (j+1)*n]
		d := lu[j+j*n]
		for k := j + 1; k < to; k++ {
			Axpy(-lu[j+k*n]/d, col, lu[k*n+j+1:(k+1)*n])
		}
	}
	return sign
}

// blocked reports whether a system of n equations with m right-hand sides is large enough for products of blocks.
func blocked(n, m int) bool { return n >= 8 && m >= 4 }

// timesDiagonal multiplies the rows of b by the diagonal of lu.
func timesDiagonal(n, m int, lu, b []float64) {
	for c := range m {
		x := b[c*n : (c+1)*n]
		for j := range x {
			x[j] *= lu[j*(n+1)]
		}
	}
}

// LuSolve solves A X = B in place of B, which has m columns.
func LuSolve(n, m int, lu, pivot, b []float64) {
	for c := range m {
		x := b[c*n : (c+1)*n]
		for j := range x {
			p := int(pivot[j])
			x[j], x[p] = x[p], x[j]
		}
	}
	if blocked(n, m) {
		f, x := dense.Of(n, n, lu), dense.Of(n, m, b)
		dense.SolveLower(f, x)
		timesDiagonal(n, m, lu, b)
		dense.SolveLowerT(f.T(), x)
		return
	}
	for c := range m {
		x := b[c*n : (c+1)*n]
		for j := range x {
			Axpy(-x[j]/lu[j+j*n], lu[j*n+j+1:(j+1)*n], x[j+1:])
		}
		for j := n - 1; j >= 0; j-- {
			x[j] /= lu[j+j*n]
			Axpy(-x[j], lu[j*n:j*n+j], x[:j])
		}
	}
}

// LuSolveTranspose solves A' X = B in place of B, which has m columns.
func LuSolveTranspose(n, m int, lu, pivot, b []float64) {
	if blocked(n, m) {
		f, x := dense.Of(n, n, lu), dense.Of(n, m, b)
		dense.SolveLower(f.T(), x)
		timesDiagonal(n, m, lu, b)
		dense.SolveLowerT(f, x)
	}
	for c := range m {
		x := b[c*n : (c+1)*n]
		if !blocked(n, m) {
			for j := range x {
				x[j] = (x[j] - Dot(lu[j*n:j*n+j], x[:j])) / lu[j+j*n]
			}
			for j := n - 1; j >= 0; j-- {
				x[j] -= Dot(lu[j*n+j+1:(j+1)*n], x[j+1:]) / lu[j+j*n]
			}
		}
		for j := n - 1; j >= 0; j-- {
			p := int(pivot[j])
			x[j], x[p] = x[p], x[j]
		}
	}
}

// TransposeInto writes the transpose of a (rows by cols) to b.
func TransposeInto(rows, cols int, a, b []float64) {
	clear(b[:rows*cols])
	AddTranspose(rows, cols, a, b)
}

// AddTranspose adds the transpose of a (rows by cols) to b, a band of columns at a time
// so that what is jumped between stays in the cache.
func AddTranspose(rows, cols int, a, b []float64) {
	const band = 16
	for lo := 0; lo < cols; lo += band {
		hi := min(lo+band, cols)
		for i := 0; i < rows; i++ {
			out := b[i*cols+lo : i*cols+hi]
			from := a[lo*rows+i:]
			for j := range out {
				out[j] += from[j*rows]
			}
		}
	}
}
