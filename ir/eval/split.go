// Vectorised statements taken apart into statements on single elements.

package eval

import (
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// splitSample returns the statements that a vectorised sampling statement consists of;
// nil where it is not one of a univariate distribution.
func (f *frame) splitSample(s *ir.Sample) []*ir.Sample {
	call, ok := s.Density.(*ir.Call)
	if !ok || s.Trunc != nil {
		return nil
	}
	fn := call.Fn.(*stdlib.Function)
	if fn.Density == nil && !categorical[fn.Name] {
		return nil
	}
	n := -1
	for i, a := range call.Args {
		if a.Type().Rank() == 1 && !(categorical[fn.Name] && i > 0) {
			n = f.length(a)
		} else if a.Type().Rank() > 1 {
			return nil
		}
	}
	if n < 0 {
		return nil
	}
	out := make([]*ir.Sample, n)
	for i := range out {
		c := *call
		c.Args = make([]ir.Expr, len(call.Args))
		for k, a := range call.Args {
			if c.Args[k] = a; !(categorical[fn.Name] && k > 0) {
				c.Args[k] = element(a, i+1)
			}
		}
		out[i] = &ir.Sample{At: s.At, Density: &c}
	}
	return out
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

// element is the expression of element i (from 1) of x; a scalar is its own.
func element(x ir.Expr, i int) ir.Expr {
	if x.Type().Rank() == 0 {
		return x
	}
	n := ir.Node{Loc: x.Span(), T: x.Type().Scalar()}
	at := &ir.Const{Node: ir.Node{Loc: n.Loc, T: types.Int}, X: float64(i)}
	switch x := x.(type) {
	case *ir.Promote:
		return &ir.Promote{Node: n, X: element(x.X, i)}
	case *ir.Index:
		if indices, ok := elementIndices(x.Indices, i); ok && len(indices) == x.X.Type().Rank() {
			return &ir.Index{Node: n, X: x.X, Indices: indices}
		}
	case *ir.Call:
		fn, ok := x.Fn.(*stdlib.Function)
		if ok && reshapes[fn.Name] && len(x.Args) == 1 && x.Args[0].Type().Rank() == 1 {
			a := element(x.Args[0], i)
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
				c.Args[k] = element(a, i)
			}
			return &c
		}
	}
	return &ir.Index{Node: n, X: x, Indices: []ir.IndexArg{{Kind: ir.Single, Lo: at}}}
}

// reshapes names the functions that keep the elements of a one-dimensional argument.
var reshapes = map[string]bool{"to_vector": true, "to_row_vector": true, "to_array_1d": true}

// elementIndices replaces the one index that picks several elements by that of
// element i.
func elementIndices(in []ir.IndexArg, i int) ([]ir.IndexArg, bool) {
	out := append([]ir.IndexArg(nil), in...)
	found := 0
	for k := range out {
		a := &out[k]
		at := &ir.Const{Node: ir.Node{T: types.Int}, X: float64(i)}
		switch {
		case a.Kind == ir.Single:
			continue
		case a.Kind == ir.Multi:
			*a = ir.IndexArg{Kind: ir.Single, Lo: element(a.Lo, i)}
		case a.Kind == ir.All || a.Lo == nil:
			*a = ir.IndexArg{Kind: ir.Single, Lo: at}
		default: // from Lo on: the range must start at a known place
			lo, ok := a.Lo.(*ir.Const)
			if !ok {
				return nil, false
			}
			at.X += lo.X - 1
			*a = ir.IndexArg{Kind: ir.Single, Lo: at}
		}
		found++
	}
	return out, found == 1
}
