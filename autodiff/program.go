// Compilation of a graph into a program: what is live, where each value lies, and
// the list of instructions.

package autodiff

import (
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff/native"
)

// A Program is an executable form of a graph for some of its nodes, the roots. It
// is immutable and may be shared; every goroutine runs it on a Machine of its own.
//
// Its instructions are of two sizes. Those for arithmetic are small, with operands by
// address, since a long program is read from memory at every run; all others are a
// number into a table of calls.
type Program struct {
	dim       int
	init      []float64 // how the arena begins, with constants filled in; the rest starts as zeros
	size      int       // of the arena
	code      []instr
	callInsts []callInst
	idx       []int32 // addresses of indexed operands
	roots     []operand
	guards    bool
	// guardsUseConstants is whether one of them depends on runtime constants.
	guardsUseConstants bool
	checks             []inputCheck
	runtimeConsts      operand // where the runtime constants lie
	start              int     // of the instructions that depend on the input
	native             *native.Code
	slots              int // in the arena, without those that machine code has for itself
	batch              *batchSource
}

// laneSlots is the greatest number of slots of a program with lanes: an arena for all of
// them then stays in a second-level cache.
const laneSlots = 1 << 15

// A batchSource is what a form of a program for several points is made of, and that form. All copies
// of a program with other runtime constants have the same.
type batchSource struct {
	blocks [][]native.Inst
	making sync.Once
	form   any
}

// derive returns what a function makes of the blocks, which is called once.
func (s *batchSource) derive(from func(blocks [][]native.Inst) any) any {
	s.making.Do(func() { s.form = from(s.blocks) })
	return s.form
}

// An instr is one instruction: n results from dst on. What a and b are depends on
// the code's mode.
type instr struct {
	code icode
	n    int32
	dst  int32
	a, b int32
}

// icode is an operation with the way its operands are addressed.
type icode uint8

// The modes of binary operations, and of unary ones.
const (
	modeSS   = iota // one result
	modeVV          // neighbours and neighbours
	modeVS          // neighbours and one number for all
	modeSV          // the other way round
	modeII          // by lists of addresses, a and b being where these start
	binModes = iota
)

const (
	modeS = iota
	modeV
	modeI
	unModes = iota
)

// Codes are icodeBinary + operation*binModes + mode, icodeUnary + operation*unModes +
// mode, from icodeOther on sums, dot products (n is the length of the operands),
// gathers and fused operations (a is where three lists of addresses start), and icodeHeavy with the number of the call in a.
const (
	icodeCall   icode = iota
	icodeNative       // block a, of n instructions
	icodeBinary       // codeAdd, codeSub, codeMul, codeShift
	icodeUnary  = icodeBinary + 4*binModes
	icodeOther  = icodeUnary + 9*unModes
)

func binaryCode(op opcode, mode int) icode {
	return icodeBinary + icode(int(op-codeAdd)*binModes+mode)
}

func unaryCode(op opcode, mode int) icode {
	return icodeUnary + icode(int(op-codeNeg)*unModes+mode)
}

// An operand is a vector in the arena: n numbers from off, one number for every
// element (n is 1), numbers picked by address, or a constant vector outside the
// arena, which all machines share.
type operand struct {
	off, n int
	idx    []int32
	ext    []float64
}

// A callInst is anything but core arithmetic; which fields it uses depends
// on kind.
type callInst struct {
	kind    kind
	op      *Op
	dst, n  int
	in      []operand
	rows    int
	indexed bool // an operand of a Map has idx
	extra
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
	s := Stats{Instructions: len(p.code), Slots: p.size}
	for i := range p.code {
		switch ins := &p.code[i]; {
		case ins.code >= iMulAdd:
			s.Operations += int(ins.n)
		case ins.code >= icodeOther:
		case ins.code == icodeNative:
			s.Native += int(ins.n)
		case ins.code != icodeCall:
			s.Operations += int(ins.n)
		case p.callInsts[ins.a].kind == kindMap:
			s.Operations += p.callInsts[ins.a].n
		}
	}
	return s
}

// compile makes the program that computes the roots of a graph in its final form. Checks and Guards are
// run if they are among effects; they have no value.
func (g *Graph) compile(roots, effects []Node) *Program {
	checks, effects := g.inputChecks(effects)
	p := g.compileCode(roots, effects)
	p.checks = checks
	return p
}

// compileCode makes the instructions.
func (g *Graph) compileCode(roots, effects []Node) *Program {
	if g.does(optNative) && native.Reason() == "" {
		if p, err := g.compileNative(roots, effects); err == nil {
			return p
		}
	}
	c := g.newCompiler(roots, effects)
	return c.program(c.schedule(), c.emit, roots, effects)
}

// compileNative makes a program with machine code; it fails where the system refuses
// the memory.
func (g *Graph) compileNative(roots, effects []Node) (*Program, error) {
	c := g.newCompiler(roots, effects)
	runs := c.scheduleNative()
	c.blocks = c.newBlocks(runs)
	p := c.program(runs, c.emitNative, roots, effects)
	p.slots = p.size
	if g.does(optLanes) && p.slots <= laneSlots {
		p.batch = &batchSource{blocks: c.blocks.done}
	}
	if len(c.blocks.done) == 0 {
		return p, nil
	}
	code, err := native.Build(c.blocks.done, p.size)
	if err != nil {
		return nil, err
	}
	p.native = code
	p.size = code.Slots()
	return p, nil
}

func (g *Graph) newCompiler(roots, effects []Node) *compiler {
	n := g.Size()
	c := &compiler{g: g, live: make([]bool, n), root: make([]bool, n), alias: map[Node]Node{}, slot: make([]int, n)}
	c.markLive(roots, effects)
	for _, x := range roots {
		c.root[x] = true
	}
	if g.does(optFMA) {
		c.fuse()
	}
	c.layOut()
	return c
}

// program emits the runs.
func (c *compiler) program(runs []run, emit func(run), roots, effects []Node) *Program {
	g := c.g
	fixed, moving := c.splitFixed(runs)
	for _, r := range fixed {
		emit(r)
	}
	c.endBlock()
	start := len(c.code)
	for _, r := range moving {
		emit(r)
	}
	c.endBlock()
	p := &Program{dim: g.dims, init: c.arena, size: c.size, code: c.code, callInsts: c.callInsts, idx: c.idx, start: start}
	if g.runtimeConsts != None {
		p.runtimeConsts = c.operand(g.runtimeConsts)
	}
	for _, x := range roots {
		p.roots = append(p.roots, c.operand(x))
	}
	for _, x := range effects {
		p.guards = p.guards || g.at(x).kind == kindGuard
	}
	p.guardsUseConstants = g.guardsUseConstants(effects)
	return p
}

type compiler struct {
	g         *Graph
	live      []bool
	root      []bool
	alias     map[Node]Node // scalar value nodes that a fused node computes as well
	slot      []int
	arena     []float64 // how it begins: see Program.init
	size      int       // of all of it
	code      []instr
	callInsts []callInst
	idx       []int32

	// Of fused multiply-adds: which node, from 1, is in place of each of the graph's.
	changed    []int32
	fusedNodes []node

	// Of programs with machine code.
	users  adjacency
	class  []isoClass
	blocks *blocks
}

// inputs are the nodes that must run before x.
func (c *compiler) inputs(x Node) []Node {
	if f, ok := c.alias[x]; ok {
		return []Node{f}
	}
	return c.at(x).in()
}

func (c *compiler) markLive(roots, effects []Node) {
	var stack []Node
	stack = append(append(stack, roots...), effects...)
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if c.live[x] {
			continue
		}
		c.live[x] = true
		stack = append(stack, c.at(x).in()...)
	}
	for x, f := range c.g.fused {
		if c.live[x] && c.live[f] {
			c.alias[x] = f
		}
	}
}

// outside reports whether a constant stays out of the arena: all but short ones, which
// small instructions can then use.
func (n *node) outside() bool { return n.n > 64 || n.n == 0 }

// layOut places the input and the short constants; other values are placed as they are
// emitted, and long constants stay outside the arena.
func (c *compiler) layOut() {
	c.size = c.g.dims
	c.slot[c.g.input] = 0
	if x := c.g.runtimeConsts; x != None {
		c.constant(x, c.at(x).data)
	}
	for x := range Node(c.g.Size()) {
		if n := c.at(x); c.live[x] && n.kind == kindConst && !n.outside() {
			c.constant(x, n.data)
		}
	}
}

// constant places numbers that are there from the start.
func (c *compiler) constant(x Node, data []float64) {
	c.slot[x] = c.size
	c.arena = append(c.arena, make([]float64, c.size-len(c.arena))...)
	c.arena = append(c.arena, data...)
	c.size = len(c.arena)
}

// place reserves n numbers.
func (c *compiler) place(x Node, n int) {
	c.slot[x] = c.size
	c.size += n
}

func (c *compiler) operand(x Node) operand {
	n := c.at(x)
	if n.kind == kindConst && n.outside() {
		return operand{n: n.len(), ext: n.data}
	}
	return operand{off: c.slot[x], n: n.len()}
}

func (c *compiler) operands(in []Node) []operand {
	out := make([]operand, len(in))
	for i, x := range in {
		out[i] = c.operand(x)
	}
	return out
}
