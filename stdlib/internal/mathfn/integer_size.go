// This file holds the functions that give sizes of containers.

package mathfn

import (
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

func sizeFunctions() []*catalogue.Function {
	row := func(name, doc, section string, signatures []string, f func(t catalogue.Tensor) int) *catalogue.Function {
		return &catalogue.Function{Name: name, Signatures: signatures, Doc: doc, Section: section,
			Kernel: &catalogue.Kernel{SizesOnly: true, Dims: catalogue.ScalarDims, Value: func(in []catalogue.Tensor, out, _ []float64) error {
				out[0] = float64(f(in[0]))
				return nil
			}}}
	}
	matrixLike := []string{"vector", "row_vector", "matrix", "complex_vector", "complex_row_vector", "complex_matrix"}
	return []*catalogue.Function{
		row("rows", "the number of rows", catalogue.SectionMatrix, catalogue.Over("int", "rows", matrixLike), func(t catalogue.Tensor) int {
			rows, _ := container.MatrixSize(t)
			return rows
		}),
		row("cols", "the number of columns", catalogue.SectionMatrix, catalogue.Over("int", "cols", matrixLike), func(t catalogue.Tensor) int {
			_, cols := container.MatrixSize(t)
			return cols
		}),
		row("size", "the number of elements of an array or vector, of entries of a matrix; 1 of a scalar", catalogue.SectionArray,
			[]string{"int size(any x)"}, func(t catalogue.Tensor) int {
				if t.Rank.Array > 0 {
					return t.Dims[0]
				}
				return transform.SizeOf(t.Dims)
			}),
		row("num_elements", "the number of scalars in a container", catalogue.SectionArray,
			[]string{"int num_elements(any x)"}, func(t catalogue.Tensor) int { return transform.SizeOf(t.Dims) }),
		{
			Name: "dims", Signatures: []string{"array[] int dims(any x)"}, Section: catalogue.SectionArray,
			Doc: "the sizes: of the array dimensions, then of the vector or matrix inside",
			Kernel: &catalogue.Kernel{
				SizesOnly: true,
				Dims:      func(in []catalogue.Tensor) ([]int, error) { return []int{len(in[0].Dims)}, nil },
				Value: func(in []catalogue.Tensor, out, _ []float64) error {
					for i, d := range in[0].Dims {
						out[i] = float64(d)
					}
					return nil
				},
			},
		},
	}
}
