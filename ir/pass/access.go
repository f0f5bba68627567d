// What the statements of a loop's body read and write, and where in a container.

package pass

import (
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// An access is one reading or writing of a variable; without indices it is to the whole.
type access struct {
	v       *ir.Var
	write   bool
	indices []ir.IndexArg
}

// accesses lists those of a statement, nested ones included.
func accesses(s ir.Stmt) []access {
	c := &collector{}
	ir.Inspect([]ir.Stmt{s}, c.see)
	return c.list
}

type collector struct{ list []access }

func (c *collector) see(n any) bool {
	switch n := n.(type) {
	case *ir.Declare:
		c.list = append(c.list, access{v: n.Var, write: true})
	case *ir.Assign:
		c.place(&n.To)
	case *ir.Unpack:
		ir.Places(n.To, c.place)
	case *ir.For:
		c.list = append(c.list, access{v: n.Var, write: true})
	case *ir.ForEach:
		c.list = append(c.list, access{v: n.Var, write: true})
	case *ir.Ref:
		c.list = append(c.list, access{v: n.Var})
	case *ir.Index:
		v, indices, ok := ir.Subscripts(n)
		if !ok {
			return true
		}
		c.list = append(c.list, access{v: v, indices: indices})
		c.exprs(indices)
		return false
	case *ir.Call:
		return !sizeOnly(n)
	}
	return true
}

func (c *collector) exprs(indices []ir.IndexArg) {
	for _, a := range indices {
		ir.InspectExpr(a.Lo, c.see)
		ir.InspectExpr(a.Hi, c.see)
	}
}

func (c *collector) place(p *ir.Place) {
	c.list = append(c.list, access{v: p.Var, write: true, indices: placeSubscripts(p)})
}

// sizeOnly reports whether a call looks at nothing but the sizes of a variable.
func sizeOnly(c *ir.Call) bool {
	if len(c.Args) != 1 {
		return false
	}
	if _, ok := c.Args[0].(*ir.Ref); !ok {
		return false
	}
	switch c.Fn.BuiltinName() {
	case "size", "rows", "cols", "num_elements":
		return true
	}
	return false
}

// placeSubscripts is ir.Subscripts for a place; nil where it is not of that form.
func placeSubscripts(p *ir.Place) []ir.IndexArg {
	var out []ir.IndexArg
	for _, a := range p.Path {
		if a.Indices == nil || !ir.AllSingle(out) {
			return nil
		}
		out = append(out, a.Indices...)
	}
	return out
}

// An offset is an index of the form variable + constant + something that is the same
// in all iterations, as text.
type offset struct {
	n    int
	rest string
}

// offsetOf takes an index apart; variant says of a variable whether its value changes
// while the loop over l runs.
func offsetOf(x ir.Expr, l *ir.Var, variant func(*ir.Var) bool) (offset, bool) {
	switch x := x.(type) {
	case *ir.Ref:
		return offset{}, x.Var == l
	case *ir.Call:
		name := x.Fn.BuiltinName()
		if len(x.Args) != 2 || name != "add" && name != "subtract" {
			return offset{}, false
		}
		o, ok := offsetOf(x.Args[0], l, variant)
		other, sign := x.Args[1], 1
		if name == "subtract" {
			sign = -1
		} else if !ok {
			o, ok = offsetOf(x.Args[1], l, variant)
			other = x.Args[0]
		}
		return o.moved(other, sign, variant), ok && steady(other, variant)
	}
	return offset{}, false
}

func (o offset) moved(by ir.Expr, sign int, variant func(*ir.Var) bool) offset {
	if c, ok := by.(*ir.Const); ok {
		o.n += sign * int(c.X)
		return o
	}
	if sign < 0 {
		o.rest += "-" + ir.ExprText(by)
	} else {
		o.rest += "+" + ir.ExprText(by)
	}
	return o
}

// steady reports whether an expression has one value in all iterations.
func steady(x ir.Expr, variant func(*ir.Var) bool) bool {
	return !ir.AnyIn(x, func(n any) bool {
		switch n := n.(type) {
		case *ir.Ref:
			return variant(n.Var)
		case *ir.UserCall, *ir.Target:
			return true
		case *ir.Call:
			fn, ok := n.Fn.(*stdlib.Function)
			return !ok || fn.Draw != nil || fn.Higher != ""
		}
		return false
	})
}
