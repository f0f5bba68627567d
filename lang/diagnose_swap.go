package lang

// This file says which model simulates for a diagnosis: what wraps a prior_swap
// simulates from the new priors.

import (
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// generator is the model that a diagnosis simulates from: the one with the priors of the
// outermost prior_swap inside, or the model itself.
func (b *builder) generator(c *check.CheckedMethod, m *Model) (*bind.Model, error) {
	for ; c != nil; c = c.Inner {
		if len(c.Swap) == 0 {
			continue
		}
		s, err := b.priors(c)(m.bound)
		if err != nil {
			return nil, err
		}
		return s.Model().(*bind.Model), nil
	}
	return m.bound, nil
}

// An exchanged model draws data sets from new priors, and is rebound to them with the old
// ones, for a method that swaps the priors itself.
type exchanged struct {
	*bind.Model
	from *bind.Model
}

// DrawJoint implements infer.Simulator.
func (s exchanged) DrawJoint(r *rand.Rand, q []float64) (infer.Dataset, error) {
	return s.from.DrawJoint(r, q)
}
