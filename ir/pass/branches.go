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
// log_mix, log_sum_exp and logarithms of sums of densities with that one alone; and bumps, such as exp of minus a squared distance, are
// their exponents, which rise towards them from everywhere. First all mixtures have the same, then each by itself.
// None where there are neither.
func Branches(prog *ir.Program) (out []*ir.Program) {
	d := definitionsOf(prog)
	sites := d.mixtures(prog)
	groups := [][]*ir.Call{sites}
	if len(sites) > 1 {
		for _, s := range sites {
			groups = append(groups, []*ir.Call{s})
		}
	}
	for _, group := range groups {
		for k := range mostBranches {
			if b := d.branch(prog, group, k); b != nil && len(out) < mostBranched {
				out = append(out, b)
			}
		}
	}
	return out
}

// mixtures are the calls that mix, in the model block, in transformed parameters and in functions that they call; not those inside others.
func (d definitions) mixtures(prog *ir.Program) (out []*ir.Call) {
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
				if d.branchOf(x, 0) != nil {
					out = append(out, x)
					return false
				}
			}
			return true
		})
	}
	in(prog.TransformedParameters.Body)
	in(prog.Model)
	return out
}

// branch is the program with branch k of these mixtures alone; nil where none has so many.
func (d definitions) branch(of *ir.Program, group []*ir.Call, k int) *ir.Program {
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
				b := d.branchOf(x, k)
				changed = changed || b != nil
				return b
			}
		}
		return nil
	}
	copied = func(body []ir.Stmt) []ir.Stmt { return Replace(body, replace) }
	prog.TransformedParameters.Body, prog.Model = copied(of.TransformedParameters.Body), copied(of.Model)
	if !changed {
		return nil
	}
	return &prog
}

// branchOf is branch k of a mixture: of log_mix, of log_sum_exp, or of the logarithm of a sum of densities, and of a bump the exponent; nil for other calls, and where it is known to have no more than k.
func (d definitions) branchOf(call *ir.Call, k int) ir.Expr {
	args, name := call.Args, call.Fn.BuiltinName()
	switch {
	case name == "log" && len(args) == 1 && termOf(call, 0) != nil:
		return termOf(call, k)
	case (name == "log" || name == "log1p") && k == 0:
		return d.bumpIn(args[0])
	case levels[name] && k == 0 && len(args) == 1 && args[0].Type().Equal(call.Type()) && d.peaked(args[0]):
		return args[0]
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

// levels are functions that rise, and hardly so far below: what they are of tells from afar where it is greatest.
var levels = map[string]bool{"exp": true, "inv_logit": true, "Phi": true, "Phi_approx": true, "tanh": true, "erf": true, "log1p_exp": true}

// curved are functions that may have their greatest or least value inside the support.
var curved = map[string]bool{"squared_distance": true, "distance": true, "dot_self": true, "norm2": true, "square": true, "pow": true, "abs": true, "fabs": true, "cos": true, "sin": true,
	"quad_form": true, "normal_lpdf": true, "std_normal_lpdf": true, "multi_normal_lpdf": true, "student_t_lpdf": true, "cauchy_lpdf": true}

// definitions are what variables are computed from.
type definitions map[*ir.Var][]ir.Expr

func definitionsOf(prog *ir.Program) definitions {
	d := definitions{}
	for _, body := range [][]ir.Stmt{prog.TransformedParameters.Body, prog.Model} {
		ir.Inspect(body, func(n any) bool {
			switch s := n.(type) {
			case *ir.Declare:
				if s.Init != nil {
					d[s.Var] = append(d[s.Var], s.Init)
				}
			case *ir.Assign:
				d[s.To.Var] = append(d[s.To.Var], s.X)
			}
			return true
		})
	}
	return d
}

// peaked reports whether an expression may have its greatest value inside the support: a curved function of parameters is in it, or in
// what its variables are computed from, or a product of two expressions with parameters.
func (d definitions) peaked(x ir.Expr) bool {
	return d.some(x, map[*ir.Var]bool{}, func(n any) bool {
		c, ok := n.(*ir.Call)
		if ok && slices.Contains([]string{"multiply", "dot_product", "elt_multiply"}, c.Fn.BuiltinName()) {
			return d.varies(c.Args[0]) && d.varies(c.Args[1])
		}
		return ok && curved[c.Fn.BuiltinName()] && slices.ContainsFunc(c.Args, d.varies)
	})
}

// varies reports whether an expression has parameters, of the program or of a function.
func (d definitions) varies(x ir.Expr) bool {
	return d.some(x, map[*ir.Var]bool{}, func(n any) bool {
		r, ok := n.(*ir.Ref)
		return ok && (r.Var.Kind == ir.Parameter || r.Var.Kind == ir.Local && d[r.Var] == nil && r.Var.Decl == nil && !r.Var.Type.Equal(types.Int))
	})
}

// some reports whether a node is in an expression, or in what its variables are computed from.
func (d definitions) some(x ir.Expr, seen map[*ir.Var]bool, is func(n any) bool) (found bool) {
	ir.InspectExpr(x, func(n any) bool {
		found = found || is(n)
		if r, ok := n.(*ir.Ref); ok && !seen[r.Var] {
			seen[r.Var] = true
			found = found || slices.ContainsFunc(d[r.Var], func(of ir.Expr) bool { return d.some(of, seen, is) })
		}
		return !found
	})
	return found
}

// bumpIn is the exponent of a bump that is added to something of which a logarithm is taken; nil for none.
func (d definitions) bumpIn(x ir.Expr) (exponent ir.Expr) {
	ir.InspectExpr(x, func(n any) bool {
		if c, ok := n.(*ir.Call); ok && c.Fn.BuiltinName() == "exp" && c.Type().Equal(types.Real) && d.peaked(c.Args[0]) {
			exponent = c.Args[0]
		}
		return exponent == nil
	})
	return exponent
}
