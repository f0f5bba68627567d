// The encoder for arm64: loads, stores, and arithmetic on one number or a pair of them.

package native

import "encoding/binary"

// A neon is the processor arm64. A wide register is a pair of numbers, so operations on four
// numbers are lowered to two (neon_lower.go). The address of the arena is in x0, that of the
// inputs' addresses in x1, that of the output in x2, the iteration in x3, as bytes from the
// start of a stream, and the iterations that are left in x4.
type neon struct {
	buf   []byte
	bases bases
	pairs pairs
	high  bool // of a loop: x5 is the upper pair's x3
	one   bool // of a loop: x6 is x3 for streams that go on by one
}

// newNeon makes an empty one, with room for size instructions.
func newNeon(size int) *neon {
	const typical = 6 // bytes of an instruction
	return &neon{buf: make([]byte, 0, typical*size)}
}

// The registers are all but the last one, which is for what an instruction needs in between.
const neonScratch xreg = 31

func (e *neon) registers() xreg { return neonScratch }

func (e *neon) lanes() int { return 2 }

func (e *neon) code() []byte { return e.buf }

// A word is an instruction, or one without some of its operands.
type word uint32

// The instructions, on one number and on a pair (Arm Architecture Reference Manual, C7.2).
var (
	neonAdd     = [2]word{0x1e602800, 0x4e60d400}
	neonSub     = [2]word{0x1e603800, 0x4ee0d400}
	neonMul     = [2]word{0x1e600800, 0x6e60dc00}
	neonDiv     = [2]word{0x1e601800, 0x6e60fc00}
	neonNeg     = [2]word{0x1e614000, 0x6ee0f800}
	neonSqrt    = [2]word{0x1e61c000, 0x6ee1f800}
	neonOne     = [2]word{0x1e6e1000, 0x6f03f600} // the number 1
	neonMore    = [2]word{0x7ee0e400, 0x6ee0e400} // all bits where the first is greater
	neonAtLeast = [2]word{0x7e60e400, 0x6e60e400}
	neonSame    = [2]word{0x5e60e400, 0x4e60e400} // all bits where they are equal
	neonAnd     = [2]word{0x0e201c00, 0x4e201c00}
	neonPick    = [2]word{0x2e601c00, 0x6e601c00} // bits of the first or second, as the destination says
	neonSign    = [2]word{0x5ee0a800, 0x4ee0a800} // all bits where there is a minus sign
	neonMove    = [2]word{0x1e604000, 0x4ea01c00} // that of pairs names its source twice
)

const (
	neonAddTo    word = 0x4e60cc00 // on pairs: the product is added to the destination
	neonSubFrom  word = 0x4ee0cc00 // or subtracted from it
	neonFMA      word = 0x1f400000 // on numbers: product + last
	neonFNMA     word = 0x1f408000 // last - product
	neonFMS      word = 0x1f608000 // product - last
	neonAddPair  word = 0x7e70d800 // the sum of a pair
	neonZeros    word = 0x6f00e400
	neonFirsts   word = 0x4ec03800 // the first of each of two pairs
	neonSeconds  word = 0x4ec07800
	neonTwice    word = 0x4e080400 // a pair of a pair's first number
	neonTwice1   word = 0x4e180400 // of its second one
	neonSecond   word = 0x5e180400 // the second one alone
	neonReturn   word = 0xd65f03c0
	neonBranch   word = 0x14000000
	neonIfZero   word = 0xb4000000
	neonIfOther  word = 0xb5000000
	longestIf         = 1 << 20 // bytes that these two reach
	neonAddConst word = 0x91000000
	neonSubConst word = 0xd1000000
)

// write appends an instruction.
func (e *neon) write(w word) { e.buf = binary.LittleEndian.AppendUint32(e.buf, uint32(w)) }

// op appends an instruction with a destination and up to two sources.
func (e *neon) op(w word, dst, n, m xreg) { e.write(w | word(m)<<16 | word(n)<<5 | word(dst)) }

// move copies a register.
func (e *neon) move(dst, src xreg, wide bool) {
	switch {
	case dst == src:
	case wide:
		e.op(neonMove[1], dst, src, src)
	default:
		e.op(neonMove[0], dst, src, 0)
	}
}

// scatter stores the numbers of a pair apart.
func (e *neon) scatter(src xreg, to func(lane int32) place) {
	e.store(to(0), false, src)
	e.op(neonSecond, neonScratch, src, 0)
	e.store(to(1), false, neonScratch)
}

// next goes to the next iteration, if there is one.
func (e *neon) next(step, top int) {
	e.addConst(3, 3, 8*step)
	if e.high {
		e.addConst(5, 5, 8*step)
	}
	if e.one {
		e.addConst(6, 6, 2*step)
	}
	e.addConst(4, 4, -1)
	back := func() word { return word(top-len(e.buf)) / 4 }
	if len(e.buf)-top < longestIf {
		e.write(neonIfOther | back()&(1<<19-1)<<5 | 4)
		return
	}
	const over = 2 // instructions
	e.write(neonIfZero | over<<5 | 4)
	e.write(neonBranch | back()&(1<<26-1))
}

// ret ends a block.
func (e *neon) ret(bool) { e.write(neonReturn) }
