package mat

// This file has the matrix types: storage, and views of it.

import (
	"fmt"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/vec/dense"
)

// A Matrix is a *Dense, *SymDense, *TriDense or *VecDense, or the transpose of one.
type Matrix interface {
	Dims() (r, c int)
	At(i, j int) float64
	T() Matrix
	view() dense.Matrix
}

// transposed is the transpose of a matrix, which shares its numbers.
type transposed struct{ of Matrix }

// Dims returns the numbers of rows and columns.
func (t transposed) Dims() (r, c int) {
	c, r = t.of.Dims()
	return r, c
}

// At returns element (i, j).
func (t transposed) At(i, j int) float64 { return t.of.At(j, i) }

// T returns the matrix that t is the transpose of.
func (t transposed) T() Matrix { return t.of }

func (t transposed) view() dense.Matrix { return t.of.view().T() }

// size panics where a length is not the one wanted.
func size(have, want int) {
	if have != want {
		panic(fmt.Sprintf("mat: %d numbers where %d are needed", have, want))
	}
}

// reshape makes room for r rows and c columns if data is empty, and otherwise checks that they are so many.
func reshape(data *[]float64, rows, cols *int, r, c int) {
	if len(*data) == 0 {
		*data, *rows, *cols = make([]float64, r*c), r, c
	}
	size(*rows, r)
	size(*cols, c)
}

// A Dense is a matrix of r rows and c columns.
type Dense struct {
	rows, cols int
	data       []float64
}

// NewDense returns a matrix of r rows and c columns in data, row by row; nil stands for zeros.
func NewDense(r, c int, data []float64) *Dense {
	if data == nil {
		data = make([]float64, r*c)
	}
	size(len(data), r*c)
	return &Dense{r, c, data}
}

// DenseOf returns a copy of a matrix.
func DenseOf(a Matrix) *Dense {
	r, c := a.Dims()
	d := NewDense(r, c, nil)
	for i := range r {
		for j := range c {
			d.data[i*c+j] = a.At(i, j)
		}
	}
	return d
}

// Dims returns the numbers of rows and columns.
func (d *Dense) Dims() (r, c int) { return d.rows, d.cols }

// At returns element (i, j).
func (d *Dense) At(i, j int) float64 { return d.data[i*d.cols+j] }

// Set sets element (i, j).
func (d *Dense) Set(i, j int, v float64) { d.data[i*d.cols+j] = v }

// T returns the transpose, which shares d's numbers.
func (d *Dense) T() Matrix { return transposed{d} }

// RawRowView returns row i, which shares d's numbers.
func (d *Dense) RawRowView(i int) []float64 { return d.data[i*d.cols:][:d.cols:d.cols] }

// SetRow sets row i.
func (d *Dense) SetRow(i int, x []float64) {
	size(len(x), d.cols)
	copy(d.RawRowView(i), x)
}

// Col writes column j of d to dst, or to a new slice where that is nil, and returns it.
func (d *Dense) Col(dst []float64, j int) []float64 {
	if dst == nil {
		dst = make([]float64, d.rows)
	}
	size(len(dst), d.rows)
	for i := range dst {
		dst[i] = d.data[i*d.cols+j]
	}
	return dst
}

// SetCol sets column j.
func (d *Dense) SetCol(j int, x []float64) {
	size(len(x), d.rows)
	for i, v := range x {
		d.data[i*d.cols+j] = v
	}
}

// Copy copies the elements of a matrix of d's size.
func (d *Dense) Copy(a Matrix) {
	from := DenseOf(a)
	size(from.rows, d.rows)
	size(from.cols, d.cols)
	copy(d.data, from.data)
}

func (d *Dense) view() dense.Matrix {
	return dense.Matrix{X: d.data, Rows: d.rows, Cols: d.cols, Down: d.cols, Right: 1}
}

// A VecDense is a column.
type VecDense struct{ data []float64 }

// NewVecDense returns a column of n numbers in data; nil stands for zeros.
func NewVecDense(n int, data []float64) *VecDense {
	if data == nil {
		data = make([]float64, n)
	}
	size(len(data), n)
	return &VecDense{data}
}

// Dims returns the length, and 1.
func (v *VecDense) Dims() (r, c int) { return len(v.data), 1 }

// At returns element i; j is 0.
func (v *VecDense) At(i, _ int) float64 { return v.data[i] }

// AtVec returns element i.
func (v *VecDense) AtVec(i int) float64 { return v.data[i] }

// SetVec sets element i.
func (v *VecDense) SetVec(i int, x float64) { v.data[i] = x }

// Len returns the length.
func (v *VecDense) Len() int { return len(v.data) }

// Raw returns the elements themselves.
func (v *VecDense) Raw() []float64 { return v.data }

// Zero sets all elements to 0.
func (v *VecDense) Zero() { clear(v.data) }

// T returns the row, which shares v's numbers.
func (v *VecDense) T() Matrix { return transposed{v} }

func (v *VecDense) view() dense.Matrix { return dense.Of(len(v.data), 1, v.data) }

// A SymDense is a symmetric matrix. Both triangles are kept.
type SymDense struct {
	n    int
	data []float64
}

// NewSymDense returns a symmetric matrix of n rows in data, of which the upper triangle counts and the
// lower is overwritten; nil stands for zeros.
func NewSymDense(n int, data []float64) *SymDense {
	if data == nil {
		data = make([]float64, n*n)
	}
	size(len(data), n*n)
	for i := range n {
		for j := range i {
			data[i*n+j] = data[j*n+i]
		}
	}
	return &SymDense{n, data}
}

// Dims returns the number of rows, twice.
func (s *SymDense) Dims() (r, c int) { return s.n, s.n }

// SymmetricDim returns the number of rows.
func (s *SymDense) SymmetricDim() int { return s.n }

// At returns element (i, j).
func (s *SymDense) At(i, j int) float64 { return s.data[i*s.n+j] }

// SetSym sets elements (i, j) and (j, i).
func (s *SymDense) SetSym(i, j int, v float64) { s.data[i*s.n+j], s.data[j*s.n+i] = v, v }

// Zero sets all elements to 0.
func (s *SymDense) Zero() { clear(s.data) }

// T returns s.
func (s *SymDense) T() Matrix { return s }

func (s *SymDense) view() dense.Matrix { return dense.Of(s.n, s.n, s.data) }

// A TriDense is a triangular matrix, with zeros in the other triangle.
type TriDense struct {
	n    int
	data []float64
}

// NewTriDense returns a triangular matrix of n rows of zeros.
func NewTriDense(n int) *TriDense { return &TriDense{n, make([]float64, n*n)} }

// Dims returns the number of rows, twice.
func (t *TriDense) Dims() (r, c int) { return t.n, t.n }

// At returns element (i, j).
func (t *TriDense) At(i, j int) float64 { return t.data[i*t.n+j] }

// SetTri sets element (i, j), of the triangle that is not zeros.
func (t *TriDense) SetTri(i, j int, v float64) { t.data[i*t.n+j] = v }

// Raw returns the elements themselves, row by row.
func (t *TriDense) Raw() []float64 { return t.data }

// T returns the transpose, which shares t's numbers.
func (t *TriDense) T() Matrix { return transposed{t} }

// InverseUpper sets t to the inverse of an upper triangular matrix, whose diagonal has no zeros.
func (t *TriDense) InverseUpper(u *TriDense) {
	*t = TriDense{u.n, slices.Clone(u.data)}
	dense.InvertLower(dense.Of(t.n, t.n, t.data)) // U row by row is the lower triangular U' column by column
}

func (t *TriDense) view() dense.Matrix {
	return dense.Matrix{X: t.data, Rows: t.n, Cols: t.n, Down: t.n, Right: 1}
}
