// Package graph reads the dependency structure of a program: what is observed, what
// has which distribution, and (for the methods that need them) conditional
// independence, conjugacy and generative order.
package graph

import (
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
)

// Observed gives the data and transformed data variables that are observations:
// those of which a part or a rearrangement stands left of "~" in the model block, or
// is the first argument of "target += D_lpdf(y | ...)". All other data are fixed.
func Observed(p *ir.Program) map[*ir.Var]bool {
	f := &finder{found: map[*ir.Var]bool{}, active: map[*ir.Function]bool{}}
	f.body(p.Model, nil)
	for v := range f.found {
		if v.Kind != ir.Datum && v.Kind != ir.TransformedDatum {
			delete(f.found, v)
		}
	}
	return f.found
}

type finder struct {
	found  map[*ir.Var]bool
	active map[*ir.Function]bool // functions being followed
}

// body looks through statements; bound says which variables a function's parameters
// stand for.
func (f *finder) body(body []ir.Stmt, bound map[*ir.Var][]*ir.Var) {
	ir.Inspect(body, func(n any) bool {
		switch n := n.(type) {
		case *ir.Sample:
			f.variate(n.Density, bound)
		case *ir.TargetAdd:
			f.terms(n.X, bound)
		case *ir.UserCall:
			f.call(n, bound)
		}
		return true
	})
}

// terms finds densities among the summands of an expression.
func (f *finder) terms(x ir.Expr, bound map[*ir.Var][]*ir.Var) {
	switch x := x.(type) {
	case *ir.Promote:
		f.terms(x.X, bound)
	case *ir.UserCall:
		f.variate(x, bound)
	case *ir.Call:
		switch name := x.Fn.BuiltinName(); {
		case IsDensity(name):
			f.variate(x, bound)
		case name == "add" || name == "sum":
			for _, a := range x.Args {
				f.terms(a, bound)
			}
		}
	}
}

// IsDensity says whether a function's name is that of a log density or log mass.
func IsDensity(name string) bool {
	return strings.HasSuffix(name, "_lpdf") || strings.HasSuffix(name, "_lpmf")
}

// variate notes the variables that a density's first argument consists of.
func (f *finder) variate(density ir.Expr, bound map[*ir.Var][]*ir.Var) {
	var args []ir.Expr
	switch d := density.(type) {
	case *ir.Call:
		args = d.Args
	case *ir.UserCall:
		if !IsDensity(d.Fn.Name) {
			return
		}
		args = d.Args
	}
	if len(args) == 0 {
		return
	}
	for _, v := range Parts(args[0]) {
		for _, w := range resolve(v, bound) {
			f.found[w] = true
		}
	}
}

// call follows a function that adds to the target.
func (f *finder) call(c *ir.UserCall, bound map[*ir.Var][]*ir.Var) {
	if !c.Fn.Target || f.active[c.Fn] {
		return
	}
	inner := map[*ir.Var][]*ir.Var{}
	for i, p := range c.Fn.Params {
		for _, v := range Parts(c.Args[i]) {
			inner[p] = append(inner[p], resolve(v, bound)...)
		}
	}
	f.active[c.Fn] = true
	f.body(c.Fn.Body, inner)
	delete(f.active, c.Fn)
}

func resolve(v *ir.Var, bound map[*ir.Var][]*ir.Var) []*ir.Var {
	if vs, ok := bound[v]; ok {
		return vs
	}
	return []*ir.Var{v}
}

// rearrangements are the functions that only move the elements of their arguments.
var rearrangements = map[string]bool{
	"to_vector": true, "to_row_vector": true, "to_matrix": true, "to_array_1d": true, "to_array_2d": true,
	"append_row": true, "append_col": true, "append_array": true, "head": true, "tail": true, "segment": true,
	"transpose": true, "reverse": true, "row": true, "col": true, "block": true, "sub_row": true, "sub_col": true,
	"diagonal": true,
}

// Parts gives the variables that an expression is an element, slice, transpose or
// rearrangement of; nil where it is anything else.
func Parts(x ir.Expr) []*ir.Var {
	switch x := x.(type) {
	case *ir.Ref:
		return []*ir.Var{x.Var}
	case *ir.Promote:
		return Parts(x.X)
	case *ir.Index:
		return Parts(x.X)
	case *ir.Field:
		return Parts(x.X)
	case *ir.Array:
		return partsOf(x.Elems)
	case *ir.Row:
		return partsOf(x.Elems)
	case *ir.Call:
		if rearrangements[x.Fn.BuiltinName()] {
			return partsOf(x.Args)
		}
	}
	return nil
}

func partsOf(xs []ir.Expr) []*ir.Var {
	var out []*ir.Var
	for _, x := range xs {
		out = append(out, Parts(x)...)
	}
	return out
}
