// What the allocator asks of a processor.

package native

import "runtime"

// A xreg is a vector register. It holds a number, or as many as the processor has lanes.
type xreg uint8

// none is no register.
const none xreg = 255

// A processor writes instructions of one kind of processor, one after the other.
type processor interface {
	// registers is how many registers hold values. The one after them is for what an
	// instruction needs in between.
	registers() xreg
	// lanes is how many numbers a wide register holds.
	lanes() int
	// code is what has been written; constants may lie before the first instruction.
	code() []byte

	// begin makes ready for a block, in which slots below streams are streams, and returns it
	// with wide values that have as many numbers as a register. The lower lanes of a stream
	// keep its number. Where there are upper ones, streams of their own for these follow the
	// streams, and then the arena. lowered is what a value is called in the new block, or as
	// many numbers of it as fill a register: part 0, part 1 and so on.
	begin(block []Inst, streams int32) []Inst
	lowered(v Value, part int32) Value

	// enter does what a loop needs to have done before its first iteration, and top says that
	// its iterations start here.
	enter(a *allocator)
	top()
	// next goes back to top for the next iteration, if there is one.
	next(step, top int)
	// ret ends a block; wide says that it has used wide registers.
	ret(wide bool)

	load(dst xreg, wide bool, from place)
	store(to place, wide bool, src xreg)
	move(dst, src xreg, wide bool)
	// scatter stores the lanes of a register apart.
	scatter(src xreg, to func(lane int32) place)
	// operation writes instruction i and gives the register of its result.
	operation(a *allocator, i int32) xreg
}

// newProcessor returns the processor of this machine, with room for size instructions.
func newProcessor(size int) processor {
	if runtime.GOARCH == "arm64" {
		return newNeon(size)
	}
	return newVex(size)
}

// A place is where an operand is: a register, memory at an offset in bytes from the arena's
// start, a constant before the code, or the iteration's element of a stream: one whose address
// is at an offset among those of inputs, or one that is at an offset from the output.
type place struct {
	kind placeKind
	high bool // of a stream, the lanes after those that a register holds
	one  bool // of a stream, that it goes on by one where iterations count by fours
	reg  xreg
	off  int32
}

type placeKind uint8

const (
	inReg placeKind = iota
	inArena
	inPool
	inStream
	inOutput
)

// slotPlace is the place of a slot: streams come first, then the arena.
func (a *allocator) slotPlace(slot int32) place {
	high := false
	if n := a.streams(); slot < a.first() {
		high = slot >= n
		slot %= n
		one := a.byOne != nil && a.byOne[slot]
		if slot >= a.inputs {
			return place{kind: inOutput, high: high, one: one, off: int32(8 * a.outputs[slot-a.inputs])}
		}
		return place{kind: inStream, high: high, one: one, off: slot * 8}
	}
	return place{kind: inArena, off: (slot - a.first()) * 8}
}

// streams is how many streams there are.
func (a *allocator) streams() int32 { return a.inputs + int32(len(a.outputs)) }

// first is the slot where the arena starts.
func (a *allocator) first() int32 { return a.streams() * int32(widest/a.proc.lanes()) }
