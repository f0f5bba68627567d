// Arithmetic on vectors at several points: loops of machine code on the numbers of all
// lanes.

package autodiff

import "github.com/seed-12b88e03/ppl/autodiff/native"

// A laneVector is an operation on vectors, or a sum, in a program for several points whose
// vectors have their lanes together. A single number that is used for all elements is four,
// which kernels for one point do not know. Like a laneScan it works in the program's arena.
type laneVector struct {
	all  *laneLoops
	name string
	runs []loopRun
	kind kind
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
	sumIteration = 2 * accumulators
)

// A vectorLoop is a laneVector that is still to be compiled.
type vectorLoop struct {
	v  *laneVector
	h  *callInst
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
func (h *callInst) onVectors() bool {
	switch h.kind {
	case kindSum, kindDot:
		for _, o := range h.in {
			if o.n < sumIteration || o.ext != nil && h.kind == kindSum {
				return false
			}
		}
		return true
	case kindMap:
		if _, ok := blockOp(h.op); !ok || h.n < mapIteration || h.elementwise() {
			return false
		}
		for _, o := range h.in {
			if o.idx != nil || o.n != h.n && (o.n != 1 || o.ext != nil) {
				return false
			}
		}
		return true
	}
	return false
}

// allTogether reports whether the vectors of an instruction have their lanes together.
func (w *batchLowerer) allTogether(h *callInst) bool {
	for _, s := range h.spans() {
		if !w.interleaved(s.lo, s.hi-s.lo) {
			return false
		}
	}
	return true
}

// vector writes an operation on vectors whose lanes are together.
func (w *batchLowerer) vector(h *callInst) {
	l := &vectorLoop{v: &laneVector{all: w.loops, name: h.String(), kind: h.kind}, h: h}
	for _, o := range h.in {
		x := vectorOperand{common: o.ext, number: o.n == 1}
		switch {
		case o.ext != nil:
		case w.interleaved(o.off, o.n):
			x.at = w.address(o.off, 0)
		default: // a number
			x.at = w.room(lanes)
			for k := range lanes {
				l.v.moves = append(l.v.moves, laneMove{int32(x.at + k), int32(w.address(o.off, k))})
			}
		}
		l.in = append(l.in, x)
	}
	w.vectors = append(w.vectors, l)
	w.onArena(l.v)
}

// A loopCompiler makes the loops of all laneVectors.
type loopCompiler struct {
	*batchLowerer
	streams native.Streams
	common  map[*float64]int // first slots of constants
	slots   map[int]int      // of streams, by where they begin
	made    []native.Loop
	list    []native.Inst // of the loop at hand
}

// compileVectors makes the machine code.
func (w *batchLowerer) compileVectors() error {
	if len(w.vectors) == 0 {
		return nil
	}
	w.loops.sums = w.room(lanes * accumulators)
	c := &loopCompiler{batchLowerer: w, common: map[*float64]int{}, slots: map[int]int{}}
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
			if l.h.kind != kindMap {
				c.total(l)
			} else {
				c.elements(l)
			}
		}
	}
	code, err := native.BuildLoops(c.made, c.streams, w.size, lanes)
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
	for j := range min(sumIteration, len(x)) {
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
	return native.InSlot(c.stream(x.at + lanes*j))
}

func (c *loopCompiler) add(in native.Inst) native.Value {
	c.list = append(c.list, in)
	return native.Value(len(c.list) - 1)
}

// end ends a loop and gives its number.
func (c *loopCompiler) end(iteration int, carries []native.Carry) int {
	c.made = append(c.made, native.Loop{Block: c.list, Carries: carries, Step: lanes * iteration})
	c.list = nil
	return len(c.made) - 1
}

// elements makes the loop of an operation. What is left of the last iteration is done with the
// elements before it, once more.
func (c *loopCompiler) elements(l *vectorLoop) {
	op, _ := blockOp(l.h.op)
	dst := c.address(l.h.dst, 0)
	for j := range mapIteration {
		in := native.Inst{Op: op, Wide: true, Slot: int32(c.stream(dst + lanes*j))}
		for k := range l.in {
			*[]*native.Value{&in.A, &in.B, &in.C}[k] = c.operand(&l.in[k], j)
		}
		c.add(in)
	}
	k, n := c.end(mapIteration, nil), l.h.n
	l.v.runs = append(l.v.runs, loopRun{k, 0, n / mapIteration})
	if n%mapIteration > 0 {
		l.v.runs = append(l.v.runs, loopRun{k, lanes * (n - mapIteration), 1})
	}
}

// total makes the loop of a sum, with the accumulators of vec.Sum, and a block that adds what
// is left of the last iteration, and these.
func (c *loopCompiler) total(l *vectorLoop) {
	n := l.h.in[0].n
	whole := n / sumIteration
	sum := c.terms(l, sumIteration)
	carries := make([]native.Carry, accumulators)
	for j := range carries {
		at := c.number(c.loops.sums + lanes*j)
		c.list[sum[j]].Slot = int32(at)
		carries[j] = native.Carry{From: at, Next: sum[j], Wide: true}
	}
	l.v.runs = append(l.v.runs, loopRun{c.end(sumIteration, carries), 0, whole})
	sum = c.terms(l, n%sumIteration)
	for apart := accumulators / 2; apart > 0; apart /= 2 {
		for j := range apart {
			sum[j] = c.add(native.Inst{Op: native.Add, Wide: true, A: sum[j], B: sum[j+apart], Slot: native.NoSlot})
		}
	}
	if step := c.step[l.h.dst]; step == 1 {
		c.add(native.Inst{Op: native.Copy, Wide: true, A: sum[0], Slot: int32(c.number(c.address(l.h.dst, 0)))})
	} else {
		c.add(native.Inst{Op: native.Scatter, A: sum[0], B: native.Value(step), Slot: int32(c.number(c.address(l.h.dst, 0)))})
	}
	l.v.runs = append(l.v.runs, loopRun{c.end(sumIteration, nil), lanes * whole * sumIteration, 1})
}

// terms adds so many elements to the accumulators.
func (c *loopCompiler) terms(l *vectorLoop, n int) []native.Value {
	sum := make([]native.Value, accumulators)
	for j := range sum {
		sum[j] = native.InSlot(c.number(c.loops.sums + lanes*j))
	}
	for j := range n {
		in := native.Inst{Op: native.Add, Wide: true, A: sum[j%accumulators], B: c.operand(&l.in[0], j), Slot: native.NoSlot}
		if len(l.in) == 2 {
			in = native.Inst{Op: native.FMA, Wide: true, A: in.B, B: c.operand(&l.in[1], j), C: in.A, Slot: native.NoSlot}
		}
		sum[j%accumulators] = c.add(in)
	}
	return sum
}

// Instance returns the (stateless) function itself.
func (v *laneVector) Instance() Instance { return v }

// Fused reports that there is no fused form.
func (v *laneVector) Fused([]bool) (Opaque, bool) { return nil, false }

// String names the function in dumps.
func (v *laneVector) String() string { return "all lanes of " + v.name }

// Value does the operation in an arena.
func (v *laneVector) Value(_ [][]float64, mem []float64) error {
	for _, c := range v.moves {
		mem[c.to] = mem[c.from]
	}
	if v.kind != kindMap {
		clear(mem[v.all.sums:][:lanes*accumulators])
	}
	for _, r := range v.runs {
		v.all.code.Loop(r.loop, mem, v.all.inputs, mem, r.from, r.iterations)
	}
	return nil
}

// VJP is not called: lanes are of finished programs.
func (v *laneVector) VJP(_ [][]float64, _, _ []float64, _ [][]float64) {
	panic("autodiff: several lanes have no derivative")
}
