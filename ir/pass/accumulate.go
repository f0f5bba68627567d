// Sums that are added to the target at their end, and containers whose sum is: each of their terms is added there itself.

package pass

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// accumulated returns statements in which local sums are the target: real r = 0; ... r += x; ... target += r;
func (f *frame) accumulated(list []ir.Stmt) []ir.Stmt {
	list = flat(list)
	if found[*ir.Target](list...) {
		return list
	}
	for k, s := range list {
		switch s.(type) {
		case *ir.For, *ir.If:
			list[k] = ir.WithBodies(s, f.accumulated)
		}
	}
	for k := 0; k < len(list); k++ {
		d, ok := list[k].(*ir.Declare)
		if !ok {
			continue
		}
		if body, ok := termsOf(d, list[k+1:]); ok {
			list = append(list[:k:k], body...)
			k--
			f.sums++
			continue
		}
		if !d.Var.Type.Equal(types.Real) {
			continue
		}
		rest := list[k+1:]
		end := slices.IndexFunc(rest, func(s ir.Stmt) bool { return addsToTarget(s, d.Var) })
		if end < 0 || touches(rest[end+1:], d.Var) {
			continue
		}
		s := &sum{maker{f.lib, d.Loc}, d.Var, rest[end].(*ir.TargetAdd)}
		if body, ok := s.whole(d, rest[:end]); ok {
			list = slices.Concat(list[:k], body, rest[end+1:])
			k--
			f.sums++
		}
	}
	return list
}

// termsOf returns the statements that follow the declaration of a container whose elements, each set once in a loop over all of them,
// are read by target += sum(...) alone: there what is added are the elements as they are set.
//
//	vector[N] l;
//	for (n in 1:N) l[n] = normal_lpdf(y[n] | m, s);     target += normal_lpdf(y[n] | m, s);
//	target += sum(l);
func termsOf(d *ir.Declare, list []ir.Stmt) ([]ir.Stmt, bool) {
	about := func(s ir.Stmt) bool { return touches([]ir.Stmt{s}, d.Var) }
	first := slices.IndexFunc(list, about)
	if d.Init != nil || d.Var.Decl == nil || len(d.Var.Decl.Sizes) != 1 || first < 0 {
		return nil, false
	}
	last := first + 1 + slices.IndexFunc(list[first+1:], about)
	if last == first || slices.ContainsFunc(list[last+1:], about) {
		return nil, false
	}
	loop, ok1 := list[first].(*ir.For)
	end, ok2 := list[last].(*ir.TargetAdd)
	if !ok1 || !ok2 || !sums(end.X, d.Var) || !overAll(loop, d.Var.Decl.Sizes[0]) || found[*ir.Jump](loop.Body...) {
		return nil, false
	}
	e := &element{d.Var, loop.Var, end}
	body, ok := e.set(loop.Body)
	each := &ir.For{At: loop.At, Var: loop.Var, Lo: loop.Lo, Hi: loop.Hi, Body: body}
	return slices.Concat(list[:first], []ir.Stmt{each}, list[first+1:last], list[last+1:]), ok
}

// An element is what an iteration sets of a container whose sum is added to the target.
type element struct {
	of, at *ir.Var
	end    *ir.TargetAdd
}

// set adds to the target what statements set the element to; false unless they set it exactly once and use the container for
// nothing else.
func (e *element) set(list []ir.Stmt) ([]ir.Stmt, bool) {
	list = flat(list)
	about := func(s ir.Stmt) bool { return touches([]ir.Stmt{s}, e.of) }
	at := slices.IndexFunc(list, about)
	if at < 0 || slices.ContainsFunc(list[at+1:], about) {
		return nil, false
	}
	var add ir.Stmt
	switch s := list[at].(type) {
	case *ir.Assign:
		place := placeSubscripts(&s.To)
		if s.To.Var != e.of || len(place) != 1 || place[0].Kind != ir.Single || !isRef(place[0].Lo, e.at) || ir.Reads(s.X, e.of) {
			return nil, false
		}
		add = &ir.TargetAdd{At: e.end.At, X: s.X, Jacobian: e.end.Jacobian}
	case *ir.If:
		then, ok1 := e.set(s.Then)
		other, ok2 := e.set(s.Else)
		if !ok1 || !ok2 || ir.Reads(s.Test, e.of) {
			return nil, false
		}
		add = &ir.If{At: s.At, Test: s.Test, Then: then, Else: other}
	default:
		return nil, false
	}
	return slices.Concat(list[:at], []ir.Stmt{add}, list[at+1:]), true
}

// sums reports whether an expression is a variable's elements, or their sum.
func sums(x ir.Expr, v *ir.Var) bool {
	c, ok := x.(*ir.Call)
	return isRef(x, v) || ok && c.Fn.BuiltinName() == "sum" && len(c.Args) == 1 && isRef(c.Args[0], v)
}

// overAll reports whether a loop runs from 1 to a size.
func overAll(loop *ir.For, size ir.Expr) bool {
	lo, ok := loop.Lo.(*ir.Const)
	moves := ir.AnyIn(size, func(n any) bool {
		r, ok := n.(*ir.Ref)
		return ok && r.T.Equal(types.Int) && !r.Var.IsData()
	})
	return ok && lo.X == 1 && !moves && ir.ExprText(loop.Hi) == ir.ExprText(size)
}

// addsToTarget reports whether a statement adds a variable to the target.
func addsToTarget(s ir.Stmt, v *ir.Var) bool {
	t, ok := s.(*ir.TargetAdd)
	return ok && isRef(t.X, v)
}

func isRef(x ir.Expr, v *ir.Var) bool {
	r, ok := x.(*ir.Ref)
	return ok && r.Var == v
}

// touches reports whether statements read or write a variable, or declare something by its value.
func touches(list []ir.Stmt, v *ir.Var) bool {
	return inShapes(list, v) || slices.ContainsFunc(list, func(s ir.Stmt) bool {
		return slices.ContainsFunc(accesses(s), func(a access) bool { return a.v == v })
	})
}

// A sum is a variable whose summands are added to the target. Its methods give false where it is used in other ways.
type sum struct {
	maker
	v   *ir.Var
	end *ir.TargetAdd // where it is added
}

func (s *sum) add(x ir.Expr) ir.Stmt {
	return &ir.TargetAdd{At: s.end.At, X: x, Jacobian: s.end.Jacobian}
}

// whole rewrites the statements between the declaration and the end of the sum; the first statement about
// the variable must be its initial value.
func (s *sum) whole(d *ir.Declare, list []ir.Stmt) ([]ir.Stmt, bool) {
	if d.Init != nil {
		out, ok := s.stmts(list)
		return append([]ir.Stmt{s.add(d.Init)}, out...), ok
	}
	for k, first := range list {
		if !touches(list[k:k+1], s.v) {
			continue
		}
		a, ok := first.(*ir.Assign)
		if !ok || len(a.To.Path) > 0 || mentions(list[k:k+1], s.v) {
			return nil, false
		}
		out, ok := s.stmts(list[k+1:])
		return slices.Concat(list[:k], []ir.Stmt{s.add(a.X)}, out), ok
	}
	return nil, false
}

func (s *sum) stmts(list []ir.Stmt) ([]ir.Stmt, bool) {
	var out []ir.Stmt
	for k, x := range list {
		if !touches(list[k:k+1], s.v) {
			out = append(out, x)
			continue
		}
		more, ok := s.stmt(x)
		if !ok {
			return nil, false
		}
		out = append(out, more...)
	}
	return out, true
}

// stmt rewrites a statement about the variable.
func (s *sum) stmt(x ir.Stmt) ([]ir.Stmt, bool) {
	switch x := x.(type) {
	case *ir.Assign:
		if len(x.To.Path) > 0 {
			return nil, false
		}
		return s.terms(x.X)
	case *ir.Block:
		body, ok := s.stmts(x.Body)
		return []ir.Stmt{&ir.Block{At: x.At, Body: body, Profile: x.Profile}}, ok
	case *ir.If:
		then, ok1 := s.stmts(x.Then)
		other, ok2 := s.stmts(x.Else)
		return []ir.Stmt{&ir.If{At: x.At, Test: x.Test, Then: then, Else: other}}, ok1 && ok2 && !s.in(x.Test)
	case *ir.For:
		body, ok := s.stmts(x.Body)
		ok = ok && !s.in(x.Lo) && !s.in(x.Hi)
		return []ir.Stmt{&ir.For{At: x.At, Var: x.Var, Lo: x.Lo, Hi: x.Hi, Body: body}}, ok
	}
	return nil, false
}

// terms adds the summands of an expression but the variable itself, which must be one of them, once.
func (s *sum) terms(x ir.Expr) ([]ir.Stmt, bool) {
	if isRef(x, s.v) {
		return nil, true
	}
	c, ok := x.(*ir.Call)
	if !ok || !number(c.T) {
		return nil, false
	}
	switch c.Fn.BuiltinName() {
	case "add":
		with, other := c.Args[0], c.Args[1]
		if !s.in(with) {
			with, other = other, with
		}
		out, ok := s.terms(with)
		return append(out, s.add(other)), ok && !s.in(other)
	case "subtract":
		out, ok := s.terms(c.Args[0])
		return append(out, s.add(s.named("minus", c.Args[1]))), ok && !s.in(c.Args[1])
	}
	return nil, false
}

// in reports whether an expression reads the variable.
func (s *sum) in(x ir.Expr) bool { return ir.Reads(x, s.v) }
