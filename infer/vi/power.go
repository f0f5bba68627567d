// This file has targets whose likelihood is raised to a power.

package vi

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/infer"
)

// powered is prior + power*likelihood of a target.
type powered struct {
	infer.Tempered
	target infer.Target // fails once the run is interrupted
	ctx    context.Context
	power  float64
	sub    infer.Subsampled // nil without minibatches
	rest   []float64        // scratch: gradient of what is in no term
}

// newPowered makes it of t, which fails once the run is interrupted.
func newPowered(ctx context.Context, method string, t infer.Target, sub infer.Subsampled, power float64) (*powered, error) {
	parts, err := infer.Split(method, t)
	if err != nil {
		return nil, err
	}
	return &powered{Tempered: parts, target: t, ctx: ctx, power: power, sub: sub, rest: make([]float64, t.Dim())}, nil
}

// LogDensity implements infer.Target.
func (p *powered) LogDensity(q []float64) (float64, error) {
	if p.ctx.Err() != nil {
		return p.target.LogDensity(q) // fails as interrupted evaluations do
	}
	prior, likelihood, err := p.LogDensityParts(q)
	return prior + float64(p.power*likelihood), err
}

// LogDensityGrad implements infer.Target.
func (p *powered) LogDensityGrad(q, grad []float64) (float64, error) {
	if p.ctx.Err() != nil {
		return p.target.LogDensity(q)
	}
	prior, likelihood, err := p.LogDensityPartsGrad(q, p.power, grad)
	return prior + float64(p.power*likelihood), err
}

// Terms implements infer.Subsampled.
func (p *powered) Terms() (int, error) { return p.sub.Terms() }

// LogDensityGradTerms implements infer.Subsampled: no terms at all give what is in none.
func (p *powered) LogDensityGradTerms(q []float64, terms []int, grad []float64) (float64, error) {
	rest, err := p.sub.LogDensityGradTerms(q, nil, p.rest)
	if err != nil {
		return 0, err
	}
	all, err := p.sub.LogDensityGradTerms(q, terms, grad)
	floats.Scale(p.power, grad)
	vec.AddScaled(grad, 1-p.power, p.rest)
	return rest + float64(p.power*(all-rest)), err
}
