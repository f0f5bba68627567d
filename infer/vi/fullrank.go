// This file is the family of all normals, by a triangular factor of the
// covariance.

package vi

import (
	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/infer/normal"
)

// A fullRank has L column by column. The direction of L is D = tril(V E')/n, the diagonal
// halved, with a column of V = L'h and E for each pair of points. It is never formed: L D
// takes as many operations as L has elements for each pair.
type fullRank struct {
	dim    int
	p      []float64 // mean, then L column by column, zeros above the diagonal
	m, l   []float64 // views of p
	sumLog float64
	v      []float64   // columns of V
	e      [][]float64 // those of E
	sums   []float64   // columns of L V, for the last rows of V
	tmp    []float64
	weight []float64 // a row of E
	half   []float64 // diagonal of D
}

func newFullRank(start *normal.Normal) *fullRank {
	d := start.Dim()
	f := &fullRank{dim: d, p: make([]float64, d+d*d), tmp: make([]float64, d), half: make([]float64, d)}
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

// factor sets L from a covariance, and reports whether rounding let it.
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
			f.l[j*f.dim+i] = l.At(i, j)
		}
	}
	return true
}

// column is column j of L from the diagonal on.
func (f *fullRank) column(j int) []float64 { return f.l[j*f.dim+j : (j+1)*f.dim] }

func (f *fullRank) noise() int { return f.dim }

func (f *fullRank) refresh() {
	for i := range f.dim {
		f.tmp[i] = f.l[i*f.dim+i]
	}
	f.sumLog = vec.SumLog(f.tmp)
}

// stretch is how many columns of L are taken together; above the diagonal they are zero.
const stretch = 16

// add adds L x to out.
func (f *fullRank) add(x, out []float64) {
	for j := 0; j < f.dim; j += stretch {
		vec.AddMatVec(out[j:], f.l[j*f.dim+j:], f.dim, x[j:min(j+stretch, f.dim)])
	}
}

// transposed writes L'h into out.
func (f *fullRank) transposed(h, out []float64) {
	for j := 0; j < f.dim; j += stretch {
		vec.MatTVec(out[j:min(j+stretch, f.dim)], f.l[j*f.dim+j:], f.dim, h[j:])
	}
}

func (f *fullRank) place(e, q [][]float64) {
	for k := range e {
		copy(q[k], f.m)
		f.add(e[k], q[k])
	}
}

func (f *fullRank) logDensity(e []float64) float64 { return normal.StandardLog(e) - f.sumLog }

func (f *fullRank) covariance(h, out []float64) {
	f.transposed(h, f.tmp)
	clear(out)
	f.add(f.tmp, out)
}

func (f *fullRank) collect(g, e []float64) {
	n := len(f.e)
	if len(f.v) == n*f.dim {
		f.v = append(f.v, make([]float64, f.dim)...)
		f.sums = append(f.sums, make([]float64, f.dim)...)
		f.weight = append(f.weight, 0)
	}
	v := f.v[n*f.dim : (n+1)*f.dim]
	f.transposed(g, v)
	vec.AddScaled(v, 2, e) // -L'grad log q is e
	f.e = append(f.e, e)
}

func (f *fullRank) move(step []float64, rate float64, n int) {
	rate /= 1 + float64(f.dim+1)/(float64(n)/2)
	rate *= cut(f.square(float64(n)), f.dim, 1)
	floats.Add(f.m, step)
	f.rotate(rate, float64(n))
	f.forget()
	f.refresh()
}

// weights fills in row k of E times a factor.
func (f *fullRank) weights(k int, factor float64) []float64 {
	w := f.weight[:len(f.e)]
	for p, e := range f.e {
		w[p] = factor * e[k]
	}
	return w
}

// square is the sum of the squares of D, of which it keeps the diagonal.
func (f *fullRank) square(n float64) (sum float64) {
	for k := range f.dim {
		column := f.tmp[k:]
		clear(column)
		vec.AddMatVec(column, f.v[min(k, len(f.v)):], f.dim, f.weights(k, 1/n))
		column[0] /= 2
		f.half[k] = column[0]
		sum += vec.Dot(column, column)
	}
	return sum
}

// rotate multiplies L by I + rate*D from the right: with l the columns of L, column k of
// L D is the sum over j >= k of l_j times (row j of V) times (row k of E), so that sums of
// the last columns are all it needs. The diagonal is kept positive.
func (f *fullRank) rotate(rate, n float64) {
	clear(f.sums)
	for k := f.dim - 1; k >= 0; k-- {
		l := f.column(k)
		for p := range f.e {
			vec.AddScaled(f.sums[p*f.dim+k:(p+1)*f.dim], f.v[p*f.dim+k], l)
		}
		own := float64(rate * f.half[k]) // what is in the sums twice of this
		scale := [1]float64{max(0.5, 1+own) - 2*own}
		vec.MulVS.Map(l, l, scale[:])
		vec.AddMatVec(l, f.sums[min(k, len(f.sums)):], f.dim, f.weights(k, rate/n))
	}
}

func (f *fullRank) forget() { f.e = f.e[:0] }

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
	l := make([]float64, len(f.l)) // row by row
	for j := range f.dim {
		for i, x := range f.column(j) {
			l[(j+i)*f.dim+j] = x
		}
	}
	return normal.NewLower(append([]float64{}, f.m...), l)
}
