package lang

// This file builds prior swapping.

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/swap"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	bindswap "github.com/seed-12b88e03/ppl/ir/bind/swap"
	"github.com/seed-12b88e03/ppl/ir/lower"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

func (b *builder) priorSwap(c *check.CheckedMethod) (infer.Method, error) {
	inner, err := b.summedOut().inner(c.Inner)
	if err != nil {
		return nil, err
	}
	free := *b
	free.points = nil // those are of the model, the sampler has coordinates of its own
	with, err := free.inner(c.Args["with"].Method)
	if err != nil {
		return nil, err
	}
	o := swap.Options{Inner: inner, With: with, From: c.Text("from"), Priors: b.priors(c)}
	if c.Drawn != nil {
		o.Inner, o.From = swap.Times(inner, drawnPrior(c.Drawn, o.Priors)), swap.Semiparametric
	}
	return swap.New(o)
}

// leastDraws is how many draws a prior that is known by them needs.
const leastDraws = 100

// drawnPrior reads draws of a new prior: of all parameters that the exchange of priors is of.
func drawnPrior(d *check.Drawn, priors func(infer.Model) (swap.Priors, error)) swap.Factor {
	return func(m infer.Model) ([]int, [][]float64, error) {
		p, err := priors(m)
		if err != nil {
			return nil, nil, err
		}
		points, err := drawnPoints(d.Path, m.(*bind.Model), p.Coords())
		if err == nil && len(points) < leastDraws {
			err = fmt.Errorf("%s has %d draws, and a density is known by %d or more", d.Path, len(points), leastDraws)
		}
		if err != nil {
			return nil, nil, methodError(d.Loc, "swap-draws", "prior_swap: %v", err)
		}
		return p.Coords(), points, nil
	}
}

// drawnPoints are the unconstrained coordinates of a file's draws. Parameters that it has no column of are
// put at two places, between which the coordinates that are wanted must not differ.
func drawnPoints(path string, m *bind.Model, coords []int) ([][]float64, error) {
	fit, err := OpenFiles(path)
	if err != nil {
		return nil, err
	}
	d, columns := fit.Files.Draws, m.ParameterColumns()
	var at [2][]float64
	for i := range at {
		at[i] = make([]float64, len(columns))
		q := make([]float64, m.Dim())
		for k := range q {
			q[k] = 0.5 * float64(i)
		}
		if err := m.ParameterRow(q, at[i]); err != nil {
			return nil, err
		}
	}
	from := make([]int, len(columns))
	for i, name := range columns {
		from[i] = d.Index(name)
	}
	var out [][]float64
	for chain := range d.Chains() {
		for k := range d.Len(chain) {
			var points [2][]float64
			for i, values := range at {
				for c, f := range from {
					if f >= 0 {
						values[c] = d.Row(chain, k)[f]
					}
				}
				if points[i], err = m.UnconstrainRow(values); err != nil {
					return nil, fmt.Errorf("draw %d of %s: %w", len(out)+1, path, err)
				}
			}
			point := make([]float64, len(coords))
			for i, c := range coords {
				if point[i] = points[0][c]; points[1][c] != point[i] {
					return nil, fmt.Errorf("%s lacks a column: %s, or of a parameter that its bounds depend on", path, m.UnconstrainedNames()[c])
				}
				if math.IsNaN(point[i]) || math.IsInf(point[i], 0) {
					return nil, fmt.Errorf("draw %d of %s is not finite, or at a bound, in %s", len(out)+1, path, m.UnconstrainedNames()[c])
				}
			}
			out = append(out, point)
		}
	}
	return out, nil
}

// onSwapScale is the method that samples from the prior swap function. That is known on
// the unconstrained scale only, so a mode is one there unless jacobian is given.
func onSwapScale(c *check.CheckedMethod) *check.CheckedMethod {
	if c.Row.Name != "map" || c.Given("jacobian") {
		return c
	}
	out := c.Clone()
	out.Args["jacobian"] = &check.Value{Kind: check.BoolKind, Bool: true, Loc: c.Loc}
	return out
}

// priors makes what exchanges the priors of a method's swap block in a model. The
// statements are lowered, and the exchange is compiled, once for all models that differ
// in their observations only.
func (b *builder) priors(c *check.CheckedMethod) func(infer.Model) (swap.Priors, error) {
	var mu sync.Mutex
	var known *bind.Swap
	return func(m infer.Model) (swap.Priors, error) {
		bound, ok := m.(*bind.Model)
		if !ok {
			return nil, fmt.Errorf("prior_swap cannot exchange priors in a %T", m)
		}
		mu.Lock()
		defer mu.Unlock()
		if known != nil {
			if s, err := known.On(bound); err == nil {
				return s, nil
			}
		}
		s, err := bound.Swap(b.lowered(c), weighsDraws(c))
		if why, ok := errors.AsType[*bindswap.Error](err); ok {
			return nil, &MethodError{Problem: swapProblem(why)}
		}
		if err != nil {
			return nil, err
		}
		known = s
		return s, nil
	}
}

// weighsDraws reports whether a prior_swap weights draws, or does so where it must.
func weighsDraws(c *check.CheckedMethod) bool {
	from := c.Text("from")
	return c.Drawn == nil && (from == swap.Auto || from == swap.Draws)
}

// lowered returns the swap block's statements.
func (b *builder) lowered(c *check.CheckedMethod) []ir.Stmt { return b.program.lowered(c, b.info) }

// lowered returns a swap block's statements. outside has the tables of a method expression
// that is not in the program; it may be nil.
func (p *Program) lowered(c *check.CheckedMethod, outside *check.Info) []ir.Stmt {
	info := p.Info
	if outside != nil {
		switch s := c.Swap[0].(type) {
		case *ast.Sample:
			if outside.Samples[s] != nil {
				info = outside
			}
		case *ast.TargetAdd:
			if _, ok := outside.Types[s.X]; ok {
				info = outside
			}
		}
	}
	return lower.Priors(p.IR, info, Library(), c.Swap)
}

// swaps checks that the priors of a method's swap blocks can be exchanged, the innermost
// first, and returns the program with the new ones; nil where they cannot. The problem is
// added to found, once for a binding that several methods use.
func (p *Program) swaps(c *check.CheckedMethod, outside *check.Info, found *problem.List) *ir.Program {
	if c == nil {
		return p.IR
	}
	prog := p.swaps(c.Inner, outside, found)
	if len(c.Swap) == 0 || prog == nil {
		return prog
	}
	prog, err := bindswap.Priors(prog, Library(), p.lowered(c, outside), weighsDraws(c))
	var why *bindswap.Error
	if errors.As(err, &why) && !slices.ContainsFunc(found.Sorted(), func(p problem.Problem) bool { return p.Span == why.Span }) {
		found.Add(swapProblem(why))
	}
	return prog
}

// swapProblem is a problem of the new priors.
func swapProblem(e *bindswap.Error) problem.Problem {
	p := problem.Problem{Code: "swap-unclear", Span: e.Span, Message: "prior_swap: " + e.Text, Help: e.Help}
	if !e.Old.IsZero() {
		p.Notes = []problem.Note{{Span: e.Old, Message: "this is the old prior"}}
	}
	return p
}
