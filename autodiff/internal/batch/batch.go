// Lanes: a program evaluated at several points in one pass.

package batch

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

// Lanes is the number of points that a LaneMachine evaluates in one pass.
const Lanes = codegen.Lanes

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
	Prog    *codegen.Program            // init is empty
	fixed   laneCode                    // what does not depend on the input
	fixedOf [codegen.Lanes]laneCode     // the same for a single lane
	moving  [codegen.Lanes + 1]laneCode // the rest, by how many lanes are wanted
	Layout
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
	code []codegen.Instr
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

// formsOf returns what the copies of the program share; nil where it has no lane form.
func formsOf(p *codegen.Program) *laneForms {
	if p.Batch == nil {
		return nil
	}
	return p.Batch.Derive(newLaneForms).(*laneForms)
}

func newLaneForms(blocks [][]native.Inst) any { return &laneForms{blocks: blocks} }

// BatchProgram returns the program's lane form; nil where it has none.
func BatchProgram(p *codegen.Program) *batchProgram {
	s := formsOf(p)
	if s == nil {
		return nil
	}
	s.make.Do(func() { s.form = lowerBatch(p, s.blocks) })
	return s.form
}

// lowerBlocks makes the machine code's blocks for all lanes.
func lowerBlocks(p *codegen.Program, blocks [][]native.Inst) (*BatchLowerer, [][]native.Inst) {
	w := &BatchLowerer{p: p, Layout: layOutLanes(p), Zero: codegen.Lanes * p.Slots, size: codegen.Lanes * (p.Slots + 1), loops: &laneLoops{}}
	w.wanted = w.room(1)
	wide := make([][]native.Inst, len(blocks))
	for i, b := range blocks {
		wide[i] = w.Block(b)
	}
	return w, wide
}

// lowerBatch makes the lane form; nil where the system refuses the memory for code.
func lowerBatch(p *codegen.Program, blocks [][]native.Inst) *batchProgram {
	w, wide := lowerBlocks(p, blocks)
	if w.program(p.Code[:p.Start]) != nil {
		return nil
	}
	start := len(w.out.Code)
	if w.program(p.Code[p.Start:]) != nil {
		return nil
	}
	if w.compileVectors() != nil {
		return nil
	}
	for _, i := range w.wholeArena {
		w.out.CallInsts[i].N = w.size
	}
	q := &codegen.Program{Dim: p.Dim, Code: w.out.Code, CallInsts: w.out.CallInsts, Idx: w.out.Idx, Roots: p.Roots, Guards: p.Guards, Slots: w.size}
	arena := q.Slots
	if len(wide) > 0 {
		code, err := native.Build(wide, q.Slots)
		if err != nil {
			return nil
		}
		q.Native, arena = code, code.Slots()
	}
	q.Slots = arena
	f := &batchProgram{Prog: q, Layout: w.Layout, fill: w.fill, wanted: w.wanted, input: w.area(0, p.Dim)}
	for _, o := range p.Roots {
		f.outputs = append(f.outputs, w.area(o.Off, o.N))
	}
	f.fixed = w.part(0, start, 0, codegen.Lanes)
	for l := range f.fixedOf {
		f.fixedOf[l] = w.part(0, start, l, l+1)
	}
	for n := range f.moving {
		f.moving[n] = w.part(start, len(w.out.Code), 0, n)
	}
	return f
}

// part returns instructions for the lanes from first up to last, which is none of them.
func (w *BatchLowerer) part(from, to, first, last int) (c laneCode) {
	for i := from; i < to; i++ {
		if l := int(w.lane[i]); l == allLanes || first <= l && l < last {
			c.code, c.lane = append(c.code, w.out.Code[i]), append(c.lane, int8(l))
		}
	}
	return c
}

// A Layout says where the lanes of a program's slots are: lane l of slot s at
// at[s] + l*step[s].
type Layout struct {
	at, step []int32
	rank     []int32 // how many slots that are apart in the same way are before it
}

// area is where n slots from s on are.
func (f *Layout) area(s, n int) area {
	if n == 0 || s >= len(f.at) {
		return area{}
	}
	a := area{interleaved: f.interleaved(s, n), strided: true, at: int(f.at[s]), step: int(f.step[s])}
	for k := range n {
		a.strided = a.strided && int(f.at[s+k]) == a.at+k && int(f.step[s+k]) == a.step
	}
	return a
}

// A Span is a range of slots.
type Span struct{ Lo, Hi int }

// layOutLanes places the lanes of all slots. Lanes are together, but where an instruction
// is carried out lane by lane: its vectors are apart.
func layOutLanes(p *codegen.Program) Layout {
	var apart []Span
	var flexible [][]Span
	for i := range p.Code {
		if p.Code[i].Code == codegen.IcodeNative {
			continue
		}
		h := p.Spelled(&p.Code[i])
		if s, ok := Scan(h); ok {
			for _, one := range scanSpans(h, s) {
				flexible = append(flexible, []Span{one})
			}
		} else if spans := spans(h); elementwise(h) || onVectors(h) {
			flexible = append(flexible, spans)
		} else {
			apart = append(apart, spans...)
		}
	}
	for {
		apart = merged(apart)
		var more []Span
		flexible = slices.DeleteFunc(flexible, func(spans []Span) bool {
			if !slices.ContainsFunc(spans, func(s Span) bool { return meets(apart, s) }) {
				return false
			}
			more = append(more, spans...)
			return true
		})
		if len(more) == 0 {
			return Place(p, apart)
		}
		apart = append(apart, more...)
	}
}

// Place makes the layout in which some spans of slots are apart.
func Place(p *codegen.Program, apart []Span) Layout {
	l := Layout{at: make([]int32, p.Slots), step: make([]int32, p.Slots), rank: make([]int32, p.Slots)}
	for s := range l.at {
		l.at[s], l.step[s] = int32(codegen.Lanes*s), 1
	}
	for _, a := range apart {
		for s := a.Lo; s < a.Hi; s++ {
			l.at[s], l.step[s], l.rank[s] = int32(codegen.Lanes*a.Lo+s-a.Lo), int32(a.Hi-a.Lo), int32(s-a.Lo)
		}
	}
	return l
}

// merged sorts spans and joins those that overlap.
func merged(spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return a.Lo - b.Lo })
	out := spans[:0]
	for _, s := range spans {
		if k := len(out) - 1; k >= 0 && s.Lo < out[k].Hi {
			out[k].Hi = max(out[k].Hi, s.Hi)
			continue
		}
		out = append(out, s)
	}
	return out
}

// meets reports whether one of the sorted spans overlaps with s.
func meets(sorted []Span, s Span) bool {
	i, _ := slices.BinarySearchFunc(sorted, s.Lo, func(a Span, lo int) int {
		if a.Hi <= lo {
			return -1
		}
		return 1
	})
	return i < len(sorted) && sorted[i].Lo < s.Hi
}

// spans are the neighbours that an instruction takes and makes.
func spans(h *codegen.CallInst) []Span {
	var out []Span
	add := func(off, n int) {
		if n > 1 {
			out = append(out, Span{off, off + n})
		}
	}
	add(h.Dst, h.N)
	for _, o := range h.In {
		if o.Idx == nil && o.Ext == nil {
			add(o.Off, o.N)
		}
	}
	return out
}

// elementwise reports whether an instruction does the same to each number of its operands, so
// that it does not matter how they lie.
func elementwise(h *codegen.CallInst) bool {
	if h.Kind != graph.KindMap && h.Kind != graph.KindGather {
		return false
	}
	for _, o := range h.In {
		if o.Ext != nil || o.Idx == nil && o.N != h.N {
			return false
		}
	}
	return true
}
