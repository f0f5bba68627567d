// This file is the method: options, defaults, start, the run.

package cavi

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/approx"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// What becomes of one-dimensional conditionals without a form.
const (
	Quadrature = "quadrature"
	Laplace    = "laplace"
)

// Options are the settings of the method.
type Options struct {
	Draws        int     // draws of the approximation, at least 1
	Iterations   int     // most cycles, at least 1
	Tolerance    float64 // see the package comment, positive
	Blocks       infer.Blocking
	Nonconjugate string // Quadrature or Laplace
	Starts       int    // most starts, at least 1; the greatest bound is kept
	Init         infer.Init
	// Continuous leaves whole numbers out of the result: draws and density are those of
	// the other factors, as an approximation of the density with whole numbers summed
	// out. Wrappers that go on from a density want it so.
	Continuous bool
}

// DefaultOptions are those of the language.
func DefaultOptions() Options {
	return Options{
		Draws: 1000, Iterations: 10000, Tolerance: 1e-8, Blocks: infer.Blocking{Choice: infer.ByParameter}, Nonconjugate: Quadrature,
		Starts: 4, Init: infer.Init{Radius: 2},
	}
}

// Method implements infer.Method.
type Method struct{ options Options }

// New checks the options and returns the method.
func New(o Options) (*Method, error) {
	switch {
	case o.Draws < 1:
		return nil, fmt.Errorf("cavi: draws must be at least 1, found %d", o.Draws)
	case o.Iterations < 1:
		return nil, fmt.Errorf("cavi: iterations must be at least 1, found %d", o.Iterations)
	case o.Starts < 1:
		return nil, fmt.Errorf("cavi: starts must be at least 1, found %d", o.Starts)
	case !(o.Tolerance > 0):
		return nil, fmt.Errorf("cavi: tolerance must be positive, found %g", o.Tolerance)
	case o.Blocks.Check() != nil:
		return nil, fmt.Errorf("cavi: %w", o.Blocks.Check())
	case o.Nonconjugate != Quadrature && o.Nonconjugate != Laplace:
		return nil, fmt.Errorf("cavi: nonconjugate must be %s or %s, found %q", Quadrature, Laplace, o.Nonconjugate)
	}
	return &Method{o}, nil
}

// Name implements infer.Method.
func (m *Method) Name() string { return "cavi" }

// Config is the method's settings in CmdStan's tree.
func (m *Method) Config() []draws.Entry {
	o, def := m.options, DefaultOptions()
	return []draws.Entry{{Name: "algorithm", Value: "cavi", Choice: true, Children: []draws.Entry{{
		Name: "cavi", Children: []draws.Entry{
			{Name: "iter", Value: o.Iterations, Default: o.Iterations == def.Iterations},
			{Name: "tolerance", Value: o.Tolerance, Default: o.Tolerance == def.Tolerance},
			{Name: "blocks", Value: o.Blocks.String(), Default: o.Blocks.Choice == def.Blocks.Choice},
			{Name: "nonconjugate", Value: o.Nonconjugate, Default: o.Nonconjugate == def.Nonconjugate},
			{Name: "starts", Value: o.Starts, Default: o.Starts == def.Starts},
			{Name: "output_draws", Value: o.Draws, Default: o.Draws == def.Draws},
		},
	}}}}
}

// Run implements infer.Method. A model that has its discrete parameters summed out, and
// a joint form, is fitted in that. Cut short after the first cycle, the run draws from
// the factors as they are.
func (m *Method) Run(ctx context.Context, model infer.Model, o infer.Options) (p *infer.Posterior, err error) {
	full := model
	if j, ok := model.(interface{ Joint() infer.Model }); ok {
		full = j.Joint()
	}
	if !m.options.Continuous {
		model = full
	}
	ev := model.NewEvaluator()
	rec, err := infer.NewRecorder(model, ev, o, draws.Plan{
		Method: m.Name(), Draws: m.options.Draws, Stats: approx.Stats, Config: m.Config(),
	}, m.options.Iterations)
	if err != nil {
		return nil, err
	}
	err = infer.Guarded(func() error {
		if err := m.fit(ctx, rec, full, ev, o); err != nil && !infer.IsInterrupted(err) {
			return err
		}
		p, err = rec.End(context.Cause(ctx))
		return err
	})
	return p, err
}

// fit fits the full model and records draws from what ev has of it.
func (m *Method) fit(ctx context.Context, rec *infer.Recorder, full infer.Model, ev infer.Evaluator, o infer.Options) error {
	whole := inSums(ev)
	if full.Dim() != ev.Dim() {
		whole = inSums(full.NewEvaluator())
	}
	t, p := infer.Interruptible(ctx, whole), rec.Posterior()
	report := &infer.FitReport{ParetoK: math.NaN(), Bounds: true}
	p.Fit = report
	f, err := m.factorise(full, t)
	if err != nil {
		return err
	}
	a, err := m.ascend(ctx, rec, f, t, o)
	if a == nil {
		return err
	}
	if infer.IsInterrupted(err) {
		report.Stop = "the run was cut short"
	} else if err != nil {
		return err
	}
	if names := a.approximate(); names != "" {
		report.Stop += "; factors by Laplace's approximation, for which the bound may fall: " + names
	}
	elbo := report.ELBO // exact, where Record has an estimate
	q := a.density(ev.Dim())
	if err := approx.Record(ctx, rec, inSums(ev), q, m.options.Draws, rng.New(o.Seed, "cavi/draws", 0, o.Replicate)); err != nil {
		return err
	}
	if ev.Dim() < full.Dim() {
		return nil // the bound is another one, with whole numbers summed out
	}
	report.ELBO = elbo
	if report.Excluded, err = excluded(ctx, t, q, rng.New(o.Seed, "cavi/excluded", 0, o.Replicate)); err != nil {
		return err
	}
	if ctx.Err() == nil && report.Excluded == 0 {
		p.Duality, err = a.duality(ctx, q, ratios(p.Draws), rng.New(o.Seed, "cavi/duality", 0, o.Replicate))
	}
	return err
}

// ascend makes an ascent from each start and gives the one with the greatest bound; none
// where no start got through a cycle. Once two have reached the same bound it is the one.
func (m *Method) ascend(ctx context.Context, rec *infer.Recorder, f *infer.Factorisation, t infer.Target, o infer.Options) (best *ascent, err error) {
	p := rec.Posterior()
	report := p.Fit
	spent := new(points)
	for s := range m.starts() {
		a, err := newAscent(f, m.options.Nonconjugate == Laplace)
		if err != nil {
			return nil, err
		}
		a.count(spent)
		state := infer.State{Q: make([]float64, t.Dim())}
		if err := m.options.Init.Start(rounded{t}, s, rng.New(o.Seed, rng.Init, uint64(s), o.Replicate), &state); err != nil {
			return best, err
		}
		if err := a.start(state.Q); err != nil {
			return best, err
		}
		this := &infer.FitReport{}
		started, err := a.run(ctx, &m.options, this, rec.Step)
		for _, point := range this.Trace {
			point.Path = s
			report.Trace = append(report.Trace, point)
		}
		report.Iterations += this.Iterations
		if err != nil && !infer.IsInterrupted(err) && (best == nil || !errors.As(err, new(*ImproperError))) {
			return nil, err
		}
		again := false
		if started && err == nil || started && best == nil {
			again = best != nil && math.Abs(this.ELBO.Value-report.ELBO.Value) <= a.same()*math.Max(1, math.Abs(report.ELBO.Value))
			// Of bounds that differ by rounding the first is kept: relabelled components have the same.
			if best == nil || this.ELBO.Value > report.ELBO.Value && !(again && report.Converged) {
				best, p.Chains[0].Init = a, state.Q
				report.ELBO, report.Converged, report.Stop = this.ELBO, this.Converged, this.Stop
			}
		}
		if infer.IsInterrupted(err) {
			return best, err
		}
		if again {
			break
		}
	}
	return best, nil
}

// starts is how many starts differ.
func (m *Method) starts() int {
	switch init := m.options.Init; {
	case len(init.Points) > 0:
		return min(len(init.Points), m.options.Starts)
	case init.Radius == 0:
		return 1
	}
	return m.options.Starts
}

// excludedDraws is how many draws are looked at for what the factors exclude.
const excludedDraws = 100

// excluded draws whole numbers anew given the continuous coordinates of draws from q, and returns
// the share of these that q makes impossible. Where some values exclude others, factors can only
// settle for a part of what is possible; no importance weights show that.
// Where q makes no value impossible there is nothing to look for.
func excluded(ctx context.Context, t infer.Target, q *product, r *rand.Rand) (float64, error) {
	if !slices.ContainsFunc(q.of, impossible) {
		return 0, nil
	}
	x := make([]float64, q.dim)
	missed := 0
	for range excludedDraws {
		if ctx.Err() != nil {
			return 0, nil
		}
		q.Draw(r, x)
		drawn, err := infer.DrawWhole(t, x, r)
		if err != nil && !infer.IsReject(err) {
			return 0, err
		}
		if !drawn {
			return 0, nil
		}
		if err == nil && math.IsInf(q.LogDensity(x), -1) {
			missed++
		}
	}
	return float64(missed) / excludedDraws, nil
}

// impossible reports whether a whole number has values without probability.
func impossible(d blockDensity) bool {
	if j, ok := d.(*jointDensity); ok {
		return j.state.Excludes()
	}
	t, ok := d.(*table)
	return ok && slices.ContainsFunc(t.logp, func(lp float64) bool { return math.IsInf(lp, -1) })
}

// ratios are log p - log q of the draws.
func ratios(d *draws.Draws) []float64 {
	p, q := d.Column(draws.LogTargetColumn)[0], d.Column(draws.LogApproximationColumn)[0]
	out := make([]float64, len(p))
	for i := range out {
		out[i] = p[i] - q[i]
	}
	return out
}

// factorise asks the model; one of a single coordinate needs no factorisation.
func (m *Method) factorise(model infer.Model, t infer.Target) (*infer.Factorisation, error) {
	var missing error = &infer.MissingError{Method: m.Name(), Needs: "a log density that is a sum of products of functions of its parameters"}
	if f, ok := model.(infer.Factorisable); ok {
		out, err := f.Factorise(m.options.Blocks)
		if err == nil || !errors.As(err, new(*infer.MissingError)) {
			return out, err
		}
		missing = err
	}
	whole := 0
	if mixed, ok := infer.Capability[infer.Mixed](t); ok {
		whole = len(mixed.Whole())
	}
	switch {
	case t.Dim() == 0:
		lp, err := t.LogDensity(nil)
		return &infer.Factorisation{Terms: []infer.FactorTerm{{Coef: lp}}}, err
	case t.Dim() == 1 && whole == 0:
		return oneBlock(t), nil
	}
	return nil, missing
}

// oneBlock is a target of one coordinate as a block with one statistic, its density.
func oneBlock(t infer.Target) *infer.Factorisation {
	return &infer.Factorisation{
		Blocks: []infer.FactorBlock{{
			Name: "the parameter", Size: 1, Coords: []int{0},
			Statistics: []infer.Statistic{{{Func: infer.Function, Power: 1}}},
			Functions: func() infer.BlockFunctions {
				q := make([]float64, 1)
				return func(x float64, out []float64) (err error) {
					q[0] = x
					out[0], err = t.LogDensity(q)
					return err
				}
			},
		}},
		Terms: []infer.FactorTerm{{Coef: 1, Of: []infer.BlockStatistic{{}}}},
	}
}
