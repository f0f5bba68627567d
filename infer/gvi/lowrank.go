// This file has the family of normals with a covariance that is diagonal plus a matrix
// of low rank.

package gvi

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// lowRank has x_i = at_i + unit_i*y_i, y = mu + D e1 + F e2 with D diagonal and F
// of a few columns; p is mu, the logs of D, and F row by row.
type lowRank struct {
	d, k     int
	at, unit []float64
	unitLog  float64
	start    []float64 // parameters of the start
	mu, diag []float64
	f        []float64
	chol     mat.Cholesky // of M = I + F'D^-2 F
	solved   *mat.Dense   // C^-1 F, with C = D^2 + F F'
	inverse  []float64    // diagonal of C^-1
	half     float64      // half the log determinant of C
	y, u, fu []float64
}

func (f *lowRank) narrow(p []float64) {
	for i := range f.d {
		p[f.d+i] -= math.Ln2
	}
	for i := 2 * f.d; i < len(p); i++ {
		p[i] /= 2
	}
}

// newLowRank starts with the conditional scales on the diagonal and, in F, a few
// draws from the starting approximation.
func newLowRank(start *normal.Normal, rank int) *lowRank {
	d := start.Dim()
	k := min(rank, d)
	f := &lowRank{
		d: d, k: k, at: append([]float64{}, start.Mean()...), unit: start.ConditionalSD(), start: make([]float64, 2*d+d*k),
		diag: make([]float64, d), inverse: make([]float64, d), y: make([]float64, d), u: make([]float64, d), fu: make([]float64, k),
		solved: mat.NewDense(d, k, nil),
	}
	r := rng.New(1, "gvi/lowrank", 0, 0) // only breaks a symmetry
	for j := range k {
		start.Draw(r, f.y)
		for i, x := range f.y {
			f.start[2*d+i*k+j] = (x - f.at[i]) / f.unit[i] / 2 / math.Sqrt(float64(k))
		}
	}
	for _, u := range f.unit {
		f.unitLog += libm.Log(u)
	}
	return f
}

func (f *lowRank) params() int        { return len(f.start) }
func (f *lowRank) noise() int         { return f.d + f.k }
func (f *lowRank) simple() bool       { return false }
func (f *lowRank) origin(p []float64) { copy(p, f.start) }

func (f *lowRank) set(p []float64) {
	d, k := f.d, f.k
	f.mu, f.f = p[:d], p[2*d:]
	f.half = 0
	w := mat.NewDense(d, k, nil) // D^-2 F
	for i := range d {
		f.diag[i] = libm.Exp(p[d+i])
		f.half += p[d+i]
		for j := range k {
			w.Set(i, j, f.f[i*k+j]/(f.diag[i]*f.diag[i]))
		}
	}
	var inner mat.Dense
	inner.Mul(mat.NewDense(d, k, f.f).T(), w)
	m := mat.NewSymDense(k, nil)
	for i := range k {
		for j := i; j < k; j++ {
			m.SetSym(i, j, (inner.At(i, j)+inner.At(j, i))/2)
		}
		m.SetSym(i, i, m.At(i, i)+1)
	}
	if !f.chol.Factorize(m) {
		f.half = math.NaN()
		return
	}
	f.half += f.chol.LogDet() / 2
	var back mat.Dense
	if f.chol.SolveTo(&back, w.T()) != nil {
		f.half = math.NaN()
		return
	}
	f.solved.Copy(back.T()) // W M^-1 = C^-1 F
	for i := range d {
		f.inverse[i] = 1 / (f.diag[i] * f.diag[i])
		for j := range k {
			f.inverse[i] -= float64(f.solved.At(i, j) * w.At(i, j))
		}
	}
}

func (f *lowRank) row(i int) []float64 { return f.f[i*f.k : (i+1)*f.k] }

// offset writes y - mu.
func (f *lowRank) offset(e []float64) {
	for i, s := range f.diag {
		f.y[i] = s * e[i]
		for j, v := range f.row(i) {
			f.y[i] += float64(v * e[f.d+j])
		}
	}
}

func (f *lowRank) place(e, x []float64) {
	f.offset(e)
	for i, y := range f.y {
		x[i] = f.at[i] + float64(f.unit[i]*(f.mu[i]+y))
	}
}

// score writes u = C^-1 (y - mu) and returns its product with y - mu.
func (f *lowRank) score(e []float64) (square float64) {
	f.offset(e)
	clear(f.fu)
	for i, y := range f.y {
		for j, v := range f.row(i) {
			f.fu[j] += v * y / (f.diag[i] * f.diag[i])
		}
	}
	for i, y := range f.y { // C^-1 y = D^-2 y - C^-1 F F'D^-2 y
		f.u[i] = y / (f.diag[i] * f.diag[i])
		for j, v := range f.fu {
			f.u[i] -= float64(f.solved.At(i, j) * v)
		}
		square += float64(f.u[i] * y)
	}
	return square
}

func (f *lowRank) logDensity(e []float64) float64 {
	return float64(-f.score(e)/2) - f.half - f.unitLog - float64(float64(f.d)*normal.LogRoot2Pi)
}

func (f *lowRank) pull(e, gx []float64, gl float64, grad []float64) {
	d, k := f.d, f.k
	if gl != 0 {
		f.score(e)
		clear(f.fu)
		for i, u := range f.u {
			for j, v := range f.row(i) {
				f.fu[j] += float64(v * u)
			}
		}
	}
	for i, s := range f.diag {
		g := float64(f.unit[i] * gx[i])
		grad[i] += g
		if gl != 0 {
			g -= float64(gl * f.u[i])
			grad[d+i] += float64(gl * s * s * (float64(f.u[i]*f.u[i]) - f.inverse[i]))
		}
		grad[d+i] += float64(g * s * e[i])
		row := grad[2*d+i*k : 2*d+(i+1)*k]
		for j := range row {
			row[j] += float64(g * e[d+j])
			if gl != 0 {
				row[j] += float64(gl * (float64(f.u[i]*f.fu[j]) - f.solved.At(i, j)))
			}
		}
	}
}

func (f *lowRank) moments(m, v []float64) {
	for i := range f.d {
		m[i] = f.at[i] + float64(f.unit[i]*f.mu[i])
		for j := range f.d {
			var s float64
			for h, x := range f.row(i) {
				s += float64(x * f.row(j)[h])
			}
			if i == j {
				s += float64(f.diag[i] * f.diag[i])
			}
			v[i*f.d+j] = f.unit[i] * f.unit[j] * s
		}
	}
}

func (f *lowRank) pullMoments(gm, gv, grad []float64) {
	d, k := f.d, f.k
	for i := range d {
		grad[i] += float64(f.unit[i] * gm[i])
		grad[d+i] += float64(2 * gv[i*d+i] * f.unit[i] * f.unit[i] * f.diag[i] * f.diag[i])
		for j := range k {
			var s float64
			for h := range d {
				s += float64(gv[i*d+h] * f.unit[h] * f.f[h*k+j])
			}
			grad[2*d+i*k+j] += float64(2 * f.unit[i] * s)
		}
	}
}

func (f *lowRank) normal() *normal.Normal {
	d, k := f.d, f.k
	mean, variance := make([]float64, d), make([]float64, d)
	scaled, eye := mat.NewDense(d, k, nil), mat.NewSymDense(k, nil)
	for i, u := range f.unit {
		mean[i] = f.at[i] + float64(u*f.mu[i])
		variance[i] = u * u * f.diag[i] * f.diag[i]
		for j, v := range f.row(i) {
			scaled.Set(i, j, u*v)
		}
	}
	for j := range k {
		eye.SetSym(j, j, 1)
	}
	n, err := normal.NewSpiked(mean, variance, scaled, eye)
	if err != nil { // the parameters have overflowed
		for i, v := range variance {
			variance[i] = math.Sqrt(v)
		}
		return normal.NewDiagonal(mean, variance)
	}
	return n
}
