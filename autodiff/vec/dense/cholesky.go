// The Cholesky decomposition and its reverse rule.

package dense

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// Cholesky writes the lower triangular factor L of a symmetric matrix A = L L' in the
// place of A's lower triangle and reports whether A is positive definite; if not, what A
// then holds is of no use. The upper triangle is not used and keeps its numbers. The columns
// of A must be contiguous.
func Cholesky(a Matrix) bool {
	n := a.Rows
	if n <= base {
		return choleskySmall(&a)
	}
	a11, a21, a22 := a.quarters(half(n))
	if !Cholesky(a11) {
		return false
	}
	SolveLower(a11, a21.T()) // L21 = A21 / L11'
	SubMulLower(a22, a21, a21.T())
	return Cholesky(a22)
}

// choleskyBase takes from each column the products of those before: what assembly does for
// matrices of more than short rows.
func choleskyBase(a *Matrix) bool {
	var coef [base]float64
	for j := range a.Cols {
		col := a.column(j)[j:]
		if j > 0 && len(col) > short {
			for k := range j {
				coef[k] = -a.X[j+k*a.Right]
			}
			vec.AddMatVec(col, a.X[j:], a.Right, coef[:j])
		} else {
			for k := range j {
				x := a.column(k)[j:]
				addScaled(col, -x[0], x)
			}
		}
		if !(col[0] > 0) || math.IsInf(col[0], 1) {
			return false
		}
		col[0] = math.Sqrt(col[0])
		divide(col[1:], col[0])
	}
	return true
}

// CholeskyReverse turns the derivative F with respect to the lower triangle of the factor
// L into that with respect to the lower triangle of the matrix, an off-diagonal pair
// counted once, in the place of F. The upper triangle of F is overwritten. The columns of
// both must be contiguous.
//
// It undoes the steps of Cholesky from the last to the first (Murray 2016, "Differentiation
// of the Cholesky decomposition", section 3.4, with halves for blocks).
func CholeskyReverse(l, f Matrix) {
	n := l.Rows
	if n <= base {
		reverseBase(&l, &f)
		return
	}
	h := half(n)
	l11, l21, l22 := l.quarters(h)
	f11, f21, f22 := f.quarters(h)
	CholeskyReverse(l22, f22)
	// A22 less L21 L21' was factored: its derivative counts twice on the diagonal.
	MirrorLower(f22)
	scaleDiagonal(f22, 2)
	SubMul(f21, f22, l21)
	scaleDiagonal(f22, 0.5)
	SolveLowerT(l11, f21.T())
	SubMulLower(f11, f21.T(), l21)
	CholeskyReverse(l11, f11)
}

func scaleDiagonal(m Matrix, by float64) {
	for i := range m.Rows {
		m.X[i*(m.Down+m.Right)] *= by
	}
}

// reverseBase undoes choleskyBase a column at a time, which is the same with one column
// for the first half: F22 stands mirrored, its diagonal doubled, until all is done.
func reverseBase(l, f *Matrix) {
	var coef [base]float64
	for j := l.Cols - 1; j >= 0; j-- {
		lj, fj := l.column(j)[j:], f.column(j)[j:]
		d, below := lj[0], fj[1:]
		if len(below) > 0 {
			for i, v := range lj[1:] {
				coef[i] = -v
			}
			vec.AddMatVec(below, f.X[(j+1)*(f.Right+1):], f.Right, coef[:len(below)])
			divide(below, d)
		}
		fj[0] = (fj[0] - dot(below, lj[1:])) / d
		for i, v := range below {
			f.X[j+(j+1+i)*f.Right] = v
		}
	}
	scaleDiagonal(*f, 0.5)
}

// AddSelfLower adds the lower triangle of L L' to that of the square matrix C. L is lower
// triangular, of which only that triangle is read, with no fewer rows than columns; the
// columns of both must be contiguous.
func AddSelfLower(c, l Matrix) {
	for k := 0; k < l.Cols; k += base {
		end := min(k+base, l.Cols)
		for j := k; j < end; j++ {
			AddMul(c.Block(j, j, l.Rows-j, 1), l.Block(j, k, l.Rows-j, j+1-k), l.Block(j, k, 1, j+1-k).T())
		}
		rest := l.Rows - end
		below := l.Block(end, k, rest, end-k)
		AddMulLower(c.Block(end, end, rest, rest), below, below.T())
	}
}

// AddSelfReverse adds to the lower triangle of DL the derivative of sum(F .* L L') with
// respect to L, which is that of (F + F') L. L is as in AddSelfLower.
func AddSelfReverse(dl, f, l Matrix) {
	for _, f := range [2]Matrix{f, f.T()} {
		for k := 0; k < l.Cols; k += base {
			end := min(k+base, l.Cols)
			for j := k; j < end; j++ {
				AddMul(dl.Block(j, j, l.Rows-j, 1), f.Block(j, j, l.Rows-j, end-j), l.Block(j, j, end-j, 1))
			}
			rest := l.Rows - end
			below := l.Block(end, k, rest, end-k)
			AddMulLower(dl.Block(k, k, end-k, end-k), f.Block(k, end, end-k, rest), below)
			AddMul(dl.Block(end, k, rest, end-k), f.Block(end, end, rest, rest), below)
		}
	}
}
