// Rows that factor, invert and solve: cholesky_decompose, inverse, mdivide_*, determinants.

package stdlib

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec/dense"
)

const solveSection = "Linear Algebra Functions and Solvers"

func solveFunctions() []*Function {
	return []*Function{
		{
			Name:       "cholesky_decompose",
			Signatures: []string{"matrix cholesky_decompose(matrix a)"},
			Doc:        "the lower triangular L with a = L L', for a symmetric positive definite",
			Section:    solveSection,
			Kernel:     choleskyKernel(),
		},
		{
			Name:       "inverse",
			Signatures: []string{"matrix inverse(matrix a)"},
			Doc:        "the inverse of a square matrix",
			Section:    solveSection,
			Kernel:     inverseKernel(),
		},
		{
			Name:       "inverse_spd",
			Signatures: []string{"matrix inverse_spd(matrix a)"},
			Doc:        "the inverse of a symmetric positive definite matrix",
			Section:    solveSection,
			Kernel:     inverseSPDKernel(),
		},
		{
			Name:       "chol2inv",
			Signatures: []string{"matrix chol2inv(matrix l)"},
			Doc:        "the inverse of l l', for a Cholesky factor l",
			Section:    solveSection,
			Kernel:     chol2invKernel(),
		},
		{
			Name:       "determinant",
			Signatures: []string{"real determinant(matrix a)"},
			Doc:        "the determinant",
			Section:    solveSection,
			Kernel:     determinantKernel("determinant", false),
		},
		{
			Name:       "log_determinant",
			Signatures: []string{"real log_determinant(matrix a)"},
			Doc:        "the logarithm of the absolute value of the determinant",
			Section:    solveSection,
			Kernel:     determinantKernel("log_determinant", true),
		},
		{
			Name:       "log_determinant_spd",
			Signatures: []string{"real log_determinant_spd(matrix a)"},
			Doc:        "the logarithm of the determinant of a symmetric positive definite matrix",
			Section:    solveSection,
			Kernel:     logDeterminantSPDKernel(),
		},
	}
}

// squareResult is Dims for a result like the square argument; scalar for a number.
func squareResult(fn string, scalar bool) func(in []Tensor) ([]int, error) {
	return func(in []Tensor) ([]int, error) {
		rows, cols := matrixSize(in[0])
		switch {
		case rows != cols:
			return nil, notSquare(fn, rows, cols)
		case scalar:
			return nil, nil
		}
		return []int{rows, rows}, nil
	}
}

// squares is Work for count matrices like the first argument.
func squares(count int) func(in []Tensor) int {
	return func(in []Tensor) int { return count * len(in[0].X) }
}

// factorSPD writes the Cholesky factor of a symmetric matrix to l, or rejects it.
func factorSPD(fn, what string, a Tensor, l []float64) error {
	if err := symmetryError(fn, what, a); err != nil {
		return err
	}
	if !cholesky(a.Dims[0], a.X, l) {
		return domainErrorf(fn, "%s is not positive definite", what)
	}
	return nil
}

func choleskyKernel() *Kernel {
	return &Kernel{
		Dims: squareResult("cholesky_decompose", false),
		Work: squares(1),
		Value: func(in []Tensor, out, _ []float64) error {
			return factorSPD("cholesky_decompose", "a", in[0], out)
		},
		VJP: func(in []Tensor, out, adj []float64, din [][]float64, work []float64) {
			n := in[0].Dims[0]
			copy(work, adj[:n*n])
			choleskyReverse(n, out, work)
			addLowerAsSymmetric(n, work, din[0])
		},
	}
}

// addInverseVJP adds -X' G X' to da, for the adjoint G of the inverse X.
func addInverseVJP(n int, x, g, da, work []float64) {
	xg := work[:n*n]
	clear(xg)
	mulTransposeAAdd(n, n, n, x, g, xg)
	dense.SubMul(dense.Of(n, n, da), dense.Of(n, n, xg), dense.Of(n, n, x).T())
}

func inverseKernel() *Kernel {
	return &Kernel{
		Dims: squareResult("inverse", false),
		Work: func(in []Tensor) int { return len(in[0].X) + in[0].Dims[0] },
		Value: func(in []Tensor, out, work []float64) error {
			n := in[0].Dims[0]
			lu, pivot := work[:n*n], work[n*n:]
			if luFactor(n, in[0].X, lu, pivot) == 0 {
				fill(out, math.Inf(1))
				return nil
			}
			setIdentity(n, out)
			luSolve(n, n, lu, pivot, out)
			return nil
		},
		VJP: func(in []Tensor, out, adj []float64, din [][]float64, work []float64) {
			addInverseVJP(in[0].Dims[0], out, adj, din[0], work)
		},
	}
}

// fill sets all elements.
func fill(x []float64, v float64) {
	for i := range x {
		x[i] = v
	}
}

func inverseSPDKernel() *Kernel {
	return &Kernel{
		Dims: squareResult("inverse_spd", false),
		Work: squares(2),
		Value: func(in []Tensor, out, work []float64) error {
			n := in[0].Dims[0]
			l := work[:n*n]
			if err := factorSPD("inverse_spd", "a", in[0], l); err != nil {
				return err
			}
			invertFromCholesky(n, l, out, work[n*n:])
			return nil
		},
		VJP: func(in []Tensor, out, adj []float64, din [][]float64, work []float64) {
			addInverseVJP(in[0].Dims[0], out, adj, din[0], work)
		},
	}
}

func chol2invKernel() *Kernel {
	return &Kernel{
		Dims: squareResult("chol2inv", false),
		Work: squares(3),
		Value: func(in []Tensor, out, work []float64) error {
			if err := checkCholeskyFactor(in[0].Dims, in[0].X); err != nil {
				return domainErrorf("chol2inv", "l%s", err)
			}
			invertFromCholesky(in[0].Dims[0], in[0].X, out, work)
			return nil
		},
		// X = (L L')^-1, so dL is the lower triangle of -X (G + G') X L.
		VJP: func(in []Tensor, out, adj []float64, din [][]float64, work []float64) {
			n := in[0].Dims[0]
			g, s, t := work[:n*n], work[n*n:2*n*n], work[2*n*n:]
			transposeInto(n, n, adj, g)
			for k, v := range adj {
				g[k] = -g[k] - v
			}
			clear(s)
			mulAdd(n, n, n, out, g, s)
			clear(t)
			mulAdd(n, n, n, s, out, t)
			dense.AddMulLower(dense.Of(n, n, din[0]), dense.Of(n, n, t), dense.Of(n, n, in[0].X))
		},
	}
}

// determinantKernel is det(A) or log |det(A)|; the derivative is det(A) A^-T or A^-T.
func determinantKernel(name string, logarithm bool) *Kernel {
	return &Kernel{
		Dims: squareResult(name, true),
		Work: func(in []Tensor) int { return 2*len(in[0].X) + in[0].Dims[0] },
		Value: func(in []Tensor, out, work []float64) error {
			n := in[0].Dims[0]
			lu := work[:n*n]
			det := luFactor(n, in[0].X, lu, work[2*n*n:])
			if logarithm {
				out[0] = libm.Log(math.Abs(det))
			} else {
				out[0] = det
			}
			for i := 0; det != 0 && i < n; i++ {
				if logarithm {
					out[0] += libm.Log(math.Abs(lu[i+i*n]))
				} else {
					out[0] *= lu[i+i*n]
				}
			}
			return nil
		},
		VJP: func(in []Tensor, out, adj []float64, din [][]float64, work []float64) {
			n := in[0].Dims[0]
			lu, inv, pivot := work[:n*n], work[n*n:2*n*n], work[2*n*n:]
			if luFactor(n, in[0].X, lu, pivot) == 0 {
				fill(din[0], math.NaN())
				return
			}
			setIdentity(n, inv)
			luSolveTranspose(n, n, lu, pivot, inv)
			if logarithm {
				axpy(adj[0], inv, din[0])
			} else {
				axpy(adj[0]*out[0], inv, din[0])
			}
		},
	}
}

func logDeterminantSPDKernel() *Kernel {
	return &Kernel{
		Dims: squareResult("log_determinant_spd", true),
		Work: squares(3),
		Value: func(in []Tensor, out, work []float64) error {
			n := in[0].Dims[0]
			if err := factorSPD("log_determinant_spd", "a", in[0], work); err != nil {
				return err
			}
			out[0] = 2 * logDiagonalSum(n, work)
			return nil
		},
		VJP: func(in []Tensor, _, adj []float64, din [][]float64, work []float64) {
			n := in[0].Dims[0]
			l, inv := work[:n*n], work[n*n:2*n*n]
			cholesky(n, in[0].X, l)
			invertFromCholesky(n, l, inv, work[2*n*n:])
			axpy(adj[0], inv, din[0])
		},
	}
}

// squareMatrix checks that a matrix argument is n by n.
func squareMatrix(fn, name string, t Tensor, n int) error {
	rows, cols := matrixSize(t)
	if rows != cols {
		return notSquare(fn, rows, cols)
	}
	if rows != n {
		return sizeError(fn, "the size of "+name, rows, "that of the vectors", n)
	}
	return nil
}
