package lang

// This file measures, in counts, what a method's chains take on other data than those at hand.

import (
	"context"
	"errors"

	"github.com/seed-12b88e03/ppl/diagnose/sbc"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// pilots is how many simulated data sets are fitted.
const pilots = 4

// pilot fits simulated data sets with chains as short as a plan may make them, and keeps how many
// evaluations a step took. Data that the prior expects need not be like those at hand, and a short
// warm-up leaves longer trajectories: a plan that counts on the fit's own may be off by a factor
// of ten.
func (c *Consultation) pilot(ctx context.Context) error {
	own, kernel := c.ownChains()
	if c.cost.steps == 0 || kernel.Row.Option("warmup") == nil || own.Row.UsesPart {
		return nil
	}
	least := sbc.LeastReplications * 2 * leastChain * c.cost.perStep() * c.cost.each
	if ok, _, err := c.model.Generative(); !ok || err != nil || c.Fit.Posterior.Incomplete || least > float64(c.budget())-c.cost.operations() {
		return err
	}
	cutChains(kernel, 2*leastChain)
	method, err := (&builder{program: c.model.Program, info: c.method.info}).build(own)
	if err != nil {
		return err
	}
	evaluations, steps := 0, 0
	for i := range uint64(pilots) {
		p, err := c.simulatedFit(ctx, method, i)
		if err != nil {
			return err
		}
		if p == nil || p.Draws.Kind() != draws.Chains {
			continue
		}
		e, s := chainWork(p)
		evaluations, steps = evaluations+e, steps+s
	}
	if steps > 0 {
		c.piloted, c.pilotWork = float64(evaluations)/float64(steps), float64(evaluations)*c.cost.each
	}
	return nil
}

// simulatedFit is the posterior of data drawn with a seed of their own; nil where no data can be
// drawn, or the fit fails: the diagnoses that come judge that.
func (c *Consultation) simulatedFit(ctx context.Context, method infer.Method, i uint64) (*infer.Posterior, error) {
	seed, q := c.options.Seed, make([]float64, c.model.bound.Dim())
	y, err := c.model.bound.DrawJoint(rng.New(seed, "consultation/pilot", 0, i), q)
	if err != nil {
		return nil, nil
	}
	m, err := c.model.bound.Rebound(y)
	if err != nil {
		return nil, nil
	}
	p, err := method.Run(ctx, m, infer.Options{Seed: seed, Jobs: c.options.Jobs, Replicate: i})
	var bug *infer.PanicError
	switch {
	case errors.As(err, &bug):
		return nil, err
	case err != nil || ctx.Err() != nil:
		return nil, nil
	}
	return p, nil
}

// ownChains is a copy of the method that may be cut, and the part of it that has chains.
func (c *Consultation) ownChains() (own, kernel *check.CheckedMethod) {
	own = clones{}.of(c.method.checked)
	dropCheck(own)
	kernel = own
	for kernel.Row.Option("warmup") == nil && kernel.Inner != nil {
		kernel = kernel.Inner
	}
	if kernel.Row.Option("max_draws") != nil {
		fixLengths(kernel, c.Fit.Posterior.Plan)
	}
	return own, kernel
}

// perStep is how many evaluations a step takes, on these data or on others, whichever is more.
func (c *Consultation) perStep() float64 { return max(c.cost.perStep(), c.piloted) }
