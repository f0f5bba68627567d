// Sums of priors and likelihoods, taken apart.
//
//	real lp = normal_lpdf(mu | 0, 1);           target += normal_lpdf(mu | 0, 1);
//	lp += normal_lpdf(y | mu, 1);         is    target += normal_lpdf(y | mu, 1);
//	target += lp;
//
// A local variable that only collects summands of the log density adds each of them where
// it collects it, and priors among the summands of a term become terms of their own.

package graph

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// Divided returns an equal program in which sums of priors and likelihoods in the model
// block are terms of their own. What is no such sum stays as it was.
func Divided(p *ir.Program) *ir.Program {
	for {
		d := &divider{roles: NewRoles(p)}
		if len(d.roles.mixed) == 0 {
			return p
		}
		model := d.list(p.Model)
		if !d.changed {
			return p
		}
		q := *p
		q.Model = model
		p = &q
	}
}

// A divider takes the mixed terms of a program apart.
type divider struct {
	roles   *Roles
	changed bool
}

func (d *divider) list(body []ir.Stmt) []ir.Stmt {
	if flat, ok := d.spread(body); ok {
		d.changed = true
		return flat // what it leaves to divide is for the next iteration
	}
	return ir.Map(body, d.stmt)
}

func (d *divider) stmt(s ir.Stmt) []ir.Stmt {
	if t, ok := s.(*ir.TargetAdd); ok {
		return d.term(t)
	}
	return []ir.Stmt{ir.WithBodies(s, d.list)}
}

// term makes statements of the priors in a sum.
func (d *divider) term(s *ir.TargetAdd) []ir.Stmt {
	priors := d.roles.priors[s]
	if !slices.Contains(d.roles.mixed, s) || len(priors) == 0 {
		return []ir.Stmt{s}
	}
	d.changed = true
	var out []ir.Stmt
	for _, x := range priors {
		out = append(out, &ir.TargetAdd{At: s.At, X: x, Jacobian: s.Jacobian})
	}
	if rest := without(s.X, priors); rest != nil {
		out = append(out, &ir.TargetAdd{At: s.At, X: rest, Jacobian: s.Jacobian})
	}
	return out
}

// summands are the expressions that are added up in one, those that are subtracted left out.
func summands(x ir.Expr) []ir.Expr {
	switch x := x.(type) {
	case *ir.Promote:
		if x.Type().Rank() == 0 {
			return summands(x.X)
		}
	case *ir.Call:
		switch name := x.Fn.BuiltinName(); {
		case name == "add" && x.Type().Rank() == 0 && len(x.Args) == 2:
			return append(summands(x.Args[0]), summands(x.Args[1])...)
		case name == "subtract" && x.Type().Rank() == 0:
			return summands(x.Args[0])
		}
	}
	return []ir.Expr{x}
}

// without is a sum without some of its summands; nil where nothing is left. Of a
// difference something always is.
func without(x ir.Expr, drop []ir.Expr) ir.Expr {
	if slices.Contains(drop, x) {
		return nil
	}
	switch y := x.(type) {
	case *ir.Promote:
		if y.Type().Rank() == 0 {
			return without(y.X, drop)
		}
	case *ir.Call:
		if len(y.Args) != 2 || y.Type().Rank() > 0 {
			return x
		}
		c := *y
		switch y.Fn.BuiltinName() {
		case "add":
			a, b := without(y.Args[0], drop), without(y.Args[1], drop)
			switch {
			case a == nil:
				return b
			case b == nil:
				return a
			}
			c.Args = []ir.Expr{a, b}
			return &c
		case "subtract":
			a := without(y.Args[0], drop)
			if a == nil {
				a = zero(y.Args[0])
			}
			c.Args = []ir.Expr{a, y.Args[1]}
			return &c
		}
	}
	return x
}

// zero is a number 0 in the place of x.
func zero(x ir.Expr) ir.Expr {
	return &ir.Const{Node: ir.Node{Loc: x.Span(), T: x.Type()}}
}

// spread adds the summands of a collecting variable to the target one by one.
func (d *divider) spread(body []ir.Stmt) ([]ir.Stmt, bool) {
	for i, s := range body {
		decl, ok := s.(*ir.Declare)
		if !ok || decl.Var.Kind != ir.Local || !decl.Var.Type.Equal(types.Real) {
			continue
		}
		for j := i + 1; j < len(body); j++ {
			t, ok := body[j].(*ir.TargetAdd)
			if !ok || !slices.Contains(d.roles.mixed, t) || t.Jacobian || !slices.ContainsFunc(summands(t.X), func(x ir.Expr) bool { return only(x, decl.Var) }) {
				continue
			}
			c := &gatherer{v: decl.Var}
			if flat, ok := c.spread(body, i, j); ok {
				return flat, true
			}
		}
	}
	return nil, false
}

// A gatherer follows a variable that collects summands.
type gatherer struct {
	v     *ir.Var
	begun bool // it has its first value
	bad   bool // it is used in another way
}

// spread rewrites the statements between the declaration and the term. It fails where the
// variable is used in another way, there or later.
func (c *gatherer) spread(body []ir.Stmt, from, to int) ([]ir.Stmt, bool) {
	decl, t := body[from].(*ir.Declare), body[to].(*ir.TargetAdd)
	out := slices.Clone(body[:from])
	if decl.Init != nil {
		c.begun = true
		out = append(out, c.adds(decl.At, decl.Init)...)
	}
	for _, s := range body[from+1 : to] {
		out = append(out, c.stmt(s, true)...)
	}
	rest := without(t.X, pick(summands(t.X), c.v))
	if rest != nil {
		c.check(rest)
		out = append(out, &ir.TargetAdd{At: t.At, X: rest})
	}
	for _, s := range body[to+1:] {
		c.checkStmt(s)
	}
	return append(out, body[to+1:]...), c.begun && !c.bad
}

// pick are the summands that are the variable.
func pick(xs []ir.Expr, v *ir.Var) []ir.Expr {
	var out []ir.Expr
	for _, x := range xs {
		if only(x, v) && len(out) == 0 {
			out = append(out, x)
		}
	}
	return out
}

func (c *gatherer) adds(at ir.At, x ir.Expr) []ir.Stmt {
	c.check(x)
	if k, ok := constant(x); ok && k == 0 {
		return nil
	}
	return []ir.Stmt{&ir.TargetAdd{At: at, X: x}}
}

func (c *gatherer) list(body []ir.Stmt) []ir.Stmt {
	return ir.Map(body, func(s ir.Stmt) []ir.Stmt { return c.stmt(s, false) })
}

// stmt rewrites a statement; first says that it may give the variable its first value.
func (c *gatherer) stmt(s ir.Stmt, first bool) []ir.Stmt {
	switch s := s.(type) {
	case *ir.Assign:
		if s.To.Var != c.v {
			c.checkStmt(s)
			break
		}
		x, sum, ok := addedOrSubtracted(s, c.v)
		switch {
		case ok && c.begun && sum == nil:
			return c.adds(s.At, x)
		case ok && c.begun:
			c.check(x)
			n := *sum
			n.Args = []ir.Expr{zero(sum.Args[0]), x}
			return []ir.Stmt{&ir.TargetAdd{At: s.At, X: &n}}
		case first && !c.begun:
			c.begun = true
			return c.adds(s.At, s.X)
		}
		c.bad = true
		c.checkStmt(s)
	case *ir.If:
		c.check(s.Test)
	case *ir.For:
		c.check(s.Lo)
		c.check(s.Hi)
	case *ir.ForEach:
		c.check(s.X)
	case *ir.While:
		c.check(s.Test)
	case *ir.Block:
	default:
		c.checkStmt(s)
	}
	return []ir.Stmt{ir.WithBodies(s, c.list)}
}

// check notes another use of the variable in an expression.
func (c *gatherer) check(x ir.Expr) { c.bad = c.bad || ir.Reads(x, c.v) }

// checkStmt notes any use of the variable in a statement.
func (c *gatherer) checkStmt(s ir.Stmt) {
	ir.Inspect([]ir.Stmt{s}, func(n any) bool {
		switch n := n.(type) {
		case *ir.Ref:
			c.bad = c.bad || n.Var == c.v
		case *ir.Target: // what was added before differs
			c.bad = true
		case *ir.Assign:
			c.bad = c.bad || n.To.Var == c.v
		case *ir.Unpack:
			ir.Places(n.To, func(p *ir.Place) { c.bad = c.bad || p.Var == c.v })
		}
		return !c.bad
	})
}

// addedOrSubtracted returns x of "v = v + x", or of "v = v - x" with the difference.
func addedOrSubtracted(s *ir.Assign, v *ir.Var) (x ir.Expr, difference *ir.Call, ok bool) {
	if x, ok := added(s, v); ok {
		return x, nil, true
	}
	y := s.X
	if p, ok := y.(*ir.Promote); ok {
		y = p.X
	}
	c, ok := y.(*ir.Call)
	if !ok || c.Fn.BuiltinName() != "subtract" || len(s.To.Path) > 0 || !only(c.Args[0], v) {
		return nil, nil, false
	}
	return c.Args[1], c, true
}
