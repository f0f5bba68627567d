// Rows of products, quotients and diagonals of complex vectors and matrices. Complex
// numbers lie as pairs (real, imaginary); the adjoint z of a number w holds those of its
// two parts, so that a change dw counts Re(conj(z) dw).

package matrixfn

import (
	"github.com/seed-12b88e03/ppl/autodiff/libm/cmplx"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/mathfn"
)

func complexMatrixFunctions() []*catalogue.Function {
	product := cmplx.Mul
	quotient := cmplx.Div
	var scaled, divided []string
	for _, t := range []string{"complex_vector", "complex_row_vector", "complex_matrix"} {
		scaled = append(scaled, t+" multiply(complex x, "+t+" y)", t+" multiply("+t+" x, complex y)")
		divided = append(divided, t+" divide("+t+" x, complex y)", t+" divide(complex x, "+t+" y)")
	}
	all := []*catalogue.Function{
		mathfn.ComplexBinary("multiply", "the product with a complex number, element by element", scaled, product,
			func(x, y, _ complex128) (complex128, complex128) { return y, x }),
		mathfn.ComplexBinary("divide", "the quotient with a complex number, element by element", divided, quotient,
			func(_, y, f complex128) (complex128, complex128) { return cmplx.Div(1, y), cmplx.Div(-f, y) }),
		{
			Name: "multiply",
			Signatures: []string{
				"complex_matrix multiply(complex_matrix x, complex_matrix y)",
				"complex_vector multiply(complex_matrix x, complex_vector y)",
				"complex_row_vector multiply(complex_row_vector x, complex_matrix y)",
				"complex multiply(complex_row_vector x, complex_vector y)",
				"complex_matrix multiply(complex_vector x, complex_row_vector y)",
			},
			Doc:     "the matrix product",
			Section: operatorSection,
			Kernel:  complexProductKernel(),
		},
		{
			Name:       "trace",
			Signatures: []string{"complex trace(complex_matrix x)"},
			Doc:        "the sum of the diagonal",
			Section:    "Reductions",
			Kernel: complexSum(scalarResult, func(in []catalogue.Tensor, add func(out, x int)) {
				rows, cols := container.MatrixSize(in[0])
				for i := range min(rows, cols) {
					add(0, i*(rows+1))
				}
			}),
		},
		complexDiagonal("diag_pre_multiply", 1, 0, func(i, _ int) int { return i },
			"complex_matrix diag_pre_multiply(complex_vector v, complex_matrix m)",
			"complex_matrix diag_pre_multiply(complex_row_vector v, complex_matrix m)"),
		complexDiagonal("diag_post_multiply", 0, 1, func(_, j int) int { return j },
			"complex_matrix diag_post_multiply(complex_matrix m, complex_vector v)",
			"complex_matrix diag_post_multiply(complex_matrix m, complex_row_vector v)"),
		complexAddDiag(),
		complexSymmetrize(),
	}
	for _, byRow := range []bool{false, true} {
		all = append(all, complexLineDots(byRow, false), complexLineDots(byRow, true))
	}
	for _, name := range []string{"mdivide_right", "divide"} {
		all = append(all, complexRightDivision(name))
	}
	return all
}

func complexProductKernel() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: productKernel().Dims,
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			m, k := container.MatrixSize(in[0])
			_, n := container.MatrixSize(in[1])
			x, y, z := mathfn.Pairs(in[0].X), mathfn.Pairs(in[1].X), mathfn.Pairs(out)
			for j := range n {
				for i := range m {
					sum := complex(0, 0)
					for l := range k {
						sum += cmplx.Mul(x.At(i+l*m), y.At(l+j*k))
					}
					z.Set(i+j*m, sum)
				}
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			m, k := container.MatrixSize(in[0])
			_, n := container.MatrixSize(in[1])
			x, y, g := mathfn.Pairs(in[0].X), mathfn.Pairs(in[1].X), mathfn.Pairs(adj)
			for j := range n {
				for i := range m {
					a := g.At(i + j*m)
					for l := range k {
						addComplex(din[0], i+l*m, cmplx.Mul(a, cmplx.Conj(y.At(l+j*k))))
						addComplex(din[1], l+j*k, cmplx.Mul(a, cmplx.Conj(x.At(i+l*m))))
					}
				}
			}
		},
	}
}

// addComplex adds to an element of a derivative that may be absent.
func addComplex(d []float64, i int, z complex128) {
	if d != nil {
		mathfn.Pairs(d).Add(i, z)
	}
}

// complexSum is a kernel that adds elements of its argument to elements of the result;
// terms calls add for each pair.
func complexSum(dims func(in []catalogue.Tensor) ([]int, error), terms func(in []catalogue.Tensor, add func(out, x int))) *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: dims,
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			clear(out)
			terms(in, func(k, i int) { mathfn.Pairs(out).Add(k, mathfn.Pairs(in[0].X).At(i)) })
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			terms(in, func(k, i int) { addComplex(din[0], i, mathfn.Pairs(adj).At(k)) })
		},
	}
}

// complexDiagonal multiplies element (i,j) of the matrix argument m by element at(i,j) of v.
func complexDiagonal(name string, m, v int, at func(i, j int) int, signatures ...string) *catalogue.Function {
	return &catalogue.Function{
		Name: name, Signatures: signatures, Doc: "the product with a diagonal matrix", Section: diagonalSection,
		Kernel: &catalogue.Kernel{
			Dims: scaleKernel(name, m, v, at).Dims,
			Value: func(in []catalogue.Tensor, out, _ []float64) error {
				rows := in[m].Dims[0]
				for k := range len(out) / 2 {
					mathfn.Pairs(out).Set(k, cmplx.Mul(mathfn.Pairs(in[m].X).At(k), mathfn.Pairs(in[v].X).At(at(k%rows, k/rows))))
				}
				return nil
			},
			VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
				rows := in[m].Dims[0]
				for k := range len(adj) / 2 {
					i, a := at(k%rows, k/rows), mathfn.Pairs(adj).At(k)
					addComplex(din[m], k, cmplx.Mul(a, cmplx.Conj(mathfn.Pairs(in[v].X).At(i))))
					addComplex(din[v], i, cmplx.Mul(a, cmplx.Conj(mathfn.Pairs(in[m].X).At(k))))
				}
			},
		},
	}
}

func complexAddDiag() *catalogue.Function {
	// diagonal calls f for each element of the diagonal and the number added to it.
	diagonal := func(in []catalogue.Tensor, f func(k, d int)) {
		rows, cols := container.MatrixSize(in[0])
		for i := range min(rows, cols) {
			if len(in[1].Dims) == 0 {
				f(i*(rows+1), 0)
			} else {
				f(i*(rows+1), i)
			}
		}
	}
	return &catalogue.Function{
		Name: "add_diag",
		Signatures: []string{
			"complex_matrix add_diag(complex_matrix m, complex d)",
			"complex_matrix add_diag(complex_matrix m, complex_vector d)",
			"complex_matrix add_diag(complex_matrix m, complex_row_vector d)",
		},
		Doc: "m with d added to its diagonal", Section: diagonalSection,
		Kernel: &catalogue.Kernel{
			Dims: addDiagKernel().Dims,
			Value: func(in []catalogue.Tensor, out, _ []float64) error {
				copy(out, in[0].X)
				diagonal(in, func(k, d int) { mathfn.Pairs(out).Add(k, mathfn.Pairs(in[1].X).At(d)) })
				return nil
			},
			VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
				if din[0] != nil {
					catalogue.Axpy(1, adj, din[0])
				}
				diagonal(in, func(k, d int) { addComplex(din[1], d, mathfn.Pairs(adj).At(k)) })
			},
		},
	}
}

// complexSymmetrize returns the Hermitian matrix of a lower triangle, as Stan does.
func complexSymmetrize() *catalogue.Function {
	return &catalogue.Function{
		Name:       "symmetrize_from_lower_tri",
		Signatures: []string{"complex_matrix symmetrize_from_lower_tri(complex_matrix m)"},
		Doc:        "the Hermitian matrix with the lower triangle of m",
		Section:    "Matrix Operations",
		Kernel: &catalogue.Kernel{
			Dims: SquareResult("symmetrize_from_lower_tri", false),
			Value: func(in []catalogue.Tensor, out, _ []float64) error {
				n := in[0].Dims[0]
				for j := range n {
					for i := j; i < n; i++ {
						z := mathfn.Pairs(in[0].X).At(i + j*n)
						mathfn.Pairs(out).Set(j+i*n, cmplx.Conj(z))
						if i == j {
							z = complex(real(z), 0)
						}
						mathfn.Pairs(out).Set(i+j*n, z)
					}
				}
				return nil
			},
			VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
				n := in[0].Dims[0]
				for j := range n {
					mathfn.Pairs(din[0]).Add(j*(n+1), complex(real(mathfn.Pairs(adj).At(j*(n+1))), 0))
					for i := j + 1; i < n; i++ {
						mathfn.Pairs(din[0]).Add(i+j*n, mathfn.Pairs(adj).At(i+j*n)+cmplx.Conj(mathfn.Pairs(adj).At(j+i*n)))
					}
				}
			},
		},
	}
}

// complexLineDots makes the inner products of columns or rows. As in Stan, those of
// columns, and all of a vector with itself, conjugate the first factor; those of the rows
// of two matrices do not.
func complexLineDots(byRow, self bool) *catalogue.Function {
	name, result := "columns_dot_product", "complex_row_vector"
	if byRow {
		name, result = "rows_dot_product", "complex_vector"
	}
	if self {
		name = name[:len(name)-len("product")] + "self"
	}
	conjugate := self || !byRow
	f := &catalogue.Function{Name: name, Section: productSection, Doc: "the inner products of complex columns or rows"}
	for _, t := range []string{"complex_vector", "complex_row_vector", "complex_matrix"} {
		if self {
			f.Signatures = append(f.Signatures, result+" "+name+"("+t+" x)")
		} else {
			f.Signatures = append(f.Signatures, result+" "+name+"("+t+" x, "+t+" y)")
		}
	}
	line := func(k, rows int) int {
		if byRow {
			return k % rows
		}
		return k / rows
	}
	f.Kernel = &catalogue.Kernel{
		Dims: lineDots(name, byRow, self).Kernel.Dims,
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			x, y := mathfn.Pairs(in[0].X), mathfn.Pairs(in[len(in)-1].X)
			rows, _ := container.MatrixSize(in[0])
			clear(out)
			for k := range len(x) / 2 {
				z := x.At(k)
				if conjugate {
					z = cmplx.Conj(z)
				}
				mathfn.Pairs(out).Add(line(k, rows), cmplx.Mul(z, y.At(k)))
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			last := len(in) - 1
			x, y := mathfn.Pairs(in[0].X), mathfn.Pairs(in[last].X)
			rows, _ := container.MatrixSize(in[0])
			for k := range len(x) / 2 {
				a := mathfn.Pairs(adj).At(line(k, rows))
				if conjugate {
					addComplex(din[0], k, cmplx.Mul(cmplx.Conj(a), y.At(k)))
					addComplex(din[last], k, cmplx.Mul(a, x.At(k)))
				} else {
					addComplex(din[0], k, cmplx.Mul(a, cmplx.Conj(y.At(k))))
					addComplex(din[last], k, cmplx.Mul(a, cmplx.Conj(x.At(k))))
				}
			}
		},
	}
	return f
}

// complexRightDivision is X = B / A, from A* X* = B*; the adjoint of B is S = G / A* and
// that of A is -X* S.
func complexRightDivision(name string) *catalogue.Function {
	return &catalogue.Function{
		Name: name,
		Signatures: []string{
			"complex_matrix " + name + "(complex_matrix b, complex_matrix a)",
			"complex_row_vector " + name + "(complex_row_vector b, complex_matrix a)",
		},
		Doc: "b / a, that is b * inverse(a)", Section: solveSection,
		Kernel: &catalogue.Kernel{
			Dims: func(in []catalogue.Tensor) ([]int, error) {
				_, cols := container.MatrixSize(in[0])
				return in[0].Dims, checkDivision(name, in[1], cols)
			},
			Value: func(in []catalogue.Tensor, out, _ []float64) error {
				x := complexOf(in[0], true).adjoint()
				solveComplex(complexOf(in[1], true).adjoint(), x)
				x.adjoint().store(out)
				return nil
			},
			VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, _ []float64) {
				g := in[0]
				g.X = adj
				s := complexOf(g, true).adjoint()
				solveComplex(complexOf(in[1], true), s) // A S* = G*
				s = s.adjoint()
				for k, z := range s.x {
					addComplex(din[0], k, z)
				}
				g.X = out
				for k, z := range complexOf(g, true).adjoint().times(s).x {
					addComplex(din[1], k, -z)
				}
			},
		},
	}
}
