package lang

// This file builds the Markov methods.

import (
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/hmc"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// chains reads what all Markov methods share.
func (b *builder) chains(c *check.CheckedMethod) infer.MarkovOptions {
	return infer.MarkovOptions{
		Chains: c.Int("chains"), Warmup: c.Int("warmup"), Draws: c.Int("draws"), Thin: c.Int("thin"), Init: b.start(c),
	}
}

// tuning reads what Hamiltonian methods share.
func tuning(c *check.CheckedMethod, t hmc.Tuning) hmc.Tuning {
	t.Delta, t.StepSize = c.Real("delta"), c.Real("step_size")
	t.Metric = map[string]string{"diagonal": draws.MetricDiagonal, "dense": draws.MetricDense, "unit": draws.MetricUnit}[c.Text("metric")]
	return t
}

func (b *builder) nuts(c *check.CheckedMethod) (infer.Method, error) {
	o := nuts.DefaultOptions()
	o.MarkovOptions, o.Tuning, o.MaxDepth = b.chains(c), tuning(c, o.Tuning), c.Int("max_depth")
	return nuts.New(o)
}

func (b *builder) hmc(c *check.CheckedMethod) (infer.Method, error) {
	o := hmc.DefaultOptions()
	o.MarkovOptions, o.Tuning, o.Leapfrogs = b.chains(c), tuning(c, o.Tuning), c.Int("leapfrogs")
	return hmc.New(o)
}
