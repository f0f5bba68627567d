// Parameters: their layout on the unconstrained scale and the way to their values.

package bind

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A leaf is a parameter, or a tuple's field of one, without tuples inside: an array
// of variables under one transform.
type leaf struct {
	shape *eval.Shape
	tr    *stdlib.Transform // nil for unconstrained ones
	outer int               // number of array elements
	inner []int             // sizes of one element
	size  int               // numbers of one element
	free  int               // unconstrained numbers of one element
}

// A param is a declared parameter: its leaves in order, tuples taken apart.
type param struct {
	v     *ir.Var
	shape *eval.Shape
	free  int // unconstrained numbers in all
}

// newLeaf works out the sizes of a declaration without tuples.
func newLeaf(lib *stdlib.Library, s *eval.Shape) (*leaf, error) {
	l := &leaf{shape: s, outer: 1, inner: s.Dims[s.Type.Dims:], size: 1}
	for _, d := range s.Dims[:s.Type.Dims] {
		l.outer *= d
	}
	for _, d := range l.inner {
		l.size *= d
	}
	if s.Type.Base.IsComplex() {
		l.size *= 2
	}
	l.free = l.size
	c := s.Decl.Constraint
	if c == nil {
		return l, nil
	}
	l.tr = lib.Transform(c.Name)
	if l.tr == nil {
		return nil, fmt.Errorf("the library has no transform %s", c.Name)
	}
	if l.tr.Elementwise {
		// One call does for the whole array, bounds may differ by element.
		l.inner, l.size, l.outer = s.Dims, l.size*l.outer, 1
		l.free = l.size
		return l, nil
	}
	free, err := l.tr.Free(l.inner)
	if err != nil {
		return nil, &eval.Error{Span: c.Loc, Text: err.Error()}
	}
	l.free = free
	return l, nil
}

// freeSize counts the unconstrained numbers of a declaration.
func freeSize(lib *stdlib.Library, s *eval.Shape) (int, error) {
	total := 0
	err := eachLeaf(s, func(f *eval.Shape) error {
		l, err := newLeaf(lib, f)
		if err != nil {
			return err
		}
		total += l.outer * l.free
		return nil
	})
	return total, err
}

// eachLeaf visits the tuple-free parts of a shape, arrays of tuples element by
// element.
func eachLeaf(s *eval.Shape, visit func(*eval.Shape) error) error {
	if s.Type.Base != types.TupleBase {
		return visit(s)
	}
	n := 1
	for _, d := range s.Dims {
		n *= d
	}
	for range n {
		for _, f := range s.Fields {
			if err := eachLeaf(f, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// A reader turns unconstrained numbers into parameter values, in order.
type reader struct {
	m   *eval.Machine
	lib *stdlib.Library
	q   *eval.Value // the unconstrained point
	pos int
}

// take returns the next n unconstrained numbers.
func (r *reader) take(n int) *eval.Value {
	v := eval.NewValue(types.Vector, []int{n}, r.q.X[r.pos:r.pos+n])
	if r.q.Active() {
		v.Refs = make([]autodiff.Ref, n)
		for i := range v.Refs {
			v.Refs[i] = r.q.Ref(r.pos + i)
		}
	}
	r.pos += n
	return v
}

// value reads a variable of the given shape.
func (r *reader) value(v *ir.Var, s *eval.Shape) (*eval.Value, error) {
	if s.Type.Base != types.TupleBase {
		return r.leaf(v, s)
	}
	if s.Type.Dims == 0 {
		return r.tuple(v, s)
	}
	out := eval.NewValue(s.Type, s.Dims, nil)
	n := 1
	for _, d := range s.Dims {
		n *= d
	}
	for range n {
		e, err := r.tuple(v, s)
		if err != nil {
			return nil, err
		}
		out.Elems = append(out.Elems, e)
	}
	return out, nil
}

func (r *reader) tuple(v *ir.Var, s *eval.Shape) (*eval.Value, error) {
	out := eval.NewValue(types.TupleOf(s.Type.Fields...), nil, nil)
	for _, f := range s.Fields {
		x, err := r.value(v, f)
		if err != nil {
			return nil, err
		}
		out.Fields = append(out.Fields, x)
	}
	return out, nil
}

func (r *reader) leaf(v *ir.Var, s *eval.Shape) (*eval.Value, error) {
	l, err := newLeaf(r.lib, s)
	if err != nil {
		return nil, err
	}
	if l.tr == nil {
		x := r.take(l.outer * l.size)
		x.T, x.Dims = s.Type, s.Dims
		return x, nil
	}
	args, err := r.bounds(s)
	if err != nil {
		return nil, err
	}
	out := eval.NewValue(s.Type, s.Dims, make([]float64, 0, l.outer*l.size))
	for range l.outer {
		x, err := r.element(v, l, args)
		if err != nil {
			return nil, err
		}
		out.X = append(out.X, x.X...)
		if l.outer == 1 {
			out.Node, out.Refs = x.Node, x.Refs
			continue
		}
		for k := range x.X {
			if x.Active() {
				out.Refs = append(out.Refs, x.Ref(k))
			}
		}
	}
	return out, nil
}

// bounds evaluates the arguments of a constraint.
func (r *reader) bounds(s *eval.Shape) ([]*eval.Value, error) {
	var args []*eval.Value
	for _, x := range s.Decl.Constraint.Args {
		a, err := r.m.Eval(x)
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	return args, nil
}

// element transforms one element and adds its log Jacobian to the density.
func (r *reader) element(v *ir.Var, l *leaf, args []*eval.Value) (*eval.Value, error) {
	free := r.take(l.free)
	out := eval.NewValue(l.shape.Type, l.inner, make([]float64, l.size))
	bounds := make([][]float64, len(args))
	active := free.Active()
	for i, a := range args {
		if len(a.X) != 1 && len(a.X) != l.size {
			return nil, &eval.Error{Span: l.shape.Decl.Constraint.Loc,
				Text: fmt.Sprintf("%s: a bound has %d elements, the variable has %d", v.Name, len(a.X), l.size)}
		}
		bounds[i] = a.X
		active = active || a.Active()
	}
	var work []float64
	if l.tr.Work != nil {
		work = make([]float64, l.tr.Work(l.inner))
	}
	logJ, err := l.tr.Constrain(l.inner, free.X, bounds, out.X, work)
	if err != nil {
		return nil, &eval.Error{Span: v.Loc, Text: fmt.Sprintf("%s: %v", v.Name, err), Reject: true}
	}
	term := eval.Real(logJ)
	if active && r.m.Rec != nil && l.size+l.free > 0 {
		out.Node, term.Node = r.m.Rec.Transform(l.tr, l.inner, free, args, out, logJ)
	}
	if r.m.Jacobian {
		r.m.AddTerm(v.Loc, term)
	}
	return out, nil
}
