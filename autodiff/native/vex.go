// The encoder for amd64: VEX instructions on vector registers and memory.

package native

import "encoding/binary"

// A greg is a general register.
type greg uint8

// The general registers in use.
const (
	rax greg = 0
	rcx greg = 1 // the iteration of a loop
	rdx greg = 2 // iterations that are left
	rbx greg = 3 // the output
	rsi greg = 6 // the addresses of streams
	rdi greg = 7 // the arena
)

// The opcode maps, the mandatory prefixes, and the widths of a VEX prefix.
const (
	map0F   = 1
	map0F38 = 2
	map0F3A = 3

	noPrefix = 0
	p66      = 1
	pF3      = 2
	pF2      = 3
)

// An opcode is an instruction without its operands.
type opcode struct {
	opmap, prefix byte
	w             bool
	code          byte
}

// packed is the opcode for four lanes, or one.
func packed(code byte, wide bool) opcode {
	if wide {
		return opcode{opmap: map0F, prefix: p66, code: code}
	}
	return opcode{opmap: map0F, prefix: pF2, code: code}
}

// The opcodes that do not come in a scalar and a packed form.
var (
	opXor       = opcode{opmap: map0F, prefix: p66, code: 0x57}
	opAnd       = opcode{opmap: map0F, prefix: p66, code: 0x54}
	opMove      = opcode{opmap: map0F, prefix: p66, code: 0x28}
	opStoreHigh = opcode{opmap: map0F, prefix: p66, code: 0x17}
	opHalves    = opcode{opmap: map0F3A, prefix: p66, code: 0x06}

	opBlend        = opcode{opmap: map0F3A, prefix: p66, code: 0x4b}
	opPermuteLanes = opcode{opmap: map0F3A, prefix: p66, w: true, code: 0x01}
	opAddPairs     = opcode{opmap: map0F, prefix: p66, code: codeAdd}
	opBroadcast    = opcode{opmap: map0F38, prefix: p66, code: 0x19}
	opExtract      = opcode{opmap: map0F3A, prefix: p66, code: 0x19}
	opMaskLoad     = opcode{opmap: map0F38, prefix: p66, code: 0x2d}
	opPermute      = opcode{opmap: map0F3A, prefix: p66, code: 0x05}
)

// The codes of arithmetic, for packed.
const (
	codeLoad  = 0x10
	codeStore = 0x11
	codeEven  = 0x14
	codeOdd   = 0x15
	codeSqrt  = 0x51
	codeAdd   = 0x58
	codeMul   = 0x59
	codeSub   = 0x5c
	codeDiv   = 0x5e
	codeMax   = 0x5f
	codeCmp   = 0xc2
)

// fma is a multiply-add of the kind that op says; form is 132, 213 or 231: which operands
// are multiplied, the third being added.
func fma(op Op, form int, wide bool) opcode {
	o := opcode{opmap: map0F38, prefix: p66, w: true}
	switch form {
	case 132:
		o.code = 0x98
	case 213:
		o.code = 0xa8
	default:
		o.code = 0xb8
	}
	switch op {
	case FMS:
		o.code += 2
	case FNMA:
		o.code += 4
	}
	if !wide {
		o.code++
	}
	return o
}

// A vex is the processor amd64 with AVX2 and FMA. A register is xmm or ymm by the width of
// the instruction. The address of the arena is in rdi, that of the inputs' addresses in rsi,
// that of the output in rbx, the iteration in rcx.
type vex struct {
	buf []byte
}

// newVex makes an empty one, with room for size instructions.
func newVex(size int) *vex {
	const typical = 9 // bytes of an instruction
	return &vex{buf: newPool(poolSize + typical*size)}
}

// The registers are all but the last one, which is for what an instruction needs in between.
const vexScratch xreg = 15

func (e *vex) registers() xreg { return vexScratch }

func (e *vex) lanes() int { return widest }

func (e *vex) code() []byte { return e.buf }

func (e *vex) begin(block []Inst, _ int32) []Inst { return block }

func (e *vex) lowered(v Value, _ int32) Value { return v }

func (e *vex) enter(*allocator) {}

func (e *vex) top() {}

// op writes an instruction with a destination, a first source (0 where it has none) and a
// last one. Where the last one is the destination, as in a store, dst is what is stored.
func (e *vex) op(o opcode, wide bool, dst, src xreg, last place) {
	e.opcode(o, wide, dst, src, last)
	e.modRM(byte(dst), last, 0)
}

// opImm is op with a constant after it.
func (e *vex) opImm(o opcode, wide bool, dst, src xreg, last place, imm byte) {
	e.opcode(o, wide, dst, src, last)
	e.modRM(byte(dst), last, 1)
	e.buf = append(e.buf, imm)
}

// opcode writes the prefix and the code. The prefix has two bytes where it can.
func (e *vex) opcode(o opcode, wide bool, dst, src xreg, last place) {
	if last.kind == inStream {
		e.address(last.off)
	}
	tail := ^byte(src)&15<<3 | o.prefix
	if wide {
		tail |= 1 << 2
	}
	notR, notB := byte(0x80), byte(0x20)
	if dst >= 8 {
		notR = 0
	}
	if last.kind == inReg && last.reg >= 8 {
		notB = 0
	}
	if o.opmap == map0F && !o.w && notB != 0 {
		e.buf = append(e.buf, 0xc5, notR|tail, o.code)
		return
	}
	if o.w {
		tail |= 0x80
	}
	const notX = 0x40
	e.buf = append(e.buf, 0xc4, notR|notX|notB|o.opmap, tail, o.code)
}

// modRM writes where the last operand is; after is how many bytes of the instruction
// follow.
func (e *vex) modRM(reg byte, last place, after int) {
	reg = reg & 7 << 3
	switch last.kind {
	case inReg:
		e.buf = append(e.buf, 0xc0|reg|byte(last.reg&7))
	case inArena:
		if d := last.off; d == int32(int8(d)) {
			e.buf = append(e.buf, 0x40|reg|byte(rdi), byte(d))
			return
		}
		e.buf = append(e.buf, 0x80|reg|byte(rdi))
		e.buf = binary.LittleEndian.AppendUint32(e.buf, uint32(last.off))
	case inStream:
		e.buf = append(e.buf, 0x04|reg, last.scaled(rax))
	case inOutput:
		e.buf = append(e.buf, 0x84|reg, last.scaled(rbx))
		e.buf = binary.LittleEndian.AppendUint32(e.buf, uint32(last.off))
	case inPool: // relative to the end of the instruction
		e.buf = append(e.buf, 0x05|reg)
		end := len(e.buf) + 4 + after
		e.buf = binary.LittleEndian.AppendUint32(e.buf, uint32(int(last.off)-end))
	}
}

// scaled is the byte for base + 8 rcx, or where a stream goes on by one, base + 2 rcx.
func (p place) scaled(base greg) byte {
	if p.one {
		return 1<<6 | byte(rcx)<<3 | byte(base)
	}
	return 3<<6 | byte(rcx)<<3 | byte(base)
}

// load fills a register.
func (e *vex) load(dst xreg, wide bool, from place) {
	e.op(packed(codeLoad, wide), wide, dst, 0, from)
}

// store writes a register to memory.
func (e *vex) store(to place, wide bool, src xreg) {
	e.op(packed(codeStore, wide), wide, src, 0, to)
}

// move copies a register.
func (e *vex) move(dst, src xreg, wide bool) {
	e.op(opMove, wide, dst, 0, place{reg: src})
}

// ret ends a block. What is left in the upper halves of the registers would slow down
// code that does not know them.
func (e *vex) ret(wide bool) {
	if wide {
		e.buf = append(e.buf, 0xc5, 0xf8, 0x77) // vzeroupper
	}
	e.buf = append(e.buf, 0xc3)
}

// address fills rax with the address of a stream.
func (e *vex) address(off int32) {
	const wide = 0x48
	e.buf = append(e.buf, wide, 0x8b, 0x80|byte(rax)<<3|byte(rsi))
	e.buf = binary.LittleEndian.AppendUint32(e.buf, uint32(off))
}

// next goes to the next iteration, if there is one.
func (e *vex) next(step, top int) {
	const wide = 0x48
	e.buf = append(e.buf, wide, 0x83, 0xc0|byte(rcx), byte(int8(step))) // add
	e.buf = append(e.buf, wide, 0xff, 0xc8|byte(rdx))                   // dec
	e.buf = append(e.buf, 0x0f, 0x85)                                   // jnz
	e.buf = binary.LittleEndian.AppendUint32(e.buf, uint32(top-(len(e.buf)+4)))
}

// scatter stores the lanes of a register apart.
func (e *vex) scatter(src xreg, to func(lane int32) place) {
	e.store(to(0), false, src)
	e.op(opStoreHigh, false, src, 0, to(1))
	e.opImm(opExtract, true, src, 0, place{reg: vexScratch}, 1)
	e.store(to(2), false, vexScratch)
	e.op(opStoreHigh, false, vexScratch, 0, to(3))
}
