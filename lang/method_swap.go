package lang

// This file builds prior swapping.

import (
	"errors"
	"fmt"
	"sync"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/swap"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/ir/lower"
	"github.com/seed-12b88e03/ppl/lang/check"
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
		s, err := bound.Swap(b.lowered(c))
		var at *eval.Error
		if errors.As(err, &at) {
			return nil, methodError(at.Span, "swap-unclear", "prior_swap: %s", at.Text)
		}
		if err != nil {
			return nil, err
		}
		known = s
		return s, nil
	}
}

// lowered gives the swap block's statements.
func (b *builder) lowered(c *check.CheckedMethod) []ir.Stmt {
	info := b.program.Info
	if b.info != nil && b.info.Samples[c.Swap[0]] != nil {
		info = b.info // of an expression that is not in the program
	}
	return lower.Priors(b.program.IR, info, Library(), c.Swap)
}
