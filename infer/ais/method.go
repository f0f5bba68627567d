// This file is the method: options, defaults, and the posterior it gives.

package ais

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// Options are the settings of the method.
type Options struct {
	Kernel   infer.Markov // whose kernel moves the chains
	From     infer.Method // whose density the chains start from; nil: the prior
	Steps    int          // n, at least 1
	Chains   int          // independent chains, at least 1
	Schedule string       // one of the names of package anneal
	Pilot    Pilot        // the zero value: what goes with the chains, see Pilot.Beside
}

// DefaultOptions are the documented defaults of the language, around a method.
func DefaultOptions(kernel infer.Markov) Options {
	return Options{Kernel: kernel, Steps: 1000, Chains: 100, Schedule: anneal.Adaptive}
}

// Method implements infer.Method.
type Method struct{ options Options }

// New checks the options and returns the method.
func New(o Options) (*Method, error) {
	var err error
	switch {
	case o.Kernel == nil:
		err = errors.New("a Markov method must lend its kernel")
	case o.Steps < 1:
		err = fmt.Errorf("steps must be at least 1, found %d", o.Steps)
	case o.Chains < 1:
		err = fmt.Errorf("chains must be at least 1, found %d", o.Chains)
	default:
		err = anneal.CheckSchedule(o.Schedule)
	}
	if err != nil {
		return nil, fmt.Errorf("ais: %w", err)
	}
	if o.Pilot == (Pilot{}) {
		o.Pilot = DefaultPilot().Beside(o.Steps * o.Chains)
	}
	return &Method{options: o}, nil
}

// Name implements infer.Method.
func (m *Method) Name() string { return "ais" }

// Config are the settings in CmdStan's form.
func (m *Method) Config() []draws.Entry {
	o, d := m.options, DefaultOptions(nil)
	from := "prior"
	if o.From != nil {
		from = o.From.Name()
	}
	return []draws.Entry{{Name: "algorithm", Value: "ais", Choice: true, Children: []draws.Entry{{
		Name: "ais", Children: []draws.Entry{
			{Name: "steps", Value: o.Steps, Default: o.Steps == d.Steps},
			{Name: "chains", Value: o.Chains, Default: o.Chains == d.Chains},
			{Name: "schedule", Value: o.Schedule, Default: o.Schedule == d.Schedule},
			{Name: "kernel", Value: o.Kernel.Name()},
			{Name: "from", Value: from, Default: o.From == nil},
		},
	}}}}
}

// WithDraws is the method with n chains, each of which ends in a draw.
func (m *Method) WithDraws(n int) infer.Method {
	o := m.options
	o.Chains = n
	return &Method{options: o}
}

// Run implements infer.Method. The posterior has one row for each chain that
// came to its end.
func (m *Method) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	opt := m.options
	plan := draws.Plan{Method: m.Name(), Draws: opt.Chains, Stats: []string{"log_weight__"}, Config: m.Config()}
	if model.Dim() == 0 {
		return anneal.Constant(ctx, m.Name(), model, o, plan)
	}
	rec, err := infer.NewRecorder(model, model.NewEvaluator(), o, plan, opt.Chains)
	if err != nil {
		return nil, err
	}
	err = m.run(ctx, model, o, rec)
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("ais: %w", err)
	}
	if err != nil && !errors.Is(err, ctx.Err()) {
		return nil, err
	}
	if rec.Posterior().Draws.Total() < opt.Chains {
		return rec.End(context.Cause(ctx))
	}
	return rec.End(nil)
}

// run fills the recorder. An error is ctx's if that ended before the pilot did.
func (m *Method) run(ctx context.Context, model infer.Model, o infer.Options, rec *infer.Recorder) error {
	opt := m.options
	start, err := m.start(ctx, model, o)
	if err != nil {
		return err
	}
	plan, err := Prepare(ctx, opt.Kernel, start, opt.Schedule, opt.Pilot, o)
	if err != nil {
		return err
	}
	pool, err := plan.Pool(ctx, o.Jobs)
	if err != nil {
		return err
	}
	betas := plan.Betas(opt.Steps)
	trace := NewTrace(opt.Chains, opt.Steps, rec.Step)
	chains, err := Forward(ctx, pool, opt.Chains, betas, func(i int) *rand.Rand {
		return rng.New(o.Seed, "ais/chain", uint64(i), o.Replicate)
	}, trace)
	if err != nil {
		return err
	}
	rec.Posterior().Annealing = trace.Report(plan, betas, chains)
	return record(rec, chains)
}

// start is the path's start: the prior, or the density of a method that is run
// first.
func (m *Method) start(ctx context.Context, model infer.Model, o infer.Options) (Start, error) {
	from := m.options.From
	if from == nil {
		return FromPrior(m.Name(), model), nil
	}
	o.Observer, o.SaveWarmup, o.KeepUnconstrained = nil, false, false
	fit, err := from.Run(ctx, model, o)
	if err != nil {
		return nil, err
	}
	q, ok := fit.Approximation()
	if !ok {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%s gave no density that can be drawn from", from.Name())
	}
	return FromApproximation(m.Name(), model, q), nil
}

// record writes the chains that came to their end.
func record(rec *infer.Recorder, chains []Chain) error {
	var logw []float64
	for _, c := range chains {
		if c.Interrupted {
			continue
		}
		logw = append(logw, c.LogWeight)
		if err := rec.Draw(c.Q, finite(c.Prior+c.Likelihood), c.LogWeight); err != nil {
			return err
		}
	}
	post := rec.Posterior()
	if len(logw) > 0 {
		evidence := infer.LogMean(logw)
		post.LogEvidence = &evidence
	}
	post.LogWeights = [][]float64{logw}
	return nil
}

// finite turns what has no log density into log of zero.
func finite(lp float64) float64 {
	if math.IsNaN(lp) {
		return math.Inf(-1)
	}
	return lp
}

var _ infer.Method = (*Method)(nil)
