// This file has the root of a diagonal plus a matrix of low rank.

package normal

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// spiked is D (I + Q (L - I) Q').
type spiked struct {
	d diagonal
	q *mat.Dense // orthonormal columns; k of them
	t lower      // k by k
}

// NewSpiked is the normal with covariance diag(variance) + B G B', where B has
// one row for each coordinate and k columns and G is symmetric, k by k. The
// covariance must be positive definite; the error says when it is not.
func NewSpiked(mean, variance []float64, b, g mat.Matrix) (*Normal, error) {
	n := len(mean)
	d := make(diagonal, n)
	for i, v := range variance {
		if !(v > 0) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("the diagonal of the covariance has %g at %d", v, i+1)
		}
		d[i] = math.Sqrt(v)
	}
	_, cols := b.Dims()
	scaled := mat.DenseOf(b)
	for i, s := range d {
		row := scaled.RawRowView(i)
		for j := range row {
			row[j] /= s
		}
	}
	q, r := thinQR(scaled, n, cols)
	k, _ := r.Dims()
	var small mat.Dense
	small.Product(r, g, r.T())
	core := mat.NewSymDense(k, nil)
	for i := range k {
		for j := i; j < k; j++ {
			core.SetSym(i, j, (small.At(i, j)+small.At(j, i))/2)
		}
		core.SetSym(i, i, core.At(i, i)+1)
	}
	var chol mat.Cholesky
	if !core.Finite() || !chol.Factorize(core) {
		return nil, fmt.Errorf("the covariance is not positive definite")
	}
	var l mat.TriDense
	chol.LTo(&l)
	t := lower{n: k, l: make([]float64, k*k)}
	for i := range k {
		for j := range i + 1 {
			t.l[i*k+j] = l.At(i, j)
		}
	}
	return newNormal(mean, &spiked{d: d, q: q, t: t}), nil
}

// LowRank takes a normal that NewSpiked made apart: its covariance is
// D (I + Q (L L' - I) Q') D with D the root of diag(variance), orthonormal columns of q, and a
// lower triangular l; ok is false for other normals. The results are read-only.
func (n *Normal) LowRank() (variance []float64, q, l *mat.Dense, ok bool) {
	s, ok := n.root.(*spiked)
	if !ok {
		return nil, nil, nil, false
	}
	for _, d := range s.d {
		variance = append(variance, d*d)
	}
	return variance, s.q, mat.NewDense(s.t.n, s.t.n, s.t.l), true
}

// thinQR splits an n by k matrix into Q with min(n, k) orthonormal columns and
// R with k columns, by Gram and Schmidt's way done twice. A column of a that
// depends on earlier ones gives a column of zeros in Q and a row of zeros in R,
// which does as well here.
func thinQR(a *mat.Dense, n, k int) (q, r *mat.Dense) {
	if k >= n { // as many columns as coordinates: the coordinates themselves will do
		q = mat.NewDense(n, n, nil)
		for i := range n {
			q.Set(i, i, 1)
		}
		return q, a
	}
	q, r = mat.NewDense(n, k, nil), mat.NewDense(k, k, nil)
	cols := make([]*mat.VecDense, k)
	for j := range k {
		v := mat.NewVecDense(n, a.Col(nil, j))
		before := mat.Norm2(v.Raw())
		for range 2 {
			for i, u := range cols[:j] {
				c := vec.Dot(u.Raw(), v.Raw())
				v.AddScaledVec(v, -c, u)
				r.Set(i, j, r.At(i, j)+c)
			}
		}
		if norm := mat.Norm2(v.Raw()); norm > 1e-13*before {
			r.Set(j, j, norm)
			v.ScaleVec(1/norm, v)
		} else {
			v.Zero()
		}
		cols[j] = v
		q.SetCol(j, v.Raw())
	}
	return q, r
}

// along replaces x by x + Q (f(Q'x) - Q'x).
func (s *spiked) along(x []float64, f func(in, out []float64)) {
	k := s.t.n
	c, out := make([]float64, k), make([]float64, k)
	for i, v := range x {
		for j, w := range s.q.RawRowView(i) {
			c[j] += float64(w * v)
		}
	}
	f(c, out)
	for j := range out {
		out[j] -= c[j]
	}
	for i := range x {
		for j, w := range s.q.RawRowView(i) {
			x[i] += float64(w * out[j])
		}
	}
}

func (s *spiked) mul(z, out []float64) {
	copy(out, z)
	s.along(out, s.t.mul)
	s.d.mul(out, out)
}

func (s *spiked) mulT(x, out []float64) {
	s.d.mul(x, out)
	s.along(out, s.t.mulT)
}

func (s *spiked) solve(x, out []float64) {
	s.d.solve(x, out)
	s.along(out, s.t.solve)
}

func (s *spiked) solveT(z, out []float64) {
	copy(out, z)
	s.along(out, s.t.solveT)
	s.d.solve(out, out)
}

func (s *spiked) logDet() float64 { return s.d.logDet() + s.t.logDet() }
