// Choose: guards of what is evaluated though it is not chosen.
//
//	if (x > 0) y = sqrt(x);                   y = choice(x > 0, sqrt(choice(x > 0, x, 0.3)), y)
//
// The derivative of a choice by what is not chosen is zero, and zero times an infinite derivative is no number. So functions
// that are not finite everywhere have a safe number as argument where they are not chosen; and densities one that they do not reject.

package pass

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
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
		safe := safeArguments(call.Fn.(*stdlib.Function), len(call.Args))
		if safe == nil {
			return nil
		}
		out := *call
		out.Args = slices.Clone(call.Args)
		for i, arg := range call.Args {
			out.Args[i] = r.x(arg)
			if t := arg.Type(); safe[i].needed && t.Equal(types.Real) && c.varies(arg) && !isParameter(arg) {
				out.Args[i] = m.call(stdlib.Choice, t, test, out.Args[i], &ir.Const{Node: m.node(t), X: safe[i].x})
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

// A safe is a number that a function can be given for it.
type safe struct {
	needed bool // not any number is safe
	x      float64
}

// safeArguments are numbers at which a function is finite, and its derivatives are; nil where it is finite everywhere, or not known.
func safeArguments(fn *stdlib.Function, n int) []safe {
	switch {
	case fn.Density != nil && len(fn.Density.Requires) >= n:
		return safeOfDensity(fn.Density, n)
	case fn.Op != nil && fn.Op.Arity() == n:
		return safeOfOp(fn.Op)
	}
	return nil
}

// someNumbers are tried as arguments.
var someNumbers = []float64{0.3, 0.6, 1.7, -0.6, -2.7, 1000, -1000}

// safeOfDensity takes the first of someNumbers that meets each requirement.
func safeOfDensity(d *stdlib.Distribution, n int) []safe {
	out := make([]safe, n)
	for i, need := range d.Requires[:n] {
		for _, x := range someNumbers {
			if x < need.Low || x > need.High {
				out[i].needed = true
			}
		}
		at := slices.IndexFunc(someNumbers, func(x float64) bool { return x >= need.Low && x <= need.High })
		if at < 0 {
			return nil
		}
		out[i].x = someNumbers[at]
	}
	return out
}

// safeOfOp tries someNumbers.
func safeOfOp(op *autodiff.Op) []safe {
	n := op.Arity()
	var found []float64
	needed := false
	tried := make([]float64, n)
	var try func(k int)
	try = func(k int) {
		if k < n {
			for _, x := range someNumbers {
				tried[k] = x
				try(k + 1)
			}
			return
		}
		switch ok := finiteAt(op, tried); {
		case !ok:
			needed = true
		case found == nil:
			found = slices.Clone(tried)
		}
	}
	try(0)
	if !needed || found == nil {
		return nil
	}
	out := make([]safe, n)
	for i, x := range found {
		out[i] = safe{true, x}
	}
	return out
}

// finiteAt reports whether an operation and its derivatives are finite at a point.
func finiteAt(op *autodiff.Op, x []float64) bool {
	var sum float64
	switch len(x) {
	case 1:
		f := op.F1(x[0])
		sum = f - f
		if op.Differentiable() {
			sum += op.Back1(0, x[0], f)
		}
	case 2:
		f := op.F2(x[0], x[1])
		sum = f - f
		if op.Differentiable() {
			dx, dy := op.Back2(0, x[0], x[1], f)
			sum += dx + dy
		}
	case 3:
		f := op.F3(x[0], x[1], x[2])
		sum = f - f
		if op.D3 != nil {
			dx, dy, dz := op.D3(x[0], x[1], x[2], f)
			sum += 0 * (dx + dy + dz)
		}
	}
	return sum == 0
}
