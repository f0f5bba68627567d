// Dense linear algebra on column-major slices: the loops that the matrix kernels share.
// Matrices are n by n unless sizes are given; nothing here allocates.

package stdlib

import (
	"math"

	"gonum.org/v1/gonum/blas/gonum"
)

// longVector is the length from which gonum's vector instructions repay the call.
const longVector = 24

// dot is the inner product of two vectors of one length.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	if len(a) >= longVector {
		return gonum.Implementation{}.Ddot(len(a), a, 1, b, 1)
	}
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// axpy adds alpha*x to y.
func axpy(alpha float64, x, y []float64) {
	y = y[:len(x)]
	if len(x) >= longVector {
		gonum.Implementation{}.Daxpy(len(x), alpha, x, 1, y, 1)
		return
	}
	for i, v := range x {
		y[i] += alpha * v
	}
}

// axpy4 adds c0*x0 + c1*x1 + c2*x2 + c3*x3 to y.
func axpy4(c0, c1, c2, c3 float64, x0, x1, x2, x3, y []float64) {
	n := len(y)
	x0, x1, x2, x3 = x0[:n], x1[:n], x2[:n], x3[:n]
	if n >= longVector {
		axpy(c0, x0, y)
		axpy(c1, x1, y)
		axpy(c2, x2, y)
		axpy(c3, x3, y)
		return
	}
	for i := range y {
		y[i] += (c0*x0[i] + c1*x1[i]) + (c2*x2[i] + c3*x3[i])
	}
}

// dot4 is the inner products of four vectors with y.
func dot4(x0, x1, x2, x3, y []float64) (s0, s1, s2, s3 float64) {
	n := len(y)
	x0, x1, x2, x3 = x0[:n], x1[:n], x2[:n], x3[:n]
	if n >= longVector {
		return dot(x0, y), dot(x1, y), dot(x2, y), dot(x3, y)
	}
	for i, v := range y {
		s0 += x0[i] * v
		s1 += x1[i] * v
		s2 += x2[i] * v
		s3 += x3[i] * v
	}
	return s0, s1, s2, s3
}

// addTimes adds A c to y, for A with len(y) rows, len(c) columns, and step numbers
// from column to column.
func addTimes(a []float64, step int, c, y []float64) {
	n, k := len(y), 0
	for ; k+4 <= len(c); k += 4 {
		x := a[k*step:]
		axpy4(c[k], c[k+1], c[k+2], c[k+3], x[:n], x[step:step+n], x[2*step:2*step+n], x[3*step:3*step+n], y)
	}
	for ; k < len(c); k++ {
		axpy(c[k], a[k*step:k*step+n], y)
	}
}

// addTransposeTimes adds A' y to c, for A as in addTimes.
func addTransposeTimes(a []float64, step int, y, c []float64) {
	n, k := len(y), 0
	for ; k+4 <= len(c); k += 4 {
		x := a[k*step:]
		s0, s1, s2, s3 := dot4(x[:n], x[step:step+n], x[2*step:2*step+n], x[3*step:3*step+n], y)
		c[k] += s0
		c[k+1] += s1
		c[k+2] += s2
		c[k+3] += s3
	}
	for ; k < len(c); k++ {
		c[k] += dot(a[k*step:k*step+n], y)
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
			x := a[p*m:]
			axpy4(b[p*n+j], b[(p+1)*n+j], b[(p+2)*n+j], b[(p+3)*n+j], x[:m], x[m:2*m], x[2*m:3*m], x[3*m:4*m], col)
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
			axpy4(-x[j], -x[n+j], -x[2*n+j], -x[3*n+j], x[j:n], x[n+j:2*n], x[2*n+j:3*n], x[3*n+j:4*n], col[j:])
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
