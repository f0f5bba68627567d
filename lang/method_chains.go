package lang

// This file builds hmc, mh and the methods for the evidence.

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/ais"
	"github.com/seed-12b88e03/ppl/infer/bridge"
	"github.com/seed-12b88e03/ppl/infer/hmc"
	"github.com/seed-12b88e03/ppl/infer/mh"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/infer/smc"
	"github.com/seed-12b88e03/ppl/lang/check"
)

func buildHMC(c *check.CheckedMethod, init infer.Init) (infer.Method, error) {
	o := hmc.DefaultOptions()
	o.MarkovOptions = chainOptionsOf(c, init)
	o.Delta, o.Metric, o.Leapfrogs = c.Real("delta"), metricOf(c), c.Int("leapfrogs")
	if c.Has("step_size") {
		o.StepSize = c.Real("step_size")
	}
	return hmc.New(o)
}

func buildMH(c *check.CheckedMethod, init infer.Init) (infer.Method, error) {
	o := mh.DefaultOptions()
	o.MarkovOptions, o.Proposal = chainOptionsOf(c, init), c.Text("proposal")
	if c.Has("step_size") {
		o.StepSize = c.Real("step_size")
	}
	return mh.New(o)
}

// kernelOf is the wrapped method, which must be a Markov method.
func kernelOf(c *check.CheckedMethod, init infer.Init) (infer.Markov, error) {
	inner, err := build(c.Inner, init)
	if err != nil {
		return nil, err
	}
	kernel, ok := inner.(infer.Markov)
	if !ok {
		return nil, fmt.Errorf("%s has no Markov kernel", c.Inner.Row.Name)
	}
	return kernel, nil
}

// buildAIS starts at the prior with a Markov method's kernel, or at the density of
// another method with the kernel of nuts.
func buildAIS(c *check.CheckedMethod, init infer.Init) (infer.Method, error) {
	inner, err := build(c.Inner, init)
	if err != nil {
		return nil, err
	}
	kernel, ok := inner.(infer.Markov)
	if !ok {
		if kernel, err = nuts.New(nuts.DefaultOptions()); err != nil {
			return nil, err
		}
	}
	o := ais.DefaultOptions(kernel)
	if !ok {
		o.From = inner
	}
	o.Steps, o.Chains, o.Schedule = c.Int("steps"), c.Int("chains"), c.Text("schedule")
	return ais.New(o)
}

func buildSMC(c *check.CheckedMethod, init infer.Init) (infer.Method, error) {
	kernel, err := kernelOf(c, init)
	if err != nil {
		return nil, err
	}
	o := smc.DefaultOptions(kernel)
	o.Particles, o.Threshold, o.Moves = c.Int("particles"), c.Real("threshold"), c.Int("moves")
	o.WasteFree = c.Bool("waste_free")
	return smc.New(o)
}

func buildBridge(c *check.CheckedMethod, init infer.Init) (infer.Method, error) {
	inner, err := build(c.Inner, init)
	if err != nil {
		return nil, err
	}
	o := bridge.DefaultOptions(inner)
	o.Iterations, o.Tolerance = c.Int("iterations"), c.Real("tolerance")
	return bridge.New(o)
}
