// Blocks of machine code for one point to blocks for several.

package batch

import (
	"maps"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

// A blockLowerer lowers one block. A number becomes four lanes, those of the four
// points. Four numbers become four times four, for which there are two forms.
type blockLowerer struct {
	*BatchLowerer
	list    []native.Inst
	values  []laneValue            // of the block's instructions
	known   map[int32]*laneValue   // of slots, from each a number
	read    map[int32]*laneValue   // of slots, from each four numbers
	made    map[int32]element      // of slots that the block has stored by fours, lanes apart
	pending map[int32]native.Value // numbers not stored yet, of slots whose lanes are apart
}

// An element is number k of four.
type element struct {
	of *laneValue
	k  int32
}

// A form is which way four numbers at four points lie in registers.
type form uint8

const (
	byElement form = iota // each register has a number at all points
	byPoint               // each register has all numbers at a point
)

// opposite is the other form.
func (f form) opposite() form { return 1 - f }

// A laneValue is an operand at four points, in one of the forms or both. A single number
// is element 0 by element; where it stands for four, it has its registers by point once
// they are wanted.
type laneValue struct {
	v      [2][codegen.Lanes]native.Value
	known  [2]bool
	number bool
}

// numberOf is the value of a single number.
func numberOf(x native.Value) laneValue {
	return laneValue{v: [2][codegen.Lanes]native.Value{byElement: {x, x, x, x}}, known: [2]bool{byElement: true}, number: true}
}

// Block makes a block for all points.
func (w *BatchLowerer) Block(block []native.Inst) []native.Inst {
	b := &blockLowerer{BatchLowerer: w, values: make([]laneValue, len(block)), known: map[int32]*laneValue{}, read: map[int32]*laneValue{}, made: map[int32]element{}, pending: map[int32]native.Value{}}
	for i := range block {
		b.values[i] = b.inst(&block[i])
	}
	b.flushRest()
	return b.list
}

func (b *blockLowerer) inst(in *native.Inst) laneValue {
	switch {
	case in.Op == native.Splat:
		return b.kept(*b.number(in.A), in.Slot)
	case in.Op == native.Fold:
		x := b.as(b.four(in.A), byElement)
		low, high := b.apply(native.Add, x[0], x[2]), b.apply(native.Add, x[1], x[3])
		return b.store(native.Inst{Op: native.Add, A: low, B: high}, in.Slot)
	case in.Op >= native.Head1 && in.Op <= native.Head3:
		return b.kept(b.head(in), in.Slot)
	case in.Wide:
		return b.wide(in)
	}
	x := native.Inst{Op: in.Op}
	for k, v := range b.used(in) {
		*[]*native.Value{&x.A, &x.B, &x.C}[k] = b.number(v).v[byElement][0]
	}
	return b.store(x, in.Slot)
}

// used are the operands of an arithmetic instruction.
func (b *blockLowerer) used(in *native.Inst) []native.Value {
	return []native.Value{in.A, in.B, in.C}[:in.Op.Arity()]
}

// number is the value of an operand that is a single number.
func (b *blockLowerer) number(x native.Value) *laneValue {
	if x >= 0 {
		return &b.values[x]
	}
	return b.slot(int32(^x))
}

// slot is the number in a slot. Where its lanes are apart it comes with its neighbours:
// what is not needed of them is not computed.
func (b *blockLowerer) slot(s int32) *laneValue {
	v, ok := b.known[s]
	made, here := b.made[s]
	switch {
	case ok:
		return v
	case here:
		x := numberOf(b.as(made.of, byElement)[made.k])
		b.known[s] = &x
		return &x
	case b.step[s] == 1:
		x := numberOf(native.InSlot(int(b.at[s])))
		b.known[s] = &x
		return &x
	}
	first, around := b.quad(s), laneValue{}
	around.known[byPoint] = true
	for l := range around.v[byPoint] {
		around.v[byPoint][l] = native.InSlot(b.Address(int(first), l))
	}
	for k, x := range b.as(&around, byElement) {
		at := first + int32(k)
		if _, here := b.made[at]; !here && b.known[at] == nil && b.inQuad(at, first) {
			n := numberOf(x)
			b.known[at] = &n
		}
	}
	return b.known[s]
}

// quad returns the first of the four slots that are loaded and stored together, slot s, whose
// lanes are apart, among them.
func (f *Layout) quad(s int32) int32 { return s - f.rank[s]%codegen.Lanes }

// inQuad reports whether slot s is one of the four from first on, and of the same vector.
func (f *Layout) inQuad(s, first int32) bool {
	return int(s) < len(f.at) && f.step[s] != 1 && f.quad(s) == first
}

// four is the value of an operand that is four numbers.
func (b *blockLowerer) four(x native.Value) *laneValue {
	if x >= 0 {
		return &b.values[x]
	}
	s := int32(^x)
	v, ok := b.read[s]
	if ok {
		return v
	}
	v = &laneValue{}
	b.read[s] = v
	where := b.area(int(s), codegen.Lanes)
	switch {
	case where.interleaved:
		v.known[byElement] = true
		for k := range v.v[byElement] {
			v.v[byElement][k] = native.InSlot(int(b.at[s]) + k*codegen.Lanes)
		}
	case where.strided && !b.waits(s, codegen.Lanes):
		v.known[byPoint] = true
		for l := range v.v[byPoint] {
			v.v[byPoint][l] = native.InSlot(int(b.at[s]) + l*where.step)
		}
	default:
		v.known[byElement] = true
		for k := range v.v[byElement] {
			v.v[byElement][k] = b.slot(s + int32(k)).v[byElement][0]
		}
	}
	return v
}

// stored notes four numbers that the block has stored from a slot on, whose lanes are
// apart. What the arena held there may have been read before, with a neighbour, and a block
// reads a slot once only.
func (b *blockLowerer) stored(s int32, four *laneValue) {
	b.read[s] = four
	for k := range int32(codegen.Lanes) {
		delete(b.known, s+k)
		b.made[s+k] = element{four, k}
	}
}

// waits reports whether one of n slots is not stored yet, or was so by this block: then the
// arena is not to be read.
func (b *blockLowerer) waits(s int32, n int) bool {
	for k := range int32(n) {
		_, pending := b.pending[s+k]
		if _, here := b.made[s+k]; pending || here {
			return true
		}
	}
	return false
}

// head is some numbers from a slot on, with zeros behind them.
func (b *blockLowerer) head(in *native.Inst) laneValue {
	s, n := int(^in.A), int(in.Op-native.Head1)+1
	var v laneValue
	if where := b.area(s, n); n > 1 && where.strided && !b.waits(int32(s), n) {
		v.known[byPoint] = true
		for l := range v.v[byPoint] {
			v.v[byPoint][l] = b.add(native.Inst{Op: in.Op, A: native.InSlot(b.Address(s, l)), Slot: native.NoSlot})
		}
		return v
	}
	v.known[byElement] = true
	for k := range v.v[byElement] {
		v.v[byElement][k] = native.InSlot(b.Zero)
		if k < n {
			v.v[byElement][k] = b.slot(int32(s + k)).v[byElement][0]
		}
	}
	return v
}

// wide makes an operation on four numbers: in the form in which the result is stored, or
// else the one that the operands have.
func (b *blockLowerer) wide(in *native.Inst) laneValue {
	var args [3]*laneValue
	have := [2]bool{}
	for k, x := range b.used(in) {
		args[k] = b.four(x)
		if v := args[k]; !v.number {
			have[byElement] = have[byElement] || v.known[byElement]
			have[byPoint] = have[byPoint] || v.known[byPoint]
		}
	}
	f := byElement
	if have[byPoint] && !have[byElement] {
		f = byPoint
	}
	var where area
	if in.Slot != native.NoSlot {
		where = b.area(int(in.Slot), codegen.Lanes)
		f = byElement // as numbers are stored one by one, where only some of them are apart
		if where.strided {
			f = byPoint
		}
	}
	var regs [3][codegen.Lanes]native.Value
	for k := range b.used(in) {
		regs[k] = b.as(args[k], f)
	}
	var out laneValue
	out.known[f] = true
	for k := range codegen.Lanes {
		x := native.Inst{Op: in.Op, A: regs[0][k], B: regs[1][k], C: regs[2][k]}
		switch {
		case in.Slot == native.NoSlot || f == byElement:
			slot := in.Slot
			if slot != native.NoSlot {
				slot += int32(k)
			}
			out.v[f][k] = b.store(x, slot).v[byElement][0]
		default:
			x.Wide, x.Slot = true, int32(b.Address(int(in.Slot), k))
			out.v[f][k] = b.add(x)
		}
	}
	if where.strided {
		b.stored(in.Slot, &out)
	}
	return out
}

// as returns the registers of four numbers in a form.
func (b *blockLowerer) as(v *laneValue, f form) [codegen.Lanes]native.Value {
	if v.known[f] {
		return v.v[f]
	}
	v.known[f] = true
	x := &v.v[f.opposite()]
	if v.number {
		for l := range v.v[f] {
			v.v[f][l] = b.repeated(x[0], l)
		}
		return v.v[f]
	}
	// The transpose of four by four.
	even, odd := b.apply(native.EvenLanes, x[0], x[1]), b.apply(native.OddLanes, x[0], x[1])
	even2, odd2 := b.apply(native.EvenLanes, x[2], x[3]), b.apply(native.OddLanes, x[2], x[3])
	v.v[f] = [codegen.Lanes]native.Value{
		b.apply(native.LowHalves, even, even2), b.apply(native.LowHalves, odd, odd2),
		b.apply(native.HighHalves, even, even2), b.apply(native.HighHalves, odd, odd2),
	}
	return v.v[f]
}

// repeated returns the number x of lane l in all four lanes.
func (b *blockLowerer) repeated(x native.Value, l int) native.Value {
	if x < 0 {
		return b.add(native.Inst{Op: native.Splat, A: native.InSlot(int(^x) + l), Slot: native.NoSlot})
	}
	return b.add(native.Inst{Op: native.Repeat, A: x, B: native.Value(l), Slot: native.NoSlot})
}

// kept copies a value that took no arithmetic to its slot, where it has one.
func (b *blockLowerer) kept(v laneValue, slot int32) laneValue {
	if slot != native.NoSlot {
		for k, x := range b.as(&v, byElement) {
			b.store(native.Inst{Op: native.Copy, A: x}, slot+int32(k))
		}
	}
	return v
}

// store adds an operation on a number at all points, whose result goes to a slot.
func (b *blockLowerer) store(in native.Inst, slot int32) laneValue {
	in.Wide, in.Slot = true, native.NoSlot
	if slot != native.NoSlot && b.step[slot] == 1 {
		in.Slot = b.at[slot]
	}
	v := numberOf(b.add(in))
	if slot != native.NoSlot && b.step[slot] != 1 {
		kept := v
		b.known[slot] = &kept
		b.pending[slot] = v.v[byElement][0]
		b.flush(b.quad(slot))
	}
	return v
}

// flush stores four numbers whose lanes are apart, once all are there.
func (b *blockLowerer) flush(first int32) {
	var four laneValue
	four.known[byElement] = true
	for k := range four.v[byElement] {
		x, ok := b.pending[first+int32(k)]
		if !ok || !b.inQuad(first+int32(k), first) {
			return
		}
		four.v[byElement][k] = x
	}
	for l, x := range b.as(&four, byPoint) {
		b.add(native.Inst{Op: native.Copy, Wide: true, A: x, Slot: int32(b.Address(int(first), l))})
	}
	for k := range int32(codegen.Lanes) {
		delete(b.pending, first+k)
	}
}

// flushRest stores what is left of numbers whose lanes are apart.
func (b *blockLowerer) flushRest() {
	for _, s := range slices.Sorted(maps.Keys(b.pending)) {
		b.add(native.Inst{Op: native.Scatter, A: b.pending[s], B: native.Value(b.step[s]), Slot: b.at[s]})
	}
}

// apply adds an operation of two registers, whose result is not stored.
func (b *blockLowerer) apply(op native.Op, x, y native.Value) native.Value {
	return b.add(native.Inst{Op: op, Wide: true, A: x, B: y, Slot: native.NoSlot})
}

func (b *blockLowerer) add(in native.Inst) native.Value {
	b.list = append(b.list, in)
	return native.Value(len(b.list) - 1)
}
