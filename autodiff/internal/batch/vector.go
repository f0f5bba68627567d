// Arithmetic on vectors at several points: loops of machine code on the numbers of all
// lanes.

package batch

import (
	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

// A LaneVector is an operation on vectors, or a sum, in a program for several points whose
// vectors have their lanes together. A single number that is used for all elements is four,
// which kernels for one point do not know. Like a laneScan it works in the program's arena.
type LaneVector struct {
	all  *laneLoops
	name string
	runs []loopRun
	Kind graph.Kind
	// moves collect the lanes of a number that are apart.
	moves []laneMove
}

// A loopRun is iterations of a loop.
type loopRun struct{ loop, from, iterations int }

// laneLoops are the loops of all laneVectors of a program.
type laneLoops struct {
	code   *native.Code
	inputs []*float64 // constants, which all lanes share
	sums   int        // where the accumulators are in the arena
}

// The numbers of elements in an iteration.
const (
	mapIteration = 4
	SumIteration = 2 * codegen.Accumulators
)

// A vectorLoop is a laneVector that is still to be compiled.
type vectorLoop struct {
	v  *LaneVector
	h  *codegen.CallInst
	in []vectorOperand
}

// A vectorOperand is a constant, which all lanes share, or in the arena from at on, a
// number or a vector.
type vectorOperand struct {
	common []float64
	number bool
	at     int
}

// onVectors reports whether an instruction is one that a laneVector can carry out.
func onVectors(h *codegen.CallInst) bool {
	switch h.Kind {
	case graph.KindSum, graph.KindDot:
		for _, o := range h.In {
			if o.N < SumIteration || o.Ext != nil && h.Kind == graph.KindSum {
				return false
			}
		}
		return true
	case graph.KindMap:
		if _, ok := codegen.BlockOp(h.Op); !ok || h.N < mapIteration || elementwise(h) {
			return false
		}
		for _, o := range h.In {
			if o.Idx != nil || o.N != h.N && (o.N != 1 || o.Ext != nil) {
				return false
			}
		}
		return true
	}
	return false
}

// allTogether reports whether the vectors of an instruction have their lanes together.
func (w *BatchLowerer) allTogether(h *codegen.CallInst) bool {
	for _, s := range spans(h) {
		if !w.interleaved(s.Lo, s.Hi-s.Lo) {
			return false
		}
	}
	return true
}

// vector writes an operation on vectors whose lanes are together.
func (w *BatchLowerer) vector(h *codegen.CallInst) {
	l := &vectorLoop{v: &LaneVector{all: w.loops, name: h.String(), Kind: h.Kind}, h: h}
	for _, o := range h.In {
		x := vectorOperand{common: o.Ext, number: o.N == 1}
		switch {
		case o.Ext != nil:
		case w.interleaved(o.Off, o.N):
			x.at = w.Address(o.Off, 0)
		default: // a single number whose lanes are apart: they are moved together
			x.at = w.room(codegen.Lanes)
			for k := range codegen.Lanes {
				l.v.moves = append(l.v.moves, laneMove{int32(x.at + k), int32(w.Address(o.Off, k))})
			}
		}
		l.in = append(l.in, x)
	}
	w.vectors = append(w.vectors, l)
	w.onArena(l.v)
}

// A loopCompiler makes the loops of all laneVectors.
type loopCompiler struct {
	*BatchLowerer
	streams native.Streams
	common  map[*float64]int // first slots of constants
	slots   map[int]int      // of streams, by where they begin
	made    []native.Loop
	list    []native.Inst // of the loop at hand
}

// compileVectors makes the machine code.
func (w *BatchLowerer) compileVectors() error {
	if len(w.vectors) == 0 {
		return nil
	}
	w.loops.sums = w.room(codegen.Lanes * codegen.Accumulators)
	c := &loopCompiler{BatchLowerer: w, common: map[*float64]int{}, slots: map[int]int{}}
	for _, l := range w.vectors {
		for _, x := range l.in {
			c.share(x.common)
		}
	}
	// The arena's slots follow those of streams, so all of these must be known.
	for range 2 {
		c.made = nil
		for _, l := range w.vectors {
			l.v.runs = nil
			if l.h.Kind != graph.KindMap {
				c.total(l)
			} else {
				c.elements(l)
			}
		}
	}
	code, err := native.BuildLoops(c.made, c.streams, w.size, codegen.Lanes)
	if err != nil {
		return err
	}
	w.loops.code = code
	w.size = max(w.size, code.Slots())
	return nil
}

// share makes streams of a constant's first elements.
func (c *loopCompiler) share(x []float64) {
	if x == nil {
		return
	}
	if _, ok := c.common[&x[0]]; ok {
		return
	}
	c.common[&x[0]] = c.streams.Inputs
	for j := range min(SumIteration, len(x)) {
		c.streams.Inputs++
		c.streams.ByOne = append(c.streams.ByOne, true)
		c.loops.inputs = append(c.loops.inputs, &x[j])
	}
}

// stream is the slot of a stream that begins at an address.
func (c *loopCompiler) stream(at int) int {
	slot, ok := c.slots[at]
	if !ok {
		slot = len(c.streams.ByOne)
		c.slots[at] = slot
		c.streams.Outputs = append(c.streams.Outputs, at)
		c.streams.ByOne = append(c.streams.ByOne, false)
	}
	return slot
}

// number is the slot of an address.
func (c *loopCompiler) number(at int) int { return len(c.streams.ByOne) + at }

// operand is element j of the iteration.
func (c *loopCompiler) operand(x *vectorOperand, j int) native.Value {
	switch {
	case x.common != nil:
		return c.add(native.Inst{Op: native.Splat, A: native.InSlot(c.common[&x.common[0]] + j), Slot: native.NoSlot})
	case x.number:
		return native.InSlot(c.number(x.at))
	}
	return native.InSlot(c.stream(x.at + codegen.Lanes*j))
}

func (c *loopCompiler) add(in native.Inst) native.Value {
	c.list = append(c.list, in)
	return native.Value(len(c.list) - 1)
}

// end ends a loop and gives its number.
func (c *loopCompiler) end(iteration int, carries []native.Carry) int {
	c.made = append(c.made, native.Loop{Block: c.list, Carries: carries, Step: codegen.Lanes * iteration})
	c.list = nil
	return len(c.made) - 1
}

// elements makes the loop of an operation. What is left of the last iteration is done with the
// elements before it, once more.
func (c *loopCompiler) elements(l *vectorLoop) {
	op, _ := codegen.BlockOp(l.h.Op)
	dst := c.Address(l.h.Dst, 0)
	for j := range mapIteration {
		in := native.Inst{Op: op, Wide: true, Slot: int32(c.stream(dst + codegen.Lanes*j))}
		for k := range l.in {
			*[]*native.Value{&in.A, &in.B, &in.C}[k] = c.operand(&l.in[k], j)
		}
		c.add(in)
	}
	k, n := c.end(mapIteration, nil), l.h.N
	l.v.runs = append(l.v.runs, loopRun{k, 0, n / mapIteration})
	if n%mapIteration > 0 {
		l.v.runs = append(l.v.runs, loopRun{k, codegen.Lanes * (n - mapIteration), 1})
	}
}

// total makes the loop of a sum, with the accumulators of vec.Sum, and a block that adds what
// is left of the last iteration, and these.
func (c *loopCompiler) total(l *vectorLoop) {
	n := l.h.In[0].N
	whole := n / SumIteration
	sum := c.terms(l, SumIteration)
	carries := make([]native.Carry, codegen.Accumulators)
	for j := range carries {
		at := c.number(c.loops.sums + codegen.Lanes*j)
		c.list[sum[j]].Slot = int32(at)
		carries[j] = native.Carry{From: at, Next: sum[j], Wide: true}
	}
	l.v.runs = append(l.v.runs, loopRun{c.end(SumIteration, carries), 0, whole})
	sum = c.terms(l, n%SumIteration)
	for apart := codegen.Accumulators / 2; apart > 0; apart /= 2 {
		for j := range apart {
			sum[j] = c.add(native.Inst{Op: native.Add, Wide: true, A: sum[j], B: sum[j+apart], Slot: native.NoSlot})
		}
	}
	if step := c.step[l.h.Dst]; step == 1 {
		c.add(native.Inst{Op: native.Copy, Wide: true, A: sum[0], Slot: int32(c.number(c.Address(l.h.Dst, 0)))})
	} else {
		c.add(native.Inst{Op: native.Scatter, A: sum[0], B: native.Value(step), Slot: int32(c.number(c.Address(l.h.Dst, 0)))})
	}
	l.v.runs = append(l.v.runs, loopRun{c.end(SumIteration, nil), codegen.Lanes * whole * SumIteration, 1})
}

// terms adds so many elements to the accumulators.
func (c *loopCompiler) terms(l *vectorLoop, n int) []native.Value {
	sum := make([]native.Value, codegen.Accumulators)
	for j := range sum {
		sum[j] = native.InSlot(c.number(c.loops.sums + codegen.Lanes*j))
	}
	for j := range n {
		in := native.Inst{Op: native.Add, Wide: true, A: sum[j%codegen.Accumulators], B: c.operand(&l.in[0], j), Slot: native.NoSlot}
		if len(l.in) == 2 {
			in = native.Inst{Op: native.FMA, Wide: true, A: in.B, B: c.operand(&l.in[1], j), C: in.A, Slot: native.NoSlot}
		}
		sum[j%codegen.Accumulators] = c.add(in)
	}
	return sum
}

// Instance returns the (stateless) function itself.
func (v *LaneVector) Instance() graph.Instance { return v }

// Fused reports that there is no fused form.
func (v *LaneVector) Fused([]bool) (graph.Opaque, bool) { return nil, false }

// String names the function in dumps.
func (v *LaneVector) String() string { return "all lanes of " + v.name }

// Value does the operation in an arena.
func (v *LaneVector) Value(_ [][]float64, mem []float64) error {
	for _, c := range v.moves {
		mem[c.to] = mem[c.from]
	}
	if v.Kind != graph.KindMap {
		clear(mem[v.all.sums:][:codegen.Lanes*codegen.Accumulators])
	}
	for _, r := range v.runs {
		v.all.code.Loop(r.loop, mem, v.all.inputs, mem, r.from, r.iterations)
	}
	return nil
}

// VJP is not called: lanes are of finished programs.
func (v *LaneVector) VJP(_ [][]float64, _, _ []float64, _ [][]float64) {
	panic("autodiff: several lanes have no derivative")
}
