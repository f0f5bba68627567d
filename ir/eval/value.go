// Values: concrete numbers with an optional dependency on the recorder's input.

package eval

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A Value is a number, container, tuple or function. Numbers lie in X: array
// dimensions outermost and row-major, vectors and matrices column-major inside,
// complex numbers as two neighbours. A Value is not changed once it has been handed
// on; variables copy before they write.
type Value struct {
	T    types.Type
	Dims []int // sizes, array dimensions first
	X    []float64

	Node autodiff.Node  // the node that is the whole of X, or None
	Refs []autodiff.Ref // what each number of X is, where Node is None; nil for constants

	later *deferred // computes X, of which nothing is there before; nil for most values

	Fields []*Value // of a tuple
	Elems  []*Value // of an array of tuples, in row-major order
	Fn     *ir.Function
}

// NewValue makes a constant of the given type and sizes; x is kept.
func NewValue(t types.Type, dims []int, x []float64) *Value {
	return &Value{T: t, Dims: dims, X: x, Node: autodiff.None}
}

// A scalar is a Value with the room that one number needs, in one piece of memory.
type scalar struct {
	Value
	x   [1]float64
	ref [1]autodiff.Ref
}

// newNumber makes a constant of one number.
func newNumber(t types.Type, x float64) *Value {
	n := &scalar{Value: Value{T: t, Node: autodiff.None}, x: [1]float64{x}}
	n.X = n.x[:]
	return &n.Value
}

// newZeros makes a constant of n zeros.
func newZeros(t types.Type, dims []int, n int) *Value {
	if n == 1 {
		v := newNumber(t, 0)
		v.Dims = dims
		return v
	}
	return NewValue(t, dims, make([]float64, n))
}

// Real makes a constant real number.
func Real(x float64) *Value { return newNumber(types.Real, x) }

// Int makes a constant integer.
func Int(n int) *Value { return newNumber(types.Int, float64(n)) }

// Active reports whether v depends on the recorder's input.
func (v *Value) Active() bool { return v.Node != autodiff.None || v.Refs != nil }

// Ref names number i of v; Node None for a constant.
func (v *Value) Ref(i int) autodiff.Ref {
	switch {
	case v.Node != autodiff.None:
		return autodiff.Ref{Node: v.Node, Elem: int32(i)}
	case v.Refs != nil:
		return v.Refs[i]
	}
	return autodiff.Ref{Node: autodiff.None}
}

// refs spells the references of v out; nil for a constant.
func (v *Value) refs() []autodiff.Ref {
	if v.Node == autodiff.None {
		return v.Refs
	}
	out := make([]autodiff.Ref, len(v.X))
	for i := range out {
		out[i] = autodiff.Ref{Node: v.Node, Elem: int32(i)}
	}
	return out
}

// clone copies v deeply, for a variable that will be written to.
func (v *Value) clone() *Value {
	w := *v.known()
	w.later = nil
	w.X = append([]float64(nil), v.X...)
	w.Dims = append([]int(nil), v.Dims...)
	w.Refs = append([]autodiff.Ref(nil), v.Refs...)
	w.Fields, w.Elems = cloneAll(v.Fields), cloneAll(v.Elems)
	return &w
}

func cloneAll(vs []*Value) []*Value {
	if vs == nil {
		return nil
	}
	out := make([]*Value, len(vs))
	for i, v := range vs {
		out[i] = v.clone()
	}
	return out
}

// as returns v under another type of the same layout.
func (v *Value) as(t types.Type) *Value {
	w := *v
	w.T = t
	return &w
}

// viewed is as for a value that stays unchanged: where the type is v's already, that is v.
func (v *Value) viewed(t types.Type) *Value {
	if v.T.Base == t.Base && v.T.Dims == t.Dims && t.Fields == nil && v.T.Fields == nil && v.T.Fn == t.Fn {
		return v
	}
	return v.as(t)
}

// Shared returns a copy that has v's numbers in common with it.
func (v *Value) Shared() *Value {
	w := *v
	return &w
}

// constant returns v without its dependency.
func (v *Value) constant() *Value {
	w := *v
	w.Node, w.Refs = autodiff.None, nil
	return &w
}

// tensor shows v to a library function.
func (v *Value) tensor() stdlib.Tensor {
	return stdlib.Tensor{Rank: RankOf(v.T), Dims: v.Dims, X: v.X}
}

// RankOf returns what the library needs to know of a type beyond its sizes.
func RankOf(t types.Type) stdlib.Rank {
	return stdlib.Rank{Array: t.Dims, Row: t.Base == types.RowVectorBase || t.Base == types.ComplexRowVectorBase}
}

// unit is how many numbers an element takes: 2 for complex ones.
func unit(t types.Type) int {
	if t.Base.IsComplex() {
		return 2
	}
	return 1
}

// product multiplies sizes.
func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// Undefined makes a variable's first value: NaN for reals, the smallest int for
// integers.
func Undefined(shape *Shape) *Value {
	t := shape.Type
	if t.Base == types.TupleBase {
		if t.Dims == 0 {
			v := NewValue(t, nil, nil)
			for _, f := range shape.Fields {
				v.Fields = append(v.Fields, Undefined(f))
			}
			return v
		}
		v := NewValue(t, shape.Dims, nil)
		elem := *shape
		elem.Type, elem.Dims = types.TupleOf(t.Fields...), nil
		for range product(shape.Dims) {
			v.Elems = append(v.Elems, Undefined(&elem))
		}
		return v
	}
	x := make([]float64, product(shape.Dims)*unit(t))
	fill := math.NaN()
	if t.Base == types.IntBase {
		fill = math.MinInt32
	}
	for i := range x {
		x[i] = fill
	}
	return NewValue(t, shape.Dims, x)
}

// A Shape is a declaration's shape with its sizes computed.
type Shape struct {
	Type   types.Type
	Dims   []int
	Fields []*Shape
	Decl   *ir.Shape
}
