// A model as a simulator: its statements in dependency order, or why they are none.
//
// The statements of transformed parameters and model are read as a program that draws:
// a density's call whose first argument is a parameter or an observation gives that its
// value. This file and problems.go say what of that can be known without data; package
// ir/eval runs the program, and finds out there what depends on sizes and elements.

package graph

import (
	"fmt"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A Problem is a reason why a model, or its prior, cannot be simulated from.
type Problem struct {
	At   source.Span // the statement or declaration in the way
	Text string      // what is wrong
	Hint string      // what would mend it
	// Prior reports that the prior is at fault, Data that the distribution of the
	// observations given the parameters is.
	Prior, Data bool
	// Together reports that parameters and observations can be drawn together all the same.
	Together bool
}

// Error returns the place, the reason and the remedy.
func (p *Problem) Error() string {
	text := p.Text
	if p.Hint != "" {
		text += "; " + p.Hint
	}
	if p.At.IsZero() {
		return text
	}
	return p.At.String() + ": " + text
}

// Remedies, for Problem.Hint.
const (
	HintBlock  = "a simulate block would say how to simulate"
	HintPrior  = "give it a proper prior, or write a simulate block"
	HintBounds = "write T[,] with the declared bounds behind the distribution, or a simulate block"
)

// A Generative is a model as a simulator.
type Generative struct {
	// Body draws parameters and observations: the transformed parameters and the model
	// in dependency order.
	Body []ir.Stmt
	// PriorBody is what of Body draws of parameters alone need.
	PriorBody []ir.Stmt
	// Block is the simulate block, which counts instead of Body; nil where there is none.
	Block *ir.Piece
	// Observed are the data and transformed data variables that are observations.
	Observed map[*ir.Var]bool
	// Loose are the parameters that no statement gives a distribution.
	Loose map[*ir.Var]bool
	// Samplers reports how to draw from the library's densities that the program uses.
	Samplers map[*stdlib.Function]*stdlib.Sampler
	// Twins returns the _rng functions of the user's densities.
	Twins map[*ir.Function]*ir.Function
	// Counts reports of how many numbers a statement of Body took the truncation into
	// account, where the program subtracted the normalisers itself.
	Counts map[*ir.Sample]int
	// Problems are the reasons against Body, in the order of the program.
	Problems []*Problem
}

// A NotGenerative says why a model cannot be simulated from.
type NotGenerative struct{ Problems []*Problem }

// Error returns the first reason and the number of others.
func (e *NotGenerative) Error() string {
	text := e.Problems[0].Error()
	if n := len(e.Problems) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more)", n)
	}
	return text
}

// Unwrap returns the reasons.
func (e *NotGenerative) Unwrap() []error {
	out := make([]error, len(e.Problems))
	for i, p := range e.Problems {
		out[i] = p
	}
	return out
}

// NewGenerative reads the program as a simulator.
func NewGenerative(p *ir.Program, lib *stdlib.Library) *Generative {
	g := &Generative{
		Block:    p.Simulate,
		Observed: Observed(p),
		Loose:    map[*ir.Var]bool{},
		Samplers: map[*stdlib.Function]*stdlib.Sampler{},
		Twins:    twins(p),
	}
	drawn := func(v *ir.Var) bool { return v.Kind == ir.Parameter || g.Observed[v] }
	transformed, model, counts := rewrite(p)
	g.Counts = counts
	g.Body = inOrder(append(append([]ir.Stmt(nil), transformed...), model...), drawn)
	g.PriorBody = priorBody(g.Body, g.Observed, rolesOf(p, nil, g.Body).Likelihood)
	c := newCritic(p, lib, g)
	c.program(transformed, model)
	g.Problems = c.problems
	return g
}

// Err is nil where the model can be simulated from as far as is known without data: by
// its simulate block or by what was derived.
func (g *Generative) Err() error {
	if g.Block != nil {
		return nil
	}
	return g.DerivedErr()
}

// DerivedErr is Err without regard to a simulate block.
func (g *Generative) DerivedErr() error {
	return notGenerative(g.problems(func(p *Problem) bool { return !p.Together }))
}

func (g *Generative) problems(want func(*Problem) bool) []*Problem {
	var out []*Problem
	for _, p := range g.Problems {
		if want(p) {
			out = append(out, p)
		}
	}
	return out
}

// PriorErr is nil where the prior alone can be drawn from.
func (g *Generative) PriorErr() error {
	if g.Block != nil {
		return nil
	}
	return g.DensityErr()
}

// DataErr is nil where observations can be drawn given parameters, by what was derived.
func (g *Generative) DataErr() error {
	return notGenerative(g.problems(func(p *Problem) bool { return p.Data }))
}

// DensityErr is nil where the priors in the density are proper and known distributions.
func (g *Generative) DensityErr() error {
	return notGenerative(g.problems(func(p *Problem) bool { return p.Prior }))
}

func notGenerative(list []*Problem) error {
	if len(list) == 0 {
		return nil
	}
	return &NotGenerative{list}
}

// twins finds NAME_rng for each function NAME_lpdf or NAME_lpmf of the program: of the
// same arguments without the variate.
func twins(p *ir.Program) map[*ir.Function]*ir.Function {
	out := map[*ir.Function]*ir.Function{}
	for _, f := range p.Functions {
		if !IsDensity(f.Name) || len(f.Params) == 0 {
			continue
		}
		name := f.Name[:strings.LastIndex(f.Name, "_")] + "_rng"
		for _, r := range p.Functions {
			if r.Name == name && sameTypes(f.Params[1:], r.Params) && r.Result.Rank() == f.Params[0].Type.Rank() {
				out[f] = r
			}
		}
	}
	return out
}

func sameTypes(a, b []*ir.Var) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Type.Equal(b[i].Type) {
			return false
		}
	}
	return true
}
