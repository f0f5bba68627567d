// Choose: conditions on values become choices between values, in generated quantities and in loops of the density.
//
//	if (y_rep[n] > y[n]) above += 1;          above += choice(y_rep[n] > y[n], 1, 0)
//
// A recording holds for the way that control flow took; where that depends on parameters or draws, it is another
// one at almost every draw. A branch that does nothing but arithmetic is done either way, and its results are kept
// where the condition holds (if-conversion).

package pass

import (
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// choose is the pass.
func choose(p *ir.Program, lib *stdlib.Library, o Options) *ir.Program {
	c := &chooser{frame: frame{lib: lib, slots: p.Slots, value: o.Value}, drawn: drawnOf(p)}
	out := *p
	out.GeneratedQuantities.Body = c.stmts(p.GeneratedQuantities.Body)
	c.density, c.moving = true, map[*ir.Var]bool{}
	functions := c.functions(p)
	out.TransformedParameters.Body = c.loops(p.TransformedParameters.Body, 1)
	out.Model = c.loops(p.Model, 1)
	if !c.changed {
		return p
	}
	out.Functions, out.Slots = functions, c.slots
	return &out
}

// drawnOf returns the variables that depend on more than data, those of functions aside.
func drawnOf(p *ir.Program) map[*ir.Var]bool {
	c := &chooser{drawn: map[*ir.Var]bool{}}
	for known := -1; known < len(c.drawn); {
		known = len(c.drawn)
		c.mark(p.TransformedParameters.Body)
		c.mark(p.Model)
		c.mark(p.GeneratedQuantities.Body)
	}
	return c.drawn
}

// A chooser rewrites generated quantities or, with density set, the other blocks.
type chooser struct {
	frame
	drawn   map[*ir.Var]bool              // variables that depend on more than data
	moving  map[*ir.Var]bool              // in the density, variables that change from one iteration of a loop to the next
	made    map[*ir.Function]*ir.Function // functions without conditions on values, by those that have them
	density bool                          // results have derivatives, and what is rejected is decided by the program as it was written
}

// mark notes variables that are assigned what depends on parameters or draws, or where that decides.
func (c *chooser) mark(list []ir.Stmt) {
	ir.Inspect(list, func(n any) bool {
		s, ok := n.(ir.Stmt)
		if !ok {
			return false
		}
		depends := false
		switch s := s.(type) {
		case *ir.Block:
			return true
		case *ir.If:
			depends = c.varies(s.Test)
		case *ir.While:
			depends = c.varies(s.Test)
		case *ir.For:
			depends = c.varies(s.Lo) || c.varies(s.Hi)
		case *ir.ForEach:
			depends = c.varies(s.X)
		default:
			depends = c.variesIn(s)
		}
		for _, a := range accesses(s) {
			if depends && a.write {
				c.drawn[a.v] = true
			}
		}
		return true
	})
}

// varies reports whether an expression depends on more than data.
func (c *chooser) varies(x ir.Expr) bool { return c.variesIn(&ir.Eval{X: x}) }

// moves reports whether an expression may have another value in the next iteration of a loop.
func (c *chooser) moves(x ir.Expr) bool {
	return ir.AnyIn(x, func(n any) bool {
		switch n := n.(type) {
		case *ir.Ref:
			return c.moving[n.Var]
		case *ir.Target:
			return true
		}
		return false
	})
}

// turns reports whether a condition is worth a choice: it depends on more than data and, in the density, it is not the same in all iterations
// of a loop, so that its loop has many paths.
func (c *chooser) turns(test ir.Expr) bool { return c.varies(test) && (!c.density || c.moves(test)) }

func (c *chooser) variesIn(s ir.Stmt) bool {
	return ir.Any([]ir.Stmt{s}, func(n any) bool {
		switch n := n.(type) {
		case *ir.Ref:
			return c.drawn[n.Var] || n.Var.Kind == ir.Parameter
		case *ir.Target:
			return true
		case *ir.UserCall:
			return n.Fn.Random || n.Fn.Target
		case *ir.Call:
			fn, ok := n.Fn.(*stdlib.Function)
			return !ok || fn.Draw != nil
		}
		return false
	})
}

func (c *chooser) stmts(list []ir.Stmt) []ir.Stmt { return ir.Map(list, c.stmt) }

// stmt returns what a statement becomes.
func (c *chooser) stmt(s ir.Stmt) []ir.Stmt {
	switch s := s.(type) {
	case *ir.Block, *ir.For, *ir.ForEach:
		return []ir.Stmt{ir.WithBodies(s, c.stmts)}
	case *ir.If:
		var out []ir.Stmt
		if c.turns(s.Test) && c.try(func() (ok bool) { out, ok = c.conditional(s, nil); return ok }) {
			c.changed = true
			return out
		}
		return []ir.Stmt{&ir.If{At: s.At, Test: c.x(s.Test), Then: c.stmts(s.Then), Else: c.stmts(s.Else)}}
	case *ir.Declare, *ir.Assign:
		return []ir.Stmt{c.expressions().stmt(s)}
	}
	return []ir.Stmt{s}
}

// expressions rewrites ?:, && and || between numbers.
func (c *chooser) expressions() *rewriter {
	return &rewriter{expr: func(x ir.Expr) ir.Expr {
		m := maker{c.lib, x.Span()}
		switch x := x.(type) {
		case *ir.Cond:
			if c.chosen(x.T) && c.turns(x.Test) && c.harmless(x.Then) && c.harmless(x.Else) {
				c.changed = true
				return c.choice(m, c.truth(m, x.Test), x.Then, x.Else)
			}
		case *ir.Logic:
			safe := plainIndices(x.R)
			if !c.turns(x) || !c.harmless(x.R) || !safe && c.varies(x.L) {
				return nil
			}
			c.changed = true
			if !safe { // n > 1 && y[n - 1] > mu
				then, other := c.truth(m, x.R), m.int(0)
				if x.Or {
					then, other = m.int(1), then
				}
				return &ir.Cond{Node: x.Node, Test: x.L, Then: then, Else: other}
			}
			if x.Or {
				return m.named("logical_or", c.x(x.L), c.x(x.R))
			}
			return m.named("logical_and", c.x(x.L), c.x(x.R))
		case *ir.Index:
			if !c.density { // there an element that depends on values would need a derivative
				return c.picked(x)
			}
		}
		return nil
	}}
}

// choice is a call of Choice between expressions of one type, each evaluated where it is chosen in the program as it was written.
func (c *chooser) choice(m maker, test, then, other ir.Expr) ir.Expr {
	then, other = c.x(then), c.x(other)
	if c.density {
		then, other = c.guarded(then, test), c.guarded(other, m.not(test))
	}
	return m.call(stdlib.Choice, then.Type(), test, then, other)
}

// picked returns an element of which one index depends on values; nil for any other.
func (c *chooser) picked(x *ir.Index) ir.Expr {
	v, list, ok := ir.Subscripts(x)
	if !ok || !number(x.T) || !ir.AllSingle(list) {
		return nil
	}
	at := -1
	all := slices.Clone(list)
	for k, a := range list {
		switch {
		case !c.varies(a.Lo):
		case at >= 0:
			return nil
		default:
			at, all[k] = k, ir.IndexArg{Kind: ir.All}
		}
	}
	if at < 0 {
		return nil
	}
	c.changed = true
	m := maker{c.lib, x.Loc}
	row := &ir.Index{Node: m.node(ir.Indexed(v.Type, all)), X: m.ref(v), Indices: all}
	return m.call(stdlib.Pick, x.T, row, c.x(list[at].Lo))
}

// x is what an expression becomes.
func (c *chooser) x(x ir.Expr) ir.Expr { return c.expressions().x(x) }

// truth is a condition as the number 0 or 1.
func (c *chooser) truth(m maker, test ir.Expr) ir.Expr {
	x := c.x(test)
	if call, ok := x.(*ir.Call); ok && strings.HasPrefix(call.Fn.BuiltinName(), "logical_") {
		return x
	}
	return m.named("logical_neq", x, m.int(0))
}

// not is 1 where a condition is 0.
func (m maker) not(test ir.Expr) ir.Expr { return m.named("logical_negation", test) }

// within reports that which elements are meant is known from data.
func (c *chooser) within(list []ir.IndexArg) bool {
	known := func(x ir.Expr) bool {
		return x == nil || !c.varies(x) && steady(x, func(*ir.Var) bool { return false })
	}
	for _, a := range list {
		if !known(a.Lo) || !known(a.Hi) {
			return false
		}
	}
	return true
}

// plainIndices reports that indices are variables or numbers, which nothing has to keep within bounds.
func plainIndices(x ir.Expr) bool {
	computed := func(a ir.IndexArg) bool {
		switch a.Lo.(type) {
		case *ir.Ref, *ir.Const:
			return false
		}
		return true
	}
	return !ir.AnyIn(x, func(n any) bool {
		i, is := n.(*ir.Index)
		return is && slices.ContainsFunc(i.Indices, computed)
	})
}

// harmless reports that an expression is arithmetic on numbers and elements, which cannot be rejected. In the density it may be, and
// have containers in it: bind knows what a branch that is not taken rejects.
func (c *chooser) harmless(x ir.Expr) bool {
	ok := c.chosen(x.Type())
	ir.InspectExpr(x, func(n any) bool {
		switch n := n.(type) {
		case *ir.Const, *ir.Ref, *ir.Promote, *ir.Cond, *ir.Logic:
		case *ir.Row, *ir.Array:
			ok = ok && c.density
		case *ir.Index:
			_, list, known := ir.Subscripts(n)
			ok = ok && known && (c.density || number(n.T)) && c.within(list)
			return false
		case *ir.Call:
			ok = ok && c.callable(n)
		case *ir.UserCall:
			ok = ok && c.density && c.pure(n.Fn, map[*ir.Function]bool{})
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// chosen reports that values of a type can be chosen: numbers and, in the density, containers of real numbers.
func (c *chooser) chosen(t types.Type) bool {
	return number(t) || c.density && !t.HasInts() && !t.Base.IsComplex() && t.Base != types.TupleBase
}

// pure reports that a function has no conditions on values, and does nothing but compute.
func (c *chooser) pure(fn *ir.Function, known map[*ir.Function]bool) bool {
	if pure, ok := known[fn]; ok || fn.Random || fn.Target {
		return pure
	}
	known[fn] = false // where it calls itself
	known[fn] = !ir.Any(fn.Body, func(n any) bool {
		switch n := n.(type) {
		case *ir.Print, *ir.FuncRef:
			return true
		case *ir.UserCall:
			return !c.pure(n.Fn, known)
		}
		return c.decides(n)
	})
	return known[fn]
}

// callable reports that a call does nothing but compute.
func (c *chooser) callable(x *ir.Call) bool {
	fn, known := x.Fn.(*stdlib.Function)
	switch {
	case !known:
		return false
	case c.density:
		return fn.Draw == nil && fn.Higher == "" && fn.Jacobian == nil && fn.Parts == nil
	}
	return fn.Op != nil && fn.Valid == nil && number(x.T)
}
