// This file is the conjugate family: the normal-inverse-gamma densities of the
// coefficients and the noise variance of a linear model, where loss and
// divergence are both in closed form.
//
// The model is recognised by its log density, at any place of the variance among
// the coordinates, and declared as a variance, a standard deviation or a
// precision: with x the coordinate of the scale, log s = power*x and
//
//	log p(y|t, s)  = K - (n/2) log s - R(t)/(2s), R quadratic in the others, t
//	log p(t, s)    = that of a normal-inverse-gamma with independent t
//
// Derivatives at a few points give power, n, R and the prior's parameters, and
// values and gradients at random points must agree with them to eight digits.

package gvi

import (
	"errors"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/special"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// linear is a linear model as recognised.
type linear struct {
	prior    NormalInverseGamma
	constant float64 // K
	n        float64 // observations
	yy       float64 // R(0)
	xy       []float64
	xx       *mat.SymDense // R(t) = yy - 2 t'xy + t'xx t
}

const agree = 1e-8

func near(a, b float64) bool { return math.Abs(a-b) <= agree*(1+math.Abs(b)) }

// errNotLinear is the refusal of models that are none.
var errNotLinear = &infer.MissingError{
	Method: "gvi with family = \"conjugate\"",
	Needs:  "a linear model with normal noise of unknown scale under a normal-inverse-gamma prior, sigma2 ~ inv_gamma(a, b) and independent theta[j] ~ normal(m, sqrt(sigma2 * v)) (family = \"meanfield\" and \"fullrank\" take any)",
}

// recogniseLinear returns errNotLinear if the model is none.
func (s *source) recogniseLinear() (*linear, error) {
	d := s.target.Dim()
	for at := range d {
		power, err := s.scalePower(at)
		if err != nil {
			return nil, err
		}
		if power == 0 {
			continue
		}
		l, err := s.linearAt(at, power)
		if err == nil {
			var ok bool
			ok, err = s.agrees(l)
			if ok {
				return l, nil
			}
		}
		if err != nil && !infer.IsReject(err) {
			return nil, err
		}
	}
	return nil, errNotLinear
}

// scalePower is the whole number with which coordinate at could be the log of a
// variance, or 0: the derivative by it is a constant and a multiple of
// exp(-power*x).
func (s *source) scalePower(at int) (float64, error) {
	d := s.target.Dim()
	x, gp, gl := make([]float64, d), make([]float64, d), make([]float64, d)
	var g [3]float64
	for k := range g {
		x[at] = float64(k)
		if _, _, err := s.both(x, gp, gl); err != nil {
			return 0, notReject(err)
		}
		g[k] = gl[at]
	}
	power := libm.Log((g[0] - g[1]) / (g[1] - g[2]))
	whole := math.Round(power)
	if whole == 0 || math.Abs(whole) > 2 || !(math.Abs(power-whole) < 1e-6) {
		return 0, nil
	}
	return whole, nil
}

// linearAt takes the model's numbers from derivatives with t at 0 and unit
// vectors, log s at 0.
func (s *source) linearAt(at int, power float64) (*linear, error) {
	d := s.target.Dim()
	k := d - 1
	l := &linear{prior: NormalInverseGamma{At: at, Power: power, Mean: make([]float64, k), V: make([]float64, k)},
		xy: make([]float64, k), xx: mat.NewSymDense(max(k, 1), nil)}
	x, gp, gl := make([]float64, d), make([]float64, d), make([]float64, d)
	_, l0, err := s.both(x, gp, gl)
	if err != nil {
		return nil, err
	}
	scale := [2]float64{gp[at] / power, gl[at] / power}
	hp, hl := make([]float64, d), make([]float64, d)
	x[at] = 1 / power // s = e
	if _, _, err := s.both(x, hp, hl); err != nil {
		return nil, err
	}
	x[at] = 0
	// By log s: -c + r/s, from its values at s = 1 and e.
	split := func(one, e float64) (c, r float64) {
		r = (one - e) / -libm.Expm1(-1)
		return r - one, r
	}
	half, r := split(scale[1], hl[at]/power)
	l.n, l.yy = 2*half, 2*r
	l.constant = l0 + r
	shape, b := split(scale[0], hp[at]/power)
	l.prior.A, l.prior.B = shape-float64(k)/2, b
	for j := range k {
		x[l.prior.coord(j)] = 1
		if _, _, err := s.both(x, hp, hl); err != nil {
			return nil, err
		}
		x[l.prior.coord(j)] = 0
		i := l.prior.coord(j)
		l.xy[j] = gl[i]
		for h := range j + 1 {
			c := l.prior.coord(h)
			l.xx.SetSym(h, j, gl[c]-hl[c])
		}
		precision := gp[i] - hp[i]
		l.prior.V[j], l.prior.Mean[j] = 1/precision, gp[i]/precision
		l.prior.B -= float64(l.prior.Mean[j] * l.prior.Mean[j] * precision / 2)
	}
	return l, nil
}

// agrees compares with the model at random points.
func (s *source) agrees(l *linear) (bool, error) {
	if !(l.prior.A > 0 && l.prior.B > 0) {
		return false, nil
	}
	for _, v := range l.prior.V {
		if !(v > 0) || math.IsInf(v, 0) {
			return false, nil
		}
	}
	d := s.target.Dim()
	x, gp, gl, want := make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d)
	r := rng.New(1, "gvi/linear", 0, 0)
	for range 5 {
		for i := range x {
			x[i] = variate.Normal(r)
		}
		p, v, err := s.both(x, gp, gl)
		if err != nil {
			return false, notReject(err)
		}
		if !near(p, l.prior.LogDensityGrad(x, want)) {
			return false, nil
		}
		for i, g := range gp {
			if !near(g, want[i]) {
				return false, nil
			}
		}
		if !near(v, l.logLikelihood(x, want)) {
			return false, nil
		}
		for i, g := range gl {
			if !near(g, want[i]) {
				return false, nil
			}
		}
	}
	return true, nil
}

func (l *linear) logLikelihood(x, grad []float64) float64 {
	logS := l.prior.Power * x[l.prior.At]
	inverse := libm.Exp(-logS)
	r := l.yy
	for j, xy := range l.xy {
		t := x[l.prior.coord(j)]
		g := xy
		for h := range l.xy {
			g -= float64(l.xx.At(j, h) * x[l.prior.coord(h)])
		}
		r -= float64(t * (xy + g))
		grad[l.prior.coord(j)] = g * inverse
	}
	grad[l.prior.At] = l.prior.Power * (float64(r*inverse) - l.n) / 2
	return l.constant - float64(l.n/2*logS) - float64(r*inverse/2)
}

// conjugate is the objective as a function of (log a, log b, means, log v) about
// and in units of a start; it implements infer.Target, with the sign turned.
type conjugate struct {
	l     *linear
	div   divergence.Divergence
	pair  *divergence.Exponential
	prior []float64 // theta
	start []float64 // theta
	unit  []float64
	theta []float64
}

// newConjugate starts at ordinary variational inference, whose optimum is known:
// the posterior's own a, b and mean, and conditional variances.
func newConjugate(l *linear, d divergence.Divergence, scale string) *conjugate {
	k := len(l.xy)
	f := divergence.NormalInverseGamma{K: k}
	switch {
	case scale == Unconstrained: // by x, ds = power s dx
		f.Factor, f.Power = math.Abs(l.prior.Power), 1
	case l.prior.Power == 2: // by the standard deviation
		f.Factor, f.Power = 2, 0.5
	case l.prior.Power < 0: // by the precision s^-1 or its root: ds = -s^2 du, -2 s^(3/2) du
		f.Factor, f.Power = -l.prior.Power, 1-1/l.prior.Power
	}
	c := &conjugate{l: l, div: d, start: make([]float64, f.Params()), unit: make([]float64, f.Params()), theta: make([]float64, f.Params())}
	prior := append([]float64{libm.Log(l.prior.A), libm.Log(l.prior.B)}, l.prior.Mean...)
	for _, v := range l.prior.V {
		prior = append(prior, libm.Log(v))
	}
	c.pair, c.prior = divergence.NewExponential(f, prior), prior
	// Conjugate update.
	p, h := mat.NewSymDense(max(k, 1), nil), mat.NewVecDense(max(k, 1), nil)
	b := l.prior.B + l.yy/2
	for j := range k {
		for i := j; i < k; i++ {
			p.SetSym(j, i, l.xx.At(j, i))
		}
		p.SetSym(j, j, p.At(j, j)+1/l.prior.V[j])
		h.SetVec(j, l.xy[j]+l.prior.Mean[j]/l.prior.V[j])
		b += float64(l.prior.Mean[j] * l.prior.Mean[j] / l.prior.V[j] / 2)
	}
	var chol mat.Cholesky
	m := mat.NewVecDense(max(k, 1), nil)
	if k > 0 && chol.Factorize(p) && chol.SolveVecTo(m, h) == nil {
		b -= vec.Dot(m.Raw(), h.Raw()) / 2
	}
	a := l.prior.A + float64(l.n/2)
	c.start[0], c.start[1], c.unit[0], c.unit[1] = libm.Log(a), libm.Log(b), 1, 1
	for j := range k {
		v := 1 / p.At(j, j)
		c.start[2+j], c.start[2+k+j] = m.AtVec(j), libm.Log(v)
		c.unit[2+j], c.unit[2+k+j] = math.Sqrt(v*b/a), 1
	}
	c.approach(c.start)
	return c
}

// approach moves parameters towards those of the prior, where every divergence is 0, to
// where the divergence is finite: of orders below 1 it may be infinite at densities much
// narrower than the prior, such as the posterior.
func (c *conjugate) approach(theta []float64) {
	grad, at := make([]float64, len(theta)), make([]float64, len(theta))
	for _, t := range []float64{0, 1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 3.0 / 4, 7.0 / 8, 15.0 / 16, 1} {
		for i, v := range theta {
			at[i] = float64((1-t)*v) + float64(t*c.prior[i])
		}
		c.pair.Move(at)
		clear(grad)
		if v := c.div.Gradient(c.pair, grad) + vec.Sum(grad); !math.IsNaN(v) && !math.IsInf(v, 0) {
			break
		}
	}
	copy(theta, at)
}

// Dim implements infer.Target.
func (c *conjugate) Dim() int { return len(c.start) }

// LogDensity implements infer.Target.
func (c *conjugate) LogDensity(p []float64) (float64, error) {
	return c.LogDensityGrad(p, make([]float64, len(p)))
}

// LogDensityGrad implements infer.Target.
func (c *conjugate) LogDensityGrad(p, grad []float64) (float64, error) {
	for i, v := range p {
		c.theta[i] = c.start[i] + float64(c.unit[i]*v)
	}
	c.pair.Move(c.theta)
	clear(grad)
	d := c.div.Gradient(c.pair, grad)
	loss := c.loss(grad)
	v := d + loss
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, infer.Reject("the objective is not finite")
	}
	for i := range grad {
		grad[i] *= -c.unit[i]
	}
	return -v, nil
}

// loss is E_q of the negative log likelihood; it adds its gradient by theta.
func (c *conjugate) loss(grad []float64) float64 {
	l, k := c.l, len(c.l.xy)
	a, ratio := libm.Exp(c.theta[0]), libm.Exp(c.theta[0]-c.theta[1])
	m := c.theta[2 : 2+k]
	square := l.yy
	var spread float64
	for j := range k {
		g := l.xy[j]
		for h := range k {
			g -= float64(l.xx.At(j, h) * m[h])
		}
		square -= float64(m[j] * (l.xy[j] + g))
		grad[2+j] -= float64(ratio * g)
		v := float64(l.xx.At(j, j) * libm.Exp(c.theta[2+k+j]))
		spread += v
		grad[2+k+j] += v / 2
	}
	// E log s = log b - psi(a), and trigamma is a Hurwitz zeta value.
	grad[0] += float64(-l.n/2*a*special.Trigamma(a)) + float64(ratio*square/2)
	grad[1] += float64(l.n/2) - float64(ratio*square/2)
	return -l.constant + float64(l.n/2*(c.theta[1]-special.Digamma(a))) + float64((float64(ratio*square)+spread)/2)
}

// density is the approximation at parameters.
func (c *conjugate) density(p []float64) *NormalInverseGamma {
	theta := make([]float64, len(p))
	for i, v := range p {
		theta[i] = c.start[i] + float64(c.unit[i]*v)
	}
	return conjugateAt(theta, c.l.prior.At, c.l.prior.Power)
}

// conjugateAt is the density with parameters (log a, log b, means, log v).
func conjugateAt(theta []float64, at int, power float64) *NormalInverseGamma {
	k := len(theta)/2 - 1
	out := &NormalInverseGamma{A: libm.Exp(theta[0]), B: libm.Exp(theta[1]), Mean: theta[2 : 2+k], At: at, Power: power}
	for _, v := range theta[2+k:] {
		out.V = append(out.V, libm.Exp(v))
	}
	return out
}

// conjugate fits the conjugate family.
func (m *Method) conjugate(r *run, rec *infer.Recorder) (infer.Approximation, error) {
	report := rec.Posterior().Fit
	parts, err := m.split(r.ev)
	if err != nil {
		return nil, err
	}
	r.src.parts = parts
	l, err := r.src.recogniseLinear()
	report.Evaluations = r.src.count
	if err != nil {
		return nil, err
	}
	c := newConjugate(l, m.options.Divergence, m.options.Scale)
	if m.options.Estimator != Reparametrised {
		return m.conjugateByScore(r, rec, c)
	}
	s := optimize.DefaultSettings()
	s.History, s.MaxIterations, s.TolRelObj, s.TolRelGrad = 20, m.options.Iterations, 1e-14, 1e-15
	res, err := optimize.Maximize(c, make([]float64, c.Dim()), s, func(p optimize.Point) bool {
		report.Iterations = p.Iteration
		report.Trace = append(report.Trace, infer.TracePoint{Iteration: p.Iteration, Objective: -p.LogDensity})
		rec.Step()
		return r.src.ctx.Err() == nil
	})
	if err != nil {
		return nil, err
	}
	if math.IsNaN(res.LogDensity) || math.IsInf(res.LogDensity, 0) {
		return nil, errors.New("gvi: the objective is not finite at the optimum of ordinary variational inference, where the conjugate family starts: the divergence from this prior is infinite there")
	}
	report.Converged, report.Stop = res.Stop.Converged(), string(res.Stop)
	report.Objective = &infer.Estimate{Value: -res.LogDensity}
	return c.density(res.X), nil
}
