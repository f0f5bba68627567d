// Rows of products and sums of matrices with themselves and each other: dot products
// of rows and columns, crossprod, quadratic forms, traces.

package matrixfn

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

const productSection = "Dot Products and Specialized Products"

func productFunctions() []*catalogue.Function {
	return []*catalogue.Function{
		lineDots("columns_dot_product", false, false),
		lineDots("rows_dot_product", true, false),
		lineDots("columns_dot_self", false, true),
		lineDots("rows_dot_self", true, true),
		crossProduct("crossprod", "x' x", true),
		crossProduct("tcrossprod", "x x'", false),
		{
			Name:       "multiply_lower_tri_self_transpose",
			Signatures: []string{"matrix multiply_lower_tri_self_transpose(matrix x)"},
			Doc:        "L L', where L is the lower triangle of x",
			Section:    productSection,
			Kernel: &catalogue.Kernel{
				Dims: func(in []catalogue.Tensor) ([]int, error) { return []int{in[0].Dims[0], in[0].Dims[0]}, nil },
				Value: func(in []catalogue.Tensor, out, _ []float64) error {
					rows, cols := container.MatrixSize(in[0])
					transform.SelfTranspose(rows, min(rows, cols), in[0].X, out)
					return nil
				},
				VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
					rows, cols := container.MatrixSize(in[0])
					transform.AddSelfTransposeVJP(rows, min(rows, cols), in[0].X, adj, din[0])
				},
			},
		},
		{
			Name:       "trace",
			Signatures: []string{"real trace(matrix x)"},
			Doc:        "the sum of the diagonal",
			Section:    "Reductions",
			Kernel: &catalogue.Kernel{
				Dims: scalarResult,
				Value: func(in []catalogue.Tensor, out, _ []float64) error {
					out[0] = 0
					rows, cols := container.MatrixSize(in[0])
					for i := 0; i < min(rows, cols); i++ {
						out[0] += in[0].X[i*(rows+1)]
					}
					return nil
				},
				VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
					rows, cols := container.MatrixSize(in[0])
					for i := 0; i < min(rows, cols); i++ {
						din[0][i*(rows+1)] += adj[0]
					}
				},
			},
		},
		{
			Name:       "trace_dot",
			Signatures: []string{"real trace_dot(matrix x, matrix y)"},
			Doc:        "the trace of x*y",
			Section:    productSection,
			Kernel:     traceDotKernel(),
		},
		quadForm("quad_form", false),
		quadForm("quad_form_sym", true),
		{
			Name:       "trace_quad_form",
			Signatures: []string{"real trace_quad_form(matrix a, matrix b)", "real trace_quad_form(matrix a, vector b)"},
			Doc:        "the trace of b' a b",
			Section:    productSection,
			Kernel:     traceQuadFormKernel(),
		},
		{
			Name:       "trace_gen_quad_form",
			Signatures: []string{"real trace_gen_quad_form(matrix d, matrix a, matrix b)"},
			Doc:        "the trace of d b' a b",
			Section:    productSection,
			Kernel:     traceGenQuadFormKernel(),
		},
	}
}

func scalarResult([]catalogue.Tensor) ([]int, error) { return nil, nil }

// lineDots makes the inner products of columns (or rows) of x with those of y, or with
// themselves.
func lineDots(name string, byRow, self bool) *catalogue.Function {
	result, doc := "row_vector", "columns"
	if byRow {
		result, doc = "vector", "rows"
	}
	f := &catalogue.Function{Name: name, Section: productSection}
	for _, t := range []string{"vector", "row_vector", "matrix"} {
		if self {
			f.Signatures = append(f.Signatures, fmt.Sprintf("%s %s(%s x)", result, name, t))
		} else {
			f.Signatures = append(f.Signatures, fmt.Sprintf("%s %s(%s x, %s y)", result, name, t, t))
		}
	}
	f.Doc = "the inner product of each of the " + doc + " of x with that of y"
	if self {
		f.Doc = "the inner product of each of the " + doc + " of x with itself"
	}
	f.Kernel = &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			rows, cols := container.MatrixSize(in[0])
			if r, c := container.MatrixSize(in[len(in)-1]); r != rows || c != cols {
				return nil, fmt.Errorf("%s: x is %d by %d and y %d by %d, but they must agree", name, rows, cols, r, c)
			}
			if byRow {
				return []int{rows}, nil
			}
			return []int{cols}, nil
		},
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			clear(out)
			eachColumn(in, func(j int, x, y []float64, _ int) {
				if !byRow {
					out[j] = catalogue.Dot(x, y)
					return
				}
				for i, v := range x {
					out[i] += float64(v * y[i])
				}
			})
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			add := func(d []float64, j, at int, x []float64) {
				switch {
				case d == nil:
				case byRow:
					d = d[at : at+len(x)]
					for i, v := range x {
						d[i] += float64(adj[i] * v)
					}
				default:
					catalogue.Axpy(adj[j], x, d[at:])
				}
			}
			eachColumn(in, func(j int, x, y []float64, at int) {
				add(din[0], j, at, y)
				add(din[len(din)-1], j, at, x) // twice the same of one with itself
			})
		},
	}
	return f
}

// eachColumn returns the columns of the first and the last argument, and where they begin.
func eachColumn(in []catalogue.Tensor, f func(j int, x, y []float64, at int)) {
	rows, cols := container.MatrixSize(in[0])
	for j := range cols {
		at := j * rows
		f(j, in[0].X[at:at+rows], in[len(in)-1].X[at:at+rows], at)
	}
}

// crossProduct is x' x (inner) or x x'.
func crossProduct(name, doc string, inner bool) *catalogue.Function {
	return &catalogue.Function{
		Name:       name,
		Signatures: []string{"matrix " + name + "(matrix x)"},
		Doc:        "the symmetric product " + doc,
		Section:    productSection,
		Kernel: &catalogue.Kernel{
			Dims: func(in []catalogue.Tensor) ([]int, error) {
				n := in[0].Dims[0]
				if inner {
					n = in[0].Dims[1]
				}
				return []int{n, n}, nil
			},
			Value: func(in []catalogue.Tensor, out, _ []float64) error {
				rows, cols := container.MatrixSize(in[0])
				clear(out)
				if inner {
					catalogue.MulTransposeAAdd(cols, rows, cols, in[0].X, in[0].X, out)
				} else {
					catalogue.MulTransposeBAdd(rows, cols, rows, in[0].X, in[0].X, out)
				}
				return nil
			},
			VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
				rows, cols := container.MatrixSize(in[0])
				if inner { // X (A + A')
					catalogue.MulAdd(rows, cols, cols, in[0].X, adj, din[0])
					catalogue.MulTransposeBAdd(rows, cols, cols, in[0].X, adj, din[0])
				} else { // (A + A') X
					catalogue.MulAdd(rows, rows, cols, adj, in[0].X, din[0])
					catalogue.MulTransposeAAdd(rows, rows, cols, adj, in[0].X, din[0])
				}
			},
		},
	}
}

func traceDotKernel() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			r0, c0 := container.MatrixSize(in[0])
			r1, c1 := container.MatrixSize(in[1])
			if r0 != c1 || c0 != r1 {
				return nil, fmt.Errorf("trace_dot: x is %d by %d and y %d by %d, but their product must be square", r0, c0, r1, c1)
			}
			return nil, nil
		},
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			rows, cols := container.MatrixSize(in[0])
			sum := 0.0
			for k, v := range in[0].X {
				sum += float64(v * in[1].X[k/rows+k%rows*cols])
			}
			out[0] = sum
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			rows, cols := container.MatrixSize(in[0])
			for k, v := range in[0].X {
				at := k/rows + k%rows*cols
				if din[0] != nil {
					din[0][k] += float64(adj[0] * in[1].X[at])
				}
				if din[1] != nil {
					din[1][at] += float64(adj[0] * v)
				}
			}
		},
	}
}

// formSizes checks a quadratic form b' a b and gives the rows and columns of b.
func formSizes(fn string, a, b catalogue.Tensor) (n, m int, err error) {
	n, m = container.MatrixSize(b)
	if r, c := container.MatrixSize(a); r != c {
		err = container.NotSquare(fn, r, c)
	} else if r != n {
		err = container.SizeError(fn, "the size of a", r, "the number of rows of b", n)
	}
	return n, m, err
}

// quadForm is b' a b; the symmetric form requires a symmetric a and gives an exactly
// symmetric result.
func quadForm(name string, symmetric bool) *catalogue.Function {
	doc := "the quadratic form b' a b"
	if symmetric {
		doc += " of a symmetric matrix a"
	}
	return &catalogue.Function{
		Name:       name,
		Signatures: []string{"matrix " + name + "(matrix a, matrix b)", "real " + name + "(matrix a, vector b)"},
		Doc:        doc,
		Section:    productSection,
		Kernel: &catalogue.Kernel{
			Dims: func(in []catalogue.Tensor) ([]int, error) {
				_, m, err := formSizes(name, in[0], in[1])
				if err != nil || len(in[1].Dims) == 1 {
					return nil, err
				}
				return []int{m, m}, nil
			},
			Work: func(in []catalogue.Tensor) int { return 2 * len(in[1].X) },
			Value: func(in []catalogue.Tensor, out, work []float64) error {
				n, m := container.MatrixSize(in[1])
				if symmetric {
					if err := SymmetryError(name, "a", in[0]); err != nil {
						return err
					}
				}
				ab := work[:n*m]
				clear(ab)
				catalogue.MulAdd(n, n, m, in[0].X, in[1].X, ab)
				clear(out)
				catalogue.MulTransposeAAdd(m, n, m, in[1].X, ab, out)
				if symmetric {
					AverageTriangles(m, out)
				}
				return nil
			},
			VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
				addQuadFormVJP(in[0], in[1], adj, din[0], din[1], work)
			},
		},
	}
}

// addQuadFormVJP adds B G B' to da and A B G' + A' B G to db, for the adjoint G of
// B' A B; work has room for two matrices like B.
func addQuadFormVJP(a, b catalogue.Tensor, g, da, db, work []float64) {
	n, m := container.MatrixSize(b)
	bg := work[:n*m]
	clear(bg)
	catalogue.MulAdd(n, m, m, b.X, g, bg)
	if da != nil {
		catalogue.MulTransposeBAdd(n, m, n, bg, b.X, da)
	}
	if db != nil {
		catalogue.MulTransposeAAdd(n, n, m, a.X, bg, db)
		bgt := work[n*m : 2*n*m]
		clear(bgt)
		catalogue.MulTransposeBAdd(n, m, m, b.X, g, bgt)
		catalogue.MulAdd(n, n, m, a.X, bgt, db)
	}
}

// AverageTriangles makes a matrix exactly symmetric.
func AverageTriangles(n int, x []float64) {
	for j := 0; j < n; j++ {
		for i := j + 1; i < n; i++ {
			v := 0.5 * (x[i+j*n] + x[j+i*n])
			x[i+j*n], x[j+i*n] = v, v
		}
	}
}

// SymmetryError rejects a matrix that is not symmetric (or holds NaN off the diagonal).
func SymmetryError(fn, what string, t catalogue.Tensor) error {
	if err := transform.CheckSymmetric(t.Dims, t.X); err != nil {
		return catalogue.DomainErrorf(fn, "%s%s", what, err)
	}
	return nil
}

func traceQuadFormKernel() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			_, _, err := formSizes("trace_quad_form", in[0], in[1])
			return nil, err
		},
		Work: func(in []catalogue.Tensor) int { return len(in[1].X) },
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			n, m := container.MatrixSize(in[1])
			clear(work[:n*m])
			catalogue.MulAdd(n, n, m, in[0].X, in[1].X, work)
			out[0] = catalogue.Dot(in[1].X, work[:n*m])
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			n, m := container.MatrixSize(in[1])
			scaled := work[:n*m] // adj B
			for i, v := range in[1].X {
				scaled[i] = adj[0] * v
			}
			if din[0] != nil {
				catalogue.MulTransposeBAdd(n, m, n, scaled, in[1].X, din[0])
			}
			if din[1] != nil {
				catalogue.MulAdd(n, n, m, in[0].X, scaled, din[1])
				catalogue.MulTransposeAAdd(n, n, m, in[0].X, scaled, din[1])
			}
		},
	}
}

func traceGenQuadFormKernel() *catalogue.Kernel {
	const fn = "trace_gen_quad_form"
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			_, m, err := formSizes(fn, in[1], in[2])
			if err != nil {
				return nil, err
			}
			if r, c := container.MatrixSize(in[0]); r != c {
				return nil, container.NotSquare(fn, r, c)
			} else if r != m {
				return nil, container.SizeError(fn, "the size of d", r, "the number of columns of b", m)
			}
			return nil, nil
		},
		Work: func(in []catalogue.Tensor) int { return 2*len(in[2].X) + 2*len(in[0].X) },
		// trace(D B'AB) is sum(D' .* B'AB).
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			n, m := container.MatrixSize(in[2])
			ab, form := work[:n*m], work[2*n*m:2*n*m+m*m]
			clear(ab)
			catalogue.MulAdd(n, n, m, in[1].X, in[2].X, ab)
			clear(form)
			catalogue.MulTransposeAAdd(m, n, m, in[2].X, ab, form)
			sum := 0.0
			for k, v := range form {
				sum += float64(v * in[0].X[k/m+k%m*m])
			}
			out[0] = sum
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			n, m := container.MatrixSize(in[2])
			ab, form := work[:n*m], work[2*n*m:2*n*m+m*m]
			g := work[2*n*m+m*m : 2*n*m+2*m*m]
			if din[0] != nil {
				clear(ab)
				catalogue.MulAdd(n, n, m, in[1].X, in[2].X, ab)
				clear(form)
				catalogue.MulTransposeAAdd(m, n, m, in[2].X, ab, form)
				for k, v := range form {
					din[0][k/m+k%m*m] += float64(adj[0] * v)
				}
			}
			for k, v := range in[0].X {
				g[k/m+k%m*m] = adj[0] * v
			}
			addQuadFormVJP(in[1], in[2], g, din[1], din[2], work)
		},
	}
}
