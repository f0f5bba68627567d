// What "~" leaves out of log densities: which arguments are data, as far as types tell.

package eval

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// As in Stan, an expression is data by the types of what it is made of and not by its
// value: a local real variable of the model block may depend on parameters, whatever was
// assigned to it; one of a function may if an argument of the call may.

// dropping is what a frame knows about the summands that are left out.
type dropping struct {
	on     bool             // calls that are marked Unnormalized leave them out
	vary   bool             // local variables may depend on parameters
	params map[*ir.Var]bool // whether formal parameters and variables of foreach loops may
}

// LeaveOut makes "~" and calls of _lupdf and _lupmf leave out what Stan leaves out.
func (m *Machine) LeaveOut() { m.global.drop = dropping{on: true, vary: true} }

// proper is the value v of a call without the summands that are left out.
func (f *frame) proper(x *ir.Call, args []*Value, v *Value) *Value {
	if !f.drop.on || !x.Unnormalized {
		return v
	}
	fn := x.Fn.(*stdlib.Function)
	in := make([]stdlib.Tensor, len(args))
	for i, a := range args {
		in[i] = a.known().tensor()
	}
	varying := f.varying(x.Args)
	if !slices.Contains(varying, true) && fn.Higher == "" {
		return Real(0)
	}
	c := stdlib.Dropped(fn, in, varying)
	if c == 0 || math.IsInf(c, 0) {
		return v
	}
	return f.m.elementwise(x.Loc, subtraction, types.Real, []*Value{v, Real(c)})
}

// varying is varies for each of a list.
func (f *frame) varying(xs []ir.Expr) []bool {
	out := make([]bool, len(xs))
	for i, x := range xs {
		out[i] = f.varies(x)
	}
	return out
}

func (f *frame) anyVaries(xs []ir.Expr) bool { return slices.ContainsFunc(xs, f.varies) }

// varies reports whether the type of an expression lets it depend on parameters. Integers
// do only where there are discrete parameters.
func (f *frame) varies(x ir.Expr) bool {
	if x.Type().Base == types.IntBase && f.m.disc == nil {
		return false
	}
	switch x := x.(type) {
	case *ir.Ref:
		return f.varyingVar(x.Var)
	case *ir.Call:
		return f.anyVaries(x.Args)
	case *ir.UserCall:
		return f.anyVaries(x.Args)
	case *ir.Target:
		return true
	case *ir.Promote:
		return f.varies(x.X)
	case *ir.Index:
		return f.varies(x.X) || f.m.disc != nil && slices.ContainsFunc(x.Indices, func(a ir.IndexArg) bool {
			return a.Lo != nil && f.varies(a.Lo) || a.Hi != nil && f.varies(a.Hi)
		})
	case *ir.Field:
		if t, ok := x.X.(*ir.Tuple); ok {
			return f.varies(t.Elems[x.I])
		}
		return f.varies(x.X)
	case *ir.Array:
		return f.anyVaries(x.Elems)
	case *ir.Row:
		return f.anyVaries(x.Elems)
	case *ir.Tuple:
		return f.anyVaries(x.Elems)
	case *ir.Cond:
		return f.varies(x.Then) || f.varies(x.Else) || f.m.disc != nil && f.varies(x.Test)
	}
	return false // literals, functions, logical operators
}

func (f *frame) varyingVar(x *ir.Var) bool {
	switch x.Kind {
	case ir.Parameter, ir.TransformedParameter:
		return true
	case ir.Local:
		if v, ok := f.drop.params[x]; ok {
			return v
		}
		return f.drop.vary
	}
	return false
}

// bind notes whether a variable that takes the value of an expression depends on parameters.
func (d *dropping) bind(v *ir.Var, vary bool) {
	if d.params == nil {
		d.params = map[*ir.Var]bool{}
	}
	d.params[v] = vary
}

// called is the dropping of a function that is called with arguments of which some may
// depend on parameters. It leaves summands out if it adds to the target, or is a density
// whose own are left out.
func (f *frame) called(fn *ir.Function, args []ir.Expr, unnormalized bool) dropping {
	if !f.drop.on {
		return dropping{}
	}
	return droppingOf(fn, f.varying(args), unnormalized)
}

func droppingOf(fn *ir.Function, vary []bool, unnormalized bool) dropping {
	d := dropping{on: fn.Target || unnormalized}
	for i, p := range fn.Params {
		d.bind(p, vary[i])
		d.vary = d.vary || vary[i]
	}
	return d
}

// slicing is the dropping of a function of slices, the first argument of reduce_sum.
func (f *frame) slicing(x *ir.Call) dropping {
	ref, ok := x.Args[0].(*ir.FuncRef)
	if !f.drop.on || !ok || !ref.Unnormalized {
		return dropping{}
	}
	vary := append([]bool{f.varies(x.Args[1]), false, false}, f.varying(x.Args[3:])...)
	return droppingOf(ref.Fn, vary, true)
}
