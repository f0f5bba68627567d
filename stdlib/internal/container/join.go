// Rows that join containers or repeat them: append_row, append_col, append_array, rep_*.

package container

import (
	"fmt"
	"slices"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

func joinFunctions() []*catalogue.Function {
	return []*catalogue.Function{
		{
			Name: "append_row",
			Signatures: withComplex(
				"matrix append_row(matrix x, matrix y)",
				"matrix append_row(matrix x, row_vector y)",
				"matrix append_row(row_vector x, matrix y)",
				"matrix append_row(row_vector x, row_vector y)",
				"vector append_row(vector x, vector y)",
				"vector append_row(real x, vector y)",
				"vector append_row(vector x, real y)",
			),
			Doc:     "the rows of x and below them those of y",
			Section: "Matrix Concatenation",
			Layout:  appendRow,
		},
		{
			Name: "append_col",
			Signatures: withComplex(
				"matrix append_col(matrix x, matrix y)",
				"matrix append_col(matrix x, vector y)",
				"matrix append_col(vector x, matrix y)",
				"matrix append_col(vector x, vector y)",
				"row_vector append_col(row_vector x, row_vector y)",
				"row_vector append_col(real x, row_vector y)",
				"row_vector append_col(row_vector x, real y)",
			),
			Doc:     "the columns of x and beside them those of y",
			Section: "Matrix Concatenation",
			Layout:  appendCol,
		},
		{
			Name:       "append_array",
			Signatures: []string{"array[] any append_array(array[] any x, array[] any y)"},
			Doc:        "the elements of x and after them those of y",
			Section:    "Array Operations",
			Layout:     appendArray,
		},
		{
			Name: "rep_array",
			Signatures: []string{
				"array[] any rep_array(any x, int n)",
				"array[,] any rep_array(any x, int m, int n)",
				"array[,,] any rep_array(any x, int k, int m, int n)",
			},
			Doc:     "the array of the given sizes with all elements equal to x",
			Section: "Array Broadcasting",
			Layout:  repArray,
		},
		{
			Name:       "rep_vector",
			Signatures: withComplex("vector rep_vector(real x, int n)"),
			Doc:        "the vector of n elements equal to x",
			Section:    "Matrix Broadcast Functions",
			Layout:     repeat("rep_vector"),
		},
		{
			Name:       "rep_row_vector",
			Signatures: withComplex("row_vector rep_row_vector(real x, int n)"),
			Doc:        "the row vector of n elements equal to x",
			Section:    "Matrix Broadcast Functions",
			Layout:     repeat("rep_row_vector"),
		},
		{
			Name:       "rep_matrix",
			Signatures: withComplex("matrix rep_matrix(real x, int m, int n)"),
			Doc:        "the m by n matrix of elements equal to x",
			Section:    "Matrix Broadcast Functions",
			Layout:     repeat("rep_matrix"),
		},
		{
			Name:       "rep_matrix",
			Signatures: withComplex("matrix rep_matrix(vector v, int n)", "matrix rep_matrix(row_vector v, int m)"),
			Doc:        "the matrix of n columns (m rows) equal to v",
			Section:    "Matrix Broadcast Functions",
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				size, n := in[0].Dims[0], IntArg(in[1])
				if err := CheckCount("rep_matrix", "size", n); err != nil {
					return nil, nil, err
				}
				if in[0].Rank.Row {
					return []int{n, size}, pick(size*n, 0, func(k int) int { return k / n }), nil
				}
				return []int{size, n}, pick(size*n, 0, func(k int) int { return k % size }), nil
			},
		},
	}
}

func appendRow(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
	r0, c0 := MatrixSize(in[0])
	r1, c1 := MatrixSize(in[1])
	if c0 != c1 {
		return nil, nil, SizeError("append_row", "the number of columns of x", c0, "that of y", c1)
	}
	rows := r0 + r1
	from := make([]catalogue.Ref, rows*c0)
	for k := range from {
		if i, j := k%rows, k/rows; i < r0 {
			from[k] = catalogue.Ref{Arg: 0, Elem: int32(i + j*r0)}
		} else {
			from[k] = catalogue.Ref{Arg: 1, Elem: int32(i - r0 + j*r1)}
		}
	}
	if isColumn(in[0]) && isColumn(in[1]) {
		return []int{rows}, from, nil
	}
	return []int{rows, c0}, from, nil
}

// isColumn reports whether t is a vector or a scalar.
func isColumn(t catalogue.Tensor) bool { return len(t.Dims) == 0 || len(t.Dims) == 1 && !t.Rank.Row }

// isRow reports whether t is a row vector or a scalar.
func isRow(t catalogue.Tensor) bool { return len(t.Dims) == 0 || len(t.Dims) == 1 && t.Rank.Row }

func appendCol(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
	r0, c0 := MatrixSize(in[0])
	r1, c1 := MatrixSize(in[1])
	if r0 != r1 {
		return nil, nil, SizeError("append_col", "the number of rows of x", r0, "that of y", r1)
	}
	from := append(inOrder(r0*c0, 0), inOrder(r1*c1, 1)...)
	if isRow(in[0]) && isRow(in[1]) {
		return []int{c0 + c1}, from, nil
	}
	return []int{r0, c0 + c1}, from, nil
}

func appendArray(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
	x, y := in[0].Dims, in[1].Dims
	rest := x[1:]
	if x[0] == 0 {
		rest = y[1:]
	} else if y[0] > 0 && !slices.Equal(x[1:], y[1:]) {
		return nil, nil, fmt.Errorf("append_array: the elements of x have sizes %v and those of y %v, but they must agree", x[1:], y[1:])
	}
	dims := append([]int{x[0] + y[0]}, rest...)
	return dims, append(inOrder(transform.SizeOf(x), 0), inOrder(transform.SizeOf(y), 1)...), nil
}

// repSizes reads the sizes after the first argument of a rep_ function.
func repSizes(fn string, in []catalogue.Tensor) ([]int, error) {
	var dims []int
	for _, a := range in[1:] {
		if err := CheckCount(fn, "size", IntArg(a)); err != nil {
			return nil, err
		}
		dims = append(dims, IntArg(a))
	}
	if err := checkNumbers(fn, append(slices.Clone(dims), transform.SizeOf(in[0].Dims)), mostLaidOut, laidOut); err != nil {
		return nil, err
	}
	return dims, nil
}

func repArray(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
	dims, err := repSizes("rep_array", in)
	if err != nil {
		return nil, nil, err
	}
	n := transform.SizeOf(in[0].Dims)
	from := pick(n*transform.SizeOf(dims), 0, func(k int) int { return k % n })
	return append(dims, in[0].Dims...), from, nil
}

// repeat makes a vector or matrix of equal elements.
func repeat(fn string) layoutFunc {
	return func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
		dims, err := repSizes(fn, in)
		if err != nil {
			return nil, nil, err
		}
		return dims, make([]catalogue.Ref, transform.SizeOf(dims)), nil
	}
}
