// Package graph reads the dependency structure of a program: what is observed, what
// has which distribution, and (for the methods that need them) conditional
// independence, conjugacy and generative order.
package graph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
)

// Observed returns the data and transformed data variables that are observations:
// those of which a part or a rearrangement stands left of "~" in the model block, or
// is the first argument of "target += D_lpdf(y | ...)". All other data are fixed.
func Observed(p *ir.Program) map[*ir.Var]bool {
	f := &finder{found: map[*ir.Var]bool{}, seen: map[string]bool{}}
	f.body(p.Model, nil)
	return f.data()
}

// data drops what is not data from what was found.
func (f *finder) data() map[*ir.Var]bool {
	for v := range f.found {
		if !v.IsData() {
			delete(f.found, v)
		}
	}
	return f.found
}

// Variates returns the data and transformed data variables that Observed gives, and those
// of which a part is the first argument of a density anywhere else in the model, such as
// inside log_mix.
func Variates(p *ir.Program) map[*ir.Var]bool {
	f := &finder{found: map[*ir.Var]bool{}, seen: map[string]bool{}, nested: true}
	f.body(p.Model, nil)
	return f.data()
}

type finder struct {
	nested bool // densities count wherever they stand
	found  map[*ir.Var]bool
	seen   map[string]bool // functions that were followed, with what their parameters stood for
}

// body looks through statements; bound says which variables a function's parameters
// stand for.
func (f *finder) body(body []ir.Stmt, bound map[*ir.Var][]*ir.Var) {
	ir.Inspect(body, func(n any) bool {
		switch n := n.(type) {
		case *ir.Sample:
			f.variate(n.Density, bound)
		case *ir.TargetAdd:
			densities, _ := Terms(n.X)
			for _, d := range densities {
				f.variate(d, bound)
			}
		case *ir.Call:
			if f.nested && IsDensity(n.Fn.BuiltinName()) {
				f.variate(n, bound)
			}
		case *ir.UserCall:
			f.call(n, bound)
		}
		return true
	})
}

// Terms takes the summands of an expression apart: calls of densities, and the rest.
func Terms(x ir.Expr) (densities, rest []ir.Expr) {
	var take func(x ir.Expr)
	take = func(x ir.Expr) {
		switch x := x.(type) {
		case *ir.Promote:
			if x.Type().Rank() == 0 {
				take(x.X)
				return
			}
		case *ir.UserCall:
			if IsDensity(x.Fn.Name) {
				densities = append(densities, x)
				return
			}
		case *ir.Call:
			switch name := x.Fn.BuiltinName(); {
			case IsDensity(name):
				densities = append(densities, x)
				return
			case x.Type().Rank() == 0 && (name == "add" || name == "sum" && x.Args[0].Type().Rank() == 0):
				for _, a := range x.Args {
					take(a)
				}
				return
			}
		}
		rest = append(rest, x)
	}
	take(x)
	return densities, rest
}

// IsDensity reports whether a function's name is that of a log density or log mass.
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
	if !c.Fn.Target && !f.nested {
		return
	}
	inner := map[*ir.Var][]*ir.Var{}
	key := fmt.Sprintf("%p", c.Fn)
	for i, p := range c.Fn.Params {
		var names []string
		for _, v := range Parts(c.Args[i]) {
			for _, w := range resolve(v, bound) {
				inner[p] = append(inner[p], w)
				names = append(names, fmt.Sprintf("%p", w))
			}
		}
		slices.Sort(names)
		key += fmt.Sprint(slices.Compact(names))
	}
	if f.seen[key] {
		return
	}
	f.seen[key] = true
	f.body(c.Fn.Body, inner)
}

func resolve(v *ir.Var, bound map[*ir.Var][]*ir.Var) []*ir.Var {
	if vs, ok := bound[v]; ok {
		return vs
	}
	return []*ir.Var{v}
}

// rearrangements are the functions that only move the elements of their first so many
// arguments; further ones are sizes and positions.
var rearrangements = map[string]int{
	"to_vector": 1, "to_row_vector": 1, "to_matrix": 1, "to_array_1d": 1, "to_array_2d": 1,
	"append_row": 2, "append_col": 2, "append_array": 2, "head": 1, "tail": 1, "segment": 1,
	"transpose": 1, "reverse": 1, "row": 1, "col": 1, "block": 1, "sub_row": 1, "sub_col": 1,
	"diagonal": 1,
}

// rearranged reports how many of a call's arguments it rearranges; 0 for other functions.
func rearranged(c *ir.Call) int { return min(rearrangements[c.Fn.BuiltinName()], len(c.Args)) }

// Parts returns the variables that an expression is an element, slice, transpose or
// rearrangement of; nil where it is anything else.
func Parts(x ir.Expr) []*ir.Var {
	vars, _ := consists(x)
	return vars
}

// consists is Parts that also reports whether the expression holds nothing else.
func consists(x ir.Expr) (vars []*ir.Var, pure bool) {
	switch x := x.(type) {
	case *ir.Ref:
		return []*ir.Var{x.Var}, true
	case *ir.Promote:
		return consists(x.X)
	case *ir.Index:
		return consists(x.X)
	case *ir.Field:
		return consists(x.X)
	case *ir.Array:
		return consistAll(x.Elems)
	case *ir.Row:
		return consistAll(x.Elems)
	case *ir.Call:
		if n := rearranged(x); n > 0 {
			return consistAll(x.Args[:n])
		}
	}
	return nil, false
}

func consistAll(xs []ir.Expr) (vars []*ir.Var, pure bool) {
	pure = true
	for _, x := range xs {
		v, ok := consists(x)
		vars, pure = append(vars, v...), pure && ok
	}
	return vars, pure
}
