// Rows that cut a part from a container: head, tail, segment, block, row, col, ...

package stdlib

const sliceSection = "Slicing and Blocking Functions"

func sliceFunctions() []*Function {
	return []*Function{
		{
			Name:       "head",
			Signatures: sequenceSignatures("head", ", int n"),
			Doc:        "the first n elements",
			Section:    sliceSection,
			Layout: func(in []Tensor) ([]int, []Ref, error) {
				n := intArg(in[1])
				return stretch("head", "n", in[0], 0, n, n)
			},
		},
		{
			Name:       "tail",
			Signatures: sequenceSignatures("tail", ", int n"),
			Doc:        "the last n elements",
			Section:    sliceSection,
			Layout: func(in []Tensor) ([]int, []Ref, error) {
				n := intArg(in[1])
				return stretch("tail", "n", in[0], in[0].Dims[0]-n, n, n)
			},
		},
		{
			Name:       "segment",
			Signatures: sequenceSignatures("segment", ", int i, int n"),
			Doc:        "the n elements from the i-th on",
			Section:    sliceSection,
			Layout: func(in []Tensor) ([]int, []Ref, error) {
				i, n := intArg(in[1]), intArg(in[2])
				if n == 0 {
					i = 1
				} else if err := checkRange("segment", "i", i, 1, in[0].Dims[0]); err != nil {
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
			Layout: func(in []Tensor) ([]int, []Ref, error) {
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
			Layout: func(in []Tensor) ([]int, []Ref, error) {
				rows, cols := intArg(in[3]), intArg(in[4])
				from, err := matrixPart("block", in[0], intArg(in[1]), intArg(in[2]), rows, cols)
				return []int{rows, cols}, from, err
			},
		},
		{
			Name:       "sub_row",
			Signatures: withComplex("row_vector sub_row(matrix x, int i, int j, int n_cols)"),
			Doc:        "the part of row i that begins at column j",
			Section:    sliceSection,
			Layout: func(in []Tensor) ([]int, []Ref, error) {
				n := intArg(in[3])
				from, err := matrixPart("sub_row", in[0], intArg(in[1]), intArg(in[2]), 1, n)
				return []int{n}, from, err
			},
		},
		{
			Name:       "sub_col",
			Signatures: withComplex("vector sub_col(matrix x, int i, int j, int n_rows)"),
			Doc:        "the part of column j that begins at row i",
			Section:    sliceSection,
			Layout: func(in []Tensor) ([]int, []Ref, error) {
				n := intArg(in[3])
				from, err := matrixPart("sub_col", in[0], intArg(in[1]), intArg(in[2]), n, 1)
				return []int{n}, from, err
			},
		},
		{
			Name:       "row",
			Signatures: withComplex("row_vector row(matrix x, int m)"),
			Doc:        "row m of a matrix",
			Section:    sliceSection,
			Layout: func(in []Tensor) ([]int, []Ref, error) {
				rows, cols := matrixSize(in[0])
				m := intArg(in[1])
				if err := checkRange("row", "m", m, 1, rows); err != nil {
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
			Layout: func(in []Tensor) ([]int, []Ref, error) {
				rows, cols := matrixSize(in[0])
				n := intArg(in[1])
				if err := checkRange("col", "n", n, 1, cols); err != nil {
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
			Layout: func(in []Tensor) ([]int, []Ref, error) {
				rows, cols := matrixSize(in[0])
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
func stepOf(t Tensor) int { return sizeOf(t.Dims[1:]) }

// stretch cuts n elements (along the first dimension) from the one with index begin, from
// 0, on. shown is what the message of an error names what.
func stretch(fn, what string, t Tensor, begin, n, shown int) ([]int, []Ref, error) {
	if err := checkCount(fn, "n", n); err != nil {
		return nil, nil, err
	}
	if begin < 0 || begin+n > t.Dims[0] {
		return nil, nil, rangeError(fn, what, shown, 0, t.Dims[0])
	}
	step := stepOf(t)
	dims := append([]int{n}, t.Dims[1:]...)
	return dims, pick(n*step, 0, func(k int) int { return begin*step + k }), nil
}

// matrixPart cuts a block from a matrix; i and j count from 1.
func matrixPart(fn string, t Tensor, i, j, rows, cols int) ([]Ref, error) {
	m, n := matrixSize(t)
	if err := checkCount(fn, "number of rows", rows); err != nil {
		return nil, err
	}
	if err := checkCount(fn, "number of columns", cols); err != nil {
		return nil, err
	}
	if rows*cols == 0 {
		return nil, nil
	}
	if err := checkRange(fn, "row index", i, 1, m); err != nil {
		return nil, err
	}
	if err := checkRange(fn, "column index", j, 1, n); err != nil {
		return nil, err
	}
	if err := checkRange(fn, "last row", i+rows-1, 1, m); err != nil {
		return nil, err
	}
	if err := checkRange(fn, "last column", j+cols-1, 1, n); err != nil {
		return nil, err
	}
	begin := i - 1 + (j-1)*m
	return pick(rows*cols, 0, func(k int) int { return begin + k%rows + k/rows*m }), nil
}
