// Old priors of some elements of a parameter.

package swap

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
	x := variateOf(density)
	if place := placeIn(x, v); place != nil {
		return c.oneElement(density, place, t)
	}
	why := ""
	call, builtin := density.(*ir.Call)
	switch {
	case !builtin || call.Fn.(*stdlib.Function).Density == nil:
		why = "it is a joint one of all elements"
	case whole(x) != v || v.Type.Rank() != 1 || x.Type().Rank() != 1:
		why = "it is of several elements in another order than theirs"
	case t.elements != nil:
		return gaps(call, t.elements)
	default:
		return c.looped(call, v, t)
	}
	c.fail(&Error{
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
func (c *cutter) oneElement(density, place ir.Expr, t *target) (old, rest []piece) {
	if k, ok := place.(*ir.Const); ok && t.elements != nil {
		all := []piece{{density: density}}
		if slices.Contains(t.elements, int(k.X)) {
			return all, nil
		}
		return nil, all
	}
	return []piece{{density: density, where: c.among(place, t.places)}}, []piece{{density: density, where: c.notAmong(place, t.places)}}
}

// looped divides a vectorised density into one for each element of v.
func (c *cutter) looped(call *ir.Call, v *ir.Var, t *target) (old, rest []piece) {
	n := ir.Node{Loc: call.Loc, T: types.Int}
	i := &ir.Var{Loc: n.Loc, Name: "i", Kind: ir.Local, Type: types.Int, Slot: c.slots}
	c.slots++
	place := &ir.Ref{Node: n, Var: i}
	loop := &ir.For{At: ir.At{Loc: n.Loc}, Var: i, Lo: placeNumber(n, 1), Hi: v.Decl.Sizes[0]}
	one := part(call, ir.IndexArg{Kind: ir.Single, Lo: place})
	return []piece{{one, c.among(place, t.places), loop}}, []piece{{one, c.notAmong(place, t.places), loop}}
}

// among reports whether a place is one of some.
func (c *cutter) among(place ir.Expr, places []ir.IndexArg) ir.Expr {
	var out ir.Expr
	for _, p := range places {
		if p.Kind == ir.Single {
			out = logic(true, out, c.compare("logical_eq", place, p.Lo))
			continue
		}
		var within ir.Expr
		if p.Lo != nil {
			within = c.compare("logical_gte", place, p.Lo)
		}
		if p.Hi != nil {
			within = logic(false, within, c.compare("logical_lte", place, p.Hi))
		}
		if within == nil { // all of them
			within = c.compare("logical_eq", place, place)
		}
		out = logic(true, out, within)
	}
	return out
}

// notAmong reports whether a place is none of some.
func (c *cutter) notAmong(place ir.Expr, places []ir.IndexArg) ir.Expr {
	return c.compare("logical_eq", c.among(place, places), placeNumber(ir.Node{Loc: place.Span()}, 0))
}

// logic joins tests by "or" or "and"; l may be nil.
func logic(or bool, l, r ir.Expr) ir.Expr {
	if l == nil {
		return r
	}
	return &ir.Logic{Node: ir.Node{Loc: l.Span(), T: types.Int}, Or: or, L: l, R: r}
}

// compare is the comparison of two whole numbers.
func (c *cutter) compare(name string, l, r ir.Expr) ir.Expr {
	match, _ := types.Resolve(c.lib.Signatures(name), []types.Arg{{Type: types.Int}, {Type: types.Int}})
	return &ir.Call{Node: ir.Node{Loc: l.Span(), T: types.Int}, Fn: c.lib.Row(match.Sig), Args: []ir.Expr{l, r}}
}

func placeNumber(n ir.Node, k int) ir.Expr {
	return &ir.Const{Node: ir.Node{Loc: n.Loc, T: types.Int}, X: float64(k)}
}

// gaps divides a vectorised density: its elements, and the stretches between them.
func gaps(call *ir.Call, elements []int) (old, rest []piece) {
	n := ir.Node{Loc: call.Loc}
	next := 1
	for _, k := range elements {
		old = append(old, piece{density: part(call, ir.IndexArg{Kind: ir.Single, Lo: placeNumber(n, k)})})
		if k > next {
			rest = append(rest, piece{density: part(call, ir.IndexArg{Kind: ir.Range, Lo: placeNumber(n, next), Hi: placeNumber(n, k-1)})})
		}
		next = k + 1
	}
	return old, append(rest, piece{density: part(call, ir.IndexArg{Kind: ir.Range, Lo: placeNumber(n, next)})})
}

// part is a call on one element, or on a range, of those arguments that are containers.
func part(call *ir.Call, at ir.IndexArg) ir.Expr {
	out := *call
	out.Args = slices.Clone(call.Args)
	for i, a := range call.Args {
		if a.Type().Rank() == 0 {
			continue
		}
		n := ir.Node{Loc: a.Span(), T: a.Type()}
		if at.Kind == ir.Single {
			n.T = a.Type().Scalar()
		}
		out.Args[i] = &ir.Index{Node: n, X: a, Indices: []ir.IndexArg{at}}
	}
	return &out
}
