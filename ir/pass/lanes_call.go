// Densities and products of vectors for all iterations of a loop at once.

package pass

import (
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// summing are the endings of functions that add up over arrays of arguments.
var summing = []string{"_lpdf", "_lpmf", "_lcdf", "_lccdf"}

// density lifts the call of a log density, or of the log of a distribution function, to
// one whose value is the sum over the lanes.
func (l *lanes) density(x *ir.Call) (*ir.Call, bool) {
	fn := x.Fn.(*stdlib.Function)
	sums := slices.ContainsFunc(summing, func(end string) bool { return strings.HasSuffix(fn.Name, end) })
	if !sums {
		return nil, false
	}
	varies := false
	for _, a := range x.Args {
		varies = varies || l.varies(a)
	}
	if !varies {
		return nil, false
	}
	var out *ir.Call
	var ok bool
	if univariate(fn) {
		out, ok = l.univariate(x, fn)
	} else {
		out, ok = l.multivariate(x, fn)
	}
	if !ok || !out.T.Equal(types.Real) {
		return nil, false
	}
	out.Unnormalized = x.Unnormalized
	return out, true
}

// univariate reports whether a function is a density, or a distribution function, of single numbers.
func univariate(fn *stdlib.Function) bool { return fn.Density != nil && fn.Density.Log != nil }

// univariate lifts a density of single numbers: each argument may be an array.
func (l *lanes) univariate(x *ir.Call, fn *stdlib.Function) (*ir.Call, bool) {
	args, ok := l.scalars(x.Args)
	if !ok {
		return nil, false
	}
	return l.resolve(fn.Name, x.Loc, args)
}

// multivariate lifts a density with an overload for several variates. Regressions in one
// call already have observations as arrays, in which the lanes would get lost.
func (l *lanes) multivariate(x *ir.Call, fn *stdlib.Function) (*ir.Call, bool) {
	if x.Args[0].Type().Dims > 0 || !l.varies(x.Args[0]) || strings.Contains(fn.Name, "_glm_") {
		return nil, false
	}
	args := make([]ir.Expr, len(x.Args))
	vectors := make([]ir.Expr, len(x.Args))
	for i, a := range x.Args {
		y, ok := l.lift(a)
		if !ok {
			if y, ok = l.vectors(a, a.Type()); !ok {
				return nil, false
			}
		}
		args[i], vectors[i] = y, y
		if y.Type().Equal(types.ArrayOf(types.Real, 1)) {
			vectors[i] = promote(y, types.Vector)
		}
	}
	if out, ok := l.resolve(fn.Name, x.Loc, args); ok {
		return out, true
	}
	return l.resolve(fn.Name, x.Loc, vectors)
}

// product lifts the product of a row vector and a vector, which a lane has one of or
// both: a product with the matrix of the rows.
func (l *lanes) product(x *ir.Call) (ir.Expr, bool) {
	a, b, ok := factors(x)
	if !ok {
		return nil, false
	}
	if !l.varies(a) {
		a, b = b, a
	}
	rows, ok := l.rows(a)
	if !ok {
		return nil, false
	}
	if !l.varies(b) {
		return l.named("multiply", rows, promote(b, types.Vector)), true
	}
	others, ok := l.rows(b)
	if !ok {
		return nil, false
	}
	return l.named("rows_dot_product", rows, others), true
}

// factors are the vectors of which an expression is the product: x * y, dot_product(x, y), or sum(x .* y).
func factors(x *ir.Call) (a, b ir.Expr, ok bool) {
	name := x.Fn.BuiltinName()
	if name == "sum" {
		y, is := x.Args[0].(*ir.Call)
		if !is || y.Fn.BuiltinName() != "elt_multiply" || !isVector(y.T) {
			return nil, nil, false
		}
		return y.Args[0], y.Args[1], true
	}
	if name != "multiply" && name != "dot_product" || len(x.Args) != 2 || !x.T.Equal(types.Real) {
		return nil, nil, false
	}
	return x.Args[0], x.Args[1], x.Args[0].Type().Rank() == 1 && x.Args[1].Type().Rank() == 1
}

// matrixRows picks rows of a matrix.
func (l *lanes) matrixRows(v *ir.Var, list []ir.IndexArg, x *ir.Index) (ir.Expr, bool) {
	if list[0].Kind != ir.Single || !l.varies(list[0].Lo) || len(list) > 1 && list[1].Kind == ir.Single {
		return nil, false
	}
	out := append([]ir.IndexArg(nil), list...)
	for _, a := range list[1:] {
		if a.Lo != nil && l.varies(a.Lo) || a.Hi != nil && l.varies(a.Hi) {
			return nil, false
		}
	}
	first, ok := l.position(list[0].Lo, false)
	if !ok {
		return nil, false
	}
	out[0] = first
	return &ir.Index{Node: ir.Node{Loc: x.Loc, T: types.Matrix}, X: l.ref(v), Indices: out}, true
}
