package lang

// This file builds prior swapping.

import (
	"errors"
	"fmt"
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
	return swap.New(swap.Options{Inner: inner, With: with, From: c.Text("from"), Priors: b.priors(c)})
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
	return from == swap.Auto || from == swap.Draws
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
