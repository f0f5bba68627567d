// Code of single instructions: what is the same on every processor.

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
	dst := a.proc.operation(a, i)
	if in.Slot != NoSlot {
		a.proc.store(a.slotPlace(in.Slot), result.wide, dst)
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
	a.proc.store(a.slotPlace(in.Slot), in.Wide, src)
	a.used(i)
	a.release()
}

// scatter stores the lanes of a register apart.
func (a *allocator) scatter(in *Inst, i int32) {
	x := a.args[i][0]
	src := a.hold(x, [3]int32{x, -1, -1})
	a.proc.scatter(src, func(lane int32) place { return a.slotPlace(in.Slot + lane*int32(in.B)) })
	a.used(i)
	a.release()
}

// operands returns the operands of an instruction as indices of values, -1 where it has none.
func (a *allocator) operands(i int32) [3]int32 {
	args := a.args[i]
	for k := a.block[i].Op.Arity(); k < 3; k++ {
		args[k] = -1
	}
	return args
}
