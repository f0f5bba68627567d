// Rows of the QR decomposition, with the diagonal of R not negative.

package matrixfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
)

func qrFunctions() []*catalogue.Function {
	row := func(name, result, doc string, thin, wantQ bool) *catalogue.Function {
		return &catalogue.Function{
			Name: name, Signatures: []string{result + " " + name + "(matrix a)"}, Doc: doc, Section: solveSection,
			Kernel: qrKernel(name, thin, wantQ),
		}
	}
	return []*catalogue.Function{
		row("qr_Q", "matrix", "the orthogonal matrix Q of the decomposition a = Q R", false, true),
		row("qr_R", "matrix", "the upper triangular (trapezoidal) R of the decomposition a = Q R", false, false),
		row("qr_thin_Q", "matrix", "the orthonormal columns Q of the thin decomposition a = Q R", true, true),
		row("qr_thin_R", "matrix", "the upper triangular R of the thin decomposition a = Q R", true, false),
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
		for i := range col { // unit reflection vector, with R[j,j] kept in the sign of v
			col[i] = x[i] / math.Sqrt(catalogue.Dot(x, x))
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

func qrKernel(name string, thin, wantQ bool) *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			m, n := container.MatrixSize(in[0])
			k := m
			if thin {
				k = min(m, n)
			}
			if wantQ {
				return []int{m, k}, nil
			}
			return []int{k, n}, nil
		},
		Work: func(in []catalogue.Tensor) int {
			m, n := container.MatrixSize(in[0])
			return 3*m*n + 4*m*m + m + min(m, n)
		},
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			m, n := container.MatrixSize(in[0])
			r, q, v := work[:m*n], work[m*n:m*n+m*m], work[m*n+m*m:]
			copy(r, in[0].X)
			householder(m, n, m, r, q, v)
			if wantQ {
				copy(out, q)
				return nil
			}
			k := len(out) / max(n, 1)
			for j := 0; j < n; j++ {
				copy(out[j*k:(j+1)*k], r[j*m:j*m+k])
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			m, n := container.MatrixSize(in[0])
			r, q := work[:m*n], work[m*n:m*n+m*m]
			qbar, rbar := work[m*n+m*m:m*n+2*m*m], work[m*n+2*m*m:2*m*n+2*m*m]
			rest := work[2*m*n+2*m*m:]
			copy(r, in[0].X)
			householder(m, n, m, r, q, rest)
			clear(qbar)
			clear(rbar)
			if wantQ {
				copy(qbar, adj)
			} else {
				k := len(adj) / max(n, 1)
				for j := 0; j < n; j++ {
					copy(rbar[j*m:j*m+k], adj[j*k:(j+1)*k])
				}
			}
			addQRVJP(m, n, in[0].X, q, r, qbar, rbar, din[0], rest)
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
// keeps them orthogonal.
func addQRVJP(m, n int, a, q, r, qbar, rbar, da, work []float64) {
	k := min(m, n)
	q1, qbar1 := q[:m*k], qbar[:m*k]
	if m > k {
		cross := work[:(m-k)*k] // Qbar2' Q1
		clear(cross)
		catalogue.MulTransposeAAdd(m-k, m, k, qbar[m*k:], q1, cross)
		for i := range cross {
			cross[i] = -cross[i]
		}
		catalogue.MulAdd(m, m-k, k, q[m*k:], cross, qbar1)
	}
	if n > k {
		catalogue.MulAdd(m, k, n-k, q1, rbar[k*m:], da[k*m:])
		catalogue.MulTransposeBAdd(m, n-k, k, a[k*m:], rbar[k*m:], qbar1)
	}
	mm := work[:k*k]
	clear(mm)
	for j := 0; j < k; j++ { // R1 Rbar1'
		for i := 0; i <= k-1; i++ {
			sum := 0.0
			for c := i; c < k; c++ {
				sum += float64(r[i+c*m] * rbar[j+c*m])
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
			catalogue.Axpy(-r[j+c*m], qbar[c*m:(c+1)*m], col)
		}
		for i := range col {
			col[i] /= r[j*(m+1)]
		}
		catalogue.Axpy(1, col, da[j*m:(j+1)*m])
	}
}
