// Propagate: ints that are set once, from data and the variables of loops, become what they are set to.
//
//	for (j in 1:J) {
//	  int g = group[j];                       for (j in 1:J)
//	  for (i in 1:I)                            for (i in 1:I)
//	    y[j, i] ~ normal(a[g] + b[i], s);         y[j, i] ~ normal(a[group[j]] + b[i], s);
//	}
//
// Which element a subscript means in which iteration can then be seen.

package pass

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// maxPropagated is how many parts an expression may have that is written where a variable was.
const maxPropagated = 16

// propagate is the pass.
func propagate(p *ir.Program, lib *stdlib.Library, _ Options) *ir.Program {
	c := &propagator{sets: map[*ir.Var]bool{}, by: map[*ir.Var]ir.Expr{}, counters: map[*ir.Var]bool{}}
	c.rewriter = rewriter{expr: func(x ir.Expr) ir.Expr {
		if r, ok := x.(*ir.Ref); ok {
			return c.by[r.Var]
		}
		return nil
	}}
	for _, list := range [][]ir.Stmt{p.TransformedParameters.Body, p.Model, p.GeneratedQuantities.Body} {
		ir.Assignments(list, func(to *ir.Place, _ ir.Expr) { c.sets[to.Var] = true })
	}
	out := *p
	out.TransformedParameters.Body = ir.Map(p.TransformedParameters.Body, c.inside)
	out.Model = c.list(p.Model)
	out.GeneratedQuantities.Body = ir.Map(p.GeneratedQuantities.Body, c.inside)
	if len(c.by) == 0 {
		return p
	}
	return &out
}

type propagator struct {
	rewriter
	sets     map[*ir.Var]bool // what is assigned to, anywhere
	counters map[*ir.Var]bool // variables of loops over ranges
	by       map[*ir.Var]ir.Expr
}

// list rewrites statements that declare local variables.
func (c *propagator) list(list []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for i, s := range list {
		d, ok := s.(*ir.Declare)
		if !ok || !d.Var.Type.Equal(types.Int) || d.Init == nil || c.sets[d.Var] || inShapes(list[i+1:], d.Var) {
			out = append(out, c.inside(s)...)
			continue
		}
		x := c.x(d.Init)
		known, total := c.fixed(x)
		if known {
			c.by[d.Var] = x
		}
		if !known || !total { // what may be rejected stays
			out = append(out, &ir.Declare{At: d.At, Var: d.Var, Init: x})
		}
	}
	return out
}

// inside rewrites a statement and what is inside of it.
func (c *propagator) inside(s ir.Stmt) []ir.Stmt {
	switch s := s.(type) {
	case *ir.Block:
		return []ir.Stmt{&ir.Block{At: s.At, Body: c.list(s.Body), Profile: s.Profile}}
	case *ir.If:
		return []ir.Stmt{&ir.If{At: s.At, Test: c.x(s.Test), Then: c.list(s.Then), Else: c.list(s.Else)}}
	case *ir.ForEach:
		return []ir.Stmt{&ir.ForEach{At: s.At, Var: s.Var, X: c.x(s.X), Body: c.list(s.Body)}}
	case *ir.While:
		return []ir.Stmt{&ir.While{At: s.At, Test: c.x(s.Test), Body: c.list(s.Body)}}
	case *ir.For:
		c.counters[s.Var] = true
		return divided(&ir.For{At: s.At, Var: s.Var, Lo: c.x(s.Lo), Hi: c.x(s.Hi), Body: c.list(s.Body)}, c.by)
	}
	return []ir.Stmt{c.stmt(s)}
}

// divided divides a loop around another and declarations of variables that are no longer read, which may be rejected, in two.
func divided(s *ir.For, by map[*ir.Var]ir.Expr) []ir.Stmt {
	last := len(s.Body) - 1
	if last < 1 || found[*ir.Jump](s.Body...) || slices.ContainsFunc(s.Body[:last], func(s ir.Stmt) bool {
		d, ok := s.(*ir.Declare)
		return !ok || by[d.Var] == nil
	}) {
		return []ir.Stmt{s}
	}
	if _, ok := s.Body[last].(*ir.For); !ok {
		return []ir.Stmt{s}
	}
	first, rest := *s, *s
	first.Body, rest.Body = s.Body[:last], s.Body[last:]
	return []ir.Stmt{&first, &rest}
}

// fixed reports whether an expression is short and made of data and variables of loops, and whether it has a value for
// all of theirs.
func (c *propagator) fixed(x ir.Expr) (known, total bool) {
	known, total = true, true
	parts := 0
	ir.InspectExpr(x, func(n any) bool {
		parts++
		switch n := n.(type) {
		case *ir.Const, *ir.Cond, *ir.Logic:
		case *ir.Ref:
			known = known && n.T.Equal(types.Int) && (n.Var.IsData() || c.counters[n.Var])
		case *ir.Index:
			v, list, ok := ir.Subscripts(n)
			total = false
			known = known && ok && v.IsData() && ir.AllSingle(list) && n.T.Equal(types.Int)
			for _, a := range list {
				k, _ := c.fixed(a.Lo)
				known = known && k
			}
			return false
		case *ir.Call:
			switch fn, ok := n.Fn.(*stdlib.Function); {
			case sizeOnly(n):
				return false
			case !ok || fn.Draw != nil || !n.T.Equal(types.Int):
				known, total = false, false
			case !slices.Contains([]string{"add", "subtract", "multiply", "minus"}, fn.Name):
				total = false
			}
		default:
			known, total = false, false
		}
		return known
	})
	return known && parts <= maxPropagated, total
}
