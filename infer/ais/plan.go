// This file is the pilot run and what it fixes.

package ais

import (
	"context"
	"fmt"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/smc"
)

// Start is where paths come from: one source for each goroutine, all for the
// same path.
type Start func() (anneal.Source, error)

// FromPrior starts paths at the model's prior. The method is named in errors.
func FromPrior(method string, m infer.Model) Start {
	return func() (anneal.Source, error) { return anneal.NewSource(method, m.NewEvaluator()) }
}

// FromApproximation starts paths at a fitted density of the model's dimension.
func FromApproximation(method string, m infer.Model, q infer.Approximation) Start {
	return func() (anneal.Source, error) {
		t, ok := infer.Capability[infer.Tempered](m.NewEvaluator())
		if !ok {
			return nil, &infer.MissingError{Method: method, Needs: "prior and likelihood as separate terms"}
		}
		return anneal.NewBetween(q, t), nil
	}
}

// Pilot shapes the run that tunes.
type Pilot struct {
	Particles int     // of its population, at least 2
	Threshold float64 // share of them that stays effective from one temperature to the next, in (0, 1)
	Moves     int     // kernel steps of a particle at each temperature
	Tune      int     // kernel steps that tune the kernel at each temperature
	Alone     int     // further ones that tune its step size, if it has one
	Small     int     // kernel steps in all after which temperatures lie further and further apart; 0: never
}

// DefaultPilot is small but sees the whole path.
func DefaultPilot() Pilot { return Pilot{Particles: 100, Threshold: 0.7, Moves: 2, Tune: 200} }

// Of is a pilot of n particles whose other work is in proportion.
func (p Pilot) Of(n int) Pilot {
	p.Tune = max(1, p.Tune*n/p.Particles)
	p.Particles = n
	if p.Tune < enough {
		p.Alone = alone
	}
	return p
}

// A warm-up of fewer than enough steps ends with few, or none, that fit the step size to the metric that it has learned;
// alone further steps then do so, too few for another metric.
const (
	enough = 150
	alone  = 19
)

// Beside is the pilot of chains of that many kernel steps in all. It costs little beside them: it has no more particles than it needs to
// take as many steps in rounds temperatures, but 5, and once it has taken them the number of further temperatures
// grows as the log of the length of the path.
func (p Pilot) Beside(steps int) Pilot {
	const least, rounds = 5, 20
	p = p.Of(min(p.Particles, max(least, steps*p.Particles/(rounds*(p.Particles*p.Moves+p.Tune)))))
	p.Small = steps
	return p
}

// Plan is what a pilot run fixed: kernels and schedules for chains of any
// length, forward and in reverse. It is immutable.
type Plan struct {
	Kernel   infer.Markov
	Start    Start
	Schedule string // one of the names of package anneal
	Tuning   anneal.Tuning
	Ladder   anneal.Ladder
}

// Prepare makes the pilot run. When ctx ends before it does, the error is
// ctx's.
func Prepare(ctx context.Context, kernel infer.Markov, start Start, schedule string, pilot Pilot, o infer.Options) (*Plan, error) {
	p := &Plan{Kernel: kernel, Start: start, Schedule: schedule}
	set := smc.Settings{
		Kernel: kernel, Particles: pilot.Particles, Threshold: pilot.Threshold, Moves: pilot.Moves, Tune: pilot.Tune, Alone: pilot.Alone, Small: pilot.Small,
	}
	if err := set.Validate(); err != nil {
		return nil, fmt.Errorf("pilot run: %w", err)
	}
	pool, err := p.Pool(ctx, o.Jobs)
	if err != nil {
		return nil, err
	}
	population, err := smc.Temper(ctx, pool, set, smc.Streams{Seed: o.Seed, Replicate: o.Replicate, Prefix: "ais/pilot/"}, nil)
	if err != nil {
		return nil, fmt.Errorf("pilot run: %w", err)
	}
	if population == nil || population.Beta < 1 {
		return nil, ctx.Err()
	}
	p.Tuning, p.Ladder = population.Tuning, population.Ladder
	return p, nil
}

// Betas is the schedule of a chain of n steps: n+1 values from 0 to 1.
func (p *Plan) Betas(n int) []float64 {
	if p.Schedule == anneal.Adaptive {
		return p.Ladder.Betas(n)
	}
	return anneal.Betas(p.Schedule, n)
}

// Pool makes movers with the plan's tuning, one for each job.
func (p *Plan) Pool(ctx context.Context, jobs int) (*anneal.WorkerPool, error) {
	return anneal.NewWorkerPool(jobs, func() (*anneal.Mover, error) {
		s, err := p.Start()
		if err != nil {
			return nil, err
		}
		m, err := anneal.NewMover(ctx, s, p.Kernel)
		if err != nil {
			return nil, err
		}
		m.Freeze(p.Tuning)
		return m, nil
	})
}
