// Lanes: a program evaluated at several points in one pass.

package autodiff

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seed-12b88e03/ppl/autodiff/native"
)

// Lanes is the number of points that a LaneMachine evaluates in one pass.
const Lanes = lanes

// A batchProgram is a program for several points at once: the same instructions, each of which
// computes the numbers of all lanes, in an arena with room for them.
//
// It is made of the finished program, instruction by instruction, so that a lane's numbers
// are those of the program itself, to the bit. Machine code keeps a number's lanes
// together, in the four lanes of a register, also in loops: those of scans, and those that
// arithmetic on vectors becomes here. An instruction of the interpreter that works number by
// number does so for all lanes; any other is carried out lane by lane, and the vectors that it
// takes and makes lie as in the program, one lane's after the other's.
type batchProgram struct {
	prog    *Program            // init is empty
	fixed   laneCode            // what does not depend on the input
	fixedOf [lanes]laneCode     // the same for a single lane
	moving  [lanes + 1]laneCode // the rest, by how many lanes are wanted
	layout
	fill    []filling
	wanted  int // where the arena says how many lanes are
	input   area
	outputs []area // of the roots
}

// An area is where the lanes of neighbouring slots are: together, lane l of the slot
// after k others at at + Lanes*k + l; apart, at at + l*step + k; or neither.
type area struct {
	interleaved, strided bool
	at, step             int
}

// A laneCode is instructions for the first few lanes, without those that work for one of the
// others.
type laneCode struct {
	code []instr
	lane []int8 // of each instruction; allLanes for those that work number by number
}

const allLanes = -1

// A laneForms makes a program's lane form when it is first wanted. All copies of a
// program with other runtime constants have the same.
type laneForms struct {
	points atomic.Int64 // at which it was wanted so far
	blocks [][]native.Inst
	weigh  sync.Once
	costs  laneCosts
	make   sync.Once
	form   *batchProgram // nil where there is none
}

// laneForms returns what the copies of the program share; nil where it has no lane form.
func (p *Program) laneForms() *laneForms {
	if p.batch == nil {
		return nil
	}
	return p.batch.derive(newLaneForms).(*laneForms)
}

func newLaneForms(blocks [][]native.Inst) any { return &laneForms{blocks: blocks} }

// batchProgram returns the program's lane form; nil where it has none.
func (p *Program) batchProgram() *batchProgram {
	s := p.laneForms()
	if s == nil {
		return nil
	}
	s.make.Do(func() { s.form = p.lowerBatch(s.blocks) })
	return s.form
}

// lowerBlocks makes the machine code's blocks for all lanes.
func (p *Program) lowerBlocks(blocks [][]native.Inst) (*batchLowerer, [][]native.Inst) {
	w := &batchLowerer{p: p, layout: p.layOutLanes(), zero: lanes * p.slots, size: lanes * (p.slots + 1), loops: &laneLoops{}}
	w.wanted = w.room(1)
	wide := make([][]native.Inst, len(blocks))
	for i, b := range blocks {
		wide[i] = w.block(b)
	}
	return w, wide
}

// lowerBatch makes the lane form; nil where the system refuses the memory for code.
func (p *Program) lowerBatch(blocks [][]native.Inst) *batchProgram {
	w, wide := p.lowerBlocks(blocks)
	if w.program(p.code[:p.start]) != nil {
		return nil
	}
	start := len(w.out.code)
	if w.program(p.code[p.start:]) != nil {
		return nil
	}
	if w.compileVectors() != nil {
		return nil
	}
	for _, i := range w.wholeArena {
		w.out.callInsts[i].n = w.size
	}
	q := &Program{dim: p.dim, code: w.out.code, callInsts: w.out.callInsts, idx: w.out.idx, roots: p.roots, guards: p.guards, slots: w.size}
	arena := q.slots
	if len(wide) > 0 {
		code, err := native.Build(wide, q.slots)
		if err != nil {
			return nil
		}
		q.native, arena = code, code.Slots()
	}
	q.slots = arena
	f := &batchProgram{prog: q, layout: w.layout, fill: w.fill, wanted: w.wanted, input: w.area(0, p.dim)}
	for _, o := range p.roots {
		f.outputs = append(f.outputs, w.area(o.off, o.n))
	}
	f.fixed = w.part(0, start, 0, lanes)
	for l := range f.fixedOf {
		f.fixedOf[l] = w.part(0, start, l, l+1)
	}
	for n := range f.moving {
		f.moving[n] = w.part(start, len(w.out.code), 0, n)
	}
	return f
}

// part returns instructions for the lanes from first up to last, which is none of them.
func (w *batchLowerer) part(from, to, first, last int) (c laneCode) {
	for i := from; i < to; i++ {
		if l := int(w.lane[i]); l == allLanes || first <= l && l < last {
			c.code, c.lane = append(c.code, w.out.code[i]), append(c.lane, int8(l))
		}
	}
	return c
}

// A layout says where the lanes of a program's slots are: lane l of slot s at
// at[s] + l*step[s].
type layout struct {
	at, step []int32
	rank     []int32 // how many slots that are apart in the same way are before it
}

// area is where n slots from s on are.
func (f *layout) area(s, n int) area {
	if n == 0 || s >= len(f.at) {
		return area{}
	}
	a := area{interleaved: f.interleaved(s, n), strided: true, at: int(f.at[s]), step: int(f.step[s])}
	for k := range n {
		a.strided = a.strided && int(f.at[s+k]) == a.at+k && int(f.step[s+k]) == a.step
	}
	return a
}

// A span is a range of slots.
type span struct{ lo, hi int }

// layOutLanes places the lanes of all slots. Lanes are together, but where an instruction
// is carried out lane by lane: its vectors are apart.
func (p *Program) layOutLanes() layout {
	var apart []span
	var flexible [][]span
	for i := range p.code {
		if p.code[i].code == icodeNative {
			continue
		}
		h := p.spelled(&p.code[i])
		if s, ok := h.scan(); ok {
			for _, one := range h.scanSpans(s) {
				flexible = append(flexible, []span{one})
			}
		} else if spans := h.spans(); h.elementwise() || h.onVectors() {
			flexible = append(flexible, spans)
		} else {
			apart = append(apart, spans...)
		}
	}
	for {
		apart = merged(apart)
		var more []span
		flexible = slices.DeleteFunc(flexible, func(spans []span) bool {
			if !slices.ContainsFunc(spans, func(s span) bool { return meets(apart, s) }) {
				return false
			}
			more = append(more, spans...)
			return true
		})
		if len(more) == 0 {
			return p.place(apart)
		}
		apart = append(apart, more...)
	}
}

// place makes the layout in which some spans of slots are apart.
func (p *Program) place(apart []span) layout {
	l := layout{at: make([]int32, p.slots), step: make([]int32, p.slots), rank: make([]int32, p.slots)}
	for s := range l.at {
		l.at[s], l.step[s] = int32(lanes*s), 1
	}
	for _, a := range apart {
		for s := a.lo; s < a.hi; s++ {
			l.at[s], l.step[s], l.rank[s] = int32(lanes*a.lo+s-a.lo), int32(a.hi-a.lo), int32(s-a.lo)
		}
	}
	return l
}

// merged sorts spans and joins those that overlap.
func merged(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return a.lo - b.lo })
	out := spans[:0]
	for _, s := range spans {
		if k := len(out) - 1; k >= 0 && s.lo < out[k].hi {
			out[k].hi = max(out[k].hi, s.hi)
			continue
		}
		out = append(out, s)
	}
	return out
}

// meets reports whether one of the sorted spans overlaps with s.
func meets(sorted []span, s span) bool {
	i, _ := slices.BinarySearchFunc(sorted, s.lo, func(a span, lo int) int {
		if a.hi <= lo {
			return -1
		}
		return 1
	})
	return i < len(sorted) && sorted[i].lo < s.hi
}

// spans are the neighbours that an instruction takes and makes.
func (h *callInst) spans() []span {
	var out []span
	add := func(off, n int) {
		if n > 1 {
			out = append(out, span{off, off + n})
		}
	}
	add(h.dst, h.n)
	for _, o := range h.in {
		if o.idx == nil && o.ext == nil {
			add(o.off, o.n)
		}
	}
	return out
}

// elementwise reports whether an instruction does the same to each number of its operands, so
// that it does not matter how they lie.
func (h *callInst) elementwise() bool {
	if h.kind != kindMap && h.kind != kindGather {
		return false
	}
	for _, o := range h.in {
		if o.ext != nil || o.idx == nil && o.n != h.n {
			return false
		}
	}
	return true
}
