package mat

// This file has sums and products.

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/autodiff/vec/dense"
)

// Norm2 returns the Euclidean length of x, without overflow or underflow of squares.
func Norm2(x []float64) float64 {
	if s := vec.Dot(x, x); s > 1e-280 && s < 1e280 {
		return math.Sqrt(s)
	}
	most := 0.0
	for _, v := range x {
		if math.IsNaN(v) {
			return v
		}
		most = max(most, math.Abs(v))
	}
	if most == 0 || math.IsInf(most, 1) {
		return most
	}
	var sum float64
	for _, v := range x {
		u := v / most
		sum += float64(u * u)
	}
	return most * math.Sqrt(sum)
}

// Distance returns the Euclidean distance of x and y, which have one length.
func Distance(x, y []float64) float64 {
	size(len(y), len(x))
	most := 0.0
	for i, v := range x {
		d := math.Abs(v - y[i])
		if math.IsNaN(d) {
			return d
		}
		most = max(most, d)
	}
	if most == 0 || math.IsInf(most, 1) {
		return most
	}
	var sum float64
	for i, v := range x {
		u := (v - y[i]) / most
		sum += float64(u * u)
	}
	return most * math.Sqrt(sum)
}

// LogSumExp returns log(sum(exp(x))), and -Inf of no numbers.
func LogSumExp(x []float64) float64 {
	most := math.Inf(-1)
	for _, v := range x {
		most = math.Max(most, v)
	}
	if math.IsInf(most, 0) || math.IsNaN(most) {
		return most
	}
	var sum float64
	for _, v := range x {
		sum += libm.Exp(v - most)
	}
	return most + libm.Log(sum)
}

// AddScaledTo sets dst to y + a x, and returns it. All have one length; dst may be y.
func AddScaledTo(dst, y []float64, a float64, x []float64) []float64 {
	size(len(y), len(dst))
	copy(dst, y)
	vec.AddScaled(dst, a, x)
	return dst
}

// multiply writes A B, row by row, to a new slice.
func multiply(a, b Matrix) []float64 {
	av, bv := a.view(), b.view()
	size(bv.Rows, av.Cols)
	out := make([]float64, av.Rows*bv.Cols)
	dense.AddMul(dense.Matrix{X: out, Rows: av.Rows, Cols: bv.Cols, Down: bv.Cols, Right: 1}, av, bv)
	return out
}

// Mul sets d to the product A B.
func (d *Dense) Mul(a, b Matrix) {
	r, _ := a.Dims()
	_, c := b.Dims()
	product := multiply(a, b)
	reshape(&d.data, &d.rows, &d.cols, r, c)
	copy(d.data, product)
}

// Product sets d to the product A B C, from the left.
func (d *Dense) Product(a, b, c Matrix) {
	var ab Dense
	ab.Mul(a, b)
	d.Mul(&ab, c)
}

// MulVec sets v to the product A x.
func (v *VecDense) MulVec(a Matrix, x *VecDense) {
	product := multiply(a, x)
	if len(v.data) == 0 {
		v.data = product
		return
	}
	size(len(v.data), len(product))
	copy(v.data, product)
}

// SubVec sets v to x - y.
func (v *VecDense) SubVec(x, y *VecDense) {
	for i := range v.data {
		v.data[i] = x.data[i] - y.data[i]
	}
}

// ScaleVec sets v to a x.
func (v *VecDense) ScaleVec(a float64, x *VecDense) {
	for i := range v.data {
		v.data[i] = a * x.data[i]
	}
}

// AddScaledVec sets v to x + a y.
func (v *VecDense) AddScaledVec(x *VecDense, a float64, y *VecDense) {
	AddScaledTo(v.data, x.data, a, y.data)
}

// Inner returns x'A y.
func Inner(x *VecDense, a Matrix, y *VecDense) float64 { return vec.Dot(x.data, multiply(a, y)) }

// SymRankOne sets s to A + c x x'.
func (s *SymDense) SymRankOne(a *SymDense, c float64, x *VecDense) {
	reshape(&s.data, &s.n, &s.n, a.n, a.n)
	for i, u := range x.data {
		u *= c
		for j, v := range x.data[:i+1] {
			s.SetSym(i, j, a.At(i, j)+float64(u*v))
		}
	}
}

// SymOuterK sets s to c A A'.
func (s *SymDense) SymOuterK(c float64, a Matrix) {
	n, _ := a.Dims()
	reshape(&s.data, &s.n, &s.n, n, n)
	v := a.view()
	clear(s.data)
	dense.AddMulLower(s.view(), v, v.T())
	dense.MirrorLower(s.view())
	for i := range s.data {
		s.data[i] *= c
	}
}

// Covariance sets s to the covariance matrix of the columns of x, with divisor one less than its rows.
func (s *SymDense) Covariance(x *Dense) {
	centred := DenseOf(x)
	for j := range x.cols {
		mean := vec.Sum(x.Col(nil, j)) / float64(x.rows)
		for i := range x.rows {
			centred.data[i*x.cols+j] -= mean
		}
	}
	s.SymOuterK(1/float64(x.rows-1), centred.T())
}

// Trace returns the sum of the diagonal of a square matrix.
func Trace(a Matrix) float64 {
	n, _ := a.Dims()
	var sum float64
	for i := range n {
		sum += a.At(i, i)
	}
	return sum
}

// Frobenius returns the root of the sum of squared elements.
func (s *SymDense) Frobenius() float64 { return Norm2(s.data) }

// Finite reports whether no element is infinite or NaN.
func (s *SymDense) Finite() bool {
	for _, v := range s.data {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
