// Rows of sparse matrices in compressed row storage: values w, column indices v, row
// starts u, all from 1.

package matrixfn

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
)

const sparseSection = "Sparse Matrix Operations"

func sparseFunctions() []*catalogue.Function {
	nonzeros := func(in []catalogue.Tensor) int {
		n := 0
		for _, x := range in[0].X {
			if x != 0 {
				n++
			}
		}
		return n
	}
	return []*catalogue.Function{
		{
			Name:       "csr_extract_w",
			Signatures: []string{"vector csr_extract_w(matrix a)"},
			Doc:        "the nonzero values of a matrix, row by row",
			Section:    sparseSection,
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				var from []catalogue.Ref
				rows, cols := container.MatrixSize(in[0])
				for i := 0; i < rows; i++ {
					for j := 0; j < cols; j++ {
						if in[0].X[i+j*rows] != 0 {
							from = append(from, catalogue.Ref{Arg: 0, Elem: int32(i + j*rows)})
						}
					}
				}
				return []int{len(from)}, from, nil
			},
		},
		{
			Name:       "csr_extract_v",
			Signatures: []string{"array[] int csr_extract_v(matrix a)"},
			Doc:        "the column indices of the nonzero values, row by row",
			Section:    sparseSection,
			Kernel: &catalogue.Kernel{
				Dims: func(in []catalogue.Tensor) ([]int, error) { return []int{nonzeros(in)}, nil },
				Value: func(in []catalogue.Tensor, out, _ []float64) error {
					rows, cols := container.MatrixSize(in[0])
					at := 0
					for i := 0; i < rows; i++ {
						for j := 0; j < cols; j++ {
							if in[0].X[i+j*rows] != 0 {
								out[at] = float64(j + 1)
								at++
							}
						}
					}
					return nil
				},
			},
		},
		{
			Name:       "csr_extract_u",
			Signatures: []string{"array[] int csr_extract_u(matrix a)"},
			Doc:        "where the rows begin in the list of nonzero values",
			Section:    sparseSection,
			Kernel: &catalogue.Kernel{
				Dims: func(in []catalogue.Tensor) ([]int, error) { return []int{in[0].Dims[0] + 1}, nil },
				Value: func(in []catalogue.Tensor, out, _ []float64) error {
					rows, cols := container.MatrixSize(in[0])
					out[0] = 1
					for i := 0; i < rows; i++ {
						out[i+1] = out[i]
						for j := 0; j < cols; j++ {
							if in[0].X[i+j*rows] != 0 {
								out[i+1]++
							}
						}
					}
					return nil
				},
			},
		},
		{
			Name:       "csr_extract",
			Signatures: []string{"tuple(vector, array[] int, array[] int) csr_extract(matrix a)"},
			Doc:        "the compressed row storage of a matrix: w, v, u",
			Section:    sparseSection,
			Parts:      []string{"csr_extract_w", "csr_extract_v", "csr_extract_u"},
		},
		{
			Name:       "csr_to_dense_matrix",
			Signatures: []string{"matrix csr_to_dense_matrix(int m, int n, vector w, array[] int v, array[] int u)"},
			Doc:        "the m by n matrix in compressed row storage",
			Section:    sparseSection,
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				if err := checkSparse("csr_to_dense_matrix", in); err != nil {
					return nil, nil, err
				}
				rows, cols := container.IntArg(in[0]), container.IntArg(in[1])
				from := make([]catalogue.Ref, rows*cols)
				for k := range from {
					from[k] = catalogue.Ref{Arg: -1}
				}
				for i := 0; i < rows; i++ {
					for k := int(in[4].X[i]) - 1; k < int(in[4].X[i+1])-1; k++ {
						from[i+(int(in[3].X[k])-1)*rows] = catalogue.Ref{Arg: 2, Elem: int32(k)}
					}
				}
				return []int{rows, cols}, from, nil
			},
		},
		{
			Name:       "csr_matrix_times_vector",
			Signatures: []string{"vector csr_matrix_times_vector(int m, int n, vector w, array[] int v, array[] int u, vector b)"},
			Doc:        "the product of an m by n matrix in compressed row storage and a vector",
			Section:    sparseSection,
			Kernel:     sparseProductKernel(),
		},
	}
}

// checkSparse checks the sizes and indices of a matrix in compressed row storage.
func checkSparse(fn string, in []catalogue.Tensor) error {
	rows, cols := container.IntArg(in[0]), container.IntArg(in[1])
	w, v, u := len(in[2].X), in[3].X, in[4].X
	switch {
	case rows < 0 || cols < 0:
		return fmt.Errorf("%s: the matrix is %d by %d, but sizes must not be negative", fn, rows, cols)
	case len(v) != w:
		return container.SizeError(fn, "the size of w", w, "the size of v", len(v))
	case len(u) != rows+1:
		return container.SizeError(fn, "the size of u", len(u), "the number of rows plus 1", rows+1)
	case int(u[rows]) != w+1:
		return container.SizeError(fn, "the last element of u", int(u[rows]), "the size of w plus 1", w+1)
	}
	for i := 0; i < rows; i++ {
		if u[i] < 1 || u[i] > u[i+1] {
			return fmt.Errorf("%s: u[%d] is %v, but must be at least 1 and not more than the next element, %v", fn, i+1, u[i], u[i+1])
		}
	}
	for k, j := range v {
		if j < 1 || int(j) > cols {
			return container.RangeError(fn, fmt.Sprintf("v[%d]", k+1), int(j), 1, cols)
		}
	}
	return nil
}

func sparseProductKernel() *catalogue.Kernel {
	const fn = "csr_matrix_times_vector"
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			if err := checkSparse(fn, in); err != nil {
				return nil, err
			}
			if n, m := container.IntArg(in[1]), in[5].Dims[0]; n != m {
				return nil, container.SizeError(fn, "the number of columns", n, "the size of b", m)
			}
			return []int{container.IntArg(in[0])}, nil
		},
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			b := in[5].X
			for i := range out {
				sum := 0.0
				w, v := sparseRow(in, i)
				for k, j := range v {
					sum += float64(w[k] * b[int(j)-1])
				}
				out[i] = sum
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			dw, b, db := din[2], in[5].X, din[5]
			for i, a := range adj {
				w, v := sparseRow(in, i)
				if db != nil {
					for k, j := range v {
						db[int(j)-1] += float64(a * w[k])
					}
				}
				if dw != nil {
					dw := dw[int(in[4].X[i])-1:]
					for k, j := range v {
						dw[k] += float64(a * b[int(j)-1])
					}
				}
			}
		},
	}
}

// sparseRow returns the values of row i and the numbers of their columns, from 1.
func sparseRow(in []catalogue.Tensor, i int) (w, v []float64) {
	lo, hi := int(in[4].X[i])-1, int(in[4].X[i+1])-1
	return in[2].X[lo:hi:hi], in[3].X[lo:hi:hi]
}

// SparseAsDense makes the matrix of the arguments of csr_matrix_times_vector, column by column.
func SparseAsDense(in []catalogue.Tensor) []float64 {
	rows := container.IntArg(in[0])
	a := make([]float64, rows*container.IntArg(in[1]))
	for i := range rows {
		w, v := sparseRow(in, i)
		for k, j := range v {
			a[i+(int(j)-1)*rows] += w[k]
		}
	}
	return a
}
