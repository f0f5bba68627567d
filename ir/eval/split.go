// Vectorised statements split into statements on single elements.

package eval

import (
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// split runs a vectorised sampling statement as one on each element, and reports whether it has.
func (f *frame) split(s *ir.Sample) bool {
	call, n := f.splits(s)
	if call == nil {
		return false
	}
	if f.traceSplit(s, call, n) {
		return true
	}
	for i := range n {
		p := part(call, literal(i+1))
		f.addTerm(s.Loc, func() *Value { return f.expr(p) })
	}
	return true
}

// traceSplit runs it as one iteration for all elements.
func (f *frame) traceSplit(s *ir.Sample, call *ir.Call, n int) bool {
	if f.m.tracer != nil || !f.m.disc.traces(f) {
		return false
	}
	i := &ir.Var{Name: "i", Type: types.Int, Slot: f.m.Prog.Slots}
	p := part(call, &ir.Ref{Node: ir.Node{T: types.Int}, Var: i})
	_, ok := f.traceLoop(&ir.For{Var: i}, iterations{lo: 1, n: n, induction: &inductionVars{}, body: func() {
		f.addTerm(s.Loc, func() *Value { return f.expr(p) })
	}})
	return ok
}

// splits returns the density of a vectorised sampling statement that can be taken apart, and
// how many elements it has; nil where it is not one of a univariate distribution.
func (f *frame) splits(s *ir.Sample) (*ir.Call, int) {
	call, ok := s.Density.(*ir.Call)
	if !ok || s.Trunc != nil {
		return nil, 0
	}
	fn := call.Fn.(*stdlib.Function)
	if fn.Density == nil && !categorical[fn.Name] {
		return nil, 0
	}
	n := -1
	for i, a := range call.Args {
		if a.Type().Rank() == 1 && !(categorical[fn.Name] && i > 0) {
			n = f.length(a)
		} else if a.Type().Rank() > 1 {
			return nil, 0
		}
	}
	if n < 0 {
		return nil, 0
	}
	return call, n
}

// part is a density of the element at a place.
func part(call *ir.Call, at ir.Expr) *ir.Call {
	c := *call
	c.Args = make([]ir.Expr, len(call.Args))
	for k, a := range call.Args {
		if c.Args[k] = a; !(categorical[call.Fn.BuiltinName()] && k > 0) {
			c.Args[k] = element(a, at)
		}
	}
	return &c
}

// literal is an integer constant.
func literal(i int) ir.Expr {
	return &ir.Const{Node: ir.Node{T: types.Int}, X: float64(i)}
}

// categorical names the distributions of one integer with a vector parameter.
var categorical = map[string]bool{"categorical_lpmf": true, "categorical_logit_lpmf": true}

// length is the number of elements of a container expression, which is evaluated
// under the present assignment to find out.
func (f *frame) length(x ir.Expr) int {
	d := f.m.disc
	touched := append([]int(nil), d.touched...)
	d.reset()
	n := len(f.expr(x).X)
	d.reset()
	for _, id := range touched {
		d.touch(id)
	}
	return n
}

// element is the expression of the element of x at a place; a scalar is its own.
func element(x, at ir.Expr) ir.Expr {
	if x.Type().Rank() == 0 {
		return x
	}
	n := ir.Node{Loc: x.Span(), T: x.Type().Scalar()}
	switch x := x.(type) {
	case *ir.Promote:
		return &ir.Promote{Node: n, X: element(x.X, at)}
	case *ir.Index:
		if indices, ok := elementIndices(x.Indices, at); ok && len(indices) == x.X.Type().Rank() {
			return &ir.Index{Node: n, X: x.X, Indices: indices}
		}
	case *ir.Call:
		fn, ok := x.Fn.(*stdlib.Function)
		if ok && reshapes[fn.Name] && len(x.Args) == 1 && x.Args[0].Type().Rank() == 1 {
			a := element(x.Args[0], at)
			if a.Type().Base == n.T.Base {
				return a
			}
			return &ir.Promote{Node: n, X: a}
		}
		if ok && fn.Op != nil {
			c := *x
			c.Node = n
			c.Args = make([]ir.Expr, len(x.Args))
			for k, a := range x.Args {
				c.Args[k] = element(a, at)
			}
			return &c
		}
	}
	return &ir.Index{Node: n, X: x, Indices: []ir.IndexArg{{Kind: ir.Single, Lo: at}}}
}

// reshapes names the functions that keep the elements of a one-dimensional argument.
var reshapes = map[string]bool{"to_vector": true, "to_row_vector": true, "to_array_1d": true}

// elementIndices replaces the one index that picks several elements by that of the
// element at a place.
func elementIndices(in []ir.IndexArg, at ir.Expr) ([]ir.IndexArg, bool) {
	out := append([]ir.IndexArg(nil), in...)
	found := 0
	for k := range out {
		a := &out[k]
		switch {
		case a.Kind == ir.Single:
			continue
		case a.Kind == ir.Multi:
			*a = ir.IndexArg{Kind: ir.Single, Lo: element(a.Lo, at)}
		case a.Kind == ir.All || a.Lo == nil:
			*a = ir.IndexArg{Kind: ir.Single, Lo: at}
		default: // from Lo on: the range must start at a known place
			lo, known := a.Lo.(*ir.Const)
			i, ok := at.(*ir.Const)
			switch {
			case known && lo.X == 1:
				*a = ir.IndexArg{Kind: ir.Single, Lo: at}
			case known && ok:
				*a = ir.IndexArg{Kind: ir.Single, Lo: literal(int(i.X + lo.X - 1))}
			default:
				return nil, false
			}
		}
		found++
	}
	return out, found == 1
}
