// The branches of mixtures that a program writes out, each by itself.

package pass

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// The mixtures that are taken apart.
const (
	mostBranches = 4  // of a mixture whose number of branches is not written
	mostBranched = 12 // programs
)

// Branches are programs in which mixtures of the model block have one branch each:
// log_mix, log_sum_exp and logarithms of sums of densities with that one alone. First all mixtures have the same, then each by itself.
// None where there are no mixtures.
func Branches(prog *ir.Program) (out []*ir.Program) {
	sites := mixtures(prog)
	groups := [][]*ir.Call{sites}
	if len(sites) > 1 {
		for _, s := range sites {
			groups = append(groups, []*ir.Call{s})
		}
	}
	for _, group := range groups {
		for k := range mostBranches {
			if b := branch(prog, group, k); b != nil && len(out) < mostBranched {
				out = append(out, b)
			}
		}
	}
	return out
}

// mixtures are the calls that mix, in the model block and in functions that it calls; not those inside others.
func mixtures(prog *ir.Program) (out []*ir.Call) {
	seen := map[*ir.Function]bool{}
	var in func(body []ir.Stmt)
	in = func(body []ir.Stmt) {
		ir.Inspect(body, func(n any) bool {
			switch x := n.(type) {
			case *ir.UserCall:
				if !seen[x.Fn] {
					seen[x.Fn] = true
					in(x.Fn.Body)
				}
			case *ir.Call:
				if branchOf(x, 0) != nil {
					out = append(out, x)
					return false
				}
			}
			return true
		})
	}
	in(prog.Model)
	return out
}

// branch is the program with branch k of these mixtures alone; nil where none has so many.
func branch(of *ir.Program, group []*ir.Call, k int) *ir.Program {
	changed := false
	functions := map[*ir.Function]*ir.Function{}
	prog := *of
	var copied func(body []ir.Stmt) []ir.Stmt
	var replace func(x ir.Expr) ir.Expr
	replace = func(x ir.Expr) ir.Expr {
		switch x := x.(type) {
		case *ir.UserCall:
			if functions[x.Fn] == nil {
				f := *x.Fn
				functions[x.Fn] = &f // before its body, which may call it
				f.Index = len(prog.Functions)
				prog.Functions = append(slices.Clip(prog.Functions), &f)
				f.Body = copied(x.Fn.Body)
			}
			call := *x
			call.Fn, call.Args = functions[x.Fn], nil
			for _, a := range x.Args {
				call.Args = append(call.Args, ReplaceIn(a, replace))
			}
			return &call
		case *ir.Call:
			if slices.Contains(group, x) {
				b := branchOf(x, k)
				changed = changed || b != nil
				return b
			}
		}
		return nil
	}
	copied = func(body []ir.Stmt) []ir.Stmt { return Replace(body, replace) }
	prog.Model = copied(of.Model)
	if !changed {
		return nil
	}
	return &prog
}

// branchOf is branch k of a mixture: of log_mix, of log_sum_exp, or of the logarithm of a sum of densities; nil for other calls, and where it is known to have no more than k.
func branchOf(call *ir.Call, k int) ir.Expr {
	args := call.Args
	switch {
	case call.Fn.BuiltinName() == "log" && len(args) == 1:
		return termOf(call, k)
	case call.Fn.BuiltinName() == "log_mix" && len(args) == 3:
		args = args[1:]
	case call.Fn.BuiltinName() == "log_mix" && len(args) == 2:
		return elementOf(args[1], k)
	case call.Fn.BuiltinName() == "log_sum_exp" && len(args) == 1:
		return elementOf(args[0], k)
	case call.Fn.BuiltinName() != "log_sum_exp" || len(args) != 2:
		return nil
	}
	if k >= len(args) || !args[k].Type().Equal(types.Real) {
		return nil
	}
	return args[k]
}

// elementOf is element k of a vector or an array of numbers.
func elementOf(x ir.Expr, k int) ir.Expr {
	var elems []ir.Expr
	switch x := x.(type) {
	case *ir.Row:
		elems = x.Elems
	case *ir.Array:
		elems = x.Elems
	default:
		if !x.Type().Equal(types.Vector) && !x.Type().Equal(types.RowVector) {
			return nil
		}
		at := &ir.Const{Node: ir.Node{Loc: x.Span(), T: types.Int}, X: float64(k + 1)}
		return &ir.Index{Node: ir.Node{Loc: x.Span(), T: types.Real}, X: x, Indices: []ir.IndexArg{{Kind: ir.Single, Lo: at}}}
	}
	if k >= len(elems) || !elems[k].Type().Equal(types.Real) {
		return nil
	}
	return elems[k]
}

// termOf is the exponent in term k of a sum of two densities, which has their mode also from where they are rounded to zero; nil
// where a logarithm is of anything else.
func termOf(call *ir.Call, k int) ir.Expr {
	sum, ok := call.Args[0].(*ir.Call)
	if !ok || sum.Fn.BuiltinName() != "add" || !sum.Type().Equal(types.Real) || k >= len(sum.Args) {
		return nil
	}
	exponents := make([]ir.Expr, len(sum.Args))
	for i, x := range sum.Args {
		ir.InspectExpr(x, func(n any) bool {
			if c, ok := n.(*ir.Call); ok && c.Fn.BuiltinName() == "exp" {
				exponents[i] = c.Args[0]
			}
			return true
		})
		if exponents[i] == nil || !exponents[i].Type().Equal(types.Real) {
			return nil
		}
	}
	return exponents[k]
}
