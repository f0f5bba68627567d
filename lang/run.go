package lang

// This file runs a method on a model and judges the result.

import (
	"context"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// RunOptions are the settings of a run that belong to no method.
type RunOptions struct {
	Seed       uint64         // of all random numbers; what the method's own seed option says does not count
	Jobs       int            // chains at work at the same time; 0 means one
	Init       [][]float64    // starting points on the unconstrained scale: none, one for all chains, or one for each
	SaveWarmup bool           // warm-up draws go to the observer too
	Observer   infer.Observer // sees draws as they are made; may be nil
}

// A Fit is the result of a method with its summary and what the checks found.
type Fit struct {
	Name      string // of the binding, or the method
	Method    string // as an expression of the language with all options
	Posterior *infer.Posterior
	Summaries []draws.Summary    // lp__ first, then a row for each column of the model
	Findings  []diagnose.Finding // of the fit's checks, passed ones included
}

// Run fits the model. When ctx ends early the fit holds the draws so far, its
// Posterior is marked incomplete, and there is no error. After an error the fit is nil.
func (m *Model) Run(ctx context.Context, method *Method, o RunOptions) (*Fit, error) {
	run, err := method.build(infer.Init{Points: o.Init})
	if err != nil {
		return nil, err
	}
	post, err := run.Run(ctx, m.bound, infer.Options{Seed: o.Seed, Jobs: o.Jobs, SaveWarmup: o.SaveWarmup, Observer: o.Observer})
	if err != nil {
		return nil, err
	}
	fit := &Fit{Name: method.Name(), Method: method.String(), Posterior: post}
	if post.Draws.Total() > 0 {
		fit.Summaries = post.EqualWeights(rng.New(o.Seed, "summary", 0, 0)).Summaries()
		fit.Findings = diagnose.Posterior(post, fit.Summaries)
	}
	return fit, nil
}
