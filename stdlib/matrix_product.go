// Rows of products and sums of matrices with themselves and each other: dot products
// of rows and columns, crossprod, quadratic forms, traces.

package stdlib

import "fmt"

const productSection = "Dot Products and Specialized Products"

func productFunctions() []*Function {
	return []*Function{
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
			Kernel: &Kernel{
				Dims: func(in []Tensor) ([]int, error) { return []int{in[0].Dims[0], in[0].Dims[0]}, nil },
				Value: func(in []Tensor, out, _ []float64) error {
					rows, cols := matrixSize(in[0])
					selfTranspose(rows, min(rows, cols), in[0].X, out)
					return nil
				},
				VJP: func(in []Tensor, _, adj []float64, din [][]float64, _ []float64) {
					rows, cols := matrixSize(in[0])
					addSelfTransposeVJP(rows, min(rows, cols), in[0].X, adj, din[0])
				},
			},
		},
		{
			Name:       "trace",
			Signatures: []string{"real trace(matrix x)"},
			Doc:        "the sum of the diagonal",
			Section:    "Reductions",
			Kernel: &Kernel{
				Dims: scalarResult,
				Value: func(in []Tensor, out, _ []float64) error {
					out[0] = 0
					rows, cols := matrixSize(in[0])
					for i := 0; i < min(rows, cols); i++ {
						out[0] += in[0].X[i*(rows+1)]
					}
					return nil
				},
				VJP: func(in []Tensor, _, adj []float64, din [][]float64, _ []float64) {
					rows, cols := matrixSize(in[0])
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

func scalarResult([]Tensor) ([]int, error) { return nil, nil }

// lineDots makes the inner products of columns (or rows) of x with those of y, or with
// themselves.
func lineDots(name string, byRow, self bool) *Function {
	result, doc := "row_vector", "columns"
	if byRow {
		result, doc = "vector", "rows"
	}
	f := &Function{Name: name, Section: productSection}
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
	// line says to which element of the result element k of x belongs.
	line := func(k, rows int) int {
		if byRow {
			return k % rows
		}
		return k / rows
	}
	f.Kernel = &Kernel{
		Dims: func(in []Tensor) ([]int, error) {
			rows, cols := matrixSize(in[0])
			if r, c := matrixSize(in[len(in)-1]); r != rows || c != cols {
				return nil, fmt.Errorf("%s: x is %d by %d and y %d by %d, but they must agree", name, rows, cols, r, c)
			}
			if byRow {
				return []int{rows}, nil
			}
			return []int{cols}, nil
		},
		Value: func(in []Tensor, out, _ []float64) error {
			x, y := in[0].X, in[len(in)-1].X
			rows, _ := matrixSize(in[0])
			clear(out)
			for k, v := range x {
				out[line(k, rows)] += float64(v * y[k])
			}
			return nil
		},
		VJP: func(in []Tensor, _, adj []float64, din [][]float64, _ []float64) {
			x, y := in[0].X, in[len(in)-1].X
			rows, _ := matrixSize(in[0])
			for k := range x {
				a := adj[line(k, rows)]
				if self {
					din[0][k] += float64(2 * a * x[k])
					continue
				}
				if din[0] != nil {
					din[0][k] += float64(a * y[k])
				}
				if din[1] != nil {
					din[1][k] += float64(a * x[k])
				}
			}
		},
	}
	return f
}

// crossProduct is x' x (inner) or x x'.
func crossProduct(name, doc string, inner bool) *Function {
	return &Function{
		Name:       name,
		Signatures: []string{"matrix " + name + "(matrix x)"},
		Doc:        "the symmetric product " + doc,
		Section:    productSection,
		Kernel: &Kernel{
			Dims: func(in []Tensor) ([]int, error) {
				n := in[0].Dims[0]
				if inner {
					n = in[0].Dims[1]
				}
				return []int{n, n}, nil
			},
			Value: func(in []Tensor, out, _ []float64) error {
				rows, cols := matrixSize(in[0])
				clear(out)
				if inner {
					mulTransposeAAdd(cols, rows, cols, in[0].X, in[0].X, out)
				} else {
					mulTransposeBAdd(rows, cols, rows, in[0].X, in[0].X, out)
				}
				return nil
			},
			VJP: func(in []Tensor, _, adj []float64, din [][]float64, _ []float64) {
				rows, cols := matrixSize(in[0])
				if inner { // X (A + A')
					mulAdd(rows, cols, cols, in[0].X, adj, din[0])
					mulTransposeBAdd(rows, cols, cols, in[0].X, adj, din[0])
				} else { // (A + A') X
					mulAdd(rows, rows, cols, adj, in[0].X, din[0])
					mulTransposeAAdd(rows, rows, cols, adj, in[0].X, din[0])
				}
			},
		},
	}
}

func traceDotKernel() *Kernel {
	return &Kernel{
		Dims: func(in []Tensor) ([]int, error) {
			r0, c0 := matrixSize(in[0])
			r1, c1 := matrixSize(in[1])
			if r0 != c1 || c0 != r1 {
				return nil, fmt.Errorf("trace_dot: x is %d by %d and y %d by %d, but their product must be square", r0, c0, r1, c1)
			}
			return nil, nil
		},
		Value: func(in []Tensor, out, _ []float64) error {
			rows, cols := matrixSize(in[0])
			sum := 0.0
			for k, v := range in[0].X {
				sum += float64(v * in[1].X[k/rows+k%rows*cols])
			}
			out[0] = sum
			return nil
		},
		VJP: func(in []Tensor, _, adj []float64, din [][]float64, _ []float64) {
			rows, cols := matrixSize(in[0])
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
func formSizes(fn string, a, b Tensor) (n, m int, err error) {
	n, m = matrixSize(b)
	if r, c := matrixSize(a); r != c {
		err = notSquare(fn, r, c)
	} else if r != n {
		err = sizeError(fn, "the size of a", r, "the number of rows of b", n)
	}
	return n, m, err
}

// quadForm is b' a b; the symmetric form requires a symmetric a and gives an exactly
// symmetric result.
func quadForm(name string, symmetric bool) *Function {
	doc := "the quadratic form b' a b"
	if symmetric {
		doc += " of a symmetric matrix a"
	}
	return &Function{
		Name:       name,
		Signatures: []string{"matrix " + name + "(matrix a, matrix b)", "real " + name + "(matrix a, vector b)"},
		Doc:        doc,
		Section:    productSection,
		Kernel: &Kernel{
			Dims: func(in []Tensor) ([]int, error) {
				_, m, err := formSizes(name, in[0], in[1])
				if err != nil || len(in[1].Dims) == 1 {
					return nil, err
				}
				return []int{m, m}, nil
			},
			Work: func(in []Tensor) int { return 2 * len(in[1].X) },
			Value: func(in []Tensor, out, work []float64) error {
				n, m := matrixSize(in[1])
				if symmetric {
					if err := symmetryError(name, "a", in[0]); err != nil {
						return err
					}
				}
				ab := work[:n*m]
				clear(ab)
				mulAdd(n, n, m, in[0].X, in[1].X, ab)
				clear(out)
				mulTransposeAAdd(m, n, m, in[1].X, ab, out)
				if symmetric {
					averageTriangles(m, out)
				}
				return nil
			},
			VJP: func(in []Tensor, _, adj []float64, din [][]float64, work []float64) {
				addQuadFormVJP(in[0], in[1], adj, din[0], din[1], work)
			},
		},
	}
}

// addQuadFormVJP adds B G B' to da and A B G' + A' B G to db, for the adjoint G of
// B' A B; work has room for two matrices like B.
func addQuadFormVJP(a, b Tensor, g, da, db, work []float64) {
	n, m := matrixSize(b)
	bg := work[:n*m]
	clear(bg)
	mulAdd(n, m, m, b.X, g, bg)
	if da != nil {
		mulTransposeBAdd(n, m, n, bg, b.X, da)
	}
	if db != nil {
		mulTransposeAAdd(n, n, m, a.X, bg, db)
		bgt := work[n*m : 2*n*m]
		clear(bgt)
		mulTransposeBAdd(n, m, m, b.X, g, bgt)
		mulAdd(n, n, m, a.X, bgt, db)
	}
}

// averageTriangles makes a matrix exactly symmetric.
func averageTriangles(n int, x []float64) {
	for j := 0; j < n; j++ {
		for i := j + 1; i < n; i++ {
			v := 0.5 * (x[i+j*n] + x[j+i*n])
			x[i+j*n], x[j+i*n] = v, v
		}
	}
}

// symmetryError rejects a matrix that is not symmetric (or holds NaN off the diagonal).
func symmetryError(fn, what string, t Tensor) error {
	if err := checkSymmetric(t.Dims, t.X); err != nil {
		return domainErrorf(fn, "%s%s", what, err)
	}
	return nil
}

func traceQuadFormKernel() *Kernel {
	return &Kernel{
		Dims: func(in []Tensor) ([]int, error) {
			_, _, err := formSizes("trace_quad_form", in[0], in[1])
			return nil, err
		},
		Work: func(in []Tensor) int { return len(in[1].X) },
		Value: func(in []Tensor, out, work []float64) error {
			n, m := matrixSize(in[1])
			clear(work[:n*m])
			mulAdd(n, n, m, in[0].X, in[1].X, work)
			out[0] = dot(in[1].X, work[:n*m])
			return nil
		},
		VJP: func(in []Tensor, _, adj []float64, din [][]float64, work []float64) {
			n, m := matrixSize(in[1])
			scaled := work[:n*m] // adj B
			for i, v := range in[1].X {
				scaled[i] = adj[0] * v
			}
			if din[0] != nil {
				mulTransposeBAdd(n, m, n, scaled, in[1].X, din[0])
			}
			if din[1] != nil {
				mulAdd(n, n, m, in[0].X, scaled, din[1])
				mulTransposeAAdd(n, n, m, in[0].X, scaled, din[1])
			}
		},
	}
}

func traceGenQuadFormKernel() *Kernel {
	const fn = "trace_gen_quad_form"
	return &Kernel{
		Dims: func(in []Tensor) ([]int, error) {
			_, m, err := formSizes(fn, in[1], in[2])
			if err != nil {
				return nil, err
			}
			if r, c := matrixSize(in[0]); r != c {
				return nil, notSquare(fn, r, c)
			} else if r != m {
				return nil, sizeError(fn, "the size of d", r, "the number of columns of b", m)
			}
			return nil, nil
		},
		Work: func(in []Tensor) int { return 2*len(in[2].X) + 2*len(in[0].X) },
		// trace(D B'AB) is sum(D' .* B'AB).
		Value: func(in []Tensor, out, work []float64) error {
			n, m := matrixSize(in[2])
			ab, form := work[:n*m], work[2*n*m:2*n*m+m*m]
			clear(ab)
			mulAdd(n, n, m, in[1].X, in[2].X, ab)
			clear(form)
			mulTransposeAAdd(m, n, m, in[2].X, ab, form)
			sum := 0.0
			for k, v := range form {
				sum += float64(v * in[0].X[k/m+k%m*m])
			}
			out[0] = sum
			return nil
		},
		VJP: func(in []Tensor, _, adj []float64, din [][]float64, work []float64) {
			n, m := matrixSize(in[2])
			ab, form := work[:n*m], work[2*n*m:2*n*m+m*m]
			g := work[2*n*m+m*m : 2*n*m+2*m*m]
			if din[0] != nil {
				clear(ab)
				mulAdd(n, n, m, in[1].X, in[2].X, ab)
				clear(form)
				mulTransposeAAdd(m, n, m, in[2].X, ab, form)
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
