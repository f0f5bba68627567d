// Iterations of scans for one point to iterations for several.

package batch

import (
	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

// A loopLowerer lowers one block of a scan. Each number becomes four, one for each point. Reads of strided
// streams are interleaved, and writes to them are scattered.
type loopLowerer struct {
	*scanLowerer
	list   []native.Inst
	values []native.Value         // of the block's instructions
	read   map[int32]native.Value // of slots whose numbers are put together, from more than one place
}

// loop makes a block for all lanes, with the carries that it has in registers.
func (b *scanLowerer) loop(block []native.Inst, carries []native.Carry) native.Loop {
	w := &loopLowerer{scanLowerer: b, values: make([]native.Value, len(block)), read: map[int32]native.Value{}}
	from := make([]int, len(carries))
	for i, c := range carries {
		from[i] = w.carry(int32(c.From))
	}
	for i := range block {
		w.inst(i, &block[i])
	}
	l := native.Loop{}
	for i, c := range carries {
		l.Carries = append(l.Carries, native.Carry{From: from[i], Next: w.operand(c.Next), Wide: true})
	}
	l.Block = w.list
	return l
}

// carry returns the slot where the loop finds a carry: its stream, or room for it where lanes
// are apart. There the carry is copied at once, since a register that the block needs is
// not stored in what is read anyway.
func (w *loopLowerer) carry(stream int32) int {
	x := &w.streams[stream]
	if x.interleaved {
		return int(x.slot)
	}
	slot := w.ownSlot(w.size)
	w.body.Carries = append(w.body.Carries, laneCarry{w.size, x.area})
	w.size += codegen.Lanes
	w.read[stream] = w.add(native.Inst{Op: native.Copy, Wide: true, A: native.InSlot(slot), Slot: native.NoSlot})
	return slot
}

// ownSlot is the slot of its own number k.
func (b *scanLowerer) ownSlot(k int) int { return len(b.slots.ByOne) + k }

// inOwn is where number k of the plan's arena is among its own. By twos, numbers overlap
// with the next ones, which are stored after them.
func (w *loopLowerer) inOwn(k int32) int {
	if at, ok := w.packed[k]; ok && w.pairs {
		return at
	}
	return codegen.Lanes * int(k)
}

// number is a number of the plan's arena. By twos, what a call has made is taken twice.
func (w *loopLowerer) number(k int32) native.Value {
	v := native.InSlot(w.ownSlot(w.inOwn(k)))
	if !w.pairs || !w.made[k] {
		return v
	}
	slot := k + int32(len(w.streams))
	two, ok := w.read[slot]
	if !ok {
		two = w.join(native.LowHalves, v, v)
		w.read[slot] = two
	}
	return two
}

// inst adds an instruction.
func (w *loopLowerer) inst(i int, in *native.Inst) {
	x := native.Inst{Op: in.Op, Wide: true, Slot: native.NoSlot}
	for k, v := range []native.Value{in.A, in.B, in.C}[:in.Op.Arity()] {
		*[]*native.Value{&x.A, &x.B, &x.C}[k] = w.operand(v)
	}
	to, apart := w.target(in.Slot)
	if !apart {
		x.Slot = to
		w.values[i] = w.add(x)
		return
	}
	w.values[i] = x.A // of a copy
	if in.Op != native.Copy {
		w.values[i] = w.add(x)
	}
	w.add(native.Inst{Op: native.Scatter, A: w.values[i], B: 1, Slot: to})
}

// target is where a result goes; apart says that there are slots for each lane.
func (w *loopLowerer) target(slot int32) (to int32, apart bool) {
	switch n := int32(len(w.streams)); {
	case slot == native.NoSlot:
		return slot, false
	case slot >= n:
		return int32(w.ownSlot(w.inOwn(slot - n))), false
	}
	x := &w.streams[slot]
	return x.slot, !x.interleaved
}

// operand is an operand for all lanes.
func (w *loopLowerer) operand(v native.Value) native.Value {
	if v >= 0 {
		return w.values[v]
	}
	slot := int32(^v)
	if n := int32(len(w.streams)); slot >= n {
		return w.number(slot - n)
	}
	x := &w.streams[slot]
	if x.interleaved {
		return native.InSlot(int(x.slot))
	}
	if v, ok := w.read[slot]; ok {
		return v
	}
	from := func(l int) native.Value {
		return w.add(native.Inst{Op: native.Splat, A: native.InSlot(int(x.slot) + l), Slot: native.NoSlot})
	}
	four := from(0)
	if x.strided {
		low, high := w.join(native.EvenLanes, four, from(1)), w.join(native.EvenLanes, from(2), from(3))
		four = w.join(native.LowHalves, low, high)
	}
	w.read[slot] = four
	return four
}

// join adds an operation on two registers.
func (w *loopLowerer) join(op native.Op, x, y native.Value) native.Value {
	return w.add(native.Inst{Op: op, A: x, B: y, Slot: native.NoSlot})
}

func (w *loopLowerer) add(in native.Inst) native.Value {
	w.list = append(w.list, in)
	return native.Value(len(w.list) - 1)
}
