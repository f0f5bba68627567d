// Rows that factor, invert and solve: cholesky_decompose, inverse, mdivide_*, determinants.

package matrixfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec/dense"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

const solveSection = "Linear Algebra Functions and Solvers"

func solveFunctions() []*catalogue.Function {
	return []*catalogue.Function{
		{
			Name:       "cholesky_decompose",
			Signatures: []string{"matrix cholesky_decompose(matrix a)"},
			Doc:        "the lower triangular L with a = L L', for a symmetric positive definite",
			Section:    solveSection,
			Kernel:     CholeskyKernel(),
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
			Kernel:     SPD.Part(0),
		},
		{
			Name:       "chol2inv",
			Signatures: []string{"matrix chol2inv(matrix l)"},
			Doc:        "the inverse of l l', for a Cholesky factor l",
			Section:    solveSection,
			Kernel:     Chol2invKernel(),
		},
		{
			Name:       "determinant",
			Signatures: []string{"real determinant(matrix a)"},
			Doc:        "the determinant",
			Section:    solveSection,
			Kernel:     Determinant.Part(0),
		},
		{
			Name:       "log_determinant",
			Signatures: []string{"real log_determinant(matrix a)"},
			Doc:        "the logarithm of the absolute value of the determinant",
			Section:    solveSection,
			Kernel:     LogDeterminant.Part(0),
		},
		{
			Name:       "log_determinant_spd",
			Signatures: []string{"real log_determinant_spd(matrix a)"},
			Doc:        "the logarithm of the determinant of a symmetric positive definite matrix",
			Section:    solveSection,
			Kernel:     SPD.Part(1),
		},
	}
}

// SquareResult is Dims for a result like the square argument; scalar for a number.
func SquareResult(fn string, scalar bool) func(in []catalogue.Tensor) ([]int, error) {
	return func(in []catalogue.Tensor) ([]int, error) {
		rows, cols := container.MatrixSize(in[0])
		switch {
		case rows != cols:
			return nil, container.NotSquare(fn, rows, cols)
		case scalar:
			return nil, nil
		}
		return []int{rows, rows}, nil
	}
}

// Squares is Work for count matrices like the first argument.
func Squares(count int) func(in []catalogue.Tensor) int {
	return func(in []catalogue.Tensor) int { return count * len(in[0].X) }
}

// FactorSPD writes the Cholesky factor of a symmetric matrix to l, or rejects it.
func FactorSPD(fn, what string, a catalogue.Tensor, l []float64) error {
	if err := SymmetryError(fn, what, a); err != nil {
		return err
	}
	if !catalogue.Cholesky(a.Dims[0], a.X, l) {
		return catalogue.DomainErrorf(fn, "%s is not positive definite", what)
	}
	return nil
}

func CholeskyKernel() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: SquareResult("cholesky_decompose", false),
		Work: Squares(1),
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			return FactorSPD("cholesky_decompose", "a", in[0], out)
		},
		VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, work []float64) {
			n := in[0].Dims[0]
			copy(work, adj[:n*n])
			catalogue.CholeskyReverse(n, out, work)
			catalogue.AddLowerAsSymmetric(n, work, din[0])
		},
	}
}

// addInverseVJP adds -X' G X' to da, for the adjoint G of the inverse X.
func addInverseVJP(n int, x, g, da, work []float64) {
	xg := work[:n*n]
	clear(xg)
	catalogue.MulTransposeAAdd(n, n, n, x, g, xg)
	dense.SubMul(dense.Of(n, n, da), dense.Of(n, n, xg), dense.Of(n, n, x).T())
}

func inverseKernel() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: SquareResult("inverse", false),
		Work: func(in []catalogue.Tensor) int { return len(in[0].X) + in[0].Dims[0] },
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			n := in[0].Dims[0]
			lu, pivot := work[:n*n], work[n*n:]
			if catalogue.LuFactor(n, in[0].X, lu, pivot) == 0 {
				Fill(out, math.Inf(1))
				return nil
			}
			catalogue.SetIdentity(n, out)
			catalogue.LuSolve(n, n, lu, pivot, out)
			return nil
		},
		VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, work []float64) {
			addInverseVJP(in[0].Dims[0], out, adj, din[0], work)
		},
	}
}

// Fill sets all elements.
func Fill(x []float64, v float64) {
	for i := range x {
		x[i] = v
	}
}

// SPD is the inverse of a symmetric positive definite matrix and the logarithm of its determinant.
var SPD = &Decomposition{
	Parts: []string{"inverse_spd", "log_determinant_spd"},
	ranks: []int{2, 0},
	dims:  func(n, _ int) [maxParts][2]int { return [maxParts][2]int{{n, n}} },
	check: squareOnly,
	work:  func(n, _ int) int { return 2 * n * n },
	value: func(fn string, a catalogue.Tensor, out, work []float64) error {
		n := a.Dims[0]
		l := work[:n*n]
		if err := FactorSPD(fn, "a", a, l); err != nil {
			return err
		}
		catalogue.InvertFromCholesky(n, l, out[:n*n], work[n*n:])
		out[n*n] = 2 * catalogue.LogDiagonalSum(n, l)
		return nil
	},
	vjp: func(a catalogue.Tensor, out, adj, da, work []float64) {
		n := a.Dims[0]
		if inverse := adj[:n*n]; !allZero(inverse) {
			addInverseVJP(n, out[:n*n], inverse, da, work)
		}
		if adj[n*n] != 0 {
			catalogue.Axpy(adj[n*n], out[:n*n], da)
		}
	},
}

func Chol2invKernel() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: SquareResult("chol2inv", false),
		Work: Squares(3),
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			if err := transform.CheckCholeskyFactor(in[0].Dims, in[0].X); err != nil {
				return catalogue.DomainErrorf("chol2inv", "l%s", err)
			}
			catalogue.InvertFromCholesky(in[0].Dims[0], in[0].X, out, work)
			return nil
		},
		// X = (L L')^-1, so dL is the lower triangle of -X (G + G') X L.
		VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, work []float64) {
			n := in[0].Dims[0]
			g, s, t := work[:n*n], work[n*n:2*n*n], work[2*n*n:]
			catalogue.TransposeInto(n, n, adj, g)
			for k, v := range adj {
				g[k] = -g[k] - v
			}
			clear(s)
			catalogue.MulAdd(n, n, n, out, g, s)
			clear(t)
			catalogue.MulAdd(n, n, n, s, out, t)
			dense.AddMulLower(dense.Of(n, n, din[0]), dense.Of(n, n, t), dense.Of(n, n, in[0].X))
		},
	}
}

// Determinant is det(A), and LogDeterminant log |det(A)|; behind it are the factors of A, of which the
// derivative is made: det(A) A^-T or A^-T.
var (
	Determinant    = newDeterminant("determinant", false)
	LogDeterminant = newDeterminant("log_determinant", true)
)

func newDeterminant(name string, logarithm bool) *Decomposition {
	return &Decomposition{
		Parts: []string{name},
		ranks: []int{0, 2, 1},
		dims:  func(n, _ int) [maxParts][2]int { return [maxParts][2]int{{}, {n, n}, {n}} },
		check: squareOnly,
		work:  func(n, _ int) int { return n * n },
		value: func(_ string, a catalogue.Tensor, out, _ []float64) error {
			n := a.Dims[0]
			lu := out[1 : 1+n*n]
			det := catalogue.LuFactor(n, a.X, lu, out[1+n*n:])
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
		vjp: func(a catalogue.Tensor, out, adj, da, work []float64) {
			n := a.Dims[0]
			lu, pivot := out[1:1+n*n], out[1+n*n:]
			if n > 0 && (out[0] == 0 && !logarithm || math.IsInf(out[0], -1)) {
				Fill(da, math.NaN())
				return
			}
			catalogue.SetIdentity(n, work)
			catalogue.LuSolveTranspose(n, n, lu, pivot, work)
			c := adj[0]
			if !logarithm {
				c *= out[0]
			}
			catalogue.Axpy(c, work[:n*n], da)
		},
	}
}

// SquareMatrix checks that a matrix argument is n by n.
func SquareMatrix(fn, name string, t catalogue.Tensor, n int) error {
	rows, cols := container.MatrixSize(t)
	if rows != cols {
		return container.NotSquare(fn, rows, cols)
	}
	if rows != n {
		return container.SizeError(fn, "the size of "+name, rows, "that of the vectors", n)
	}
	return nil
}
