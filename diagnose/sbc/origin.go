// This file says where true parameters and simulated data come from: the prior, or the posterior given the data at hand.

package sbc

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
)

// An origin simulates.
type origin struct {
	model infer.Simulator
	truth [][]float64 // points from the posterior, one a replication; nil where they come from the prior
	short bool        // the fit that they are from has fewer draws in effect
}

// A simulated data set.
type simulated struct {
	truth   []float64   // the unconstrained point that it comes from
	model   infer.Model // what the method is run on
	redrawn int
}

// origin prepares simulating. For posterior calibration the method is run on the data at hand, and gives one nearly independent draw
// a replication.
func (d *Diagnosis) origin(ctx context.Context, m infer.Model, o infer.Options) (origin, error) {
	s, ok := m.(infer.Simulator)
	if !ok {
		return origin{}, &infer.MissingError{Method: d.Name(), Needs: "a model to simulate from"}
	}
	from := origin{model: s}
	if !d.options.Posterior {
		return from, nil
	}
	if _, ok := m.(infer.Augmentable); !ok {
		return from, &infer.MissingError{Method: d.Name(), Needs: "a likelihood of its own"}
	}
	o.Share, o.Observer, o.SaveWarmup, o.KeepUnconstrained = infer.Share{}, nil, false, true
	m = diagnose.Given(m)
	p, err := d.options.Method.Run(ctx, m, o)
	if err != nil {
		return from, fmt.Errorf("the fit of the data at hand: %w", err)
	}
	picked, short, err := d.sample(ctx, m, p, o, nil, d.options.Replications)
	if err != nil {
		return from, fmt.Errorf("the fit of the data at hand: %w", err)
	}
	from.short = short
	for _, at := range picked.at {
		if len(picked.from.Unconstrained) <= at.chain || len(picked.from.Unconstrained[at.chain]) <= at.draw {
			return from, errors.New("sbc: the method gives no points to simulate from")
		}
		from.truth = append(from.truth, picked.from.Unconstrained[at.chain][at.draw])
	}
	return from, nil
}

// simulate draws the data set of replication i, and parameters where these come from the prior.
func (from origin) simulate(r *rand.Rand, i int) (*simulated, error) {
	s := &simulated{truth: make([]float64, from.model.Dim())}
	var y infer.Dataset
	var err error
	if from.truth == nil {
		y, s.redrawn, err = diagnose.Simulate(from.model, r, s.truth)
	} else {
		copy(s.truth, from.truth[i])
		y, err = from.model.DrawData(r, s.truth)
	}
	if err != nil {
		return nil, err
	}
	if from.truth == nil {
		s.model, err = from.model.Rebound(y)
	} else {
		s.model, err = from.model.(infer.Augmentable).Augmented(y)
	}
	return s, err
}
