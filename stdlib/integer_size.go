// This file holds the functions that give sizes of containers.

package stdlib

func sizeFunctions() []*Function {
	row := func(name, doc, section string, signatures []string, f func(t Tensor) int) *Function {
		return &Function{Name: name, Signatures: signatures, Doc: doc, Section: section,
			Kernel: &Kernel{SizesOnly: true, Dims: scalarDims, Value: func(in []Tensor, out, _ []float64) error {
				out[0] = float64(f(in[0]))
				return nil
			}}}
	}
	matrixLike := []string{"vector", "row_vector", "matrix", "complex_vector", "complex_row_vector", "complex_matrix"}
	return []*Function{
		row("rows", "the number of rows", sectionMatrix, over("int", "rows", matrixLike), func(t Tensor) int {
			rows, _ := matrixSize(t)
			return rows
		}),
		row("cols", "the number of columns", sectionMatrix, over("int", "cols", matrixLike), func(t Tensor) int {
			_, cols := matrixSize(t)
			return cols
		}),
		row("size", "the number of elements of an array or vector, of entries of a matrix; 1 of a scalar", sectionArray,
			[]string{"int size(any x)"}, func(t Tensor) int {
				if t.Rank.Array > 0 {
					return t.Dims[0]
				}
				return sizeOf(t.Dims)
			}),
		row("num_elements", "the number of scalars in a container", sectionArray,
			[]string{"int num_elements(any x)"}, func(t Tensor) int { return sizeOf(t.Dims) }),
		{
			Name: "dims", Signatures: []string{"array[] int dims(any x)"}, Section: sectionArray,
			Doc: "the sizes: of the array dimensions, then of the vector or matrix inside",
			Kernel: &Kernel{
				SizesOnly: true,
				Dims:      func(in []Tensor) ([]int, error) { return []int{len(in[0].Dims)}, nil },
				Value: func(in []Tensor, out, _ []float64) error {
					for i, d := range in[0].Dims {
						out[i] = float64(d)
					}
					return nil
				},
			},
		},
	}
}
