// This file is what the methods ask of a model: prior, likelihood and log
// Jacobian apart, each with its gradient, and whether the prior is normal.

package gvi

import (
	"context"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// source evaluates the parts of a model. Evaluations stop when ctx ends.
type source struct {
	ctx      context.Context
	target   infer.Target // the posterior
	stopping infer.Target // the same, until ctx ends
	parts    infer.Tempered
	bare     infer.Target // without the log Jacobian; nil unless it is wanted
	points   *points      // coordinates that are estimated by a point; nil: none
	batches  *batches     // of the likelihood's terms; nil: all
	scratch  []float64
	count    int // gradients
	ahead    ahead
}

// stopped fails as interrupted evaluations do once ctx has ended.
func (s *source) stopped(x []float64) error {
	if s.ctx.Err() == nil {
		return nil
	}
	_, err := s.stopping.LogDensity(x)
	return err
}

// dim is the number of coordinates that have a prior: all but points.
func (s *source) dim() int {
	if s.points != nil {
		return len(s.points.kept)
	}
	return s.target.Dim()
}

// prior returns the log prior density at the coordinates that have one and fills grad.
func (s *source) prior(x, grad []float64) (float64, error) {
	if err := s.stopped(x); err != nil {
		return 0, err
	}
	s.count++
	if f := s.points; f != nil {
		clear(f.x)
		f.scatter(x, f.x)
		p, _, err := s.parts.LogDensityPartsGrad(f.x, 0, f.grad)
		f.gather(f.grad, grad)
		return p - f.constant, err
	}
	p, _, err := s.partsGrad(x, 0, grad)
	return p, err
}

// likelihood returns the log likelihood at all coordinates and fills grad.
func (s *source) likelihood(x, grad []float64) (float64, error) {
	if err := s.stopped(x); err != nil {
		return 0, err
	}
	s.count += 2
	if _, _, err := s.partsGrad(x, 0, s.scratch); err != nil {
		return 0, err
	}
	_, l, err := s.partsGrad(x, 1, grad)
	for i, p := range s.scratch {
		grad[i] -= p
	}
	return l, err
}

// both returns log prior and log likelihood with their gradients.
func (s *source) both(x, prior, likelihood []float64) (p, l float64, err error) {
	if _, err = s.prior(x, prior); err != nil {
		return 0, 0, err
	}
	s.count++
	p, l, err = s.partsGrad(x, 1, likelihood)
	for i := range likelihood {
		likelihood[i] -= prior[i]
	}
	return p, l, err
}

// joint returns the log density of the posterior and fills grad.
func (s *source) joint(x, grad []float64) (float64, error) {
	s.count++
	if s.batches != nil && s.ctx.Err() == nil {
		return s.batches.LogDensityGradTerms(x, s.batches.terms, grad)
	}
	return s.stopping.LogDensityGrad(x, grad)
}

// jacobian returns the log Jacobian of the constraints and fills grad.
func (s *source) jacobian(x, grad []float64) (float64, error) {
	s.count++
	with, err := s.stopping.LogDensityGrad(x, grad)
	if err != nil {
		return 0, err
	}
	without, err := s.bare.LogDensityGrad(x, s.scratch)
	for i := range grad {
		grad[i] -= s.scratch[i]
	}
	return with - without, err
}

// normalPrior is a prior recognised as a normal: its mean and covariance or,
// where coordinates are independent, standard deviations.
type normalPrior struct {
	mean []float64
	sd   []float64     // of independent coordinates, or nil
	cov  *mat.SymDense // nil with sd
}

const mostDense = 200 // dimensions up to which dependent priors are recognised

// recognise reports whether the prior is a normal density on the unconstrained
// scale: whether its gradient is affine, as tried at random points, and its value
// that of the normal density with these moments.
func (s *source) recognise() (*normalPrior, error) {
	d := s.dim()
	zero, one := make([]float64, d), make([]float64, d)
	r := rng.New(1, "gvi/recognise", 0, 0)
	x := make([]float64, d)
	if _, err := s.prior(x, zero); err != nil {
		return nil, notReject(err)
	}
	for i := range x {
		x[i] = 2 * variate.Normal(r)
	}
	if _, err := s.prior(x, one); err != nil {
		return nil, notReject(err)
	}
	n := &normalPrior{mean: make([]float64, d), sd: make([]float64, d)}
	for i := range x {
		precision := (zero[i] - one[i]) / x[i]
		n.mean[i], n.sd[i] = zero[i]/precision, 1/math.Sqrt(precision)
	}
	if ok, err := s.fits(n); ok || err != nil || d > mostDense {
		return n.or(ok), err
	}
	p := mat.NewSymDense(d, nil)
	clear(x)
	for j := range d {
		x[j] = 1
		if _, err := s.prior(x, one); err != nil {
			return nil, notReject(err)
		}
		x[j] = 0
		for i := range j + 1 {
			p.SetSym(i, j, zero[i]-one[i])
		}
	}
	var chol mat.Cholesky
	n = &normalPrior{mean: make([]float64, d), cov: mat.NewSymDense(d, nil)}
	if !chol.Factorize(p) || chol.InverseTo(n.cov) != nil || chol.SolveVecTo(mat.NewVecDense(d, n.mean), mat.NewVecDense(d, zero)) != nil {
		return nil, nil
	}
	ok, err := s.fits(n)
	return n.or(ok), err
}

func (n *normalPrior) or(ok bool) *normalPrior {
	if ok {
		return n
	}
	return nil
}

// notReject drops rejections: where the prior rejects it is no normal.
func notReject(err error) error {
	if infer.IsReject(err) {
		return nil
	}
	return err
}

// fits compares log density and gradient with the prior's at random points, to
// nine digits.
func (s *source) fits(n *normalPrior) (bool, error) {
	const points, digits = 6, 1e-9
	a := n.normal()
	if a == nil {
		return false, nil
	}
	d := len(n.mean)
	r := rng.New(1, "gvi/recognise", 1, 0)
	x, g, want := make([]float64, d), make([]float64, d), make([]float64, d)
	for k := range points {
		for i := range x {
			x[i] = variate.Normal(r) * libm.Exp(float64(k-2))
		}
		lp, err := s.prior(x, g)
		if err != nil {
			return false, notReject(err)
		}
		w := a.LogDensityGrad(x, want)
		if !(math.Abs(lp-w) <= digits*(1+math.Abs(w))) {
			return false, nil
		}
		for i := range g {
			if !(math.Abs(g[i]-want[i]) <= digits*(1+math.Abs(want[i]))) {
				return false, nil
			}
		}
	}
	return true, nil
}

// normal is the density; nil if it is none.
func (n *normalPrior) normal() *normal.Normal {
	if n.sd != nil {
		for i, s := range n.sd {
			if !(s > 0) || math.IsInf(s, 0) || math.IsNaN(n.mean[i]) {
				return nil
			}
		}
		return normal.NewDiagonal(n.mean, n.sd)
	}
	var chol mat.Cholesky
	if !chol.Factorize(n.cov) {
		return nil
	}
	var l mat.TriDense
	chol.LTo(&l)
	d := len(n.mean)
	flat := make([]float64, d*d)
	for i := range d {
		for j := range i + 1 {
			flat[i*d+j] = l.At(i, j)
		}
	}
	return normal.NewLower(n.mean, flat)
}
