// Jacobi's methods for symmetric eigenvalues and singular values: rotations until all
// off-diagonal parts are gone. They are slower than reductions to band form, but short,
// accurate to the last digits and free of allocation.

package matrixfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

const jacobiSweeps = 60

// fixSign makes the largest element of an eigenvector positive, so that the result does
// not depend on the path of the rotations.
func fixSign(v []float64) {
	top := 0
	for i := range v {
		if math.Abs(v[i]) > math.Abs(v[top])*(1+1e-10) {
			top = i
		}
	}
	if len(v) > 0 && v[top] < 0 {
		for i := range v {
			v[i] = -v[i]
		}
	}
}

// rotation returns cosine, sine and tangent of the angle that diagonalises a symmetric 2 by
// 2 matrix.
func rotation(app, apq, aqq float64) (c, s, t float64) {
	theta := (aqq - app) / (2 * apq)
	if size := math.Abs(theta); size < 1e8 {
		t = 1 / (size + math.Sqrt(float64(theta*theta)+1))
	} else { // the same to rounding, where squares may overflow
		t = 0.5 / size
	}
	if theta < 0 {
		t = -t
	}
	c = 1 / math.Sqrt(float64(t*t)+1)
	return c, t * c, t
}

func rotateColumns(c, s float64, x, y []float64) {
	for k, v := range x {
		x[k], y[k] = float64(c*v)-float64(s*y[k]), float64(s*v)+float64(c*y[k])
	}
}

// jacobiSVD decomposes a with m >= n into u diag(s) v': u (m by n) starts as a copy of a,
// s is descending, v is n by n. Columns of u for zero singular values are completed to an
// orthonormal set. Meanwhile s has the squared lengths of u's columns, which a rotation changes by the
// tangent times the product; where most of one is gone it is taken again.
func jacobiSVD(m, n int, a, u, s, v []float64) {
	copy(u, a[:m*n])
	catalogue.SetIdentity(n, v)
	orthogonal := 0x1p-52 * math.Sqrt(float64(m)) // the rounding of a cosine
	for sweep := 0; sweep < jacobiSweeps; sweep++ {
		done := true
		for j := range n {
			s[j] = catalogue.Dot(u[j*m:(j+1)*m], u[j*m:(j+1)*m])
		}
		for p := 0; p < n; p++ {
			for q := p + 1; q < n; q++ {
				x, y := u[p*m:(p+1)*m], u[q*m:(q+1)*m]
				app, apq, aqq := s[p], catalogue.Dot(x, y), s[q]
				if math.Abs(apq) <= 1e-300 || math.Abs(apq) <= orthogonal*math.Sqrt(app*aqq) {
					continue
				}
				done = false
				c, sn, tan := rotation(app, apq, aqq)
				rotateColumns(c, sn, x, y)
				s[p], s[q] = app-float64(tan*apq), aqq+float64(tan*apq)
				if s[p] < 0.1*app {
					s[p] = catalogue.Dot(x, x)
				}
				if s[q] < 0.1*aqq {
					s[q] = catalogue.Dot(y, y)
				}
				rotateColumns(c, sn, v[p*n:(p+1)*n], v[q*n:(q+1)*n])
			}
		}
		if done {
			break
		}
	}
	top := 0.0
	for j := 0; j < n; j++ {
		s[j] = math.Sqrt(catalogue.Dot(u[j*m:(j+1)*m], u[j*m:(j+1)*m]))
		top = math.Max(top, s[j])
	}
	for i := 0; i < n; i++ { // order u and v together
		best := i
		for j := i + 1; j < n; j++ {
			if s[j] > s[best] {
				best = j
			}
		}
		if best != i {
			s[i], s[best] = s[best], s[i]
			swap(u[i*m:(i+1)*m], u[best*m:(best+1)*m])
			swap(v[i*n:(i+1)*n], v[best*n:(best+1)*n])
		}
	}
	for j := 0; j < n; j++ {
		col := u[j*m : (j+1)*m]
		if s[j] <= 1e-300 || s[j] < 1e-15*top {
			completeBasis(m, j, u)
			continue
		}
		for i := range col {
			col[i] /= s[j]
		}
	}
}

func swap(x, y []float64) {
	for i, v := range x {
		x[i], y[i] = y[i], v
	}
}

// completeBasis writes to column j of u a unit vector orthogonal to the columns before:
// the axis with the largest remainder, orthogonalised twice.
func completeBasis(m, j int, u []float64) {
	col := u[j*m : (j+1)*m]
	bestAxis, bestLeft := 0, -1.0
	for axis := 0; axis < m; axis++ {
		left := 1.0
		for k := 0; k < j; k++ {
			left -= float64(u[axis+k*m] * u[axis+k*m])
		}
		if left > bestLeft {
			bestAxis, bestLeft = axis, left
		}
	}
	clear(col)
	col[bestAxis] = 1
	for pass := 0; pass < 2; pass++ {
		for k := 0; k < j; k++ {
			other := u[k*m : (k+1)*m]
			catalogue.Axpy(-catalogue.Dot(other, col), other, col)
		}
	}
	norm := math.Sqrt(catalogue.Dot(col, col))
	for i := range col {
		col[i] /= norm
	}
}
