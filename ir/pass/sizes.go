// Sizes: sizes of variables, and of their elements in loops over all of them, are those of the declaration.
//
//	for (w in 1:W) {                            for (w in 1:W) {
//	  vector[num_elements(z[w])] l;               vector[N] l;
//	  for (n in 1:num_elements(z[w]))             for (n in 1:N)
//	    l[n] = normal_lpdf(z[w, n] | m, 1);         l[n] = normal_lpdf(z[w, n] | m, 1);
//	  ...                                         ...
//
// They are then seen to be the same in every iteration.

package pass

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// sizes is the pass.
func sizes(p *ir.Program, _ *stdlib.Library, _ Options) *ir.Program {
	s := &sizer{loops: map[*ir.Var]*ir.For{}, vars: map[*ir.Var]*ir.Var{}}
	s.rewriter = rewriter{expr: s.expr, declare: s.declare, place: func(to *ir.Place) { to.Var = s.now(to.Var) }}
	out := *p
	for _, list := range []*[]ir.Stmt{&out.TransformedParameters.Body, &out.Model, &out.GeneratedQuantities.Body} {
		ir.Inspect(*list, func(n any) bool {
			if loop, ok := n.(*ir.For); ok {
				s.loops[loop.Var] = loop
			}
			return true
		})
		*list = s.stmts(*list)
	}
	if s.changes == 0 {
		return p
	}
	return &out
}

type sizer struct {
	rewriter
	loops   map[*ir.Var]*ir.For // by what they count in
	vars    map[*ir.Var]*ir.Var // local variables whose sizes are written anew
	changes int
}

// now is a variable, or what it was written anew as.
func (s *sizer) now(v *ir.Var) *ir.Var {
	if anew := s.vars[v]; anew != nil {
		return anew
	}
	return v
}

// declare writes a local variable anew where its sizes change.
func (s *sizer) declare(v *ir.Var) *ir.Var {
	if v.Decl == nil {
		return v
	}
	before := s.changes
	list := s.xs(v.Decl.Sizes)
	if s.changes == before {
		return v
	}
	decl, anew := *v.Decl, *v
	decl.Sizes, anew.Decl = list, &decl
	s.vars[v] = &anew
	return &anew
}

// expr is the size that a call asks for, where a declaration says it, and a variable where it is written anew.
func (s *sizer) expr(x ir.Expr) ir.Expr {
	switch x := x.(type) {
	case *ir.Ref:
		if v := s.now(x.Var); v != x.Var {
			s.changes++
			return &ir.Ref{Node: x.Node, Var: v}
		}
	case *ir.Call:
		if n, ok := s.declared(x); ok {
			s.changes++
			return n
		}
	}
	return nil
}

// declared is the value of a call that asks for a size.
func (s *sizer) declared(c *ir.Call) (ir.Expr, bool) {
	if len(c.Args) != 1 {
		return nil, false
	}
	v, list, ok := named(c.Args[0])
	if !ok || v.Kind == ir.Local || v.Decl == nil || len(v.Decl.Sizes) != v.Type.Rank() || v.Type.Base == types.TupleBase || !s.within(list, v) {
		return nil, false
	}
	t, left := c.Args[0].Type(), v.Decl.Sizes[len(list):]
	switch name := c.Fn.BuiltinName(); {
	case len(left) == 0 || v.Kind == ir.TransformedDatum && slices.ContainsFunc(v.Decl.Sizes, varies):
		return nil, false
	case len(left) == 1 && (name == "num_elements" || name == "size") || name == "size" && t.Dims > 0:
	case name == "rows" && (t.Base == types.MatrixBase || t.Base == types.VectorBase):
	case name == "cols" && t.Base == types.MatrixBase:
		left = left[1:]
	case name == "cols" && t.Base == types.RowVectorBase:
	default:
		return nil, false
	}
	return left[0], ofData(left[0])
}

// named is a variable and what it is indexed by.
func named(x ir.Expr) (*ir.Var, []ir.IndexArg, bool) {
	switch x := x.(type) {
	case *ir.Ref:
		return x.Var, nil, true
	case *ir.Index:
		return ir.Subscripts(x)
	}
	return nil, nil, false
}

// within reports whether indices are variables of loops over positions that there are.
func (s *sizer) within(list []ir.IndexArg, v *ir.Var) bool {
	for i, a := range list {
		r, ok := a.Lo.(*ir.Ref)
		if !ok || a.Kind != ir.Single || s.loops[r.Var] == nil {
			return false
		}
		from, ok := s.loops[r.Var].Lo.(*ir.Const)
		if !ok || from.X < 1 || ir.ExprText(s.x(s.loops[r.Var].Hi)) != ir.ExprText(v.Decl.Sizes[i]) {
			return false
		}
	}
	return true
}

// varies reports whether an expression may change while transformed data are computed.
func varies(x ir.Expr) bool {
	return ir.AnyIn(x, func(n any) bool {
		r, ok := n.(*ir.Ref)
		return ok && r.Var.Kind == ir.TransformedDatum
	})
}
