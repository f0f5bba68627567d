// Rows of the operators * and / on vectors and matrices.

package matrixfn

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
)

const operatorSection = "Matrix Arithmetic Operators"

func operatorFunctions() []*catalogue.Function {
	return []*catalogue.Function{
		{
			Name: "multiply",
			Signatures: []string{
				"vector multiply(real x, vector y)",
				"row_vector multiply(real x, row_vector y)",
				"matrix multiply(real x, matrix y)",
				"vector multiply(vector x, real y)",
				"row_vector multiply(row_vector x, real y)",
				"matrix multiply(matrix x, real y)",
			},
			Doc:     "the product with a number, element by element",
			Section: operatorSection,
			Op:      autodiff.Mul,
		},
		{
			Name: "multiply",
			Signatures: []string{
				"matrix multiply(matrix x, matrix y)",
				"vector multiply(matrix x, vector y)",
				"row_vector multiply(row_vector x, matrix y)",
				"real multiply(row_vector x, vector y)",
				"matrix multiply(vector x, row_vector y)",
			},
			Doc:     "the matrix product",
			Section: operatorSection,
			Kernel:  productKernel(),
		},
		{
			Name: "divide",
			Signatures: []string{
				"vector divide(vector x, real y)",
				"row_vector divide(row_vector x, real y)",
				"matrix divide(matrix x, real y)",
				"vector divide(real x, vector y)",
				"row_vector divide(real x, row_vector y)",
				"matrix divide(real x, matrix y)",
			},
			Doc:     "the quotient with a number, element by element",
			Section: operatorSection,
			Op:      autodiff.Div,
		},
	}
}

// productKernel is the matrix product in all its forms.
func productKernel() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			m, k := container.MatrixSize(in[0])
			k2, n := container.MatrixSize(in[1])
			if k != k2 {
				return nil, container.SizeError("multiply", "the number of columns of x", k, "the number of rows of y", k2)
			}
			switch a, b := len(in[0].Dims), len(in[1].Dims); {
			case a == 2 && b == 2:
				return []int{m, n}, nil
			case a == 2:
				return []int{m}, nil
			case b == 2:
				return []int{n}, nil
			case in[0].Rank.Row:
				return nil, nil
			}
			return []int{m, n}, nil
		},
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			m, k := container.MatrixSize(in[0])
			_, n := container.MatrixSize(in[1])
			clear(out)
			catalogue.MulAdd(m, k, n, in[0].X, in[1].X, out)
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			m, k := container.MatrixSize(in[0])
			_, n := container.MatrixSize(in[1])
			if din[0] != nil {
				catalogue.MulTransposeBAdd(m, n, k, adj, in[1].X, din[0])
			}
			if din[1] != nil {
				catalogue.MulTransposeAAdd(k, m, n, in[0].X, adj, din[1])
			}
		},
	}
}
