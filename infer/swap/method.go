// This file is the method: options, and the order of its steps.

package swap

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// What may stand for the false posterior; see the package comment. Auto is Exact where the log
// densities of its draws are those of a closed form, else Density where the wrapped method
// gives one, else Parametric; and Draws where their weights hold and contradict that, or where
// priors depend on discrete parameters.
const (
	Auto           = ""
	Exact          = "exact"
	Density        = "density"
	Parametric     = "parametric"
	Semiparametric = "semiparametric"
	Draws          = "draws"
	// Multiplied is what reports call draws that were multiplied: no setting.
	Multiplied = "multiplied"
)

// Priors is an exchange of priors in a model.
type Priors interface {
	// Model is the model with the new priors.
	Model() infer.Model
	// Coords are the unconstrained coordinates that Difference depends on, ascending.
	Coords() []int
	// Difference makes a target for one goroutine that gives log new prior - log old
	// prior at an unconstrained point; -Inf where one of them is zero. It may be a Cut.
	Difference() infer.Target
}

// Mixed is implemented by exchanges of priors that may depend on discrete parameters.
type Mixed interface {
	Priors
	// Whole are the columns of the discrete parameters where the priors do depend on one; nil
	// otherwise. Points of Difference then have their values after the unconstrained coordinates.
	Whole() []string
}

// Partial is implemented by exchanges of priors that know what they leave as it is.
type Partial interface {
	Priors
	// Apart are the unconstrained coordinates, ascending, that do not depend on the others, nor
	// on the priors that are exchanged.
	Apart() []int
}

// whole are the columns that priors read beside the unconstrained coordinates.
func whole(p Priors) []string {
	if m, ok := p.(Mixed); ok {
		return m.Whole()
	}
	return nil
}

// A Cut is a difference of priors that can tell where the old priors are zero and the new
// ones are not.
type Cut interface {
	infer.Target
	OldZero(q []float64) (bool, error)
}

// Options are the settings of the method.
type Options struct {
	Inner  infer.Method // gives the false posterior
	With   infer.Method // samples the prior swap function
	From   string       // Auto, Exact, Density, Parametric, Semiparametric or Draws
	Priors func(infer.Model) (Priors, error)
}

// Method implements infer.Method.
type Method struct{ options Options }

// New checks the options and returns the method.
func New(o Options) (*Method, error) {
	switch {
	case o.Inner == nil || o.With == nil || o.Priors == nil:
		return nil, errors.New("prior_swap: a method to wrap, a method to sample with and new priors must be given")
	case !slices.Contains([]string{Auto, Exact, Density, Parametric, Semiparametric, Draws}, o.From):
		return nil, fmt.Errorf("prior_swap: unknown false posterior %q", o.From)
	}
	return &Method{o}, nil
}

// Name implements infer.Method.
func (m *Method) Name() string { return "prior_swap" }

// ForModel implements infer.ModelAdapter: the model with the new priors.
func (m *Method) ForModel(model infer.Model) (infer.Model, error) {
	model, err := infer.ForModel(m.options.Inner, model)
	if err != nil {
		return nil, err
	}
	p, err := m.options.Priors(model)
	if err != nil {
		return nil, err
	}
	return p.Model(), nil
}

// Run implements infer.Method. The rows are those of the wrapped method's model;
// lp__ is the prior swap function, up to a constant.
func (m *Method) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	before, err := infer.ForModel(m.options.Inner, model) // whose priors are exchanged
	if err != nil {
		return nil, err
	}
	priors, err := m.options.Priors(before)
	if err != nil {
		return nil, err
	}
	if model.Dim() == 0 && whole(priors) == nil {
		return m.options.Inner.Run(ctx, model, o)
	}
	f, report, err := m.falsePosterior(ctx, model, before, priors, o)
	if err != nil && ctx.Err() != nil {
		return interrupted(ctx, model, o)
	}
	if err != nil {
		return nil, fmt.Errorf("prior_swap: %w", err)
	}
	if report.From == Draws {
		p, err := f.weighted(priors, report, o)
		if err != nil {
			return nil, fmt.Errorf("prior_swap: %w", err)
		}
		return p, nil
	}
	origin, err := f.begin()
	if err != nil {
		return nil, err
	}
	e := newEmitter(f, o, m.options.With.Name(), report.From)
	inner := o
	inner.Seed = rng.New(o.Seed, "prior_swap/with", 0, o.Replicate).Uint64()
	inner.KeepUnconstrained, inner.Observer = true, e
	p, err := m.options.With.Run(ctx, &space{f, priors, origin}, inner)
	if err != nil {
		return nil, fmt.Errorf("prior_swap: %w", err)
	}
	return m.finish(p, e, f, priors, report)
}

// finish makes the posterior of the method from that of the sampler.
func (m *Method) finish(p *infer.Posterior, e *emitter, f *falsePosterior, priors Priors, report *infer.SwapReport) (*infer.Posterior, error) {
	out := e.posterior
	out.Fit = p.Fit
	if f.mixture == nil {
		out.LogWeights = p.LogWeights
	}
	out.Incomplete, out.Cause = p.Incomplete, p.Cause
	for c := range p.Chains {
		out.Chains[c] = p.Chains[c]
		out.Chains[c].Init, out.Chains[c].Divergences = nil, nil // in the sampler's own coordinates
	}
	f.compare(report, out)
	report.Carried = e.carried()
	if err := f.check(report, out); err != nil {
		return nil, fmt.Errorf("prior_swap: %w", err)
	}
	if err := f.atMode(report, priors, out); err != nil {
		return nil, fmt.Errorf("prior_swap: %w", err)
	}
	near, distant := f.radius(out)
	report.Improper = grows((&space{f: f, priors: priors}).NewEvaluator(), near, distant, rng.New(e.options.Seed, "prior_swap/tails", 0, e.options.Replicate))
	if err := f.lost(report, priors, out, e.options); err != nil {
		return nil, fmt.Errorf("prior_swap: %w", err)
	}
	out.Swap = report
	if !e.options.KeepUnconstrained {
		out.Unconstrained = nil
	}
	return out, nil
}

// interrupted is the answer of a run that was over before the false posterior stood.
func interrupted(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	rec, err := infer.NewRecorder(model, model.NewEvaluator(), o, draws.Plan{Method: "prior_swap"}, 0)
	if err != nil {
		return nil, err
	}
	return rec.End(context.Cause(ctx))
}

var (
	_ infer.Method       = (*Method)(nil)
	_ infer.ModelAdapter = (*Method)(nil)
)
