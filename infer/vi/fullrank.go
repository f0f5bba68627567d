// This file is the family of all normals, by a triangular factor of the
// covariance.

package vi

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-12b88e03/ppl/infer/normal"
)

type fullRank struct {
	dim    int
	p      []float64 // mean, then L row by row, zeros above the diagonal
	m, l   []float64 // views of p
	sumLog float64
	dir    []float64 // sums of the lower triangle of L'h e'
	v      []float64
}

func newFullRank(start *normal.Normal) *fullRank {
	d := start.Dim()
	f := &fullRank{dim: d, p: make([]float64, d+d*d), dir: make([]float64, d*d), v: make([]float64, d)}
	f.m, f.l = f.p[:d], f.p[d:]
	copy(f.m, start.Mean())
	if !f.factor(start) {
		for i, s := range start.ConditionalSD() {
			f.l[i*d+i] = s
		}
	}
	f.refresh()
	return f
}

// factor sets L from a covariance, and says whether rounding let it.
func (f *fullRank) factor(start *normal.Normal) bool {
	if f.dim == 0 {
		return true
	}
	c := make([]float64, f.dim*f.dim)
	start.Covariance(c)
	var chol mat.Cholesky
	if !chol.Factorize(mat.NewSymDense(f.dim, c)) {
		return false
	}
	var l mat.TriDense
	chol.LTo(&l)
	for i := range f.dim {
		for j := range i + 1 {
			f.l[i*f.dim+j] = l.At(i, j)
		}
	}
	return true
}

func (f *fullRank) row(i int) []float64 { return f.l[i*f.dim : i*f.dim+i+1] }

func (f *fullRank) noise() int { return f.dim }

func (f *fullRank) refresh() {
	f.sumLog = 0
	for i := range f.dim {
		f.sumLog += math.Log(f.l[i*f.dim+i])
	}
}

func (f *fullRank) place(e, q []float64) {
	for i := range f.dim {
		q[i] = f.m[i] + floats.Dot(f.row(i), e[:i+1])
	}
}

func (f *fullRank) score(e, out []float64) float64 {
	copy(out, e)
	for i := f.dim - 1; i >= 0; i-- {
		row := f.row(i)
		out[i] /= row[i]
		floats.AddScaled(out[:i], -out[i], row[:i])
	}
	return standardLog(e) - f.sumLog
}

// transposed writes L'h into out.
func (f *fullRank) transposed(h, out []float64) {
	clear(out)
	for i, x := range h {
		floats.AddScaled(out[:i+1], x, f.row(i))
	}
}

func (f *fullRank) covariance(h, out []float64) {
	f.transposed(h, f.v)
	for i := range f.dim {
		out[i] = floats.Dot(f.row(i), f.v[:i+1])
	}
}

func (f *fullRank) collect(h, e []float64) {
	f.transposed(h, f.v)
	for i, x := range f.v {
		floats.AddScaled(f.dir[i*f.dim:i*f.dim+i+1], x, e[:i+1])
	}
}

func (f *fullRank) move(step []float64, rate float64, n int) {
	rate /= 1 + float64(f.dim+1)/(float64(n)/2)
	var square float64
	for i := range f.dim {
		row := f.dir[i*f.dim : i*f.dim+i+1]
		for j := range row {
			row[j] /= float64(n)
			if i == j {
				row[j] /= 2
			}
			square += row[j] * row[j]
		}
	}
	rate *= cut(square, f.dim, 1)
	floats.Add(f.m, step)
	f.rotate(rate)
	f.forget()
	f.refresh()
}

// rotate multiplies L by I + rate*dir from the right, which it leaves in dir. The
// diagonal is kept positive.
func (f *fullRank) rotate(rate float64) {
	d := f.dim
	floats.Scale(rate, f.dir)
	for i := range d {
		f.dir[i*d+i] = max(0.5, 1+f.dir[i*d+i])
	}
	blas64.Trmm(blas.Right, blas.NoTrans, 1,
		blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: d, Data: f.dir, Stride: d},
		blas64.General{Rows: d, Cols: d, Data: f.l, Stride: d})
}

func (f *fullRank) forget() { clear(f.dir) }

func (f *fullRank) shrink(factor float64) {
	for i := range f.l {
		f.l[i] *= factor
	}
	f.refresh()
}

func (f *fullRank) params() []float64 { return f.p }

func (f *fullRank) set(p []float64) {
	copy(f.p, p)
	f.refresh()
}

func (f *fullRank) normal() *normal.Normal {
	return normal.NewLower(append([]float64{}, f.m...), append([]float64{}, f.l...))
}
