// Rows that change the shape of a container: to_vector, to_matrix, to_array_1d, ...,
// transpose.

package container

import (
	"fmt"
	"strings"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

const containerSection = "Mixed Operations"

// complexForm turns a signature on real containers into the one on complex ones.
func complexForm(signature string) string {
	name := strings.IndexByte(signature, ' ')
	if i := strings.IndexByte(signature, '('); i > 0 {
		name = strings.LastIndexByte(signature[:i], ' ')
	}
	head, fn, args := signature[:name], signature[name:], ""
	if i := strings.IndexByte(fn, '('); i >= 0 {
		fn, args = fn[:i], fn[i:]
	}
	return complexTypes.Replace(head+" ") + strings.TrimPrefix(fn, " ") + complexTypes.Replace(args)
}

var complexTypes = strings.NewReplacer("row_vector ", "complex_row_vector ", "vector ", "complex_vector ",
	"matrix ", "complex_matrix ", "real ", "complex ")

func shapeFunctions() []*catalogue.Function {
	return []*catalogue.Function{
		{
			Name:       "to_vector",
			Signatures: append(flatSignatures("vector to_vector"), "vector to_vector(array[] int a)"),
			Doc:        "the elements as a vector, matrices column by column",
			Section:    containerSection,
			Layout:     flatten,
		},
		{
			Name:       "to_row_vector",
			Signatures: append(flatSignatures("row_vector to_row_vector"), "row_vector to_row_vector(array[] int a)"),
			Doc:        "the elements as a row vector, matrices column by column",
			Section:    containerSection,
			Layout:     flatten,
		},
		{
			Name:       "to_array_1d",
			Signatures: toArraySignatures(),
			Doc:        "the elements as an array: matrices column by column, arrays row by row",
			Section:    containerSection,
			Layout:     flatten,
		},
		{
			Name:       "to_array_2d",
			Signatures: withComplex("array[,] real to_array_2d(matrix m)"),
			Doc:        "the elements of a matrix as an array of its rows",
			Section:    containerSection,
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				rows, cols := MatrixSize(in[0])
				return []int{rows, cols}, pick(rows*cols, 0, func(k int) int { return k/cols + k%cols*rows }), nil
			},
		},
		{
			Name: "to_matrix",
			Signatures: withComplex(
				"matrix to_matrix(matrix m)",
				"matrix to_matrix(vector v)",
				"matrix to_matrix(row_vector v)",
				"matrix to_matrix(array[,] real a)",
				"matrix to_matrix(array[] row_vector a)",
			),
			Doc:     "the elements as a matrix: a vector is a column, an array is one of rows",
			Section: containerSection,
			Layout:  toMatrix,
		},
		{
			Name:       "to_matrix",
			Signatures: []string{"matrix to_matrix(array[] vector a)"},
			Doc:        "the vectors of an array as the columns of a matrix",
			Section:    containerSection,
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) { // columns follow each other in both
				return []int{in[0].Dims[1], in[0].Dims[0]}, pick(len(in[0].X), 0, func(k int) int { return k }), nil
			},
		},
		{
			Name:       "to_vector_array",
			Signatures: []string{"array[] vector to_vector_array(matrix m)"},
			Doc:        "the columns of a matrix as an array of vectors",
			Section:    containerSection,
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				rows, cols := MatrixSize(in[0])
				return []int{cols, rows}, pick(rows*cols, 0, func(k int) int { return k }), nil
			},
		},
		{
			Name:       "to_row_vector_array",
			Signatures: []string{"array[] row_vector to_row_vector_array(matrix m)"},
			Doc:        "the rows of a matrix as an array of row vectors",
			Section:    containerSection,
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				rows, cols := MatrixSize(in[0])
				return []int{rows, cols}, pick(rows*cols, 0, func(k int) int { return k/cols + k%cols*rows }), nil
			},
		},
		{
			Name:       "to_matrix",
			Signatures: []string{"matrix to_matrix(array[,] int a)", "matrix to_matrix(array[] int a, int rows, int cols)", "matrix to_matrix(array[] int a, int rows, int cols, int col_major)"},
			Doc:        "integers as a matrix",
			Section:    containerSection,
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				if len(in) == 1 {
					return toMatrix(in)
				}
				return reshape(in)
			},
		},
		{
			Name: "to_matrix",
			Signatures: withComplex(
				"matrix to_matrix(matrix m, int rows, int cols)",
				"matrix to_matrix(vector v, int rows, int cols)",
				"matrix to_matrix(row_vector v, int rows, int cols)",
				"matrix to_matrix(array[] real a, int rows, int cols)",
				"matrix to_matrix(matrix m, int rows, int cols, int col_major)",
				"matrix to_matrix(vector v, int rows, int cols, int col_major)",
				"matrix to_matrix(row_vector v, int rows, int cols, int col_major)",
				"matrix to_matrix(array[] real a, int rows, int cols, int col_major)",
			),
			Doc:     "the elements as a matrix of given sizes, column by column (row by row where col_major is 0)",
			Section: containerSection,
			Layout:  reshape,
		},
		{
			Name: "transpose",
			Signatures: withComplex(
				"row_vector transpose(vector v)",
				"vector transpose(row_vector v)",
				"matrix transpose(matrix m)",
			),
			Doc:     "the transpose, m'",
			Section: "Matrix Operations",
			Layout:  transpose,
		},
		{
			Name:       "symmetrize_from_lower_tri",
			Signatures: []string{"matrix symmetrize_from_lower_tri(matrix m)"},
			Doc:        "the symmetric matrix with the lower triangle of m",
			Section:    "Matrix Operations",
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				rows, cols := MatrixSize(in[0])
				if rows != cols {
					return nil, nil, NotSquare("symmetrize_from_lower_tri", rows, cols)
				}
				return []int{rows, cols}, pick(rows*cols, 0, func(k int) int {
					i, j := k%rows, k/rows
					return max(i, j) + min(i, j)*rows
				}), nil
			},
		},
	}
}

func NotSquare(fn string, rows, cols int) error {
	return fmt.Errorf("%s: the matrix is %d by %d, but must be square", fn, rows, cols)
}

// flatSignatures are the forms of to_vector and to_row_vector.
func flatSignatures(head string) []string {
	return withComplex(head+"(matrix m)", head+"(vector v)", head+"(row_vector v)", head+"(array[] real a)")
}

func toArraySignatures() []string {
	all := withComplex("array[] real to_array_1d(vector v)", "array[] real to_array_1d(row_vector v)", "array[] real to_array_1d(matrix m)")
	for _, number := range []string{"int", "real", "complex"} {
		for n := 1; n <= MaxArrayDims; n++ {
			all = append(all, fmt.Sprintf("array[] %s to_array_1d(%s%s a)", number, ArrayPrefix(n), number))
		}
	}
	return all
}

// MaxArrayDims is the greatest depth of arrays in the signatures of functions that take arrays
// of any depth.
const MaxArrayDims = 10

func flatten(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
	n := transform.SizeOf(in[0].Dims)
	return []int{n}, inOrder(n, 0), nil
}

// toMatrix is to_matrix with one argument.
func toMatrix(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
	a := in[0]
	if a.Rank.Array == 0 {
		rows, cols := MatrixSize(a)
		return []int{rows, cols}, inOrder(rows*cols, 0), nil
	}
	rows, cols := a.Dims[0], a.Dims[1]
	if rows == 0 {
		cols = 0
	}
	return []int{rows, cols}, pick(rows*cols, 0, func(k int) int { return k%rows*cols + k/rows }), nil
}

// reshape is to_matrix with sizes.
func reshape(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
	rows, cols, n := IntArg(in[1]), IntArg(in[2]), transform.SizeOf(in[0].Dims)
	if rows < 0 || cols < 0 || rows*cols != n {
		return nil, nil, fmt.Errorf("to_matrix: a matrix of %d by %d is asked for, but there are %d elements", rows, cols, n)
	}
	if len(in) == 4 && IntArg(in[3]) == 0 {
		return []int{rows, cols}, pick(n, 0, func(k int) int { return k%rows*cols + k/rows }), nil
	}
	return []int{rows, cols}, inOrder(n, 0), nil
}

func transpose(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
	rows, cols := MatrixSize(in[0])
	if len(in[0].Dims) == 1 {
		return in[0].Dims, inOrder(rows*cols, 0), nil
	}
	return []int{cols, rows}, pick(rows*cols, 0, func(k int) int { return k/cols + k%cols*rows }), nil
}
