// Dense linear algebra on column-major slices: the loops that the matrix kernels share.
// Matrices are n by n unless sizes are given; nothing here allocates.

package stdlib

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// dot is the inner product of two vectors of one length.
func dot(a, b []float64) float64 { return vec.Dot(a, b) }

// axpy adds alpha*x to y.
func axpy(alpha float64, x, y []float64) { vec.AddScaled(y[:len(x)], alpha, x) }

// addTimes adds A c to y, for A with len(y) rows, len(c) columns, and step numbers
// from column to column.
func addTimes(a []float64, step int, c, y []float64) { vec.AddMatVec(y, a, step, c) }

// addTransposeTimes adds A' y to c, for A as in addTimes.
func addTransposeTimes(a []float64, step int, y, c []float64) {
	var sums [16]float64
	for lo := 0; lo < len(c); lo += len(sums) {
		part := c[lo:min(lo+len(sums), len(c))]
		vec.MatTVec(sums[:len(part)], a[lo*step:], step, y)
		for j := range part {
			part[j] += sums[j]
		}
	}
}

// mulAdd adds A B to C: A is m by k, B k by n, C m by n.
func mulAdd(m, k, n int, a, b, c []float64) {
	if m == 1 {
		addTransposeTimes(b, k, a[:k], c[:n])
		return
	}
	for j := 0; j < n; j++ {
		addTimes(a, m, b[j*k:(j+1)*k], c[j*m:(j+1)*m])
	}
}

// mulTransposeAAdd adds A' B to C: A is k by m, B k by n, C m by n.
func mulTransposeAAdd(m, k, n int, a, b, c []float64) {
	if k == 1 {
		for j := 0; j < n; j++ {
			axpy(b[j], a[:m], c[j*m:(j+1)*m])
		}
		return
	}
	for j := 0; j < n; j++ {
		addTransposeTimes(a, k, b[j*k:(j+1)*k], c[j*m:(j+1)*m])
	}
}

// mulTransposeBAdd adds A B' to C: A is m by k, B n by k, C m by n.
func mulTransposeBAdd(m, k, n int, a, b, c []float64) {
	if m == 1 {
		addTimes(b, n, a[:k], c[:n])
		return
	}
	for j := 0; j < n; j++ {
		col := c[j*m : (j+1)*m]
		p := 0
		for ; p+4 <= k; p += 4 {
			row := [4]float64{b[p*n+j], b[(p+1)*n+j], b[(p+2)*n+j], b[(p+3)*n+j]}
			addTimes(a[p*m:], m, row[:], col)
		}
		for ; p < k; p++ {
			axpy(b[p*n+j], a[p*m:(p+1)*m], col)
		}
	}
}

// cholesky writes the lower Cholesky factor of the symmetric matrix a (of which it
// reads the lower triangle) to l, with zeros above the diagonal, and says whether a is
// positive definite. l and a may be the same memory.
func cholesky(n int, a, l []float64) bool {
	copy(l, a[:n*n])
	for j := 0; j < n; j++ {
		col := l[j*n : (j+1)*n]
		clear(col[:j])
		k := 0
		for ; k+4 <= j; k += 4 {
			x := l[k*n:]
			row := [4]float64{-x[j], -x[n+j], -x[2*n+j], -x[3*n+j]}
			addTimes(x[j:], n, row[:], col[j:])
		}
		for ; k < j; k++ {
			axpy(-l[k*n+j], l[k*n+j:(k+1)*n], col[j:])
		}
		d := col[j]
		if !(d > 0) || math.IsInf(d, 1) {
			return false
		}
		d = math.Sqrt(d)
		col[j] = d
		for i := j + 1; i < n; i++ {
			col[i] /= d
		}
	}
	return true
}

// choleskyReverse turns the derivative f with respect to the lower triangle of the
// Cholesky factor l into that with respect to the lower triangle of the matrix (each
// off-diagonal pair counted once), in place. It undoes the steps of cholesky from the
// last column to the first (Smith 1995).
func choleskyReverse(n int, l, f []float64) {
	for j := n - 1; j >= 0; j-- {
		col, lj := f[j*n+j:(j+1)*n], l[j*n+j:(j+1)*n]
		d := lj[0]
		df := col[0]
		for i := 1; i < len(col); i++ {
			col[i] /= d
			df -= col[i] * lj[i]
		}
		col[0] = df / (2 * d)
		for k := 0; k < j; k++ {
			lk, fk := l[k*n+j:(k+1)*n], f[k*n+j:(k+1)*n]
			sum := dot(col, lk)
			axpy(-lk[0], col, fk)
			fk[0] -= sum
		}
	}
}

// addLowerAsSymmetric adds the derivative f with respect to a lower triangle to that of
// the symmetric matrix, half to each of an off-diagonal pair.
func addLowerAsSymmetric(n int, f, da []float64) {
	for j := 0; j < n; j++ {
		da[j+j*n] += f[j+j*n]
		for i := j + 1; i < n; i++ {
			h := 0.5 * f[i+j*n]
			da[i+j*n] += h
			da[j+i*n] += h
		}
	}
}

// solveLower solves L X = B in place of B, which has m columns.
func solveLower(n, m int, l, b []float64) {
	for c := 0; c < m; c++ {
		x := b[c*n : (c+1)*n]
		for j := range x {
			if x[j] != 0 {
				x[j] /= l[j+j*n]
				axpy(-x[j], l[j*n+j+1:(j+1)*n], x[j+1:])
			}
		}
	}
}

// solveLowerTranspose solves L' X = B in place of B, which has m columns.
func solveLowerTranspose(n, m int, l, b []float64) {
	for c := 0; c < m; c++ {
		x := b[c*n : (c+1)*n]
		for j := n - 1; j >= 0; j-- {
			x[j] = (x[j] - dot(l[j*n+j+1:(j+1)*n], x[j+1:])) / l[j+j*n]
		}
	}
}

// solveRightLower solves X L = B in place of B, which has m rows.
func solveRightLower(n, m int, l, b []float64) {
	for j := n - 1; j >= 0; j-- {
		col := b[j*m : (j+1)*m]
		for k := j + 1; k < n; k++ {
			axpy(-l[k+j*n], b[k*m:(k+1)*m], col)
		}
		for i := range col {
			col[i] /= l[j+j*n]
		}
	}
}

// solveRightLowerTranspose solves X L' = B in place of B, which has m rows.
func solveRightLowerTranspose(n, m int, l, b []float64) {
	for j := 0; j < n; j++ {
		col := b[j*m : (j+1)*m]
		for k := 0; k < j; k++ {
			axpy(-l[j+k*n], b[k*m:(k+1)*m], col)
		}
		for i := range col {
			col[i] /= l[j+j*n]
		}
	}
}

// setIdentity writes the identity matrix.
func setIdentity(n int, x []float64) {
	clear(x[:n*n])
	for i := 0; i < n; i++ {
		x[i+i*n] = 1
	}
}

// invertLower writes the inverse of the lower triangular l.
func invertLower(n int, l, x []float64) {
	setIdentity(n, x)
	solveLower(n, n, l, x)
}

// invertFromCholesky writes the inverse of L L', with room for n*n numbers in work.
func invertFromCholesky(n int, l, x, work []float64) {
	invertLower(n, l, work)
	for j := 0; j < n; j++ {
		for i := j; i < n; i++ {
			v := dot(work[i*n+i:(i+1)*n], work[j*n+i:(j+1)*n])
			x[i+j*n], x[j+i*n] = v, v
		}
	}
}

// logDiagonalSum is the sum of the logarithms of the diagonal.
func logDiagonalSum(n int, l []float64) float64 {
	sum := 0.0
	for i := 0; i < n; i++ {
		sum += math.Log(l[i+i*n])
	}
	return sum
}

// luFactor writes the LU decomposition of a with partial pivoting: row exchanges in
// pivot, L (unit diagonal) and U in lu. It gives the sign of the permutation, 0 for a
// singular matrix (then lu is incomplete).
func luFactor(n int, a, lu, pivot []float64) float64 {
	copy(lu, a[:n*n])
	sign := 1.0
	for j := 0; j < n; j++ {
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
			for k := 0; k < n; k++ {
				lu[j+k*n], lu[p+k*n] = lu[p+k*n], lu[j+k*n]
			}
		}
		col := lu[j*n+j+1 : (j+1)*n]
		d := lu[j+j*n]
		for i := range col {
			col[i] /= d
		}
		for k := j + 1; k < n; k++ {
			axpy(-lu[j+k*n], col, lu[k*n+j+1:(k+1)*n])
		}
	}
	return sign
}

// luSolve solves A X = B in place of B, which has m columns.
func luSolve(n, m int, lu, pivot, b []float64) {
	for c := 0; c < m; c++ {
		x := b[c*n : (c+1)*n]
		for j := range x {
			p := int(pivot[j])
			x[j], x[p] = x[p], x[j]
		}
		for j := range x {
			axpy(-x[j], lu[j*n+j+1:(j+1)*n], x[j+1:])
		}
		for j := n - 1; j >= 0; j-- {
			x[j] /= lu[j+j*n]
			axpy(-x[j], lu[j*n:j*n+j], x[:j])
		}
	}
}

// luSolveTranspose solves A' X = B in place of B, which has m columns.
func luSolveTranspose(n, m int, lu, pivot, b []float64) {
	for c := 0; c < m; c++ {
		x := b[c*n : (c+1)*n]
		for j := range x {
			x[j] = (x[j] - dot(lu[j*n:j*n+j], x[:j])) / lu[j+j*n]
		}
		for j := n - 1; j >= 0; j-- {
			x[j] -= dot(lu[j*n+j+1:(j+1)*n], x[j+1:])
		}
		for j := n - 1; j >= 0; j-- {
			p := int(pivot[j])
			x[j], x[p] = x[p], x[j]
		}
	}
}

// transposeInto writes the transpose of a (rows by cols) to b.
func transposeInto(rows, cols int, a, b []float64) {
	for j := 0; j < cols; j++ {
		for i := 0; i < rows; i++ {
			b[j+i*cols] = a[i+j*rows]
		}
	}
}
