// Compilation of a graph into a program: what is live, where each value lies, and
// the list of instructions.

package autodiff

// A Program is an executable form of a graph for some of its nodes, the roots. It
// is immutable and may be shared; every goroutine runs it on a Machine of its own.
type Program struct {
	dim    int
	init   []float64 // the arena as it starts: constants filled in
	code   []instr
	roots  []operand
	guards bool
}

// An operand is a vector in the arena: n numbers from off, one number for every
// element (n is 1), numbers picked by address, or a constant vector outside the
// arena, which all machines share.
type operand struct {
	off, n int
	idx    []int32
	ext    []float64
}

// An instr is one instruction; which fields it uses depends on kind.
type instr struct {
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
	Operations   int // scalar results computed by elementwise instructions
	Slots        int // numbers in the arena
}

// Stats gives the program's cost counters.
func (p *Program) Stats() Stats {
	s := Stats{Instructions: len(p.code), Slots: len(p.init)}
	for i := range p.code {
		if p.code[i].kind == kindMap {
			s.Operations += p.code[i].n
		}
	}
	return s
}

// Compile makes the program that computes the roots. Checks and Guards are run if
// they are among effects; they have no value.
func (g *Graph) Compile(roots, effects []Node) *Program {
	c := &compiler{g: g, live: make([]bool, len(g.nodes)), alias: map[Node]Node{}, slot: make([]int, len(g.nodes))}
	c.markLive(roots, effects)
	c.layOut()
	for _, r := range c.schedule() {
		c.emit(r)
	}
	p := &Program{dim: g.dims, init: c.arena, code: c.code}
	for _, x := range roots {
		p.roots = append(p.roots, c.operand(x))
	}
	for _, x := range effects {
		p.guards = p.guards || g.nodes[x].kind == kindGuard
	}
	return p
}

type compiler struct {
	g     *Graph
	live  []bool
	alias map[Node]Node // scalar value nodes that a fused node computes as well
	slot  []int
	arena []float64
	code  []instr
}

// inputs are the nodes that must run before x.
func (c *compiler) inputs(x Node) []Node {
	if f, ok := c.alias[x]; ok {
		return []Node{f}
	}
	return c.g.nodes[x].in
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
		stack = append(stack, c.g.nodes[x].in...)
	}
	for x, f := range c.g.fused {
		if c.live[x] && c.live[f] {
			c.alias[x] = f
		}
	}
}

// layOut places the input and the constant scalars; other values are placed as they
// are emitted, and constant vectors stay outside the arena.
func (c *compiler) layOut() {
	c.arena = make([]float64, c.g.dims)
	c.slot[c.g.input] = 0
	for x := range c.g.nodes {
		if n := &c.g.nodes[x]; c.live[x] && n.kind == kindConst && n.n == 1 {
			c.slot[x] = len(c.arena)
			c.arena = append(c.arena, n.data...)
		}
	}
}

// place reserves n numbers.
func (c *compiler) place(x Node, n int) {
	c.slot[x] = len(c.arena)
	c.arena = append(c.arena, make([]float64, n)...)
}

func (c *compiler) operand(x Node) operand {
	n := &c.g.nodes[x]
	if n.kind == kindConst && n.n != 1 {
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

func (c *compiler) emit(r run) {
	x := r[0]
	n := &c.g.nodes[x]
	if f, ok := c.alias[x]; ok {
		c.slot[x] = c.slot[f]
		return
	}
	switch n.kind {
	case kindConst, kindInput:
	case kindView:
		c.slot[x] = c.slot[n.in[0]] + int(n.off)
	case kindGather:
		c.emitGather(x, n)
	case kindMap:
		if n.n == 1 {
			c.emitRun(r, n.op)
			return
		}
		c.place(x, n.len())
		c.code = append(c.code, instr{kind: kindMap, op: n.op, dst: c.slot[x], n: n.len(), in: c.operands(n.in)})
	default:
		c.place(x, n.len())
		ins := instr{kind: n.kind, op: n.op, dst: c.slot[x], n: n.len(), in: c.operands(n.in), rows: int(n.off)}
		if n.extra != nil {
			ins.extra = *n.extra
		}
		c.code = append(c.code, ins)
	}
}

// emitRun makes one instruction of a run of scalar operations; their results are
// neighbours in the arena.
func (c *compiler) emitRun(r run, op *Op) {
	ins := instr{kind: kindMap, op: op, dst: len(c.arena), n: len(r)}
	for _, x := range r {
		c.place(x, 1)
	}
	for k := range op.Arity() {
		idx := make([]int32, len(r))
		for i, x := range r {
			idx[i] = int32(c.slot[c.g.nodes[x].in[k]])
		}
		ins.in = append(ins.in, pick(idx))
	}
	for _, in := range ins.in {
		ins.indexed = ins.indexed || in.idx != nil
	}
	if ins.indexed {
		for k := range ins.in {
			ins.in[k].spell(len(r))
		}
	}
	c.code = append(c.code, ins)
}

// pick makes an operand of addresses: neighbours and repetitions need no list.
func pick(idx []int32) operand {
	consecutive, same := true, true
	for i, a := range idx {
		consecutive = consecutive && a == idx[0]+int32(i)
		same = same && a == idx[0]
	}
	switch {
	case consecutive:
		return operand{off: int(idx[0]), n: len(idx)}
	case same:
		return operand{off: int(idx[0]), n: 1}
	}
	return operand{n: len(idx), idx: idx}
}

// spell writes the addresses of an operand out.
func (o *operand) spell(n int) {
	if o.idx != nil {
		return
	}
	o.idx = make([]int32, n)
	for i := range o.idx {
		o.idx[i] = int32(o.off)
		if o.n != 1 {
			o.idx[i] += int32(i)
		}
	}
}

// emitGather copies the picked elements, unless they lie next to each other already.
func (c *compiler) emitGather(x Node, n *node) {
	for _, y := range n.in {
		if v := &c.g.nodes[y]; v.kind == kindConst && v.n != 1 {
			c.slot[y] = len(c.arena)
			c.arena = append(c.arena, v.data...)
		}
	}
	idx := make([]int32, n.len())
	for i, r := range n.refs {
		idx[i] = int32(c.slot[n.in[r.Node]]) + r.Elem
	}
	if len(idx) == 0 {
		c.slot[x] = 0
		return
	}
	from := pick(idx)
	if from.idx == nil && from.n == n.len() {
		c.slot[x] = from.off
		return
	}
	c.place(x, n.len())
	c.code = append(c.code, instr{kind: kindGather, dst: c.slot[x], n: n.len(), in: []operand{from}})
}
