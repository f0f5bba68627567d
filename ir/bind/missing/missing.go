// Package missing makes parameters of elements of data that are missing: which these are and whether a program can do
// without them (this file), and the program with them (complete.go).
//
// It knows no data beyond the places of what is missing; package bind reads these, and gives the variables that Complete
// makes their values. A Gap belongs to one binding.
package missing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// A Gap is a data variable of which elements are missing. The variable itself keeps the elements that are known, and
// NaN (the least int) in place of the others; Whole stands in its place in the program that Complete makes.
type Gap struct {
	Var   *ir.Var
	Dims  []int     // sizes of the variable
	At    [][]int   // indices of the missing elements, from 0, in the order of columns
	Pos   []int     // where these lie in storage
	Param *ir.Var   // the missing elements, a parameter
	Whole *ir.Var   // all elements, a transformed parameter that is not written
	args  []ir.Expr // bounds of the missing elements: those of the declaration, as numbers
	ranks *ir.Var   // of each element: its number among the missing ones, from 1; 0 for those that are known
}

// Names are those of the missing elements, as in "y[2,3]".
func (g *Gap) Names() []string {
	out := make([]string, len(g.At))
	for i, index := range g.At {
		out[i] = g.Var.Name
		for k, n := range index {
			out[i] += fmt.Sprintf("%c%d", "[,"[min(k, 1)], n+1)
		}
		if len(index) > 0 {
			out[i] += "]"
		}
	}
	return out
}

// AddBound adds a bound of the variable: the argument of its constraint, and its value at a place in storage.
func (g *Gap) AddBound(arg ir.Expr, at func(k int) float64) {
	number := ir.Node{Loc: arg.Span(), T: arg.Type().Scalar()}
	if arg.Type().Rank() == 0 {
		g.args = append(g.args, &ir.Const{Node: number, X: at(0)})
		return
	}
	out := &ir.Array{Node: ir.Node{Loc: arg.Span(), T: types.ArrayOf(number.T, 1)}}
	for _, k := range g.Pos {
		out.Elems = append(out.Elems, &ir.Const{Node: number, X: at(k)})
	}
	g.args = append(g.args, out)
}

// Acceptable reports why elements of a variable must not be missing.
func (g *Gap) Acceptable(p *ir.Program) error {
	refuse := func(at source.Span, help, format string, args ...any) error {
		return &eval.Error{Span: at, Text: g.Names()[0] + " is missing, and " + fmt.Sprintf(format, args...), Help: help}
	}
	v := g.Var
	if c := v.Decl.Constraint; c != nil && !slices.Contains([]string{"lower", "upper", "lower_upper", "offset_multiplier"}, c.Name) {
		return refuse(v.Loc, "", "the elements of a %s depend on each other: one cannot be a parameter of its own", c.Name)
	}
	if v.Type.Base == types.IntBase && (v.Decl.Constraint == nil || v.Decl.Constraint.Name != "lower_upper") {
		return refuse(v.Loc, "declare int<lower=..., upper=...>, with an upper bound that no value is likely to exceed: all values between are summed over",
			"an integer can be summed out between two bounds only, which its declaration does not have")
	}
	if at := readIn(v, p.TransformedData.Body); !at.IsZero() {
		return refuse(at, "compute it in transformed parameters or the model block, for which "+v.Name+" is complete", "transformed data, which are computed before there are parameters, read %s", v.Name)
	}
	if at := sizedBy(v, p); !at.IsZero() {
		return refuse(at, "", "the size or a bound of a variable depends on %s", v.Name)
	}
	if !graph.Variates(p)[v] && !unseen(p, v) {
		return refuse(v.Loc, fmt.Sprintf("say where its values come from, as in %s ~ normal(mu, sigma) with parameters mu and sigma", v.Name),
			"the model gives %s no distribution: without one all values are as probable as each other, whatever is known", v.Name)
	}
	return nil
}

// readIn is where the numbers of a variable are read, sizes left aside.
func readIn(v *ir.Var, body []ir.Stmt) (at source.Span) {
	ir.Inspect(body, func(n any) bool {
		switch n := n.(type) {
		case *ir.Call:
			return !graph.IsSize(n.Fn.BuiltinName())
		case *ir.Ref:
			if n.Var == v && at.IsZero() {
				at = n.Loc
			}
		}
		return true
	})
	return at
}

// sizedBy is where a declaration reads the numbers of a variable.
func sizedBy(v *ir.Var, p *ir.Program) source.Span {
	var shapes []ir.Stmt
	for _, w := range slices.Concat(p.Data, p.Parameters) {
		shapes = append(shapes, &ir.Declare{Var: w})
	}
	for _, body := range [][]ir.Stmt{p.TransformedParameters.Body, p.Model, p.GeneratedQuantities.Body} {
		ir.Inspect(body, func(n any) bool {
			if d, ok := n.(*ir.Declare); ok {
				shapes = append(shapes, &ir.Declare{Var: d.Var})
			}
			return true
		})
	}
	return readIn(v, shapes)
}

// Unseen reports whether a variable with a gap has its distribution, in a completed program, where calls of the library do not show it.
func Unseen(p *ir.Program, gaps []*Gap) bool {
	return slices.ContainsFunc(gaps, func(g *Gap) bool { return unseen(p, g.Whole) || unseen(p, g.Param) })
}

// unseen reports whether a user's density is of a variable, or reduce_sum adds up what may be one.
func unseen(p *ir.Program, v *ir.Var) bool {
	return ir.Any(p.Model, func(n any) bool {
		var args []ir.Expr
		switch c := n.(type) {
		case *ir.UserCall:
			if graph.IsDensity(c.Fn.Name) {
				args = c.Args[:1]
			}
		case *ir.Call:
			if strings.HasPrefix(c.Fn.BuiltinName(), "reduce_sum") {
				args = c.Args[1:]
			}
		}
		return slices.ContainsFunc(args, func(x ir.Expr) bool { return slices.Contains(graph.Parts(x), v) })
	})
}
