package lang

// This file lets a population look for what a fit may have missed.

import (
	"context"
	"fmt"

	"github.com/seed-12b88e03/ppl/diagnose/population"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/gibbs"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// What the option check says of the search for other answers.
const (
	checkQuick = "quick" // little beside the fit's own work
	checkFull  = "full"  // many times as much
	checkNone  = "none"
)

// checkOption is that of every method.
func checkOption() *check.Option {
	o := choice("check", "a population annealed from the prior looks for posterior mass elsewhere: quick (where it is not given) with a tenth of the work of chains, or as much as an approximation took, and at least what a small model needs; full with many times as much", checkQuick, checkFull, checkNone)
	o.Default = ""
	return o
}

// seek compares a posterior with a population, if the method aims at the posterior.
func (m *Model) seek(ctx context.Context, method *check.CheckedMethod, p *infer.Posterior, b *builder, o RunOptions) error {
	level := checkQuick
	if method.Has("check") {
		level = method.Text("check")
	}
	if level == checkNone || m.Dim() == 0 && (p.Draws.Kind() == draws.Mode || !m.Program.discrete() || !enumerable(m)) || p.Incomplete || p.Draws.Total() == 0 || !aimsAtPosterior(method) {
		return nil
	}
	if why := m.unsearched(method, level, p); why != "" {
		p.Population = &draws.PopulationRun{Failed: why}
		return nil
	}
	stated, err := b.restater(method)(m.bound)
	if err != nil {
		return err
	}
	s := population.Options{Allowed: allowed(p, m.bound), Most: 4, Seed: o.Seed, Jobs: o.Jobs, Jacobian: method.Row.Name != "map" || method.Bool("jacobian")}
	depth := quickDepth
	if level == checkFull {
		s.Most = 6
		full := fullWork * s.Allowed
		if o.search > 0 {
			full = min(full, max(o.search, s.Allowed))
		}
		if s.Allowed = full; full >= fullDepthWork {
			depth = nuts.DefaultOptions().MaxDepth
		}
	}
	s.Branches = func() []infer.Model { return bind.Branches(stated.(*bind.Model)) }
	s.Comparisons = func() func(q []float64) ([]infer.Comparison, error) { return bind.Comparisons(stated.(*bind.Model)) }
	model, kernel, err := searched(stated.(*bind.Model), depth)
	if err != nil {
		return err
	}
	s.Kernel = kernel
	p.Population, err = population.Check(ctx, model, p, s)
	if err == nil && p.Population == nil {
		// All draws are there, but not what they are judged by.
		p.Population = &draws.PopulationRun{Failed: "the run was stopped before"}
		p.Incomplete, p.Cause = true, context.Cause(ctx)
	}
	if p.Population != nil {
		p.Population.Full = level == checkFull
	}
	return err
}

// A search sums the discrete parameters out, which a method that draws them or gives them factors has not
// done. To record that takes about as long as a thousand sweeps, and memory in proportion.
const (
	fewValues  = 100_000 // of all discrete numbers together: some seconds
	mostValues = 500_000 // more than a quick search may have room for
	enoughWork = 2000    // sweeps beside which it is little
)

// mostStates is how many combinations of discrete values there may be where there are no other parameters.
const mostStates = 1 << 22

// enumerable reports whether the combinations of all discrete values are few.
func enumerable(m *Model) bool {
	states := 1.0
	if mixed, ok := infer.Capability[infer.Mixed](m.bound.Joint().NewEvaluator()); ok {
		for _, r := range mixed.Whole() {
			states *= r.High - r.Low + 1
		}
	}
	return states <= mostStates
}

// unsearched says why a quick search is left out; empty where it is not.
func (m *Model) unsearched(method *check.CheckedMethod, level string, p *infer.Posterior) string {
	if level != checkQuick || method.Row.Name != "gibbs" && method.Row.Name != "mh" && method.Row.Name != "cavi" {
		return ""
	}
	values := 0.0
	if mixed, ok := infer.Capability[infer.Mixed](m.bound.Joint().NewEvaluator()); ok {
		for _, r := range mixed.Whole() {
			values += r.High - r.Low + 1
		}
	}
	steps := 0
	if p.Draws.Kind() == draws.Chains {
		_, steps = chainWork(p)
	}
	if values <= fewValues || values <= mostValues && steps >= enoughWork {
		return ""
	}
	return fmt.Sprintf(`the discrete parameters have %.0f values, and a search, which sums them out, would take many times the work of the fit; check = "full" makes one`, values)
}

// aimsAtPosterior reports whether an answer of the method is meant to be the posterior, or
// its mode.
func aimsAtPosterior(c *check.CheckedMethod) bool {
	for ; c != nil; c = c.Inner {
		switch {
		case c.Row.Name == "gibbs_prior" || c.Row.Name == fitName:
			return false
		case c.Row.Name == "gvi" && (c.Given("loss") || c.Given("divergence") || c.Given("point")):
			return false
		}
	}
	return true
}

// searched is the form of a model that a population moves on, and the kernel: where the
// discrete parameters cannot be summed out they are moved, too. No trajectory has more doublings
// than depth.
func searched(m *bind.Model, depth int) (population.Model, infer.Markov, error) {
	if m.Summable() == nil {
		o := nuts.DefaultOptions()
		o.MaxDepth = depth
		k, err := nuts.New(o)
		return m, k, err
	}
	k, err := gibbs.New(gibbs.DefaultOptions())
	return undivided{m, m.Joint()}, k, err
}

// undivided is a model with its discrete parameters among the coordinates.
type undivided struct {
	*bind.Model
	joint infer.Model
}

// Dim implements infer.Model.
func (w undivided) Dim() int { return w.joint.Dim() }

// NewEvaluator implements infer.Model.
func (w undivided) NewEvaluator() infer.Evaluator { return w.joint.NewEvaluator() }

// What a search may cost, in evaluations of the log density or its gradient.
const (
	smallModel = 40000 // of one with a handful of parameters and data: about 20 ms
	unitWork   = 1000  // elementary operations at which an evaluation takes twice as long
	leastOf    = 300   // of any, so that there is a population at all
	chainShare = 10    // beside chains, their own evaluations over this
	quickDepth = 2     // doublings of a trajectory: many short moves serve a population better than few long ones
	fullWork   = 25    // of check = "full", over that of "quick"

	fullDepthWork = 300 << 10 // evaluations from which on trajectories may have any length: a round of the longest
)

// allowed is how many evaluations a search beside a fit may make, by counts alone.
func allowed(p *infer.Posterior, m *bind.Model) int {
	least := smallModel
	if w, err := m.GradientWork(make([]float64, m.Dim())); err == nil {
		least = max(leastOf, smallModel*unitWork/(unitWork+w))
	}
	return max(least, work(p))
}

// work is how many evaluations a fit made: all of them of an approximation, a share of those
// of chains.
func work(p *infer.Posterior) int {
	if p.Fit != nil {
		return max(p.Fit.Evaluations, p.Fit.Iterations)
	}
	if p.Draws.Kind() != draws.Chains {
		return 0
	}
	evaluations, _ := chainWork(p)
	return evaluations / chainShare
}

// chainWork is how many evaluations, and how many steps, chains have made, warm-up included.
func chainWork(p *infer.Posterior) (evaluations, steps int) {
	n := float64(p.Draws.Total() * max(p.Plan.Thin, 1))
	if p.Plan.Draws > 0 {
		n *= 1 + float64(p.Plan.Warmup)/float64(p.Plan.Draws)
	}
	steps = int(n)
	if x := p.Draws.Column("n_leapfrog__"); x != nil && n > 0 {
		n *= draws.Mean(x)
	}
	return int(n), steps
}
