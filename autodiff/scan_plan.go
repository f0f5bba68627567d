// Plans of scans: an iteration as blocks of arithmetic and calls of kernels in turn.

package autodiff

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/native"
)

// A plan is how a scan's iterations are run.
//
// Slots are those of package native: first the streams, of which an iteration sees its own
// element, then an arena. Carries are streams, too: an iteration reads what the iteration before
// has written.
type plan struct {
	scan    *scan      // whose iterations these are: the one planned, or what it was merged to
	streams []streamAt // in the inputs and the output
	arena   []float64  // as it starts
	shared  int        // where the shared numbers are in the arena
	code    *native.Code
	line    int // numbers of the longest line of bytecode
	bodies  []bodyPlan
}

// A bodyPlan is how iterations of a body are run. With machine code an iteration is one phase after
// the other: a block of arithmetic, then calls that take from it.
type bodyPlan struct {
	bytecode *bodyBytecode // the iteration; nil where there is machine code
	phases   []phase
	first    int            // of the loops of the code, that of the first phase
	carries  []native.Carry // in registers, of an iteration without calls
	longest  int            // instructions of the longest block
}

// A streamAt is where a stream's numbers are: input in from its first element on, or the
// output, where in is negative, from off on, or numbers of the plan's own.
type streamAt struct {
	in, off int
	own     []float64
}

// A phase is a block of arithmetic and the calls after it.
type phase struct {
	block []native.Inst
	calls []phaseCall
}

// A phaseCall applies an operation to n numbers in the arena, a list for each argument.
type phaseCall struct {
	op  *Op
	n   int
	in  [3]int
	out int
}

// A planner makes the part of a plan that is of one body.
type planner struct {
	s      *scan
	p      *plan
	body   *body
	out    *bodyPlan
	ops    []bodyOp
	uses   []int32 // how often an operation's result is used in the iteration
	depth  []int   // calls on the way to an operation
	home   []int   // slot of an operation's result; -1 for none
	copies [][]copyTo
	value  []native.Value // of operations in the block at hand
	merged []bool         // operations that are parts of others
}

// copyTo is a copy that a phase makes.
type copyTo struct {
	a  argument
	to int
}

func newPlan(s *scan) *plan {
	if s.off&optNative == 0 && native.Reason() == "" {
		if p, ok := nativePlan(s); ok {
			return p
		}
	}
	p := &plan{scan: s, bodies: make([]bodyPlan, len(s.bodies))}
	planners := p.planners()
	p.layOut()
	for _, b := range planners {
		b.out.bytecode = b.bytecode()
		p.line = max(p.line, b.out.bytecode.size)
	}
	return p
}

// planners begins to plan each body.
func (p *plan) planners() []*planner {
	list := make([]*planner, len(p.bodies))
	for k := range list {
		b := &planner{s: p.scan, p: p, body: &p.scan.bodies[k], out: &p.bodies[k], ops: slices.Clone(p.scan.bodies[k].ops)}
		b.countUses()
		if p.scan.off&optFMA == 0 {
			b.fuse()
		}
		list[k] = b
	}
	return list
}

// nativePlan makes machine code. An iteration without calls is a loop of its own, with its carries
// in registers; otherwise each block is. It fails where the system refuses the memory.
func nativePlan(s *scan) (p *plan, ok bool) {
	p = &plan{scan: s, bodies: make([]bodyPlan, len(s.bodies))}
	planners := p.planners()
	if m, ok := mergeBodies(s, planners); ok {
		p.scan, p.bodies = m, make([]bodyPlan, 1)
		planners = []*planner{{s: m, p: p, body: &m.bodies[0], out: &p.bodies[0], ops: m.bodies[0].ops}}
		s = m
	}
	p.layOut()
	var loops []native.Loop
	for _, b := range planners {
		b.measure()
		b.assign()
		for k := range b.out.phases {
			b.phase(k)
		}
		b.trim()
		b.out.first = len(loops)
		for k := range b.out.phases {
			loops = append(loops, native.Loop{Block: b.out.phases[k].block})
		}
		if b.out.noCalls() {
			for i, a := range b.body.carries[:min(s.carries, native.MostCarries)] {
				b.out.carries = append(b.out.carries, native.Carry{From: s.streams + i, Next: b.operand(a)})
			}
			loops[b.out.first].Carries = b.out.carries
		}
	}
	step := 1
	if s.backward {
		step = -1
	}
	streams := native.Streams{Inputs: s.streams}
	for _, at := range p.streams[s.streams:] {
		streams.Outputs = append(streams.Outputs, at.off)
	}
	code, err := native.BuildLoops(loops, streams, len(p.arena), step)
	if err != nil {
		return nil, false
	}
	p.code = code
	p.arena = append(p.arena, make([]float64, code.Slots()-len(p.arena))...)
	return p, true
}

// noCalls reports whether an iteration of machine code is one block and nothing else.
func (p *bodyPlan) noCalls() bool { return len(p.phases) == 1 && len(p.phases[0].calls) == 0 }

// countUses counts uses of results; what is kept is used twice more, so that it stays.
func (b *planner) countUses() {
	b.uses = make([]int32, len(b.ops))
	count := func(a argument, n int32) {
		if a.from == fromOp {
			b.uses[a.k] += n
		}
	}
	for i := range b.ops {
		for _, a := range b.ops[i].args() {
			count(a, 1)
		}
	}
	for _, a := range b.body.carries {
		count(a, 2)
	}
	for _, j := range b.body.kept {
		b.uses[j] += 2
	}
}

// fuse makes sums with products that nothing else uses multiply-adds, by the rules of
// programs (fma.go).
func (b *planner) fuse() {
	b.merged = make([]bool, len(b.ops))
	product := func(a argument) bool {
		return a.from == fromOp && (b.ops[a.k].op == Mul || b.ops[a.k].op == Square)
	}
	for i := range b.ops {
		o := &b.ops[i]
		if o.op != Add && o.op != Sub || o.op == Sub && product(o.in[0]) && product(o.in[1]) {
			continue
		}
		k := -1
		for j := range 2 {
			a := o.in[j]
			if product(a) && b.uses[a.k] == 1 && (k < 0 || a.k > o.in[k].k) {
				k = j
			}
		}
		if k < 0 {
			continue
		}
		p := &b.ops[o.in[k].k]
		b.merged[o.in[k].k] = true
		op := mulAdd
		switch {
		case o.op == Sub && k == 0:
			op = mulSub
		case o.op == Sub:
			op = negMulAdd
		}
		x, y := p.in[0], p.in[0]
		if p.op == Mul {
			y = p.in[1]
		}
		*o = bodyOp{op: op, in: [3]argument{x, y, o.in[1-k]}}
	}
}

func (b *planner) done(i int) bool { return b.merged != nil && b.merged[i] }

// called reports whether an operation is a call.
func (o *bodyOp) called() bool {
	_, ok := blockOp(o.op)
	return !ok
}

// layOut makes the streams and the constant part of the arena.
func (p *plan) layOut() {
	s := p.scan
	for k := range s.streams - len(s.masks) {
		p.streams = append(p.streams, streamAt{in: s.shared + s.carries + k})
	}
	for _, mask := range s.masks {
		p.streams = append(p.streams, streamAt{own: mask})
	}
	for i := range s.carries {
		p.streams = append(p.streams, streamAt{in: -1, off: s.before(i)})
	}
	for i := range s.carries {
		p.streams = append(p.streams, streamAt{in: -1, off: s.after(i)})
	}
	for k := range s.kept {
		p.streams = append(p.streams, streamAt{in: -1, off: s.result(k)})
	}
	p.arena = slices.Clone(s.consts)
	p.shared = len(p.arena)
	p.arena = append(p.arena, make([]float64, s.shared)...)
}

// base is the slot of the arena's first number.
func (b *planner) base() int { return len(b.p.streams) }

// room adds n numbers to the arena and gives the slot of the first.
func (b *planner) room(n int) int {
	at := b.base() + len(b.p.arena)
	b.p.arena = append(b.p.arena, make([]float64, n)...)
	return at
}

// evenRoom is room from an even number of the arena on: with four lanes of each number that is
// the start of a line of the cache.
func (b *planner) evenRoom(n int) int {
	if len(b.p.arena)%2 > 0 {
		b.room(1)
	}
	return b.room(n)
}

// fixedSlot is where an argument that is no result lies.
func (b *planner) fixedSlot(a argument) int {
	switch a.from {
	case fromConst:
		return b.base() + int(a.k)
	case fromShared:
		return b.base() + b.p.shared + int(a.k)
	case fromCarry:
		return b.s.streams + int(a.k)
	}
	return int(a.k)
}

// measure finds the phase of each operation.
func (b *planner) measure() {
	b.depth = make([]int, len(b.ops))
	phases := 1
	for i := range b.ops {
		if b.done(i) {
			continue
		}
		for _, a := range b.ops[i].args() {
			b.depth[i] = max(b.depth[i], b.ready(a))
		}
		phases = max(phases, b.ready(argument{fromOp, int32(i)})+1)
	}
	b.out.phases = make([]phase, phases)
	b.copies = make([][]copyTo, phases)
}

// ready is the first phase whose arithmetic can use an argument.
func (b *planner) ready(a argument) int {
	if a.from != fromOp {
		return 0
	}
	if b.ops[a.k].called() {
		return b.depth[a.k] + 1
	}
	return b.depth[a.k]
}

// assign returns places to the arguments and results of calls, to results that are kept,
// and to those that later phases use.
func (b *planner) assign() {
	b.home = make([]int, len(b.ops))
	for i := range b.home {
		b.home[i] = -1
	}
	for k := range b.out.phases {
		b.placeCalls(k)
	}
	s := b.s
	for i, a := range b.body.carries {
		b.store(a, s.streams+s.carries+i)
	}
	for k, j := range b.body.kept {
		b.store(argument{fromOp, j}, s.streams+2*s.carries+k)
	}
	for i := range b.ops {
		if b.done(i) {
			continue
		}
		for _, a := range b.ops[i].args() {
			if a.from == fromOp && b.home[a.k] < 0 && b.depth[a.k] < b.depth[i] {
				b.home[a.k] = b.room(1)
			}
		}
	}
}

// placeCalls gathers the calls of a phase, those of an operation together.
func (b *planner) placeCalls(k int) {
	var order []*Op
	lists := map[*Op][]int{}
	for i := range b.ops {
		if o := &b.ops[i]; !b.done(i) && b.depth[i] == k && o.called() {
			if lists[o.op] == nil {
				order = append(order, o.op)
			}
			lists[o.op] = append(lists[o.op], i)
		}
	}
	for _, op := range order {
		list := lists[op]
		c := phaseCall{op: op, n: len(list)}
		for j := range op.Arity() {
			c.in[j] = b.evenRoom(c.n) - b.base()
			for i, x := range list {
				b.copies[k] = append(b.copies[k], copyTo{b.ops[x].in[j], b.base() + c.in[j] + i})
			}
		}
		c.out = b.evenRoom(c.n) - b.base()
		for i, x := range list {
			b.home[x] = b.base() + c.out + i
		}
		b.out.phases[k].calls = append(b.out.phases[k].calls, c)
	}
}

// store puts a result where it is kept, as soon as it is there.
func (b *planner) store(a argument, slot int) {
	if a.from == fromOp && b.home[a.k] < 0 {
		b.home[a.k] = slot
		return
	}
	k := b.ready(a)
	b.copies[k] = append(b.copies[k], copyTo{a, slot})
}

// phase writes the block of a phase.
func (b *planner) phase(k int) {
	ph := &b.out.phases[k]
	b.value = make([]native.Value, len(b.ops))
	for i := range b.value {
		b.value[i] = noValue
	}
	for i := range b.ops {
		o := &b.ops[i]
		if b.done(i) || o.called() || b.depth[i] != k {
			continue
		}
		op, _ := blockOp(o.op)
		in := native.Inst{Op: op, Slot: int32(b.home[i])}
		for j, a := range o.args() {
			*[]*native.Value{&in.A, &in.B, &in.C}[j] = b.operand(a)
		}
		b.value[i] = native.Value(len(ph.block))
		ph.block = append(ph.block, in)
	}
	for _, c := range b.copies[k] {
		ph.block = append(ph.block, native.Inst{Op: native.Copy, A: b.operand(c.a), Slot: int32(c.to)})
	}
	b.out.longest = max(b.out.longest, len(ph.block))
}

// operand is an argument in the block at hand.
func (b *planner) operand(a argument) native.Value {
	if a.from != fromOp {
		return native.InSlot(b.fixedSlot(a))
	}
	if v := b.value[a.k]; v != noValue {
		return v
	}
	return native.InSlot(b.home[a.k])
}

// trim drops the last phase where there is nothing to do.
func (b *planner) trim() {
	if n := len(b.out.phases) - 1; n > 0 && len(b.out.phases[n].block) == 0 && len(b.out.phases[n].calls) == 0 {
		b.out.phases = b.out.phases[:n]
	}
}
