// Count: while loops that count, and loops over elements, become loops over ranges.
//
//	int n = 1;
//	while (n <= N) {                          for (n in 1:N) {
//	  y[n] ~ normal(mu[g[n]], sigma);           y[n] ~ normal(mu[g[n]], sigma);
//	  n += 1;
//	}                                         }
//
// The other passes know loops over ranges alone.

package pass

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// count is the pass.
func count(p *ir.Program, lib *stdlib.Library, o Options) *ir.Program {
	c := &counter{frame: &frame{lib: lib, slots: p.Slots, value: o.Value}}
	out := *p
	out.TransformedParameters.Body = ir.Map(p.TransformedParameters.Body, c.inside)
	out.Model = c.stmts(p.Model)
	out.GeneratedQuantities.Body = ir.Map(p.GeneratedQuantities.Body, c.inside)
	if !c.changed {
		return p
	}
	out.Slots = c.slots
	return &out
}

type counter struct{ *frame }

// inside rewrites what is inside of a statement of a block whose variables are results.
func (c *counter) inside(s ir.Stmt) []ir.Stmt { return []ir.Stmt{ir.WithBodies(s, c.stmts)} }

// stmts rewrites a list of statements that declare local variables.
func (c *counter) stmts(list []ir.Stmt) []ir.Stmt {
	list = c.setWhereDeclared(list)
	out := make([]ir.Stmt, 0, len(list))
	for i, s := range list {
		s = ir.WithBodies(s, c.stmts)
		switch s := s.(type) {
		case *ir.While:
			if loop, last := c.counted(s); loop != nil {
				c.changed = true
				out = from(append(out, loop), list[i+1:], last)
				continue
			}
		case *ir.ForEach:
			if loop := c.overRange(s); loop != nil {
				c.changed = true
				out = append(out, loop)
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// counted returns the loop over a range that a while loop is, and what sets its variable to what it is afterwards; nil where it
// is none.
func (c *counter) counted(s *ir.While) (*ir.For, *ir.Assign) {
	v, hi := c.upTo(s)
	if v == nil {
		return nil, nil
	}
	list, at := flat(s.Body), -1
	var sets int
	ir.Assignments(list, func(to *ir.Place, _ ir.Expr) {
		if to.Var == v {
			sets++
		}
	})
	for i, s := range list {
		if a, ok := s.(*ir.Assign); ok && a.To.Var == v && next(a.X, v) {
			at = i
		}
	}
	b := newBody(nil, list)
	if sets != 1 || at < 0 || found[*ir.Jump](list...) || inShapes(list, v) || !steady(hi, b.variant) {
		return nil, nil
	}
	m := maker{c.lib, s.Loc}
	k := c.newVar(v.Name, types.Int, s.Loc, nil)
	part := func(list []ir.Stmt, x ir.Expr) []ir.Stmt {
		return Replace(list, func(y ir.Expr) ir.Expr {
			if r, ok := y.(*ir.Ref); ok && r.Var == v {
				return x
			}
			return nil
		})
	}
	body := slices.Concat(part(list[:at], m.ref(k)), part(list[at+1:], m.plus(m.ref(k), 1)))
	last := &ir.Assign{At: s.At, To: ir.Place{Loc: s.Loc, Var: v, T: v.Type}, X: m.named("max", m.ref(v), m.plus(hi, 1))}
	return &ir.For{At: s.At, Var: k, Lo: m.ref(v), Hi: hi, Body: body}, last
}

// upTo returns the variable of a condition v <= hi or v < hi + 1, and hi; nil for other conditions.
func (c *counter) upTo(s *ir.While) (*ir.Var, ir.Expr) {
	test, ok := s.Test.(*ir.Call)
	if !ok || len(test.Args) != 2 {
		return nil, nil
	}
	x, hi := test.Args[0], test.Args[1]
	var less int
	switch test.Fn.BuiltinName() {
	case "logical_lte":
	case "logical_lt":
		less = 1
	case "logical_gte":
		x, hi = hi, x
	case "logical_gt":
		x, hi, less = hi, x, 1
	default:
		return nil, nil
	}
	v, ok := x.(*ir.Ref)
	if !ok || !v.T.Equal(types.Int) || !hi.Type().Equal(types.Int) {
		return nil, nil
	}
	return v.Var, maker{c.lib, s.Loc}.plus(hi, -less)
}

// next reports whether an expression is v + 1.
func next(x ir.Expr, v *ir.Var) bool {
	o, ok := offsetOf(x, v, func(*ir.Var) bool { return true })
	return ok && o == offset{n: 1}
}

// from puts what precedes a loop into its range where the loop's variable is set there, and else the assignment behind it.
func from(out, rest []ir.Stmt, last *ir.Assign) []ir.Stmt {
	loop, v := out[len(out)-1].(*ir.For), last.To.Var
	if len(out) > 1 {
		if d, ok := out[len(out)-2].(*ir.Declare); ok && d.Var == v && d.Init != nil && !mentions(rest, v) {
			loop.Lo = d.Init
			return append(out[:len(out)-2], loop)
		}
	}
	return append(out, last)
}

// setWhereDeclared moves declarations of ints to the assignments that come first after them.
func (c *counter) setWhereDeclared(list []ir.Stmt) []ir.Stmt {
	out := list
	for i := 0; i < len(out); i++ {
		d, ok := out[i].(*ir.Declare)
		if !ok || d.Init != nil || !d.Var.Type.Equal(types.Int) {
			continue
		}
		at := i + 1 + slices.IndexFunc(out[i+1:], func(s ir.Stmt) bool { return touches([]ir.Stmt{s}, d.Var) })
		if at == i {
			continue
		}
		a, ok := out[at].(*ir.Assign)
		if !ok || len(a.To.Path) > 0 || ir.Reads(a.X, d.Var) {
			continue
		}
		out = slices.Concat(out[:i], out[i+1:at], []ir.Stmt{&ir.Declare{At: a.At, Var: d.Var, Init: a.X}}, out[at+1:])
		c.changed = true
		i--
	}
	return out
}

// overRange returns the loop over positions that a loop over the elements of a variable is; nil where it is none.
func (c *counter) overRange(s *ir.ForEach) *ir.For {
	x, ok := s.X.(*ir.Ref)
	if !ok || x.T.Dims == 0 && !isVector(x.T) || x.T.Base == types.TupleBase || inShapes(s.Body, s.Var) {
		return nil
	}
	if b := newBody(nil, s.Body); b.changed[x.Var] || b.changed[s.Var] {
		return nil
	}
	m := maker{c.lib, s.Loc}
	k := c.newVar(s.Var.Name, types.Int, s.Loc, nil)
	element := &ir.Index{Node: m.node(s.Var.Type), X: x, Indices: []ir.IndexArg{{Kind: ir.Single, Lo: m.ref(k)}}}
	body := Replace(s.Body, func(y ir.Expr) ir.Expr {
		if r, ok := y.(*ir.Ref); ok && r.Var == s.Var {
			return element
		}
		return nil
	})
	return &ir.For{At: s.At, Var: k, Lo: m.int(1), Hi: m.named("size", x), Body: body}
}
