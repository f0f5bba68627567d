package lang

// This file builds generalised variational inference and its comparators.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	dv "github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/gvi"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/ir/lower"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// fitOf reads the options that gvi and fvi share.
func (b *builder) fitOf(c *check.CheckedMethod) (gvi.Fit, error) {
	o := gvi.Fit{
		Family: c.Text("family"), Draws: c.Int("draws"), Iterations: c.Int("iterations"), Tolerance: c.Real("tolerance"),
		Samples: c.Int("samples"), Rank: c.Int("rank"), Starts: c.Int("starts"), Init: b.start(c),
	}
	for _, other := range []string{"epochs", "batch", "family", "estimator"} {
		v := c.Args[other]
		stochastic := v != nil && (other == "epochs" || other == "batch" || other == "estimator" && v.Text != gvi.Reparametrised)
		if c.Has("starts") && (stochastic || v != nil && v.Text == gvi.Conjugate) {
			return o, methodError(c.Args["starts"].Loc, "option-without-effect", "starts belongs to fits at fixed points, which there are none of with %s = %s", other, valueText(v))
		}
	}
	if c.Has("rank") && o.Family != gvi.LowRank {
		return o, methodError(c.Args["rank"].Loc, "option-without-effect", "rank belongs to family = %q, found family = %q", gvi.LowRank, o.Family)
	}
	return o, nil
}

// pointOf names the parameters that are estimated by a point.
func pointOf(c *check.CheckedMethod) (names []string) {
	if list := c.Args["point"]; list != nil {
		for _, v := range list.List {
			names = append(names, v.Text)
		}
	}
	return names
}

// adamOf reads the options of stochastic steps.
func adamOf(c *check.CheckedMethod) (gvi.Adam, error) {
	a := gvi.Adam{Epochs: c.Int("epochs"), Rate: 0.001, Schedule: gvi.ConstantRate, Batch: c.Int("batch")}
	if c.Has("rate") {
		a.Rate = c.Real("rate")
	}
	if c.Has("schedule") {
		a.Schedule = c.Text("schedule")
	}
	for _, name := range []string{"rate", "schedule"} {
		if a.Epochs == 0 && c.Has(name) {
			return a, methodError(c.Args[name].Loc, "option-without-effect", "%s belongs to ADAM's steps, which are made where epochs are given", name)
		}
	}
	return a, nil
}

func (b *builder) gvi(c *check.CheckedMethod) (infer.Method, error) {
	o := gvi.DefaultOptions()
	var err error
	if o.Fit, err = b.fitOf(c); err != nil {
		return nil, err
	}
	o.Components = c.Int("components")
	if c.Given("components") && o.Family != gvi.Mixture {
		return nil, methodError(c.Args["components"].Loc, "option-without-effect", "components belongs to family = %q, found family = %q", gvi.Mixture, o.Family)
	}
	o.Loss = b.loss(c.Args["loss"])
	o.Estimator = c.Text("estimator")
	if o.Adam, err = adamOf(c); err != nil {
		return nil, err
	}
	o.Point = pointOf(c)
	d := c.Args["divergence"]
	if d.Term != nil {
		o.Divergence, err = divergenceOf(d.Term)
	}
	for _, p := range d.Pairs {
		own, problem := divergenceOf(p.Term)
		o.ByParameter = append(o.ByParameter, gvi.Part{Parameter: p.Name, Divergence: own})
		err = firstError(err, problem)
	}
	if err != nil {
		return nil, methodError(d.Loc, "method-option", "%v", err)
	}
	o.Scale = c.Text("scale")
	return gvi.New(o)
}

// loss is a catalogue entry, or an expression that is lowered and compiled for each
// model.
func (b *builder) loss(v *check.Value) gvi.Loss {
	if v.Term != nil {
		out := gvi.Loss{Name: v.Term.Term.Name}
		if len(v.Term.Args) > 0 {
			out.Order = v.Term.Args[0]
		}
		return out
	}
	return gvi.Loss{Own: &gvi.OwnLoss{Text: v.Expr.Span().Text(), On: func(m infer.Model) (gvi.Expression, error) {
		bound, ok := m.(*bind.Model)
		if !ok {
			return nil, fmt.Errorf("a loss cannot be given as an expression in a %T", m)
		}
		info := b.program.Info
		if b.info != nil {
			info = b.info // of an expression that is not in the program
		}
		l, err := bound.NewLoss(lower.Exprs(b.program.IR, info, Library(), []ast.Expr{v.Expr})[0])
		if at, ok := errors.AsType[*eval.Error](err); ok {
			return nil, methodError(at.Span, "method-option", "loss: %s", at.Text)
		}
		return l, err
	}}}
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// divergenceOf turns a catalogue entry or a sum into a divergence.
func divergenceOf(t *check.TermValue) (dv.Divergence, error) {
	if t.Term != nil {
		return dv.New(t.Term.Name, t.Args...)
	}
	var out dv.Divergence
	for _, part := range t.Sum {
		d, err := divergenceOf(part)
		if err != nil {
			return nil, err
		}
		out = dv.Sum(out, d)
	}
	return out, nil
}

func (b *builder) fvi(c *check.CheckedMethod) (infer.Method, error) {
	o := gvi.DefaultComparatorOptions()
	var err error
	if o.Fit, err = b.fitOf(c); err != nil {
		return nil, err
	}
	if o.Adam, err = adamOf(c); err != nil {
		return nil, err
	}
	d := c.Args["divergence"]
	if d.Term == nil || d.Term.Term == nil || !slices.Contains([]string{"renyi", "alpha"}, d.Term.Term.Name) {
		return nil, methodError(d.Loc, "method-option", "fvi takes divergence = renyi(a) or alpha(a); the others, sums and lists by parameter are gvi's, from the prior")
	}
	o.Point = pointOf(c)
	o.Divergence, o.Order = dv.Renyi, d.Term.Args[0]
	if d.Term.Term.Name == "alpha" {
		o.Divergence = dv.Alpha
	}
	return gvi.NewComparator(o)
}
