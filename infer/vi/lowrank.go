// This file is the family of normals whose covariance is a diagonal plus a
// matrix of low rank.

package vi

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

type lowRank struct {
	dim, rank int
	p         []float64 // mean, log of the diagonal's root, F row by row
	m, log, f []float64 // views of p
	d         []float64
	chol      []float64 // lower Cholesky factor of I + F'D^-2 F, row by row
	sumLog    float64   // half the log determinant of the covariance
	dirD      []float64 // sums of d*h*e1
	dirF      []float64 // sums of h e2', row by row
	stepF     []float64
	v, column []float64 // scratch of length dim
	c, w      []float64 // scratch of length rank
}

// newLowRank starts with the conditional scales on the diagonal and, in F, a
// few draws from the starting approximation, with a quarter of its covariance.
func newLowRank(start *normal.Normal, rank int) *lowRank {
	d, k := start.Dim(), min(rank, start.Dim())
	f := &lowRank{
		dim: d, rank: k, p: make([]float64, 2*d+d*k), d: make([]float64, d), chol: make([]float64, k*k),
		dirD: make([]float64, d), dirF: make([]float64, d*k), stepF: make([]float64, d*k),
		v: make([]float64, d), column: make([]float64, d), c: make([]float64, k), w: make([]float64, k),
	}
	f.m, f.log, f.f = f.p[:d], f.p[d:2*d], f.p[2*d:]
	copy(f.m, start.Mean())
	for i, s := range start.ConditionalSD() {
		f.log[i] = libm.Log(s)
	}
	r := rng.New(1, "advi/lowrank", 0, 0) // only breaks a symmetry
	for j := range k {
		start.Draw(r, f.v)
		for i, x := range f.v {
			f.f[i*k+j] = (x - f.m[i]) / 2 / math.Sqrt(float64(k))
		}
	}
	f.refresh()
	return f
}

func (f *lowRank) noise() int { return f.dim + f.rank }

func (f *lowRank) row(i int) []float64 { return f.f[i*f.rank : (i+1)*f.rank] }

func (f *lowRank) refresh() {
	f.sumLog = 0
	k := f.rank
	clear(f.chol)
	for i, l := range f.log {
		f.d[i] = libm.Exp(l)
		f.sumLog += l
		row := f.row(i)
		for a, x := range row {
			x /= f.d[i] * f.d[i]
			for b, y := range row[:a+1] {
				f.chol[a*k+b] += float64(x * y)
			}
		}
	}
	for a := range k { // in place, row by row
		f.chol[a*k+a]++
		for b := range a + 1 {
			s := f.chol[a*k+b]
			for j := range b {
				s -= float64(f.chol[a*k+j] * f.chol[b*k+j])
			}
			if a == b {
				f.chol[a*k+a] = math.Sqrt(max(s, 1)) // at least 1 but for rounding
				f.sumLog += libm.Log(f.chol[a*k+a])
			} else {
				f.chol[a*k+b] = s / f.chol[b*k+b]
			}
		}
	}
}

func (f *lowRank) place(e, q [][]float64) {
	for k := range e {
		e1, e2 := e[k][:f.dim], e[k][f.dim:]
		for i, d := range f.d {
			s := f.m[i] + float64(d*e1[i])
			for j, v := range f.row(i) {
				s += float64(v * e2[j])
			}
			q[k][i] = s
		}
	}
}

func (f *lowRank) logDensity(e []float64) float64 { return f.score(e, f.column) }

// score writes C^-1 (x - m) at the point of e, which is -grad log q, into out and returns
// log q there.
func (f *lowRank) score(e, out []float64) float64 {
	e2 := e[f.dim:]
	clear(f.c)
	for i, d := range f.d {
		x := d * e[i]
		row := f.row(i)
		for j, v := range row {
			x += float64(v * e2[j])
		}
		f.v[i] = x
		out[i] = x / (d * d)
		for j, v := range row {
			f.c[j] += float64(v * out[i])
		}
	}
	f.solve(f.c)
	var square float64
	for i, d := range f.d {
		for j, v := range f.row(i) {
			out[i] -= v * f.c[j] / (d * d)
		}
		square += float64(out[i] * f.v[i])
	}
	return float64(-square/2) - f.sumLog - float64(float64(f.dim)*normal.LogRoot2Pi)
}

// solve overwrites c by (I + F'D^-2 F)^-1 c.
func (f *lowRank) solve(c []float64) {
	k := f.rank
	for a := range k {
		for j := range a {
			c[a] -= float64(f.chol[a*k+j] * c[j])
		}
		c[a] /= f.chol[a*k+a]
	}
	for a := k - 1; a >= 0; a-- {
		for j := a + 1; j < k; j++ {
			c[a] -= float64(f.chol[j*k+a] * c[j])
		}
		c[a] /= f.chol[a*k+a]
	}
}

func (f *lowRank) covariance(h, out []float64) {
	clear(f.w)
	for i, x := range h {
		for j, v := range f.row(i) {
			f.w[j] += float64(v * x)
		}
	}
	for i, x := range h {
		s := f.d[i] * f.d[i] * x
		for j, v := range f.row(i) {
			s += float64(v * f.w[j])
		}
		out[i] = s
	}
}

func (f *lowRank) collect(g, e []float64) {
	f.score(e, f.column)
	e2 := e[f.dim:]
	for i, x := range g {
		x += 2 * f.column[i]
		f.dirD[i] += float64(f.d[i] * x * e[i])
		row := f.dirF[i*f.rank : (i+1)*f.rank]
		for j := range row {
			row[j] += float64(x * e2[j])
		}
	}
}

func (f *lowRank) move(step []float64, rate float64, n int) {
	square := f.factorStep(float64(n))
	rateF := rate / 2 / (1 + float64(f.rank+1)/(float64(n)/2)) * cut(square, f.rank, 1)
	square = 0
	for i := range f.dirD {
		f.dirD[i] /= float64(n)
		square += float64(f.dirD[i] * f.dirD[i])
	}
	rateD := rate / 2 * cut(square, f.dim, 1)
	for i, v := range f.dirD {
		f.m[i] += step[i]
		f.log[i] += max(-1, min(rateD*v, 1))
	}
	for i, v := range f.stepF {
		f.f[i] += float64(rateF * v)
	}
	f.forget()
	f.refresh()
}

// factorStep fills stepF with C times the mean of h e2' and returns its
// squared length in units of C.
func (f *lowRank) factorStep(n float64) (square float64) {
	for j := range f.rank {
		for i := range f.v {
			f.v[i] = f.dirF[i*f.rank+j] / n
		}
		f.covariance(f.v, f.column)
		for i, s := range f.column {
			f.stepF[i*f.rank+j] = s
			square += float64(s * f.v[i])
		}
	}
	return square
}

func (f *lowRank) forget() {
	clear(f.dirD)
	clear(f.dirF)
}

func (f *lowRank) shrink(factor float64) {
	l := libm.Log(factor)
	for i := range f.log {
		f.log[i] += l
	}
	for i := range f.f {
		f.f[i] *= factor
	}
	f.refresh()
}

func (f *lowRank) params() []float64 { return f.p }

func (f *lowRank) set(p []float64) {
	copy(f.p, p)
	f.refresh()
}

func (f *lowRank) normal() *normal.Normal {
	variance := make([]float64, f.dim)
	for i, d := range f.d {
		variance[i] = d * d
	}
	mean := append([]float64{}, f.m...)
	if f.rank == 0 {
		return normal.NewDiagonal(mean, append([]float64{}, f.d...))
	}
	eye := mat.NewSymDense(f.rank, nil)
	for j := range f.rank {
		eye.SetSym(j, j, 1)
	}
	n, err := normal.NewSpiked(mean, variance, mat.NewDense(f.dim, f.rank, append([]float64{}, f.f...)), eye)
	if err != nil { // the parameters have overflowed
		return normal.NewDiagonal(mean, append([]float64{}, f.d...))
	}
	return n
}
