// Code of single instructions for amd64.

package native

// operation writes an instruction. One operand may be read where it lies, if that is its
// last use.
func (e *vex) operation(a *allocator, i int32) xreg {
	in, args := &a.block[i], a.operands(i)
	switch in.Op {
	case Add:
		return e.binary(a, codeAdd, true, i, args)
	case Mul:
		return e.binary(a, codeMul, true, i, args)
	case Sub:
		return e.binary(a, codeSub, false, i, args)
	case Shift:
		return e.shift(a, i, args)
	case FMA, FMS, FNMA:
		return e.multiplyAdd(a, i, args)
	case Pick:
		return e.pick(a, i, args)
	case More:
		return e.compare(a, i, args, 0x1e)
	case AtLeast:
		return e.compare(a, i, args, 0x1d)
	case Square:
		x := a.hold(args[0], args)
		dst := a.result(i, args)
		e.op(packed(codeMul, in.Wide), in.Wide, dst, x, place{reg: x})
		return dst
	case Fold:
		return e.fold(a, i, args)
	case EvenLanes:
		return e.binary(a, codeEven, false, i, args)
	case OddLanes:
		return e.binary(a, codeOdd, false, i, args)
	case LowHalves:
		return e.halves(a, i, args, 0x20)
	case HighHalves:
		return e.halves(a, i, args, 0x31)
	case Head1, Head2, Head3:
		from := a.slotPlace(a.values[args[0]].memory)
		dst := a.result(i, args)
		e.load(vexScratch, true, place{kind: inPool, off: poolHead + 8*int32(Head3-in.Op)})
		e.op(opMaskLoad, true, dst, vexScratch, from)
		return dst
	}
	from := a.where(args[0], a.after[i][0], args)
	dst := a.result(i, args)
	e.unary(in, dst, from)
	return dst
}

// pick writes a choice between two values by the signs of a third, whose register is named
// after the instruction. What is read from memory is always a pair of numbers at least, so a
// number must be in a register.
func (e *vex) pick(a *allocator, i int32, args [3]int32) xreg {
	wide := a.block[i].Wide
	other, sign := a.hold(args[1], args), a.hold(args[2], args)
	var from place
	if wide {
		from = a.where(args[0], a.after[i][0], args)
	} else {
		from = place{reg: a.hold(args[0], args)}
	}
	dst := a.result(i, args)
	e.opImm(opBlend, wide, dst, other, from, byte(sign)<<4)
	return dst
}

// compare writes 1 where a predicate holds of two values, else 0; of NaN it does not.
func (e *vex) compare(a *allocator, i int32, args [3]int32, predicate byte) xreg {
	wide := a.block[i].Wide
	x := a.hold(args[0], args)
	from := a.where(args[1], a.after[i][1], args)
	dst := a.result(i, args)
	e.opImm(packed(codeCmp, wide), wide, dst, x, from, predicate)
	e.op(opAnd, wide, dst, dst, place{kind: inPool, off: poolOne})
	return dst
}

// fold adds the upper half of four lanes to the lower one, and the two that are left.
func (e *vex) fold(a *allocator, i int32, args [3]int32) xreg {
	x := a.hold(args[0], args)
	dst := a.result(i, args)
	e.opImm(opExtract, true, x, 0, place{reg: vexScratch}, 1)
	e.op(opAddPairs, false, dst, x, place{reg: vexScratch})
	e.opImm(opPermute, false, vexScratch, 0, place{reg: dst}, 1)
	e.op(packed(codeAdd, false), false, dst, dst, place{reg: vexScratch})
	return dst
}

// unary writes an operation of one operand wherever it is.
func (e *vex) unary(in *Inst, dst xreg, from place) {
	wide := in.Wide
	switch in.Op {
	case Neg:
		if from.kind != inReg {
			e.load(dst, wide, from)
			from = place{reg: dst}
		}
		e.op(opXor, wide, dst, from.reg, place{kind: inPool, off: poolSign})
	case Inv:
		e.load(vexScratch, wide, place{kind: inPool, off: poolOne})
		e.op(packed(codeDiv, wide), wide, dst, vexScratch, from)
	case Sqrt:
		src := xreg(0)
		if !wide && from.kind == inReg {
			src = from.reg
		}
		e.op(packed(codeSqrt, wide), wide, dst, src, from)
	case Copy:
		if from.kind == inReg {
			e.move(dst, from.reg, wide)
		} else {
			e.load(dst, wide, from)
		}
	case Splat:
		e.op(opBroadcast, true, dst, 0, from)
	case Repeat:
		e.opImm(opPermuteLanes, true, dst, 0, from, byte(in.B)*0x55) // the same two bits four times
	}
}

// binary writes an operation of two operands.
func (e *vex) binary(a *allocator, code byte, commutes bool, i int32, args [3]int32) xreg {
	wide := a.block[i].wideResult()
	x, y, k := args[0], args[1], 1
	// What must be loaded anyway is better the second operand, which may lie in memory.
	if commutes && a.values[x].reg == none && (a.values[y].reg != none || a.after[i][0] == never) {
		x, y, k = y, x, 0
	}
	rx := a.hold(x, args)
	from := a.where(y, a.after[i][k], args)
	dst := a.result(i, args)
	e.op(packed(code, wide), wide, dst, rx, from)
	return dst
}

// halves joins a half of each of two values.
func (e *vex) halves(a *allocator, i int32, args [3]int32, which byte) xreg {
	x := a.hold(args[0], args)
	from := a.where(args[1], a.after[i][1], args)
	dst := a.result(i, args)
	e.opImm(opHalves, true, dst, x, from, which)
	return dst
}

// shift writes the greater of two numbers, or 0 where that minus itself is NaN (it is NaN or infinite).
func (e *vex) shift(a *allocator, i int32, args [3]int32) xreg {
	wide := a.block[i].Wide
	// The instruction gives its second operand unless the first is greater.
	ry := a.hold(args[1], args)
	from := a.where(args[0], a.after[i][0], args)
	dst := a.result(i, args)
	e.op(packed(codeMax, wide), wide, dst, ry, from)
	e.op(packed(codeSub, wide), wide, vexScratch, dst, place{reg: dst})
	const ordered = 7
	e.opImm(packed(codeCmp, wide), wide, vexScratch, vexScratch, place{reg: vexScratch}, ordered)
	e.op(opAnd, wide, dst, dst, place{reg: vexScratch})
	return dst
}

// multiplyAdd writes a fused multiply-add. One operand may be read from the arena, if this
// is its last use; the result is in the register of another one that is not used again, or
// else in a copy.
func (e *vex) multiplyAdd(a *allocator, i int32, args [3]int32) xreg {
	in := &a.block[i]
	last := lastOperand(a, i, args)
	p, q := (last+1)%3, (last+2)%3
	rp, rq := a.hold(args[p], args), a.hold(args[q], args)
	from := a.where(args[last], a.after[i][last], args)
	a.used(i)
	dies := func(r xreg) bool { return a.holds[r] < 0 }
	switch {
	case dies(rp):
	case dies(rq):
		p, rp, rq = q, rq, rp
	case from.kind == inReg && dies(from.reg):
		p, last, rp, from = last, p, from.reg, place{reg: rp}
	}
	dst := rp
	if !dies(rp) {
		dst = a.take(args)
		e.move(dst, rp, in.Wide)
	}
	a.release()
	e.op(fma(in.Op, fmaForm(p, last), in.Wide), in.Wide, dst, rq, from)
	return dst
}

// fmaForm is the form for operand p in the destination and operand last at the end.
func fmaForm(p, last int) int {
	switch {
	case last == 2: // a = b*a + c
		return 213
	case p == 2: // c = a*b + c
		return 231
	}
	return 132 // a = a*b + c
}

// lastOperand chooses the operand of a multiply-add that need not be in a register: one
// that lies in the arena alone and is not used again.
func lastOperand(a *allocator, i int32, args [3]int32) int {
	for k := 2; k >= 0; k-- {
		once := args[k] != args[(k+1)%3] && args[k] != args[(k+2)%3]
		if once && a.values[args[k]].reg == none && a.after[i][k] == never {
			return k
		}
	}
	return 2
}
