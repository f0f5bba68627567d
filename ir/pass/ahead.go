// Integers that can be followed through a loop before it runs: where in the data a group begins.
//
//	for (g in 1:G) {
//	  segment(y, pos, n[g]) ~ normal(mu[g], sigma);
//	  pos += n[g];                                      ahead
//	}

package pass

import (
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A slice is what of a loop's body some integers depend on.
type slice struct {
	b    *body
	want map[*ir.Var]bool
	ok   bool
}

// ahead returns the statements of a body that the integers among variables which iterations carry
// on depend on; false where these need more than integers.
func (b *body) ahead(list []ir.Stmt, vars []*ir.Var) ([]ir.Stmt, bool) {
	c := &slice{b: b, want: map[*ir.Var]bool{}, ok: true}
	for _, v := range vars {
		c.want[v] = true
	}
	for {
		n := len(c.want)
		out := c.stmts(list)
		if !c.ok || len(c.want) == n {
			return out, c.ok
		}
	}
}

func (c *slice) stmts(list []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range list {
		if s := c.stmt(s); s != nil {
			out = append(out, s)
		}
	}
	return out
}

// stmt returns the part of a statement that the slice needs; nil for nothing.
func (c *slice) stmt(s ir.Stmt) ir.Stmt {
	switch s := s.(type) {
	case *ir.Declare:
		if c.want[s.Var] {
			c.need(s.Init)
			return s
		}
	case *ir.Assign:
		if c.want[s.To.Var] {
			c.need(s.X)
			c.ok = c.ok && len(s.To.Path) == 0
			return s
		}
	case *ir.Block:
		if body := c.stmts(s.Body); body != nil {
			return &ir.Block{At: s.At, Body: body}
		}
	case *ir.If:
		then, other := c.stmts(s.Then), c.stmts(s.Else)
		if then != nil || other != nil {
			c.need(s.Test)
			return &ir.If{At: s.At, Test: s.Test, Then: then, Else: other}
		}
	case *ir.For:
		if body := c.stmts(s.Body); writes(body) {
			c.need(s.Lo)
			c.need(s.Hi)
			return &ir.For{At: s.At, Var: s.Var, Lo: s.Lo, Hi: s.Hi, Body: body}
		}
	case *ir.While:
		if body := c.stmts(s.Body); writes(body) {
			c.need(s.Test)
			return &ir.While{At: s.At, Test: s.Test, Body: body}
		}
	case *ir.Jump:
		return s
	}
	return nil
}

// need wants what an expression reads.
func (c *slice) need(x ir.Expr) {
	ir.InspectExpr(x, func(n any) bool {
		switch n := n.(type) {
		case *ir.UserCall, *ir.Target, *ir.FuncRef:
			c.ok = false
		case *ir.Call:
			fn, known := n.Fn.(*stdlib.Function)
			c.ok = c.ok && known && fn.Draw == nil
		case *ir.Ref:
			if c.b.changed[n.Var] && !c.want[n.Var] && !c.counts(n.Var) {
				c.want[n.Var] = true
				c.ok = c.ok && n.Var.Type.Equal(types.Int)
			}
		}
		return c.ok
	})
}

// counts reports whether a variable is a loop's.
func (c *slice) counts(v *ir.Var) bool {
	return v == c.b.loops[0].Var || ir.Any(c.b.stmts, func(n any) bool {
		s, ok := n.(*ir.For)
		return ok && s.Var == v
	})
}

// writes reports whether statements set a variable.
func writes(list []ir.Stmt) bool { return found[*ir.Assign](list...) || found[*ir.Declare](list...) }
