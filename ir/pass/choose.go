// Choose: conditions on values in generated quantities become choices between values.
//
//	if (y_rep[n] > y[n]) above += 1;          above += choice(y_rep[n] > y[n], 1, 0)
//
// A recording holds for the way that control flow took; where that depends on parameters or draws, it is another
// one at almost every draw. A branch that does nothing but arithmetic is done either way, and its results are kept
// where the condition holds. Nothing here has a derivative: quantities alone are rewritten.

package pass

import (
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// choose is the pass.
func choose(p *ir.Program, lib *stdlib.Library, _ Options) *ir.Program {
	c := &chooser{frame: frame{lib: lib, slots: p.Slots}, drawn: drawnOf(p)}
	out := *p
	out.GeneratedQuantities.Body = c.stmts(p.GeneratedQuantities.Body)
	if !c.changed {
		return p
	}
	out.Slots = c.slots
	return &out
}

// drawnOf returns the variables of quantities that depend on more than data.
func drawnOf(p *ir.Program) map[*ir.Var]bool {
	c := &chooser{drawn: map[*ir.Var]bool{}}
	for known := -1; known < len(c.drawn); {
		known = len(c.drawn)
		c.mark(p.TransformedParameters.Body)
		c.mark(p.GeneratedQuantities.Body)
	}
	return c.drawn
}

// A chooser rewrites generated quantities.
type chooser struct {
	frame
	drawn map[*ir.Var]bool // variables that depend on more than data
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

func (c *chooser) variesIn(s ir.Stmt) bool {
	return ir.Any([]ir.Stmt{s}, func(n any) bool {
		switch n := n.(type) {
		case *ir.Ref:
			return c.drawn[n.Var] || n.Var.Kind == ir.Parameter
		case *ir.UserCall:
			return n.Fn.Random
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
		if c.varies(s.Test) && c.try(func() (ok bool) { out, ok = c.conditional(s, nil); return ok }) {
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
			if number(x.T) && c.varies(x.Test) && c.harmless(x.Then) && c.harmless(x.Else) {
				c.changed = true
				return m.call(stdlib.Choice, x.T, c.truth(m, x.Test), c.x(x.Then), c.x(x.Else))
			}
		case *ir.Logic:
			safe := plainIndices(x.R)
			if !c.varies(x) || !c.harmless(x.R) || !safe && c.varies(x.L) {
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
			return c.picked(x)
		}
		return nil
	}}
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

// conditional writes both branches; outer is the condition under which the statement is reached, nil for always.
func (c *chooser) conditional(s *ir.If, outer *ir.Var) ([]ir.Stmt, bool) {
	b := &eitherWay{chooser: c, maker: maker{c.lib, s.Loc}, own: map[*ir.Var]bool{}}
	b.test = b.condition(c.truth(b.maker, s.Test), outer)
	if !b.stmts(s.Then) {
		return nil, false
	}
	if len(s.Else) > 0 {
		b.test = b.condition(b.named("logical_negation", b.ref(b.test)), outer)
	}
	return b.out, b.stmts(s.Else)
}

// truth is a condition as the number 0 or 1.
func (c *chooser) truth(m maker, test ir.Expr) ir.Expr {
	x := c.x(test)
	if call, ok := x.(*ir.Call); ok && strings.HasPrefix(call.Fn.BuiltinName(), "logical_") {
		return x
	}
	return m.named("logical_neq", x, m.int(0))
}

// An eitherWay is statements that are done either way, and count where test is 1.
type eitherWay struct {
	*chooser
	maker
	test *ir.Var
	own  map[*ir.Var]bool // variables that the branch declares
	out  []ir.Stmt
}

// condition declares the variable of a condition.
func (b *eitherWay) condition(x ir.Expr, outer *ir.Var) *ir.Var {
	if outer != nil {
		x = b.named("logical_and", b.ref(outer), x)
	}
	v := b.newVar("holds", types.Int, b.at, nil)
	b.drawn[v] = true
	b.out = append(b.out, &ir.Declare{At: ir.At{Loc: b.at}, Var: v, Init: x})
	return v
}

// stmts writes statements; false where one does more than arithmetic.
func (b *eitherWay) stmts(list []ir.Stmt) bool {
	for _, s := range flat(list) {
		switch s := s.(type) {
		case *ir.Declare:
			if !number(s.Var.Type) || s.Init != nil && !b.harmless(s.Init) {
				return false
			}
			b.own[s.Var] = true
			b.out = append(b.out, b.expressions().stmt(s))
		case *ir.Assign:
			if !b.assign(s) {
				return false
			}
		case *ir.If:
			if !b.varies(s.Test) {
				then, other := *b, *b
				then.out, other.out = nil, nil
				if !then.stmts(s.Then) || !other.stmts(s.Else) {
					return false
				}
				b.out = append(b.out, &ir.If{At: s.At, Test: s.Test, Then: then.out, Else: other.out})
				continue
			}
			if !b.harmless(s.Test) {
				return false
			}
			out, ok := b.conditional(s, b.test)
			if b.out = append(b.out, out...); !ok {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// assign writes an assignment to a number.
func (b *eitherWay) assign(s *ir.Assign) bool {
	list := placeSubscripts(&s.To)
	if !number(s.To.T) || len(s.To.Path) > 0 && (list == nil || !ir.AllSingle(list)) || !b.within(list) || !b.harmless(s.X) {
		return false
	}
	x := b.x(s.X)
	if b.own[s.To.Var] {
		b.out = append(b.out, &ir.Assign{At: s.At, To: s.To, X: x})
		return true
	}
	before := b.ref(s.To.Var)
	if len(list) > 0 {
		before = &ir.Index{Node: ir.Node{Loc: s.To.Loc, T: s.To.T}, X: before, Indices: list}
	}
	holds := b.ref(b.test)
	if sum, ok := x.(*ir.Call); ok && sum.Fn.BuiltinName() == "add" && ir.ExprText(sum.Args[0]) == ir.ExprText(before) {
		t := sum.Args[1].Type()
		nothing := &ir.Const{Node: b.node(t), X: math.Copysign(0, -1)} // x + -0 is x, also where that is -0
		y := *sum
		y.Args = []ir.Expr{sum.Args[0], b.call(stdlib.Choice, t, holds, sum.Args[1], nothing)}
		x = &y
	} else {
		x = b.call(stdlib.Choice, s.To.T, holds, x, before)
	}
	b.out = append(b.out, &ir.Assign{At: s.At, To: s.To, X: x})
	return true
}

// within reports that which elements are meant is known from data.
func (c *chooser) within(list []ir.IndexArg) bool {
	for _, a := range list {
		if c.varies(a.Lo) || !steady(a.Lo, func(*ir.Var) bool { return false }) {
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

// harmless reports that an expression is arithmetic on numbers and elements, which cannot be rejected.
func (c *chooser) harmless(x ir.Expr) bool {
	ok := number(x.Type())
	ir.InspectExpr(x, func(n any) bool {
		switch n := n.(type) {
		case *ir.Const, *ir.Ref, *ir.Promote, *ir.Cond, *ir.Logic:
		case *ir.Index:
			_, list, known := ir.Subscripts(n)
			ok = ok && known && number(n.T) && c.within(list)
			return false
		case *ir.Call:
			fn, known := n.Fn.(*stdlib.Function)
			ok = ok && known && fn.Op != nil && fn.Valid == nil && number(n.T)
		default:
			ok = false
		}
		return ok
	})
	return ok
}
