// This file is the method: options, defaults, start, the run.

package vi

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/approx"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/pathfinder"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// Options are the settings of the method.
type Options struct {
	Family     string  // MeanField, FullRank or LowRank
	Draws      int     // draws of the approximation, at least 1
	Iterations int     // most steps, at least 1
	Tolerance  float64 // see the package comment, positive
	Samples    int     // points for each step, rounded up to an even number
	Batch      int     // terms of the likelihood in each step; 0: all
	Rank       int     // columns of LowRank's factor; 0: a tenth of the dimension, rounded up
	Init       infer.Init

	// Of methods that are this one with a weight between likelihood and prior:
	Name  string  // what it runs under; empty for advi
	Power float64 // of the likelihood, positive; 0 for 1
	// Config is that method's settings in CmdStan's tree; nil for this one's.
	Config []draws.Entry
}

// DefaultOptions are those of the language.
func DefaultOptions() Options {
	return Options{Family: MeanField, Draws: 1000, Iterations: 10000, Tolerance: 0.01, Samples: 10, Init: infer.Init{Radius: 2}}
}

// Method implements infer.Method.
type Method struct{ options Options }

// New checks the options and returns the method.
func New(o Options) (*Method, error) {
	for _, c := range []struct {
		name         string
		value, least int
	}{{"draws", o.Draws, 1}, {"iterations", o.Iterations, 1}, {"samples", o.Samples, 1}, {"batch", o.Batch, 0}, {"rank", o.Rank, 0}} {
		if c.value < c.least {
			return nil, fmt.Errorf("advi: %s must be at least %d, found %d", c.name, c.least, c.value)
		}
	}
	if o.Name == "" {
		o.Name = "advi"
	}
	if o.Power == 0 {
		o.Power = 1
	}
	if !(o.Power > 0) || math.IsInf(o.Power, 0) {
		return nil, fmt.Errorf("advi: the power of the likelihood must be positive and finite, found %g", o.Power)
	}
	if !(o.Tolerance > 0) {
		return nil, fmt.Errorf("advi: tolerance must be positive, found %g", o.Tolerance)
	}
	if o.Family != MeanField && o.Family != FullRank && o.Family != LowRank {
		return nil, fmt.Errorf("advi: family must be %s, %s or %s, found %q", MeanField, FullRank, LowRank, o.Family)
	}
	return &Method{o}, nil
}

// Name implements infer.Method.
func (m *Method) Name() string { return m.options.Name }

// Config is the method's settings in CmdStan's tree.
func (m *Method) Config() []draws.Entry {
	o, def := m.options, DefaultOptions()
	if o.Config != nil {
		return o.Config
	}
	return []draws.Entry{{Name: "algorithm", Value: "advi", Choice: true, Children: []draws.Entry{{
		Name: "advi", Children: []draws.Entry{
			{Name: "family", Value: o.Family, Default: o.Family == def.Family},
			{Name: "iter", Value: o.Iterations, Default: o.Iterations == def.Iterations},
			{Name: "grad_samples", Value: o.Samples, Default: o.Samples == def.Samples},
			{Name: "tolerance", Value: o.Tolerance, Default: o.Tolerance == def.Tolerance},
			{Name: "batch", Value: o.Batch, Default: o.Batch == 0},
			{Name: "rank", Value: o.Rank, Default: o.Rank == 0},
			{Name: "output_draws", Value: o.Draws, Default: o.Draws == def.Draws},
		},
	}}}}
}

// Run implements infer.Method. Cut short, it draws from the last stage's
// approximation.
func (m *Method) Run(ctx context.Context, model infer.Model, o infer.Options) (p *infer.Posterior, err error) {
	ev := model.NewEvaluator()
	if err := approx.Differentiable(m.Name(), ev); err != nil {
		return nil, err
	}
	sub, terms, err := m.subsampled(ev)
	if err != nil {
		return nil, err
	}
	rec, err := infer.NewRecorder(model, ev, o, draws.Plan{
		Method: m.Name(), Draws: m.options.Draws, Stats: approx.Stats, Config: m.Config(),
	}, m.options.Iterations)
	if err != nil {
		return nil, err
	}
	err = infer.Guarded(func() error {
		q, err := m.fit(ctx, rec, ev, sub, terms, o)
		if err != nil && !infer.IsInterrupted(err) {
			return err
		}
		if q != nil {
			if err := m.record(ctx, rec, ev, q, o); err != nil {
				return err
			}
			if err := m.judge(ctx, model, ev, q, rec.Posterior().Fit, o); err != nil {
				return err
			}
		}
		p, err = rec.End(context.Cause(ctx))
		return err
	})
	return p, err
}

// record makes the draws and estimates the bound.
func (m *Method) record(ctx context.Context, rec *infer.Recorder, ev infer.Evaluator, q *normal.Normal, o infer.Options) error {
	if err := approx.Record(ctx, rec, ev, q, m.options.Draws, rng.New(o.Seed, "advi/draws", 0, o.Replicate)); err != nil {
		return err
	}
	report := rec.Posterior().Fit
	if b := report.ELBO; b == nil || !(b.Error > sharpError) || math.IsInf(b.Value, 0) || q.Dim() > sharpDim || ctx.Err() != nil {
		return nil
	}
	sharp, err := sharpen(infer.Interruptible(ctx, ev), q, rng.New(o.Seed, "advi/bound", 0, o.Replicate))
	if sharp != nil && sharp.Error < report.ELBO.Error {
		report.ELBO = sharp
		report.Evaluations += sharpDraws
	}
	if infer.IsInterrupted(err) {
		return nil
	}
	return err
}

// judge reports how much too small independent factors are.
func (m *Method) judge(ctx context.Context, model infer.Model, ev infer.Evaluator, q *normal.Normal, report *infer.FitReport, o infer.Options) error {
	if m.options.Family != MeanField || m.options.Power != 1 || q.Dim() < 2 || q.Dim() > marginalDim || !report.Converged || ctx.Err() != nil {
		return nil
	}
	u, err := understated(infer.Interruptible(ctx, ev), q, rng.New(o.Seed, "advi/marginal", 0, o.Replicate))
	if infer.IsInterrupted(err) {
		return nil
	}
	if named, ok := model.(interface{ UnconstrainedNames() []string }); ok && u != nil {
		u.Name = named.UnconstrainedNames()[u.Coordinate]
	}
	report.Understated = u
	return err
}

// subsampled is the target's capability for minibatches with the number of terms, if
// they are wanted.
func (m *Method) subsampled(t infer.Target) (infer.Subsampled, int, error) {
	if m.options.Batch == 0 {
		return nil, 0, nil
	}
	return infer.Minibatches(m.options.Name+" with batch", t)
}

// fit returns the approximation. When interrupted it returns the one so far, if
// any, beside the error.
func (m *Method) fit(ctx context.Context, rec *infer.Recorder, ev infer.Evaluator, sub infer.Subsampled, terms int, o infer.Options) (*normal.Normal, error) {
	t, p := infer.Interruptible(ctx, ev), rec.Posterior()
	p.Fit = &infer.FitReport{ParetoK: math.NaN(), Bounds: m.options.Power == 1}
	if sub != nil {
		sub = interruptibleTerms{sub, ctx, t}
	}
	if m.options.Power != 1 {
		powered, err := newPowered(ctx, m.options.Name, t, sub, m.options.Power)
		if err != nil {
			return nil, err
		}
		t = powered
		if sub != nil {
			sub = powered
		}
	}
	stream := rng.New(o.Seed, "advi", 0, o.Replicate)
	start, err := m.start(t, stream, rng.New(o.Seed, rng.Init, 0, o.Replicate), p)
	if start == nil || err != nil {
		return nil, err
	}
	if t.Dim() == 0 {
		p.Fit.Converged, p.Fit.Stop = true, "there are no parameters"
		return start, nil
	}
	rank := m.options.Rank
	if rank == 0 {
		rank = (t.Dim() + 9) / 10
	}
	s := newStepper(t, newFamily(m.options.Family, start, rank), stream, m.options.Samples+m.options.Samples%2)
	s.evaluations = p.Fit.Evaluations
	if sub != nil {
		s.sub, s.terms, s.batch = sub, terms, make([]int, min(m.options.Batch, terms))
	}
	f := &fitter{
		stepper: s, full: t, tolerance: m.options.Tolerance, iterations: m.options.Iterations, report: p.Fit, onStep: rec.Step,
		polishes: sub == nil,
		compare:  func(stage int) *rand.Rand { return rng.New(o.Seed, "advi/compare", uint64(stage), o.Replicate) },
	}
	err = f.run()
	p.Fit.Stop = f.describe()
	if n := len(p.Fit.Trace); n > 0 && m.options.Power != 1 {
		last := p.Fit.Trace[n-1]
		p.Fit.Objective = &infer.Estimate{Value: -last.Objective / m.options.Power, Error: last.Error / m.options.Power}
	}
	return f.best, err
}

// start is the approximation of one Pathfinder path, or where that fails a
// narrow one at the path's starting point.
func (m *Method) start(t infer.Target, r, init *rand.Rand, p *infer.Posterior) (*normal.Normal, error) {
	state := infer.State{Q: make([]float64, t.Dim())}
	if err := m.options.Init.Start(t, 0, init, &state); err != nil {
		return nil, err
	}
	p.Chains[0].Init = state.Q
	s := optimize.DefaultSettings()
	s.History, s.MaxIterations = 6, min(1000, m.options.Iterations)
	const startSamples = 10 // that tell which point of the path is best
	path, err := pathfinder.Follow(t, r, state.Q, s, min(m.options.Samples, startSamples))
	p.Fit.Evaluations = path.Evaluations
	switch {
	case err == nil || infer.IsInterrupted(err) && path.Normal != nil:
		return path.Normal, nil
	case errors.Is(err, pathfinder.ErrNoCandidate):
		sd := make([]float64, t.Dim())
		for i := range sd {
			sd[i] = 0.1
		}
		return normal.NewDiagonal(state.Q, sd), nil
	}
	return nil, err
}

// interruptibleTerms passes minibatches on until the target is interrupted.
type interruptibleTerms struct {
	infer.Subsampled
	ctx    context.Context
	target infer.Target
}

// LogDensityGradTerms implements infer.Subsampled.
func (t interruptibleTerms) LogDensityGradTerms(q []float64, terms []int, grad []float64) (float64, error) {
	if t.ctx.Err() != nil {
		return t.target.LogDensity(q) // fails as interrupted evaluations do
	}
	return t.Subsampled.LogDensityGradTerms(q, terms, grad)
}
