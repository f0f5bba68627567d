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

// startOf is where a method that optimises starts.
func startOf(c *check.CheckedMethod, init infer.Init) infer.Init {
	if len(init.Points) == 0 {
		init.Radius = c.Real("init")
	}
	return init
}

// searchOf reads the optimiser's options.
func searchOf(c *check.CheckedMethod, s optimize.Settings) optimize.Settings {
	s.MaxIterations, s.TolRelObj = c.Int("iterations"), c.Real("tolerance")
	return s
}

func buildMap(c *check.CheckedMethod, init infer.Init) (infer.Method, error) {
	o := optimize.DefaultOptions()
	o.Settings, o.Init, o.Jacobian = searchOf(c, o.Settings), startOf(c, init), c.Bool("jacobian")
	return optimize.New(o)
}

func buildLaplace(c *check.CheckedMethod, init infer.Init) (infer.Method, error) {
	o := laplace.DefaultOptions()
	o.Settings, o.Init, o.Draws = searchOf(c, o.Settings), startOf(c, init), c.Int("draws")
	return laplace.New(o)
}

func buildPathfinder(c *check.CheckedMethod, init infer.Init) (infer.Method, error) {
	o := pathfinder.DefaultOptions()
	o.Settings, o.Init, o.Draws = searchOf(c, o.Settings), startOf(c, init), c.Int("draws")
	o.Paths, o.Samples, o.History = c.Int("paths"), c.Int("samples"), c.Int("history")
	return pathfinder.New(o)
}

func buildADVI(c *check.CheckedMethod, init infer.Init) (infer.Method, error) {
	o := vi.DefaultOptions()
	o.Family, o.Draws, o.Iterations = c.Text("family"), c.Int("draws"), c.Int("iterations")
	o.Tolerance, o.Samples, o.Init = c.Real("tolerance"), c.Int("samples"), startOf(c, init)
	if c.Has("batch") {
		o.Batch = c.Int("batch")
	}
	if c.Has("rank") {
		o.Rank = c.Int("rank")
	}
	return vi.New(o)
}
