// Rows of the QR decomposition, with the diagonal of R not negative.

package matrixfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
)

func qrFunctions() []*catalogue.Function {
	row := func(d *Decomposition, part int, doc string) *catalogue.Function {
		name := d.Parts[part]
		return &catalogue.Function{
			Name: name, Signatures: []string{"matrix " + name + "(matrix a)"}, Doc: doc, Section: solveSection,
			Kernel: d.Part(part),
		}
	}
	return []*catalogue.Function{
		row(QR, 0, "the orthogonal matrix Q of the decomposition a = Q R"),
		row(QR, 1, "the upper triangular (trapezoidal) R of the decomposition a = Q R"),
		row(ThinQR, 0, "the orthonormal columns Q of the thin decomposition a = Q R"),
		row(ThinQR, 1, "the upper triangular R of the thin decomposition a = Q R"),
		{
			Name: "qr", Signatures: []string{"tuple(matrix, matrix) qr(matrix a)"},
			Doc: "the decomposition a = Q R", Section: solveSection, Parts: []string{"qr_Q", "qr_R"},
		},
		{
			Name: "qr_thin", Signatures: []string{"tuple(matrix, matrix) qr_thin(matrix a)"},
			Doc: "the thin decomposition a = Q R", Section: solveSection, Parts: []string{"qr_thin_Q", "qr_thin_R"},
		},
	}
}

// householder overwrites the m by n matrix r with R and fills the m by k matrix q, the
// first k columns of Q. v has room for m + min(m,n) numbers.
func householder(m, n, k int, r, q, v []float64) {
	clear(q[:m*k])
	for i := 0; i < k; i++ {
		q[i*(m+1)] = 1
	}
	// The reflections are stored below the diagonal of r until q is formed.
	steps := min(m, n)
	for j := 0; j < steps; j++ {
		col := r[j*m+j : (j+1)*m]
		norm := math.Sqrt(catalogue.Dot(col, col))
		if norm == 0 {
			continue
		}
		if col[0] > 0 {
			norm = -norm
		}
		x := v[:len(col)]
		copy(x, col)
		x[0] -= norm
		scale := 2 / catalogue.Dot(x, x)
		for c := j + 1; c < n; c++ {
			y := r[c*m+j : (c+1)*m]
			catalogue.Axpy(-scale*catalogue.Dot(x, y), x, y)
		}
		size := math.Sqrt(catalogue.Dot(x, x))
		for i := range col { // unit reflection vector, with R[j,j] kept in the sign of v
			col[i] = x[i] / size
		}
		v[m+j] = norm
	}
	for j := steps - 1; j >= 0; j-- {
		x := r[j*m+j : (j+1)*m]
		if catalogue.Dot(x, x) == 0 {
			continue
		}
		for c := 0; c < k; c++ {
			y := q[c*m+j : (c+1)*m]
			catalogue.Axpy(-2*catalogue.Dot(x, y), x, y)
		}
	}
	for j := 0; j < steps; j++ {
		col := r[j*m+j : (j+1)*m]
		if catalogue.Dot(col, col) != 0 {
			clear(col)
			col[0] = v[m+j]
		}
	}
	for i := 0; i < steps; i++ {
		if r[i*(m+1)] >= 0 {
			continue
		}
		for c := i; c < n; c++ {
			r[i+c*m] = -r[i+c*m]
		}
		if i < k {
			for row := 0; row < m; row++ {
				q[row+i*m] = -q[row+i*m]
			}
		}
	}
}

// QR is the decomposition into an orthogonal matrix and a triangular (trapezoidal) one; ThinQR has
// the first columns and rows, of which there are as many as in the smaller dimension.
var (
	QR     = newQR("qr_Q", "qr_R", func(m, _ int) int { return m })
	ThinQR = newQR("qr_thin_Q", "qr_thin_R", func(m, n int) int { return min(m, n) })
)

// newQR makes the decomposition of which Q has some of the m columns.
func newQR(q, r string, columns func(m, n int) int) *Decomposition {
	return &Decomposition{
		Parts: []string{q, r},
		ranks: []int{2, 2},
		dims: func(m, n int) [maxParts][2]int {
			k := columns(m, n)
			return [maxParts][2]int{{m, k}, {k, n}}
		},
		work: func(m, n int) int { return 2*m*n + 2*m*m + m + min(m, n) },
		value: func(_ string, a catalogue.Tensor, out, work []float64) error {
			m, n := container.MatrixSize(a)
			k, r := columns(m, n), work[:m*n]
			copy(r, a.X)
			householder(m, n, k, r, out, work[m*n:])
			for j := range n {
				copy(out[m*k+j*k:m*k+(j+1)*k], r[j*m:j*m+k])
			}
			return nil
		},
		vjp: func(a catalogue.Tensor, out, adj, da, work []float64) {
			m, n := container.MatrixSize(a)
			k := columns(m, n)
			bar := work[:m*k+k*n]
			copy(bar, adj)
			addQRVJP(m, n, k, a.X, out[:m*k], out[m*k:], bar[:m*k], bar[m*k:], da, work[len(bar):])
		},
	}
}

// addQRVJP adds the derivative to da. With k = min(m,n), Q1 the first k columns of Q and
// R1 the square part of R,
//
//	dA1 = (Qbar1 + Q1 sym(M)) R1^-T,  M = R1 Rbar1' - Qbar1' Q1,
//
// where sym mirrors the lower triangle (Walter and others 2012). Columns of A beyond k
// enter by R2 = Q1' A2, columns of Q beyond k by the rotation dQ2 = -Q1 dQ1' Q2 that
// keeps them orthogonal. Q has cols columns, and R as many rows.
func addQRVJP(m, n, cols int, a, q, r, qbar, rbar, da, work []float64) {
	k := min(m, n)
	q1, qbar1 := q[:m*k], qbar[:m*k]
	if cols > k {
		cross := work[:(cols-k)*k] // Qbar2' Q1
		clear(cross)
		catalogue.MulTransposeAAdd(cols-k, m, k, qbar[m*k:], q1, cross)
		for i := range cross {
			cross[i] = -cross[i]
		}
		catalogue.MulAdd(m, cols-k, k, q[m*k:], cross, qbar1)
	}
	if n > k { // then k = m = cols
		catalogue.MulAdd(m, k, n-k, q1, rbar[k*m:], da[k*m:])
		catalogue.MulTransposeBAdd(m, n-k, k, a[k*m:], rbar[k*m:], qbar1)
	}
	mm := work[:k*k]
	clear(mm)
	for j := 0; j < k; j++ { // R1 Rbar1'
		for i := 0; i <= k-1; i++ {
			sum := 0.0
			for c := i; c < k; c++ {
				sum += float64(r[i+c*cols] * rbar[j+c*cols])
			}
			mm[i+j*k] = sum - catalogue.Dot(qbar[i*m:(i+1)*m], q[j*m:(j+1)*m])
		}
	}
	for j := 0; j < k; j++ {
		for i := 0; i < j; i++ {
			mm[i+j*k] = mm[j+i*k]
		}
	}
	catalogue.MulAdd(m, k, k, q1, mm, qbar1)
	// X R1' = Qbar1, column by column from the last.
	for j := k - 1; j >= 0; j-- {
		col := qbar[j*m : (j+1)*m]
		for c := j + 1; c < k; c++ {
			catalogue.Axpy(-r[j+c*cols], qbar[c*m:(c+1)*m], col)
		}
		for i := range col {
			col[i] /= r[j*(cols+1)]
		}
		catalogue.Axpy(1, col, da[j*m:(j+1)*m])
	}
}
