// Code of single instructions for arm64.

package native

// operation writes an instruction. All operands are in registers.
func (e *neon) operation(a *allocator, i int32) xreg {
	in, args := &a.block[i], a.operands(i)
	var r [3]xreg
	for k := range in.Op.Arity() {
		r[k] = a.hold(args[k], args)
	}
	if in.Wide && in.Op != Pick && in.Op.Arity() == 3 {
		return e.multiplyAdd(a, i, args, r)
	}
	dst := a.result(i, args)
	w := width(in.Wide)
	switch in.Op {
	case Add:
		e.op(neonAdd[w], dst, r[0], r[1])
	case Sub:
		e.op(neonSub[w], dst, r[0], r[1])
	case Mul:
		e.op(neonMul[w], dst, r[0], r[1])
	case Square:
		e.op(neonMul[w], dst, r[0], r[0])
	case Neg:
		e.op(neonNeg[w], dst, r[0], 0)
	case Sqrt:
		e.op(neonSqrt[w], dst, r[0], 0)
	case Copy:
		e.move(dst, r[0], in.Wide)
	case Inv:
		e.op(neonOne[w], neonScratch, 0, 0)
		e.op(neonDiv[w], dst, neonScratch, r[0])
	case Shift:
		e.shift(w, dst, r)
	case Pick:
		e.op(neonSign[w], neonScratch, r[2], 0)
		e.op(neonPick[w], neonScratch, r[0], r[1])
		e.move(dst, neonScratch, in.Wide)
	case More:
		e.compare(neonMore[w], w, dst, r)
	case AtLeast:
		e.compare(neonAtLeast[w], w, dst, r)
	case FMA:
		e.op(neonFMA|word(r[2])<<10, dst, r[0], r[1])
	case FMS:
		e.op(neonFMS|word(r[2])<<10, dst, r[0], r[1])
	case FNMA:
		e.op(neonFNMA|word(r[2])<<10, dst, r[0], r[1])
	default:
		e.rearrange(in, dst, r)
	}
	return dst
}

// rearrange writes what has pairs but does not compute with each number alike.
func (e *neon) rearrange(in *Inst, dst xreg, r [3]xreg) {
	switch in.Op {
	case Splat:
		e.op(neonTwice, dst, r[0], 0)
	case Repeat:
		e.op([2]word{neonTwice, neonTwice1}[in.B], dst, r[0], 0)
	case EvenLanes:
		e.op(neonFirsts, dst, r[0], r[1])
	case OddLanes:
		e.op(neonSeconds, dst, r[0], r[1])
	case pairFirst: // what writes a number makes the upper half of its register zero
		e.op(neonMove[0], dst, r[0], 0)
	case pairZeros:
		e.op(neonZeros, dst, 0, 0)
	case pairFold:
		e.op(neonAdd[1], neonScratch, r[0], r[1])
		e.op(neonAddPair, dst, neonScratch, 0)
	}
}

// compare writes 1 where a comparison holds of two values, else 0; of NaN it does not.
func (e *neon) compare(how word, w int, dst xreg, r [3]xreg) {
	e.op(how, dst, r[0], r[1])
	e.op(neonOne[w], neonScratch, 0, 0)
	e.op(neonAnd[w], dst, dst, neonScratch)
}

// shift writes the greater of two numbers, made 0 where the difference to itself is NaN.
func (e *neon) shift(w int, dst xreg, r [3]xreg) {
	e.op(neonMore[w], neonScratch, r[1], r[0])
	e.op(neonPick[w], neonScratch, r[1], r[0])
	e.op(neonSub[w], dst, neonScratch, neonScratch)
	e.op(neonSame[w], dst, dst, dst)
	e.op(neonAnd[w], dst, dst, neonScratch)
}

// multiplyAdd writes a fused multiply-add of pairs. The instruction changes what is added
// to, which is a copy if the value is used again.
func (e *neon) multiplyAdd(a *allocator, i int32, args [3]int32, r [3]xreg) xreg {
	in := &a.block[i]
	dst := r[2]
	factor := args[2] == args[0] || args[2] == args[1]
	if a.after[i][2] != never || in.Op == FMS && factor {
		dst = a.take(args) // before the operands' registers are free
	}
	a.used(i)
	a.release()
	w := neonAddTo
	switch in.Op {
	case FMS: // the sign of a zero would be wrong if it were changed afterwards
		e.op(neonNeg[1], dst, r[2], 0)
	case FNMA:
		w = neonSubFrom
		fallthrough
	default:
		e.move(dst, r[2], true)
	}
	e.op(w, dst, r[0], r[1])
	return dst
}
