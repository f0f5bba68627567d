// Plans of scans: an iteration as blocks of arithmetic and calls of kernels in turn.

package loop

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

// A Plan is how a scan's iterations are run.
//
// Slots are those of package native: first the streams, of which an iteration sees its own
// element, then an arena. Carries are streams, too: an iteration reads what the iteration before
// has written.
type Plan struct {
	Scan    *Scan      // whose iterations these are: the one planned, or what it was merged to
	Streams []StreamAt // in the inputs and the output
	Arena   []float64  // as it starts
	Shared  int        // where the shared numbers are in the arena
	Code    *native.Code
	line    int // numbers of the longest line of bytecode
	Bodies  []BodyPlan
}

// A BodyPlan is how iterations of a body are run. With machine code an iteration is one phase after
// the other: a block of arithmetic, then calls that take from it.
type BodyPlan struct {
	bytecode *bodyBytecode // the iteration; nil where there is machine code
	Phases   []phase
	first    int            // of the loops of the code, that of the first phase
	Carries  []native.Carry // in registers, of an iteration without calls
	longest  int            // instructions of the longest block
}

// A StreamAt is where a stream's numbers are: input in from its first element on, or the
// output, where in is negative, from off on, or numbers of the plan's own.
type StreamAt struct {
	In, Off int
	Own     []float64
}

// A phase is a block of arithmetic and the calls after it.
type phase struct {
	Block []native.Inst
	Calls []PhaseCall
}

// A PhaseCall applies an operation to n numbers in the arena, a list for each argument.
type PhaseCall struct {
	Op  *graph.Op
	N   int
	In  [3]int
	Out int
}

// A planner makes the part of a plan that belongs to one body.
type planner struct {
	s      *Scan
	p      *Plan
	body   *Body
	out    *BodyPlan
	ops    []BodyOp
	uses   []int32 // how often an operation's result is used in the iteration
	depth  []int   // calls on the way to an operation
	home   []int   // slot of an operation's result; -1 for none
	copies [][]copyTo
	value  []native.Value // of operations in the block at hand
	merged []bool         // operations that are parts of others
}

// copyTo is a copy that a phase makes.
type copyTo struct {
	a  Argument
	to int
}

func newPlan(s *Scan) *Plan {
	if s.Off&graph.OptNative == 0 && native.Reason() == "" {
		if p, ok := nativePlan(s); ok {
			return p
		}
	}
	p := &Plan{Scan: s, Bodies: make([]BodyPlan, len(s.Bodies))}
	planners := p.planners()
	p.layOut()
	for _, b := range planners {
		b.out.bytecode = b.bytecode()
		p.line = max(p.line, b.out.bytecode.size)
	}
	return p
}

// planners begins to plan each body.
func (p *Plan) planners() []*planner {
	list := make([]*planner, len(p.Bodies))
	for k := range list {
		b := &planner{s: p.Scan, p: p, body: &p.Scan.Bodies[k], out: &p.Bodies[k], ops: slices.Clone(p.Scan.Bodies[k].Ops)}
		b.countUses()
		if p.Scan.Off&graph.OptFMA == 0 {
			b.fuse()
		}
		list[k] = b
	}
	return list
}

// nativePlan makes machine code. An iteration without calls is a loop of its own, with its carries
// in registers; otherwise each block is. It fails where the system refuses the memory.
func nativePlan(s *Scan) (p *Plan, ok bool) {
	p = &Plan{Scan: s, Bodies: make([]BodyPlan, len(s.Bodies))}
	planners := p.planners()
	if m, ok := mergeBodies(s, planners); ok {
		p.Scan, p.Bodies = m, make([]BodyPlan, 1)
		planners = []*planner{{s: m, p: p, body: &m.Bodies[0], out: &p.Bodies[0], ops: m.Bodies[0].Ops}}
		s = m
	}
	p.layOut()
	var loops []native.Loop
	for _, b := range planners {
		b.measure()
		b.assign()
		for k := range b.out.Phases {
			b.phase(k)
		}
		b.trim()
		b.out.first = len(loops)
		for k := range b.out.Phases {
			loops = append(loops, native.Loop{Block: b.out.Phases[k].Block})
		}
		if b.out.NoCalls() {
			for i, a := range b.body.Carries[:min(s.Carries, native.MostCarries)] {
				b.out.Carries = append(b.out.Carries, native.Carry{From: s.Streams + i, Next: b.operand(a)})
			}
			loops[b.out.first].Carries = b.out.Carries
		}
	}
	step := 1
	if s.Backward {
		step = -1
	}
	streams := native.Streams{Inputs: s.Streams}
	for _, at := range p.Streams[s.Streams:] {
		streams.Outputs = append(streams.Outputs, at.Off)
	}
	code, err := native.BuildLoops(loops, streams, len(p.Arena), step)
	if err != nil {
		return nil, false
	}
	p.Code = code
	p.Arena = append(p.Arena, make([]float64, code.Slots()-len(p.Arena))...)
	return p, true
}

// NoCalls reports whether an iteration of machine code is one block and nothing else.
func (p *BodyPlan) NoCalls() bool { return len(p.Phases) == 1 && len(p.Phases[0].Calls) == 0 }

// countUses counts uses of results; what is kept is used twice more, so that it stays.
func (b *planner) countUses() {
	b.uses = make([]int32, len(b.ops))
	count := func(a Argument, n int32) {
		if a.From == FromOp {
			b.uses[a.K] += n
		}
	}
	for i := range b.ops {
		for _, a := range b.ops[i].Args() {
			count(a, 1)
		}
	}
	for _, a := range b.body.Carries {
		count(a, 2)
	}
	for _, j := range b.body.Kept {
		b.uses[j] += 2
	}
}

// fuse makes sums with products that nothing else uses multiply-adds, by the rules of
// programs (fma.go).
func (b *planner) fuse() {
	b.merged = make([]bool, len(b.ops))
	product := func(a Argument) bool {
		return a.From == FromOp && (b.ops[a.K].Op == graph.Mul || b.ops[a.K].Op == graph.Square)
	}
	for i := range b.ops {
		o := &b.ops[i]
		if o.Op != graph.Add && o.Op != graph.Sub || o.Op == graph.Sub && product(o.In[0]) && product(o.In[1]) {
			continue
		}
		k := -1
		for j := range 2 {
			a := o.In[j]
			if product(a) && b.uses[a.K] == 1 && (k < 0 || a.K > o.In[k].K) {
				k = j
			}
		}
		if k < 0 {
			continue
		}
		p := &b.ops[o.In[k].K]
		b.merged[o.In[k].K] = true
		op := codegen.MulAdd
		switch {
		case o.Op == graph.Sub && k == 0:
			op = codegen.MulSub
		case o.Op == graph.Sub:
			op = codegen.NegMulAdd
		}
		x, y := p.In[0], p.In[0]
		if p.Op == graph.Mul {
			y = p.In[1]
		}
		*o = BodyOp{Op: op, In: [3]Argument{x, y, o.In[1-k]}}
	}
}

func (b *planner) done(i int) bool { return b.merged != nil && b.merged[i] }

// Called reports whether an operation is a call.
func (o *BodyOp) Called() bool {
	_, ok := codegen.BlockOp(o.Op)
	return !ok
}

// layOut makes the streams and the constant part of the arena.
func (p *Plan) layOut() {
	s := p.Scan
	for k := range s.Streams - len(s.masks) {
		p.Streams = append(p.Streams, StreamAt{In: s.Shared + s.Carries + k})
	}
	for _, mask := range s.masks {
		p.Streams = append(p.Streams, StreamAt{Own: mask})
	}
	for i := range s.Carries {
		p.Streams = append(p.Streams, StreamAt{In: -1, Off: s.Before(i)})
	}
	for i := range s.Carries {
		p.Streams = append(p.Streams, StreamAt{In: -1, Off: s.After(i)})
	}
	for k := range s.Kept {
		p.Streams = append(p.Streams, StreamAt{In: -1, Off: s.Result(k)})
	}
	p.Arena = slices.Clone(s.Consts)
	p.Shared = len(p.Arena)
	p.Arena = append(p.Arena, make([]float64, s.Shared)...)
}

// base is the slot of the arena's first number.
func (b *planner) base() int { return len(b.p.Streams) }

// room adds n numbers to the arena and gives the slot of the first.
func (b *planner) room(n int) int {
	at := b.base() + len(b.p.Arena)
	b.p.Arena = append(b.p.Arena, make([]float64, n)...)
	return at
}

// evenRoom is room from an even number of the arena on: with four lanes of each number that is
// the start of a line of the cache.
func (b *planner) evenRoom(n int) int {
	if len(b.p.Arena)%2 > 0 {
		b.room(1)
	}
	return b.room(n)
}

// fixedSlot is where an argument that is no result lies.
func (b *planner) fixedSlot(a Argument) int {
	switch a.From {
	case FromConst:
		return b.base() + int(a.K)
	case FromShared:
		return b.base() + b.p.Shared + int(a.K)
	case FromCarry:
		return b.s.Streams + int(a.K)
	}
	return int(a.K)
}

// measure finds the phase of each operation.
func (b *planner) measure() {
	b.depth = make([]int, len(b.ops))
	phases := 1
	for i := range b.ops {
		if b.done(i) {
			continue
		}
		for _, a := range b.ops[i].Args() {
			b.depth[i] = max(b.depth[i], b.ready(a))
		}
		phases = max(phases, b.ready(Argument{FromOp, int32(i)})+1)
	}
	b.out.Phases = make([]phase, phases)
	b.copies = make([][]copyTo, phases)
}

// ready is the first phase whose arithmetic can use an argument.
func (b *planner) ready(a Argument) int {
	if a.From != FromOp {
		return 0
	}
	if b.ops[a.K].Called() {
		return b.depth[a.K] + 1
	}
	return b.depth[a.K]
}

// assign returns places to the arguments and results of calls, to results that are kept,
// and to those that later phases use.
func (b *planner) assign() {
	b.home = make([]int, len(b.ops))
	for i := range b.home {
		b.home[i] = -1
	}
	for k := range b.out.Phases {
		b.placeCalls(k)
	}
	s := b.s
	for i, a := range b.body.Carries {
		b.store(a, s.Streams+s.Carries+i)
	}
	for k, j := range b.body.Kept {
		b.store(Argument{FromOp, j}, s.Streams+2*s.Carries+k)
	}
	for i := range b.ops {
		if b.done(i) {
			continue
		}
		for _, a := range b.ops[i].Args() {
			if a.From == FromOp && b.home[a.K] < 0 && b.depth[a.K] < b.depth[i] {
				b.home[a.K] = b.room(1)
			}
		}
	}
}

// placeCalls gathers the calls of a phase, those of an operation together.
func (b *planner) placeCalls(k int) {
	var order []*graph.Op
	lists := map[*graph.Op][]int{}
	for i := range b.ops {
		if o := &b.ops[i]; !b.done(i) && b.depth[i] == k && o.Called() {
			if lists[o.Op] == nil {
				order = append(order, o.Op)
			}
			lists[o.Op] = append(lists[o.Op], i)
		}
	}
	for _, op := range order {
		list := lists[op]
		c := PhaseCall{Op: op, N: len(list)}
		for j := range op.Arity() {
			c.In[j] = b.evenRoom(c.N) - b.base()
			for i, x := range list {
				b.copies[k] = append(b.copies[k], copyTo{b.ops[x].In[j], b.base() + c.In[j] + i})
			}
		}
		c.Out = b.evenRoom(c.N) - b.base()
		for i, x := range list {
			b.home[x] = b.base() + c.Out + i
		}
		b.out.Phases[k].Calls = append(b.out.Phases[k].Calls, c)
	}
}

// store writes a result to its slot as soon as it is computed.
func (b *planner) store(a Argument, slot int) {
	if a.From == FromOp && b.home[a.K] < 0 {
		b.home[a.K] = slot
		return
	}
	k := b.ready(a)
	b.copies[k] = append(b.copies[k], copyTo{a, slot})
}

// phase writes the block of a phase.
func (b *planner) phase(k int) {
	ph := &b.out.Phases[k]
	b.value = make([]native.Value, len(b.ops))
	for i := range b.value {
		b.value[i] = codegen.NoValue
	}
	for i := range b.ops {
		o := &b.ops[i]
		if b.done(i) || o.Called() || b.depth[i] != k {
			continue
		}
		op, _ := codegen.BlockOp(o.Op)
		in := native.Inst{Op: op, Slot: int32(b.home[i])}
		for j, a := range o.Args() {
			*[]*native.Value{&in.A, &in.B, &in.C}[j] = b.operand(a)
		}
		b.value[i] = native.Value(len(ph.Block))
		ph.Block = append(ph.Block, in)
	}
	for _, c := range b.copies[k] {
		ph.Block = append(ph.Block, native.Inst{Op: native.Copy, A: b.operand(c.a), Slot: int32(c.to)})
	}
	b.out.longest = max(b.out.longest, len(ph.Block))
}

// operand is an argument in the block at hand.
func (b *planner) operand(a Argument) native.Value {
	if a.From != FromOp {
		return native.InSlot(b.fixedSlot(a))
	}
	if v := b.value[a.K]; v != codegen.NoValue {
		return v
	}
	return native.InSlot(b.home[a.K])
}

// trim drops the last phase where there is nothing to do.
func (b *planner) trim() {
	if n := len(b.out.Phases) - 1; n > 0 && len(b.out.Phases[n].Block) == 0 && len(b.out.Phases[n].Calls) == 0 {
		b.out.Phases = b.out.Phases[:n]
	}
}
