// Code of single instructions.

package native

// inst writes instruction i.
func (a *allocator) inst(i int32) {
	in := &a.block[i]
	result := &a.values[i]
	if in.Op == Scatter {
		a.scatter(in, i)
		return
	}
	if result.next == never && in.Slot == NoSlot {
		a.used(i)
		a.release()
		return
	}
	if in.Op == Copy && result.next == never {
		a.storeCopy(in, i)
		return
	}
	dst := a.compute(in, i)
	if in.Slot != NoSlot {
		a.enc.store(a.slotPlace(in.Slot), result.wide, dst)
	}
	if result.next != never {
		result.reg = dst
		a.holds[dst] = i
	}
}

// storeCopy writes a copy from one slot to another, or from a register to a slot.
func (a *allocator) storeCopy(in *Inst, i int32) {
	x := a.args[i][0]
	keep := [3]int32{x, -1, -1}
	src := a.hold(x, keep)
	a.enc.store(a.slotPlace(in.Slot), in.Wide, src)
	a.used(i)
	a.release()
}

// scatter stores the lanes of a register apart.
func (a *allocator) scatter(in *Inst, i int32) {
	x := a.args[i][0]
	src := a.hold(x, [3]int32{x, -1, -1})
	e, to := &a.enc, func(k int32) place { return a.slotPlace(in.Slot + k*int32(in.B)) }
	e.store(to(0), false, src)
	e.op(opStoreHigh, false, src, 0, to(1))
	e.opImm(opExtract, true, src, 0, place{reg: scratch}, 1)
	e.store(to(2), false, scratch)
	e.op(opStoreHigh, false, scratch, 0, to(3))
	a.used(i)
	a.release()
}

// compute writes the operation itself and gives the register of its result.
func (a *allocator) compute(in *Inst, i int32) xreg {
	args := a.args[i]
	for k := in.Op.Arity(); k < 3; k++ {
		args[k] = -1
	}
	switch in.Op {
	case Add:
		return a.binary(codeAdd, true, i, args)
	case Mul:
		return a.binary(codeMul, true, i, args)
	case Sub:
		return a.binary(codeSub, false, i, args)
	case Shift:
		return a.shift(i, args)
	case FMA, FMS, FNMA:
		return a.multiplyAdd(i, args)
	case Square:
		x := a.hold(args[0], args)
		dst := a.result(i, args)
		a.enc.op(packed(codeMul, in.Wide), in.Wide, dst, x, place{reg: x})
		return dst
	case Fold:
		return a.fold(i, args)
	case EvenLanes:
		return a.binary(codeEven, false, i, args)
	case OddLanes:
		return a.binary(codeOdd, false, i, args)
	case LowHalves:
		return a.halves(i, args, 0x20)
	case HighHalves:
		return a.halves(i, args, 0x31)
	case Head1, Head2, Head3:
		from := a.slotPlace(a.values[args[0]].memory)
		dst := a.result(i, args)
		a.enc.load(scratch, true, place{kind: inPool, off: poolHead + 8*int32(Head3-in.Op)})
		a.enc.op(opMaskLoad, true, dst, scratch, from)
		return dst
	}
	from := a.where(args[0], a.after[i][0], args)
	dst := a.result(i, args)
	a.unary(in, dst, from)
	return dst
}

// fold adds the upper half of four lanes to the lower one, and the two that are left.
func (a *allocator) fold(i int32, args [3]int32) xreg {
	x := a.hold(args[0], args)
	dst := a.result(i, args)
	e := &a.enc
	e.opImm(opExtract, true, x, 0, place{reg: scratch}, 1)
	e.op(opAddPairs, false, dst, x, place{reg: scratch})
	e.opImm(opPermute, false, scratch, 0, place{reg: dst}, 1)
	e.op(packed(codeAdd, false), false, dst, dst, place{reg: scratch})
	return dst
}

// unary writes an operation of one operand wherever it is.
func (a *allocator) unary(in *Inst, dst xreg, from place) {
	e, wide := &a.enc, in.Wide
	switch in.Op {
	case Neg:
		if from.kind != inReg {
			e.load(dst, wide, from)
			from = place{reg: dst}
		}
		e.op(opXor, wide, dst, from.reg, place{kind: inPool, off: poolSign})
	case Inv:
		e.load(scratch, wide, place{kind: inPool, off: poolOne})
		e.op(packed(codeDiv, wide), wide, dst, scratch, from)
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
func (a *allocator) binary(code byte, commutes bool, i int32, args [3]int32) xreg {
	wide := a.block[i].wideResult()
	x, y, k := args[0], args[1], 1
	// What must be loaded anyway is better the second operand, which may lie in memory.
	if commutes && a.values[x].reg == none && (a.values[y].reg != none || a.after[i][0] == never) {
		x, y, k = y, x, 0
	}
	rx := a.hold(x, args)
	from := a.where(y, a.after[i][k], args)
	dst := a.result(i, args)
	a.enc.op(packed(code, wide), wide, dst, rx, from)
	return dst
}

// halves joins a half of each of two values.
func (a *allocator) halves(i int32, args [3]int32, which byte) xreg {
	x := a.hold(args[0], args)
	from := a.where(args[1], a.after[i][1], args)
	dst := a.result(i, args)
	a.enc.opImm(opHalves, true, dst, x, from, which)
	return dst
}

// shift writes the greater of two numbers, made 0 where the difference to itself is NaN.
func (a *allocator) shift(i int32, args [3]int32) xreg {
	wide := a.block[i].Wide
	// The instruction gives its second operand unless the first is greater.
	ry := a.hold(args[1], args)
	from := a.where(args[0], a.after[i][0], args)
	dst := a.result(i, args)
	e := &a.enc
	e.op(packed(codeMax, wide), wide, dst, ry, from)
	e.op(packed(codeSub, wide), wide, scratch, dst, place{reg: dst})
	const ordered = 7
	e.opImm(packed(codeCmp, wide), wide, scratch, scratch, place{reg: scratch}, ordered)
	e.op(opAnd, wide, dst, dst, place{reg: scratch})
	return dst
}

// multiplyAdd writes a fused multiply-add. One operand may be read from the arena, if this
// is its last use; the result is in the register of another one that is not used again, or
// else in a copy.
func (a *allocator) multiplyAdd(i int32, args [3]int32) xreg {
	in := &a.block[i]
	last := a.lastOperand(i, args)
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
		a.enc.move(dst, rp, in.Wide)
	}
	a.release()
	a.enc.op(fma(in.Op, fmaForm(p, last), in.Wide), in.Wide, dst, rq, from)
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
func (a *allocator) lastOperand(i int32, args [3]int32) int {
	for k := 2; k >= 0; k-- {
		once := args[k] != args[(k+1)%3] && args[k] != args[(k+2)%3]
		if once && a.values[args[k]].reg == none && a.after[i][k] == never {
			return k
		}
	}
	return 2
}
