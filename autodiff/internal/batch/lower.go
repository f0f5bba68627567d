// Instructions for one point to instructions for several.

package batch

import (
	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
)

// A BatchLowerer lowers one program. The compiler takes the instructions.
type BatchLowerer struct {
	Layout
	p    *codegen.Program
	out  codegen.Compiler
	lane []int8 // of each instruction
	Zero int    // a slot that holds 0 in all lanes
	size int    // of the arena so far
	fill []filling

	wanted  int // where the arena says how many lanes are wanted
	vectors []*vectorLoop
	loops   *laneLoops

	wholeArena []int // calls that have all of it for a result
}

// onArena writes a call of a function whose result is the whole arena.
func (w *BatchLowerer) onArena(fn graph.Opaque, in ...codegen.Operand) {
	w.wholeArena = append(w.wholeArena, len(w.out.CallInsts))
	w.out.EmitCall(codegen.CallInst{Kind: graph.KindOpaque, In: in, Extra: graph.Extra{Fn: fn}})
}

// A filling is a number that is in the arena from the start.
type filling struct {
	at int
	v  float64
}

// room adds n numbers to the arena, from the start of a line of the cache on, and returns the
// first one's address.
func (w *BatchLowerer) room(n int) int {
	const line = 8
	at := (w.size + line - 1) / line * line
	w.size = at + n
	return at
}

// Address is where lane l of a slot is.
func (f *Layout) Address(slot, l int) int { return int(f.at[slot]) + l*int(f.step[slot]) }

// interleaved reports whether the lanes of n slots from s on are neighbours.
func (f *Layout) interleaved(s, n int) bool {
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
func (w *BatchLowerer) program(code []codegen.Instr) error {
	for i := range code {
		if code[i].Code == codegen.IcodeNative {
			w.out.Code = append(w.out.Code, code[i])
			w.wrote(allLanes)
			continue
		}
		h := w.p.Spelled(&code[i])
		if s, ok := Scan(h); ok {
			if err := w.scan(h, s); err != nil {
				return err
			}
			w.wrote(allLanes)
			continue
		}
		if onVectors(h) && w.allTogether(h) {
			w.vector(h)
			w.wrote(allLanes)
			continue
		}
		if elementwise(h) && w.interleaved(h.Dst, h.N) {
			w.once(h)
			w.wrote(allLanes)
			continue
		}
		for l := range codegen.Lanes {
			w.forLane(h, l)
			w.wrote(l)
		}
	}
	return nil
}

// wrote notes for which lane the last instructions are.
func (w *BatchLowerer) wrote(l int) {
	for len(w.lane) < len(w.out.Code) {
		w.lane = append(w.lane, int8(l))
	}
}

// once writes an instruction on the numbers of all lanes.
func (w *BatchLowerer) once(h *codegen.CallInst) {
	k := h.N * codegen.Lanes
	dst := w.Address(h.Dst, 0)
	address := func(o *codegen.Operand, i int) int { return w.Address(slot(o, i/codegen.Lanes), i%codegen.Lanes) }
	if h.Kind == graph.KindMap && codegen.Fused(h.Op) {
		w.out.EmitFused(h.Op, dst, k, func(in, i int) int { return address(&h.In[in], i) })
		return
	}
	in := make([]codegen.Operand, len(h.In))
	for j := range in {
		in[j] = w.listed(k, func(i int) int { return address(&h.In[j], i) })
	}
	w.emit(h, dst, k, in)
}

// forLane writes an instruction on the numbers of one lane.
func (w *BatchLowerer) forLane(h *codegen.CallInst, l int) {
	dst := h.Dst
	if h.N > 0 {
		dst = w.Address(h.Dst, l)
	}
	if h.Kind == graph.KindMap && codegen.Fused(h.Op) {
		w.out.EmitFused(h.Op, dst, h.N, func(in, i int) int { return w.Address(slot(&h.In[in], i), l) })
		return
	}
	in := make([]codegen.Operand, len(h.In))
	for j, o := range h.In {
		switch {
		case o.Ext != nil || o.N == 0:
			in[j] = o
		case o.Idx != nil:
			in[j] = w.listed(o.N, func(i int) int { return w.Address(slot(&o, i), l) })
		default:
			in[j] = codegen.Operand{Off: w.Address(o.Off, l), N: o.N}
		}
	}
	w.emit(h, dst, h.N, in)
}

// slot is where element i of an operand is in the program.
func slot(o *codegen.Operand, i int) int {
	switch {
	case o.Idx != nil:
		return int(o.Idx[i])
	case o.N == 1:
		return o.Off
	}
	return o.Off + i
}

// listed makes an operand of addresses.
func (w *BatchLowerer) listed(n int, address func(i int) int) codegen.Operand {
	c := &w.out
	start := len(c.Idx)
	for i := range n {
		c.Idx = append(c.Idx, int32(address(i)))
	}
	o := codegen.Pick(c.Idx[start:])
	if o.Idx == nil {
		c.Idx = c.Idx[:start]
		return o
	}
	o.Off = start
	return o
}

// emit writes an instruction of which n numbers go to dst.
func (w *BatchLowerer) emit(h *codegen.CallInst, dst, n int, in []codegen.Operand) {
	c := &w.out
	switch {
	case h.Kind == graph.KindMap:
		c.EmitMap(h.Op, dst, n, in)
	case h.Kind == graph.KindGather && in[0].Idx != nil:
		c.Code = append(c.Code, codegen.Instr{Code: codegen.IGather, N: int32(n), Dst: int32(dst), A: int32(in[0].Off)})
	case h.Kind == graph.KindSum && in[0].Ext == nil:
		c.Code = append(c.Code, codegen.Instr{Code: codegen.ISum, N: int32(in[0].N), Dst: int32(dst), A: int32(in[0].Off)})
	case h.Kind == graph.KindDot && in[0].Ext == nil && in[1].Ext == nil:
		c.Code = append(c.Code, codegen.Instr{Code: codegen.IDot, N: int32(in[0].N), Dst: int32(dst), A: int32(in[0].Off), B: int32(in[1].Off)})
	default:
		g := *h
		g.Dst, g.N, g.In = dst, n, in
		c.EmitCall(g)
	}
}
