// This file has the families of normals, as functions of parameters that an
// optimiser moves. They are taken about the approximation that a fit starts
// from, so that all parameters are of size one.

package gvi

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/normal"
)

// The names of the families.
const (
	MeanField = "meanfield"
	FullRank  = "fullrank"
	LowRank   = "lowrank"
	Conjugate = "conjugate"
	Mixture   = "mixture"
)

// family is a density of points x(e), e standard normal noise, with parameters p.
type family interface {
	// params and noise are the lengths of p and e.
	params() int
	noise() int
	// origin writes the parameters of the approximation it was made from.
	origin(p []float64)
	// set takes parameters, which all methods below refer to.
	set(p []float64)
	// place writes the point of e into x.
	place(e, x []float64)
	// logDensity is log q at the point of e.
	logDensity(e []float64) float64
	// pull adds the gradient of gx'x(e) + gl*log q(x(e)) by the parameters.
	pull(e, gx []float64, gl float64, grad []float64)
	// simple reports that log q(x(e)) is log phi(e) and a term free of e.
	simple() bool
	// narrow halves all scales in p.
	narrow(p []float64)
	// approximation is the present density, as a copy.
	approximation() infer.Approximation
}

// gaussian is a family of normals.
type gaussian interface {
	family
	// moments writes mean and covariance; pullMoments adds the gradient of
	// gm'mean + tr(gv' covariance).
	moments(m, v []float64)
	pullMoments(gm, gv, grad []float64)
	// normal is the present approximation, as a copy.
	normal() *normal.Normal
}

func newFamily(name string, start *normal.Normal, rank int) gaussian {
	switch name {
	case FullRank:
		return newFullRank(start)
	case LowRank:
		return newLowRank(start, rank)
	}
	return newMeanField(start)
}

func (f *meanField) approximation() infer.Approximation { return f.normal() }
func (f *fullRank) approximation() infer.Approximation  { return f.normal() }
func (f *lowRank) approximation() infer.Approximation   { return f.normal() }

// meanField has x_i = at_i + unit_i*(p_i + exp(p_{d+i})*e_i).
type meanField struct {
	d        int
	at, unit []float64
	m, s     []float64 // mean and sd now
	sumLog   float64
}

func newMeanField(start *normal.Normal) *meanField {
	d := start.Dim()
	return &meanField{d: d, at: append([]float64{}, start.Mean()...), unit: start.ConditionalSD(), m: make([]float64, d), s: make([]float64, d)}
}

func (f *meanField) params() int        { return 2 * f.d }
func (f *meanField) noise() int         { return f.d }
func (f *meanField) simple() bool       { return true }
func (f *meanField) origin(p []float64) { clear(p) }

func (f *meanField) narrow(p []float64) {
	for i := range f.d {
		p[f.d+i] -= math.Ln2
	}
}

func (f *meanField) set(p []float64) {
	f.sumLog = 0
	for i, u := range f.unit {
		f.m[i] = f.at[i] + float64(u*p[i])
		f.s[i] = u * libm.Exp(p[f.d+i])
		f.sumLog += libm.Log(u) + p[f.d+i]
	}
}

func (f *meanField) place(e, x []float64) {
	for i, s := range f.s {
		x[i] = f.m[i] + float64(s*e[i])
	}
}

func (f *meanField) logDensity(e []float64) float64 { return normal.StandardLog(e) - f.sumLog }

func (f *meanField) pull(e, gx []float64, gl float64, grad []float64) {
	for i, s := range f.s {
		grad[i] += float64(f.unit[i] * gx[i])
		grad[f.d+i] += float64(gx[i]*s*e[i]) - gl
	}
}

func (f *meanField) moments(m, v []float64) {
	copy(m, f.m)
	clear(v)
	for i, s := range f.s {
		v[i*f.d+i] = s * s
	}
}

func (f *meanField) pullMoments(gm, gv, grad []float64) {
	for i, s := range f.s {
		grad[i] += float64(f.unit[i] * gm[i])
		grad[f.d+i] += float64(2 * s * s * gv[i*f.d+i])
	}
}

func (f *meanField) normal() *normal.Normal {
	return normal.NewDiagonal(append([]float64{}, f.m...), append([]float64{}, f.s...))
}

// fullRank has x = at + R(mu + L e), R and L lower triangular; p is mu and then
// L row by row with the logs of its diagonal.
type fullRank struct {
	d      int
	at     []float64
	r      []float64 // R, a square
	l, t   []float64 // L and RL, squares
	m      []float64
	sumLog float64
	rLog   float64
	v      []float64
	square []float64
}

func newFullRank(start *normal.Normal) *fullRank {
	d := start.Dim()
	square := func() []float64 { return make([]float64, d*d) }
	f := &fullRank{
		d: d, at: append([]float64{}, start.Mean()...), r: square(), l: square(), t: square(), square: square(),
		m: make([]float64, d), v: make([]float64, d),
	}
	cov := square()
	start.Covariance(cov)
	var chol mat.Cholesky
	var l mat.TriDense
	correlated := chol.Factorize(mat.NewSymDense(d, cov))
	if correlated {
		chol.LTo(&l)
	}
	for i, s := range start.ConditionalSD() {
		f.r[i*d+i] = s
		if correlated {
			for j := range i + 1 {
				f.r[i*d+j] = l.At(i, j)
			}
		}
		f.rLog += libm.Log(f.r[i*d+i])
	}
	return f
}

func (f *fullRank) params() int        { return f.d + f.d*(f.d+1)/2 }
func (f *fullRank) noise() int         { return f.d }
func (f *fullRank) simple() bool       { return true }
func (f *fullRank) origin(p []float64) { clear(p) }

func (f *fullRank) narrow(p []float64) {
	k := f.d
	for i := range f.d {
		for range i {
			p[k] /= 2
			k++
		}
		p[k] -= math.Ln2
		k++
	}
}

func (f *fullRank) set(p []float64) {
	d := f.d
	f.sumLog = f.rLog
	k := d
	for i := range d {
		for j := range i + 1 {
			f.l[i*d+j] = p[k]
			if i == j {
				f.l[i*d+j] = libm.Exp(p[k])
				f.sumLog += p[k]
			}
			k++
		}
	}
	for i := range d {
		f.m[i] = f.at[i]
		row := f.r[i*d : i*d+i+1]
		for j, v := range row {
			f.m[i] += float64(v * p[j])
		}
		for j := range i + 1 {
			var s float64
			for h := j; h <= i; h++ {
				s += float64(row[h] * f.l[h*d+j])
			}
			f.t[i*d+j] = s
		}
	}
}

func (f *fullRank) place(e, x []float64) {
	for i := range f.d {
		s := f.m[i]
		for j, v := range f.t[i*f.d : i*f.d+i+1] {
			s += float64(v * e[j])
		}
		x[i] = s
	}
}

func (f *fullRank) logDensity(e []float64) float64 { return normal.StandardLog(e) - f.sumLog }

// turned writes R'g into v.
func (f *fullRank) turned(g []float64) []float64 {
	clear(f.v)
	for i, x := range g {
		for j, v := range f.r[i*f.d : i*f.d+i+1] {
			f.v[j] += float64(v * x)
		}
	}
	return f.v
}

func (f *fullRank) pull(e, gx []float64, gl float64, grad []float64) {
	g := f.turned(gx)
	k := f.d
	for i, x := range g {
		grad[i] += x
		for j := range i {
			grad[k+j] += float64(x * e[j])
		}
		k += i
		grad[k] += float64(x*e[i]*f.l[i*f.d+i]) - gl
		k++
	}
}

func (f *fullRank) moments(m, v []float64) {
	copy(m, f.m)
	t := mat.NewDense(f.d, f.d, f.t)
	mat.NewDense(f.d, f.d, v).Mul(t, t.T())
}

func (f *fullRank) pullMoments(gm, gv, grad []float64) {
	d := f.d
	for i, x := range f.turned(gm) {
		grad[i] += x
	}
	byT := mat.NewDense(d, d, f.square)
	byT.Mul(mat.NewDense(d, d, gv), mat.NewDense(d, d, f.t))
	var byL mat.Dense
	byL.Mul(mat.NewDense(d, d, f.r).T(), byT)
	k := d
	for i := range d {
		for j := range i + 1 {
			g := 2 * byL.At(i, j)
			if i == j {
				g *= f.l[i*d+i]
			}
			grad[k] += g
			k++
		}
	}
}

func (f *fullRank) normal() *normal.Normal {
	return normal.NewLower(append([]float64{}, f.m...), append([]float64{}, f.t...))
}
