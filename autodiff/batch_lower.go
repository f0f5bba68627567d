// Instructions for one point to instructions for several.

package autodiff

// A batchLowerer is at work on a program. The compiler takes the instructions.
type batchLowerer struct {
	layout
	p    *Program
	out  compiler
	lane []int8 // of each instruction
	zero int    // a slot that holds 0 in all lanes
	size int    // of the arena so far
	fill []filling

	wanted  int // where the arena says how many lanes are wanted
	vectors []*vectorLoop
	loops   *laneLoops

	wholeArena []int // calls that have all of it for a result
}

// onArena writes a call of a function whose result is the whole arena.
func (w *batchLowerer) onArena(fn Opaque, in ...operand) {
	w.wholeArena = append(w.wholeArena, len(w.out.callInsts))
	w.out.emitCall(callInst{kind: kindOpaque, in: in, extra: extra{fn: fn}})
}

// A filling is a number that is in the arena from the start.
type filling struct {
	at int
	v  float64
}

// room adds n numbers to the arena, from the start of a line of the cache on, and returns the
// first one's address.
func (w *batchLowerer) room(n int) int {
	const line = 8
	at := (w.size + line - 1) / line * line
	w.size = at + n
	return at
}

// address is where lane l of a slot is.
func (f *layout) address(slot, l int) int { return int(f.at[slot]) + l*int(f.step[slot]) }

// interleaved reports whether the lanes of n slots from s on are neighbours.
func (f *layout) interleaved(s, n int) bool {
	for ; n > 0; n-- {
		if f.step[s] != 1 {
			return false
		}
		s++
	}
	return true
}

// program writes what instructions become. It fails where the system refuses the memory
// for code.
func (w *batchLowerer) program(code []instr) error {
	for i := range code {
		if code[i].code == icodeNative {
			w.out.code = append(w.out.code, code[i])
			w.wrote(allLanes)
			continue
		}
		h := w.p.spelled(&code[i])
		if s, ok := h.scan(); ok {
			if err := w.scan(h, s); err != nil {
				return err
			}
			w.wrote(allLanes)
			continue
		}
		if h.onVectors() && w.allTogether(h) {
			w.vector(h)
			w.wrote(allLanes)
			continue
		}
		if h.elementwise() && w.interleaved(h.dst, h.n) {
			w.once(h)
			w.wrote(allLanes)
			continue
		}
		for l := range lanes {
			w.forLane(h, l)
			w.wrote(l)
		}
	}
	return nil
}

// wrote notes for which lane the last instructions are.
func (w *batchLowerer) wrote(l int) {
	for len(w.lane) < len(w.out.code) {
		w.lane = append(w.lane, int8(l))
	}
}

// once writes an instruction on the numbers of all lanes.
func (w *batchLowerer) once(h *callInst) {
	k := h.n * lanes
	dst := w.address(h.dst, 0)
	address := func(o *operand, i int) int { return w.address(o.slot(i/lanes), i%lanes) }
	if h.kind == kindMap && h.op.fused() {
		w.out.emitFused(h.op, dst, k, func(in, i int) int { return address(&h.in[in], i) })
		return
	}
	in := make([]operand, len(h.in))
	for j := range in {
		in[j] = w.listed(k, func(i int) int { return address(&h.in[j], i) })
	}
	w.emit(h, dst, k, in)
}

// forLane writes an instruction on the numbers of one lane.
func (w *batchLowerer) forLane(h *callInst, l int) {
	dst := h.dst
	if h.n > 0 {
		dst = w.address(h.dst, l)
	}
	if h.kind == kindMap && h.op.fused() {
		w.out.emitFused(h.op, dst, h.n, func(in, i int) int { return w.address(h.in[in].slot(i), l) })
		return
	}
	in := make([]operand, len(h.in))
	for j, o := range h.in {
		switch {
		case o.ext != nil || o.n == 0:
			in[j] = o
		case o.idx != nil:
			in[j] = w.listed(o.n, func(i int) int { return w.address(o.slot(i), l) })
		default:
			in[j] = operand{off: w.address(o.off, l), n: o.n}
		}
	}
	w.emit(h, dst, h.n, in)
}

// slot is where element i of an operand is in the program.
func (o *operand) slot(i int) int {
	switch {
	case o.idx != nil:
		return int(o.idx[i])
	case o.n == 1:
		return o.off
	}
	return o.off + i
}

// listed makes an operand of addresses.
func (w *batchLowerer) listed(n int, address func(i int) int) operand {
	c := &w.out
	start := len(c.idx)
	for i := range n {
		c.idx = append(c.idx, int32(address(i)))
	}
	o := pick(c.idx[start:])
	if o.idx == nil {
		c.idx = c.idx[:start]
		return o
	}
	o.off = start
	return o
}

// emit writes an instruction of which n numbers go to dst.
func (w *batchLowerer) emit(h *callInst, dst, n int, in []operand) {
	c := &w.out
	switch {
	case h.kind == kindMap:
		c.emitMap(h.op, dst, n, in)
	case h.kind == kindGather && in[0].idx != nil:
		c.code = append(c.code, instr{code: iGather, n: int32(n), dst: int32(dst), a: int32(in[0].off)})
	case h.kind == kindSum && in[0].ext == nil:
		c.code = append(c.code, instr{code: iSum, n: int32(in[0].n), dst: int32(dst), a: int32(in[0].off)})
	case h.kind == kindDot && in[0].ext == nil && in[1].ext == nil:
		c.code = append(c.code, instr{code: iDot, n: int32(in[0].n), dst: int32(dst), a: int32(in[0].off), b: int32(in[1].off)})
	default:
		g := *h
		g.dst, g.n, g.in = dst, n, in
		c.emitCall(g)
	}
}
