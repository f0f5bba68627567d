// Scans at several points: iterations that work on the numbers of all lanes.

package autodiff

import "github.com/seed-12b88e03/ppl/autodiff/native"

// A laneScan is a scan in a program for several points. Its iterations have the blocks and calls
// of the scan's, each for all lanes, so that a lane has the bits that it has alone. What it
// takes and makes it finds in the program's arena, whose numbers are its result; there it
// has some of its own, too. Its argument is how many lanes are wanted.
//
// Where calls are of many numbers it has iterations for two lanes, too: what calls take and make
// lies by twos then, and so is half as much. The other lanes see the results of these.
type laneScan struct {
	s      *scan
	own    int // where its own numbers are: four for each of the plan's arena, then carries
	code   *native.Code
	pairs  bool // there are iterations for two lanes
	bodies []laneBody
	inputs []*float64 // constants, which all lanes share
	moves  []laneMove // before the first iteration
}

// A laneBody is a body of the scan for several points.
type laneBody struct {
	first   [2]int           // of the loops of the code: for all lanes, and for two
	calls   [2][][]phaseCall // after each block
	carries []laneCarry
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

// scan returns the scan that an instruction calls, where that has machine code.
func (h *callInst) scan() (*scan, bool) {
	s, ok := h.fn.(*scan)
	return s, ok && h.kind == kindOpaque && s.planned().code != nil
}

// scanSpans are the vectors that a scan takes and makes. It is indifferent to how the lanes
// of each lie, if they lie alike.
func (h *callInst) scanSpans(s *scan) []span {
	var out []span
	for _, o := range h.in[s.shared+s.carries:] {
		if o.ext == nil {
			out = append(out, span{o.off, o.off + o.n})
		}
	}
	for i := range s.carries {
		off, n := s.history(i)
		out = append(out, span{h.dst + off, h.dst + off + n})
	}
	for k := range s.kept {
		off := h.dst + s.result(k)
		out = append(out, span{off, off + s.iterations})
	}
	return out
}

// A scanLowerer makes a scan for all lanes.
type scanLowerer struct {
	*batchLowerer
	s       *scan
	p       *plan
	h       *callInst
	streams []laneStream // of the plan
	slots   native.Streams
	m       *laneScan
	body    *laneBody      // at hand
	size    int            // of its own numbers
	pairs   bool           // the blocks at hand are for two lanes
	numbers int            // of calls, those that are done one by one being more
	packed  map[int32]int  // of what calls take and make, where it lies by twos
	made    map[int32]bool // what calls make
}

// half is how many lanes there are by twos.
const half = lanes / 2

// A laneStream is how lanes of a stream lie, and the first of its slots. Neither together
// nor apart is one that all lanes share.
type laneStream struct {
	area
	slot int32
}

// scan writes a scan. It fails where the system refuses the memory for code.
func (w *batchLowerer) scan(h *callInst, s *scan) error {
	b := w.newScan(h, s)
	loops := b.loops()
	step := lanes
	if s.backward {
		step = -lanes
	}
	code, err := native.BuildLoops(loops, b.slots, b.size, step)
	if err != nil {
		return err
	}
	m := b.m
	m.code, m.own = code, w.room(code.Slots())
	b.begin()
	w.onArena(m, operand{off: w.wanted, n: 1})
	return nil
}

// newScan places the streams.
func (w *batchLowerer) newScan(h *callInst, s *scan) *scanLowerer {
	p := s.planned()
	s = p.scan
	b := &scanLowerer{batchLowerer: w, s: s, p: p, h: h, m: &laneScan{s: s, bodies: make([]laneBody, len(p.bodies))}, size: lanes * len(p.arena),
		packed: map[int32]int{}, made: map[int32]bool{}}
	b.streams = make([]laneStream, len(p.streams))
	for _, shared := range []bool{true, false} {
		for i, at := range p.streams {
			if x := b.constant(at); (x != nil) == shared {
				b.place(i, at, x)
			}
		}
	}
	for i := range p.bodies {
		b.body = &b.m.bodies[i]
		for _, ph := range p.bodies[i].phases {
			b.calls(ph.calls)
		}
	}
	return b
}

// calls makes the calls after a block.
func (b *scanLowerer) calls(list []phaseCall) {
	var four, two []phaseCall
	for _, c := range list {
		b.numbers += c.n
		if _, ok := c.op.vector(); !ok && c.op.Vector == nil {
			b.numbers += 4 * c.n
		}
		wide := phaseCall{op: c.op, n: lanes * c.n, in: [3]int{lanes * c.in[0], lanes * c.in[1], lanes * c.in[2]}, out: lanes * c.out}
		four = append(four, wide)
		wide.n = half * c.n
		two = append(two, wide)
		for _, start := range c.in[:c.op.Arity()] {
			b.pack(start, c.n)
		}
		b.pack(c.out, c.n)
		for i := range c.n {
			b.made[int32(c.out+i)] = true
		}
	}
	b.body.calls[0], b.body.calls[1] = append(b.body.calls[0], four), append(b.body.calls[1], two)
}

// pack notes where n numbers that calls take or make lie by twos.
func (b *scanLowerer) pack(start, n int) {
	for i := range n {
		b.packed[int32(start+i)] = lanes*start + half*i
	}
}

// constant returns the numbers of a stream that is the same for all lanes.
func (b *scanLowerer) constant(at streamAt) []float64 {
	switch {
	case at.own != nil:
		return at.own
	case at.in < 0:
		return nil
	}
	return b.h.in[at.in].ext
}

// place assigns slots to a stream: one, or one for each lane where these are apart.
func (b *scanLowerer) place(i int, at streamAt, constant []float64) {
	x, slots := &b.streams[i], &b.slots
	x.slot = int32(len(slots.ByOne))
	if constant != nil {
		slots.Inputs++
		slots.ByOne = append(slots.ByOne, true)
		b.m.inputs = append(b.m.inputs, &constant[0])
		return
	}
	first := b.h.dst + at.off
	if at.in >= 0 {
		first = b.h.in[at.in].off
	}
	switch x.area = b.area(first, b.s.iterations); {
	case x.interleaved:
		slots.Outputs = append(slots.Outputs, x.at)
		slots.ByOne = append(slots.ByOne, false)
	case x.strided:
		for l := range lanes {
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
	for i, c := range s.consts {
		for l := range lanes {
			b.fill = append(b.fill, filling{m.own + lanes*i + l, c})
		}
	}
	for k := range s.shared {
		for l := range lanes {
			b.move(m.own+lanes*(b.p.shared+k)+l, &b.h.in[k], l)
		}
	}
	for i := range s.carries {
		for l := range lanes {
			b.move(b.address(b.h.dst+s.initial(i), l), &b.h.in[s.shared+i], l)
		}
	}
}

// move has a lane of a number copied.
func (b *scanLowerer) move(to int, from *operand, l int) {
	b.m.moves = append(b.m.moves, laneMove{int32(to), int32(b.address(from.off, l))})
}

// loops makes the blocks, and behind them those for two lanes, if there are any.
func (b *scanLowerer) loops() []native.Loop {
	b.m.pairs = b.numbers >= manyNumbers
	forms := 1
	if b.m.pairs {
		forms = 2
	}
	var loops []native.Loop
	for form := range forms {
		b.pairs = form > 0
		for i := range b.p.bodies {
			p := &b.p.bodies[i]
			b.body = &b.m.bodies[i]
			b.body.first[form] = len(loops)
			for k := range p.phases {
				l := b.loop(p.phases[k].block, p.carries)
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
func (m *laneScan) Instance() Instance { return m }

// Fused reports that there is no fused form.
func (m *laneScan) Fused([]bool) (Opaque, bool) { return nil, false }

// String names the function in dumps.
func (m *laneScan) String() string { return "all lanes of " + m.s.String() }

// Value runs all iterations in an arena.
func (m *laneScan) Value(in [][]float64, mem []float64) error {
	for _, c := range m.moves {
		mem[c.to] = mem[c.from]
	}
	form := 0
	if m.pairs && in[0][0] <= half {
		form = 1
	}
	at, step := 0, 1
	if m.s.backward {
		at, step = m.s.iterations-1, -1
	}
	for left := m.s.iterations; left > 0; {
		n := m.s.runLength(at)
		m.alike(&m.bodies[m.s.body(at)], mem, form, at, step, n)
		at, left = at+n*step, left-n
	}
	return nil
}

// runVariant runs n iterations of a body.
func (m *laneScan) alike(b *laneBody, mem []float64, form, at, step, n int) {
	own := mem[m.own:]
	if calls := b.calls[0]; len(calls) == 1 && len(calls[0]) == 0 {
		for n > 0 {
			some := min(n, max(1, longestCall/max(1, b.longest)))
			b.load(own, mem, at)
			m.code.Loop(b.first[0], own, m.inputs, mem, lanes*at, some)
			at, n = at+some*step, n-some
		}
		return
	}
	for range n {
		for k, calls := range b.calls[form] {
			m.code.Loop(b.first[form]+k, own, m.inputs, mem, lanes*at, 1)
			for i := range calls {
				calls[i].run(own)
			}
		}
		at += step
	}
}

// load fetches what carries are before iteration t.
func (b *laneBody) load(own, mem []float64, t int) {
	for _, c := range b.carries {
		for l := range lanes {
			own[c.to+l] = mem[c.from.at+l*c.from.step+t]
		}
	}
}

// VJP is not called: lanes are of finished programs.
func (m *laneScan) VJP(_ [][]float64, _, _ []float64, _ [][]float64) {
	panic("autodiff: several lanes have no derivative")
}
