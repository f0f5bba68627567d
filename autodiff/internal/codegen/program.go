// Compilation of a graph into a program: what is live, where each value lies, and
// the list of instructions.

package codegen

import (
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

// A Program is an executable form of a graph for some of its nodes, the roots. It
// is immutable and may be shared; every goroutine runs it on a Machine of its own.
//
// Its instructions are of two sizes. Those for arithmetic are small, with operands by
// address, since a long program is read from memory at every run; all others are a
// number into a table of calls.
type Program struct {
	Dim       int
	Init      []float64 // how the arena begins, with constants filled in; the rest starts as zeros
	size      int       // of the arena
	Code      []Instr
	CallInsts []CallInst
	Idx       []int32 // addresses of indexed operands
	Roots     []Operand
	Guards    bool
	guarded   int // how many numbers the guards ask for
	// guardsUseConstants is whether one of them depends on runtime constants.
	guardsUseConstants bool
	checks             []inputCheck
	RuntimeConsts      Operand // where the runtime constants lie
	Start              int     // of the instructions that depend on the input
	Native             *native.Code
	Slots              int // in the arena, without those that machine code has for itself
	Batch              *batchSource
}

// laneSlots is the greatest number of slots of a program with lanes: an arena for all of
// them then stays in a second-level cache.
const laneSlots = 1 << 15

// A batchSource is the input of the lowering for several points, and its result. Copies of a program with
// other runtime constants share it.
type batchSource struct {
	Blocks [][]native.Inst
	making sync.Once
	form   any
}

// Derive returns what a function makes of the blocks, which is called once.
func (s *batchSource) Derive(from func(blocks [][]native.Inst) any) any {
	s.making.Do(func() { s.form = from(s.Blocks) })
	return s.form
}

// An Instr is one instruction: n results from dst on. What a and b are depends on
// the code's mode.
type Instr struct {
	Code Icode
	N    int32
	Dst  int32
	A, B int32
}

// Icode is an operation with the way its operands are addressed.
type Icode uint8

// The modes of binary operations, and of unary ones.
const (
	ModeSS   = iota // one result
	modeVV          // neighbours and neighbours
	modeVS          // neighbours and one number for all
	modeSV          // the other way round
	ModeII          // by lists of addresses, a and b being where these start
	binModes = iota
)

const (
	ModeS = iota
	modeV
	ModeI
	unModes = iota
)

// Codes are icodeBinary + operation*binModes + mode, icodeUnary + operation*unModes +
// mode, from icodeOther on sums, dot products (n is the length of the operands),
// gathers and fused operations (a is where three lists of addresses start), and icodeHeavy with the number of the call in a.
const (
	IcodeCall   Icode = iota
	IcodeNative       // block a, of n instructions
	icodeBinary       // codeAdd, codeSub, codeMul, codeShift
	icodeUnary  = icodeBinary + 4*binModes
	icodeOther  = icodeUnary + 9*unModes
)

func BinaryCode(op graph.Opcode, mode int) Icode {
	return icodeBinary + Icode(int(op-graph.CodeAdd)*binModes+mode)
}

func UnaryCode(op graph.Opcode, mode int) Icode {
	return icodeUnary + Icode(int(op-graph.CodeNeg)*unModes+mode)
}

// An Operand is a vector in the arena: n numbers from off, one number for every
// element (n is 1), numbers picked by address, or a constant vector outside the
// arena, which all machines share.
type Operand struct {
	Off, N int
	Idx    []int32
	Ext    []float64
}

// A CallInst is anything but core arithmetic; which fields it uses depends
// on kind.
type CallInst struct {
	Kind    graph.Kind
	Op      *graph.Op
	Dst, N  int
	In      []Operand
	rows    int
	indexed bool // an operand of a Map has idx
	graph.Extra
}

// Stats counts what a program consists of.
type Stats struct {
	Instructions int
	Operations   int // results of elementwise operations that the interpreter computes
	Native       int // machine operations in blocks
	Slots        int // numbers in the arena
}

// Stats returns the program's cost counters.
func (p *Program) Stats() Stats {
	s := Stats{Instructions: len(p.Code), Slots: p.size}
	for i := range p.Code {
		switch ins := &p.Code[i]; {
		case ins.Code >= IMulAdd:
			s.Operations += int(ins.N)
		case ins.Code >= icodeOther:
		case ins.Code == IcodeNative:
			s.Native += int(ins.N)
		case ins.Code != IcodeCall:
			s.Operations += int(ins.N)
		case p.CallInsts[ins.A].Kind == graph.KindMap:
			s.Operations += p.CallInsts[ins.A].N
		}
	}
	return s
}

// Guarded returns how many conditions on numbers the program's control flow relies on.
func (p *Program) Guarded() int { return p.guarded }

// Compile makes the program that computes the roots of a graph in its final form. Checks and Guards are
// run if they are among effects; they have no value.
func Compile(g *graph.Graph, roots, effects []graph.Node) *Program {
	checks, effects := inputChecks(g, effects)
	p := compileCode(g, roots, effects)
	p.checks = checks
	return p
}

// compileCode makes the instructions.
func compileCode(g *graph.Graph, roots, effects []graph.Node) *Program {
	if g.Does(graph.OptNative) && native.Reason() == "" {
		if p, err := compileNative(g, roots, effects); err == nil {
			return p
		}
	}
	c := newCompiler(g, roots, effects)
	return c.program(c.schedule(), c.emit, roots, effects)
}

// compileNative makes a program with machine code; it fails where the system refuses
// the memory.
func compileNative(g *graph.Graph, roots, effects []graph.Node) (*Program, error) {
	c := newCompiler(g, roots, effects)
	runs := c.scheduleNative()
	c.blocks = c.newBlocks(runs)
	p := c.program(runs, c.emitNative, roots, effects)
	p.Slots = p.size
	if g.Does(graph.OptLanes) && p.Slots <= laneSlots {
		p.Batch = &batchSource{Blocks: c.blocks.done}
	}
	if len(c.blocks.done) == 0 {
		return p, nil
	}
	code, err := native.Build(c.blocks.done, p.size)
	if err != nil {
		return nil, err
	}
	p.Native = code
	p.size = code.Slots()
	return p, nil
}

func newCompiler(g *graph.Graph, roots, effects []graph.Node) *Compiler {
	n := g.Size()
	c := &Compiler{g: g, live: make([]bool, n), root: make([]bool, n), alias: map[graph.Node]graph.Node{}, slot: make([]int, n)}
	c.markLive(roots, effects)
	for _, x := range roots {
		c.root[x] = true
	}
	if g.Does(graph.OptFMA) {
		c.fuse()
	}
	c.layOut()
	return c
}

// program emits the runs.
func (c *Compiler) program(runs []run, emit func(run), roots, effects []graph.Node) *Program {
	g := c.g
	fixed, moving := c.splitFixed(runs)
	for _, r := range fixed {
		emit(r)
	}
	c.endBlock()
	start := len(c.Code)
	for _, r := range moving {
		emit(r)
	}
	c.endBlock()
	p := &Program{Dim: g.Dims, Init: c.arena, size: c.size, Code: c.Code, CallInsts: c.CallInsts, Idx: c.Idx, Start: start}
	if g.RuntimeConsts != graph.None {
		p.RuntimeConsts = c.operand(g.RuntimeConsts)
	}
	for _, x := range roots {
		p.Roots = append(p.Roots, c.operand(x))
	}
	for _, x := range effects {
		if n := g.At(x); n.Kind == graph.KindGuard {
			p.Guards, p.guarded = true, p.guarded+g.Len(n.In()[0])
		}
	}
	p.guardsUseConstants = guardsUseConstants(g, effects)
	return p
}

type Compiler struct {
	g         *graph.Graph
	live      []bool
	root      []bool
	alias     map[graph.Node]graph.Node // scalar value nodes that a fused node computes as well
	slot      []int
	arena     []float64 // how it begins: see Program.init
	size      int       // of all of it
	Code      []Instr
	CallInsts []CallInst
	Idx       []int32

	// Of fused multiply-adds: which node, from 1, is in place of each of the graph's.
	changed    []int32
	fusedNodes []graph.NodeDef

	// Of programs with machine code.
	users  adjacency
	class  []isoClass
	blocks *blocks
}

// inputs are the nodes that must run before x.
func (c *Compiler) inputs(x graph.Node) []graph.Node {
	if f, ok := c.alias[x]; ok {
		return []graph.Node{f}
	}
	return c.at(x).In()
}

func (c *Compiler) markLive(roots, effects []graph.Node) {
	var stack []graph.Node
	stack = append(append(stack, roots...), effects...)
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if c.live[x] {
			continue
		}
		c.live[x] = true
		stack = append(stack, c.at(x).In()...)
	}
	for x, f := range c.g.Fused {
		if c.live[x] && c.live[f] {
			c.alias[x] = f
		}
	}
}

// isOutside reports whether a constant stays out of the arena: all but short ones, which
// small instructions can then use.
func isOutside(n *graph.NodeDef) bool { return n.N > 64 || n.N == 0 }

// layOut places the input and the short constants; other values are placed as they are
// emitted, and long constants stay outside the arena.
func (c *Compiler) layOut() {
	c.size = c.g.Dims
	c.slot[c.g.InputNode] = 0
	if x := c.g.RuntimeConsts; x != graph.None {
		c.constant(x, c.at(x).Data)
	}
	for x := range graph.Node(c.g.Size()) {
		if n := c.at(x); c.live[x] && n.Kind == graph.KindConst && !isOutside(n) {
			c.constant(x, n.Data)
		}
	}
}

// constant places numbers that are there from the start.
func (c *Compiler) constant(x graph.Node, data []float64) {
	c.slot[x] = c.size
	c.arena = append(c.arena, make([]float64, c.size-len(c.arena))...)
	c.arena = append(c.arena, data...)
	c.size = len(c.arena)
}

// place reserves n numbers.
func (c *Compiler) place(x graph.Node, n int) {
	c.slot[x] = c.size
	c.size += n
}

func (c *Compiler) operand(x graph.Node) Operand {
	n := c.at(x)
	if n.Kind == graph.KindConst && isOutside(n) {
		return Operand{N: n.Len(), Ext: n.Data}
	}
	return Operand{Off: c.slot[x], N: n.Len()}
}

func (c *Compiler) operands(in []graph.Node) []Operand {
	out := make([]Operand, len(in))
	for i, x := range in {
		out[i] = c.operand(x)
	}
	return out
}
