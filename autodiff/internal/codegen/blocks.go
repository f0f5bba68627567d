// Emission for machine code: arithmetic gathers in blocks, which calls end.

package codegen

import (
	"cmp"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

// BlockOp returns the machine operation of a core operation that has one.
func BlockOp(op *graph.Op) (native.Op, bool) {
	switch op.Code {
	case graph.CodeAdd:
		return native.Add, true
	case graph.CodeSub:
		return native.Sub, true
	case graph.CodeMul:
		return native.Mul, true
	case graph.CodeShift:
		return native.Shift, true
	case graph.CodeNeg:
		return native.Neg, true
	case graph.CodeInv:
		return native.Inv, true
	case graph.CodeSquare:
		return native.Square, true
	case graph.CodeSqrt:
		return native.Sqrt, true
	case graph.CodeMulAdd:
		return native.FMA, true
	case graph.CodeMulSub:
		return native.FMS, true
	case graph.CodeNegMulAdd:
		return native.FNMA, true
	}
	switch op {
	case graph.PickBySign:
		return native.Pick, true
	case graph.More:
		return native.More, true
	case graph.AtLeast:
		return native.AtLeast, true
	}
	return 0, false
}

// A blocks collects arithmetic. Numbers that only their own block uses have no place in
// the arena. Vectors have one, with their elements in groups of four.
type blocks struct {
	done  [][]native.Inst
	nodes []graph.Node // of the block at hand
	size  int          // about how many instructions they will be
	of    []int32      // block of each node, from 1
	want  []int32      // order in which numbers should lie in the arena; 0 for any
	zero  int          // a slot that holds 0

	list   []native.Inst
	value  []native.Value // of each scalar, and of the first group of a vector
	splats map[native.Value]native.Value
	groups []native.Inst // of a vector, before they are added
}

func (c *Compiler) newBlocks(runs []run) *blocks {
	n := c.g.Size()
	b := &blocks{of: make([]int32, n), want: make([]int32, n), value: make([]native.Value, n), zero: c.size,
		splats: map[native.Value]native.Value{}}
	c.size++
	count := int32(0)
	note := func(x graph.Node) {
		if c.class[x] == classBlock && c.at(x).N == 1 && b.want[x] == 0 {
			count++
			b.want[x] = count
		}
	}
	for _, r := range runs {
		first := c.at(r[0])
		if c.class[r[0]] == classCall && first.Kind == graph.KindMap && first.N == 1 {
			for k := range first.In() {
				for _, x := range r {
					note(c.at(x).In()[k])
				}
			}
			continue
		}
		for _, x := range r {
			if n := c.at(x); n.Kind == graph.KindGather && c.class[x] != classFree {
				for _, ref := range n.Refs {
					note(n.In()[ref.Node])
				}
			}
		}
	}
	return b
}

// emitNative makes instructions of a run of scheduleNative.
func (c *Compiler) emitNative(r run) {
	b := c.blocks
	if c.class[r[0]] == classCall {
		c.endBlock()
		c.emit(r)
		return
	}
	for _, x := range r {
		n := c.at(x)
		if c.class[x] == classFree {
			if n.Kind != graph.KindGather {
				c.emit(run{x})
			}
			continue
		}
		if n.Kind == graph.KindGather && c.inPlace(x, n) {
			continue
		}
		b.nodes = append(b.nodes, x)
		b.of[x] = int32(len(b.done)) + 1
		if n.N > 1 {
			c.place(x, n.Len())
		}
		for _, y := range n.In() {
			b.size += c.at(y).Len()
		}
		if b.size > native.MaxBlock/2 {
			c.endBlock()
		}
	}
}

// endBlock writes the block at hand.
func (c *Compiler) endBlock() {
	b := c.blocks
	if b == nil || len(b.nodes) == 0 {
		return
	}
	c.placeResults()
	b.list = make([]native.Inst, 0, len(b.nodes)+len(b.nodes)/4)
	clear(b.splats)
	for _, x := range b.nodes {
		n := c.at(x)
		slot := c.slotOf(x)
		switch {
		case n.Kind == graph.KindGather:
			c.copies(n, slot)
			b.value[x] = NoValue
		case n.Kind == graph.KindAccumulate:
			c.scatter(n, slot)
			b.value[x] = NoValue
		case n.Kind != graph.KindMap:
			b.value[x] = c.total(n, slot)
		case n.N == 1:
			b.value[x] = c.scalarMap(n, 0, slot)
		default:
			b.value[x] = c.vectorMap(n, slot)
		}
	}
	c.Code = append(c.Code, Instr{Code: IcodeNative, N: int32(len(b.list)), A: int32(len(b.done))})
	b.done = append(b.done, b.list)
	b.nodes, b.size = b.nodes[:0], 0
}

// placeResults assigns a place to each scalar of the block that is used outside; what
// calls take together lies together.
func (c *Compiler) placeResults() {
	b := c.blocks
	var wanted []graph.Node // in a certain order
	for _, x := range b.nodes {
		if c.at(x).N == 1 {
			c.slot[x] = native.NoSlot
		}
	}
	for _, x := range b.nodes {
		if n := c.at(x); n.Kind == graph.KindGather {
			c.placeInGather(n, c.slot[x])
		}
	}
	for _, x := range b.nodes {
		if c.at(x).N == 1 && c.slot[x] == native.NoSlot && (c.root[x] || c.usedOutside(x, b.of[x])) {
			if b.want[x] == 0 {
				c.place(x, 1)
				continue
			}
			wanted = append(wanted, x)
		}
	}
	slices.SortFunc(wanted, func(x, y graph.Node) int { return cmp.Compare(b.want[x], b.want[y]) })
	for _, x := range wanted {
		c.place(x, 1)
	}
}

func (c *Compiler) usedOutside(x graph.Node, block int32) bool {
	for _, u := range c.users.of(x) {
		switch c.class[u] {
		case classCall:
			return true
		case classFree: // a gather that sums look through, or a view
			if c.usedOutside(u, block) {
				return true
			}
		default:
			if c.blocks.of[u] != block {
				return true
			}
		}
	}
	return false
}

// slotOf is where a scalar of the block is stored.
func (c *Compiler) slotOf(x graph.Node) int32 { return int32(c.slot[x]) }

// add appends an instruction.
func (b *blocks) add(in native.Inst) native.Value {
	b.list = append(b.list, in)
	return native.Value(len(b.list) - 1)
}

// apply is add of an operation on numbers whose result is not stored.
func (b *blocks) apply(op native.Op, wide bool, x, y native.Value) native.Value {
	return b.add(native.Inst{Op: op, Wide: wide, A: x, B: y, Slot: native.NoSlot})
}

// scalarMap computes element i of a Map.
func (c *Compiler) scalarMap(n *graph.NodeDef, i int, slot int32) native.Value {
	op, _ := BlockOp(n.Op)
	in := native.Inst{Op: op, A: c.element(n.In()[0], i), Slot: slot}
	if len(n.In()) > 1 {
		in.B = c.element(n.In()[1], i)
	}
	if len(n.In()) > 2 {
		in.C = c.element(n.In()[2], i)
	}
	return c.blocks.add(in)
}

// vectorMap computes a Map of several elements, four at a time as long as there are so
// many. Its instructions follow each other, since what they use is made before.
func (c *Compiler) vectorMap(n *graph.NodeDef, slot int32) native.Value {
	op, _ := BlockOp(n.Op)
	b := c.blocks
	b.groups = b.groups[:0]
	for i := 0; i+Lanes <= n.Len(); i += Lanes {
		in := native.Inst{Op: op, Wide: true, A: c.four(n.In()[0], i), Slot: slot + int32(i)}
		if len(n.In()) > 1 {
			in.B = c.four(n.In()[1], i)
		}
		if len(n.In()) > 2 {
			in.C = c.four(n.In()[2], i)
		}
		b.groups = append(b.groups, in)
	}
	first := native.Value(len(b.list))
	b.list = append(b.list, b.groups...)
	i := n.Len() &^ (Lanes - 1)
	for ; i < n.Len(); i++ {
		c.scalarMap(n, i, slot+int32(i))
	}
	return first
}

// element returns element i of a node as an operand; a scalar stands for each element.
func (c *Compiler) element(x graph.Node, i int) native.Value {
	n := c.at(x)
	if n.N == 1 {
		i = 0
	}
	switch {
	case n.Kind == graph.KindView:
		return c.element(n.In()[0], i+int(n.Off))
	case n.Kind == graph.KindGather && (c.class[x] == classFree || c.blocks.here(x)):
		r := n.Refs[i]
		return c.element(n.In()[r.Node], int(r.Elem))
	case !c.blocks.here(x):
		return native.InSlot(c.slot[x] + i)
	case n.N == 1:
		return c.blocks.value[x]
	}
	if groups := n.Len() / Lanes; i >= Lanes*groups && c.blocks.value[x] != NoValue {
		return c.blocks.value[x] + native.Value(i-(Lanes-1)*groups)
	}
	return native.InSlot(c.slot[x] + i)
}

// four is elements i to i+3 of a node; a scalar is all four.
func (c *Compiler) four(x graph.Node, i int) native.Value {
	b, n := c.blocks, c.at(x)
	switch {
	case n.N == 1:
		return b.splat(c.element(x, 0))
	case n.Kind == graph.KindView:
		return c.four(n.In()[0], i+int(n.Off))
	case n.Kind == graph.KindGather && b.here(x):
		if v, ok := c.together(n, i); ok {
			return v
		}
	case b.here(x) && i%Lanes == 0 && i+Lanes <= n.Len() && b.value[x] != NoValue:
		return b.value[x] + native.Value(i/Lanes)
	}
	return native.InSlot(c.slot[x] + i)
}

// here reports whether a node is computed in the current block.
func (b *blocks) here(x graph.Node) bool { return int(b.of[x]) == len(b.done)+1 }

// splat returns four times the same number.
func (b *blocks) splat(x native.Value) native.Value {
	v, ok := b.splats[x]
	if !ok {
		v = b.apply(native.Splat, false, x, 0)
		b.splats[x] = v
	}
	return v
}
