package lang

// This file puts an earlier fit in a method's place, so that wrappers take its draws and
// nothing is run again.

import (
	"context"
	"errors"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// fitName is what method expressions call an earlier fit.
const fitName = "fit"

// An Earlier is a fit that was made before: draws from the posterior of the program that
// it is used with, given the same data. It is read-only.
type Earlier struct {
	Draws   *draws.Draws
	Binding string // of the inference block that it is the fit of; empty for none
}

// MethodOn is Method for an expression that may wrap an earlier fit: prior_swap without a
// method is about it, its name is "fit" unless the inference block binds that to something
// else, and it stands for the binding that it is the fit of. The errors are those of Method,
// and a *MethodError where the fit cannot serve.
func (p *Program) MethodOn(e *Earlier, expr string) (*Method, error) {
	on := *p
	on.methods = withFit(p.methods)
	m, err := on.Method(expr)
	if err != nil {
		return nil, err
	}
	return m, m.rest(e)
}

// MethodsOn returns the bindings that use an earlier fit, whose binding it stands for. The
// errors are those of MethodOn.
func (p *Program) MethodsOn(e *Earlier) ([]*Method, error) {
	all, err := p.Methods()
	if err != nil {
		return nil, err
	}
	var out []*Method
	for _, m := range all {
		if err := m.rest(e); err != nil {
			return nil, err
		}
		if m.Name() != e.Binding && m.OnEarlier() {
			out = append(out, m)
		}
	}
	return out, nil
}

// withFit is the table of methods with an earlier fit among them.
func withFit(ms check.Methods) check.Methods {
	rows := append(slices.Clone(ms.Rows), fitRow())
	for i, r := range rows {
		if r.Name == "prior_swap" {
			wraps := *r
			wraps.InnerDefault = fitName
			rows[i] = &wraps
		}
	}
	ms.Rows = rows
	return ms
}

func fitRow() *check.MethodRow {
	return &check.MethodRow{Name: fitName, Gives: check.GivesDraws, Doc: "the draws of an earlier fit"}
}

// rest puts an earlier fit where the method uses its binding. The error is a *MethodError
// where the method asks for more than these draws.
func (m *Method) rest(e *Earlier) error {
	m.earlier = e
	for c := m.checked; c != nil && e.Binding != ""; c = c.Inner {
		if in := c.Inner; in != nil && in.Binding == e.Binding {
			c.Inner = &check.CheckedMethod{Row: fitRow(), Gives: check.GivesDraws, Args: map[string]*check.Value{}, Loc: in.Loc}
		}
	}
	for c := m.checked; c != nil && m.OnEarlier(); c = c.Inner {
		if c.Row.Name == "gibbs_prior" {
			return methodError(c.Loc, "method-fit", "gibbs_prior fits to simulated data, and an earlier fit is of these data only; write the method instead")
		}
	}
	return nil
}

// OnEarlier reports whether the method wraps an earlier fit.
func (m *Method) OnEarlier() bool {
	for c := m.checked.Inner; c != nil; c = c.Inner {
		if c.Row.Name == fitName {
			return true
		}
	}
	return false
}

// fit makes the method that gives the earlier fit.
func (b *builder) fit(c *check.CheckedMethod) (infer.Method, error) {
	if b.earlier == nil {
		return nil, methodError(c.Loc, "method-no-fit", "there is no earlier fit that %q could stand for", fitName)
	}
	return earlierMethod{b.earlier.Draws.AtHand(MostEarlier)}, nil
}

// MostEarlier bounds the draws of a long fit that a method on it takes, at equal distances.
const MostEarlier = 1 << 16

// An earlierMethod answers with draws that are there.
type earlierMethod struct{ fit *draws.Draws }

// Name implements infer.Method.
func (e earlierMethod) Name() string { return fitName }

// Run implements infer.Method. The error is a *MismatchError where the draws are not of
// the model's parameters.
func (e earlierMethod) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	bound, ok := model.(*bind.Model)
	if !ok {
		return nil, errors.New("an earlier fit stands for the model that it was made from only")
	}
	if e.fit.Kind() == draws.Mode {
		return nil, errors.New("the earlier fit is a mode, which is no sample")
	}
	m := &Model{bound: bound}
	at, err := m.parametersIn(e.fit)
	if err != nil {
		return nil, err
	}
	n := e.fit.Chains()
	p := &infer.Posterior{
		Draws: e.fit, Unconstrained: make([][][]float64, n), Chains: make([]infer.ChainReport, n), LogWeights: e.fit.Column(draws.LogWeightColumn),
		Plan: draws.Plan{Method: fitName, Seed: o.Seed, Chains: n, Draws: e.fit.Longest(), Thin: 1, Stats: e.fit.Stats(), Columns: e.fit.Columns()},
	}
	err = m.eachChain(ctx, e.fit, o.Jobs, func(chain int) error {
		for i := range e.fit.Len(chain) {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			q, err := bound.UnconstrainRow(draws.Picked(e.fit.Row(chain, i), at))
			if err != nil {
				return atDraw(chain, i, err)
			}
			p.Unconstrained[chain] = append(p.Unconstrained[chain], q)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p, replay(o.Observer, p)
}
