// This file is the method: options, defaults, and the posterior it gives.

package smc

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Options are the settings of the method.
type Options struct{ Settings }

// DefaultOptions are the documented defaults of the language, around a method.
func DefaultOptions(kernel infer.Markov) Options {
	return Options{Settings{Kernel: kernel, Particles: 1000, Threshold: 0.5, Moves: 5, Tune: 200, WasteFree: true}}
}

// Validate checks the ranges.
func (s Settings) Validate() error {
	switch {
	case s.Kernel == nil:
		return errors.New("a Markov method must lend its kernel")
	case s.Particles < 2:
		return fmt.Errorf("particles must be at least 2, found %d", s.Particles)
	case !(s.Threshold > 0 && s.Threshold < 1):
		return fmt.Errorf("threshold must be between 0 and 1, found %g", s.Threshold)
	case s.Moves < 1:
		return fmt.Errorf("moves must be at least 1, found %d", s.Moves)
	case s.Tune < 0:
		return fmt.Errorf("the number of tuning steps must not be negative, found %d", s.Tune)
	}
	return nil
}

// Method implements infer.Method.
type Method struct{ options Options }

// New checks the options and returns the method.
func New(o Options) (*Method, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("smc: %w", err)
	}
	return &Method{options: o}, nil
}

// Name implements infer.Method.
func (m *Method) Name() string { return "smc" }

// Config are the settings in CmdStan's form.
func (m *Method) Config() []draws.Entry {
	o, d := m.options, DefaultOptions(nil)
	return []draws.Entry{{Name: "algorithm", Value: "smc", Choice: true, Children: []draws.Entry{{
		Name: "smc", Children: []draws.Entry{
			{Name: "particles", Value: o.Particles, Default: o.Particles == d.Particles},
			{Name: "threshold", Value: o.Threshold, Default: o.Threshold == d.Threshold},
			{Name: "moves", Value: o.Moves, Default: o.Moves == d.Moves},
			{Name: "waste_free", Value: o.WasteFree, Default: o.WasteFree},
			{Name: "kernel", Value: o.Kernel.Name()},
		},
	}}}}
}

// finalMoves is how many moves a particle makes at the posterior after the round that reaches it.
// Where a few steps lead from the prior to the posterior, tails that the prior hardly has are reached
// by moves alone: of a scale with a thousandth of its mass there the moves of one round find a third.
const finalMoves = 20

// progressTotal is what beta = 1 counts in progress reports.
const progressTotal = 1000

// Run implements infer.Method. A run cut short gives the particles at the
// temperature it reached, weighted towards the posterior.
func (m *Method) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	set := m.options.Settings
	set.Final = (finalMoves + set.Moves - 1) / set.Moves
	plan := draws.Plan{Method: m.Name(), Draws: set.Particles, Stats: []string{"log_weight__"}, Config: m.Config()}
	if model.Dim() == 0 {
		return anneal.Constant(ctx, m.Name(), model, o, plan)
	}
	rec, err := infer.NewRecorder(model, model.NewEvaluator(), o, plan, progressTotal)
	if err != nil {
		return nil, err
	}
	pool, err := anneal.NewWorkerPool(o.Jobs, func() (*anneal.Mover, error) {
		s, err := anneal.NewSource(m.Name(), model.NewEvaluator())
		if err != nil {
			return nil, err
		}
		return anneal.NewMover(ctx, s, set.Kernel)
	})
	if err != nil {
		return nil, err
	}
	told := 0
	p, err := Temper(ctx, pool, set, Streams{o.Seed, o.Replicate, "smc/"}, func(beta float64) {
		for ; float64(told) < beta*progressTotal; told++ {
			rec.Step()
		}
	})
	if err != nil {
		return nil, fmt.Errorf("smc: %w", err)
	}
	return record(ctx, rec, set, p)
}

// record turns the population into a posterior.
func record(ctx context.Context, rec *infer.Recorder, set Settings, p *Population) (*infer.Posterior, error) {
	if p == nil {
		return rec.End(context.Cause(ctx))
	}
	logw := make([]float64, min(set.Particles, len(p.Q))) // fewer points if not even the prior's were made
	all := make([]float64, len(p.Q))
	for i, l := range p.Likelihood {
		if p.Beta < 1 {
			all[i] = (1 - p.Beta) * l
		}
	}
	post := rec.Posterior()
	report := &infer.AnnealingReport{}
	for _, k := range p.Tuning.Knots {
		post.Chains[0].Adaptation = k.Adaptation
		report.Beta = append(report.Beta, k.Beta)
		report.Accept = append(report.Accept, k.Accept)
		report.StepSize = append(report.StepSize, k.Adaptation.StepSize)
	}
	each := len(p.Q) / len(logw)
	for i := range logw {
		k := (i+1)*each - 1 // the last point of each particle
		logw[i] = all[k]
		if err := rec.Draw(p.Q[k], p.Prior[k]+p.Likelihood[k], logw[i]); err != nil {
			return nil, err
		}
	}
	evidence := infer.Estimate{Value: p.LogEvidence, Error: math.Sqrt(p.Variance)}
	var cause error
	if p.Beta < 1 {
		cause = context.Cause(ctx)
		post.LogWeights = [][]float64{logw}
		rest := infer.LogMean(all)
		evidence.Value += rest.Value
		evidence.Error = libm.Hypot(evidence.Error, rest.Error)
	}
	post.LogEvidence, post.Annealing = &evidence, report
	return rec.End(cause)
}

var _ infer.Method = (*Method)(nil)
