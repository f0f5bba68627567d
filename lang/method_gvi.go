package lang

// This file builds generalised variational inference and its comparators.

import (
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	dv "github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/gvi"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// mixture is the family that is in the table and cannot be run.
const mixture = "mixture"

// fitOf reads the options that gvi and fvi share.
func (b *builder) fitOf(c *check.CheckedMethod) (gvi.Fit, error) {
	o := gvi.Fit{
		Family: c.Text("family"), Draws: c.Int("draws"), Iterations: c.Int("iterations"), Tolerance: c.Real("tolerance"),
		Samples: c.Int("samples"), Rank: c.Int("rank"), Init: b.start(c),
	}
	if c.Has("rank") && o.Family != gvi.LowRank {
		return o, methodError(c.Args["rank"].Loc, "option-without-effect", "rank belongs to family = %q, found family = %q", gvi.LowRank, o.Family)
	}
	if c.Has("batch") {
		return o, methodError(c.Args["batch"].Loc, "option-without-effect",
			"%s goes to the optimum of its objective at fixed points and takes all terms of the likelihood; advi takes minibatches", c.Row.Name)
	}
	return o, nil
}

func (b *builder) gvi(c *check.CheckedMethod) (infer.Method, error) {
	o := gvi.DefaultOptions()
	var err error
	if o.Fit, err = b.fitOf(c); err != nil {
		return nil, err
	}
	if o.Family == mixture {
		return nil, methodError(c.Args["family"].Loc, "method-option", "this version has no mixture family; it has meanfield, fullrank, lowrank and conjugate")
	}
	if c.Given("components") {
		return nil, methodError(c.Args["components"].Loc, "option-without-effect", "components belongs to family = %q, found family = %q", mixture, o.Family)
	}
	loss := c.Args["loss"]
	if loss.Term == nil {
		return nil, methodError(loss.Loc, "method-option", "this version takes no expression as a loss; use nll(), beta(order) or gamma(order)")
	}
	o.Loss = gvi.Loss{Name: loss.Term.Term.Name}
	if len(loss.Term.Args) > 0 {
		o.Loss.Order = loss.Term.Args[0]
	}
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
	d := c.Args["divergence"]
	if d.Term == nil || d.Term.Term == nil || !slices.Contains([]string{"renyi", "alpha"}, d.Term.Term.Name) {
		return nil, methodError(d.Loc, "method-option", "fvi takes divergence = renyi(a) or alpha(a); the others, sums and lists by parameter are gvi's, from the prior")
	}
	o.Divergence, o.Order = dv.Renyi, d.Term.Args[0]
	if d.Term.Term.Name == "alpha" {
		o.Divergence = dv.Alpha
	}
	return gvi.NewComparator(o)
}
