// This file is the method fvi: divergences to the posterior.

package gvi

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// ComparatorOptions are the settings of fvi.
type ComparatorOptions struct {
	Fit
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
	return &Comparator{o}, nil
}

// Name implements infer.Method.
func (m *Comparator) Name() string { return "fvi" }

// Config is the method's settings in CmdStan's tree.
func (m *Comparator) Config() []draws.Entry {
	name := fmt.Sprintf("%s(%g)", m.options.Divergence, m.options.Order)
	return m.options.config("fvi", draws.Entry{Name: "divergence", Value: name, Default: name == "renyi(0.5)"})
}

// Run implements infer.Method. Cut short, it draws from the approximation so far.
func (m *Comparator) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	r := &run{name: "fvi", fit: m.options.Fit, config: m.Config(), model: model, options: o}
	return r.run(ctx, func(rec *infer.Recorder) (infer.Approximation, error) { return r.approximate(rec, m.energy) })
}

// energy is the objective of fvi on a model.
func (m *Comparator) energy(r *run) (energy, error) {
	order := 1 - m.options.Order
	if m.options.Divergence == divergence.Renyi || order == 0 {
		return &bound{src: r.src, order: order}, nil
	}
	obs, err := observations(r.model, "fvi with divergence = alpha", 0, "divergence = renyi")
	if err != nil {
		return nil, err
	}
	if r.src.parts, err = infer.Split("fvi with divergence = alpha", r.ev); err != nil {
		return nil, err
	}
	n := obs.Len()
	if n == 0 {
		return &bound{src: r.src, order: order}, nil
	}
	return &factors{src: r.src, obs: obs, order: order, l: make([]float64, n), byL: make([]float64, n)}, nil
}

// bound is -1/order log E_q[(p/q)^order], or for order 0 -E_q[log p/q].
type bound struct {
	src    *source
	order  float64
	terms  []float64
	shares []float64
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
		lp, err := b.src.joint(x, points.gx[k])
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

// factors is -1/order sum over i of log E_q[(p_i (pi/q)^(1/n))^order].
type factors struct {
	src   *source
	obs   infer.Observations
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
	n := float64(len(f.l))
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
		v -= infer.LogSumExp(t) / f.order
		infer.Weights(t, t)
	}
	for k, x := range b.x {
		var share float64
		for i, t := range f.terms {
			f.byL[i] = -t[k]
			share += t[k] / n
		}
		floats.Scale(-share, b.gx[k])
		b.gl[k] = share
		if err := f.obs.PullTerms(x, f.byL, nil, b.gx[k]); err != nil {
			return 0, err
		}
	}
	return v, nil
}
