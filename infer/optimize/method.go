// This file is the method map: the posterior mode as a posterior of one draw.

package optimize

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/approx"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// Options are the settings of the method.
type Options struct {
	Settings
	Jacobian bool // mode on the unconstrained scale
	Init     infer.Init
}

// DefaultOptions are CmdStan's.
func DefaultOptions() Options {
	return Options{Settings: DefaultSettings(), Init: infer.Init{Radius: 2}}
}

// Method implements infer.Method.
type Method struct{ options Options }

// New checks the options and returns the method.
func New(o Options) (*Method, error) {
	if err := o.Settings.Validate(); err != nil {
		return nil, fmt.Errorf("map: %w", err)
	}
	return &Method{o}, nil
}

// Name implements infer.Method.
func (m *Method) Name() string { return "map" }

// Run implements infer.Method. The one draw is the mode, lp__ the density that
// was maximised. Cut short, it is the best point so far.
func (m *Method) Run(ctx context.Context, model infer.Model, o infer.Options) (p *infer.Posterior, err error) {
	ev := model.NewEvaluator()
	if err := approx.Differentiable(m.Name(), ev); err != nil {
		return nil, err
	}
	target := infer.Target(ev)
	if !m.options.Jacobian {
		u, ok := model.(infer.Unadjusted)
		if !ok {
			return nil, &infer.MissingError{Method: "map with jacobian = false", Needs: "a density without the log Jacobian of its constraints"}
		}
		target = u.Density(false, false)
	}
	rec, err := infer.NewRecorder(model, ev, o, draws.Plan{Method: m.Name(), Draws: 1, Config: m.Config()}, m.options.MaxIterations)
	if err != nil {
		return nil, err
	}
	err = infer.Guarded(func() (err error) {
		p, err = m.run(ctx, rec, infer.Interruptible(ctx, target), namesOf(model), o)
		return err
	})
	return p, err
}

func (m *Method) run(ctx context.Context, rec *infer.Recorder, t infer.Target, names []string, o infer.Options) (*infer.Posterior, error) {
	report := &infer.FitReport{ParetoK: math.NaN()}
	rec.Posterior().Fit = report
	r, err := Climb(t, rng.New(o.Seed, rng.Init, 0, o.Replicate), m.options.Init, m.options.Settings, func(p Point) {
		report.Trace = append(report.Trace, infer.TracePoint{Iteration: p.Iteration, Objective: p.LogDensity})
		rec.Step()
	})
	if err != nil && !infer.IsInterrupted(err) {
		return nil, err
	}
	report.Iterations, report.Evaluations = r.Iteration, r.Evaluations
	report.Stop, report.Converged = string(r.Stop), r.Stop.Converged()
	if r.Start == nil {
		return rec.End(context.Cause(ctx))
	}
	rec.Posterior().Chains[0].Init = r.Start
	if err == nil {
		if report.Mode, err = Assess(t, r.X, names); err != nil && !infer.IsInterrupted(err) && !infer.IsReject(err) {
			return nil, err
		}
	}
	if err := rec.Draw(r.X, r.LogDensity); err != nil {
		return nil, err
	}
	return rec.End(context.Cause(ctx))
}

// Config is the method's settings in CmdStan's tree.
func (m *Method) Config() []draws.Entry {
	o, def := m.options, DefaultSettings()
	return []draws.Entry{{Name: "algorithm", Value: "map", Choice: true, Children: []draws.Entry{{
		Name: "map", Children: append(o.Settings.Config(),
			draws.Entry{Name: "history_size", Value: o.History, Default: o.History == def.History},
			draws.Entry{Name: "jacobian", Value: o.Jacobian, Default: !o.Jacobian}),
	}}}}
}

// Config lists the stopping rules under CmdStan's names, relative ones in
// machine epsilons.
func (s Settings) Config() []draws.Entry {
	def := DefaultSettings()
	return []draws.Entry{
		{Name: "tol_obj", Value: s.TolObj, Default: s.TolObj == def.TolObj},
		{Name: "tol_rel_obj", Value: s.TolRelObj * 0x1p52, Default: s.TolRelObj == def.TolRelObj},
		{Name: "tol_grad", Value: s.TolGrad, Default: s.TolGrad == def.TolGrad},
		{Name: "tol_rel_grad", Value: s.TolRelGrad * 0x1p52, Default: s.TolRelGrad == def.TolRelGrad},
		{Name: "tol_param", Value: s.TolParam, Default: s.TolParam == def.TolParam},
		{Name: "iter", Value: s.MaxIterations, Default: s.MaxIterations == def.MaxIterations},
	}
}

// namesOf are the names of a model's coordinates; nil where it has none.
func namesOf(m infer.Model) []string {
	if n, ok := m.(interface{ UnconstrainedNames() []string }); ok {
		return n.UnconstrainedNames()
	}
	return nil
}
