// This file is prior swapping to a prior that is known by draws only: Algorithm 5.

package swap

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// SampledOptions are the settings of NewSampled.
type SampledOptions struct {
	Inner infer.Method // gives the false posterior
	With  infer.Method // samples what is left after the old prior has been divided out
	Prior [][]float64  // draws of the new prior: points of the model on the unconstrained scale
	// Old makes a target for one goroutine with the log density of the old prior on the
	// unconstrained scale, log Jacobian of the constraint transforms included.
	Old func(infer.Model) infer.Target
}

// NewSampled is the method for a new prior without a density. The false posterior's draws
// and the prior's are multiplied by Algorithm 4; the semiparametric estimate of that
// product, divided by the old prior, is sampled as Algorithm 1 does it. Both smooth: the
// error falls with T^(-2/(4+d)) for T draws in d coordinates, so this is for few.
func NewSampled(o SampledOptions) (*Method, error) {
	if o.Inner == nil || o.Old == nil || len(o.Prior) == 0 {
		return nil, errors.New("prior_swap: a method to wrap, draws of the new prior and the old prior must be given")
	}
	return New(Options{
		Inner: times{o.Inner, o.Prior}, With: o.With, From: Semiparametric,
		Priors: func(m infer.Model) (Priors, error) { return divided{m, o.Old}, nil },
	})
}

// mostFactors bounds the draws of each factor of the product, whose pairs are all looked at.
const mostFactors = 2000

// times is a method whose draws are from the posterior of another one times a density that
// is known by draws.
type times struct {
	infer.Method
	factor [][]float64
}

// Run implements infer.Method.
func (t times) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	inner := o
	inner.KeepUnconstrained, inner.Observer = true, nil
	p, err := t.Method.Run(ctx, model, inner)
	if err != nil || ctx.Err() != nil {
		return p, err
	}
	sample := thinned(equallyWeighted(p, o), mostFactors)
	product, white, err := t.product(ctx, sample)
	if err != nil {
		return nil, err
	}
	rec, err := infer.NewRecorder(model, model.NewEvaluator(), o, draws.Plan{Method: t.Name(), Draws: densityDraws}, 0)
	if err != nil {
		return nil, err
	}
	r := rng.New(o.Seed, "prior_swap/product", 0, o.Replicate)
	z, q := make([]float64, white.Dim()), make([]float64, white.Dim())
	for range densityDraws {
		if ctx.Err() != nil {
			break
		}
		product.Draw(r, z)
		white.Place(z, q)
		if err := rec.Draw(q, 0); err != nil {
			return nil, err
		}
	}
	return rec.End(context.Cause(ctx))
}

// product multiplies a sample and the factor, in coordinates that the sample is white in.
func (t times) product(ctx context.Context, sample [][]float64) (*Product, *normal.Normal, error) {
	if len(sample) == 0 || len(t.factor[0]) != len(sample[0]) {
		return nil, nil, fmt.Errorf("the draws of the new prior have %d coordinates; those of the posterior must be as many", len(t.factor[0]))
	}
	white, err := fitNormal(sample, allCoords(len(sample[0])))
	if err != nil {
		return nil, nil, err
	}
	whitened := func(points [][]float64) [][]float64 {
		out := make([][]float64, len(points))
		for i, q := range points {
			out[i] = make([]float64, len(q))
			white.Whiten(q, out[i])
		}
		return out
	}
	p, err := NewProduct(ctx, whitened(sample), nil, whitened(thinned(t.factor, mostFactors)), nil)
	return p, white, err
}

// divided takes the old prior out. The model under the new prior is not known: that of
// the rows is the first one.
type divided struct {
	model infer.Model
	old   func(infer.Model) infer.Target
}

// Model implements Priors.
func (d divided) Model() infer.Model { return d.model }

// Coords implements Priors.
func (d divided) Coords() []int { return allCoords(d.model.Dim()) }

func allCoords(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// Difference implements Priors.
func (d divided) Difference() infer.Target { return minus{d.old(d.model)} }

// minus is a target with its sign turned; where that is zero, this is, too.
type minus struct{ infer.Target }

// LogDensity implements infer.Target.
func (m minus) LogDensity(q []float64) (float64, error) {
	lp, err := m.Target.LogDensity(q)
	return turned(lp), err
}

// LogDensityGrad implements infer.Target.
func (m minus) LogDensityGrad(q, grad []float64) (float64, error) {
	lp, err := m.Target.LogDensityGrad(q, grad)
	for i, g := range grad {
		grad[i] = -g
	}
	return turned(lp), err
}

func turned(lp float64) float64 {
	if math.IsInf(lp, -1) {
		return lp
	}
	return -lp
}
