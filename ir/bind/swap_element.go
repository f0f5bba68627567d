// Old priors of some elements of a parameter.

package bind

import (
	"fmt"
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// divideElements separates the prior of some elements of v from that of the others: a
// vectorised univariate density is a product over elements, and a density of one element,
// as in a loop, counts where it is the one.
func (c *cutter) divideElements(density ir.Expr, v *ir.Var, t *target) (old, rest []piece) {
	x := variate(density)
	if place := placeIn(x, v); place != nil {
		return c.oneElement(density, place, t.elements)
	}
	why := ""
	call, builtin := density.(*ir.Call)
	switch {
	case !builtin || call.Fn.(*stdlib.Function).Density == nil:
		why = "it is a joint one of all elements"
	case whole(x) != v || v.Type.Rank() != 1 || x.Type().Rank() != 1:
		why = "it is of several elements in another order than theirs"
	default:
		return stretches(call, t.elements)
	}
	c.fail(&SwapError{
		Span: t.at.Span(), Text: fmt.Sprintf("the old prior of %s cannot be taken from some of its elements: %s", v.Name, why), Old: density.Span(),
		Help: fmt.Sprintf("give all of %s a new prior, or write the old one element by element in the model", v.Name),
	})
	return []piece{{density: density}}, nil
}

// placeIn is the place of the one element of v that an expression is; nil where it is
// anything else.
func placeIn(x ir.Expr, v *ir.Var) ir.Expr {
	if p, ok := x.(*ir.Promote); ok {
		return placeIn(p.X, v)
	}
	at, ok := x.(*ir.Index)
	if !ok || len(at.Indices) != 1 || at.Indices[0].Kind != ir.Single {
		return nil
	}
	if ref, ok := at.X.(*ir.Ref); ok && ref.Var == v {
		return at.Indices[0].Lo
	}
	return nil
}

// oneElement divides the density of the element at a place.
func (c *cutter) oneElement(density, place ir.Expr, elements []int) (old, rest []piece) {
	all := []piece{{density: density}}
	if k, ok := place.(*ir.Const); ok {
		if slices.Contains(elements, int(k.X)) {
			return all, nil
		}
		return nil, all
	}
	return []piece{{density, c.compare("logical_eq", place, elements, true)}}, []piece{{density, c.compare("logical_neq", place, elements, false)}}
}

// compare is the comparison of a place with any or with all of some numbers.
func (c *cutter) compare(name string, place ir.Expr, numbers []int, some bool) ir.Expr {
	n := ir.Node{Loc: place.Span(), T: types.Int}
	match, _ := types.Resolve(c.lib.Signatures(name), []types.Arg{{Type: types.Int}, {Type: types.Int}})
	var out ir.Expr
	for _, k := range numbers {
		var test ir.Expr = &ir.Call{Node: n, Fn: c.lib.Row(match.Sig), Args: []ir.Expr{place, placeNumber(n, k)}}
		if out != nil {
			test = &ir.Logic{Node: n, Or: some, L: out, R: test}
		}
		out = test
	}
	return out
}

func placeNumber(n ir.Node, k int) ir.Expr {
	return &ir.Const{Node: ir.Node{Loc: n.Loc, T: types.Int}, X: float64(k)}
}

// stretches divides a vectorised density: its elements, and the stretches between them.
func stretches(call *ir.Call, elements []int) (old, rest []piece) {
	next := 1
	for _, k := range elements {
		old = append(old, piece{density: part(call, ir.Single, k, 0)})
		if k > next {
			rest = append(rest, piece{density: part(call, ir.Range, next, k-1)})
		}
		next = k + 1
	}
	return old, append(rest, piece{density: part(call, ir.Range, next, 0)})
}

// part is a call on one element, or on the range from lo to hi, 0 for the end, of those
// arguments that are containers.
func part(call *ir.Call, kind ir.IndexKind, lo, hi int) ir.Expr {
	out := *call
	out.Args = slices.Clone(call.Args)
	for i, a := range call.Args {
		if a.Type().Rank() == 0 {
			continue
		}
		n := ir.Node{Loc: a.Span(), T: a.Type()}
		index := ir.IndexArg{Kind: kind, Lo: placeNumber(n, lo)}
		if kind == ir.Single {
			n.T = a.Type().Scalar()
		} else if hi > 0 {
			index.Hi = placeNumber(n, hi)
		}
		out.Args[i] = &ir.Index{Node: n, X: a, Indices: []ir.IndexArg{index}}
	}
	return &out
}
