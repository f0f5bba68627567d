// This file is the method gvi: options, defaults, the run.

package gvi

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/approx"
	"github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/pathfinder"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// The scales that a divergence may be taken on.
const (
	Declared      = "declared"
	Unconstrained = "unconstrained"
)

// Fit are the settings that both methods of this package have.
type Fit struct {
	Family     string  // MeanField, FullRank or LowRank; of gvi also Mixture or Conjugate
	Draws      int     // draws of the approximation, at least 1
	Iterations int     // most steps of the optimiser, at least 1
	Tolerance  float64 // see the package comment, positive
	Samples    int     // points of the first stage, at least 1
	Rank       int     // columns of LowRank's factor; 0: a tenth of the dimension, rounded up
	Components int     // normals of Mixture, at least 1
	Starts     int     // fits of which the one with the least objective is kept; 0: see starts.go
	Init       infer.Init
}

func defaultFit() Fit {
	return Fit{Family: MeanField, Draws: 1000, Iterations: 10000, Tolerance: 0.01, Samples: 10, Components: 3, Init: infer.Init{Radius: 2}}
}

func (o Fit) check(method string, families ...string) error {
	for _, c := range []struct {
		name         string
		value, least int
	}{{"draws", o.Draws, 1}, {"iterations", o.Iterations, 1}, {"samples", o.Samples, 1}, {"rank", o.Rank, 0}, {"starts", o.Starts, 0}} {
		if c.value < c.least {
			return fmt.Errorf("%s: %s must be at least %d, found %d", method, c.name, c.least, c.value)
		}
	}
	if !(o.Tolerance > 0) {
		return fmt.Errorf("%s: tolerance must be positive, found %g", method, o.Tolerance)
	}
	if slices.Contains(families, o.Family) {
		return nil
	}
	return fmt.Errorf("%s: family must be one of %v, found %q", method, families, o.Family)
}

// Options are the settings of gvi.
type Options struct {
	Fit
	Loss       Loss
	Divergence divergence.Divergence
	// ByParameter, if any, takes the place of Divergence: a sum over parameters,
	// with kl(1) for those that are not named. It needs MeanField.
	ByParameter []Part
	Adam                 // also of Batch without Epochs, see minibatch.go
	Scale       string   // Declared or Unconstrained
	Point       []string // parameters of the likelihood that are estimated by a point
	Estimator   string   // of the gradient: Reparametrised, Score, or one of the four by name
}

// DefaultOptions are those of the language.
func DefaultOptions() Options {
	return Options{Fit: defaultFit(), Loss: Loss{Name: "nll"}, Divergence: divergence.Divergence{{Kind: divergence.KL, Params: [3]float64{1}}}, Scale: Declared, Estimator: Reparametrised}
}

// Method is gvi; it implements infer.Method.
type Method struct{ options Options }

// New checks the options and returns the method.
func New(o Options) (*Method, error) {
	if err := o.check("gvi", MeanField, FullRank, LowRank, Mixture, Conjugate); err != nil {
		return nil, err
	}
	if err := o.Loss.check(); err != nil {
		return nil, err
	}
	if len(o.Divergence) == 0 && len(o.ByParameter) == 0 {
		return nil, fmt.Errorf("gvi: a divergence is needed")
	}
	if len(o.ByParameter) > 0 && o.Family != MeanField {
		return nil, fmt.Errorf("gvi: divergences by parameter need a family in which parameters are independent: %s, found %s", MeanField, o.Family)
	}
	if o.Family == Conjugate && o.Loss.Name != "nll" {
		return nil, fmt.Errorf("gvi: the conjugate family takes loss = nll(), found %s; the other families take all losses", o.Loss)
	}
	if o.Scale != Declared && o.Scale != Unconstrained {
		return nil, fmt.Errorf("gvi: scale must be %s or %s, found %q", Declared, Unconstrained, o.Scale)
	}
	if o.Family == Mixture && o.Components < 1 {
		return nil, fmt.Errorf("gvi: components must be at least 1, found %d", o.Components)
	}
	if err := o.checkAdam("gvi", o.Fit); err != nil {
		return nil, err
	}
	if err := o.checkBatch(); err != nil {
		return nil, err
	}
	if err := o.checkEstimator(); err != nil {
		return nil, err
	}
	if err := o.checkPoints(); err != nil {
		return nil, err
	}
	return &Method{o}, nil
}

// Name implements infer.Method.
func (m *Method) Name() string { return "gvi" }

// Config is the method's settings in CmdStan's tree.
func (m *Method) Config() []draws.Entry {
	o, def := m.options, defaultFit()
	return o.config("gvi", append(o.adamConfig(),
		draws.Entry{Name: "loss", Value: o.Loss.String(), Default: o.Loss.String() == "nll()"},
		draws.Entry{Name: "divergence", Value: o.divergences(), Default: o.divergences() == "kl(1)"},
		draws.Entry{Name: "scale", Value: o.Scale, Default: o.Scale == Declared},
		draws.Entry{Name: "point", Value: strings.Join(o.Point, " "), Default: len(o.Point) == 0},
		draws.Entry{Name: "components", Value: o.Components, Default: o.Components == def.Components},
		draws.Entry{Name: "estimator", Value: o.Estimator, Default: o.Estimator == Reparametrised})...)
}

// divergences writes the divergence as the language does.
func (o Options) divergences() string {
	if len(o.ByParameter) == 0 {
		return o.Divergence.String()
	}
	var parts []string
	for _, p := range o.ByParameter {
		parts = append(parts, p.Parameter+": "+p.Divergence.String())
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// posterior reports whether the objective is least at the posterior, were that in the family.
func (o Options) posterior() bool {
	if o.Loss.Own != nil || o.Loss.Name != "nll" {
		return false
	}
	if len(o.ByParameter) == 0 {
		return o.Divergence.IsKL() && o.Divergence.String() == DefaultOptions().Divergence.String()
	}
	for _, p := range o.ByParameter {
		if p.Divergence.String() != DefaultOptions().Divergence.String() {
			return false
		}
	}
	return true
}

// invariant reports whether the objective is the same on both scales.
func (o Options) invariant() bool {
	all := o.Divergence.Invariant()
	for _, p := range o.ByParameter {
		all = all && p.Divergence.Invariant()
	}
	return all
}

func (o Fit) config(name string, own ...draws.Entry) []draws.Entry {
	def := defaultFit()
	return []draws.Entry{{Name: "algorithm", Value: name, Choice: true, Children: []draws.Entry{{
		Name: name, Children: append(own,
			draws.Entry{Name: "family", Value: o.Family, Default: o.Family == def.Family},
			draws.Entry{Name: "iter", Value: o.Iterations, Default: o.Iterations == def.Iterations},
			draws.Entry{Name: "samples", Value: o.Samples, Default: o.Samples == def.Samples},
			draws.Entry{Name: "tolerance", Value: o.Tolerance, Default: o.Tolerance == def.Tolerance},
			draws.Entry{Name: "rank", Value: o.Rank, Default: o.Rank == 0},
			draws.Entry{Name: "starts", Value: o.Starts, Default: o.Starts == 0},
			draws.Entry{Name: "output_draws", Value: o.Draws, Default: o.Draws == def.Draws}),
	}}}}
}

// Run implements infer.Method. Cut short, it draws from the approximation so far.
func (m *Method) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	if m.options.Batch > 0 && m.options.Epochs == 0 {
		p, err := m.minibatched(ctx, model, o)
		if p != nil && p.Fit != nil {
			p.Fit.Elsewhere = !m.options.posterior()
		}
		return p, err
	}
	r := &run{name: "gvi", elsewhere: !m.options.posterior(), fit: m.options.Fit, config: m.Config(), model: model, options: o}
	if m.options.Family == Conjugate {
		return r.run(ctx, func(rec *infer.Recorder) (infer.Approximation, error) { return m.conjugate(r, rec) })
	}
	if m.options.Estimator != Reparametrised {
		return r.run(ctx, func(rec *infer.Recorder) (infer.Approximation, error) { return m.byScore(r, rec) })
	}
	return r.run(ctx, func(rec *infer.Recorder) (infer.Approximation, error) {
		if m.options.Epochs > 0 {
			return r.byAdam(rec, m.options.Adam, m.energy)
		}
		return r.approximate(rec, m.energy, m.graduated()...)
	})
}

// run is one run of a method of this package.
type run struct {
	name      string
	elsewhere bool // see infer.FitReport
	fit       Fit
	config    []draws.Entry
	model     infer.Model
	options   infer.Options
	ev        infer.Evaluator
	src       *source

	began  int  // which start the fit is from
	obeyed bool // which init gives
}

// stream is a stream of random numbers of the run.
func (r *run) stream(purpose string) *rand.Rand {
	return rng.New(r.options.Seed, rng.Purpose(r.name+purpose), 0, r.options.Replicate)
}

// run records the approximation that a fit gives. When interrupted, a fit returns
// the one so far, if any, beside the error.
func (r *run) run(ctx context.Context, fit func(rec *infer.Recorder) (infer.Approximation, error)) (p *infer.Posterior, err error) {
	r.ev = r.model.NewEvaluator()
	if err := approx.Differentiable(r.name, r.ev); err != nil {
		return nil, err
	}
	r.src = &source{ctx: ctx, target: r.ev, stopping: infer.Interruptible(ctx, r.ev), scratch: make([]float64, r.ev.Dim())}
	rec, err := infer.NewRecorder(r.model, r.ev, r.options, draws.Plan{
		Method: r.name, Draws: r.fit.Draws, Stats: approx.Stats, Config: r.config,
	}, r.fit.Iterations)
	if err != nil {
		return nil, err
	}
	err = infer.Guarded(func() error {
		rec.Posterior().Fit = &infer.FitReport{ParetoK: math.NaN()}
		q, err := fit(rec)
		if err != nil && !infer.IsInterrupted(err) {
			return err
		}
		if q != nil {
			if err := approx.Record(ctx, rec, r.ev, q, r.fit.Draws, r.stream("/draws")); err != nil {
				return err
			}
			rec.Posterior().Fit.Elsewhere = r.elsewhere
			if own, ok := q.(*withPoints); ok {
				if err := r.pointwise(rec.Posterior(), own); err != nil {
					return err
				}
			}
		}
		p, err = rec.End(context.Cause(ctx))
		return err
	})
	return p, err
}

// approximate fits a normal with the energy that the function makes. Where there are
// energies on the way to it, they are tried, too (starts.go).
func (r *run) approximate(rec *infer.Recorder, make func(r *run) (energy, error), way ...func(r *run) (energy, error)) (infer.Approximation, error) {
	p := rec.Posterior()
	e, err := make(r)
	if err != nil {
		return nil, err
	}
	if r.ev.Dim() == 0 {
		start, err := r.start(p)
		p.Fit.Converged, p.Fit.Stop = true, "there are no parameters"
		return start, err
	}
	var f *fitter
	if r.fit.Starts > 0 {
		f, err = r.severally(rec, e, way)
	} else {
		var start *normal.Normal
		if start, err = r.start(p); start == nil || err != nil {
			return nil, err
		}
		if f, err = r.fitter(rec, e, start, p.Fit); err != nil {
			return nil, err
		}
		if len(way) == 0 && len(r.fit.Init.Points) > 0 {
			way = append(way, make)
		}
		if err = f.run(); len(way) > 0 && !infer.IsInterrupted(err) {
			f, err = r.least(rec, f, err, start, way)
		}
	}
	if errors.Is(err, errNowhere) {
		err = fmt.Errorf("%s: %w", r.name, err)
	}
	if f == nil || f.best == nil {
		return nil, err
	}
	if g, ok := f.energy.(*generalised); ok && err == nil {
		if !r.finite(g, f.best, f.report) {
			f.value = math.Inf(1)
		}
	}
	*p.Fit = *f.report
	if !math.IsNaN(f.value) {
		p.Fit.Objective = &infer.Estimate{Value: f.value}
	}
	p.Fit.Stop = fmt.Sprintf("%s after %d steps in %d stages", p.Fit.Stop, p.Fit.Iterations, max(f.stage, 1))
	return f.best, err
}

// fitter is a fit from a start, before its first step.
func (r *run) fitter(rec *infer.Recorder, e energy, start *normal.Normal, report *infer.FitReport) (*fitter, error) {
	fam, err := r.family(start)
	if err != nil {
		return nil, err
	}
	f := &fitter{
		energy: e, fam: fam, src: r.src, r: r.stream(""), dim: start.Dim(), samples: r.fit.Samples,
		iterations: r.fit.Iterations, tolerance: r.fit.Tolerance, onStep: rec.Step, report: report,
	}
	if e, ok := e.(interface{ warm() energy }); ok {
		if f.warm = e.warm(); f.warm != nil {
			f.pairs = min(10*f.fam.params(), 1000)
		}
	}
	return f, nil
}

// family is the one that is fitted, at its start.
func (r *run) family(start *normal.Normal) (family, error) {
	if r.src.points != nil {
		return newPointed(r.fit.Family, start, r.rank(start.Dim()), r.src.points), nil
	}
	if r.fit.Family != Mixture {
		return newFamily(r.fit.Family, start, r.rank(start.Dim())), nil
	}
	if r.obeyed {
		return newMixture(slices.Repeat([]*normal.Normal{start}, r.fit.Components)), nil
	}
	return r.mixture(start)
}

// place is the path that start k takes; a mixture takes several.
func (r *run) place(k int) int {
	if r.fit.Family == Mixture {
		return k * pathsEach * r.fit.Components
	}
	return k
}

// rank is that of the lowrank family's factor.
func (r *run) rank(dim int) int {
	if r.fit.Rank > 0 {
		return r.fit.Rank
	}
	return (dim + 9) / 10
}

// start is the approximation that a fit starts from.
func (r *run) start(p *infer.Posterior) (*normal.Normal, error) {
	n, _, from, err := r.path(0)
	p.Chains[0].Init = from
	return n, err
}

// path is the approximation of a Pathfinder path to the posterior with its evidence
// lower bound, or where that fails a narrow one at the path's starting point.
func (r *run) path(k int) (n *normal.Normal, bound float64, from []float64, err error) {
	t := r.src.stopping
	state := infer.State{Q: make([]float64, t.Dim())}
	init := r.fit.Init
	if k > 0 && len(init.Points) > 0 {
		init = infer.Init{Radius: 2}
	}
	if err := init.Start(t, k, rng.New(r.options.Seed, rng.Init, uint64(k), r.options.Replicate), &state); err != nil {
		return nil, 0, nil, err
	}
	s := optimize.DefaultSettings()
	s.History, s.MaxIterations = 6, min(1000, r.fit.Iterations)
	stream := r.stream("/start")
	if k > 0 {
		stream = r.stream(fmt.Sprintf("/start %d", k))
	}
	path, err := pathfinder.Follow(t, stream, state.Q, s, 10)
	r.src.count += path.Evaluations
	switch {
	case err == nil || infer.IsInterrupted(err) && path.Normal != nil:
		return path.Normal, path.ELBO.Value, state.Q, nil
	case errors.Is(err, pathfinder.ErrNoCandidate):
		sd := make([]float64, t.Dim())
		for i := range sd {
			sd[i] = 0.1
		}
		return normal.NewDiagonal(state.Q, sd), math.Inf(-1), state.Q, nil
	}
	return nil, 0, state.Q, err
}

// energy is the objective of gvi on a model.
func (m *Method) energy(r *run) (energy, error) {
	o := m.options
	if r.ev.Dim() == 0 {
		return nil, nil
	}
	var err error
	if b := r.src.batches; b != nil {
		r.src.parts = b
	} else if r.src.parts, err = m.split(r.ev); err != nil {
		return nil, err
	}
	if len(o.Point) > 0 {
		p, err := newPoints(r, o.Point)
		if err != nil {
			return nil, err
		}
		r.src.points = p
	}
	g := &generalised{src: r.src, div: o.Divergence}
	if g.loss, err = newLoss(o.Loss, r.model, r.src.batches); err != nil {
		return nil, err
	}
	if err := m.onScale(r); err != nil {
		return nil, err
	}
	if len(o.ByParameter) > 0 {
		return g, m.byParameter(r, g)
	}
	if r.src.bare == nil && o.Family != Mixture {
		prior, err := r.src.recognise()
		if err != nil {
			return nil, err
		}
		if prior != nil {
			g.reach, err = newReach(o.Divergence, prior, o.Family == MeanField)
			return g, err
		}
	}
	if err := m.fromPoints(r, g); err != nil {
		return nil, err
	}
	if o.Family == MeanField && r.src.bare == nil {
		parts, err := newFactored(r.src)
		if parts == nil || err != nil {
			return g, err
		}
		g.parts = parts
		all := make([]int, r.src.dim())
		for i := range all {
			all[i] = i
		}
		parts.add(o.Divergence, all)
		if g.prior != nil {
			parts.setPrior(g.prior)
		}
	}
	return g, nil
}

// split returns prior and likelihood. Where only their sum counts, the model need not fall
// into them.
func (m *Method) split(t infer.Target) (infer.Tempered, error) {
	o := m.options
	usual := o.Loss.Name == "nll" && len(o.ByParameter) == 0 && o.divergences() == "kl(1)"
	if parts, ok := infer.Capability[infer.Tempered](t); ok && usual {
		return parts, nil
	}
	return infer.Split(m.Name(), t)
}

// onScale finds out whether the log Jacobian counts.
func (m *Method) onScale(r *run) error {
	o := m.options
	if o.Scale == Unconstrained || o.invariant() {
		return nil
	}
	u, ok := r.model.(infer.Unadjusted)
	if !ok {
		return &infer.MissingError{
			Method: fmt.Sprintf("gvi with divergence = %s on the declared scale", o.divergences()),
			Needs:  "the log Jacobian of the constraints (scale = \"unconstrained\" does without; kl, renyi and alpha are the same on both scales)",
		}
	}
	r.src.bare = u.Density(false, false)
	d := r.ev.Dim()
	x, grad := make([]float64, d), make([]float64, d)
	stream := rng.New(1, "gvi/jacobian", 0, 0)
	for range 3 {
		j, err := r.src.jacobian(x, grad)
		if err != nil {
			return notReject(err)
		}
		if math.Abs(j) > 1e-10 {
			return nil
		}
		for i, g := range grad {
			if math.Abs(g) > 1e-10 {
				return nil
			}
			x[i] = variate.Normal(stream)
		}
	}
	r.src.bare = nil // there are no constraints
	return nil
}
