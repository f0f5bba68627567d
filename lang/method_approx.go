package lang

// This file builds the methods that optimise: modes and approximations.

import (
	"github.com/seed-12b88e03/ppl/infer"
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
