// Choose: branches that are done either way.

package pass

import (
	"math"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// conditional writes both branches; outer is the condition under which the statement is reached, nil for always.
func (c *chooser) conditional(s *ir.If, outer *ir.Var) ([]ir.Stmt, bool) {
	b := &eitherWay{chooser: c, maker: maker{c.lib, s.Loc}, own: map[*ir.Var]bool{}}
	b.test = b.condition(c.truth(b.maker, s.Test), outer)
	if !b.stmts(s.Then) {
		return nil, false
	}
	if len(s.Else) > 0 {
		b.test = b.condition(b.not(b.ref(b.test)), outer)
	}
	return b.out, b.stmts(s.Else)
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
	t := types.Int
	if b.density { // whose integers are data
		t = types.Real
	}
	v := b.newVar("holds", t, b.at, nil)
	b.drawn[v] = true
	if b.density {
		b.moving[v] = true
	}
	b.out = append(b.out, &ir.Declare{At: ir.At{Loc: b.at}, Var: v, Init: promote(x, t)})
	return v
}

// stmts writes statements; false where one does more than arithmetic.
func (b *eitherWay) stmts(list []ir.Stmt) bool {
	for _, s := range flat(list) {
		switch s := s.(type) {
		case *ir.Declare:
			if !b.chosen(s.Var.Type) || b.counts(s.Var.Type) || s.Init != nil && !b.harmless(s.Init) {
				return false
			}
			b.own[s.Var] = true
			d := &ir.Declare{At: s.At, Var: s.Var}
			if s.Init != nil {
				d.Init = b.guarded(b.x(s.Init), b.ref(b.test))
			}
			b.out = append(b.out, d)
		case *ir.Assign:
			if !b.assign(s) {
				return false
			}
		case *ir.If:
			if !b.turns(s.Test) {
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
			if one := b.joined(s); one != nil {
				if !b.stmts([]ir.Stmt{one}) {
					return false
				}
				continue
			}
			out, ok := b.conditional(s, b.test)
			if b.out = append(b.out, out...); !ok {
				return false
			}
		case *ir.For:
			if !b.density || b.varies(s.Lo) || b.varies(s.Hi) {
				return false
			}
			within := *b
			within.out = nil
			if !within.stmts(s.Body) {
				return false
			}
			b.out = append(b.out, &ir.For{At: s.At, Var: s.Var, Lo: s.Lo, Hi: s.Hi, Body: within.out})
		case *ir.TargetAdd, *ir.Sample:
			x := b.term(s)
			if x == nil {
				return false
			}
			nothing := &ir.Const{Node: b.node(types.Real), X: 0}
			b.out = append(b.out, b.add(s, b.call(stdlib.Choice, types.Real, b.ref(b.test), b.guarded(b.x(x), b.ref(b.test)), nothing)))
		default:
			return false
		}
	}
	return true
}

// counts reports that numbers of a type are integers, which the density's loops and indices take for data.
func (c *chooser) counts(t types.Type) bool { return c.density && t.Equal(types.Int) }

// assignable reports that an assignment is of a harmless number to a place that is known from data.
func (c *chooser) assignable(s *ir.Assign) bool {
	list := placeSubscripts(&s.To)
	return c.chosen(s.To.T) && !c.counts(s.To.T) && (len(s.To.Path) == 0 || list != nil && ir.AllSingle(list)) && c.within(list) && c.harmless(s.X)
}

// assign writes an assignment to a number.
func (b *eitherWay) assign(s *ir.Assign) bool {
	if !b.assignable(s) {
		return false
	}
	list := placeSubscripts(&s.To)
	x := b.guarded(b.x(s.X), b.ref(b.test))
	if b.own[s.To.Var] {
		b.out = append(b.out, &ir.Assign{At: s.At, To: s.To, X: x})
		return true
	}
	before := b.ref(s.To.Var)
	if len(list) > 0 {
		before = &ir.Index{Node: ir.Node{Loc: s.To.Loc, T: s.To.T}, X: before, Indices: list}
	}
	holds := b.ref(b.test)
	if sum, ok := x.(*ir.Call); ok && sum.Fn.BuiltinName() == "add" && number(s.To.T) && ir.ExprText(sum.Args[0]) == ir.ExprText(before) {
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
