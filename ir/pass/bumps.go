// Recognition of bumps, quotients and steps: functions that show, far from a place, in which direction it
// lies.

package pass

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// levels are increasing functions that are nearly flat far below: their arguments show, far from its
// place, where the value is greatest.
var levels = map[string]bool{"exp": true, "inv_logit": true, "Phi": true, "Phi_approx": true, "tanh": true, "erf": true, "log1p_exp": true, "atan": true, "step": true}

// steps are comparisons, with the sign of the left side less the right side where they hold.
var steps = map[string]float64{"logical_lt": -1, "logical_lte": -1, "logical_gt": 1, "logical_gte": 1}

// cuts are the larger and the smaller of two.
var cuts = map[string]bool{"fmax": true, "fmin": true}

// falls reports whether a call is a number over one that has its least value inside the support, or a power of that by a negative number.
func (d definitions) falls(call *ir.Call) bool {
	args := call.Args
	switch name := call.Fn.BuiltinName(); name {
	case "divide", "elt_divide":
		return d.bowl(args[1]) && !d.varies(args[0])
	case "inv", "inv_square", "inv_sqrt":
		return d.bowl(args[0])
	case "pow":
		return d.bowl(args[0]) && negative(args[1])
	}
	return false
}

// negative reports whether an expression is written as a number below zero.
func negative(x ir.Expr) bool {
	switch x := x.(type) {
	case *ir.Promote:
		return negative(x.X)
	case *ir.Const:
		return x.X < 0
	case *ir.Call:
		return x.Fn.BuiltinName() == "minus"
	}
	return false
}

// less is a call of falls turned around: the numerator times minus the divisor, or over its logarithm.
func (m maker) less(args []ir.Expr, k int) ir.Expr {
	of, over := args[0], ir.Expr(m.int(1))
	if len(args) == 2 && !negative(args[1]) {
		of, over = args[1], args[0]
	}
	if k == 1 {
		return m.named("multiply", over, m.gentle(m.named("abs", of)))
	}
	return m.named("multiply", over, m.named("minus", of))
}

// level returns the argument of a function of levels, or a gentle level; nil where k is neither 0 nor 1.
func (m maker) level(x ir.Expr, k int) ir.Expr {
	switch {
	case k == 0:
		return x
	case k == 1 && x.Type().Equal(types.Real):
		return m.gentle(m.named("log1p_exp", m.named("minus", x)))
	}
	return nil
}

// gentle falls slowly from 1 where x rises from 0: a bump that shows from afar, where a number must be positive, or below 1.
func (m maker) gentle(x ir.Expr) ir.Expr {
	return m.named("inv", m.named("add", m.int(1), m.named("log1p", x)))
}

// margin is by how much a comparison holds, or fails where k is 1, in units of the side that has no parameters; nil where it cannot be
// written in parameters and data.
func (d definitions) margin(call *ir.Call, lib *stdlib.Library, k int) ir.Expr {
	u, v := d.global(call.Args[0], 0), d.global(call.Args[1], 0)
	if u == nil || v == nil {
		return nil
	}
	m, unit := maker{lib, call.Loc}, v
	if steps[call.Fn.BuiltinName()] < 0 != (k == 1) {
		u, v = v, u
	}
	if d.varies(unit) {
		unit = d.global(call.Args[0], 0)
	}
	over := ReplaceIn(m.named("subtract", u, v), func(x ir.Expr) ir.Expr { // a bump on either side hides where it is
		if c, ok := x.(*ir.Call); ok && steps[c.Fn.BuiltinName()] == 0 {
			return d.branchOf(c, lib, 0)
		}
		return nil
	})
	if d.varies(unit) {
		return over
	}
	return m.named("divide", over, m.named("fmax", m.named("abs", unit), &ir.Const{Node: m.node(types.Real), X: leastUnit}))
}

// leastUnit is what margins are measured in at least: a side may be zero.
const leastUnit = 1e-3

// global is an expression in parameters and data, with what variables were computed from, and what functions return, in their place; nil
// where that is not one expression.
func (d definitions) global(x ir.Expr, depth int) ir.Expr { return d.globalIn(x, nil, depth) }

// globalIn is global inside a function that is given these arguments.
func (d definitions) globalIn(x ir.Expr, given map[*ir.Var]ir.Expr, depth int) ir.Expr {
	ok := depth < mostBranched
	out := ReplaceIn(x, func(x ir.Expr) ir.Expr {
		var of ir.Expr
		switch r := x.(type) {
		case *ir.UserCall:
			results := returned(r.Fn)
			if ok = ok && len(results) == 1 && !calls(r.Fn); !ok {
				return x
			}
			args := map[*ir.Var]ir.Expr{}
			for i, a := range r.Args {
				if args[r.Fn.Params[i]] = d.globalIn(a, given, depth+1); args[r.Fn.Params[i]] == nil {
					ok = false
					return x
				}
			}
			of = d.globalIn(results[0], args, depth+1)
		case *ir.Ref:
			if r.Var.Kind != ir.Local {
				return nil
			}
			if of = given[r.Var]; of != nil {
				break
			}
			if ok = ok && len(d[r.Var]) == 1; !ok {
				return x
			}
			of = d.globalIn(d[r.Var][0], given, depth+1)
		default:
			return nil
		}
		if ok = of != nil && of.Type().Equal(x.Type()); !ok {
			return x
		}
		return of
	})
	if !ok {
		return nil
	}
	return out
}

// calls reports whether a function calls others of the user, or itself: what it returns would be copied again and again.
func calls(f *ir.Function) (found bool) {
	ir.Inspect(f.Body, func(n any) bool {
		_, is := n.(*ir.UserCall)
		found = found || is
		return !found
	})
	return found
}

// returned is what the return statements of a function give.
func returned(f *ir.Function) (out []ir.Expr) {
	ir.Inspect(f.Body, func(n any) bool {
		if r, ok := n.(*ir.Return); ok && r.X != nil {
			out = append(out, r.X)
		}
		return true
	})
	return out
}

// curved are functions that may have their greatest or least value inside the support.
var curved = map[string]bool{"squared_distance": true, "distance": true, "dot_self": true, "norm2": true, "square": true, "pow": true, "abs": true, "fabs": true, "cos": true, "sin": true,
	"hypot": true, "cosh": true, "quad_form": true, "normal_lpdf": true, "std_normal_lpdf": true, "multi_normal_lpdf": true, "student_t_lpdf": true, "cauchy_lpdf": true}

// peaked reports whether an expression may have its greatest value inside the support: a curved function of parameters is in it, or in
// what its variables are computed from, or a product of two expressions with parameters.
func (d definitions) peaked(x ir.Expr) bool {
	return d.bowl(x) || d.some(x, map[*ir.Var]bool{}, func(n any) bool {
		c, ok := n.(*ir.Call)
		return ok && products[c.Fn.BuiltinName()] && d.varies(c.Args[0]) && d.varies(c.Args[1])
	})
}

// bowl is peaked without products but squares.
func (d definitions) bowl(x ir.Expr) bool {
	return d.some(x, map[*ir.Var]bool{}, func(n any) bool {
		c, ok := n.(*ir.Call)
		if ok && products[c.Fn.BuiltinName()] && ir.ExprText(c.Args[0]) != ir.ExprText(c.Args[1]) {
			return false
		}
		return ok && (curved[c.Fn.BuiltinName()] || products[c.Fn.BuiltinName()]) && slices.ContainsFunc(c.Args, d.varies)
	})
}

// products are squares where both sides are the same.
var products = map[string]bool{"multiply": true, "dot_product": true, "elt_multiply": true}
