// Parameters: their layout on the unconstrained scale and the way to their values.

package trace

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A Leaf is a parameter, or a tuple's field of one, without tuples inside: an array
// of variables under one transform.
type Leaf struct {
	Shape     *eval.Shape
	Transform *stdlib.Transform // nil for unconstrained ones
	Outer     int               // number of array elements
	Inner     []int             // sizes of one element
	Size      int               // numbers of one element
	Free      int               // unconstrained numbers of one element
}

// A Param is a declared parameter: its leaves in order, tuples taken apart.
type Param struct {
	Var   *ir.Var
	Shape *eval.Shape
	Free  int // unconstrained numbers in all
}

// NewLeaf works out the sizes of a declaration without tuples.
func NewLeaf(lib *stdlib.Library, s *eval.Shape) (*Leaf, error) {
	l := &Leaf{Shape: s, Outer: 1, Inner: s.Dims[s.Type.Dims:], Size: 1}
	for _, d := range s.Dims[:s.Type.Dims] {
		l.Outer *= d
	}
	for _, d := range l.Inner {
		l.Size *= d
	}
	if s.Type.Base.IsComplex() {
		l.Size *= 2
	}
	l.Free = l.Size
	c := s.Decl.Constraint
	if c == nil {
		return l, nil
	}
	l.Transform = lib.Transform(c.Name)
	if l.Transform == nil {
		return nil, fmt.Errorf("the library has no transform %s", c.Name)
	}
	if l.Transform.Elementwise {
		// One call does for the whole array, bounds may differ by element.
		l.Inner, l.Size, l.Outer = s.Dims, l.Size*l.Outer, 1
		l.Free = l.Size
		return l, nil
	}
	free, err := l.Transform.Free(l.Inner)
	if err != nil {
		return nil, &eval.Error{Span: c.Loc, Text: err.Error()}
	}
	l.Free = free
	return l, nil
}

// Part names what one call of the transform is about: all numbers of an elementwise one, which
// tells the element itself, else element i of an array.
func (l *Leaf) Part(name string, i int) string {
	if l.Transform.Elementwise {
		return name
	}
	return ElementName(name, l.Shape.Dims[:l.Shape.Type.Dims], i)
}

// FreeSize counts the unconstrained numbers of a declaration.
func FreeSize(lib *stdlib.Library, s *eval.Shape) (int, error) {
	total := 0
	err := EachLeaf(s, func(f *eval.Shape) error {
		l, err := NewLeaf(lib, f)
		if err != nil {
			return err
		}
		total += l.Outer * l.Free
		return nil
	})
	return total, err
}

// EachLeaf visits the tuple-free parts of a shape, arrays of tuples element by
// element.
func EachLeaf(s *eval.Shape, visit func(*eval.Shape) error) error {
	if s.Type.Base != types.TupleBase {
		return visit(s)
	}
	n := 1
	for _, d := range s.Dims {
		n *= d
	}
	for range n {
		for _, f := range s.Fields {
			if err := EachLeaf(f, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// A Reader turns unconstrained numbers into parameter values, in order.
type Reader struct {
	Machine *eval.Machine
	Lib     *stdlib.Library
	Q       *eval.Value // the unconstrained point
	pos     int
}

// take returns the next n unconstrained numbers.
func (r *Reader) take(n int) *eval.Value {
	v := eval.NewValue(types.Vector, []int{n}, r.Q.X[r.pos:r.pos+n])
	if r.Q.Active() {
		v.Refs = make([]autodiff.Ref, n)
		for i := range v.Refs {
			v.Refs[i] = r.Q.Ref(r.pos + i)
		}
	}
	r.pos += n
	return v
}

// Value reads a variable of the given shape.
func (r *Reader) Value(v *ir.Var, s *eval.Shape) (*eval.Value, error) {
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

func (r *Reader) tuple(v *ir.Var, s *eval.Shape) (*eval.Value, error) {
	out := eval.NewValue(types.TupleOf(s.Type.Fields...), nil, nil)
	for _, f := range s.Fields {
		x, err := r.Value(v, f)
		if err != nil {
			return nil, err
		}
		out.Fields = append(out.Fields, x)
	}
	return out, nil
}

func (r *Reader) leaf(v *ir.Var, s *eval.Shape) (*eval.Value, error) {
	l, err := NewLeaf(r.Lib, s)
	if err != nil {
		return nil, err
	}
	if l.Transform == nil {
		x := r.take(l.Outer * l.Size)
		x.T, x.Dims = s.Type, s.Dims
		return x, nil
	}
	args, err := r.Bounds(s)
	if err != nil {
		return nil, err
	}
	out := eval.NewValue(s.Type, s.Dims, make([]float64, 0, l.Outer*l.Size))
	written, total := r.written(l), eval.Real(0)
	for i := range l.Outer {
		x, logJ, err := r.element(v, l, args, written == nil)
		if err != nil {
			return nil, err
		}
		if total.X[0] += logJ.X[0]; written != nil {
			x.Node = written.x[i]
		} else if r.Machine.Jacobian {
			r.Machine.AddTerm(v.Loc, logJ)
		}
		out.X = append(out.X, x.X...)
		if l.Outer == 1 {
			out.Node, out.Refs = x.Node, x.Refs
			continue
		}
		for k := range x.X {
			if x.Active() {
				out.Refs = append(out.Refs, x.Ref(k))
			}
		}
	}
	if written != nil && r.Machine.Jacobian {
		total.Node = written.logJ
		r.Machine.AddTerm(v.Loc, total)
	}
	return out, nil
}

// A transformsRecorder applies a constraint transform without bounds to n variables of the same sizes; ok is false where each
// is to be transformed by itself. logJ is the sum of the log Jacobians.
type transformsRecorder interface {
	Transforms(tr *stdlib.Transform, n int, dims []int, free *eval.Value) (x []autodiff.Node, logJ autodiff.Node, ok bool)
}

// A transformed array is what Transforms of a recorder made.
type transformed struct {
	x    []autodiff.Node
	logJ autodiff.Node
}

// written records the transform of all elements at once; nil where each is recorded by itself, or nothing is.
func (r *Reader) written(l *Leaf) *transformed {
	n := l.Outer * l.Free
	rec, ok := r.Machine.Rec.(transformsRecorder)
	if !ok || !r.Q.Active() || l.Transform.Elementwise || n == 0 {
		return nil
	}
	free := r.take(n)
	r.pos -= n
	x, logJ, ok := rec.Transforms(l.Transform, l.Outer, l.Inner, free)
	if !ok {
		return nil
	}
	return &transformed{x, logJ}
}

// Bounds evaluates the arguments of a constraint.
func (r *Reader) Bounds(s *eval.Shape) ([]*eval.Value, error) {
	var args []*eval.Value
	for _, x := range s.Decl.Constraint.Args {
		a, err := r.Machine.Eval(x)
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	return args, nil
}

// element transforms one element, and records that where record says so; the second value is the log Jacobian.
func (r *Reader) element(v *ir.Var, l *Leaf, args []*eval.Value, record bool) (*eval.Value, *eval.Value, error) {
	free := r.take(l.Free)
	out := eval.NewValue(l.Shape.Type, l.Inner, make([]float64, l.Size))
	bounds := make([][]float64, len(args))
	active := free.Active()
	for i, a := range args {
		if len(a.X) != 1 && len(a.X) != l.Size {
			return nil, nil, &eval.Error{Span: l.Shape.Decl.Constraint.Loc,
				Text: fmt.Sprintf("%s: a bound has %d elements, the variable has %d", v.Name, len(a.X), l.Size)}
		}
		bounds[i] = a.X
		active = active || a.Active()
	}
	var work []float64
	if l.Transform.Work != nil {
		work = make([]float64, l.Transform.Work(l.Inner))
	}
	logJ, err := l.Transform.Constrain(l.Inner, free.X, bounds, out.X, work)
	if err != nil {
		return nil, nil, &eval.Error{Span: v.Loc, Text: fmt.Sprintf("%s: %v", v.Name, err), Reject: true}
	}
	term := eval.Real(logJ)
	if record && active && r.Machine.Rec != nil && l.Size+l.Free > 0 {
		out.Node, term.Node = r.Machine.Rec.Transform(l.Transform, l.Inner, free, args, out, logJ)
	}
	return out, term, nil
}

// A Discrete is a discrete parameter with the range of each of its numbers.
type Discrete struct {
	Var       *ir.Var
	Shape     *eval.Shape
	Low, High []int
}

// Numbers counts the numbers of discrete parameters.
func Numbers(list []Discrete) (n int) {
	for _, d := range list {
		n += len(d.Low)
	}
	return n
}

// Span lists n numbers from one on.
func Span(from, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = from + i
	}
	return out
}
