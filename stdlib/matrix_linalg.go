// Dense linear algebra on column-major slices: the loops that the matrix kernels share.
// Matrices are n by n unless sizes are given; nothing here allocates.

package stdlib

import "math"

// dot is the inner product of two vectors of one length.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// axpy adds alpha*x to y.
func axpy(alpha float64, x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += alpha * v
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
		for k := 0; k < j; k++ {
			if f := l[k*n+j]; f != 0 {
				axpy(-f, l[k*n+j:(k+1)*n], col[j:])
			}
		}
		d := col[j]
		if !(d > 0) || math.IsInf(d, 1) {
			return false
		}
		d = math.Sqrt(d)
		col[j] = d
		inv := 1 / d
		for i := j + 1; i < n; i++ {
			col[i] *= inv
		}
	}
	return true
}
