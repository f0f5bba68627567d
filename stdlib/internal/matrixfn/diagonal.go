// Rows that scale or shift by a diagonal: diag_pre_multiply, add_diag, quad_form_diag, ...

package matrixfn

import (
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

const diagonalSection = "Diagonal Matrix Functions"

func diagonalFunctions() []*catalogue.Function {
	return []*catalogue.Function{
		{
			Name: "diag_pre_multiply",
			Signatures: []string{
				"matrix diag_pre_multiply(vector v, matrix m)",
				"matrix diag_pre_multiply(row_vector v, matrix m)",
			},
			Doc:     "diag_matrix(v) * m",
			Section: diagonalSection,
			Kernel:  scaleKernel("diag_pre_multiply", 1, 0, func(i, _ int) int { return i }),
		},
		{
			Name: "diag_post_multiply",
			Signatures: []string{
				"matrix diag_post_multiply(matrix m, vector v)",
				"matrix diag_post_multiply(matrix m, row_vector v)",
			},
			Doc:     "m * diag_matrix(v)",
			Section: diagonalSection,
			Kernel:  scaleKernel("diag_post_multiply", 0, 1, func(_, j int) int { return j }),
		},
		{
			Name: "add_diag",
			Signatures: []string{
				"matrix add_diag(matrix m, real d)",
				"matrix add_diag(matrix m, vector d)",
				"matrix add_diag(matrix m, row_vector d)",
			},
			Doc:     "m with d added to its diagonal",
			Section: diagonalSection,
			Kernel:  addDiagKernel(),
		},
		{
			Name: "quad_form_diag",
			Signatures: []string{
				"matrix quad_form_diag(matrix m, vector v)",
				"matrix quad_form_diag(matrix m, row_vector v)",
			},
			Doc:     "diag_matrix(v) * m * diag_matrix(v)",
			Section: productSection,
			Kernel:  quadFormDiagKernel(),
		},
	}
}

// scaleKernel multiplies element (i,j) of the matrix argument m by element at(i,j) of v.
func scaleKernel(name string, m, v int, at func(i, j int) int) *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			rows, cols := in[m].Dims[0], in[m].Dims[1]
			if n := rows*at(1, 0) + cols*at(0, 1); n != in[v].Dims[0] {
				return nil, container.SizeError(name, "the size of v", in[v].Dims[0], "that of m", n)
			}
			return in[m].Dims, nil
		},
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			rows := in[m].Dims[0]
			for k, x := range in[m].X {
				out[k] = x * in[v].X[at(k%rows, k/rows)]
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			rows := in[m].Dims[0]
			for k, a := range adj {
				i := at(k%rows, k/rows)
				if din[m] != nil {
					din[m][k] += float64(a * in[v].X[i])
				}
				if din[v] != nil {
					din[v][i] += float64(a * in[m].X[k])
				}
			}
		},
	}
}

func addDiagKernel() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			rows, cols := container.MatrixSize(in[0])
			if len(in[1].Dims) > 0 && in[1].Dims[0] != min(rows, cols) {
				return nil, container.SizeError("add_diag", "the size of d", in[1].Dims[0], "that of the diagonal", min(rows, cols))
			}
			return in[0].Dims, nil
		},
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			rows, cols := container.MatrixSize(in[0])
			copy(out, in[0].X)
			for i := 0; i < min(rows, cols); i++ {
				out[i*(rows+1)] += transform.ArgAt(in[1].X, i)
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			rows, cols := container.MatrixSize(in[0])
			if din[0] != nil {
				catalogue.Axpy(1, adj, din[0])
			}
			if din[1] != nil {
				for i := 0; i < min(rows, cols); i++ {
					transform.AddArgAt(din[1], i, adj[i*(rows+1)])
				}
			}
		},
	}
}

func quadFormDiagKernel() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			rows, cols := container.MatrixSize(in[0])
			if rows != cols {
				return nil, container.NotSquare("quad_form_diag", rows, cols)
			}
			if in[1].Dims[0] != rows {
				return nil, container.SizeError("quad_form_diag", "the size of v", in[1].Dims[0], "that of m", rows)
			}
			return in[0].Dims, nil
		},
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			n, v := in[0].Dims[0], in[1].X
			for k, x := range in[0].X {
				out[k] = v[k%n] * x * v[k/n]
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			n, v := in[0].Dims[0], in[1].X
			for k, a := range adj {
				i, j := k%n, k/n
				if din[0] != nil {
					din[0][k] += float64(a * v[i] * v[j])
				}
				if din[1] != nil {
					din[1][i] += float64(a * in[0].X[k] * v[j])
					din[1][j] += float64(a * in[0].X[k] * v[i])
				}
			}
		},
	}
}
