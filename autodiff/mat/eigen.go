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
func (e *EigenSym) Factorize(a *SymDense, vectors bool) bool {
	if !a.Finite() {
		return false
	}
	n := a.n
	values, work := make([]float64, n), make([]float64, n*n+EigenSymWork(n))
	full, work := work[:n*n], work[n*n:]
	copy(full, a.data)
	var q []float64
	if vectors {
		q = make([]float64, n*n)
	}
	if !EigenSymTo(n, full, values, q, work) {
		return false
	}
	e.values, e.vectors = values, nil
	for k := range n {
		if vectors {
			e.vectors = append(e.vectors, q[k*n:(k+1)*n])
		}
	}
	return true
}

// EigenSymWork is how many numbers of scratch memory EigenSymTo needs for a matrix of n rows.
func EigenSymWork(n int) int { return 3 * n }

// EigenSymTo decomposes the symmetric n by n matrix a, which it overwrites: values are the
// eigenvalues in increasing order, and column k of vectors (by columns) is the eigenvector of value k,
// unless vectors is nil. It reports whether it could; elements must be finite. It does not allocate.
//
// Householder reflections make the matrix tridiagonal, and QL steps with implicit shifts diagonal
// (Wilkinson and Reinsch 1971, Handbook for Automatic Computation II, contributions 2 and 4).
func EigenSymTo(n int, a, values, vectors, work []float64) bool {
	scale := 0.0
	for _, v := range a[:n*n] {
		scale = max(scale, math.Abs(v))
	}
	if scale > 0 {
		for i := range a[:n*n] {
			a[i] /= scale
		}
	}
	beside, tau, w := work[:n], work[n:2*n], work[2*n:3*n]
	tridiagonal(n, a, values, beside, tau, w)
	if vectors != nil {
		reflect(n, a, tau, vectors, w)
	}
	if !diagonalise(n, values, beside, vectors) {
		return false
	}
	for i := range values[:n] {
		values[i] *= scale
	}
	sortPairs(n, values, vectors)
	return true
}

// sortPairs sorts eigenvalues, and their vectors with them.
func sortPairs(n int, values, vectors []float64) {
	for i := range n {
		least := i
		for j := i + 1; j < n; j++ {
			if values[j] < values[least] {
				least = j
			}
		}
		if least == i {
			continue
		}
		values[i], values[least] = values[least], values[i]
		if vectors != nil {
			x, y := vectors[i*n:(i+1)*n], vectors[least*n:(least+1)*n]
			for k, v := range x {
				x[k], y[k] = y[k], v
			}
		}
	}
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

// tridiagonal turns a symmetric matrix into Q T Q' with a tridiagonal T: its diagonal and what is beside
// it. Row k of a keeps the vector of reflection k behind the diagonal, and tau its factor; w is scratch memory.
func tridiagonal(n int, a, diagonal, beside, tau, w []float64) {
	for k := range n {
		diagonal[k], beside[k], tau[k] = a[k*(n+1)], 0, 0
		if k == n-1 {
			break
		}
		v := a[k*n+k+1 : (k+1)*n]
		tau[k], beside[k] = householder(v)
		if tau[k] == 0 {
			continue
		}
		w := w[:len(v)]
		for i := range v { // w = tau A v - (tau/2 v'(tau A v)) v
			w[i] = tau[k] * vec.Dot(a[(k+1+i)*n+k+1:(k+2+i)*n], v)
		}
		vec.AddScaled(w, -tau[k]/2*vec.Dot(w, v), v)
		for i := range v { // A - v w' - w v'
			row := a[(k+1+i)*n+k+1 : (k+2+i)*n]
			vec.AddScaled(row, -v[i], w)
			vec.AddScaled(row, -w[i], v)
		}
	}
}

// reflect sets q to the product of the reflections in the rows of a, by columns.
func reflect(n int, a, tau, q, sum []float64) {
	clear(q[:n*n])
	for i := range n {
		q[i*(n+1)] = 1
	}
	for k := n - 2; k >= 0; k-- {
		v, sum := a[k*n+k+1:(k+1)*n], sum[:n-k-1]
		clear(sum)
		for i, x := range v {
			vec.AddScaled(sum, x, q[(k+1+i)*n+k+1:(k+2+i)*n])
		}
		for i, x := range v {
			vec.AddScaled(q[(k+1+i)*n+k+1:(k+2+i)*n], -tau[k]*x, sum)
		}
	}
	for i := range n {
		for j := range i {
			q[i*n+j], q[j*n+i] = q[j*n+i], q[i*n+j]
		}
	}
}

// diagonalise turns a tridiagonal matrix into a diagonal one, and the columns of q, unless it is nil,
// with it; false where that takes more steps than it ever should.
func diagonalise(n int, d, e, q []float64) bool {
	const most = 60
	for l := range n {
		for steps := 0; ; steps++ {
			m := l
			for m < n-1 && math.Abs(e[m]) > 0x1p-53*(math.Abs(d[m])+math.Abs(d[m+1])) {
				m++
			}
			if m == l {
				break
			}
			if steps == most {
				return false
			}
			step(n, d, e, q, l, m)
		}
	}
	return true
}

// step is a QL step on rows l to m.
func step(n int, d, e, q []float64, l, m int) {
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
			rotate(q[i*n:(i+1)*n], q[(i+1)*n:(i+2)*n], c, s)
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
