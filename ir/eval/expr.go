// Evaluation of expressions.

package eval

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// evals is eval for each of a list.
func (f *frame) evals(xs []ir.Expr) []*Value {
	out := make([]*Value, len(xs))
	for i, x := range xs {
		out[i] = f.eval(x)
	}
	return out
}

// eval evaluates an expression; its numbers may be put off.
func (f *frame) eval(x ir.Expr) *Value {
	if f.tracer != nil {
		if v := f.tracer.expr(x); v != nil {
			return v
		}
	}
	switch x := x.(type) {
	case *ir.Const:
		return constant(x)
	case *ir.Ref:
		return f.read(x)
	case *ir.Call:
		return f.call(x)
	case *ir.UserCall:
		return f.userCallOf(x)
	case *ir.FuncRef:
		v := NewValue(x.T, nil, nil)
		v.Fn = x.Fn
		return v
	case *ir.Target:
		if f.m.tracer != nil { // in a function that an iteration calls: each iteration finds more
			f.m.tracer.abort()
		}
		return f.m.Total(x.Loc)
	case *ir.Promote:
		return promote(f.expr(x.X), x.T)
	case *ir.Index:
		return f.index(x)
	case *ir.Field:
		return field(f.expr(x.X), x.I, x.T)
	case *ir.Array:
		return arrayOf(x, f.exprs(x.Elems))
	case *ir.Row:
		return rowOf(x, f.exprs(x.Elems))
	case *ir.Tuple:
		v := NewValue(x.T, nil, nil)
		v.Fields = f.exprs(x.Elems)
		return v
	case *ir.Cond:
		if f.truth(x.Test) {
			return f.eval(x.Then)
		}
		return f.eval(x.Else)
	case *ir.Logic:
		return f.logic(x)
	case *ir.Text:
		return NewValue(types.String, nil, nil)
	}
	panic(fmt.Sprintf("eval: unknown expression %T", x))
}

func constant(x *ir.Const) *Value {
	if x.T.Base == types.ComplexBase {
		return NewValue(x.T, nil, []float64{x.X, x.Im})
	}
	return newNumber(x.T, x.X)
}

// read returns a variable's value; from now on it may be shared.
func (f *frame) read(x *ir.Ref) *Value {
	s := f.variable(x.Var)
	if s.v == nil {
		f.require(x.Loc, x.Var)
	}
	s.owned = false
	if s.alt != nil {
		return f.present(s)
	}
	return s.v
}

// require asks for the value of a variable that has none.
func (f *frame) require(at source.Span, v *ir.Var) {
	if f.m.Need != nil && f == &f.m.global {
		if err := f.m.Need(v); err != nil {
			panic(stop{err})
		}
	}
	if f.slot(v).v == nil {
		fail(at, "%s has no value yet", v.Name)
	}
}

// index evaluates x[...]. The indexed variable is not marked as shared, since
// picking copies; that keeps loops over elements linear.
func (f *frame) index(x *ir.Index) *Value {
	var v *Value
	if r, ok := x.X.(*ir.Ref); ok {
		s := f.slot(r.Var)
		if v = s.v; v == nil {
			f.require(x.Loc, r.Var)
			v = s.v
		}
		if s.alt != nil {
			if off, ok := f.scalarOffset(x.Loc, v.T, x.Indices, v.Dims); ok && unit(v.T) == 1 {
				return f.presentNumber(s, off)
			}
			v = f.present(s)
		}
		if v.T.Base == types.TupleBase {
			f.slot(r.Var).owned = false
		}
	} else {
		v = f.expr(x.X)
	}
	if r := f.m.tracer; r != nil {
		if e := r.element(f, v, x.Indices); e != nil {
			return e.viewed(x.T)
		}
	}
	return f.pick(x.Loc, v, x.Indices).viewed(x.T)
}

func (f *frame) logic(x *ir.Logic) *Value {
	l := f.truth(x.L)
	if l != x.Or {
		l = f.truth(x.R)
	}
	if l {
		return Int(1)
	}
	return Int(0)
}

// field reads field i of a tuple; of an array of tuples it gives the array of fields.
func field(v *Value, i int, t types.Type) *Value {
	if v.T.Dims == 0 {
		return v.Fields[i]
	}
	parts := make([]*Value, len(v.Elems))
	for k, e := range v.Elems {
		parts[k] = e.Fields[i]
	}
	return join(t, v.Dims, parts)
}

// join makes an array of its elements, given in row-major order; outer are the sizes
// of the new dimensions.
func join(t types.Type, outer []int, parts []*Value) *Value {
	out := NewValue(t, append([]int(nil), outer...), nil)
	if t.Base == types.TupleBase {
		for _, p := range parts {
			if p.T.Dims > 0 {
				out.Elems = append(out.Elems, p.Elems...)
			} else {
				out.Elems = append(out.Elems, p)
			}
		}
	}
	active := false
	for _, p := range parts {
		out.X = append(out.X, p.X...)
		active = active || p.Active()
	}
	switch {
	case len(parts) > 0:
		out.Dims = append(out.Dims, parts[0].Dims...)
	default:
		for len(out.Dims) < t.Rank() {
			out.Dims = append(out.Dims, 0)
		}
	}
	if active {
		for _, p := range parts {
			for k := range p.X {
				out.Refs = append(out.Refs, p.Ref(k))
			}
		}
	}
	return out
}

// arrayOf makes an array of its elements.
func arrayOf(x *ir.Array, parts []*Value) *Value {
	for _, p := range parts {
		if !sameDims(p.Dims, parts[0].Dims) {
			fail(x.Loc, "the elements of an array must have equal sizes; found %s and %s", sizes(parts[0].Dims), sizes(p.Dims))
		}
	}
	return join(x.T, []int{len(parts)}, parts)
}

// rowOf makes [a, b, ...]: scalars side by side, or rows of a matrix, which is
// stored by columns.
func rowOf(x *ir.Row, parts []*Value) *Value {
	v := arrayOf(&ir.Array{Node: ir.Node{Loc: x.Loc, T: types.ArrayOf(rowElem(x.T), 1)}, Elems: x.Elems}, parts)
	v.T = x.T
	if x.T.Base.BaseRank() == 1 {
		return v
	}
	rows, cols, u := v.Dims[0], v.Dims[1], unit(x.T)
	out := NewValue(x.T, []int{rows, cols}, make([]float64, len(v.X)))
	if v.Active() {
		out.Refs = make([]autodiff.Ref, len(v.X))
	}
	for i := range rows {
		for j := range cols {
			for k := range u {
				to, from := (i+j*rows)*u+k, (i*cols+j)*u+k
				out.X[to] = v.X[from]
				if out.Refs != nil {
					out.Refs[to] = v.Ref(from)
				}
			}
		}
	}
	return out
}

func rowElem(t types.Type) types.Type {
	switch t.Base {
	case types.MatrixBase:
		return types.RowVector
	case types.ComplexMatrixBase:
		return types.ComplexRowVector
	case types.ComplexRowVectorBase:
		return types.Complex
	}
	return types.Real
}

// promote converts to a wider type. Integers are stored as reals are; only complex
// numbers need more room.
func promote(v *Value, t types.Type) *Value {
	if t.Base == types.TupleBase {
		return promoteTuple(v, t)
	}
	if unit(v.T) == unit(t) {
		return v.viewed(t)
	}
	out := NewValue(t, v.Dims, make([]float64, 2*len(v.X)))
	for i, x := range v.known().X {
		out.X[2*i] = x
	}
	if v.Active() {
		out.Refs = make([]autodiff.Ref, len(out.X))
		for i := range v.X {
			out.Refs[2*i] = v.Ref(i)
			out.Refs[2*i+1].Node = autodiff.None
		}
	}
	return out
}

func promoteTuple(v *Value, t types.Type) *Value {
	out := v.as(t)
	if t.Dims > 0 {
		out.Elems = make([]*Value, len(v.Elems))
		for i, e := range v.Elems {
			out.Elems[i] = promoteTuple(e, types.TupleOf(t.Fields...))
		}
		return out
	}
	out.Fields = make([]*Value, len(v.Fields))
	for i, e := range v.Fields {
		out.Fields[i] = promote(e, t.Fields[i])
	}
	return out
}

// variable finds a variable, whose numbers may be put off: in the frame of the function at
// work, or among the globals.
func (f *frame) variable(v *ir.Var) *slot { return &f.vars[v.Slot] }
