package lang

// This file builds the Markov methods that sample discrete parameters directly.

import (
	"context"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/gibbs"
	"github.com/seed-12b88e03/ppl/infer/mh"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// A jointMethod runs on the joint density of all parameters, where others run on the
// density with the discrete ones summed out.
type jointMethod struct{ infer.Markov }

// Run runs the method on the model's joint density, where it has one.
func (j jointMethod) Run(ctx context.Context, m infer.Model, o infer.Options) (*infer.Posterior, error) {
	if b, ok := m.(interface{ Joint() infer.Model }); ok {
		m = b.Joint()
	}
	return j.Markov.Run(ctx, m, o)
}

func (b *builder) gibbs(c *check.CheckedMethod) (infer.Method, error) {
	o := gibbs.DefaultOptions()
	o.MarkovOptions = b.chains(c)
	if c.Has("scan") {
		o.Scan = c.Text("scan")
	}
	if c.Has("blocks") {
		o.Blocks = blocking(c)
	}
	if list := c.Args["order"]; list != nil {
		for _, v := range list.List {
			if slices.Contains(o.Order, v.Text) {
				err := methodError(v.Loc, "method-option", "order names %s twice", v.Text)
				err.Problem.Help = "name each parameter once, where its blocks are to come; those that are not named follow"
				return nil, err
			}
			o.Order = append(o.Order, v.Text)
		}
	}
	m, err := gibbs.New(o)
	return jointMethod{m}, err
}

// blocking is what the option blocks says.
func blocking(c *check.CheckedMethod) infer.Blocking {
	v := c.Args["blocks"]
	if len(v.List) == 0 {
		return infer.Blocking{Choice: v.Text}
	}
	out := infer.Blocking{}
	for _, group := range v.List {
		var names []string
		for _, p := range group.List {
			names = append(names, p.Text)
		}
		out.Groups = append(out.Groups, names)
	}
	return out
}

func (b *builder) mh(c *check.CheckedMethod) (infer.Method, error) {
	o := mh.DefaultOptions()
	o.MarkovOptions, o.Proposal, o.StepSize = b.chains(c), c.Text("proposal"), c.Real("step_size")
	m, err := mh.New(o)
	if err != nil {
		return nil, err
	}
	return jointMethod{m}, nil
}

// WithDraws is the method with another number of draws.
func (j jointMethod) WithDraws(n int) infer.Markov {
	return jointMethod{lengthened{j.Markov, n}}
}

// lengthened is a Markov method with another number of draws.
type lengthened struct {
	infer.Markov
	draws int
}

// Chains implements infer.Markov.
func (l lengthened) Chains() infer.MarkovOptions {
	o := l.Markov.Chains()
	o.Draws = l.draws
	return o
}

// Run implements infer.Method.
func (l lengthened) Run(ctx context.Context, m infer.Model, o infer.Options) (*infer.Posterior, error) {
	return infer.RunMarkov(ctx, m, l, o)
}
