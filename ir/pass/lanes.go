// All iterations of a loop at once: expressions as arrays with one number an iteration.

package pass

import (
	"maps"
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// lanes writes the statements of a loop's body, or of a nest's, for all iterations at once;
// a lane is an iteration. Its methods give false where they do not know how.
type lanes struct {
	maker
	frame  *frame
	body   *body
	values map[*ir.Var]ir.Expr // arrays of what the loops' variables are; none for a single loop with all lanes
	local  map[*ir.Var]*ir.Var // arrays that hold what a scalar is in each lane
	pos    *ir.Var             // positions of the lanes at work; nil for all
	count  ir.Expr             // how many lanes are at work
	total  ir.Expr             // how many there are
	out    []ir.Stmt
}

// newLanes starts with all iterations. Variables of local already have their arrays.
func newLanes(f *frame, b *body, local map[*ir.Var]*ir.Var) *lanes {
	l := &lanes{maker: maker{f.lib, b.loops[0].Loc}, frame: f, body: b, local: map[*ir.Var]*ir.Var{}, values: map[*ir.Var]ir.Expr{}}
	maps.Copy(l.local, local)
	l.total = l.rounds(b.loops[0])
	for _, f := range b.loops[1:] {
		l.total = l.times(l.total, l.rounds(f))
	}
	l.count = l.total
	if len(b.loops) > 1 {
		l.nest()
	}
	return l
}

// nest declares what the variables of nested loops are in each iteration.
func (l *lanes) nest() {
	for i, f := range l.body.loops {
		each, times := l.int(1), l.int(1)
		for _, inner := range l.body.loops[i+1:] {
			each = l.times(each, l.rounds(inner))
		}
		for _, outer := range l.body.loops[:i] {
			times = l.times(times, l.rounds(outer))
		}
		v := l.declare(f.Var.Name, ints, l.total, l.call(gridFunction, ints, f.Lo, f.Hi, each, times))
		l.values[f.Var] = l.ref(v)
	}
}

// declare makes a local array of n numbers.
func (l *lanes) declare(name string, t types.Type, n, init ir.Expr) *ir.Var {
	v := l.frame.newVar(name, t, l.at, n)
	l.out = append(l.out, &ir.Declare{At: ir.At{Loc: l.at}, Var: v, Init: init})
	return v
}

// varies reports whether an expression may differ from lane to lane.
func (l *lanes) varies(x ir.Expr) bool {
	return ir.ReadsAny(x, func(v *ir.Var) bool { return l.local[v] != nil || l.loopOf(v) != nil })
}

func (l *lanes) loopOf(v *ir.Var) *ir.For {
	for _, f := range l.body.loops {
		if f.Var == v {
			return f
		}
	}
	return nil
}

// contiguous returns the loop whose iterations, all of them, are the lanes.
func (l *lanes) contiguous() (*ir.For, bool) {
	return l.body.loops[0], len(l.body.loops) == 1 && l.pos == nil
}

// lift returns an expression for all lanes: an array where it varies, and else itself.
func (l *lanes) lift(x ir.Expr) (ir.Expr, bool) {
	if !l.varies(x) {
		return x, true
	}
	t := x.Type()
	switch x := x.(type) {
	case *ir.Ref:
		return l.variable(x.Var), number(t)
	case *ir.Promote:
		y, ok := l.lift(x.X)
		if !ok || !number(t) || !number(x.X.Type()) {
			return nil, false
		}
		return promote(y, types.ArrayOf(t, 1)), true
	case *ir.Index:
		return l.index(x)
	case *ir.Call:
		return l.apply(x)
	case *ir.Cond:
		return l.choice(x)
	case *ir.Logic:
		return l.logic(x)
	}
	return nil, false
}

// number reports whether a type is int or real.
func number(t types.Type) bool { return t.Equal(types.Int) || t.Equal(types.Real) }

// variable returns what a loop's variable or a local scalar is in each lane at work.
func (l *lanes) variable(v *ir.Var) ir.Expr {
	if a := l.local[v]; a != nil {
		return l.atWork(l.ref(a))
	}
	if x := l.values[v]; x != nil {
		return x
	}
	f := l.body.loops[0]
	return l.call(gridFunction, ints, f.Lo, f.Hi, l.int(1), l.int(1))
}

// atWork selects the elements of the active lanes from an array of all lanes.
func (l *lanes) atWork(x ir.Expr) ir.Expr {
	if l.pos == nil {
		return x
	}
	return &ir.Index{Node: l.node(x.Type()), X: x, Indices: []ir.IndexArg{{Kind: ir.Multi, Lo: l.ref(l.pos)}}}
}

// index lifts x[...] of what has one value for all lanes.
func (l *lanes) index(x *ir.Index) (ir.Expr, bool) {
	v, list, ok := ir.Subscripts(x)
	if ok && l.local[v] != nil {
		return l.elementOfLocal(v, list)
	}
	var whole ir.Expr
	switch {
	case ok:
		whole = l.ref(v)
	case !l.varies(x.X) && plain(x.X): // computed once
		whole, list = x.X, x.Indices
	default:
		return nil, false
	}
	indices, t, ok := l.indices(whole.Type(), list)
	if !ok || x.T.Base.IsComplex() {
		return nil, false
	}
	return &ir.Index{Node: ir.Node{Loc: x.Loc, T: t}, X: whole, Indices: indices}, true
}

// indices lifts a list of indices, at least one of which varies between lanes, and returns the type that
// it selects: one element for each lane.
func (l *lanes) indices(t types.Type, list []ir.IndexArg) ([]ir.IndexArg, types.Type, bool) {
	varying, only := 0, 0
	for k, a := range list {
		switch {
		case a.Kind == ir.Single:
			if l.varies(a.Lo) {
				varying, only = varying+1, k
			}
		case a.Lo != nil && l.varies(a.Lo) || a.Hi != nil && l.varies(a.Hi):
			return nil, t, false
		}
	}
	elem := ir.Indexed(t, list)
	if varying == 0 || t.Base == types.TupleBase || varying > 1 && !(elem.IsScalar() && ir.AllSingle(list)) {
		return nil, t, false
	}
	if !elem.IsScalar() && (only >= t.Dims || elem.Dims > 0) {
		return nil, t, false // a row of a matrix is not one piece of it
	}
	out := make([]ir.IndexArg, len(list))
	for k, a := range list {
		out[k] = a
		if a.Kind != ir.Single || !l.varies(a.Lo) {
			continue
		}
		var ok bool
		if out[k], ok = l.position(a.Lo, varying > 1); !ok {
			return nil, t, false
		}
	}
	return out, ir.Indexed(t, out), true
}

// position lifts one index: as a range where it runs through neighbours.
func (l *lanes) position(x ir.Expr, zip bool) (ir.IndexArg, bool) {
	if f, ok := l.contiguous(); ok && !zip {
		if _, ok := offsetOf(x, f.Var, l.body.variant); ok {
			at := func(bound ir.Expr) ir.Expr { return substitute(x, map[*ir.Var]ir.Expr{f.Var: bound}) }
			return ir.IndexArg{Kind: ir.Range, Lo: at(f.Lo), Hi: at(f.Hi)}, true
		}
	}
	y, ok := l.lift(x)
	if zip {
		return ir.IndexArg{Kind: ir.Zip, Lo: y}, ok
	}
	return ir.IndexArg{Kind: ir.Multi, Lo: y}, ok
}

// logic lifts && and ||, where evaluating both sides in all lanes can do no harm.
func (l *lanes) logic(x *ir.Logic) (ir.Expr, bool) {
	if !l.tame(x.R) || !x.L.Type().Equal(types.Int) || !x.R.Type().Equal(types.Int) {
		return nil, false
	}
	left, ok1 := l.lift(x.L)
	right, ok2 := l.lift(x.R)
	if !ok1 || !ok2 {
		return nil, false
	}
	name := "logical_and"
	if x.Or {
		name = "logical_or"
	}
	return l.call(l.lib.Function(name), ints, left, right), true
}

// tame reports that an expression's indices are loop variables as they are, so that they
// are within bounds wherever the other indices of the loop are.
func (l *lanes) tame(x ir.Expr) bool {
	computed := func(a ir.IndexArg) bool {
		_, plain := a.Lo.(*ir.Ref)
		return !plain && l.varies(a.Lo)
	}
	return !ir.AnyIn(x, func(n any) bool {
		i, ok := n.(*ir.Index)
		return ok && slices.ContainsFunc(i.Indices, computed)
	})
}

// choice lifts a ? b : c. A condition that differs from lane to lane becomes two
// assignments.
func (l *lanes) choice(x *ir.Cond) (ir.Expr, bool) {
	if !number(x.T) {
		return nil, false
	}
	t := types.ArrayOf(x.T, 1)
	if !l.varies(x.Test) {
		then, ok1 := l.full(x.Then, t)
		other, ok2 := l.full(x.Else, t)
		if !ok1 || !ok2 {
			return nil, false
		}
		return &ir.Cond{Node: ir.Node{Loc: x.Loc, T: t}, Test: x.Test, Then: then, Else: other}, true
	}
	v := l.frame.newVar("chosen", x.T, l.at, nil)
	l.expand(v)
	set := func(y ir.Expr) []ir.Stmt {
		return []ir.Stmt{&ir.Assign{At: ir.At{Loc: x.Loc}, To: ir.Place{Loc: x.Loc, Var: v, T: x.T}, X: y}}
	}
	if !l.split(&ir.If{At: ir.At{Loc: x.Loc}, Test: x.Test, Then: set(x.Then), Else: set(x.Else)}) {
		return nil, false
	}
	return l.variable(v), true
}

// expand declares the array of a scalar that differs from lane to lane.
func (l *lanes) expand(v *ir.Var) {
	l.local[v] = l.declare(v.Name, types.ArrayOf(v.Type, 1), l.total, nil)
}

// full lifts an expression and repeats it where it does not vary; t is the type wanted.
func (l *lanes) full(x ir.Expr, t types.Type) (ir.Expr, bool) {
	y, ok := l.lift(x)
	if !ok {
		return nil, false
	}
	if y.Type().IsScalar() {
		if !number(y.Type()) {
			return nil, false
		}
		y = l.named("rep_array", y, l.count)
	}
	if to, from := t.Rank(), y.Type().Rank(); to != from {
		return nil, false
	}
	return promote(y, t), true
}

// apply lifts a call whose result is used.
func (l *lanes) apply(x *ir.Call) (ir.Expr, bool) {
	if m, ok := l.product(x); ok {
		return m, true
	}
	fn := x.Fn.(*stdlib.Function)
	if !number(x.T) || fn.Draw != nil || fn.Higher != "" || fn.Jacobian != nil {
		return nil, false
	}
	args, ok := l.scalars(x.Args)
	if !ok {
		return l.sumByElements(x)
	}
	if fn.Density != nil {
		each := stdlib.PerElement(fn)
		if each == nil {
			return nil, false
		}
		return l.call(each, types.ArrayOf(types.Real, 1), args...), true
	}
	if fn.Op != nil {
		return &ir.Call{Node: ir.Node{Loc: x.Loc, T: types.ArrayOf(x.T, 1)}, Fn: fn, Args: args}, true
	}
	y, ok := l.resolve(fn.Name, x.Loc, args)
	if !ok || y.T.Rank() != 1 || y.T.Base.IsComplex() || y.T.Base == types.IntBase != (x.T.Base == types.IntBase) {
		return nil, false
	}
	return y, true
}

// scalars lifts arguments that are single numbers.
func (l *lanes) scalars(args []ir.Expr) ([]ir.Expr, bool) {
	out := make([]ir.Expr, len(args))
	for i, a := range args {
		var ok bool
		if !number(a.Type()) {
			return nil, false
		}
		if out[i], ok = l.lift(a); !ok {
			return nil, false
		}
	}
	return out, true
}
