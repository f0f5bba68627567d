// Sums and dot products within blocks, in the order in which vec.Sum and vec.Dot add:
// element i to accumulator i mod 8, then accumulators 4 apart, 2 apart, 1 apart.

package codegen

import (
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

const (
	Lanes        = 4
	Accumulators = 8
)

// NoValue is the absence of an operand.
const NoValue = native.Value(-1 << 31)

// total computes a Sum or Dot node.
//
// The kernels start from zeros, of which one remains where there are fewer elements than
// accumulators. A zero added in the end has the same effect, which is only on the sign of
// a zero. Products, which may underflow to -0, start from zeros where all accumulators
// are in use.
func (c *Compiler) total(n *graph.NodeDef, slot int32) native.Value {
	size := c.at(n.In()[0]).Len()
	t := totaler{Compiler: c, blocks: c.blocks, n: n, dot: n.Kind == graph.KindDot, start: NoValue}
	fromZero := t.dot && size >= Accumulators
	var v native.Value
	if size < Lanes || c.scattered(n) {
		if fromZero {
			t.start = native.InSlot(t.zero)
		}
		v = t.ofNumbers(size)
	} else {
		if fromZero {
			t.start = t.splat(native.InSlot(t.zero))
		}
		v = t.ofVectors(size)
	}
	if fromZero {
		t.list[v].Slot = slot
		return v
	}
	return t.blocks.add(native.Inst{Op: native.Add, A: v, B: native.InSlot(t.zero), Slot: slot})
}

// scattered reports whether an input is a gather that was not made.
func (c *Compiler) scattered(n *graph.NodeDef) bool {
	for _, x := range n.In() {
		if c.at(x).Kind == graph.KindGather && c.class[x] == classFree {
			return true
		}
	}
	return false
}

// A totaler lowers one sum.
type totaler struct {
	*Compiler
	*blocks
	n     *graph.NodeDef
	dot   bool
	start native.Value // of accumulators; noValue where they start with their first term
	wide  bool
}

// accumulate adds the term of operands x and y (of a dot product) to an accumulator.
func (t *totaler) accumulate(acc *native.Value, x, y native.Value) {
	switch {
	case !t.dot && *acc == NoValue:
		*acc = x
	case !t.dot:
		*acc = t.apply(native.Add, t.wide, *acc, x)
	case *acc == NoValue && t.start == NoValue:
		*acc = t.apply(native.Mul, t.wide, x, y)
	default:
		c := *acc
		if c == NoValue {
			c = t.start
		}
		*acc = t.blocks.add(native.Inst{Op: native.FMA, Wide: t.wide, A: x, B: y, C: c, Slot: native.NoSlot})
	}
}

// plus adds two accumulators, of which the second may be missing.
func (t *totaler) plus(x, y native.Value) native.Value {
	if y == NoValue {
		return x
	}
	return t.apply(native.Add, t.wide, x, y)
}

// ofNumbers adds number by number.
func (t *totaler) ofNumbers(size int) native.Value {
	var acc [Accumulators]native.Value
	for k := range acc {
		acc[k] = NoValue
	}
	for i := range size {
		y := NoValue
		if t.dot {
			y = t.element(t.n.In()[1], i)
		}
		t.accumulate(&acc[i%Accumulators], t.element(t.n.In()[0], i), y)
	}
	for step := Accumulators / 2; step > 0; step /= 2 {
		for k := range step {
			acc[k] = t.plus(acc[k], acc[k+step])
		}
	}
	return acc[0]
}

// ofVectors adds four numbers at a time.
func (t *totaler) ofVectors(size int) native.Value {
	t.wide = true
	acc := [2]native.Value{NoValue, NoValue}
	for i := 0; i < size; i += Lanes {
		y := NoValue
		if t.dot {
			y = t.lanes(t.n.In()[1], i, size)
		}
		t.accumulate(&acc[i/Lanes%2], t.lanes(t.n.In()[0], i, size), y)
	}
	return t.apply(native.Fold, false, t.plus(acc[0], acc[1]), 0)
}

// lanes returns elements from i on, zeros behind the end.
func (t *totaler) lanes(x graph.Node, i, size int) native.Value {
	if i+Lanes <= size {
		return t.four(x, i)
	}
	for n := t.at(x); n.Kind == graph.KindView; n = t.at(x) {
		i, size = i+int(n.Off), size+int(n.Off)
		x = n.In()[0]
	}
	return t.apply(native.Head1+native.Op(size-i-1), false, native.InSlot(t.slot[x]+i), 0)
}
