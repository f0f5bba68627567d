// Plans of tiles: loops of machine code and calls of kernels in turn.

package opt

import (
	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/loop"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

// A tilePlan is the program of a tile. Vectors are numbered: shared numbers first, then streams, results
// and buffers.
type tilePlan struct {
	steps   []tileStep
	vectors int
	buffers int
	code    [2]*native.Code // for four elements at a time, and for one; nil without machine code
	arena   []float64       // of machine code
}

// A tileStep is a loop of machine code, a sum, or an operation.
type tileStep struct {
	loop int // -1 for none
	sum  int // -1 for none
	op   *graph.Op
	in   []int // vectors
	out  int
}

// A tilePlanner makes a plan: operations in phases. With machine code, arithmetic and the
// calls after it are phases in turn; without, each operation is a phase of its own.
type tilePlanner struct {
	s      *FusedLoop
	p      *tilePlan
	coded  bool
	phases []tilePhase
	of     []int // phase of each operation
	last   []int // phase after which its result is not used
	home   []int // vector of its result
	free   []int // buffers
	loops  [][]int
}

// A tilePhase is some operations, sums over what is there after them, and operations whose
// results are not used later.
type tilePhase struct{ ops, sums, dead []int }

// The homes of results that have none in memory, or not yet.
const (
	nowhere = -1
	wanted  = -2
)

func newTilePlan(s *FusedLoop) *tilePlan {
	b := &tilePlanner{s: s, coded: s.off&graph.OptNative == 0 && native.Reason() == ""}
	b.plan()
	if b.coded && !b.build() {
		b.coded = false
		b.plan()
	}
	b.p.vectors = b.firstBuffer() + b.p.buffers
	return b.p
}

// firstBuffer is the vector of the first buffer.
func (b *tilePlanner) firstBuffer() int { return b.s.shared + b.s.streams + len(b.s.kept) }

func (b *tilePlanner) plan() {
	b.p = &tilePlan{}
	b.free, b.loops = nil, nil
	b.divide()
	b.measure()
	for k := range b.phases {
		ph := &b.phases[k]
		if !b.coded { // an operation may write where it reads
			b.release(ph.dead)
		}
		b.place(ph.ops)
		switch {
		case b.coded && k%2 == 0:
			b.loop(ph.ops)
		default:
			for _, i := range ph.ops {
				b.call(i)
			}
		}
		for _, j := range ph.sums {
			b.total(j)
		}
		if b.coded {
			b.release(ph.dead)
		}
	}
}

// divide finds the phases of operations and sums.
func (b *tilePlanner) divide() {
	s := b.s
	b.of = make([]int, len(s.Ops))
	b.phases = make([]tilePhase, 1)
	for i := range s.Ops {
		b.of[i] = i
		if b.coded {
			b.of[i] = b.start(s.Ops[i].Args())
			if s.Ops[i].Called() {
				b.of[i]++
			}
		}
		for len(b.phases) <= b.of[i] {
			b.phases = append(b.phases, tilePhase{})
		}
		b.phases[b.of[i]].ops = append(b.phases[b.of[i]].ops, i)
	}
	for k := range s.sums {
		at := b.after(s.sums[k].args())
		b.phases[at].sums = append(b.phases[at].sums, k)
	}
	b.phases = append(b.phases, tilePhase{})
}

// after is the phase after which all arguments are there.
func (b *tilePlanner) after(args []loop.Argument) int {
	at := 0
	for _, a := range args {
		if a.From == loop.FromOp {
			at = max(at, b.of[a.K])
		}
	}
	return at
}

// start is the first phase of arithmetic that can use arguments.
func (b *tilePlanner) start(args []loop.Argument) int {
	at := 0
	for _, a := range args {
		if a.From == loop.FromOp {
			at = max(at, (b.of[a.K]+1)&^1)
		}
	}
	return at
}

// measure finds which results must be in memory, and for how long.
func (b *tilePlanner) measure() {
	s := b.s
	b.home, b.last = make([]int, len(s.Ops)), make([]int, len(s.Ops))
	for i := range s.Ops {
		b.home[i] = nowhere
		if !b.coded || s.Ops[i].Called() {
			b.home[i] = wanted
		}
	}
	for i := range s.Ops {
		for _, a := range s.Ops[i].Args() {
			b.use(a, b.of[i], s.Ops[i].Called())
		}
	}
	for k, ph := range b.phases {
		for _, j := range ph.sums {
			for _, a := range s.sums[j].args() {
				b.use(a, k+1, true)
			}
		}
	}
	for i, k := range b.last {
		if b.home[i] == wanted {
			b.phases[k].dead = append(b.phases[k].dead, i)
		}
	}
	for k, i := range s.kept {
		b.home[i] = s.shared + s.streams + k
	}
}

// use notes that a phase uses an argument, and whether it is wanted in memory.
func (b *tilePlanner) use(a loop.Argument, phase int, memory bool) {
	if a.From != loop.FromOp {
		return
	}
	b.last[a.K] = max(b.last[a.K], phase)
	if memory || phase != b.of[a.K] {
		b.home[a.K] = wanted
	}
}

// place assigns buffers to results.
func (b *tilePlanner) place(ops []int) {
	for _, i := range ops {
		if b.home[i] != wanted {
			continue
		}
		if k := len(b.free) - 1; k >= 0 {
			b.home[i], b.free = b.free[k], b.free[:k]
			continue
		}
		b.home[i] = b.firstBuffer() + b.p.buffers
		b.p.buffers++
	}
}

// release lets the buffers of results be used again.
func (b *tilePlanner) release(ops []int) {
	for _, i := range ops {
		if b.home[i] >= b.firstBuffer() {
			b.free = append(b.free, b.home[i])
		}
	}
}

// vector is where an argument is.
func (b *tilePlanner) vector(a loop.Argument) int {
	switch a.From {
	case loop.FromShared:
		return int(a.K)
	case loop.FromStream:
		return b.s.shared + int(a.K)
	}
	return b.home[a.K]
}

func (b *tilePlanner) list(args []loop.Argument) []int {
	out := make([]int, len(args))
	for k, a := range args {
		out[k] = b.vector(a)
	}
	return out
}

// call adds the step of an operation.
func (b *tilePlanner) call(i int) {
	o := &b.s.Ops[i]
	b.p.steps = append(b.p.steps, tileStep{loop: -1, sum: -1, op: o.Op, in: b.list(o.Args()), out: b.home[i]})
}

// total adds the step of a sum.
func (b *tilePlanner) total(j int) {
	b.p.steps = append(b.p.steps, tileStep{loop: -1, sum: j, in: b.list(b.s.sums[j].args())})
}

// loop adds the step of arithmetic.
func (b *tilePlanner) loop(ops []int) {
	if len(ops) > 0 {
		b.p.steps = append(b.p.steps, tileStep{loop: len(b.loops), sum: -1})
		b.loops = append(b.loops, ops)
	}
}

// build makes machine code of the loops. Their slots are streams and what is kept, buffers,
// then the shared numbers, each four times. It fails where the system refuses the memory.
func (b *tilePlanner) build() bool {
	streams := native.Streams{Inputs: b.s.streams + len(b.s.kept)}
	for k := range b.p.buffers {
		streams.Outputs = append(streams.Outputs, k*stride)
	}
	for k, wide := range []bool{true, false} {
		loops, step := make([]native.Loop, len(b.loops)), 1
		if wide {
			step = codegen.Lanes
		}
		for j, ops := range b.loops {
			loops[j].Block = b.block(ops, wide)
		}
		code, err := native.BuildLoops(loops, streams, codegen.Lanes*b.s.shared, step)
		if err != nil {
			return false
		}
		b.p.code[k] = code
		b.p.arena = make([]float64, max(len(b.p.arena), code.Slots()))
	}
	return true
}

// block makes the instructions of a loop.
func (b *tilePlanner) block(ops []int, wide bool) []native.Inst {
	value := make(map[int32]native.Value, len(ops))
	operand := func(a loop.Argument) native.Value {
		v, here := value[a.K]
		switch {
		case a.From == loop.FromShared:
			return native.InSlot(b.s.streams + len(b.s.kept) + b.p.buffers + codegen.Lanes*int(a.K))
		case a.From == loop.FromOp && here:
			return v
		}
		return native.InSlot(b.vector(a) - b.s.shared)
	}
	var block []native.Inst
	for _, i := range ops {
		o := &b.s.Ops[i]
		op, _ := codegen.BlockOp(o.Op)
		in := native.Inst{Op: op, Wide: wide, Slot: native.NoSlot}
		if b.home[i] >= 0 {
			in.Slot = int32(b.home[i] - b.s.shared)
		}
		for k, a := range o.Args() {
			*[]*native.Value{&in.A, &in.B, &in.C}[k] = operand(a)
		}
		value[int32(i)] = native.Value(len(block))
		block = append(block, in)
	}
	return block
}
