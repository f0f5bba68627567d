// This file is the method: options, defaults, the run.

package laplace

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/approx"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// Options are the settings of the method.
type Options struct {
	optimize.Settings
	Draws int // draws of the approximation, at least 1
	Init  infer.Init
}

// DefaultOptions are those of the language.
func DefaultOptions() Options {
	return Options{Settings: optimize.DefaultSettings(), Draws: 1000, Init: infer.Init{Radius: 2}}
}

// Method implements infer.Method.
type Method struct{ options Options }

// New checks the options and returns the method.
func New(o Options) (*Method, error) {
	if err := o.Settings.Validate(); err != nil {
		return nil, fmt.Errorf("laplace: %w", err)
	}
	if o.Draws < 1 {
		return nil, fmt.Errorf("laplace: draws must be at least 1, found %d", o.Draws)
	}
	return &Method{o}, nil
}

// Name implements infer.Method.
func (m *Method) Name() string { return "laplace" }

// Config is the method's settings in CmdStan's tree.
func (m *Method) Config() []draws.Entry {
	return []draws.Entry{{Name: "algorithm", Value: "laplace", Choice: true, Children: []draws.Entry{{
		Name: "laplace", Children: append(m.options.Settings.Config(),
			draws.Entry{Name: "draws", Value: m.options.Draws, Default: m.options.Draws == 1000}),
	}}}}
}

// Run implements infer.Method. Cut short before the Hessian is there it has no
// draws.
func (m *Method) Run(ctx context.Context, model infer.Model, o infer.Options) (p *infer.Posterior, err error) {
	ev := model.NewEvaluator()
	if err := approx.Differentiable(m.Name(), ev); err != nil {
		return nil, err
	}
	rec, err := infer.NewRecorder(model, ev, o, draws.Plan{
		Method: m.Name(), Draws: m.options.Draws, Stats: approx.Stats, Config: m.Config(),
	}, m.options.MaxIterations)
	if err != nil {
		return nil, err
	}
	err = infer.Guarded(func() error {
		err := m.fit(ctx, rec, ev, o)
		if err != nil && !infer.IsInterrupted(err) {
			return named(err, model)
		}
		p, err = rec.End(context.Cause(ctx))
		return err
	})
	return p, err
}

// named tells a curvature error the name of its coordinate.
func named(err error, model infer.Model) error {
	var c *CurvatureError
	if n, ok := model.(interface{ UnconstrainedNames() []string }); ok && errors.As(err, &c) {
		c.Name = n.UnconstrainedNames()[c.Coordinate]
	}
	return err
}

func (m *Method) fit(ctx context.Context, rec *infer.Recorder, ev infer.Evaluator, o infer.Options) error {
	t, p := infer.Interruptible(ctx, ev), rec.Posterior()
	report := &infer.FitReport{}
	p.Fit = report
	mode, err := optimize.Climb(t, rng.New(o.Seed, rng.Init, 0, o.Replicate), m.options.Init, m.options.Settings, func(x optimize.Point) {
		report.Trace = append(report.Trace, infer.TracePoint{Iteration: x.Iteration, Objective: x.LogDensity})
		rec.Step()
	})
	p.Chains[0].Init = mode.Start
	report.Iterations, report.Evaluations, report.Stop = mode.Iteration, mode.Evaluations, string(mode.Stop)
	if err != nil {
		return err
	}
	f, err := At(t, mode.X)
	if err != nil {
		return err
	}
	report.Evaluations += f.Evaluations
	if report.Converged = f.Converged(); report.Converged && !mode.Stop.Converged() {
		report.Stop += fmt.Sprintf(", and %d steps of Newton's method from there reach the mode", f.Steps)
	}
	report.Trace = append(report.Trace, infer.TracePoint{Iteration: mode.Iteration + f.Steps, Objective: f.LogDensity})
	if f.Hessian.Error > optimize.GoodHessian {
		report.Stop += fmt.Sprintf("; the Hessian is good to %.1g only", f.Hessian.Error)
	}
	return approx.Record(ctx, rec, ev, f.Normal, m.options.Draws, rng.New(o.Seed, "laplace/draws", 0, o.Replicate))
}
