// Statements for all iterations of a loop at once.

package pass

import (
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

func (l *lanes) stmts(list []ir.Stmt) bool {
	for _, s := range list {
		if !l.stmt(s) {
			return false
		}
	}
	return true
}

// stmt writes a statement for the lanes at work.
func (l *lanes) stmt(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.Declare:
		return l.own(s)
	case *ir.Assign:
		return l.assign(s)
	case *ir.TargetAdd:
		return l.targetAdd(s)
	case *ir.Sample:
		return l.sample(s)
	case *ir.If:
		return l.conditional(s)
	case *ir.For:
		return l.inner(s)
	case *ir.Block:
		return s.Profile == "" && l.stmts(s.Body)
	}
	return false
}

// nested collects what body writes.
func (l *lanes) nested(body func() bool) ([]ir.Stmt, bool) {
	before := l.out
	l.out = nil
	ok := body()
	inside := l.out
	l.out = before
	return inside, ok
}

// own declares a scalar that each lane has.
func (l *lanes) own(s *ir.Declare) bool {
	if isVector(s.Var.Type) {
		return l.ownVector(s)
	}
	if !number(s.Var.Type) {
		return false
	}
	l.expand(s.Var)
	return s.Init == nil || l.set(s.Var, s.Init, s)
}

// set assigns to a scalar that each lane has.
func (l *lanes) set(v *ir.Var, x ir.Expr, s ir.Stmt) bool {
	a := l.local[v]
	y, ok := l.full(x, a.Type)
	if !ok {
		return false
	}
	to := ir.Place{Loc: s.Span(), Var: a, T: a.Type}
	if l.pos != nil {
		to.Path = []ir.Access{{Indices: []ir.IndexArg{{Kind: ir.Multi, Lo: l.ref(l.pos)}}}}
	}
	l.out = append(l.out, &ir.Assign{At: ir.At{Loc: s.Span()}, To: to, X: y})
	return true
}

func (l *lanes) assign(s *ir.Assign) bool {
	list := placeSubscripts(&s.To)
	switch {
	case l.local[s.To.Var] != nil && isVector(s.To.Var.Type):
		return len(list) == len(s.To.Path) && l.setVector(s.To.Var, list, s.X, s)
	case l.local[s.To.Var] != nil:
		return len(s.To.Path) == 0 && l.set(s.To.Var, s.X, s)
	case list == nil:
		return false
	case isVector(s.To.T):
		return l.assignVectors(s, list)
	case !number(s.To.T):
		return false
	}
	indices, t, ok := l.indices(s.To.Var.Type, list)
	if !ok {
		return false
	}
	x, ok := l.full(s.X, t)
	if !ok {
		return false
	}
	to := ir.Place{Loc: s.To.Loc, Var: s.To.Var, Path: []ir.Access{{Indices: indices}}, T: t}
	l.out = append(l.out, &ir.Assign{At: s.At, To: to, X: x})
	return true
}

// targetAdd writes target += x; of a sum or difference each part by itself, of a choice what each lane chooses.
func (l *lanes) targetAdd(s *ir.TargetAdd) bool {
	part := func(x ir.Expr) *ir.TargetAdd { return &ir.TargetAdd{At: s.At, X: x, Jacobian: s.Jacobian} }
	switch x := s.X.(type) {
	case *ir.Call:
		if y, ok := l.density(x); ok {
			l.out = append(l.out, part(y))
			return true
		}
		if l.densityByElements(x, func(y *ir.Call) ir.Stmt { return part(y) }) {
			return true
		}
		switch name := x.Fn.BuiltinName(); {
		case !number(x.T):
		case univariate(x.Fn.(*stdlib.Function)): // of vectors that are better left whole, as in sample
			return !l.varies(x) && l.addLifted(s)
		case name == "add":
			return l.targetAdd(part(x.Args[0])) && l.targetAdd(part(x.Args[1]))
		case name == "subtract":
			return l.targetAdd(part(x.Args[0])) && l.targetSubtract(part(x.Args[1]))
		case name == "minus":
			return l.targetSubtract(part(x.Args[0]))
		}
	case *ir.Cond:
		if l.varies(x.Test) {
			return l.split(&ir.If{At: s.At, Test: x.Test, Then: []ir.Stmt{part(x.Then)}, Else: []ir.Stmt{part(x.Else)}})
		}
	}
	return l.addLifted(s)
}

// targetSubtract writes target -= x.
func (l *lanes) targetSubtract(s *ir.TargetAdd) bool {
	list, ok := l.nested(func() bool { return l.targetAdd(s) })
	negation := l.named("minus", &ir.Const{Node: l.node(types.Real)}).(*ir.Call).Fn.(*stdlib.Function)
	ir.Inspect(list, func(n any) bool {
		if t, is := n.(*ir.TargetAdd); is {
			t.X = l.call(negation, t.X.Type(), t.X)
		}
		return true
	})
	l.out = append(l.out, list...)
	return ok
}

// addLifted writes target += x with x for all lanes.
func (l *lanes) addLifted(s *ir.TargetAdd) bool {
	if !number(s.X.Type()) {
		return false
	}
	x, ok := l.lift(s.X)
	switch {
	case !ok:
		return false
	case l.varies(s.X):
	case !plain(x):
		return false
	default:
		x = l.named("multiply", l.count, promote(x, types.Real))
	}
	l.out = append(l.out, &ir.TargetAdd{At: s.At, X: x, Jacobian: s.Jacobian})
	return true
}

// plain reports that an expression, evaluated once, is what it is in each of the iterations: it
// calls no function of the user's.
func plain(x ir.Expr) bool { return steady(x, func(*ir.Var) bool { return false }) }

// sample writes y ~ distribution(...), truncated or not.
func (l *lanes) sample(s *ir.Sample) bool {
	c, ok := s.Density.(*ir.Call)
	if !ok {
		return false
	}
	if s.Trunc == nil && !l.varies(c) {
		return l.addLifted(&ir.TargetAdd{At: s.At, X: c})
	}
	d, ok := l.density(c)
	if !ok {
		return s.Trunc == nil && l.densityByElements(c, func(y *ir.Call) ir.Stmt { return &ir.Sample{At: s.At, Density: y} })
	}
	out := &ir.Sample{At: s.At, Density: d}
	if s.Trunc != nil {
		t := *s.Trunc
		if !l.bound(&t.Lo) || !l.bound(&t.Hi) || !univariate(c.Fn.(*stdlib.Function)) || t.LCDF.User != nil || t.LCCDF.User != nil {
			return false
		}
		out.Trunc = &t
	}
	l.out = append(l.out, out)
	return true
}

// bound lifts a bound of a truncation.
func (l *lanes) bound(x *ir.Expr) bool {
	if *x == nil {
		return true
	}
	y, ok := l.lift(*x)
	*x = y
	return ok
}

func (l *lanes) conditional(s *ir.If) bool {
	if l.varies(s.Test) {
		return l.split(s)
	}
	then, ok1 := l.nested(func() bool { return l.stmts(s.Then) })
	other, ok2 := l.nested(func() bool { return l.stmts(s.Else) })
	l.out = append(l.out, &ir.If{At: s.At, Test: s.Test, Then: then, Else: other})
	return ok1 && ok2
}

// split writes a statement whose condition differs from lane to lane: each branch for
// the lanes that take it.
func (l *lanes) split(s *ir.If) bool {
	if !s.Test.Type().Equal(types.Int) || !l.data(s.Test) {
		return false
	}
	x, ok := l.lift(s.Test)
	if !ok {
		return false
	}
	test := l.ref(l.declare("test", ints, l.count, x))
	if len(s.Then) > 0 && !l.branch(test, s.Then) {
		return false
	}
	return len(s.Else) == 0 || l.branch(l.call(l.lib.Function("logical_negation"), ints, test), s.Else)
}

// data reports that an expression is made of data, ints and variables of loops, so that
// which lanes are meant is known when the program is recorded.
func (l *lanes) data(x ir.Expr) bool {
	return !ir.ReadsAny(x, func(v *ir.Var) bool { return !v.IsData() && !v.Type.HasInts() })
}

// branch writes statements for the active lanes in which test is not 0.
func (l *lanes) branch(test ir.Expr, list []ir.Stmt) bool {
	chosen := l.call(whereFunction, ints, test)
	v := l.declare("chosen", ints, l.named("size", chosen), chosen)
	inner := *l
	inner.out = nil
	inner.count = l.named("size", l.ref(v))
	part := func(name string, x ir.Expr) *ir.Var {
		x = &ir.Index{Node: l.node(ints), X: x, Indices: []ir.IndexArg{{Kind: ir.Multi, Lo: l.ref(v)}}}
		return inner.declare(name, ints, inner.count, x)
	}
	inner.pos = v
	if l.pos != nil {
		inner.pos = part("lanes", l.ref(l.pos))
	}
	inner.values = map[*ir.Var]ir.Expr{}
	for _, f := range l.body.loops {
		if !mentions(list, f.Var) {
			continue
		}
		if len(l.body.loops) == 1 { // what the variable is follows from where the lane is
			inner.values[f.Var] = l.shifted(l.ref(inner.pos), f.Lo)
			continue
		}
		inner.values[f.Var] = l.ref(part(f.Var.Name, l.variable(f.Var)))
	}
	if !inner.stmts(list) {
		return false
	}
	some := l.named("logical_gt", inner.count, l.int(0))
	l.out = append(l.out, &ir.If{At: ir.At{Loc: l.at}, Test: some, Then: inner.out})
	return true
}

// shifted returns the values of a loop's variable in the iterations at positions.
func (l *lanes) shifted(positions, lo ir.Expr) ir.Expr {
	if c, ok := lo.(*ir.Const); ok && c.X == 1 {
		return positions
	}
	add := l.named("add", l.int(0), l.int(0)).(*ir.Call).Fn.(*stdlib.Function)
	return l.call(add, ints, positions, l.minus(lo, l.int(1)))
}

// mentions reports whether a variable is read.
func mentions(list []ir.Stmt, v *ir.Var) bool {
	return ir.Any(list, func(n any) bool {
		r, ok := n.(*ir.Ref)
		return ok && r.Var == v
	})
}

// inner writes a loop inside, where there are not too few lanes. One whose bounds all lanes share stays: its iterations
// come one after the other, each for all lanes.
func (l *lanes) inner(s *ir.For) bool {
	if l.frame.few(l.body.loops[0]) {
		return false
	}
	if l.varies(s.Lo) || l.varies(s.Hi) {
		return l.ragged(s)
	}
	list, ok := l.nested(func() bool { return l.stmts(s.Body) })
	l.out = append(l.out, &ir.For{At: s.At, Var: s.Var, Lo: s.Lo, Hi: s.Hi, Body: list})
	return ok
}
