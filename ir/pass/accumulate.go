// Sums that are added to the target at their end: each of their summands is added there itself.

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
		if !ok || !d.Var.Type.Equal(types.Real) {
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
