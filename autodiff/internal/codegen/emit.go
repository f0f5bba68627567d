// Emission: runs of nodes to instructions.

package codegen

import "github.com/seed-12b88e03/ppl/autodiff/internal/graph"

func (c *Compiler) emit(r run) {
	x := r[0]
	n := c.at(x)
	if f, ok := c.alias[x]; ok {
		c.slot[x] = c.slot[f]
		return
	}
	switch n.Kind {
	case graph.KindConst, graph.KindInput, graph.KindRuntimeConst:
	case graph.KindView:
		c.slot[x] = c.slot[n.In()[0]] + int(n.Off)
	case graph.KindGather:
		c.emitGather(x, n)
	case graph.KindMap:
		switch {
		case Fused(n.Op) && n.N == 1:
			c.emitFusedRun(r, n.Op)
			return
		case Fused(n.Op):
			c.emitFusedVector(x, n)
			return
		case n.N == 1:
			c.emitRun(r, n.Op)
			return
		}
		c.place(x, n.Len())
		c.EmitMap(n.Op, c.slot[x], n.Len(), c.operands(n.In()))
	default:
		c.place(x, n.Len())
		if c.emitReduction(x, n) {
			return
		}
		h := CallInst{Kind: n.Kind, Op: n.Op, Dst: c.slot[x], N: n.Len(), In: c.operands(n.In()), rows: int(n.Off)}
		if n.Extra != nil {
			h.Extra = *n.Extra
			h.Parts = c.parts(n)
		}
		c.EmitCall(h)
	}
}

// parts are those of an accumulation, with segments where they pay.
func (c *Compiler) parts(n *graph.NodeDef) []graph.Part {
	switch {
	case n.Extra == nil:
		return nil
	case !c.g.Does(graph.OptSegments):
		return n.Extra.Parts
	}
	return segmented(n.Extra.Parts)
}

// emitReduction makes the small instruction of a sum or dot product within the arena.
func (c *Compiler) emitReduction(x graph.Node, n *graph.NodeDef) bool {
	if n.Kind != graph.KindSum && n.Kind != graph.KindDot {
		return false
	}
	in := c.operands(n.In())
	if outside(in) {
		return false
	}
	ins := Instr{Code: ISum, N: int32(in[0].N), Dst: int32(c.slot[x]), A: int32(in[0].Off)}
	if n.Kind == graph.KindDot {
		ins.Code, ins.B = IDot, int32(in[1].Off)
	}
	c.Code = append(c.Code, ins)
	return true
}

func (c *Compiler) EmitCall(h CallInst) {
	c.Code = append(c.Code, Instr{Code: IcodeCall, A: int32(len(c.CallInsts))})
	c.CallInsts = append(c.CallInsts, h)
}

// emitRun makes one instruction of a run of scalar operations; their results are
// neighbours in the arena.
func (c *Compiler) emitRun(r run, op *graph.Op) {
	dst := c.size
	for _, x := range r {
		c.place(x, 1)
	}
	in := make([]Operand, op.Arity())
	for k := range in {
		start := len(c.Idx)
		for _, x := range r {
			c.Idx = append(c.Idx, int32(c.slot[c.at(x).In()[k]]))
		}
		in[k] = Pick(c.Idx[start:])
		if in[k].Idx == nil {
			c.Idx = c.Idx[:start]
			continue
		}
		in[k].Off = start
	}
	c.EmitMap(op, dst, len(r), in)
}

// EmitMap makes the small instruction of core arithmetic, or a call.
func (c *Compiler) EmitMap(op *graph.Op, dst, n int, in []Operand) {
	ins := Instr{N: int32(n), Dst: int32(dst), A: int32(in[0].Off)}
	if len(in) == 2 {
		ins.B = int32(in[1].Off)
	}
	switch {
	case op.Code == graph.CodeNone || outside(in) || len(in) == 1 && in[0].N != n:
	case len(in) == 1:
		ins.Code = UnaryCode(op.Code, unaryMode(n, in[0]))
	case in[0].Idx != nil || in[1].Idx != nil:
		ins.A, ins.B = c.spell(in[0], n), c.spell(in[1], n)
		ins.Code = BinaryCode(op.Code, ModeII)
	default:
		if mode, ok := binaryMode(n, in); ok {
			ins.Code = BinaryCode(op.Code, mode)
		}
	}
	if ins.Code != IcodeCall {
		c.Code = append(c.Code, ins)
		return
	}
	h := CallInst{Kind: graph.KindMap, Op: op, Dst: dst, N: n, In: in}
	for _, o := range in {
		h.indexed = h.indexed || o.Idx != nil
	}
	if h.indexed {
		for k, o := range in {
			at := c.spell(o, n)
			h.In[k].Idx = append([]int32(nil), c.Idx[at:int(at)+n]...)
		}
	}
	c.EmitCall(h)
}

func outside(in []Operand) bool {
	for _, o := range in {
		if o.Ext != nil {
			return true
		}
	}
	return false
}

func unaryMode(n int, o Operand) int {
	switch {
	case o.Idx != nil:
		return ModeI
	case n == 1:
		return ModeS
	}
	return modeV
}

// binaryMode finds the mode of operands without address lists; false for a vector
// that repeats one number, which only unsimplified graphs have.
func binaryMode(n int, in []Operand) (int, bool) {
	switch a, b := in[0].N, in[1].N; {
	case n == 1:
		return ModeSS, true
	case a == n && b == n:
		return modeVV, true
	case a == n && b == 1:
		return modeVS, true
	case a == 1 && b == n:
		return modeSV, true
	}
	return 0, false
}

// Pick makes an operand of addresses: neighbours and repetitions need no list.
func Pick(idx []int32) Operand {
	consecutive, same := true, true
	for i, a := range idx {
		consecutive = consecutive && a == idx[0]+int32(i)
		same = same && a == idx[0]
	}
	switch {
	case consecutive:
		return Operand{Off: int(idx[0]), N: len(idx)}
	case same:
		return Operand{Off: int(idx[0]), N: 1}
	}
	return Operand{N: len(idx), Idx: idx}
}

// spell returns where the list of an operand's addresses starts, writing it out where
// there is none.
func (c *Compiler) spell(o Operand, n int) int32 {
	if o.Idx != nil {
		return int32(o.Off)
	}
	start := len(c.Idx)
	for i := range n {
		at := o.Off
		if o.N != 1 {
			at += i
		}
		c.Idx = append(c.Idx, int32(at))
	}
	return int32(start)
}

// emitGather copies the picked elements, unless they lie next to each other already.
func (c *Compiler) emitGather(x graph.Node, n *graph.NodeDef) {
	for _, y := range n.In() {
		if v := c.at(y); v.Kind == graph.KindConst && isOutside(v) {
			c.constant(y, v.Data)
		}
	}
	idx := make([]int32, n.Len())
	for i, r := range n.Refs {
		idx[i] = int32(c.slot[n.In()[r.Node]]) + r.Elem
	}
	if len(idx) == 0 {
		c.slot[x] = 0
		return
	}
	from := Pick(idx)
	if from.Idx == nil && from.N == n.Len() {
		c.slot[x] = from.Off
		return
	}
	c.place(x, n.Len())
	if from.Idx == nil { // one number for all
		c.EmitCall(CallInst{Kind: graph.KindGather, Dst: c.slot[x], N: n.Len(), In: []Operand{from}})
		return
	}
	c.Code = append(c.Code, Instr{Code: IGather, N: int32(n.N), Dst: int32(c.slot[x]), A: int32(len(c.Idx))})
	c.Idx = append(c.Idx, idx...)
}
