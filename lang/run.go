package lang

// This file runs a method on a model and judges the result.

import (
	"context"
	"errors"
	"strings"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/infer/swap"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// RunOptions are the settings of a run that belong to no method.
type RunOptions struct {
	Seed       uint64         // of all random numbers; what the method's own seed option says does not count
	Jobs       int            // chains at work at the same time; 0 means one
	Init       [][]float64    // starting points on the unconstrained scale: none, one for all chains, or one for each
	SaveWarmup bool           // warm-up draws go to the observer too
	Observer   infer.Observer // sees draws as they are made; may be nil
	Shared     *Shared        // of several runs, so that bindings are run once; may be nil
	Share      infer.Share    // units of a diagnosis to do; the zero value: all
	Relay      infer.Relay    // has the chains of a method that Divides moved elsewhere; nil: here
	Deputy     infer.Deputy   // evaluates parts of sums of the log density elsewhere; nil: here
	Leave      bool           // a run whose context ends does not wait for an evaluation, which goes on: for programs that end then
	Leg        *infer.Leg     // of such a run elsewhere: all that is done; the fit has a Passage and nothing else

	search int // evaluations that check = "full" may make, if they are fewer than it would; 0: no bound
}

// A Fit is the result of a method with its summary and what the checks found.
type Fit struct {
	Name      string // of the binding, or the method
	Method    string // as an expression of the language with all options
	Posterior *infer.Posterior
	Summaries []draws.Summary    // lp__, in nats, first; then a row for each column of the model
	Findings  []diagnose.Finding // of the fit's checks, passed ones included
	Imputed   []string           // elements of the data that were missing, as in "y[3]"
	Remarks   []string           // on the files that it was read from; see Stored

	quantities bool // read from files without lp__: there is no row for it
}

// Run fits the model. When ctx ends early the fit holds the draws so far, its
// Posterior is marked incomplete, and there is no error. After an error the fit is nil;
// a *MethodError says that the model lacks what the method needs.
func (m *Model) Run(ctx context.Context, method *Method, o RunOptions) (*Fit, error) {
	b := &builder{points: o.Init, shared: o.Shared, outermost: method.checked, program: m.Program, info: method.info, earlier: method.earlier}
	run, err := b.build(method.checked)
	if err != nil {
		return nil, err
	}
	if method.updating != nil {
		if run, err = method.updating.method(ctx, m, run, o.Seed); err != nil {
			return nil, err
		}
	}
	run = o.Shared.wrap(method.checked, run)
	defer m.bound.TrackRun(ctx)()
	defer bind.Delegate(m.bound, o.Deputy)()
	informs := method.checked.Row.Name == "gibbs"
	options := infer.Options{Seed: o.Seed, Jobs: o.Jobs, SaveWarmup: o.SaveWarmup, Observer: o.Observer, KeepUnconstrained: informs, Leave: o.Leave}
	if method.Divides() {
		options.Relay, options.Leg = o.Relay, o.Leg
	}
	post, err := run.Run(ctx, m.bound, options)
	if err == nil && options.Leg != nil {
		return &Fit{Posterior: post}, nil
	}
	if err == nil && informs && !post.Incomplete {
		err = m.inform(ctx, method.checked, post)
	}
	if err == nil {
		err = m.seek(ctx, method.checked, post, b, o)
	}
	if err != nil {
		m.locate(err)
		return nil, m.Program.misfit(method.checked, err)
	}
	if post.Stopping == nil && method.Has("max_draws") && method.checked.Given("warmup") && !method.checked.Given("adapt") {
		if effects := m.bound.Effects(); len(effects) > 0 {
			post.Stopping = &draws.StoppingRun{Centring: infer.AsWritten(effects)}
		}
	}
	m.explain(post)
	fit := &Fit{Name: method.Name(), Method: method.String(), Posterior: post, Imputed: m.Imputed()}
	if post.Draws.Total() > 0 {
		fit.judge()
	}
	return fit, nil
}

// judge fills in summaries and findings.
func (f *Fit) judge() {
	f.Summaries = f.Posterior.Draws.Summaries()
	if f.quantities {
		f.Summaries = f.Summaries[1:]
	}
	f.Findings = diagnose.Posterior(f.Posterior, f.Summaries)
}

// Supports reports whether the model has what the method needs, as far as that can be
// known without running it; the error is a *MethodError.
func (m *Model) Supports(method *Method) error {
	if err := m.summable(method.checked); err != nil {
		return err
	}
	for c := method.checked; c != nil; c = c.Inner {
		if err := m.supports(c); err != nil {
			return m.Program.misfit(c, err)
		}
	}
	return nil
}

func (m *Model) supports(c *check.CheckedMethod) error {
	if err := m.Program.checkPoints(c); err != nil {
		return err
	}
	fromPrior := c.Row.Name == "smc" || c.Row.Name == "ais" && c.Inner.Gives&check.GivesKernel != 0
	if fromPrior && m.Dim() > 0 {
		s, err := anneal.NewSource(c.Row.Name, m.bound.NewEvaluator())
		if err != nil {
			return err
		}
		var missing *infer.MissingError
		if err := s.DrawPrior(rng.New(0, rng.Init, 0, 0), make([]float64, m.Dim())); errors.As(err, &missing) {
			return err
		}
	}
	switch {
	case c.Row.Name == "cavi":
		return m.factorises(c)
	case c.Row.Name == "gibbs" && c.Has("blocks"):
		return m.bound.Joint().NewEvaluator().(infer.Conditionals).Arrange(blocking(c))
	}
	asks := c.Row.Name // of the model, for terms of the likelihood
	switch {
	case m.Dim() == 0 || asks != "sgld" && !c.Given("batch"):
		return nil
	case asks != "sgld":
		asks += " with batch"
	}
	_, _, err := infer.Minibatches(asks, m.bound.NewEvaluator())
	return err
}

// misfit returns the error of a model that lacks something the place of the method that
// asked for it. Other errors come back as they are.
func (program *Program) misfit(c *check.CheckedMethod, err error) error {
	var missing *infer.MissingError
	if group, ok := errors.AsType[*infer.GroupError](err); ok {
		for ; c != nil; c = c.Inner {
			if v := c.Args["blocks"]; v != nil && len(v.List) > 0 {
				return &MethodError{Problem: problem.Problem{Code: "method-group", Span: v.List[group.Group].Loc, Message: group.Error(),
					Help: "give these parameters groups of their own"}, Err: err}
			}
		}
	}
	if apart, ok := errors.AsType[*swap.ApartError](err); ok {
		at := c
		for ; c != nil; c = c.Inner {
			if c.Row.Name == "prior_swap" {
				at = c
			}
		}
		return &MethodError{Problem: problem.Problem{Code: "swap-apart", Span: at.Loc, Message: apart.Error(),
			Help: "run the method on the model with the new priors, or swap from priors that are wider"}, Err: err}
	}
	if !errors.As(err, &missing) {
		return err
	}
	p := problem.Problem{Code: "method-needs", Span: c.Loc}
	named := *missing
	asks, _, _ := strings.Cut(missing.Method, " ")
	found := false
	for ; c != nil; c = c.Inner {
		switch {
		case c.Row.Name == asks:
			p.Span, named.Method, found = c.Loc, missing.Method, true
		case c.Row.UsesPart && !found: // a model does not know for whom it draws from its prior
			p.Span, named.Method = c.Loc, c.Row.Name
		}
	}
	if not, ok := errors.AsType[*graph.NotGenerative](missing.Reason); ok {
		named.Reason = nil
		for _, reason := range not.Problems {
			p.Notes = append(p.Notes, problem.Note{Span: reason.At, Message: reason.Text})
			p.Help = reason.Hint
		}
	}
	if missing.Method == `gvi with family = "conjugate"` {
		p.Notes = append(p.Notes, program.notLinear()...)
	}
	if place, ok := errors.AsType[*eval.Error](missing.Reason); ok {
		named.Reason = nil
		p.Notes = append(p.Notes, problem.Note{Span: place.Span, Message: place.Text})
		p.Help = place.Help
	}
	p.Message = named.Error()
	return &MethodError{Problem: p, Err: err}
}
