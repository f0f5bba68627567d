// Rows of products, quotients and diagonals of complex vectors and matrices. Complex
// numbers lie as pairs (real, imaginary); the adjoint z of a number w holds those of its
// two parts, so that a change dw counts Re(conj(z) dw).

package stdlib

import "github.com/seed-12b88e03/ppl/autodiff/libm/cmplx"

func complexMatrixFunctions() []*Function {
	product := cmplx.Mul
	quotient := cmplx.Div
	var scaled, divided []string
	for _, t := range []string{"complex_vector", "complex_row_vector", "complex_matrix"} {
		scaled = append(scaled, t+" multiply(complex x, "+t+" y)", t+" multiply("+t+" x, complex y)")
		divided = append(divided, t+" divide("+t+" x, complex y)", t+" divide(complex x, "+t+" y)")
	}
	all := []*Function{
		complexBinary("multiply", "the product with a complex number, element by element", scaled, product,
			func(x, y, _ complex128) (complex128, complex128) { return y, x }),
		complexBinary("divide", "the quotient with a complex number, element by element", divided, quotient,
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
			Kernel: complexSum(scalarResult, func(in []Tensor, add func(out, x int)) {
				rows, cols := matrixSize(in[0])
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

func complexProductKernel() *Kernel {
	return &Kernel{
		Dims: productKernel().Dims,
		Value: func(in []Tensor, out, _ []float64) error {
			m, k := matrixSize(in[0])
			_, n := matrixSize(in[1])
			x, y, z := pairs(in[0].X), pairs(in[1].X), pairs(out)
			for j := range n {
				for i := range m {
					sum := complex(0, 0)
					for l := range k {
						sum += cmplx.Mul(x.at(i+l*m), y.at(l+j*k))
					}
					z.set(i+j*m, sum)
				}
			}
			return nil
		},
		VJP: func(in []Tensor, _, adj []float64, din [][]float64, _ []float64) {
			m, k := matrixSize(in[0])
			_, n := matrixSize(in[1])
			x, y, g := pairs(in[0].X), pairs(in[1].X), pairs(adj)
			for j := range n {
				for i := range m {
					a := g.at(i + j*m)
					for l := range k {
						addComplex(din[0], i+l*m, cmplx.Mul(a, cmplx.Conj(y.at(l+j*k))))
						addComplex(din[1], l+j*k, cmplx.Mul(a, cmplx.Conj(x.at(i+l*m))))
					}
				}
			}
		},
	}
}

// addComplex adds to an element of a derivative that may be absent.
func addComplex(d []float64, i int, z complex128) {
	if d != nil {
		pairs(d).add(i, z)
	}
}

// complexSum is a kernel that adds elements of its argument to elements of the result;
// terms calls add for each pair.
func complexSum(dims func(in []Tensor) ([]int, error), terms func(in []Tensor, add func(out, x int))) *Kernel {
	return &Kernel{
		Dims: dims,
		Value: func(in []Tensor, out, _ []float64) error {
			clear(out)
			terms(in, func(k, i int) { pairs(out).add(k, pairs(in[0].X).at(i)) })
			return nil
		},
		VJP: func(in []Tensor, _, adj []float64, din [][]float64, _ []float64) {
			terms(in, func(k, i int) { addComplex(din[0], i, pairs(adj).at(k)) })
		},
	}
}

// complexDiagonal multiplies element (i,j) of the matrix argument m by element at(i,j) of v.
func complexDiagonal(name string, m, v int, at func(i, j int) int, signatures ...string) *Function {
	return &Function{
		Name: name, Signatures: signatures, Doc: "the product with a diagonal matrix", Section: diagonalSection,
		Kernel: &Kernel{
			Dims: scaleKernel(name, m, v, at).Dims,
			Value: func(in []Tensor, out, _ []float64) error {
				rows := in[m].Dims[0]
				for k := range len(out) / 2 {
					pairs(out).set(k, cmplx.Mul(pairs(in[m].X).at(k), pairs(in[v].X).at(at(k%rows, k/rows))))
				}
				return nil
			},
			VJP: func(in []Tensor, _, adj []float64, din [][]float64, _ []float64) {
				rows := in[m].Dims[0]
				for k := range len(adj) / 2 {
					i, a := at(k%rows, k/rows), pairs(adj).at(k)
					addComplex(din[m], k, cmplx.Mul(a, cmplx.Conj(pairs(in[v].X).at(i))))
					addComplex(din[v], i, cmplx.Mul(a, cmplx.Conj(pairs(in[m].X).at(k))))
				}
			},
		},
	}
}

func complexAddDiag() *Function {
	// diagonal calls f for each element of the diagonal and the number added to it.
	diagonal := func(in []Tensor, f func(k, d int)) {
		rows, cols := matrixSize(in[0])
		for i := range min(rows, cols) {
			if len(in[1].Dims) == 0 {
				f(i*(rows+1), 0)
			} else {
				f(i*(rows+1), i)
			}
		}
	}
	return &Function{
		Name: "add_diag",
		Signatures: []string{
			"complex_matrix add_diag(complex_matrix m, complex d)",
			"complex_matrix add_diag(complex_matrix m, complex_vector d)",
			"complex_matrix add_diag(complex_matrix m, complex_row_vector d)",
		},
		Doc: "m with d added to its diagonal", Section: diagonalSection,
		Kernel: &Kernel{
			Dims: addDiagKernel().Dims,
			Value: func(in []Tensor, out, _ []float64) error {
				copy(out, in[0].X)
				diagonal(in, func(k, d int) { pairs(out).add(k, pairs(in[1].X).at(d)) })
				return nil
			},
			VJP: func(in []Tensor, _, adj []float64, din [][]float64, _ []float64) {
				if din[0] != nil {
					axpy(1, adj, din[0])
				}
				diagonal(in, func(k, d int) { addComplex(din[1], d, pairs(adj).at(k)) })
			},
		},
	}
}

// complexSymmetrize returns the Hermitian matrix of a lower triangle, as Stan does.
func complexSymmetrize() *Function {
	return &Function{
		Name:       "symmetrize_from_lower_tri",
		Signatures: []string{"complex_matrix symmetrize_from_lower_tri(complex_matrix m)"},
		Doc:        "the Hermitian matrix with the lower triangle of m",
		Section:    "Matrix Operations",
		Kernel: &Kernel{
			Dims: squareResult("symmetrize_from_lower_tri", false),
			Value: func(in []Tensor, out, _ []float64) error {
				n := in[0].Dims[0]
				for j := range n {
					for i := j; i < n; i++ {
						z := pairs(in[0].X).at(i + j*n)
						pairs(out).set(j+i*n, cmplx.Conj(z))
						if i == j {
							z = complex(real(z), 0)
						}
						pairs(out).set(i+j*n, z)
					}
				}
				return nil
			},
			VJP: func(in []Tensor, _, adj []float64, din [][]float64, _ []float64) {
				n := in[0].Dims[0]
				for j := range n {
					pairs(din[0]).add(j*(n+1), complex(real(pairs(adj).at(j*(n+1))), 0))
					for i := j + 1; i < n; i++ {
						pairs(din[0]).add(i+j*n, pairs(adj).at(i+j*n)+cmplx.Conj(pairs(adj).at(j+i*n)))
					}
				}
			},
		},
	}
}

// complexLineDots makes the inner products of columns or rows. As in Stan, those of
// columns, and all of a vector with itself, conjugate the first factor; those of the rows
// of two matrices do not.
func complexLineDots(byRow, self bool) *Function {
	name, result := "columns_dot_product", "complex_row_vector"
	if byRow {
		name, result = "rows_dot_product", "complex_vector"
	}
	if self {
		name = name[:len(name)-len("product")] + "self"
	}
	conjugate := self || !byRow
	f := &Function{Name: name, Section: productSection, Doc: "the inner products of complex columns or rows"}
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
	f.Kernel = &Kernel{
		Dims: lineDots(name, byRow, self).Kernel.Dims,
		Value: func(in []Tensor, out, _ []float64) error {
			x, y := pairs(in[0].X), pairs(in[len(in)-1].X)
			rows, _ := matrixSize(in[0])
			clear(out)
			for k := range len(x) / 2 {
				z := x.at(k)
				if conjugate {
					z = cmplx.Conj(z)
				}
				pairs(out).add(line(k, rows), cmplx.Mul(z, y.at(k)))
			}
			return nil
		},
		VJP: func(in []Tensor, _, adj []float64, din [][]float64, _ []float64) {
			last := len(in) - 1
			x, y := pairs(in[0].X), pairs(in[last].X)
			rows, _ := matrixSize(in[0])
			for k := range len(x) / 2 {
				a := pairs(adj).at(line(k, rows))
				if conjugate {
					addComplex(din[0], k, cmplx.Mul(cmplx.Conj(a), y.at(k)))
					addComplex(din[last], k, cmplx.Mul(a, x.at(k)))
				} else {
					addComplex(din[0], k, cmplx.Mul(a, cmplx.Conj(y.at(k))))
					addComplex(din[last], k, cmplx.Mul(a, cmplx.Conj(x.at(k))))
				}
			}
		},
	}
	return f
}

// complexRightDivision is X = B / A, from A* X* = B*; the adjoint of B is S = G / A* and
// that of A is -X* S.
func complexRightDivision(name string) *Function {
	return &Function{
		Name: name,
		Signatures: []string{
			"complex_matrix " + name + "(complex_matrix b, complex_matrix a)",
			"complex_row_vector " + name + "(complex_row_vector b, complex_matrix a)",
		},
		Doc: "b / a, that is b * inverse(a)", Section: solveSection,
		Kernel: &Kernel{
			Dims: func(in []Tensor) ([]int, error) {
				_, cols := matrixSize(in[0])
				return in[0].Dims, checkDivision(name, in[1], cols)
			},
			Value: func(in []Tensor, out, _ []float64) error {
				x := complexOf(in[0], true).adjoint()
				solveComplex(complexOf(in[1], true).adjoint(), x)
				x.adjoint().store(out)
				return nil
			},
			VJP: func(in []Tensor, out, adj []float64, din [][]float64, _ []float64) {
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
