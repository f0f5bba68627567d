// Loops: a block that is repeated, over streams.

package native

import (
	"errors"
	"runtime"
	"unsafe"
)

// A Loop is a block whose first slots are elements of streams: in iteration t, element t. What an
// iteration reads of a stream that it also writes to is undefined. Iterations may count by fours,
// for operations on four numbers; a stream may then go on by one number all the same.
type Loop struct {
	Block   []Inst
	Carries []Carry
	Step    int // from a round to the next; 0 for that of all loops
}

// Streams are those of some loops: inputs, each with an address of its own, then those that
// begin somewhere in one output.
type Streams struct {
	Inputs  int
	Outputs []int
	ByOne   []bool // of which iteration t sees element t/4; nil where there are none.
}

// longestOutput is the greatest length of an output.
const longestOutput = 1 << 28

// A Carry is a number that an iteration leaves for the next one in a stream: it is in slot From
// before an iteration, and Next, which the block must store where the next iteration finds it,
// after. It is kept in a register. A Loop without Carries reads all its streams anew.
type Carry struct {
	From int
	Next Value
	Wide bool // it is four numbers
}

// MostCarries is the greatest number of Carries of a Loop.
const MostCarries = 8

// BuildLoops makes code of loops that go from one round to the next by step. Their slots
// are streams first, then those of an arena of slots numbers; Slots is the arena's length.
func BuildLoops(loops []Loop, streams Streams, slots, step int) (*Code, error) {
	if r := Reason(); r != "" {
		return nil, errors.New(r)
	}
	for _, off := range streams.Outputs {
		if off >= longestOutput {
			return nil, errors.New("the output of a loop is too long for native code")
		}
	}
	a := newAllocator(streams, slots, 0)
	var starts []int
	for i := range loops {
		starts = append(starts, len(a.proc.code()))
		a.writeLoop(&loops[i], step)
	}
	mem, err := executable(a.proc.code())
	if err != nil {
		return nil, err
	}
	return newCode(mem, starts, a.arena()), nil
}

// Loop runs iterations of a loop from one on, on an arena of at least Slots numbers. Inputs and
// output must reach as far as the iterations do.
func (c *Code) Loop(k int, arena []float64, inputs []*float64, output []float64, from, rounds int) {
	if len(arena) < c.scratch {
		panic("native: the arena is too short")
	}
	if rounds > 0 {
		loop(c.entries[k], unsafe.SliceData(arena), unsafe.SliceData(inputs), unsafe.SliceData(output), from, rounds)
	}
	runtime.KeepAlive(c)
}

// writeLoop appends the code of a loop.
func (a *allocator) writeLoop(l *Loop, step int) {
	a.begin(l.Block)
	carries := a.lowerCarries(l.Carries)
	a.proc.enter(a)
	for i, c := range carries {
		a.proc.load(xreg(i), c.Wide, a.slotPlace(int32(c.From)))
	}
	if l.Step != 0 {
		step = l.Step
	}
	a.proc.top()
	top := len(a.proc.code())
	a.carryIn(carries)
	a.lookBack()
	for i, c := range carries {
		if x := a.fromArena(int32(c.From), c.Wide); a.values[x].next != never {
			a.values[x].reg, a.holds[i] = xreg(i), x
		}
	}
	for i := range a.block {
		a.inst(int32(i))
	}
	a.carryOver(carries)
	a.proc.next(step, top)
	a.proc.ret(a.anyWide)
	a.end()
}

// lowerCarries returns carries with as many numbers as a register has.
func (a *allocator) lowerCarries(carries []Carry) []Carry {
	var out []Carry
	for _, c := range carries {
		parts := 1
		if c.Wide {
			a.anyWide = true
			parts = widest / a.proc.lanes()
		}
		for k := range parts {
			from := a.proc.lowered(InSlot(c.From), int32(k))
			out = append(out, Carry{From: int(^from), Next: a.proc.lowered(c.Next, int32(k)), Wide: c.Wide})
		}
	}
	return out
}

// carryIn makes values of the carries before an iteration, and has those after it used at its
// end.
func (a *allocator) carryIn(carries []Carry) {
	for _, c := range carries {
		a.fromArena(int32(c.From), c.Wide)
	}
	for _, c := range carries {
		x := int32(c.Next)
		if x < 0 {
			x = a.fromArena(^x, c.Wide)
		}
		a.kept = append(a.kept, x)
	}
	for _, x := range a.kept {
		a.values[x].next = int32(len(a.block))
	}
}

// carryOver moves what carries are after a round to their registers, the first ones.
func (a *allocator) carryOver(carries []Carry) {
	type move struct{ dst, src xreg }
	var moves []move
	for i, x := range a.kept {
		if r := a.values[x].reg; r != none && r != xreg(i) {
			moves = append(moves, move{xreg(i), r})
		}
	}
	blocked := func(m move) bool { // its target is still to be moved elsewhere
		for _, o := range moves {
			if o.src == m.dst {
				return true
			}
		}
		return false
	}
	for len(moves) > 0 {
		done := false
		for k, m := range moves {
			if !blocked(m) {
				a.proc.move(m.dst, m.src, a.anyWide)
				moves = append(moves[:k], moves[k+1:]...)
				done = true
				break
			}
		}
		if !done { // all that are left are cycles
			from := moves[0].src
			a.proc.move(a.proc.registers(), from, a.anyWide)
			for k := range moves {
				if moves[k].src == from {
					moves[k].src = a.proc.registers()
				}
			}
		}
	}
	for i, x := range a.kept {
		if v := &a.values[x]; v.reg == none {
			a.proc.load(xreg(i), carries[i].Wide, a.slotPlace(v.memory))
		}
	}
}
