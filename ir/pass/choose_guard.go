// Choose: guards of what is evaluated though it is not chosen.
//
//	if (x > 0) y = sqrt(x);                   y = choice(x > 0, sqrt(choice(x > 0, x, 0.3)), y)
//
// The derivative of a choice by what is not chosen is zero, and zero times an infinite derivative is no number. So functions
// that are not finite everywhere have a safe number as argument where they are not chosen; and densities one that they do not reject.

package pass

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// guarded is an expression that may be evaluated where test does not hold.
func (c *chooser) guarded(x, test ir.Expr) ir.Expr {
	if !c.density {
		return x
	}
	m := maker{c.lib, x.Span()}
	var r *rewriter
	r = &rewriter{expr: func(x ir.Expr) ir.Expr {
		call, ok := x.(*ir.Call)
		if !ok {
			return nil
		}
		safe := stdlib.SafeArguments(call.Fn.(*stdlib.Function), len(call.Args))
		if safe == nil {
			return nil
		}
		out := *call
		out.Args = slices.Clone(call.Args)
		for i, arg := range call.Args {
			out.Args[i] = r.x(arg)
			if t := arg.Type(); safe[i].Needed && t.Equal(types.Real) && c.varies(arg) && !isParameter(arg) {
				out.Args[i] = m.call(stdlib.Choice, t, test, out.Args[i], &ir.Const{Node: m.node(t), X: safe[i].X})
			}
		}
		return &out
	}}
	return r.x(x)
}

// isParameter reports that an expression is a parameter or an element of one, which has its constraint wherever it is read.
func isParameter(x ir.Expr) bool {
	if element, ok := x.(*ir.Index); ok {
		v, _, ok := ir.Subscripts(element)
		return ok && v.Kind == ir.Parameter
	}
	ref, ok := x.(*ir.Ref)
	return ok && ref.Var.Kind == ir.Parameter
}
