// Rows of matrix division: A \ B and B / A, for general, triangular and symmetric
// positive definite A.
//
// With X = A \ B and the adjoint G of X, S = A' \ G is the adjoint of B and -S X' that
// of A; B / A is the transpose of A' \ B'.

package matrixfn

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/autodiff/vec/dense"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
)

// A divisor is a kind of matrix to divide by. Its methods work on n by n matrices with
// scratch for the factors.
type divisor struct {
	suffix string
	doc    string
	// size of the factors
	work func(n int) int
	// factor fills the factors from a.
	factor func(fn string, a catalogue.Tensor, f []float64) error
	// solve solves A X = B (A' X = B) in place of B, which has m columns.
	solve          func(n, m int, f, b []float64)
	solveTranspose func(n, m int, f, b []float64)
	lower          bool // only the lower triangle of A counts
}

func divisors() []divisor {
	return []divisor{
		{
			suffix: "", doc: "a square matrix",
			work: func(n int) int { return n*n + n },
			factor: func(_ string, a catalogue.Tensor, f []float64) error {
				n := a.Dims[0]
				catalogue.LuFactor(n, a.X, f[:n*n], f[n*n:])
				return nil
			},
			solve:          func(n, m int, f, b []float64) { catalogue.LuSolve(n, m, f[:n*n], f[n*n:], b) },
			solveTranspose: func(n, m int, f, b []float64) { catalogue.LuSolveTranspose(n, m, f[:n*n], f[n*n:], b) },
		},
		{
			suffix: "_spd", doc: "a symmetric positive definite matrix",
			work:   func(n int) int { return n * n },
			factor: func(fn string, a catalogue.Tensor, f []float64) error { return FactorSPD(fn, "a", a, f) },
			solve:  SolveCholesky, solveTranspose: SolveCholesky,
		},
		{
			suffix: "_tri_low", doc: "the lower triangle of a matrix",
			work: func(n int) int { return n * n },
			factor: func(_ string, a catalogue.Tensor, f []float64) error {
				copy(f, a.X)
				return nil
			},
			solve: catalogue.SolveLower, solveTranspose: catalogue.SolveLowerTranspose,
			lower: true,
		},
	}
}

func SolveCholesky(n, m int, l, b []float64) {
	catalogue.SolveLower(n, m, l, b)
	catalogue.SolveLowerTranspose(n, m, l, b)
}

func divideFunctions() []*catalogue.Function {
	var all []*catalogue.Function
	for _, d := range divisors() {
		left := "mdivide_left" + d.suffix
		all = append(all, &catalogue.Function{
			Name: left,
			Signatures: []string{
				fmt.Sprintf("matrix %s(matrix a, matrix b)", left),
				fmt.Sprintf("vector %s(matrix a, vector b)", left),
			},
			Doc:     "a \\ b, that is inverse(a) * b, for " + d.doc,
			Section: solveSection,
			Kernel:  d.left(left),
		})
		right := "mdivide_right" + d.suffix
		names := []string{right}
		if d.suffix == "" {
			names = append(names, "divide") // the operator
		}
		for _, name := range names {
			all = append(all, &catalogue.Function{
				Name: name,
				Signatures: []string{
					fmt.Sprintf("matrix %s(matrix b, matrix a)", name),
					fmt.Sprintf("row_vector %s(row_vector b, matrix a)", name),
				},
				Doc:     "b / a, that is b * inverse(a), for " + d.doc,
				Section: solveSection,
				Kernel:  d.right(name),
			})
		}
	}
	return all
}

// checkDivision checks that a is square and fits b's size along the dimension they
// share.
func checkDivision(fn string, a catalogue.Tensor, n int) error {
	rows, cols := container.MatrixSize(a)
	if rows != cols {
		return container.NotSquare(fn, rows, cols)
	}
	if rows != n {
		return container.SizeError(fn, "the size of a", rows, "that of b", n)
	}
	return nil
}

func (d divisor) left(name string) *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			return in[1].Dims, checkDivision(name, in[0], in[1].Dims[0])
		},
		Work: func(in []catalogue.Tensor) int { return d.work(in[0].Dims[0]) + len(in[1].X) },
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			n, m := container.MatrixSize(in[1])
			f := work[:d.work(n)]
			if err := d.factor(name, in[0], f); err != nil {
				return err
			}
			copy(out, in[1].X)
			d.solve(n, m, f, out)
			return nil
		},
		VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, work []float64) {
			n, m := container.MatrixSize(in[1])
			f, s := work[:d.work(n)], work[d.work(n):]
			_ = d.factor(name, in[0], f) // it succeeded for the value
			copy(s, adj)
			d.solveTranspose(n, m, f, s)
			if din[1] != nil {
				catalogue.Axpy(1, s, din[1])
			}
			if din[0] != nil {
				d.subtractOuter(n, m, s, out, din[0])
			}
		},
	}
}

// subtractOuter subtracts S X' from da, for S and X of n by m.
func (d divisor) subtractOuter(n, m int, s, x, da []float64) {
	out, left, right := dense.Of(n, n, da), dense.Of(n, m, s), dense.Of(n, m, x).T()
	if d.lower {
		dense.SubMulLower(out, left, right)
	} else {
		dense.SubMul(out, left, right)
	}
}

func (d divisor) right(name string) *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			_, cols := container.MatrixSize(in[0])
			return in[0].Dims, checkDivision(name, in[1], cols)
		},
		Work: func(in []catalogue.Tensor) int { return d.work(in[1].Dims[0]) + 2*len(in[0].X) },
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			m, n := container.MatrixSize(in[0])
			f, t := work[:d.work(n)], work[d.work(n):][:n*m]
			if err := d.factor(name, in[1], f); err != nil {
				return err
			}
			catalogue.TransposeInto(m, n, in[0].X, t)
			d.solveTranspose(n, m, f, t)
			catalogue.TransposeInto(n, m, t, out)
			return nil
		},
		// X A = B: S = G / A' is the adjoint of B and -X' S that of A.
		VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, work []float64) {
			m, n := container.MatrixSize(in[0])
			f, s, xt := work[:d.work(n)], work[d.work(n):][:n*m], work[d.work(n)+n*m:]
			_ = d.factor(name, in[1], f) // it succeeded for the value
			catalogue.TransposeInto(m, n, adj, s)
			d.solve(n, m, f, s)
			if din[0] != nil {
				catalogue.AddTranspose(n, m, s, din[0])
			}
			if din[1] != nil {
				catalogue.TransposeInto(m, n, out, xt)
				d.subtractOuter(n, m, xt, s, din[1])
			}
		},
	}
}
