// This file is prior swapping to a prior that is known by draws only: Algorithm 5.

package swap

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

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
		Inner: Times(o.Inner, func(m infer.Model) ([]int, [][]float64, error) { return allCoords(m.Dim()), o.Prior, nil }), With: o.With, From: Semiparametric,
		Priors: func(m infer.Model) (Priors, error) { return divided{m, o.Old}, nil },
	})
}

// mostFactors bounds the draws of each factor of the product, whose pairs are all looked at.
const mostFactors = 2000

// A Factor gives draws of a density of some of a model's unconstrained coordinates, ascending.
type Factor func(infer.Model) (coords []int, draws [][]float64, err error)

// Times is a method whose draws are from the posterior of another one times a density that is known by draws: the first
// half of Algorithm 5. Coordinates that the density is not of are those of the other method's draw in each pair.
func Times(m infer.Method, f Factor) infer.Method { return times{m, f} }

type times struct {
	infer.Method
	factor Factor
}

// Run implements infer.Method.
func (t times) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	coords, factor, err := t.factor(model)
	if err != nil {
		return nil, err
	}
	inner := o
	inner.KeepUnconstrained, inner.Observer = true, nil
	p, err := t.Method.Run(ctx, model, inner)
	if err != nil || ctx.Err() != nil {
		return p, err
	}
	sample := thinned(equallyWeighted(p, o), mostFactors)
	product, white, err := multiply(ctx, sample, coords, factor)
	if err != nil {
		return nil, err
	}
	rec, err := infer.NewRecorder(model, model.NewEvaluator(), o, draws.Plan{Method: t.Name(), Draws: densityDraws}, 0)
	if err != nil {
		return nil, err
	}
	r := rng.New(o.Seed, "prior_swap/product", 0, o.Replicate)
	z, place := make([]float64, white.Dim()), make([]float64, white.Dim())
	first, second := make([]float64, len(sample)), make([]float64, len(product.b))
	for range densityDraws {
		if ctx.Err() != nil {
			break
		}
		i, j := product.Draw(r, z)
		first[i]++
		second[j]++
		q := slices.Clone(sample[i])
		white.Place(z, place)
		for k, c := range coords {
			q[c] = place[k]
		}
		if err := rec.Draw(q, 0); err != nil {
			return nil, err
		}
	}
	out, err := rec.End(context.Cause(ctx))
	if err == nil {
		out.Swap = &infer.SwapReport{From: Multiplied, Widened: product.widened(), Factors: min(effective(first), effective(second)), Inner: p.Swap}
	}
	return out, err
}

// effective is how many draws in effect were drawn from, by how often each was: less what chance alone makes uneven.
func effective(counts []float64) float64 {
	var n, squares float64
	for _, c := range counts {
		n, squares = n+c, squares+float64(c*c)
	}
	return n * n / max(squares-n, n)
}

// widened is by how much, at most, a spread of either factor is wider for being smoothed. The first one's are 1.
func (p *Product) widened() (most float64) {
	for k := range p.b[0] {
		var mean, square float64
		for _, b := range p.b {
			mean += b[k] / float64(len(p.b))
			square += float64(b[k]*b[k]) / float64(len(p.b))
		}
		most = max(most, math.Sqrt(1+float64(p.h*p.h)/min(1, square-float64(mean*mean)))-1)
	}
	return most
}

// multiply multiplies a sample and draws of some coordinates, in coordinates that the sample is white in.
func multiply(ctx context.Context, sample [][]float64, coords []int, factor [][]float64) (*Product, *normal.Normal, error) {
	if len(sample) == 0 || len(factor) == 0 || len(factor[0]) != len(coords) {
		return nil, nil, fmt.Errorf("the draws of the new prior are not of %d coordinates", len(coords))
	}
	white, err := fitNormal(sample, coords)
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
	some := make([][]float64, len(sample))
	for i, q := range sample {
		for _, c := range coords {
			some[i] = append(some[i], q[c])
		}
	}
	p, err := NewProduct(ctx, whitened(some), nil, whitened(thinned(factor, mostFactors)), nil)
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
