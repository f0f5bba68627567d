// Rows of the operators * and / on complex vectors and matrices. Complex numbers lie as
// pairs (real, imaginary); adjoints of complex numbers are those of the two parts.

package stdlib

import "math/cmplx"

func complexMatrixFunctions() []*Function {
	product := func(x, y complex128) complex128 { return x * y }
	quotient := func(x, y complex128) complex128 { return x / y }
	var scaled, divided []string
	for _, t := range []string{"complex_vector", "complex_row_vector", "complex_matrix"} {
		scaled = append(scaled, t+" multiply(complex x, "+t+" y)", t+" multiply("+t+" x, complex y)")
		divided = append(divided, t+" divide("+t+" x, complex y)")
	}
	return []*Function{
		complexBinary("multiply", "the product with a complex number, element by element", scaled, product,
			func(x, y, _ complex128) (complex128, complex128) { return y, x }),
		complexBinary("divide", "the quotient by a complex number, element by element", divided, quotient,
			func(_, y, f complex128) (complex128, complex128) { return 1 / y, -f / y }),
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
	}
}

func complexProductKernel() *Kernel {
	return &Kernel{
		Dims: productKernel().Dims,
		Value: func(in []Tensor, out, _ []float64) error {
			m, k := matrixSize(in[0])
			_, n := matrixSize(in[1])
			x, y, z := pairs(in[0].X), pairs(in[1].X), pairs(out)
			for j := 0; j < n; j++ {
				for i := 0; i < m; i++ {
					sum := complex(0, 0)
					for l := 0; l < k; l++ {
						sum += x.at(i+l*m) * y.at(l+j*k)
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
			for j := 0; j < n; j++ {
				for i := 0; i < m; i++ {
					a := g.at(i + j*m)
					for l := 0; l < k; l++ {
						if din[0] != nil {
							pairs(din[0]).add(i+l*m, a*cmplx.Conj(y.at(l+j*k)))
						}
						if din[1] != nil {
							pairs(din[1]).add(l+j*k, a*cmplx.Conj(x.at(i+l*m)))
						}
					}
				}
			}
		},
	}
}
