// This file has the roots of covariance matrices that need no pivoting:
// diagonal, lower triangular, and inverse of lower triangular.

package normal

import "github.com/seed-12b88e03/ppl/autodiff/libm"

type diagonal []float64

func (d diagonal) mul(z, out []float64) {
	for i, s := range d {
		out[i] = s * z[i]
	}
}

func (d diagonal) mulT(x, out []float64) { d.mul(x, out) }

func (d diagonal) solve(x, out []float64) {
	for i, s := range d {
		out[i] = x[i] / s
	}
}

func (d diagonal) solveT(z, out []float64) { d.solve(z, out) }

func (d diagonal) logDet() float64 {
	var s float64
	for _, v := range d {
		s += libm.Log(v)
	}
	return s
}

// lower is a lower triangular matrix; what stands above its diagonal is not
// looked at.
type lower struct {
	n int
	l []float64
}

func (t lower) row(i int) []float64 { return t.l[i*t.n : i*t.n+i+1] }

func (t lower) mul(z, out []float64) {
	for i := range t.n {
		var s float64
		for j, v := range t.row(i) {
			s += float64(v * z[j])
		}
		out[i] = s
	}
}

func (t lower) solve(x, out []float64) {
	for i := range t.n {
		row := t.row(i)
		s := x[i]
		for j, v := range row[:i] {
			s -= float64(v * out[j])
		}
		out[i] = s / row[i]
	}
}

func (t lower) mulT(z, out []float64) {
	clear(out)
	for i := range t.n {
		zi := z[i]
		for j, v := range t.row(i) {
			out[j] += float64(v * zi)
		}
	}
}

func (t lower) solveT(z, out []float64) {
	copy(out, z)
	for i := t.n - 1; i >= 0; i-- {
		row := t.row(i)
		out[i] /= row[i]
		for j, v := range row[:i] {
			out[j] -= float64(v * out[i])
		}
	}
}

func (t lower) logDet() float64 {
	var s float64
	for i := range t.n {
		s += libm.Log(t.l[i*t.n+i])
	}
	return s
}

// precision is (L')^-1.
type precision struct{ lower }

func (p precision) mul(z, out []float64)    { p.lower.solveT(z, out) }
func (p precision) mulT(x, out []float64)   { p.lower.solve(x, out) }
func (p precision) solve(x, out []float64)  { p.lower.mulT(x, out) }
func (p precision) solveT(z, out []float64) { p.lower.mul(z, out) }
func (p precision) logDet() float64         { return -p.lower.logDet() }
