// This file is the path between two densities as a target.

package anneal

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
)

// Source is where a path starts and what it anneals: one for each goroutine.
type Source interface {
	infer.Tempered
	infer.PriorSampler
}

// Path is the target prior + beta*likelihood at a beta that can be moved. It
// implements infer.Annealed, and infer.Mixed for those who ask. It remembers
// the parts at the last two points, so that asking again costs nothing, be it
// about a point that a proposal was made from or about the proposal.
type Path struct {
	base   infer.Tempered
	ctx    context.Context
	beta   float64
	recent [2]memo // the one used last comes first
	count  int
}

// memo is what is known of a point.
type memo struct {
	at                []float64
	known             bool // the parts are numbers
	prior, likelihood float64
}

// NewPath returns the path at beta 0. Once ctx is done its evaluations fail
// with ctx's error.
func NewPath(ctx context.Context, base infer.Tempered) *Path {
	n := base.Dim()
	return &Path{base: base, ctx: ctx, recent: [2]memo{{at: make([]float64, n)}, {at: make([]float64, n)}}}
}

// Dim implements infer.Target.
func (p *Path) Dim() int { return p.base.Dim() }

// Beta implements infer.Annealed.
func (p *Path) Beta() float64 { return p.beta }

// Base implements infer.Annealed.
func (p *Path) Base() infer.Tempered { return p.base }

// Evaluations is how often the log density or its gradient was asked for. What was
// remembered counts, so that the number does not depend on who has been where.
func (p *Path) Evaluations() int { return p.count }

// SetBeta moves along the path.
func (p *Path) SetBeta(beta float64) { p.beta = beta }

// Whole implements infer.Mixed.
func (p *Path) Whole() []infer.Range {
	if m, ok := infer.Capability[infer.Mixed](p.base); ok {
		return m.Whole()
	}
	return nil
}

// Parts are the log prior and log likelihood at q, whatever beta. Where the
// model rejects q or has no number for it, both are -Inf and there is no error.
func (p *Path) Parts(q []float64) (prior, likelihood float64, err error) {
	if m := p.recall(q); m != nil {
		return m.prior, m.likelihood, nil
	}
	prior, likelihood, err = p.evaluate(q)
	if err != nil && infer.IsReject(err) || err == nil && math.IsNaN(prior+likelihood) {
		return math.Inf(-1), math.Inf(-1), nil
	}
	return prior, likelihood, err
}

// recall finds what is known of q, or nil, and moves it to the front.
func (p *Path) recall(q []float64) *memo {
	for i := range p.recent {
		if m := &p.recent[i]; m.known && slices.Equal(m.at, q) {
			if i > 0 {
				p.recent[0], p.recent[1] = p.recent[1], p.recent[0]
			}
			return &p.recent[0]
		}
	}
	return nil
}

func (p *Path) evaluate(q []float64) (prior, likelihood float64, err error) {
	if err := p.ctx.Err(); err != nil {
		return 0, 0, err
	}
	prior, likelihood, err = p.base.LogDensityParts(q)
	p.remember(q, prior, likelihood, err)
	return prior, likelihood, err
}

// remember puts q to the front, in the place of the one that was used before
// the last.
func (p *Path) remember(q []float64, prior, likelihood float64, err error) {
	p.recent[0], p.recent[1] = p.recent[1], p.recent[0]
	m := &p.recent[0]
	copy(m.at, q)
	m.known, m.prior, m.likelihood = err == nil && !math.IsNaN(prior+likelihood), prior, likelihood
}

// LogDensity implements infer.Target.
func (p *Path) LogDensity(q []float64) (float64, error) {
	p.count++
	if m := p.recall(q); m != nil {
		return mix(m.prior, m.likelihood, p.beta), nil
	}
	prior, likelihood, err := p.evaluate(q)
	if err != nil {
		return math.NaN(), err
	}
	return mix(prior, likelihood, p.beta), nil
}

// LogDensityGrad implements infer.Target.
func (p *Path) LogDensityGrad(q, grad []float64) (float64, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	p.count++
	prior, likelihood, err := p.base.LogDensityPartsGrad(q, p.beta, grad)
	p.remember(q, prior, likelihood, err)
	if err != nil {
		return math.NaN(), err
	}
	return mix(prior, likelihood, p.beta), nil
}

// mix takes 0 times an infinite likelihood as 0.
func mix(prior, likelihood, beta float64) float64 {
	if beta == 0 {
		return prior
	}
	return prior + float64(beta*likelihood)
}

// Between is the path from an approximation to the posterior in the form of
// infer.Tempered: its "prior" is log q, its "likelihood" what is missing to the
// log density of the model, constants and Jacobian included. It implements
// Source.
type Between struct {
	from  infer.Approximation
	to    infer.Tempered
	other []float64 // scratch: gradient of the model
}

// NewBetween joins an approximation and a model of the same dimension.
func NewBetween(from infer.Approximation, to infer.Tempered) *Between {
	return &Between{from: from, to: to, other: make([]float64, to.Dim())}
}

// Dim implements infer.Target.
func (b *Between) Dim() int { return b.to.Dim() }

// LogDensity implements infer.Target: the end of the path.
func (b *Between) LogDensity(q []float64) (float64, error) {
	prior, likelihood, err := b.to.LogDensityParts(q)
	return prior + likelihood, err
}

// LogDensityGrad implements infer.Target: the end of the path.
func (b *Between) LogDensityGrad(q, grad []float64) (float64, error) {
	prior, likelihood, err := b.to.LogDensityPartsGrad(q, 1, grad)
	return prior + likelihood, err
}

// LogDensityParts implements infer.Tempered.
func (b *Between) LogDensityParts(q []float64) (prior, likelihood float64, err error) {
	lp, err := b.LogDensity(q)
	lq := b.from.LogDensity(q)
	return lq, lp - lq, err
}

// LogDensityPartsGrad implements infer.Tempered.
func (b *Between) LogDensityPartsGrad(q []float64, beta float64, grad []float64) (prior, likelihood float64, err error) {
	lp, err := b.LogDensityGrad(q, b.other)
	if err != nil {
		return math.NaN(), math.NaN(), err
	}
	lq := b.from.LogDensityGrad(q, grad)
	for i, g := range b.other {
		grad[i] += float64(beta * (g - grad[i]))
	}
	return lq, lp - lq, nil
}

// DrawPrior implements infer.PriorSampler.
func (b *Between) DrawPrior(r *rand.Rand, q []float64) error {
	b.from.Draw(r, q)
	return nil
}

// NewSource is the path's base for a target: the model's own prior and
// likelihood. The error names the method and what the model lacks.
func NewSource(method string, t infer.Target) (Source, error) {
	tempered, err := infer.Split(method, t)
	if err != nil {
		return nil, err
	}
	prior, ok := infer.Capability[infer.PriorSampler](t)
	if !ok {
		return nil, &infer.MissingError{Method: method, Needs: "a proper prior to draw from"}
	}
	return source{tempered, prior}, nil
}

type source struct {
	infer.Tempered
	infer.PriorSampler
}

// Unwrap implements infer.Wrapper.
func (s source) Unwrap() infer.Target { return s.Tempered }
