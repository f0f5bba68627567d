// This file is the method fvi: divergences to the posterior.

package gvi

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// ComparatorOptions are the settings of fvi.
type ComparatorOptions struct {
	Fit
	Adam
	Point      []string        // parameters of the likelihood that are estimated by a point, with Renyi
	Divergence divergence.Kind // Renyi or Alpha
	Order      float64         // positive; 1 is the evidence lower bound
}

// DefaultComparatorOptions are those of the language.
func DefaultComparatorOptions() ComparatorOptions {
	return ComparatorOptions{Fit: defaultFit(), Divergence: divergence.Renyi, Order: 0.5}
}

// Comparator is fvi; it implements infer.Method.
type Comparator struct{ options ComparatorOptions }

// NewComparator checks the options and returns the method.
func NewComparator(o ComparatorOptions) (*Comparator, error) {
	if err := o.check("fvi", MeanField, FullRank, LowRank); err != nil {
		return nil, err
	}
	if o.Divergence != divergence.Renyi && o.Divergence != divergence.Alpha {
		return nil, fmt.Errorf("fvi: divergence must be renyi(a) or alpha(a), found %s; gvi takes the others, from the prior", o.Divergence)
	}
	if !(o.Order > 0) || math.IsInf(o.Order, 0) {
		return nil, fmt.Errorf("fvi: the order of %s must be positive and finite, found %g", o.Divergence, o.Order)
	}
	if len(o.Point) > 0 && o.Divergence == divergence.Alpha {
		return nil, fmt.Errorf("fvi: point takes divergence = renyi(a), found alpha(%g)", o.Order)
	}
	if err := o.checkAdam("fvi", o.Fit); err != nil {
		return nil, err
	}
	if o.Batch > 0 && o.Epochs == 0 {
		return nil, fmt.Errorf("fvi: batch needs epochs, for which steps of ADAM are made; without them fvi goes to the optimum of its objective at fixed points and takes all terms of the likelihood")
	}
	return &Comparator{o}, nil
}

// Name implements infer.Method.
func (m *Comparator) Name() string { return "fvi" }

// Config is the method's settings in CmdStan's tree.
func (m *Comparator) Config() []draws.Entry {
	name := fmt.Sprintf("%s(%g)", m.options.Divergence, m.options.Order)
	return m.options.config("fvi", append(m.options.adamConfig(), draws.Entry{Name: "point", Value: strings.Join(m.options.Point, " "), Default: len(m.options.Point) == 0}, draws.Entry{Name: "divergence", Value: name, Default: name == "renyi(0.5)"})...)
}

// Run implements infer.Method. Cut short, it draws from the approximation so far.
func (m *Comparator) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	r := &run{name: "fvi", fit: m.options.Fit, config: m.Config(), model: model, options: o}
	return r.run(ctx, func(rec *infer.Recorder) (infer.Approximation, error) {
		if m.options.Epochs > 0 {
			return r.byAdam(rec, m.options.Adam, m.energy)
		}
		return r.approximate(rec, m.energy)
	})
}

// energy is the objective of fvi on a model.
func (m *Comparator) energy(r *run) (energy, error) {
	order := 1 - m.options.Order
	if len(m.options.Point) > 0 {
		if err := m.points(r); err != nil {
			return nil, err
		}
	}
	if m.options.Divergence == divergence.Renyi || order == 0 {
		return &bound{src: r.src, order: order}, nil
	}
	obs, err := observations(r.model, "fvi with divergence = alpha", 0, "divergence = renyi")
	if err != nil {
		return nil, err
	}
	if b := r.src.batches; b != nil {
		r.src.parts = b
	} else if r.src.parts, err = infer.Split("fvi with divergence = alpha", r.ev); err != nil {
		return nil, err
	}
	all := obs.Len()
	obs, scale, err := r.src.batches.observations(obs)
	if err != nil {
		return nil, err
	}
	n := obs.Len()
	if n == 0 {
		return &bound{src: r.src, order: order}, nil
	}
	return &factors{src: r.src, obs: obs, all: float64(all), scale: scale, order: order, l: make([]float64, n), byL: make([]float64, n)}, nil
}

// points prepares parameters that are estimated by a point.
func (m *Comparator) points(r *run) (err error) {
	if b := r.src.batches; b != nil {
		r.src.parts = b
	} else if r.src.parts, err = infer.Split("fvi with point", r.ev); err != nil {
		return err
	}
	r.src.points, err = newPoints(r, m.options.Point)
	return err
}

// bound is -1/order log E_q[(p/q)^order], or for order 0 -E_q[log p/q].
type bound struct {
	src    *source
	order  float64
	terms  []float64
	shares []float64
	// Where there are points: the other coordinates, and the gradient of the prior.
	own, gp []float64
	// effective is the number of points that the last value rested on.
	effective float64
}

// escaped reports that the optimum on the points is none: with few random points a
// value for order > 0 is largest where q is ever wider in a direction in which one
// of them does not move.
func (b *bound) escaped() bool { return b.order > 0 && b.effective < 5 }

func (b *bound) prepare(_ family, n *nodes) {
	b.terms, b.shares = make([]float64, len(n.w)), make([]float64, len(n.w))
}

// warm is the evidence lower bound, for other orders.
func (b *bound) warm() energy {
	if b.order == 0 {
		return nil
	}
	return &bound{src: b.src}
}

// at implements energy.
func (b *bound) at(points *batch) (float64, error) {
	var mean float64
	for k, x := range points.x {
		lp, err := b.density(x, points.gx[k])
		if err != nil {
			return 0, err
		}
		ratio := lp - points.lq[k]
		mean += float64(points.w[k] * ratio)
		b.terms[k] = libm.Log(points.w[k]) + float64(b.order*ratio)
	}
	b.effective = math.Inf(1)
	v := -mean
	copy(b.shares, points.w)
	if b.order != 0 {
		infer.Weights(b.terms, b.shares)
		b.effective = infer.ESSWeights(b.terms)
		v = -infer.LogSumExp(b.terms) / b.order
	}
	for k, s := range b.shares {
		floats.Scale(-s, points.gx[k])
		points.gl[k] = s
	}
	return v, nil
}

// density is that of data and parameters, of those only that have a density.
func (b *bound) density(x, grad []float64) (float64, error) {
	p := b.src.points
	if p == nil {
		return b.src.joint(x, grad)
	}
	if len(b.own) == 0 {
		b.own, b.gp = newVector(len(p.kept)), newVector(len(p.kept))
	}
	p.gather(x, b.own)
	prior, err := b.src.prior(b.own, b.gp)
	if err != nil {
		return 0, err
	}
	l, err := b.src.likelihood(x, grad)
	p.addScaled(grad, 1, b.gp)
	return prior + l, err
}

// factors is -1/order sum over i of log E_q[(p_i (pi/q)^(1/n))^order].
type factors struct {
	src   *source
	obs   infer.Observations
	all   float64 // how many observations there are, of which obs may be some
	scale float64 // what one of obs counts
	order float64
	l     []float64
	byL   []float64
	terms [][]float64 // of each observation: its exponents at the points
}

func (f *factors) prepare(_ family, n *nodes) {
	f.terms = make([][]float64, len(f.l))
	for i := range f.terms {
		f.terms[i] = make([]float64, len(n.w))
	}
}

// at implements energy. The terms become each observation's shares of the points.
func (f *factors) at(b *batch) (float64, error) {
	n := f.all
	for k, x := range b.x {
		lp, err := f.src.prior(x, b.gx[k])
		if err == nil {
			err = f.obs.LogTerms(x, f.l, nil)
		}
		if err != nil {
			return 0, err
		}
		for i, l := range f.l {
			f.terms[i][k] = libm.Log(b.w[k]) + float64(f.order*(l+(lp-b.lq[k])/n))
		}
	}
	var v float64
	for _, t := range f.terms {
		v -= f.scale * infer.LogSumExp(t) / f.order
		infer.Weights(t, t)
	}
	for k, x := range b.x {
		var share float64
		for i, t := range f.terms {
			f.byL[i] = -f.scale * t[k]
			share += f.scale * t[k] / n
		}
		floats.Scale(-share, b.gx[k])
		b.gl[k] = share
		if err := f.obs.PullTerms(x, f.byL, nil, b.gx[k]); err != nil {
			return 0, err
		}
	}
	return v, nil
}
