// Which parameters a value depends on, and whether linearly.

package lint

import (
	"sort"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A set is a set of parameters.
type set map[*ir.Var]bool

// names lists up to three parameters in words.
func (s set) names() string {
	var out []string
	for v := range s {
		out = append(out, strconv.Quote(v.Name))
	}
	sort.Strings(out)
	if len(out) > 3 {
		out = append(out[:3], "others")
	}
	if n := len(out); n > 1 {
		return strings.Join(out[:n-1], ", ") + " and " + out[n-1]
	}
	return strings.Join(out, "")
}

// A degree says how a value depends on the parameters.
type degree uint8

const (
	fixed degree = iota
	linear
	nonlinear
)

// depends knows what each variable depends on, over all its assignments. Functions
// that the density calls are followed, one set of dependences for all their calls.
type depends struct {
	params  map[*ir.Var]set
	degrees map[*ir.Var]degree
	called  map[*ir.Function]bool // from transformed parameters and model
	changed bool
}

func newDepends(p *ir.Program) *depends {
	d := &depends{params: map[*ir.Var]set{}, degrees: map[*ir.Var]degree{}, called: map[*ir.Function]bool{}}
	for _, v := range p.Parameters {
		d.params[v], d.degrees[v] = set{v: true}, linear
	}
	for d.changed = true; d.changed; {
		d.changed = false
		d.body(p.TransformedParameters.Body)
		d.body(p.Model)
		for f := range d.called {
			d.body(f.Body)
		}
	}
	return d
}

// body spreads dependences through assignments once.
func (d *depends) body(body []ir.Stmt) {
	ir.Inspect(body, func(n any) bool {
		switch n := n.(type) {
		case *ir.Declare:
			d.assign(n.Var, n.Init)
		case *ir.Assign:
			d.assign(n.To.Var, n.X)
		case *ir.Unpack:
			d.unpack(n.To, n.X)
		case *ir.ForEach:
			d.assign(n.Var, n.X)
		case *ir.UserCall:
			d.call(n)
		}
		return true
	})
}

func (d *depends) unpack(to []ir.UnpackTo, x ir.Expr) {
	for _, t := range to {
		if t.Place != nil {
			d.assign(t.Place.Var, x)
		}
		d.unpack(t.Nested, x)
	}
}

func (d *depends) assign(v *ir.Var, x ir.Expr) {
	if x == nil {
		return
	}
	if deg := d.degree(x); deg > d.degrees[v] {
		d.degrees[v], d.changed = deg, true
	}
	for p := range d.of(x) {
		if !d.params[v][p] {
			if d.params[v] == nil {
				d.params[v] = set{}
			}
			d.params[v][p], d.changed = true, true
		}
	}
}

// call hands the dependences of arguments to a function's parameters.
func (d *depends) call(c *ir.UserCall) {
	if !d.called[c.Fn] {
		d.called[c.Fn], d.changed = true, true
	}
	for i, p := range c.Fn.Params {
		if i < len(c.Args) {
			d.assign(p, c.Args[i])
		}
	}
}

// sizes are functions whose value does not depend on the numbers in their argument.
var sizes = map[string]bool{"size": true, "num_elements": true, "rows": true, "cols": true, "dims": true}

// of returns the parameters that go into an expression.
func (d *depends) of(x ir.Expr) set {
	out := set{}
	d.addTo(out, x)
	return out
}

func (d *depends) addTo(out set, x ir.Expr) {
	ir.InspectExpr(x, func(n any) bool {
		switch n := n.(type) {
		case *ir.Call:
			return !sizes[n.Fn.BuiltinName()]
		case *ir.Ref:
			for p := range d.params[n.Var] {
				out[p] = true
			}
		}
		return true
	})
}

// additive functions are linear in all their arguments together.
var additive = map[string]bool{
	"add": true, "subtract": true, "plus": true, "minus": true, "sum": true, "mean": true, "cumulative_sum": true,
}

// bilinear functions are linear in each argument.
var bilinear = map[string]bool{
	"multiply": true, "elt_multiply": true, "dot_product": true, "columns_dot_product": true, "rows_dot_product": true,
	"diag_pre_multiply": true, "diag_post_multiply": true,
}

// denominators names the argument that a quotient divides by.
var denominators = map[string]int{
	"divide": 1, "elt_divide": 1, "mdivide_right": 1, "mdivide_right_tri_low": 1, "mdivide_left": 0, "mdivide_left_tri_low": 0,
}

// degree finds how an expression depends on the parameters; containers have the degree
// of their worst element.
func (d *depends) degree(x ir.Expr) degree {
	switch x := x.(type) {
	case *ir.Ref:
		return d.degrees[x.Var]
	case *ir.Promote:
		return d.degree(x.X)
	case *ir.Field:
		return d.degree(x.X)
	case *ir.Index:
		for _, i := range x.Indices {
			if d.degree(i.Lo) > fixed || d.degree(i.Hi) > fixed {
				return nonlinear
			}
		}
		return d.degree(x.X)
	case *ir.Array:
		return d.worst(x.Elems)
	case *ir.Row:
		return d.worst(x.Elems)
	case *ir.Tuple:
		return d.worst(x.Elems)
	case *ir.Cond:
		return max(d.degree(x.Then), d.degree(x.Else))
	case *ir.UserCall:
		return ifAny(d.worst(x.Args))
	case *ir.Call:
		return d.degreeOfCall(x)
	}
	return fixed
}

// ifAny is nonlinear unless there is no dependence at all.
func ifAny(deg degree) degree {
	if deg > fixed {
		return nonlinear
	}
	return fixed
}

func (d *depends) worst(xs []ir.Expr) degree {
	out := fixed
	for _, x := range xs {
		out = max(out, d.degree(x))
	}
	return out
}

func (d *depends) degreeOfCall(c *ir.Call) degree {
	name := c.Fn.BuiltinName()
	row, _ := c.Fn.(*stdlib.Function)
	worst := d.worst(c.Args)
	switch {
	case sizes[name]:
		return fixed
	case additive[name], row != nil && row.Layout != nil:
		return worst
	case bilinear[name]:
		sum := fixed
		for _, a := range c.Args {
			sum += d.degree(a)
		}
		return min(sum, nonlinear)
	}
	if at, ok := denominators[name]; ok && d.degree(c.Args[at]) == fixed {
		return worst
	}
	return ifAny(worst)
}
