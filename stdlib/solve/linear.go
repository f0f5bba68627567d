// Dense linear systems in memory that is reserved once.

package solve

import "math"

// A factors is the LU decomposition of a square matrix with row exchanges. Zeros of
// the matrix are skipped, so that banded systems cost little more than their band.
type factors struct {
	n     int
	a     []float64 // the matrix in row-major order, then its factors
	pivot []int
}

func newFactors(n int) *factors {
	return &factors{n: n, a: make([]float64, n*n), pivot: make([]int, n)}
}

func (f *factors) row(i int) []float64 { return f.a[i*f.n : (i+1)*f.n] }

// factor decomposes the matrix in a; false where it is singular or not finite.
func (f *factors) factor() bool {
	for k := range f.n {
		best, p := 0.0, -1
		for i := k; i < f.n; i++ {
			v := math.Abs(f.a[i*f.n+k])
			if math.IsNaN(v) {
				return false
			}
			if v > best {
				best, p = v, i
			}
		}
		if p < 0 || math.IsInf(best, 0) {
			return false
		}
		f.pivot[k] = p
		if p != k {
			x, y := f.row(k), f.row(p)
			for j := range x {
				x[j], y[j] = y[j], x[j]
			}
		}
		f.eliminate(k)
	}
	return true
}

// eliminate clears column k below the diagonal.
func (f *factors) eliminate(k int) {
	top := f.row(k)
	inv := 1 / top[k]
	for i := k + 1; i < f.n; i++ {
		row := f.row(i)
		if row[k] == 0 {
			continue
		}
		row[k] *= inv
		axpy(row[k+1:], -row[k], top[k+1:])
	}
}

// solve replaces b, n rows of cols numbers, by the solution of a*x = b.
func (f *factors) solve(b []float64, cols int) {
	row := func(i int) []float64 { return b[i*cols : (i+1)*cols] }
	for k, p := range f.pivot {
		if p != k {
			x, y := row(k), row(p)
			for j := range x {
				x[j], y[j] = y[j], x[j]
			}
		}
	}
	for i := range f.n {
		for k, l := range f.row(i)[:i] {
			if l != 0 {
				axpy(row(i), -l, row(k))
			}
		}
	}
	for i := f.n - 1; i >= 0; i-- {
		r := f.row(i)
		for k := i + 1; k < f.n; k++ {
			if r[k] != 0 {
				axpy(row(i), -r[k], row(k))
			}
		}
		inv := 1 / r[i]
		for j := range row(i) {
			b[i*cols+j] *= inv
		}
	}
}

// solveTransposed replaces b by the solution of transpose(a)*x = b.
func (f *factors) solveTransposed(b []float64) {
	for k := range f.n {
		r := f.row(k)
		b[k] /= r[k]
		for j := k + 1; j < f.n; j++ {
			b[j] -= float64(r[j] * b[k])
		}
	}
	for k := f.n - 1; k >= 0; k-- {
		r := f.row(k)
		for j := range k {
			b[j] -= float64(r[j] * b[k])
		}
	}
	for k := f.n - 1; k >= 0; k-- {
		if p := f.pivot[k]; p != k {
			b[k], b[p] = b[p], b[k]
		}
	}
}
