package lang

// This file says which model a prior_swap is about: what wraps one simulates from the new
// priors, and anneals to the posterior under them.

import (
	"context"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// generator is the model that a diagnosis simulates from: the one with the priors of the
// prior_swaps inside, or the model itself.
func (b *builder) generator(c *check.CheckedMethod, m *Model) (*bind.Model, error) {
	s, err := b.restater(c)(m.bound)
	if err != nil {
		return nil, err
	}
	return s.(*bind.Model), nil
}

// restater exchanges the priors of a model as the prior_swaps of a method do, the
// innermost first.
func (b *builder) restater(c *check.CheckedMethod) func(infer.Model) (infer.Model, error) {
	if c == nil {
		return func(m infer.Model) (infer.Model, error) { return m, nil }
	}
	inner := b.restater(c.Inner)
	if len(c.Swap) == 0 {
		return inner
	}
	priors := b.priors(c)
	return func(m infer.Model) (infer.Model, error) {
		m, err := inner(m)
		if err != nil {
			return nil, err
		}
		s, err := priors(m)
		if err != nil {
			return nil, err
		}
		return s.Model(), nil
	}
}

// modelAdapter runs a method that takes no more than a kernel or a density from a prior_swap
// inside on the model with the new priors.
type modelAdapter struct {
	infer.Method
	restate func(infer.Model) (infer.Model, error)
}

// onStated is the method m that c describes, on the model with the new priors of c.
func (b *builder) onStated(c *check.CheckedMethod, m infer.Method) infer.Method {
	for in := c.Inner; in != nil; in = in.Inner {
		if len(in.Swap) > 0 {
			return modelAdapter{m, b.restater(c)}
		}
	}
	return m
}

// ForModel implements infer.ModelAdapter.
func (r modelAdapter) ForModel(m infer.Model) (infer.Model, error) { return r.restate(m) }

// Run implements infer.Method.
func (r modelAdapter) Run(ctx context.Context, m infer.Model, o infer.Options) (*infer.Posterior, error) {
	m, err := r.restate(m)
	if err != nil {
		return nil, err
	}
	return r.Method.Run(ctx, m, o)
}

// An exchanged model draws data sets from new priors, and is rebound to them with the old
// ones, for a method that swaps the priors itself.
type exchanged struct {
	*bind.Model
	from *bind.Model
}

// stated is a model that draws data sets from another one with new priors, where there are some.
func stated(m, from *bind.Model) infer.Model {
	if from != m {
		return exchanged{m, from}
	}
	return m
}

// Given is the model with the old priors.
func (s exchanged) Given() infer.Model { return s.Model }

// DrawJoint implements infer.Simulator.
func (s exchanged) DrawJoint(r *rand.Rand, q []float64) (infer.Dataset, error) {
	return s.from.DrawJoint(r, q)
}
