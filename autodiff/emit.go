// Emission: runs of nodes to instructions.

package autodiff

func (c *compiler) emit(r run) {
	x := r[0]
	n := c.at(x)
	if f, ok := c.alias[x]; ok {
		c.slot[x] = c.slot[f]
		return
	}
	switch n.kind {
	case kindConst, kindInput, kindRuntimeConst:
	case kindView:
		c.slot[x] = c.slot[n.in()[0]] + int(n.off)
	case kindGather:
		c.emitGather(x, n)
	case kindMap:
		switch {
		case n.op.fused() && n.n == 1:
			c.emitFusedRun(r, n.op)
			return
		case n.op.fused():
			c.emitFusedVector(x, n)
			return
		case n.n == 1:
			c.emitRun(r, n.op)
			return
		}
		c.place(x, n.len())
		c.emitMap(n.op, c.slot[x], n.len(), c.operands(n.in()))
	default:
		c.place(x, n.len())
		if c.emitReduction(x, n) {
			return
		}
		h := callInst{kind: n.kind, op: n.op, dst: c.slot[x], n: n.len(), in: c.operands(n.in()), rows: int(n.off)}
		if n.extra != nil {
			h.extra = *n.extra
			h.parts = c.parts(n)
		}
		c.emitCall(h)
	}
}

// parts are those of an accumulation, with segments where they pay.
func (c *compiler) parts(n *node) []part {
	switch {
	case n.extra == nil:
		return nil
	case !c.g.does(optSegments):
		return n.extra.parts
	}
	return segmented(n.extra.parts)
}

// emitReduction makes the small instruction of a sum or dot product within the arena.
func (c *compiler) emitReduction(x Node, n *node) bool {
	if n.kind != kindSum && n.kind != kindDot {
		return false
	}
	in := c.operands(n.in())
	if outside(in) {
		return false
	}
	ins := instr{code: iSum, n: int32(in[0].n), dst: int32(c.slot[x]), a: int32(in[0].off)}
	if n.kind == kindDot {
		ins.code, ins.b = iDot, int32(in[1].off)
	}
	c.code = append(c.code, ins)
	return true
}

func (c *compiler) emitCall(h callInst) {
	c.code = append(c.code, instr{code: icodeCall, a: int32(len(c.callInsts))})
	c.callInsts = append(c.callInsts, h)
}

// emitRun makes one instruction of a run of scalar operations; their results are
// neighbours in the arena.
func (c *compiler) emitRun(r run, op *Op) {
	dst := c.size
	for _, x := range r {
		c.place(x, 1)
	}
	in := make([]operand, op.Arity())
	for k := range in {
		start := len(c.idx)
		for _, x := range r {
			c.idx = append(c.idx, int32(c.slot[c.at(x).in()[k]]))
		}
		in[k] = pick(c.idx[start:])
		if in[k].idx == nil {
			c.idx = c.idx[:start]
			continue
		}
		in[k].off = start
	}
	c.emitMap(op, dst, len(r), in)
}

// emitMap makes the small instruction of core arithmetic, or a call.
func (c *compiler) emitMap(op *Op, dst, n int, in []operand) {
	ins := instr{n: int32(n), dst: int32(dst), a: int32(in[0].off)}
	if len(in) == 2 {
		ins.b = int32(in[1].off)
	}
	switch {
	case op.code == codeNone || outside(in) || len(in) == 1 && in[0].n != n:
	case len(in) == 1:
		ins.code = unaryCode(op.code, unaryMode(n, in[0]))
	case in[0].idx != nil || in[1].idx != nil:
		ins.a, ins.b = c.spell(in[0], n), c.spell(in[1], n)
		ins.code = binaryCode(op.code, modeII)
	default:
		if mode, ok := binaryMode(n, in); ok {
			ins.code = binaryCode(op.code, mode)
		}
	}
	if ins.code != icodeCall {
		c.code = append(c.code, ins)
		return
	}
	h := callInst{kind: kindMap, op: op, dst: dst, n: n, in: in}
	for _, o := range in {
		h.indexed = h.indexed || o.idx != nil
	}
	if h.indexed {
		for k, o := range in {
			at := c.spell(o, n)
			h.in[k].idx = append([]int32(nil), c.idx[at:int(at)+n]...)
		}
	}
	c.emitCall(h)
}

func outside(in []operand) bool {
	for _, o := range in {
		if o.ext != nil {
			return true
		}
	}
	return false
}

func unaryMode(n int, o operand) int {
	switch {
	case o.idx != nil:
		return modeI
	case n == 1:
		return modeS
	}
	return modeV
}

// binaryMode finds the mode of operands without address lists; false for a vector
// that repeats one number, which only unsimplified graphs have.
func binaryMode(n int, in []operand) (int, bool) {
	switch a, b := in[0].n, in[1].n; {
	case n == 1:
		return modeSS, true
	case a == n && b == n:
		return modeVV, true
	case a == n && b == 1:
		return modeVS, true
	case a == 1 && b == n:
		return modeSV, true
	}
	return 0, false
}

// pick makes an operand of addresses: neighbours and repetitions need no list.
func pick(idx []int32) operand {
	consecutive, same := true, true
	for i, a := range idx {
		consecutive = consecutive && a == idx[0]+int32(i)
		same = same && a == idx[0]
	}
	switch {
	case consecutive:
		return operand{off: int(idx[0]), n: len(idx)}
	case same:
		return operand{off: int(idx[0]), n: 1}
	}
	return operand{n: len(idx), idx: idx}
}

// spell returns where the list of an operand's addresses starts, writing it out where
// there is none.
func (c *compiler) spell(o operand, n int) int32 {
	if o.idx != nil {
		return int32(o.off)
	}
	start := len(c.idx)
	for i := range n {
		at := o.off
		if o.n != 1 {
			at += i
		}
		c.idx = append(c.idx, int32(at))
	}
	return int32(start)
}

// emitGather copies the picked elements, unless they lie next to each other already.
func (c *compiler) emitGather(x Node, n *node) {
	for _, y := range n.in() {
		if v := c.at(y); v.kind == kindConst && v.outside() {
			c.constant(y, v.data)
		}
	}
	idx := make([]int32, n.len())
	for i, r := range n.refs {
		idx[i] = int32(c.slot[n.in()[r.Node]]) + r.Elem
	}
	if len(idx) == 0 {
		c.slot[x] = 0
		return
	}
	from := pick(idx)
	if from.idx == nil && from.n == n.len() {
		c.slot[x] = from.off
		return
	}
	c.place(x, n.len())
	if from.idx == nil { // one number for all
		c.emitCall(callInst{kind: kindGather, dst: c.slot[x], n: n.len(), in: []operand{from}})
		return
	}
	c.code = append(c.code, instr{code: iGather, n: int32(n.n), dst: int32(c.slot[x]), a: int32(len(c.idx))})
	c.idx = append(c.idx, idx...)
}
