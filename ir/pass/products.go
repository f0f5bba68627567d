// Products: loops that add up columns of data, each times a number, are products of a matrix and a vector.
//
//	for (k in 1:K)
//	  mu += X[1:N, k] * b[k];          mu += X[1:N, 1:K] * b[1:K];

package pass

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// minColumns is how many columns cost less as a matrix: fewer are as fast as they are.
const minColumns = 2

// byColumns is the pass.
func byColumns(p *ir.Program, lib *stdlib.Library, o Options) *ir.Program {
	f := &frame{lib: lib, slots: p.Slots, value: o.Value}
	out := *p
	out.TransformedParameters.Body = ir.Map(p.TransformedParameters.Body, f.multiplied)
	out.Model = ir.Map(p.Model, f.multiplied)
	out.GeneratedQuantities.Body = ir.Map(p.GeneratedQuantities.Body, f.multiplied)
	if !f.changed {
		return p
	}
	out.Slots = f.slots
	return &out
}

// multiplied returns what a statement becomes.
func (f *frame) multiplied(s ir.Stmt) []ir.Stmt {
	loop, ok := s.(*ir.For)
	if ok {
		var out []ir.Stmt
		if f.try(func() (ok bool) { out, ok = f.product(loop); return ok }) {
			f.changed = true
			return out
		}
	}
	return []ir.Stmt{ir.WithBodies(s, func(list []ir.Stmt) []ir.Stmt { return ir.Map(list, f.multiplied) })}
}

// product writes a loop with nothing but sums of columns.
func (f *frame) product(s *ir.For) ([]ir.Stmt, bool) {
	if n, known := f.known(s); known && n < minColumns {
		return nil, false
	}
	list := flat(s.Body)
	b := newBody([]*ir.For{s}, list)
	if !b.separable() {
		return nil, false
	}
	var tests []*ir.If
	for len(list) == 1 {
		test, ok := list[0].(*ir.If)
		if !ok || len(test.Else) > 0 || !steady(test.Test, b.variant) {
			break
		}
		tests, list = append(tests, test), flat(test.Then)
	}
	l := newLanes(f, b, nil)
	for i, s := range list {
		a, ok := s.(*ir.Assign)
		if !ok || slices.ContainsFunc(list[i+1:], func(s ir.Stmt) bool { return uses(s, a.To.Var) }) {
			return nil, false
		}
		x, ok := l.columns(a)
		if !ok {
			return nil, false
		}
		l.out = append(l.out, &ir.Assign{At: a.At, To: a.To, X: x})
	}
	out := l.out
	for _, t := range slices.Backward(tests) {
		out = []ir.Stmt{&ir.If{At: t.At, Test: t.Test, Then: out}}
	}
	return nonEmpty(l.maker, b.loops, out), true
}

// columns is what an assignment that adds a column of data to a variable, times a number, assigns in all iterations together.
func (l *lanes) columns(a *ir.Assign) (ir.Expr, bool) {
	sum, ok := unpromoted(a.X).(*ir.Call)
	if !ok || len(sum.Args) != 2 || a.To.T.Equal(types.RowVector) {
		return nil, false
	}
	name, before, term := sum.Fn.BuiltinName(), sum.Args[0], sum.Args[1]
	if name == "add" && !l.isPlace(&a.To, before) {
		before, term = term, before
	}
	product, ok := term.(*ir.Call)
	if name != "add" && name != "subtract" || !l.isPlace(&a.To, before) || !ok || product.Fn.BuiltinName() != "multiply" {
		return nil, false
	}
	column, by := product.Args[0], product.Args[1]
	if by.Type().Rank() > 0 {
		column, by = by, column
	}
	if !number(by.Type()) || ir.Reads(term, a.To.Var) {
		return nil, false
	}
	matrix, ok := l.columnsOf(column)
	if !ok {
		return nil, false
	}
	factors, ok := l.full(by, types.ArrayOf(types.Real, 1))
	if !ok {
		return nil, false
	}
	x := l.named("multiply", matrix, promote(factors, types.Vector))
	return promote(&ir.Call{Node: sum.Node, Fn: sum.Fn, Args: []ir.Expr{before, promote(x, before.Type())}}, a.To.T), true
}

// unpromoted is an expression without a conversion around it.
func unpromoted(x ir.Expr) ir.Expr {
	if p, ok := x.(*ir.Promote); ok {
		return p.X
	}
	return x
}

// isPlace reports whether an expression is what is at a place, the same in all iterations.
func (l *lanes) isPlace(to *ir.Place, x ir.Expr) bool {
	if len(to.Path) == 0 {
		return isRef(x, to.Var)
	}
	i, ok := x.(*ir.Index)
	list := placeSubscripts(to)
	return ok && list != nil && isRef(i.X, to.Var) && !l.varies(x) && slices.EqualFunc(list, i.Indices, func(a, b ir.IndexArg) bool {
		return a.Kind == b.Kind && ir.ExprText(a.Lo) == ir.ExprText(b.Lo) && ir.ExprText(a.Hi) == ir.ExprText(b.Hi)
	})
}

// columnsOf is the matrix of the columns of data that an expression is in the iterations.
func (l *lanes) columnsOf(x ir.Expr) (ir.Expr, bool) {
	loop := l.body.loops[0]
	all := ir.IndexArg{Kind: ir.Range, Lo: loop.Lo, Hi: loop.Hi}
	if c, ok := x.(*ir.Call); ok && c.Fn.BuiltinName() == "col" && isRef(c.Args[1], loop.Var) {
		m, ok := c.Args[0].(*ir.Ref)
		if !ok || !m.Var.IsData() || !m.T.Equal(types.Matrix) {
			return nil, false
		}
		return l.part(m.Var, []ir.IndexArg{{Kind: ir.All}, all}, types.Matrix), true
	}
	i, ok := x.(*ir.Index)
	if !ok {
		return nil, false
	}
	v, list, ok := ir.Subscripts(i)
	last := len(list) - 1
	if !ok || !v.IsData() || last < 1 || last+1 != v.Type.Rank() || list[last].Kind != ir.Single || !isRef(list[last].Lo, loop.Var) {
		return nil, false
	}
	for k, a := range list[:last] {
		if k < last-1 && a.Kind != ir.Single || k == last-1 && a.Kind == ir.Single || a.Lo != nil && l.varies(a.Lo) || a.Hi != nil && l.varies(a.Hi) {
			return nil, false
		}
	}
	list = append(slices.Clone(list[:last]), all)
	if v.Type.Base == types.MatrixBase {
		return l.part(v, list, types.Matrix), true
	}
	if v.Type.Base != types.RealBase {
		return nil, false
	}
	return l.named("to_matrix", l.part(v, list, types.ArrayOf(types.Real, 2))), true
}

// part is a part of a variable of data: the variable itself, not a copy of it, where that is seen to be all of it.
func (l *lanes) part(v *ir.Var, list []ir.IndexArg, t types.Type) ir.Expr {
	whole := v.Decl != nil && len(v.Decl.Sizes) == len(list)
	for k, a := range list {
		one, ok := a.Lo.(*ir.Const)
		whole = whole && (a.Kind == ir.All || a.Kind == ir.Range && ok && one.X == 1 && ir.ExprText(a.Hi) == ir.ExprText(v.Decl.Sizes[k]))
	}
	if whole {
		return l.ref(v)
	}
	return &ir.Index{Node: l.node(t), X: l.ref(v), Indices: list}
}
