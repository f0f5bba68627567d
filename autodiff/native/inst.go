// The instructions that blocks consist of.

package native

// An Op is what an Inst does to its operands.
type Op uint8

// The operations. Those below Splat work on one number or, where the Inst is Wide, on
// each of four.
const (
	Add        Op = iota // A + B
	Sub                  // A - B
	Mul                  // A * B
	Shift                // the greater of A and B, or 0 where that is not finite
	Neg                  // -A
	Inv                  // 1 / A
	Square               // A * A
	Sqrt                 // square root of A
	Copy                 // A
	FMA                  // A*B + C, rounded once
	FMS                  // A*B - C, rounded once
	FNMA                 // C - A*B, rounded once
	Pick                 // A where C has a minus sign, else B
	More                 // 1 where A > B, else 0
	AtLeast              // 1 where A >= B, else 0
	Splat                // the number A in four lanes
	Head1                // in four lanes, the number A and zeros; A is InSlot
	Head2                // the two numbers from A on and zeros
	Head3                // the three numbers from A on and a zero
	Fold                 // the lanes of A as one number: (0+2) + (1+3)
	Scatter              // A, its lanes stored in Slot, Slot+B, Slot+2B, Slot+3B; B is a number
	Repeat               // in four lanes, lane B of A; B is a number
	EvenLanes            // lanes 0 of A and B, then lanes 2
	OddLanes             // lanes 1 of A and B, then lanes 3
	LowHalves            // lanes 0 and 1 of A, then of B
	HighHalves           // lanes 2 and 3 of A, then of B
)

// Arity is the number of operands.
func (op Op) Arity() int {
	switch op {
	case FMA, FMS, FNMA, Pick:
		return 3
	case Add, Sub, Mul, Shift, More, AtLeast, EvenLanes, OddLanes, LowHalves, HighHalves, pairFold:
		return 2
	case pairZeros:
		return 0
	}
	return 1
}

// A Value names an operand: the result of an earlier Inst of the block by its number, or
// what lies in the arena.
type Value int32

// InSlot is the operand that is read from the arena: the number in a slot, or where a
// wide operand is wanted the four numbers from it on.
func InSlot(slot int) Value { return ^Value(slot) }

// NoSlot reports that a result is not stored.
const NoSlot = -1

// An Inst computes one value. It is stored at once, so that later operands InSlot see it.
type Inst struct {
	Op      Op
	Wide    bool // four lanes
	A, B, C Value
	Slot    int32 // where the result is stored; NoSlot for what only this block uses
}

// operands lists what the instruction reads.
func (in *Inst) operands() [3]Value { return [3]Value{in.A, in.B, in.C} }

// wideOperand reports whether operands have four lanes.
func (in *Inst) wideOperand() bool {
	return in.Op > Splat && in.Op != pairFirst || in.Op < Splat && in.Wide
}

// wideResult reports whether the result has four lanes.
func (in *Inst) wideResult() bool {
	return in.Op >= Splat && in.Op != Fold && in.Op != pairFold || in.Op < Splat && in.Wide
}

// MaxBlock is the greatest number of instructions that a block should have.
const MaxBlock = 1 << 17
