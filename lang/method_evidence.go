package lang

// This file builds the methods that wrap another one and estimate the evidence.

import (
	"context"
	"fmt"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/ais"
	"github.com/seed-12b88e03/ppl/infer/bridge"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/infer/smc"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// kernel makes the Markov method that lends its kernel: the one inside, or the one that
// lies further in where wrappers only pass it on.
func (b *builder) kernel(c *check.CheckedMethod) (infer.Markov, error) {
	for c.Inner != nil {
		c = c.Inner
	}
	m, err := b.build(c)
	if err != nil {
		return nil, err
	}
	markov, ok := m.(infer.Markov)
	if !ok {
		return nil, methodError(c.Loc, "method-option", "%s has no Markov kernel", c.Row.Name)
	}
	return markov, nil
}

func (b *builder) ais(c *check.CheckedMethod) (infer.Method, error) {
	var kernel infer.Markov
	var from infer.Method
	var err error
	if c.Inner.Gives&check.GivesKernel != 0 {
		kernel, err = b.kernel(c.Inner)
	} else {
		if kernel, err = nuts.New(nuts.DefaultOptions()); err == nil {
			from, err = b.summedOut().inner(withDensity(c.Inner))
		}
	}
	if err != nil {
		return nil, err
	}
	o := ais.DefaultOptions(kernel)
	o.From, o.Steps, o.Chains, o.Schedule = from, c.Int("steps"), c.Int("chains"), c.Text("schedule")
	m, err := ais.New(o)
	if err != nil {
		return nil, err
	}
	return b.onStated(c, weightedMethod{direct(kernel, m), m}), nil
}

// A weightedMethod passes on that a method can have other numbers of draws.
type weightedMethod struct {
	infer.Method
	inner *ais.Method
}

// WithDraws is the method with another number of draws.
func (w weightedMethod) WithDraws(n int) infer.Method {
	inner := w.inner.WithDraws(n)
	if _, ok := w.Method.(directMethod); ok {
		return directMethod{inner}
	}
	return inner
}

// withDensity is the method whose own result has a density, below wrappers that only
// pass it on.
func withDensity(c *check.CheckedMethod) *check.CheckedMethod {
	for c.Row.Gives&check.GivesDensity == 0 && c.Inner != nil {
		c = c.Inner
	}
	return c
}

func (b *builder) smc(c *check.CheckedMethod) (infer.Method, error) {
	kernel, err := b.kernel(c.Inner)
	if err != nil {
		return nil, err
	}
	o := smc.DefaultOptions(kernel)
	o.Particles, o.Threshold, o.Moves, o.WasteFree = c.Int("particles"), c.Real("threshold"), c.Int("moves"), c.Bool("waste_free")
	m, err := smc.New(o)
	if err != nil {
		return nil, err
	}
	return b.onStated(c, direct(kernel, m)), nil
}

// A directMethod anneals the discrete parameters themselves where they cannot be summed
// out: more to move, but no table.
type directMethod struct{ infer.Method }

// direct lets a method do so if its kernel moves them.
func direct(kernel infer.Markov, m infer.Method) infer.Method {
	if _, ok := kernel.(jointMethod); ok {
		return directMethod{m}
	}
	return m
}

// Run implements infer.Method.
func (d directMethod) Run(ctx context.Context, m infer.Model, o infer.Options) (*infer.Posterior, error) {
	b, ok := m.(interface {
		Joint() infer.Model
		Summable() error
	})
	if ok && b.Summable() != nil {
		m = b.Joint()
	}
	return d.Method.Run(ctx, m, o)
}

func (b *builder) bridge(c *check.CheckedMethod) (infer.Method, error) {
	inner, err := b.summedOut().inner(c.Inner)
	if err != nil {
		return nil, err
	}
	o := bridge.DefaultOptions(inner)
	o.Iterations, o.Tolerance = c.Int("iterations"), c.Real("tolerance")
	m, err := bridge.New(o)
	if err != nil {
		return nil, fmt.Errorf("bridge: %w", err)
	}
	return m, nil
}
