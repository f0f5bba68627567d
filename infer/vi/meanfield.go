// This file is the family of normals with independent coordinates.

package vi

import (
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/infer/normal"
)

type meanField struct {
	dim    int
	p      []float64 // mean, then log standard deviations
	m, log []float64 // views of p
	s      []float64
	sumLog float64
	dir    []float64 // sums of s*h*e
}

func newMeanField(start *normal.Normal) *meanField {
	d := start.Dim()
	f := &meanField{dim: d, p: make([]float64, 2*d), s: make([]float64, d), dir: make([]float64, d)}
	f.m, f.log = f.p[:d], f.p[d:]
	copy(f.m, start.Mean())
	for i, s := range start.ConditionalSD() {
		f.log[i] = libm.Log(s)
	}
	f.refresh()
	return f
}

func (f *meanField) noise() int { return f.dim }

func (f *meanField) refresh() {
	vec.Exp.Map(f.s, f.log)
	f.sumLog = vec.Sum(f.log)
}

func (f *meanField) place(e, q [][]float64) {
	for k := range e {
		for i, s := range f.s {
			q[k][i] = f.m[i] + float64(s*e[k][i])
		}
	}
}

func (f *meanField) logDensity(e []float64) float64 { return normal.StandardLog(e) - f.sumLog }

func (f *meanField) covariance(h, out []float64) {
	for i, s := range f.s {
		out[i] = s * s * h[i]
	}
}

func (f *meanField) collect(g, e []float64) {
	for i, s := range f.s {
		f.dir[i] += float64((float64(s*g[i]) + 2*e[i]) * e[i]) // -grad log q is e/s
	}
}

func (f *meanField) move(step []float64, rate float64, n int) {
	var square float64
	for i := range f.dir {
		f.dir[i] /= float64(n)
		square += float64(f.dir[i] * f.dir[i])
	}
	c := rate / 2 * cut(square, f.dim, 1)
	for i, v := range f.dir {
		f.m[i] += step[i]
		f.log[i] += max(-1, min(c*v, 1))
	}
	f.forget()
	f.refresh()
}

func (f *meanField) forget() { clear(f.dir) }

func (f *meanField) shrink(factor float64) {
	l := libm.Log(factor)
	for i := range f.log {
		f.log[i] += l
	}
	f.refresh()
}

func (f *meanField) params() []float64 { return f.p }

func (f *meanField) set(p []float64) {
	copy(f.p, p)
	f.refresh()
}

func (f *meanField) normal() *normal.Normal {
	return normal.NewDiagonal(append([]float64{}, f.m...), append([]float64{}, f.s...))
}
