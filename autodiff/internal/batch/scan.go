// Scans at several points: iterations that work on the numbers of all lanes.

package batch

import (
	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/loop"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

// A LaneScan is a scan in a program for several points. Its iterations have the blocks and calls
// of the scan's, each for all lanes, so that a lane has the bits that it has alone. What it
// takes and makes it finds in the program's arena, whose numbers are its result; there it
// has some of its own, too. Its argument is how many lanes are wanted.
//
// Where calls are of many numbers it has iterations for two lanes, too: what calls take and make
// lies by twos then, and so is half as much. The other lanes see the results of these.
type LaneScan struct {
	s      *loop.Scan
	own    int // where its own numbers are: four for each of the plan's arena, then carries
	code   *native.Code
	Pairs  bool // there are iterations for two lanes
	Bodies []laneBody
	inputs []*float64 // constants, which all lanes share
	moves  []laneMove // before the first iteration
}

// A laneBody is a body of the scan for several points.
type laneBody struct {
	first   [2]int                // of the loops of the code: for all lanes, and for two
	calls   [2][][]loop.PhaseCall // after each block
	Carries []laneCarry
	longest int // instructions of the longest block
}

// A laneMove copies a number of the arena.
type laneMove struct{ to, from int32 }

// A laneCarry is a carry whose lanes are apart in the output: a loop with carries in
// registers finds what it was before the first iteration, four numbers, at to.
type laneCarry struct {
	to   int
	from area
}

// Scan returns the scan that an instruction calls, where that has machine code.
func Scan(h *codegen.CallInst) (*loop.Scan, bool) {
	s, ok := h.Fn.(*loop.Scan)
	return s, ok && h.Kind == graph.KindOpaque && s.Planned().Code != nil
}

// scanSpans are the vectors that a scan takes and makes. It is indifferent to how the lanes
// of each lie, if they lie alike.
func scanSpans(h *codegen.CallInst, s *loop.Scan) []Span {
	var out []Span
	for _, o := range h.In[s.Shared+s.Carries:] {
		if o.Ext == nil {
			out = append(out, Span{o.Off, o.Off + o.N})
		}
	}
	for i := range s.Carries {
		off, n := s.History(i)
		out = append(out, Span{h.Dst + off, h.Dst + off + n})
	}
	for k := range s.Kept {
		off := h.Dst + s.Result(k)
		out = append(out, Span{off, off + s.Iterations})
	}
	return out
}

// A scanLowerer makes a scan for all lanes.
type scanLowerer struct {
	*BatchLowerer
	s       *loop.Scan
	p       *loop.Plan
	h       *codegen.CallInst
	streams []laneStream // of the plan
	slots   native.Streams
	m       *LaneScan
	body    *laneBody      // at hand
	size    int            // of its own numbers
	pairs   bool           // the blocks at hand are for two lanes
	numbers int            // of calls, those that are done one by one being more
	packed  map[int32]int  // of what calls take and make, where it lies by twos
	made    map[int32]bool // what calls make
}

// half is how many lanes there are by twos.
const half = codegen.Lanes / 2

// A laneStream is how lanes of a stream lie, and the first of its slots. Neither together
// nor apart is one that all lanes share.
type laneStream struct {
	area
	slot int32
}

// scan writes a scan. It fails where the system refuses the memory for code.
func (w *BatchLowerer) scan(h *codegen.CallInst, s *loop.Scan) error {
	b := w.newScan(h, s)
	loops := b.loops()
	step := codegen.Lanes
	if s.Backward {
		step = -codegen.Lanes
	}
	code, err := native.BuildLoops(loops, b.slots, b.size, step)
	if err != nil {
		return err
	}
	m := b.m
	m.code, m.own = code, w.room(code.Slots())
	b.begin()
	w.onArena(m, codegen.Operand{Off: w.wanted, N: 1})
	return nil
}

// newScan places the streams.
func (w *BatchLowerer) newScan(h *codegen.CallInst, s *loop.Scan) *scanLowerer {
	p := s.Planned()
	s = p.Scan
	b := &scanLowerer{BatchLowerer: w, s: s, p: p, h: h, m: &LaneScan{s: s, Bodies: make([]laneBody, len(p.Bodies))}, size: codegen.Lanes * len(p.Arena),
		packed: map[int32]int{}, made: map[int32]bool{}}
	b.streams = make([]laneStream, len(p.Streams))
	for _, shared := range []bool{true, false} {
		for i, at := range p.Streams {
			if x := b.constant(at); (x != nil) == shared {
				b.place(i, at, x)
			}
		}
	}
	for i := range p.Bodies {
		b.body = &b.m.Bodies[i]
		for _, ph := range p.Bodies[i].Phases {
			b.calls(ph.Calls)
		}
	}
	return b
}

// calls makes the calls after a block.
func (b *scanLowerer) calls(list []loop.PhaseCall) {
	var four, two []loop.PhaseCall
	for _, c := range list {
		b.numbers += c.N
		if _, ok := codegen.Vector(c.Op); !ok && c.Op.Vector == nil {
			b.numbers += 4 * c.N
		}
		wide := loop.PhaseCall{Op: c.Op, N: codegen.Lanes * c.N, In: [3]int{codegen.Lanes * c.In[0], codegen.Lanes * c.In[1], codegen.Lanes * c.In[2]}, Out: codegen.Lanes * c.Out}
		four = append(four, wide)
		wide.N = half * c.N
		two = append(two, wide)
		for _, start := range c.In[:c.Op.Arity()] {
			b.pack(start, c.N)
		}
		b.pack(c.Out, c.N)
		for i := range c.N {
			b.made[int32(c.Out+i)] = true
		}
	}
	b.body.calls[0], b.body.calls[1] = append(b.body.calls[0], four), append(b.body.calls[1], two)
}

// pack notes where n numbers that calls take or make lie by twos.
func (b *scanLowerer) pack(start, n int) {
	for i := range n {
		b.packed[int32(start+i)] = codegen.Lanes*start + half*i
	}
}

// constant returns the numbers of a stream that is the same for all lanes.
func (b *scanLowerer) constant(at loop.StreamAt) []float64 {
	switch {
	case at.Own != nil:
		return at.Own
	case at.In < 0:
		return nil
	}
	return b.h.In[at.In].Ext
}

// place assigns slots to a stream: one, or one for each lane where these are apart.
func (b *scanLowerer) place(i int, at loop.StreamAt, constant []float64) {
	x, slots := &b.streams[i], &b.slots
	x.slot = int32(len(slots.ByOne))
	if constant != nil {
		slots.Inputs++
		slots.ByOne = append(slots.ByOne, true)
		b.m.inputs = append(b.m.inputs, &constant[0])
		return
	}
	first := b.h.Dst + at.Off
	if at.In >= 0 {
		first = b.h.In[at.In].Off
	}
	switch x.area = b.area(first, b.s.Iterations); {
	case x.interleaved:
		slots.Outputs = append(slots.Outputs, x.at)
		slots.ByOne = append(slots.ByOne, false)
	case x.strided:
		for l := range codegen.Lanes {
			slots.Outputs = append(slots.Outputs, x.at+l*x.step)
			slots.ByOne = append(slots.ByOne, true)
		}
	default:
		panic("autodiff: the lanes of a stream lie in several ways")
	}
}

// begin notes what happens before the first iteration.
func (b *scanLowerer) begin() {
	s, m := b.s, b.m
	for i, c := range s.Consts {
		for l := range codegen.Lanes {
			b.fill = append(b.fill, filling{m.own + codegen.Lanes*i + l, c})
		}
	}
	for k := range s.Shared {
		for l := range codegen.Lanes {
			b.move(m.own+codegen.Lanes*(b.p.Shared+k)+l, &b.h.In[k], l)
		}
	}
	for i := range s.Carries {
		for l := range codegen.Lanes {
			b.move(b.Address(b.h.Dst+s.Initial(i), l), &b.h.In[s.Shared+i], l)
		}
	}
}

// move has a lane of a number copied.
func (b *scanLowerer) move(to int, from *codegen.Operand, l int) {
	b.m.moves = append(b.m.moves, laneMove{int32(to), int32(b.Address(from.Off, l))})
}

// loops makes the blocks, and behind them those for two lanes, if there are any.
func (b *scanLowerer) loops() []native.Loop {
	b.m.Pairs = b.numbers >= manyNumbers
	forms := 1
	if b.m.Pairs {
		forms = 2
	}
	var loops []native.Loop
	for form := range forms {
		b.pairs = form > 0
		for i := range b.p.Bodies {
			p := &b.p.Bodies[i]
			b.body = &b.m.Bodies[i]
			b.body.first[form] = len(loops)
			for k := range p.Phases {
				l := b.loop(p.Phases[k].Block, p.Carries)
				loops = append(loops, l)
				b.body.longest = max(b.body.longest, len(l.Block))
			}
		}
	}
	return loops
}

// manyNumbers is how many numbers the calls of an iteration must have for iterations with half of
// them to be faster: these wait longer for what calls make.
const manyNumbers = 10

// Instance returns the (stateless) function itself.
func (m *LaneScan) Instance() graph.Instance { return m }

// Fused reports that there is no fused form.
func (m *LaneScan) Fused([]bool) (graph.Opaque, bool) { return nil, false }

// String names the function in dumps.
func (m *LaneScan) String() string { return "all lanes of " + m.s.String() }

// Value runs all iterations in an arena.
func (m *LaneScan) Value(in [][]float64, mem []float64) error {
	for _, c := range m.moves {
		mem[c.to] = mem[c.from]
	}
	form := 0
	if m.Pairs && in[0][0] <= half {
		form = 1
	}
	at, step := 0, 1
	if m.s.Backward {
		at, step = m.s.Iterations-1, -1
	}
	for left := m.s.Iterations; left > 0; {
		n := m.s.RunLength(at)
		m.alike(&m.Bodies[m.s.Body(at)], mem, form, at, step, n)
		at, left = at+n*step, left-n
	}
	return nil
}

// runVariant runs n iterations of a body.
func (m *LaneScan) alike(b *laneBody, mem []float64, form, at, step, n int) {
	own := mem[m.own:]
	if calls := b.calls[0]; len(calls) == 1 && len(calls[0]) == 0 {
		for n > 0 {
			some := min(n, max(1, loop.LongestCall/max(1, b.longest)))
			b.load(own, mem, at)
			m.code.Loop(b.first[0], own, m.inputs, mem, codegen.Lanes*at, some)
			at, n = at+some*step, n-some
		}
		return
	}
	for range n {
		for k, calls := range b.calls[form] {
			m.code.Loop(b.first[form]+k, own, m.inputs, mem, codegen.Lanes*at, 1)
			for i := range calls {
				calls[i].Run(own)
			}
		}
		at += step
	}
}

// load fetches what carries are before iteration t.
func (b *laneBody) load(own, mem []float64, t int) {
	for _, c := range b.Carries {
		for l := range codegen.Lanes {
			own[c.to+l] = mem[c.from.at+l*c.from.step+t]
		}
	}
}

// VJP is not called: lanes are of finished programs.
func (m *LaneScan) VJP(_ [][]float64, _, _ []float64, _ [][]float64) {
	panic("autodiff: several lanes have no derivative")
}
