package lang

// This file builds the Markov methods.

import (
	"cmp"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/hmc"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/infer/sgld"
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
	t.Delta, t.StepSize, t.Adapt = cmp.Or(c.Real("delta"), t.Delta), c.Real("step_size"), c.Text("adapt")
	t.Metric = map[string]string{"diagonal": draws.MetricDiagonal, "dense": draws.MetricDense, "unit": draws.MetricUnit, "low_rank": draws.MetricLowRank}[c.Text("metric")]
	return t
}

// Where a fit without lengths of its own ends: see untilPrecise.
const (
	endESS    = 400
	endRHat   = 1.01
	mostDraws = 10000
)

// Where a step of a fit's kept trajectories loses its energy by more than keptError nats, it is divided by up to
// keptHalvings halvings. What is smaller the weights of the points take care of.
const (
	keptError    = 5
	keptHalvings = 8
)

// DefaultPrecision is what an option by which a fit without a number of draws ends ("ess", "rhat", "max_draws") is where it is
// not given; 0 for any other option.
func DefaultPrecision(option string) float64 {
	return map[string]float64{"ess": endESS, "rhat": endRHat, "max_draws": mostDraws}[option]
}

// sgldThin is how many steps of sgld make a draw. By its own choice of a step successive points have a
// correlation of 0.8 or more in every direction, so that nine steps or more count as one draw.
const sgldThin = 10

// isFit reports whether a method's posterior is an answer: of the method that is run, or of a
// binding, which is one wherever it stands. Of others a wrapper makes something else, from
// chains of fixed lengths.
func (b *builder) isFit(c *check.CheckedMethod) bool { return c == b.outermost || c.Binding != "" }

// untilPrecise has a fit without a number of draws end where these are precise enough.
func (b *builder) untilPrecise(c *check.CheckedMethod, o *infer.MarkovOptions) error {
	switch {
	case c.Has("draws"):
		for _, name := range []string{"ess", "rhat", "max_draws"} {
			if c.Given(name) {
				return methodError(c.Args[name].Loc, "option-without-effect", "%s ends a run whose number of draws is not given, found draws = %d", name, c.Int("draws"))
			}
		}
	case b.isFit(c):
		o.Draws = cmp.Or(c.Int("max_draws"), mostDraws)
		o.Precision = &infer.Precision{ESS: cmp.Or(c.Real("ess"), endESS), RHat: cmp.Or(c.Real("rhat"), endRHat)}
	default:
		o.Draws = infer.DefaultMarkovOptions().Draws
	}
	return nil
}

// nuts builds nuts and walnuts.
func (b *builder) nuts(c *check.CheckedMethod) (infer.Method, error) {
	o, stan := nuts.DefaultOptions(), infer.DefaultMarkovOptions()
	o.Walnuts = c.Row.Name == "walnuts"
	o.MarkovOptions, o.Tuning, o.MaxDepth = b.chains(c), tuning(c, o.Tuning), c.Int("max_depth")
	fit := b.isFit(c)
	o.StepError, o.MaxHalvings = cmp.Or(c.Real("max_error"), keptError), c.Int("max_halvings")
	switch {
	case c.Has("warmup"):
	case fit:
		o.Warmup, o.Settle = infer.MostSettling, true
		if !c.Has("max_halvings") && o.Adapt != hmc.AdaptStan {
			o.MaxHalvings = keptHalvings
		}
	default:
		o.Warmup = stan.Warmup
	}
	if err := b.untilPrecise(c, &o.MarkovOptions); err != nil {
		return nil, err
	}
	if !c.Has("metric") {
		o.Metric = draws.MetricDiagonal
		if fit && o.Adapt != hmc.AdaptStan {
			o.Metric = draws.MetricLowRank
		}
	}
	return nuts.New(o)
}

func (b *builder) hmc(c *check.CheckedMethod) (infer.Method, error) {
	o := hmc.DefaultOptions()
	o.MarkovOptions, o.Tuning, o.Leapfrogs = b.chains(c), tuning(c, o.Tuning), c.Int("leapfrogs")
	return hmc.New(o)
}

func (b *builder) sgld(c *check.CheckedMethod) (infer.Method, error) {
	o := sgld.DefaultOptions()
	o.MarkovOptions, o.StepSize, o.Batch = b.chains(c), c.Real("step_size"), c.Int("batch")
	if err := b.untilPrecise(c, &o.MarkovOptions); err != nil {
		return nil, err
	}
	if b.isFit(c) && !c.Has("thin") && !c.Has("draws") && !c.Has("step_size") {
		o.Thin = sgldThin
	}
	o.Schedule, o.Gamma, o.Offset, o.Preconditioner = c.Text("schedule"), c.Real("gamma"), c.Real("offset"), c.Text("preconditioner")
	o.Control = c.Bool("control_variates")
	for _, name := range []string{"gamma", "offset"} {
		if c.Given(name) && o.Schedule != sgld.Polynomial {
			return nil, methodError(c.Args[name].Loc, "option-without-effect", "%s belongs to schedule = %q, found schedule = %q", name, sgld.Polynomial, o.Schedule)
		}
	}
	return sgld.New(o)
}
