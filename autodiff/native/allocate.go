// The register allocator: one pass back for the next use of every value, one forward
// that gives out registers and writes code.
//
// A value is in a register, in the arena, or both. Values read from the arena, and those
// that are stored as results, are in the arena anyway; any other is spilled the first
// time it must leave its register, to a scratch slot that is free again when the value
// is dead. The value that leaves is the one whose next use is furthest away (Belady).

package native

// never is the next use of what has none.
const never int32 = 1<<31 - 1

// widest is how many numbers a wide value of a block has.
const widest = 4

// A value is what the allocator knows about a number or four of them.
type value struct {
	next   int32 // instruction of the next use; never where there is none
	memory int32 // slot, or NoSlot where it is in none
	reg    xreg
	wide   bool
	spill  bool // memory is a scratch slot
}

// A slotPage has something of neighbouring slots. Most of the arenas of programs with large
// matrices are slots that no block reads.
type slotPage [slotsPaged]int32

const slotsPaged = 1 << 10

// An allocator writes one block after the other.
type allocator struct {
	proc    processor
	block   []Inst
	values  []value        // results of the block, then what it reads from the arena
	args    [][3]int32     // operands of each instruction as indices of values
	after   [][3]int32     // next use of each operand after the instruction
	slots   [2][]*slotPage // value of an arena slot, by width; 0 is none
	touched [2][]int32     // slots that have one
	holds   []int32        // value of each register; -1 is none
	anyWide bool

	inputs  int32   // of a loop: slots that are streams of their own
	outputs []int   // and where those begin that are in its output
	byOne   []bool  // those that go on by one number where iterations count by fours
	kept    []int32 // what its carries are after an iteration

	scratchFrom int        // first scratch slot
	scratchEnd  int        // one after the last that any block uses
	top         int        // one after the last that this block uses
	free        [2][]int32 // scratch slots that this block may use again, by width
	dying       [2][]int32 // those of the operands at hand
}

// newAllocator makes one for an arena of slots numbers, after streams if there are any.
// The instructions will be about size.
func newAllocator(streams Streams, slots, size int) *allocator {
	p := newProcessor(size)
	a := &allocator{proc: p, inputs: int32(streams.Inputs), outputs: streams.Outputs, byOne: streams.ByOne, holds: make([]int32, p.registers())}
	a.scratchFrom = int(a.first()) + slots
	a.scratchEnd = a.scratchFrom
	return a
}

// arena is the length that the arena must have.
func (a *allocator) arena() int { return a.scratchEnd - int(a.first()) }

// write appends the code of a block.
func (a *allocator) write(block []Inst) {
	a.begin(block)
	a.lookBack()
	for i := range a.block {
		a.inst(int32(i))
	}
	a.proc.ret(a.anyWide)
	a.end()
}

// begin makes ready for a block.
func (a *allocator) begin(block []Inst) {
	a.block = a.proc.begin(block, a.streams())
	a.kept = a.kept[:0]
	a.anyWide = false
	a.top = a.scratchFrom
	a.free = [2][]int32{a.free[0][:0], a.free[1][:0]}
	for r := range a.holds {
		a.holds[r] = -1
	}
	a.number()
}

// end forgets the block.
func (a *allocator) end() {
	a.scratchEnd = max(a.scratchEnd, a.top)
	for w := range a.touched {
		for _, s := range a.touched[w] {
			a.slots[w][s/slotsPaged][s%slotsPaged] = 0
		}
		a.touched[w] = a.touched[w][:0]
	}
}

// width is an index by width.
func width(wide bool) int {
	if wide {
		return 1
	}
	return 0
}

// number makes a value of each result and of each slot that is read.
func (a *allocator) number() {
	n := len(a.block)
	a.values = a.values[:0]
	for i := range a.block {
		wide := a.block[i].wideResult()
		a.anyWide = a.anyWide || wide || a.block[i].Op == Fold
		a.values = append(a.values, value{next: never, memory: a.block[i].Slot, reg: none, wide: wide})
	}
	if cap(a.args) < n {
		a.args, a.after = make([][3]int32, n), make([][3]int32, n)
	}
	a.args, a.after = a.args[:n], a.after[:n]
	for i := range a.block {
		in := &a.block[i]
		all := in.operands()
		for k := range in.Op.Arity() {
			v := int32(all[k])
			if v < 0 {
				v = a.fromArena(int32(^all[k]), in.wideOperand())
			}
			a.args[i][k] = v
		}
	}
}

// fromArena returns the value of a slot. What is stored later in the block must not be
// read earlier, so a slot has one value.
func (a *allocator) fromArena(slot int32, wide bool) int32 {
	w := width(wide)
	at := &a.page(w, slot)[slot%slotsPaged]
	if *at != 0 {
		return *at
	}
	v := int32(len(a.values))
	a.values = append(a.values, value{next: never, memory: slot, reg: none, wide: wide})
	*at = v
	a.touched[w] = append(a.touched[w], slot)
	return v
}

// page has the values of a slot and its neighbours.
func (a *allocator) page(w int, slot int32) *slotPage {
	k := int(slot / slotsPaged)
	if n := k + 1 - len(a.slots[w]); n > 0 {
		a.slots[w] = append(a.slots[w], make([]*slotPage, n)...)
	}
	if a.slots[w][k] == nil {
		a.slots[w][k] = new(slotPage)
	}
	return a.slots[w][k]
}

// lookBack finds the next uses.
func (a *allocator) lookBack() {
	for i := len(a.block) - 1; i >= 0; i-- {
		args := &a.args[i]
		for k := range a.block[i].Op.Arity() {
			a.after[i][k] = a.values[args[k]].next
		}
		for k := range a.block[i].Op.Arity() {
			a.values[args[k]].next = int32(i)
		}
	}
}

// used moves the next use of an instruction's operands on, and frees the registers of
// those that have none.
func (a *allocator) used(i int32) {
	for k := range a.block[i].Op.Arity() {
		v := &a.values[a.args[i][k]]
		v.next = a.after[i][k]
		if v.next != never {
			continue
		}
		if v.reg != none {
			a.holds[v.reg] = -1
			v.reg = none
		}
		if v.spill {
			w := width(v.wide)
			a.dying[w] = append(a.dying[w], v.memory)
			v.spill = false
		}
	}
}

// result returns the register for a result when the operands are in place: that of an
// operand which is not used again, if possible. Only then may their scratch slots be used
// again, since the instruction still reads them.
func (a *allocator) result(i int32, args [3]int32) xreg {
	a.used(i)
	r := a.take(args)
	a.release()
	return r
}

// release lets scratch slots be used again.
func (a *allocator) release() {
	for w := range a.free {
		a.free[w] = append(a.free[w], a.dying[w]...)
		a.dying[w] = a.dying[w][:0]
	}
}

// take returns a free register, making one free where there is none; the values in keep
// stay where they are.
func (a *allocator) take(keep [3]int32) xreg {
	worst, furthest := none, int32(-1)
	for r := range a.holds {
		x := a.holds[r]
		if x < 0 {
			return xreg(r)
		}
		if v := &a.values[x]; v.next > furthest && x != keep[0] && x != keep[1] && x != keep[2] {
			worst, furthest = xreg(r), v.next
		}
	}
	v := &a.values[a.holds[worst]]
	if v.memory == NoSlot {
		v.memory, v.spill = a.scratchSlot(v.wide), true
		a.proc.store(a.slotPlace(v.memory), v.wide, worst)
	}
	v.reg = none
	a.holds[worst] = -1
	return worst
}

// scratchSlot returns room for a number or four.
func (a *allocator) scratchSlot(wide bool) int32 {
	w := width(wide)
	if k := len(a.free[w]) - 1; k >= 0 {
		s := a.free[w][k]
		a.free[w] = a.free[w][:k]
		return s
	}
	n := 1
	if wide {
		n = a.proc.lanes()
		a.top += -(a.top - int(a.first())) & (n - 1) // so that it is at a multiple of its length
	}
	a.top += n
	return int32(a.top - n)
}

// hold puts a value into a register.
func (a *allocator) hold(x int32, keep [3]int32) xreg {
	v := &a.values[x]
	if v.reg == none {
		r := a.take(keep)
		a.proc.load(r, v.wide, a.slotPlace(v.memory))
		v.reg = r
		a.holds[r] = x
	}
	return v.reg
}

// where returns a value's place as a last operand: its register, the arena where this is
// its last use, or else a register that is filled now.
func (a *allocator) where(x, after int32, keep [3]int32) place {
	if v := &a.values[x]; v.reg == none && after == never {
		return a.slotPlace(v.memory)
	}
	return place{reg: a.hold(x, keep)}
}
