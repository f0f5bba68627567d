// This file is the run loop of methods without chains: it turns points into
// the rows of a posterior, and holds what such methods share.

package infer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"time"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// A Recorder collects the draws of a method without chains: one table, whose
// rows the method makes one after the other.
type Recorder struct {
	model      Model
	options    Options
	evaluator  Evaluator
	observer   Observer
	posterior  *Posterior
	quantities *rand.Rand
	values     []float64
	steps      int
	total      int
	began      time.Time
	fitted     time.Time
}

// UnconstrainedNames are those of the model's coordinates; nil where it has none.
func (r *Recorder) UnconstrainedNames() []string {
	if named, ok := r.model.(Named); ok {
		return named.UnconstrainedNames()
	}
	return nil
}

// NewRecorder begins a run of plan.Draws draws; name, columns and seed of the
// plan are filled in. fit is the number of steps, counted by Step, that come
// before the draws, for reports of progress.
func NewRecorder(m Model, ev Evaluator, o Options, plan draws.Plan, fit int) (*Recorder, error) {
	plan.Chains, plan.Thin, plan.Seed, plan.Columns = 1, 1, o.Seed, m.Columns()
	r := &Recorder{
		model: m, options: o, evaluator: ev, observer: o.Observer,
		posterior: &Posterior{
			Plan: plan, Draws: draws.New(1, plan.Stats, plan.Columns), Chains: make([]ChainReport, 1),
		},
		quantities: rng.New(o.Seed, rng.Quantities, 0, o.Replicate),
		values:     make([]float64, len(plan.Columns)),
		total:      fit + plan.Draws,
		began:      time.Now(),
	}
	if r.observer == nil {
		r.observer = Ignore{}
	}
	r.posterior.Draws.Reserve(0, min(plan.Draws, 1<<16))
	if o.KeepUnconstrained {
		r.posterior.Unconstrained = make([][][]float64, 1)
	}
	return r, r.observer.Begin(plan)
}

// Posterior is what the draws go into; the method adds density, weights,
// evidence and report.
func (r *Recorder) Posterior() *Posterior { return r.posterior }

// Step reports a step of the fit to the observer.
func (r *Recorder) Step() {
	if r.steps < r.total-r.posterior.Plan.Draws {
		r.steps++
	}
	r.observer.Step(Step{Done: r.steps, Total: r.total, Warmup: true})
}

// Draw records the point q with its log density and sampler columns.
func (r *Recorder) Draw(q []float64, logDensity float64, stats ...float64) error {
	p, report := r.posterior, &r.posterior.Chains[0]
	if r.fitted.IsZero() {
		r.fitted = time.Now()
		r.steps = r.total - p.Plan.Draws
	}
	fillNaN(r.values)
	if err := r.evaluator.Write(q, r.quantities, r.values); err != nil {
		if !IsReject(err) {
			return err
		}
		report.QuantityErrors++
		if report.QuantityError == nil {
			report.QuantityError = err
		}
	}
	row := draws.Row{Iteration: p.Draws.Len(0), LogDensity: logDensity, Stats: stats, Values: r.values}
	p.Draws.Append(row)
	if r.options.KeepUnconstrained {
		p.Unconstrained[0] = append(p.Unconstrained[0], slices.Clone(q))
	}
	r.steps++
	r.observer.Step(Step{Done: r.steps, Total: r.total})
	return r.observer.Draw(row)
}

// End closes the run and hands out the posterior. A cause marks it incomplete.
func (r *Recorder) End(cause error) (*Posterior, error) {
	p, now := r.posterior, time.Now()
	if m, ok := r.model.(Normalized); ok && p.Fit != nil {
		p.Fit.addConstant(m.LogConstant())
		if p.Duality != nil {
			p.Duality.LogEvidence.Value += m.LogConstant()
		}
	}
	if r.fitted.IsZero() {
		r.fitted = now
	}
	p.Incomplete, p.Cause = cause != nil, cause
	p.Chains[0].End = draws.ChainEnd{
		WarmupTime: r.fitted.Sub(r.began), SamplingTime: now.Sub(r.fitted), Incomplete: cause != nil,
	}
	return p, r.observer.End(0, p.Chains[0].End)
}

// Interruptible is t until ctx is done; then each evaluation fails with an
// error that IsInterrupted knows.
func Interruptible(ctx context.Context, t Target) Target { return &interruptible{Target: t, ctx: ctx} }

// IsInterrupted reports whether err is how the end of a context showed itself.
func IsInterrupted(err error) bool { return errors.Is(err, ErrInterrupted) }

// Guarded calls f and turns a panic into a *PanicError.
func Guarded(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return f()
}

// Start finds a starting point where log density and gradient are finite, as
// chain number chain would. It writes to s.Q, len(s.Q) == t.Dim(), and fills s.
func (in Init) Start(t Target, chain int, r *rand.Rand, s *State) error {
	if err := in.validate(t.Dim(), max(len(in.Points), 1)); err != nil {
		return err
	}
	if len(in.Points) > 1 && chain >= len(in.Points) {
		return fmt.Errorf("init: %d points, too few for start %d", len(in.Points), chain+1)
	}
	return in.start(starter{t}, chain, r, s)
}

// starter is as much of a kernel as finding a start needs.
type starter struct{ t Target }

func (k starter) Start(s *State) (err error) {
	if s.Grad == nil {
		s.Grad = make([]float64, len(s.Q))
	}
	s.LogDensity, err = k.t.LogDensityGrad(s.Q, s.Grad)
	return err
}

func (k starter) DrawWhole(r *rand.Rand, q []float64) (bool, error) { return DrawWhole(k.t, q, r) }

func (k starter) Step(*rand.Rand, *State, *Info) error { return errors.New("a starter does not step") }

// FiniteLogDensity is t's log density at q with rejections, NaN and values
// above every bound turned into -Inf, so that what is left of errors is fatal.
func FiniteLogDensity(t Target, q []float64) (float64, error) {
	return Finite(t.LogDensity(q))
}

// Finite is what FiniteLogDensity makes of the results of a log density.
func Finite(lp float64, err error) (float64, error) {
	switch {
	case err == nil && !math.IsNaN(lp) && !math.IsInf(lp, 1):
		return lp, nil
	case err == nil || IsReject(err):
		return math.Inf(-1), nil
	}
	return 0, err
}
