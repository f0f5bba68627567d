// Operations on four numbers as operations on pairs, before registers are given out.

package native

// What only lowered blocks have.
const (
	pairFirst Op = HighHalves + 1 + iota // the number A and a zero
	pairZeros                            // two zeros
	pairFold                             // the numbers of two pairs as one: (A0+B0) + (A1+B1)
)

// A pairs lowers blocks. Values of four numbers are two pairs, which may be the same one, or
// lie in the arena: no slot is stored when it has been read.
type pairs struct {
	streams int32
	out     []Inst
	of      [][2]Value // of each instruction that was lowered; numbers have the first
}

func (e *neon) begin(block []Inst, streams int32) []Inst {
	e.bases.forget(0)
	p := &e.pairs
	p.streams, p.out, p.of = streams, p.out[:0], p.of[:0]
	for i := range block {
		p.of = append(p.of, p.lower(&block[i]))
	}
	return p.out
}

func (e *neon) lowered(v Value, part int32) Value { return e.pairs.half(v, part) }

// half is what an operand is in a half.
func (p *pairs) half(v Value, h int32) Value {
	if v < 0 {
		return InSlot(int(p.slot(int32(^v), h)))
	}
	return p.of[v][h]
}

// slot is where a half of four numbers is whose first is in a slot. The upper halves of
// streams have slots after the streams.
func (p *pairs) slot(slot, h int32) int32 {
	switch {
	case slot == NoSlot:
		return NoSlot
	case slot < p.streams:
		return slot + h*p.streams
	}
	return slot + p.streams + 2*h
}

// add appends an instruction.
func (p *pairs) add(in Inst) Value {
	p.out = append(p.out, in)
	return Value(len(p.out) - 1)
}

// known returns two values as the halves of a result, stored where it is.
func (p *pairs) known(in *Inst, low, high Value) [2]Value {
	if in.Slot != NoSlot {
		p.add(Inst{Op: Copy, Wide: true, A: low, Slot: p.slot(in.Slot, 0)})
		p.add(Inst{Op: Copy, Wide: true, A: high, Slot: p.slot(in.Slot, 1)})
	}
	return [2]Value{low, high}
}

// lower appends what an instruction becomes, and returns its result.
func (p *pairs) lower(in *Inst) [2]Value {
	number := func(op Op, a Value) Value { return p.add(Inst{Op: op, A: p.half(a, 0), Slot: NoSlot}) }
	zeros := func() Value { return p.add(Inst{Op: pairZeros, Slot: NoSlot}) }
	switch in.Op {
	case Splat:
		x := number(Splat, in.A)
		return p.known(in, x, x)
	case Repeat:
		x := p.add(Inst{Op: Repeat, A: p.half(in.A, int32(in.B)/2), B: in.B % 2, Slot: NoSlot})
		return p.known(in, x, x)
	case Head1:
		return p.known(in, number(pairFirst, in.A), zeros())
	case Head2:
		return p.known(in, p.half(in.A, 0), zeros())
	case Head3:
		return p.known(in, p.half(in.A, 0), number(pairFirst, in.A-2))
	case LowHalves:
		return p.known(in, p.half(in.A, 0), p.half(in.B, 0))
	case HighHalves:
		return p.known(in, p.half(in.A, 1), p.half(in.B, 1))
	case Fold:
		x := p.add(Inst{Op: pairFold, A: p.half(in.A, 0), B: p.half(in.A, 1), Slot: p.slot(in.Slot, 0)})
		return [2]Value{x, x}
	case Scatter:
		for h := range int32(2) {
			p.add(Inst{Op: Scatter, A: p.half(in.A, h), B: in.B, Slot: p.slot(in.Slot+2*h*int32(in.B), 0)})
		}
		return [2]Value{}
	}
	return p.twice(in)
}

// twice lowers an operation on each of the two numbers.
func (p *pairs) twice(in *Inst) (x [2]Value) {
	for h := range int32(2) {
		if h > 0 && !in.wideResult() {
			break
		}
		half := *in
		for k, v := range []*Value{&half.A, &half.B, &half.C} {
			if k < in.Op.Arity() {
				*v = p.half(*v, h)
			}
		}
		half.Slot = p.slot(in.Slot, h)
		x[h] = p.add(half)
	}
	return x
}
