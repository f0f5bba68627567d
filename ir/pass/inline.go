// Inlining of users' functions, so that loops around them, or in them, can become vectors.

package pass

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// maxInline is how deep functions may call each other where their calls are inlined.
const maxInline = 8

// inlined returns a statement with the functions that it calls inlined; nil where a loop is left then that has no sums which became
// terms of the target, for which no iteration waits. Other loops are recorded with the calls that they have.
func (f *frame) inlined(s ir.Stmt) []ir.Stmt {
	if !callsUser(s) {
		return nil
	}
	var out []ir.Stmt
	changed, sums := f.changed, f.sums
	ok := f.try(func() bool {
		list, ok := (&inliner{frame: f}).stmt(s)
		if !ok || !anyLoop(list) {
			return false
		}
		out = f.stmts(f.accumulated(list))
		return !anyLoop(out) || f.sums > sums
	})
	if !ok {
		f.changed, f.sums = changed, sums
		return nil
	}
	f.changed = true
	return out
}

// callsUser reports whether a statement calls a user's function.
func callsUser(s ir.Stmt) bool { return found[*ir.UserCall](s) }

// anyLoop reports whether there are loops among statements.
func anyLoop(list []ir.Stmt) bool {
	return found[*ir.For](list...) || found[*ir.ForEach](list...) || found[*ir.While](list...)
}

// found reports whether statements have a node of type T in them.
func found[T any](list ...ir.Stmt) bool {
	return ir.Any(list, func(n any) bool {
		_, is := n.(T)
		return is
	})
}

// An inliner writes calls out. Its methods give false where they do not know how.
type inliner struct {
	frame *frame
	depth int
	out   []ir.Stmt // what must run before the current statement
}

func (n *inliner) stmts(list []ir.Stmt) ([]ir.Stmt, bool) {
	var out []ir.Stmt
	for _, s := range list {
		more, ok := n.stmt(s)
		if !ok {
			return nil, false
		}
		out = append(out, more...)
	}
	return out, true
}

// stmt returns what a statement becomes.
func (n *inliner) stmt(s ir.Stmt) ([]ir.Stmt, bool) {
	if !callsUser(s) {
		return []ir.Stmt{s}, true
	}
	switch s := s.(type) {
	case *ir.TargetAdd:
		return n.targetAdd(s)
	case *ir.Sample:
		return n.sample(s)
	case *ir.Assign:
		return n.assign(s)
	case *ir.Declare:
		return n.declare(s)
	case *ir.Block:
		body, ok := n.stmts(s.Body)
		return []ir.Stmt{&ir.Block{At: s.At, Body: body, Profile: s.Profile}}, ok
	case *ir.If:
		then, ok1 := n.stmts(s.Then)
		other, ok2 := n.stmts(s.Else)
		return n.after(s.Test, func(x ir.Expr) ir.Stmt {
			return &ir.If{At: s.At, Test: x, Then: then, Else: other}
		}, ok1 && ok2)
	case *ir.For:
		body, ok := n.stmts(s.Body)
		ok = ok && !userCallIn(s.Lo) && !userCallIn(s.Hi)
		return []ir.Stmt{&ir.For{At: s.At, Var: s.Var, Lo: s.Lo, Hi: s.Hi, Body: body}}, ok
	}
	return nil, false
}

func userCallIn(x ir.Expr) bool { return x != nil && callsUser(&ir.Eval{X: x}) }

// after returns the statement that make makes of an expression, behind what its calls become.
func (n *inliner) after(x ir.Expr, make func(ir.Expr) ir.Stmt, ok bool) ([]ir.Stmt, bool) {
	before := n.out
	n.out = nil
	y, known := n.expr(x)
	out := append(n.out, make(y))
	n.out = before
	return out, ok && known
}

func (n *inliner) targetAdd(s *ir.TargetAdd) ([]ir.Stmt, bool) {
	add := func(x ir.Expr) ir.Stmt { return &ir.TargetAdd{At: s.At, X: x, Jacobian: s.Jacobian} }
	switch x := s.X.(type) {
	case *ir.UserCall:
		return n.call(x, add)
	case *ir.Call:
		if x.Fn.BuiltinName() == "add" && number(x.T) {
			return n.stmts([]ir.Stmt{add(x.Args[0]), add(x.Args[1])})
		}
	}
	return n.after(s.X, add, true)
}

func (n *inliner) sample(s *ir.Sample) ([]ir.Stmt, bool) {
	switch d := s.Density.(type) {
	case *ir.UserCall:
		if s.Trunc != nil {
			return nil, false
		}
		return n.call(d, func(x ir.Expr) ir.Stmt { return &ir.TargetAdd{At: s.At, X: x} })
	case *ir.Call:
		if s.Trunc != nil && (userCallIn(s.Trunc.Lo) || userCallIn(s.Trunc.Hi)) {
			return nil, false
		}
		return n.after(d, func(x ir.Expr) ir.Stmt { return &ir.Sample{At: s.At, Density: x, Trunc: s.Trunc} }, true)
	}
	return nil, false
}

func (n *inliner) assign(s *ir.Assign) ([]ir.Stmt, bool) {
	for _, a := range s.To.Path {
		for _, i := range a.Indices {
			if userCallIn(i.Lo) || userCallIn(i.Hi) {
				return nil, false
			}
		}
	}
	set := func(x ir.Expr) ir.Stmt { return &ir.Assign{At: s.At, To: s.To, X: x} }
	if c, ok := s.X.(*ir.UserCall); ok {
		return n.call(c, set)
	}
	return n.after(s.X, set, true)
}

func (n *inliner) declare(s *ir.Declare) ([]ir.Stmt, bool) {
	if !userCallIn(s.Init) {
		return nil, false // a size calls it
	}
	to := ir.Place{Loc: s.Loc, Var: s.Var, T: s.Var.Type}
	rest, ok := n.assign(&ir.Assign{At: s.At, To: to, X: s.Init})
	return append([]ir.Stmt{&ir.Declare{At: s.At, Var: s.Var}}, rest...), ok
}

// expr returns an expression without calls of users' functions. What these become is in n.out.
func (n *inliner) expr(x ir.Expr) (ir.Expr, bool) {
	ok := true
	r := &rewriter{}
	r.expr = func(x ir.Expr) ir.Expr {
		switch x := x.(type) {
		case *ir.Cond:
			ok = ok && !userCallIn(x.Then) && !userCallIn(x.Else) // one of which must not be evaluated
		case *ir.Logic:
			ok = ok && !userCallIn(x.R)
		case *ir.UserCall:
			if !ok || !number(x.T) {
				ok = false
				return x
			}
			v := n.frame.newVar(x.Fn.Name, x.T, x.Loc, nil)
			list, known := n.call(x, func(y ir.Expr) ir.Stmt {
				return &ir.Assign{At: ir.At{Loc: x.Loc}, To: ir.Place{Loc: x.Loc, Var: v, T: x.T}, X: y}
			})
			ok = ok && known
			n.out = append(n.out, &ir.Declare{At: ir.At{Loc: x.Loc}, Var: v})
			n.out = append(n.out, list...)
			return &ir.Ref{Node: x.Node, Var: v}
		}
		return nil
	}
	y := r.x(x)
	return y, ok
}

// call returns the statements of a function that is called; use makes the statement that takes what it returns.
func (n *inliner) call(c *ir.UserCall, use func(ir.Expr) ir.Stmt) ([]ir.Stmt, bool) {
	if n.depth >= maxInline || c.Fn.Target || c.Fn.Random || !number(c.Fn.Result) {
		return nil, false
	}
	before, args := n.out, make([]ir.Expr, len(c.Args))
	n.out = nil
	defer func() { n.out = before }()
	for i, a := range c.Args {
		var ok bool
		if args[i], ok = n.expr(a); !ok {
			return nil, false
		}
	}
	copied := &instance{frame: n.frame, vars: map[*ir.Var]*ir.Var{}, by: map[*ir.Var]ir.Expr{}, out: n.out}
	for i, p := range c.Fn.Params {
		if !copied.bind(p, args[i], c.Fn.Body) {
			return nil, false
		}
	}
	body, ok := copied.stmts(c.Fn.Body)
	if !ok {
		return nil, false
	}
	if body, ok = returning(body, use); !ok {
		return nil, false
	}
	inner := &inliner{frame: n.frame, depth: n.depth + 1}
	if body, ok = inner.stmts(body); !ok {
		return nil, false
	}
	return []ir.Stmt{&ir.Block{At: ir.At{Loc: c.Loc}, Body: append(copied.out, body...)}}, true
}

// An instance is the body of a function, copied for one call.
type instance struct {
	frame *frame
	vars  map[*ir.Var]*ir.Var // the function's variables, with those of the copy
	by    map[*ir.Var]ir.Expr // formal parameters, with what stands for them
	out   []ir.Stmt           // what must run before
}

// bind notes what stands for a formal parameter: the argument itself, where it is a variable or certain to be evaluated, or
// a variable that holds it.
func (c *instance) bind(p *ir.Var, arg ir.Expr, body []ir.Stmt) bool {
	switch x := arg.(type) {
	case *ir.Ref, *ir.Const:
		c.by[p] = x
		return true
	case *ir.Promote:
		if _, ok := x.X.(*ir.Const); ok {
			c.by[p] = x
			return true
		}
	case *ir.Index:
		if evaluated(body, p) {
			c.by[p] = x
			return true
		}
	}
	v := c.frame.newVar(p.Name, arg.Type(), arg.Span(), nil)
	switch t := arg.Type(); {
	case number(t):
	case t.Equal(types.Matrix):
		m := maker{c.frame.lib, arg.Span()}
		v.Decl.Sizes = []ir.Expr{m.named("rows", arg), m.named("cols", arg)}
	case t.Equal(types.Vector), t.Equal(types.RowVector), t.Dims == 1 && t.Rank() == 1 && !t.Base.IsComplex():
		v.Decl.Sizes = []ir.Expr{maker{c.frame.lib, arg.Span()}.named("size", arg)}
	default:
		return false
	}
	c.by[p] = &ir.Ref{Node: ir.Node{Loc: arg.Span(), T: arg.Type()}, Var: v}
	c.out = append(c.out, &ir.Declare{At: ir.At{Loc: arg.Span()}, Var: v, Init: arg})
	return true
}

// evaluated reports whether statements are certain to evaluate a variable.
func evaluated(body []ir.Stmt, v *ir.Var) bool {
	reads := func(x ir.Expr) bool { return x != nil && always(x, v) }
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Declare:
			if reads(s.Init) {
				return true
			}
		case *ir.Assign:
			if reads(s.X) {
				return true
			}
		case *ir.If:
			return reads(s.Test)
		case *ir.Return:
			return reads(s.X)
		default:
			return false
		}
	}
	return false
}

// always reports whether evaluating an expression evaluates a variable.
func always(x ir.Expr, v *ir.Var) bool {
	found := false
	ir.InspectExpr(x, func(n any) bool {
		switch n := n.(type) {
		case *ir.Ref:
			found = found || n.Var == v
		case *ir.Cond:
			found = found || always(n.Test, v)
			return false
		case *ir.Logic:
			found = found || always(n.L, v)
			return false
		}
		return !found
	})
	return found
}

// stmts copies statements with variables of their own.
func (c *instance) stmts(list []ir.Stmt) ([]ir.Stmt, bool) {
	ok := true
	ir.Inspect(list, func(n any) bool {
		switch n := n.(type) {
		case *ir.Declare:
			ok = ok && c.own(n.Var)
		case *ir.For:
			ok = ok && c.own(n.Var)
		case *ir.ForEach:
			ok = ok && c.own(n.Var)
		case *ir.Unpack, *ir.FuncRef:
			ok = false
		}
		return ok
	})
	if !ok {
		return nil, false
	}
	r := c.rewriter()
	out := r.stmts(list)
	ir.Inspect(out, func(n any) bool {
		switch n := n.(type) {
		case *ir.Declare:
			if v := c.vars[n.Var]; v != nil {
				n.Var = v
			}
		case *ir.For:
			if v := c.vars[n.Var]; v != nil {
				n.Var = v
			}
		case *ir.ForEach:
			if v := c.vars[n.Var]; v != nil {
				n.Var = v
			}
		}
		return true
	})
	for from, to := range c.vars {
		if from.Decl != nil {
			to.Decl.Sizes = r.xs(from.Decl.Sizes)
		}
	}
	return out, true
}

// own makes the copy of a variable.
func (c *instance) own(v *ir.Var) bool {
	if v.Decl != nil && (v.Decl.Constraint != nil || len(v.Decl.Fields) > 0) {
		return false
	}
	if c.vars[v] == nil {
		c.vars[v] = c.frame.newVar(v.Name, v.Type, v.Loc, nil)
		if v.Decl == nil {
			c.vars[v].Decl = nil
		}
	}
	return true
}

// rewriter puts the copy's variables, and arguments, in the place of the function's.
func (c *instance) rewriter() *rewriter {
	r := &rewriter{}
	r.expr = func(x ir.Expr) ir.Expr {
		ref, ok := x.(*ir.Ref)
		if !ok {
			return nil
		}
		if v := c.vars[ref.Var]; v != nil {
			return &ir.Ref{Node: ref.Node, Var: v}
		}
		return c.by[ref.Var]
	}
	r.place = func(p *ir.Place) {
		if v := c.vars[p.Var]; v != nil {
			p.Var = v
		}
	}
	return r
}

// returning returns the body of a function with use's statements for its returns: what follows a branch that returns
// becomes the other branch. Without use it returns nothing, and may end without a return.
func returning(list []ir.Stmt, use func(ir.Expr) ir.Stmt) ([]ir.Stmt, bool) {
	for k, s := range list {
		switch s := s.(type) {
		case *ir.Return:
			if use == nil {
				return list[:k:k], true
			}
			return append(slices.Clone(list[:k]), use(s.X)), s.X != nil
		case *ir.Block:
			if found[*ir.Return](s) {
				return returning(slices.Concat(list[:k], s.Body, list[k+1:]), use)
			}
		case *ir.If:
			if !found[*ir.Return](s) {
				continue
			}
			then, other := s.Then, s.Else
			if !found[*ir.Return](then...) {
				then = slices.Concat(then, list[k+1:])
			} else {
				other = slices.Concat(other, list[k+1:])
			}
			t, ok1 := returning(then, use)
			o, ok2 := returning(other, use)
			return append(slices.Clone(list[:k]), &ir.If{At: s.At, Test: s.Test, Then: t, Else: o}), ok1 && ok2
		case *ir.For, *ir.ForEach, *ir.While:
			if found[*ir.Return](s) {
				return nil, false
			}
		}
	}
	return list, use == nil // it may end without a value
}
