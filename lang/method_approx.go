package lang

// This file builds the methods that optimise: modes, approximations, coordinate ascent.

import (
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/cavi"
	"github.com/seed-12b88e03/ppl/infer/laplace"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/pathfinder"
	"github.com/seed-12b88e03/ppl/infer/vi"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// searchOf reads the optimiser's options.
func searchOf(c *check.CheckedMethod, s optimize.Settings) optimize.Settings {
	s.MaxIterations, s.TolRelObj = c.Int("iterations"), c.Real("tolerance")
	return s
}

func (b *builder) mode(c *check.CheckedMethod) (infer.Method, error) {
	o := optimize.DefaultOptions()
	o.Settings, o.Init, o.Jacobian = searchOf(c, o.Settings), b.start(c), c.Bool("jacobian")
	return optimize.New(o)
}

func (b *builder) laplace(c *check.CheckedMethod) (infer.Method, error) {
	o := laplace.DefaultOptions()
	o.Settings, o.Init, o.Draws = searchOf(c, o.Settings), b.start(c), c.Int("draws")
	return laplace.New(o)
}

func (b *builder) pathfinder(c *check.CheckedMethod) (infer.Method, error) {
	o := pathfinder.DefaultOptions()
	o.Settings, o.Init, o.Draws = searchOf(c, o.Settings), b.start(c), c.Int("draws")
	o.Paths, o.Samples, o.History = c.Int("paths"), c.Int("samples"), c.Int("history")
	return pathfinder.New(o)
}

func (b *builder) advi(c *check.CheckedMethod) (infer.Method, error) {
	o := vi.DefaultOptions()
	o.Family, o.Draws, o.Iterations = c.Text("family"), c.Int("draws"), c.Int("iterations")
	o.Tolerance, o.Samples, o.Init = c.Real("tolerance"), c.Int("samples"), b.start(c)
	o.Batch, o.Rank = c.Int("batch"), c.Int("rank")
	if c.Has("rank") && o.Family != vi.LowRank {
		return nil, methodError(c.Args["rank"].Loc, "option-without-effect", "rank belongs to family = %q, found family = %q", vi.LowRank, o.Family)
	}
	return vi.New(o)
}

// cavi returns discrete parameters factors of their own, on the joint density. What goes on
// from its density moves continuous parameters only.
func (b *builder) cavi(c *check.CheckedMethod) (infer.Method, error) {
	o := cavi.DefaultOptions()
	o.Draws, o.Iterations, o.Tolerance, o.Init = c.Int("draws"), c.Int("iterations"), c.Real("tolerance"), b.start(c)
	o.Blocks, o.Nonconjugate = blocking(c), c.Text("nonconjugate")
	o.Starts, o.Continuous = c.Int("starts"), b.continuous
	return cavi.New(o)
}

// summedOut builds methods whose result has continuous parameters only, where they have
// a choice.
func (b *builder) summedOut() *builder {
	c := *b
	c.continuous = true
	return &c
}

// factorises reports whether the model can be taken apart into factors. One of a single
// coordinate need not be.
func (m *Model) factorises(c *check.CheckedMethod) error {
	joint := m.bound.Joint()
	f, ok := joint.(infer.Factorisable)
	if !ok || joint.Dim() <= 1 {
		return nil
	}
	_, err := f.Factorise(blocking(c))
	return err
}
