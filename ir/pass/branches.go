// The branches of mixtures that a program writes out, each by itself.

package pass

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// The mixtures that are taken apart.
const (
	mostBranches = 4  // of a mixture whose number of branches is not written
	mostBranched = 12 // programs
)

// Branches are programs in which mixtures of the model block have one branch each:
// log_mix, log_sum_exp and logarithms of sums of densities with that one alone; and bumps, such as exp of minus a squared distance, are
// their exponents, which rise towards them from everywhere; and steps hold, or do not, with their margins added to the target. First all mixtures have the same, then each by itself.
// None where there are neither.
func Branches(prog *ir.Program, lib *stdlib.Library) (out []*ir.Program) {
	d := definitionsOf(prog)
	sites, inner := d.mixtures(prog, lib)
	groups := [][]*ir.Call{inner}
	if len(sites) > 1 {
		for _, s := range sites {
			groups = append(groups, []*ir.Call{s})
		}
	}
	for _, group := range groups {
		for k := range mostBranches {
			if b := d.branch(prog, lib, group, k); b != nil && len(out) < mostBranched {
				out = append(out, b)
			}
		}
	}
	return out
}

// mixtures are the calls that mix, in the model block, in transformed parameters and in functions that they call; not those inside others,
// but for bumps of bumps. inner are those that have none inside.
func (d definitions) mixtures(prog *ir.Program, lib *stdlib.Library) (all, inner []*ir.Call) {
	seen := map[*ir.Function]bool{}
	var in func(n any) bool
	in = func(n any) bool {
		switch x := n.(type) {
		case *ir.UserCall:
			if !seen[x.Fn] {
				seen[x.Fn] = true
				ir.Inspect(x.Fn.Body, in)
			}
		case *ir.Call:
			if d.branchOf(x, lib, 0) == nil {
				return true
			}
			before := len(all)
			if levels[x.Fn.BuiltinName()] {
				ir.InspectExpr(x.Args[0], in)
			}
			if all = append(all, x); len(all) == before+1 {
				inner = append(inner, x)
			}
			return false
		}
		return true
	}
	ir.Inspect(prog.TransformedParameters.Body, in)
	ir.Inspect(prog.Model, in)
	return all, inner
}

// branch is the program with branch k of these mixtures alone; nil where none has so many.
func (d definitions) branch(of *ir.Program, lib *stdlib.Library, group []*ir.Call, k int) *ir.Program {
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
				b := d.branchOf(x, lib, k)
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
	for _, x := range group {
		if steps[x.Fn.BuiltinName()] != 0 {
			if m := d.margin(x, lib, k); m != nil {
				prog.Model = append(slices.Clip(prog.Model), &ir.TargetAdd{At: ir.At{Loc: x.Loc}, X: m})
			}
		}
	}
	return &prog
}

// branchOf is branch k of a mixture: of log_mix, of log_sum_exp, or of the logarithm of a sum of densities, of a bump the exponent, of a quotient less its divisor, and whether a step holds; nil for other calls, and where it is known to have no more than k.
func (d definitions) branchOf(call *ir.Call, lib *stdlib.Library, k int) ir.Expr {
	args, name := call.Args, call.Fn.BuiltinName()
	switch {
	case steps[name] != 0 && k < 2 && slices.ContainsFunc(args, d.bowl):
		return maker{lib, call.Loc}.int(1 - k)
	case k < 2 && call.Type().Equal(types.Real) && d.falls(call):
		return maker{lib, call.Loc}.less(args, k)
	case cuts[name] && d.bowl(call) && !(d.varies(args[0]) && d.varies(args[1])):
		return maker{lib, call.Loc}.level(args[map[bool]int{true: 0, false: 1}[d.varies(args[0])]], k)
	case name == "log" && len(args) == 1 && termOf(call, 0) != nil:
		return termOf(call, k)
	case (name == "log" || name == "log1p") && k < 2:
		return d.bumpIn(args[0], lib, k)
	case levels[name] && len(args) == 1 && args[0].Type().Equal(call.Type()) && d.peaked(args[0]):
		return maker{lib, call.Loc}.level(args[0], k)
	case call.Fn.BuiltinName() == "log_mix" && len(args) == 3:
		args = args[1:]
	case call.Fn.BuiltinName() == "log_mix" && len(args) == 2:
		return elementOf(args[1], k)
	case call.Fn.BuiltinName() == "log_sum_exp" && len(args) == 1:
		return elementOf(args[0], k)
	case call.Fn.BuiltinName() != "log_sum_exp" || len(args) != 2:
		return nil
	}
	if k < len(args) && args[k].Type().Equal(types.Int) {
		return &ir.Promote{Node: ir.Node{Loc: call.Loc, T: types.Real}, X: args[k]}
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
		if t := x.Type(); !t.Equal(types.Vector) && !t.Equal(types.RowVector) && !t.Equal(types.ArrayOf(types.Real, 1)) {
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

// termOf is the exponent in term k of a sum of densities, which has their mode also from where they are rounded to zero; nil
// where a logarithm is of anything else.
func termOf(call *ir.Call, k int) ir.Expr {
	terms := addends(call.Args[0])
	if len(terms) < 2 || k >= len(terms) {
		return nil
	}
	exponents := make([]ir.Expr, len(terms))
	for i, x := range terms {
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

// addends are the terms of a sum of numbers, or the number itself.
func addends(x ir.Expr) []ir.Expr {
	sum, ok := x.(*ir.Call)
	if !ok || sum.Fn.BuiltinName() != "add" || !sum.Type().Equal(types.Real) {
		return []ir.Expr{x}
	}
	return append(addends(sum.Args[0]), addends(sum.Args[1])...)
}

// definitions are what variables are computed from.
type definitions map[*ir.Var][]ir.Expr

func definitionsOf(prog *ir.Program) definitions {
	d, seen := definitions{}, map[*ir.Function]bool{}
	var in func(body []ir.Stmt)
	in = func(body []ir.Stmt) {
		ir.Inspect(body, func(n any) bool {
			switch s := n.(type) {
			case *ir.UserCall:
				for i, v := range s.Fn.Params {
					d[v] = append(d[v], s.Args[i])
				}
				if !seen[s.Fn] {
					seen[s.Fn] = true
					in(s.Fn.Body)
				}
			case *ir.Declare:
				if s.Init != nil {
					d[s.Var] = append(d[s.Var], s.Init)
				}
			case *ir.Assign:
				d[s.To.Var] = append(d[s.To.Var], s.X)
				if len(s.To.Path) > 0 {
					d[s.To.Var] = append(d[s.To.Var], s.X) // not the whole
				}
			}
			return true
		})
	}
	in(prog.TransformedParameters.Body)
	in(prog.Model)
	return d
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
		if c, ok := n.(*ir.UserCall); ok && len(c.Fn.Params) > 0 && !seen[c.Fn.Params[0]] {
			first := c.Fn.Params[0]
			seen[first] = true // the function may call itself
			found = found || slices.ContainsFunc(slices.Concat(d[first], returned(c.Fn)), func(of ir.Expr) bool { return d.some(of, seen, is) })
		}
		return !found
	})
	return found
}

// bumpIn is the exponent of a bump that is added to something of which a logarithm is taken. Where there is no exp, but another function with
// its greatest value inside, it is what shows from afar where that is, turned around for k = 0: one of the two leads there. nil for none.
func (d definitions) bumpIn(x ir.Expr, lib *stdlib.Library, k int) (exponent ir.Expr) {
	var place ir.Expr
	ir.InspectExpr(x, func(n any) bool {
		c, ok := n.(*ir.Call)
		if !ok || !c.Type().Equal(types.Real) {
			return exponent == nil
		}
		if c.Fn.BuiltinName() == "exp" && d.peaked(c.Args[0]) {
			exponent = c.Args[0]
		} else if at := d.core(c); place == nil && at != c && (levels[c.Fn.BuiltinName()] || cuts[c.Fn.BuiltinName()] || d.falls(c)) {
			place = at
		}
		return exponent == nil
	})
	switch m := (maker{lib, x.Span()}); {
	case exponent != nil && k == 0:
		return exponent
	case exponent != nil || place == nil:
		return nil
	case k == 0:
		return m.named("minus", place)
	}
	return place
}

// core is the curved number that a call is an increasing or a falling function of, by one function or several: a sum or product as it is, since it
// has the units of the place; the call itself where there is none.
func (d definitions) core(call *ir.Call) ir.Expr {
	for _, a := range call.Args {
		if !a.Type().Equal(types.Real) || !d.bowl(a) {
			continue
		}
		if c, ok := a.(*ir.Call); ok && !linear[c.Fn.BuiltinName()] {
			return d.core(c)
		}
		return a
	}
	return call
}

// linear are functions that a core is not looked for inside of.
var linear = map[string]bool{"add": true, "subtract": true, "minus": true, "multiply": true, "divide": true}
