// This file has the objective of generalised variational inference: expected
// loss and divergence from the prior.

package gvi

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/normal"
)

// negligible is the part of the objective that a divergence may be below zero by rounding.
const negligible = 1e-6

// generalised is E_q[loss] + D(q || prior).
type generalised struct {
	src    *source
	loss   losses // nil: the negative log likelihood
	div    divergence.Divergence
	parts  *factored               // of an independent prior, or nil
	blocks []*block                // divergences by parameter, or nil
	reach  *reach                  // closed form of the divergence, or nil
	prior  func(b float64) float64 // log G(0, b); nil: unknown and not needed
	pair   *weighted               // of a divergence from points
	slopes []float64               // by its parameters
	gp, gj [][]float64             // gradients of log prior and log Jacobian at the points
	lj     []float64               // log Jacobian; nil where it is none or does not count
}

func (g *generalised) prepare(fam family, n *nodes) {
	d := g.src.dim()
	if g.reach != nil {
		return
	}
	for _, b := range g.blocks {
		b.prepare(n)
	}
	g.pair = newWeighted(len(n.w))
	g.pair.Prior = g.prior
	g.slopes = make([]float64, 3*len(n.w))
	g.gp, g.gj = make([][]float64, len(n.w)), nil
	for k := range g.gp {
		g.gp[k] = make([]float64, d)
	}
	if g.src.bare != nil {
		g.gj, g.lj = make([][]float64, len(n.w)), make([]float64, len(n.w))
		for k := range g.gj {
			g.gj[k] = make([]float64, d)
		}
	} else if fam.simple() {
		g.pair.Self = n.selfCorrection
	}
}

// at implements energy.
func (g *generalised) at(b *batch) (float64, error) {
	var sum float64
	g.ask(b.x)
	for k, x := range b.x {
		v, err := g.lossAt(k, x, b.gx[k])
		if err != nil {
			g.src.ask(nil) // the rest will not be asked for
			return 0, err
		}
		sum += float64(b.w[k] * v)
		b.gw[k] += float64(b.w[k] * v)
		floats.Scale(b.w[k], b.gx[k])
	}
	of := *b
	if f, ok := b.fam.(*pointed); ok {
		of.fam = f.gaussian // whose parameters come first
	}
	switch {
	case g.reach != nil:
		d := g.reach.at(&of)
		if !(d >= -negligible*(1+math.Abs(sum))) { // no divergence is negative: scales have left the range of numbers
			return 0, infer.Reject("the divergence is negative or not a number")
		}
		return sum + d, nil
	case g.parts != nil:
		d, err := g.parts.at(&of)
		return sum + d, err
	}
	if g.blocks == nil {
		d, err := g.sampled(b)
		return sum + d, err
	}
	for _, own := range g.blocks {
		d, err := own.at(b)
		if err != nil {
			return 0, err
		}
		sum += d
	}
	return sum, nil
}

// ask evaluates together what lossAt needs of prior and likelihood at the points.
func (g *generalised) ask(x [][]float64) {
	switch {
	case g.src.points != nil, g.reach != nil && g.loss != nil:
	case g.reach != nil:
		g.src.ask(x, 1)
	case g.loss != nil:
		g.src.ask(x, 0)
	default:
		g.src.ask(x, 0, 1)
	}
}

// lossAt returns the loss at a point and its gradient, and leaves behind what the
// divergence needs.
func (g *generalised) lossAt(k int, x, grad []float64) (float64, error) {
	if g.reach != nil {
		if g.loss != nil {
			g.src.count++
			if err := g.src.stopped(x); err != nil {
				return 0, err
			}
			return g.loss.at(x, grad)
		}
		if g.src.points == nil {
			return g.reach.likelihood(g.src, x, grad)
		}
		if g.src.batches != nil {
			return g.reach.given(g.src, x, grad)
		}
		v, err := g.src.likelihood(x, grad)
		floats.Scale(-1, grad)
		return -v, err
	}
	var err error
	var lp, v float64
	if g.src.points != nil {
		lp, v, err = g.withPoints(k, x, grad)
	} else if g.loss == nil {
		lp, v, err = g.src.both(x, g.gp[k], grad)
		v = -v
		floats.Scale(-1, grad)
	} else if lp, err = g.src.prior(x, g.gp[k]); err == nil {
		g.src.count++
		v, err = g.loss.at(x, grad)
	}
	g.pair.LogPi[k] = lp
	if err == nil && g.gj != nil && g.blocks == nil {
		g.lj[k], err = g.src.jacobian(x, g.gj[k])
	}
	return v, err
}

// withPoints is prior and loss where some coordinates are points without prior.
func (g *generalised) withPoints(k int, x, grad []float64) (lp, loss float64, err error) {
	own := make([]float64, g.src.dim())
	g.src.points.gather(x, own)
	if lp, err = g.src.prior(own, g.gp[k]); err != nil {
		return 0, 0, err
	}
	if g.loss != nil {
		g.src.count++
		loss, err = g.loss.at(x, grad)
		return lp, loss, err
	}
	loss, err = g.src.likelihood(x, grad)
	floats.Scale(-1, grad)
	return lp, -loss, err
}

// sampled is the divergence from the points.
func (g *generalised) sampled(b *batch) (float64, error) {
	n := len(b.w)
	copy(g.pair.Weights, b.w)
	copy(g.pair.LogQ, b.lq)
	for k, j := range g.lj {
		g.pair.LogQ[k] -= j
		g.pair.LogPi[k] -= j
	}
	clear(g.slopes)
	v := g.div.Gradient(g.pair, g.slopes)
	for k := range b.x {
		byQ, byPi := g.slopes[k], g.slopes[n+k]
		b.gl[k] += byQ
		b.gw[k] += g.slopes[2*n+k]
		g.src.points.addScaled(b.gx[k], byPi, g.gp[k])
		if g.gj != nil {
			vec.AddScaled(b.gx[k], -byQ-byPi, g.gj[k])
		}
	}
	return v, nil
}

// reach is a divergence from a normal prior, in closed form.
type reach struct {
	div   divergence.Divergence
	prior *normalPrior
	known *normal.Normal // the prior
	lp    []float64      // scratch: gradient of the log prior
	// Of points: where they were last, and what the density has by them alone, with its gradient.
	now, byNow []float64
	rest       float64
	single     []*divergence.Exponential
	pair       divergence.Pair
	full       *divergence.Gaussian // nil with single
	m, v       []float64
	grad       []float64
}

func newReach(d divergence.Divergence, prior *normalPrior, independent bool) (*reach, error) {
	n := len(prior.mean)
	r := &reach{div: d, prior: prior, known: prior.normal(), lp: make([]float64, n), m: make([]float64, n)}
	if independent && prior.sd != nil {
		product := divergence.Product{}
		for i, s := range prior.sd {
			e := divergence.NewExponential(divergence.Normal{}, []float64{prior.mean[i], libm.Log(s)})
			r.single = append(r.single, e)
			product.Parts, product.Params = append(product.Parts, e), append(product.Params, 2)
		}
		r.pair, r.grad = product, make([]float64, 2*n)
		return r, nil
	}
	cov := prior.cov
	if cov == nil {
		cov = mat.NewSymDense(n, nil)
		for i, s := range prior.sd {
			cov.SetSym(i, i, s*s)
		}
	}
	full, err := divergence.NewGaussian(prior.mean, cov)
	r.full, r.pair, r.v, r.grad = full, full, make([]float64, n*n), make([]float64, n+n*n)
	return r, err
}

// likelihood returns the negative log likelihood and its gradient from one
// evaluation of everything, since the prior is known.
func (r *reach) likelihood(s *source, x, grad []float64) (float64, error) {
	if err := s.stopped(x); err != nil {
		return 0, err
	}
	lp := r.known.LogDensityGrad(x, r.lp)
	var l float64
	var err error
	if s.batches == nil {
		s.count++
		_, l, err = s.partsGrad(x, 1, grad)
	} else {
		l, err = s.joint(x, grad)
		l -= lp
	}
	for i := range grad {
		grad[i] = r.lp[i] - grad[i]
	}
	return -l, err
}

// given is likelihood where some coordinates are points, which all points of noise share: what is in the
// density by them alone, the log Jacobian, is evaluated when they have moved.
func (r *reach) given(s *source, x, grad []float64) (float64, error) {
	p := s.points
	own := p.x[:len(p.kept)]
	p.gather(x, own)
	lp := r.known.LogDensityGrad(own, r.lp)
	moved := r.now == nil
	for j, i := range p.fixed {
		moved = moved || r.now[j] != x[i]
	}
	if moved {
		rest, _, err := s.batches.LogDensityPartsGrad(x, 0, grad)
		if err != nil {
			return 0, err
		}
		r.now, r.byNow, r.rest = r.now[:0], r.byNow[:0], rest-lp
		for _, i := range p.fixed {
			r.now, r.byNow = append(r.now, x[i]), append(r.byNow, grad[i])
		}
	}
	l, err := s.joint(x, grad)
	floats.Scale(-1, grad)
	p.addScaled(grad, 1, r.lp)
	for j, i := range p.fixed {
		grad[i] += r.byNow[j]
	}
	return lp + r.rest - l, err
}

// at returns the divergence and adds its gradient by the family's parameters.
func (r *reach) at(b *batch) float64 {
	clear(r.grad)
	n := len(r.m)
	if r.single != nil {
		f := b.fam.(*meanField)
		for i, e := range r.single {
			e.Move([]float64{f.m[i], libm.Log(f.s[i])})
		}
		v := r.div.Gradient(r.pair, r.grad)
		for i := range n {
			b.grad[i] += float64(f.unit[i] * r.grad[2*i])
			b.grad[n+i] += r.grad[2*i+1]
		}
		return v
	}
	fam := b.fam.(gaussian)
	fam.moments(r.m, r.v)
	if r.full.Move(r.m, r.v) != nil {
		return math.NaN()
	}
	v := r.div.Gradient(r.pair, r.grad)
	fam.pullMoments(r.grad[:n], r.grad[n:], b.grad)
	return v
}

// escaped reports that the optimum on the points is none; see bound.
func (g *generalised) escaped() bool {
	if g.reach != nil || g.parts != nil || g.blocks != nil {
		return false
	}
	for _, t := range g.div {
		if a := t.Params[0]; (t.Kind == divergence.Renyi || t.Kind == divergence.Alpha) && a < 1 && g.pair.Effective(a, 1-a) < 5 {
			return true
		}
	}
	return false
}

// fromPoints reports whether a divergence that is no expectation is estimated at the points.
func (g *generalised) fromPoints() bool {
	return g.reach == nil && g.parts == nil && (g.blocks != nil || !g.div.IsKL())
}

// warm is the objective to begin with where its own optimum may be escaped from: the
// one with KLD.
func (g *generalised) warm() energy {
	if g.reach != nil || g.parts != nil || g.blocks != nil || g.div.IsKL() {
		return nil
	}
	w := *g
	w.div = DefaultOptions().Divergence
	return &w
}
