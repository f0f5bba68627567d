package mat

// This file has the QR decomposition.

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/autodiff/vec/dense"
)

// A QR is the decomposition A = Q R of a matrix with no fewer rows than columns, with orthonormal columns
// of Q and a square upper triangular R (Golub and Van Loan, Matrix Computations, section 5.2.2).
type QR struct {
	rows, cols int
	column     [][]float64 // of R above the diagonal, and the reflections from it on
	tau, diag  []float64
}

// Factorize decomposes a matrix.
func (q *QR) Factorize(a *Dense) {
	*q = QR{rows: a.rows, cols: a.cols}
	for j := range a.cols {
		q.column = append(q.column, a.Col(nil, j))
	}
	for j, c := range q.column {
		v := c[j:]
		tau, alpha := householder(v)
		q.tau, q.diag = append(q.tau, tau), append(q.diag, alpha)
		for _, other := range q.column[j+1:] {
			q.reflect(j, other)
		}
	}
}

// reflect applies reflection j to a column.
func (q *QR) reflect(j int, x []float64) {
	v := q.column[j][j:]
	vec.AddScaled(x[j:], -q.tau[j]*vec.Dot(v, x[j:]), v)
}

// QTo sets d to Q, which has the size of A.
func (q *QR) QTo(d *Dense) {
	reshape(&d.data, &d.rows, &d.cols, q.rows, q.cols)
	x := make([]float64, q.rows)
	for k := range q.cols {
		clear(x)
		x[k] = 1
		for j := q.cols - 1; j >= 0; j-- {
			q.reflect(j, x)
		}
		d.SetCol(k, x)
	}
}

// RTo sets t to R.
func (q *QR) RTo(t *TriDense) {
	*t = *NewTriDense(q.cols)
	for j, c := range q.column {
		for i := range j {
			t.SetTri(i, j, c[i])
		}
		t.SetTri(j, j, q.diag[j])
	}
}

// Cond estimates the condition number of R, by sums of absolute values of rows; +Inf where it is singular.
func (q *QR) Cond() float64 {
	var r TriDense
	q.RTo(&r)
	norm := 0.0
	for i := range q.cols {
		if r.At(i, i) == 0 {
			return math.Inf(1)
		}
		sum := 0.0
		for _, v := range r.data[i*q.cols:][:q.cols] {
			sum += math.Abs(v)
		}
		norm = max(norm, sum)
	}
	lower := dense.Of(q.cols, q.cols, r.data) // R'
	solve := func(x []float64) { dense.SolveLower(lower, dense.Of(q.cols, 1, x)) }
	solveT := func(x []float64) { dense.SolveLowerT(lower, dense.Of(q.cols, 1, x)) }
	return norm * inverseNorm(q.cols, solve, solveT)
}

// SolveVecTo sets x to the least squares solution of A x = b. The error is a Condition.
func (q *QR) SolveVecTo(x, b *VecDense) error {
	size(len(b.data), q.rows)
	y := append([]float64(nil), b.data...)
	for j := range q.cols {
		q.reflect(j, y)
	}
	x.data = y[:q.cols]
	var r TriDense
	q.RTo(&r)
	dense.SolveLowerT(dense.Of(q.cols, q.cols, r.data), x.view())
	if c := q.Cond(); !(c <= hopeless) {
		return Condition(c)
	}
	return nil
}
