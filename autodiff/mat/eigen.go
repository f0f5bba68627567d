package mat

// This file has eigenvalues and eigenvectors of symmetric matrices.

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// An EigenSym is the decomposition A = V D V' of a symmetric matrix, with orthonormal columns of V and a
// diagonal D that increases.
type EigenSym struct {
	values  []float64
	vectors [][]float64 // by eigenvalue; nil where they were not asked for
}

// Factorize decomposes a matrix, and reports whether it could: its elements must be finite. Without
// vectors there are values only.
//
// Householder reflections make the matrix tridiagonal, and QL steps with implicit shifts diagonal
// (Wilkinson and Reinsch 1971, Handbook for Automatic Computation II, contributions 2 and 4).
func (e *EigenSym) Factorize(a *SymDense, vectors bool) bool {
	if !a.Finite() {
		return false
	}
	scale := 0.0
	for _, v := range a.data {
		scale = max(scale, math.Abs(v))
	}
	rows := make([][]float64, a.n)
	for i := range rows {
		rows[i] = slices.Clone(a.data[i*a.n:][:a.n])
		if scale > 0 {
			for j := range rows[i] {
				rows[i][j] /= scale
			}
		}
	}
	diagonal, beside, q := tridiagonal(rows, vectors)
	if !diagonalise(diagonal, beside, q) {
		return false
	}
	order := make([]int, a.n)
	for i := range order {
		order[i] = i
		diagonal[i] *= scale
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case diagonal[i] < diagonal[j]:
			return -1
		case diagonal[i] > diagonal[j]:
			return 1
		}
		return 0
	})
	e.values, e.vectors = make([]float64, a.n), nil
	for k, i := range order {
		e.values[k] = diagonal[i]
		if vectors {
			e.vectors = append(e.vectors, q[i])
		}
	}
	return true
}

// Values returns the eigenvalues in increasing order.
func (e *EigenSym) Values() []float64 { return slices.Clone(e.values) }

// VectorsTo sets d to V: column k is the eigenvector of value k.
func (e *EigenSym) VectorsTo(d *Dense) {
	n := len(e.values)
	reshape(&d.data, &d.rows, &d.cols, n, n)
	for k, v := range e.vectors {
		d.SetCol(k, v)
	}
}

// householder turns x into the vector v of a reflection 1 - tau v v' that maps x to alpha times the first
// unit vector; tau is 0 where x is that already.
func householder(x []float64) (tau, alpha float64) {
	alpha = x[0]
	rest := Norm2(x[1:])
	if rest == 0 {
		x[0] = 1
		return 0, alpha
	}
	alpha = -math.Copysign(libm.Hypot(x[0], rest), x[0])
	tau = (alpha - x[0]) / alpha
	by := x[0] - alpha
	for i := range x {
		x[i] /= by
	}
	x[0] = 1
	return tau, alpha
}

// tridiagonal turns a symmetric matrix, which it overwrites, into Q T Q' with a tridiagonal T: its
// diagonal, what is beside it, and Q' where it is wanted.
func tridiagonal(a [][]float64, wanted bool) (diagonal, beside []float64, qt [][]float64) {
	n := len(a)
	diagonal, beside = make([]float64, n), make([]float64, n)
	tau, w := make([]float64, n), make([]float64, n)
	for k := range n {
		diagonal[k] = a[k][k]
		if k == n-1 {
			break
		}
		v := a[k][k+1:]
		tau[k], beside[k] = householder(v)
		if tau[k] == 0 {
			continue
		}
		w := w[:len(v)]
		for i := range v { // w = tau A v - (tau/2 v'(tau A v)) v
			w[i] = tau[k] * vec.Dot(a[k+1+i][k+1:], v)
		}
		vec.AddScaled(w, -tau[k]/2*vec.Dot(w, v), v)
		for i := range v { // A - v w' - w v'
			row := a[k+1+i][k+1:]
			for j, x := range w {
				row[j] -= float64(v[i]*x) + float64(w[i]*v[j])
			}
		}
	}
	if !wanted {
		return diagonal, beside, nil
	}
	return diagonal, beside, reflect(a, tau)
}

// reflect returns the transpose of the product of the reflections in the rows of a.
func reflect(a [][]float64, tau []float64) [][]float64 {
	n := len(a)
	q := make([][]float64, n)
	for i := range q {
		q[i] = make([]float64, n)
		q[i][i] = 1
	}
	sum := make([]float64, n)
	for k := n - 2; k >= 0; k-- {
		v, sum := a[k][k+1:], sum[:n-k-1]
		clear(sum)
		for i, x := range v {
			vec.AddScaled(sum, x, q[k+1+i][k+1:])
		}
		for i, x := range v {
			vec.AddScaled(q[k+1+i][k+1:], -tau[k]*x, sum)
		}
	}
	for i := range q {
		for j := range i {
			q[i][j], q[j][i] = q[j][i], q[i][j]
		}
	}
	return q
}

// diagonalise turns a tridiagonal matrix into a diagonal one, and the rows of q, if there are any,
// with it; false where that takes more steps than it ever should.
func diagonalise(d, e []float64, q [][]float64) bool {
	const most = 60
	for l := range d {
		for steps := 0; ; steps++ {
			m := l
			for m < len(d)-1 && math.Abs(e[m]) > 0x1p-53*(math.Abs(d[m])+math.Abs(d[m+1])) {
				m++
			}
			if m == l {
				break
			}
			if steps == most {
				return false
			}
			step(d, e, q, l, m)
		}
	}
	return true
}

// step is a QL step on rows l to m.
func step(d, e []float64, q [][]float64, l, m int) {
	g := (d[l+1] - d[l]) / (2 * e[l])
	g = d[m] - d[l] + e[l]/(g+math.Copysign(libm.Hypot(g, 1), g))
	s, c, p := 1.0, 1.0, 0.0
	for i := m - 1; i >= l; i-- {
		f, b := float64(s*e[i]), float64(c*e[i])
		r := libm.Hypot(f, g)
		e[i+1] = r
		if r == 0 { // the matrix splits here
			d[i+1] -= p
			e[m] = 0
			return
		}
		s, c = f/r, g/r
		g = d[i+1] - p
		r = float64((d[i]-g)*s) + float64(2*c*b)
		p = float64(s * r)
		d[i+1] = g + p
		g = float64(c*r) - b
		if q != nil {
			rotate(q[i], q[i+1], c, s)
		}
	}
	d[l] -= p
	e[l], e[m] = g, 0
}

// rotate turns x and y in their plane.
func rotate(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for i, u := range x {
		v := y[i]
		x[i] = float64(c*u) - float64(s*v)
		y[i] = float64(s*u) + float64(c*v)
	}
}
