// This file holds pointwise priors: the prior for which an answer would be exact.

package gibbsprior

import (
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/psis"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// Pointwise is the pointwise prior of an approximation q to the posterior given one data
// set: pi(t) proportional to q(t) / f(y given t), on the unconstrained scale. With pi as
// prior q would be the posterior. It need not be proper: where q says less than the
// likelihood alone does, no prior makes up for it.
//
// Whether it is proper is judged by two signs, which for a normal q and a normal
// likelihood are a proof: the curvature of log pi at q's mean is negative in all
// directions, and log pi falls along both ends of all its principal axes and of some
// random ones, between 16 and 32 standard deviations of q out.
//
// A Pointwise belongs to one goroutine.
type Pointwise struct {
	Proper bool
	// Curvature is the least ratio of pi's precision to q's over all directions: 1 where
	// the data say nothing, not positive where pi is improper, NaN where log pi has no
	// second derivatives at q's mean.
	Curvature float64

	q      infer.Approximation
	target infer.Tempered
	mean   []float64     // of q, by draws
	sd     []float64     // of q, likewise
	pi     *mat.SymDense // precision of pi at the mean, in units of sd
	a, b   []float64     // scratch
}

// MostPointwise is the largest dimension in which pointwise priors are computed.
const MostPointwise = 500

// NewPointwise finds the pointwise prior of q; t gives the likelihood of the data set.
func NewPointwise(q infer.Approximation, t infer.Tempered, r *rand.Rand) (*Pointwise, error) {
	d := q.Dim()
	if d != t.Dim() || d == 0 || d > MostPointwise {
		return nil, errors.New("gibbs_prior: the pointwise prior needs an approximation in the model's coordinates, at least 1 and at most 500 of them")
	}
	p := &Pointwise{q: q, target: t, mean: make([]float64, d), sd: make([]float64, d), a: make([]float64, d), b: make([]float64, d)}
	p.moments(r)
	pi, own := p.precision(p.mean)
	p.pi, p.Curvature = pi, math.NaN()
	axes := mat.NewDense(d, d, nil)
	if pi != nil {
		var eigen mat.EigenSym
		if !eigen.Factorize(pi, true) {
			return nil, errors.New("gibbs_prior: the curvature of the pointwise prior has no eigenvalues")
		}
		eigen.VectorsTo(axes)
		p.Curvature = least(pi, own)
	}
	p.Proper = p.Curvature > 0 && p.falls(axes, r)
	return p, nil
}

// LogDensity is log pi up to a constant; NaN where the model has no density.
func (p *Pointwise) LogDensity(q []float64) float64 {
	_, likelihood, err := p.target.LogDensityParts(q)
	if err != nil {
		return math.NaN()
	}
	return p.q.LogDensity(q) - likelihood
}

// Dim implements infer.Target for the search of the mode.
func (p *Pointwise) Dim() int { return len(p.mean) }

// LogDensityGrad is LogDensity with its gradient.
func (p *Pointwise) LogDensityGrad(q, grad []float64) (float64, error) {
	_, likelihood, err := p.target.LogDensityPartsGrad(q, 1, p.a)
	if err != nil {
		return 0, err
	}
	if _, _, err := p.target.LogDensityPartsGrad(q, 0, p.b); err != nil {
		return 0, err
	}
	logq := p.q.LogDensityGrad(q, grad)
	floats.Sub(p.a, p.b)
	floats.Sub(grad, p.a)
	return logq - likelihood, nil
}

// moments estimates q's mean and sds; for a normal they are known.
func (p *Pointwise) moments(r *rand.Rand) {
	if n, ok := p.q.(*normal.Normal); ok {
		copy(p.mean, n.Mean())
		copy(p.sd, n.SD())
		return
	}
	const n = 1000
	x := make([]float64, len(p.mean))
	for k := range n {
		p.q.Draw(r, x)
		for i, v := range x {
			d := v - p.mean[i]
			p.mean[i] += d / float64(k+1)
			p.sd[i] += float64(d * (v - p.mean[i]))
		}
	}
	for i, v := range p.sd {
		p.sd[i] = math.Sqrt(v / (n - 1))
	}
}

// precision is that of pi and of q at a point, in units of q's sds, by differences of
// gradients; nil where there are none.
func (p *Pointwise) precision(at []float64) (pi, own *mat.SymDense) {
	const step = 1e-3 // sds
	d := len(at)
	x := append([]float64{}, at...)
	rows := [2]*mat.Dense{mat.NewDense(d, d, nil), mat.NewDense(d, d, nil)}
	high, low := [2][]float64{make([]float64, d), make([]float64, d)}, [2][]float64{make([]float64, d), make([]float64, d)}
	for i := range d {
		for side, g := range [2][2][]float64{high, low} {
			x[i] = at[i] + float64(float64(1-2*side)*step*p.sd[i])
			if _, err := p.LogDensityGrad(x, g[0]); err != nil {
				return nil, nil
			}
			p.q.LogDensityGrad(x, g[1])
		}
		x[i] = at[i]
		for k, m := range rows {
			for j := range d {
				m.Set(i, j, -(high[k][j]-low[k][j])/(2*step)*p.sd[j])
			}
		}
	}
	out := [2]*mat.SymDense{mat.NewSymDense(d, nil), mat.NewSymDense(d, nil)}
	for k, m := range rows {
		for i := range d {
			for j := range i + 1 {
				v := (m.At(i, j) + m.At(j, i)) / 2
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return nil, nil
				}
				out[k].SetSym(i, j, v)
			}
		}
	}
	return out[0], out[1]
}

// least is the smallest v'Pv / v'Qv over all v; NaN where Q is not positive definite.
func least(p, q *mat.SymDense) float64 {
	var chol mat.Cholesky
	if !chol.Factorize(q) {
		return math.NaN()
	}
	var l mat.TriDense
	chol.LTo(&l)
	var half, whole mat.Dense
	half.SolveLower(&l, p)
	whole.SolveLower(&l, half.T())
	d := p.SymmetricDim()
	s := mat.NewSymDense(d, nil)
	for i := range d {
		for j := range i + 1 {
			s.SetSym(i, j, (whole.At(i, j)+whole.At(j, i))/2)
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(s, false) {
		return math.NaN()
	}
	return floats.Min(eigen.Values())
}

// falls reports whether log pi falls far out along the axes and in random directions.
func (p *Pointwise) falls(axes *mat.Dense, r *rand.Rand) bool {
	const random, near, far = 20, 16, 32
	d := len(p.mean)
	v, x := make([]float64, d), make([]float64, d)
	at := func(distance float64) float64 {
		for i := range x {
			x[i] = p.mean[i] + float64(distance*p.sd[i]*v[i])
		}
		return p.LogDensity(x)
	}
	for k := range d + random {
		if k < d {
			axes.Col(v, k)
		} else {
			for i := range v {
				v[i] = variate.Normal(r)
			}
			floats.Scale(1/mat.Norm2(v), v)
		}
		for _, sign := range []float64{1, -1} {
			// Where the density overflows nothing can be said.
			if at(sign*far) >= at(sign*near) {
				return false
			}
		}
	}
	return true
}

// Normal is the normal at pi's mode with its curvature there; false where pi is improper
// or has no such mode.
func (p *Pointwise) Normal() (*normal.Normal, bool) {
	if !p.Proper {
		return nil, false
	}
	mode, err := optimize.Maximize(climb{p}, append([]float64{}, p.mean...), optimize.DefaultSettings(), nil)
	if err != nil {
		return nil, false
	}
	pi, _ := p.precision(mode.X)
	if pi == nil {
		return nil, false
	}
	var chol mat.Cholesky
	if !chol.Factorize(pi) {
		return nil, false
	}
	var inverse mat.SymDense
	if chol.InverseTo(&inverse) != nil || !chol.Factorize(&inverse) {
		return nil, false
	}
	var l mat.TriDense
	chol.LTo(&l)
	d := len(p.mean)
	root := make([]float64, d*d)
	for i := range d {
		for j := range i + 1 {
			root[i*d+j] = p.sd[i] * l.At(i, j)
		}
	}
	return normal.NewLower(mode.X, root), true
}

// climb is log pi as a target.
type climb struct{ *Pointwise }

// LogDensity implements infer.Target.
func (c climb) LogDensity(q []float64) (float64, error) {
	return c.LogDensityGrad(q, make([]float64, len(q)))
}

// Draw returns n draws of pi with their log weights and the Pareto shape of these, from the
// normal at its mode; false where there is none.
func (p *Pointwise) Draw(r *rand.Rand, n int) (points [][]float64, logw []float64, k float64, ok bool) {
	from, ok := p.Normal()
	if !ok {
		return nil, nil, math.NaN(), false
	}
	for range n {
		q := make([]float64, len(p.mean))
		from.Draw(r, q)
		w := p.LogDensity(q) - from.LogDensity(q)
		if math.IsNaN(w) {
			w = math.Inf(-1)
		}
		points, logw = append(points, q), append(logw, w)
	}
	return points, logw, psis.Smooth(logw, 1).K, true
}
