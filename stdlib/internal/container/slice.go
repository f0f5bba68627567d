// Rows that cut a part from a container: head, tail, segment, block, row, col, ...

package container

import (
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

const sliceSection = "Slicing and Blocking Functions"

func sliceFunctions() []*catalogue.Function {
	return []*catalogue.Function{
		{
			Name:       "head",
			Signatures: sequenceSignatures("head", ", int n"),
			Doc:        "the first n elements",
			Section:    sliceSection,
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				n := IntArg(in[1])
				return stretch("head", "n", in[0], 0, n, n)
			},
		},
		{
			Name:       "tail",
			Signatures: sequenceSignatures("tail", ", int n"),
			Doc:        "the last n elements",
			Section:    sliceSection,
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				n := IntArg(in[1])
				return stretch("tail", "n", in[0], in[0].Dims[0]-n, n, n)
			},
		},
		{
			Name:       "segment",
			Signatures: sequenceSignatures("segment", ", int i, int n"),
			Doc:        "the n elements from the i-th on",
			Section:    sliceSection,
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				i, n := IntArg(in[1]), IntArg(in[2])
				if n == 0 {
					i = 1
				} else if err := CheckRange("segment", "i", i, 1, in[0].Dims[0]); err != nil {
					return nil, nil, err
				}
				return stretch("segment", "i + n - 1", in[0], i-1, n, i+n-1)
			},
		},
		{
			Name:       "reverse",
			Signatures: sequenceSignatures("reverse", ""),
			Doc:        "the elements in reverse order",
			Section:    "Array Operations",
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				n := in[0].Dims[0]
				step := stepOf(in[0])
				return in[0].Dims, pick(n*step, 0, func(k int) int { return (n-1-k/step)*step + k%step }), nil
			},
		},
		{
			Name:       "block",
			Signatures: withComplex("matrix block(matrix x, int i, int j, int n_rows, int n_cols)"),
			Doc:        "the part of a matrix that begins at row i and column j",
			Section:    sliceSection,
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				rows, cols := IntArg(in[3]), IntArg(in[4])
				from, err := matrixPart("block", in[0], IntArg(in[1]), IntArg(in[2]), rows, cols)
				return []int{rows, cols}, from, err
			},
		},
		{
			Name:       "sub_row",
			Signatures: withComplex("row_vector sub_row(matrix x, int i, int j, int n_cols)"),
			Doc:        "the part of row i that begins at column j",
			Section:    sliceSection,
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				n := IntArg(in[3])
				from, err := matrixPart("sub_row", in[0], IntArg(in[1]), IntArg(in[2]), 1, n)
				return []int{n}, from, err
			},
		},
		{
			Name:       "sub_col",
			Signatures: withComplex("vector sub_col(matrix x, int i, int j, int n_rows)"),
			Doc:        "the part of column j that begins at row i",
			Section:    sliceSection,
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				n := IntArg(in[3])
				from, err := matrixPart("sub_col", in[0], IntArg(in[1]), IntArg(in[2]), n, 1)
				return []int{n}, from, err
			},
		},
		{
			Name:       "row",
			Signatures: withComplex("row_vector row(matrix x, int m)"),
			Doc:        "row m of a matrix",
			Section:    sliceSection,
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				rows, cols := MatrixSize(in[0])
				m := IntArg(in[1])
				if err := CheckRange("row", "m", m, 1, rows); err != nil {
					return nil, nil, err
				}
				return []int{cols}, pick(cols, 0, func(k int) int { return m - 1 + k*rows }), nil
			},
		},
		{
			Name:       "col",
			Signatures: withComplex("vector col(matrix x, int n)"),
			Doc:        "column n of a matrix",
			Section:    sliceSection,
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				rows, cols := MatrixSize(in[0])
				n := IntArg(in[1])
				if err := CheckRange("col", "n", n, 1, cols); err != nil {
					return nil, nil, err
				}
				return []int{rows}, pick(rows, 0, func(k int) int { return k + (n-1)*rows }), nil
			},
		},
		{
			Name:       "diagonal",
			Signatures: withComplex("vector diagonal(matrix x)"),
			Doc:        "the diagonal of a matrix",
			Section:    "Diagonal Matrix Functions",
			Layout: func(in []catalogue.Tensor) ([]int, []catalogue.Ref, error) {
				rows, cols := MatrixSize(in[0])
				n := min(rows, cols)
				return []int{n}, pick(n, 0, func(k int) int { return k * (rows + 1) }), nil
			},
		},
	}
}

// sequenceSignatures are the forms on vectors and on arrays of anything.
func sequenceSignatures(name, more string) []string {
	s := withComplex(
		"vector "+name+"(vector v"+more+")",
		"row_vector "+name+"(row_vector v"+more+")",
	)
	return append(s, "array[] any "+name+"(array[] any v"+more+")")
}

// stepOf is how many numbers one element along the first dimension has.
func stepOf(t catalogue.Tensor) int { return transform.SizeOf(t.Dims[1:]) }

// stretch cuts n elements (along the first dimension) from the one with index begin, from
// 0, on. shown is what the message of an error names what.
func stretch(fn, what string, t catalogue.Tensor, begin, n, shown int) ([]int, []catalogue.Ref, error) {
	if err := CheckCount(fn, "n", n); err != nil {
		return nil, nil, err
	}
	if begin < 0 || begin+n > t.Dims[0] {
		return nil, nil, RangeError(fn, what, shown, 0, t.Dims[0])
	}
	step := stepOf(t)
	dims := append([]int{n}, t.Dims[1:]...)
	return dims, pick(n*step, 0, func(k int) int { return begin*step + k }), nil
}

// matrixPart cuts a block from a matrix; i and j count from 1.
func matrixPart(fn string, t catalogue.Tensor, i, j, rows, cols int) ([]catalogue.Ref, error) {
	m, n := MatrixSize(t)
	if err := CheckCount(fn, "number of rows", rows); err != nil {
		return nil, err
	}
	if err := CheckCount(fn, "number of columns", cols); err != nil {
		return nil, err
	}
	if rows*cols == 0 {
		return nil, nil
	}
	if err := CheckRange(fn, "row index", i, 1, m); err != nil {
		return nil, err
	}
	if err := CheckRange(fn, "column index", j, 1, n); err != nil {
		return nil, err
	}
	if err := CheckRange(fn, "last row", i+rows-1, 1, m); err != nil {
		return nil, err
	}
	if err := CheckRange(fn, "last column", j+cols-1, 1, n); err != nil {
		return nil, err
	}
	begin := i - 1 + (j-1)*m
	return pick(rows*cols, 0, func(k int) int { return begin + k%rows + k/rows*m }), nil
}
