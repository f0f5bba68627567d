// The graph of vector-valued nodes and its constructors.

package autodiff

import "math"

// A Node names a value of a Graph: a vector of fixed length, a scalar being a
// vector of length 1. None is no node.
type Node int32

// None is the absence of a node.
const None Node = -1

// A Ref names one element of a node; a Ref with Node None is a constant kept
// elsewhere.
type Ref struct {
	Node Node
	Elem int32
}

type kind uint8

const (
	kindConst      kind = iota // data
	kindInput                  // the program's argument
	kindGiven                  // numbers that a program can exchange; data is what they are at first
	kindMap                    // op applied elementwise, scalars broadcast
	kindPartials               // all partial derivatives of op, one block after the other; inputs are op's and its value
	kindView                   // len elements of in[0] from offset off
	kindGather                 // copies of elements of in[...], by refs (Ref.Node indexes in)
	kindAccumulate             // zero, then parts added
	kindSum                    // sum of in[0]
	kindDot                    // sum of in[0]*in[1]
	kindMatVec                 // in[0] (rows x cols, column-major) times in[1]
	kindMatTVec                // transpose of in[0] times in[1]
	kindOpaque                 // fn.Value
	kindOpaqueVJP              // fn.VJP: adjoints of those inputs that want has, one after the other
	kindCheck                  // domain check on in[0]; no value
	kindGuard                  // in[0] must equal data; no value
)

// A node is kept small, since unrolled loops make very many of them; what only few
// kinds need is in extra.
type node struct {
	kind   kind
	active bool // depends on the input
	nonneg bool // no element is negative (it may be NaN)
	n      int32
	off    int32 // of a View; rows of a matrix-vector product
	op     *Op
	in     []Node
	*extra
}

// extra holds what only some kinds of nodes have.
type extra struct {
	data  []float64 // of a Const, Given or Guard
	refs  []Ref     // of a Gather
	parts []part    // of an Accumulate
	fn    Opaque
	want  []bool // of an OpaqueVJP: inputs that need an adjoint; its in are the function's, its value and the adjoint
	ok    func(float64) bool
	tag   int // of a Check: which one, for the message
}

// len is the length as an int.
func (n *node) len() int { return int(n.n) }

// A part of an Accumulate: elements of in[src] are added at positions off.. or, with
// at set, element from[i] is added at position at[i].
type part struct {
	src      int
	off      int
	at, from []int32

	// places and ends are set in programs where runs of neighbours go to the same place:
	// run s, which ends before element ends[s] of those from from[0] on, to places[s].
	places, ends []int32
}

// A Graph is a program under construction.
type Graph struct {
	nodes  []node
	consed map[consKey]Node
	scalar map[uint64]Node // constants of length 1 by their bits
	slab   []Node          // room for the inputs of small nodes
	calls  map[opaqueKey]Node
	fused  map[Node]Node // scalar opaque node -> node that holds its value and partial derivatives
	dims   int           // length of the input
	input  Node
	given  Node // None where there is none

	interpreted bool // compile without machine code
}

// consKey identifies a small node for sharing.
type consKey struct {
	op      *Op
	a, b, c Node
	n, off  int32
	kind    kind
}

// opaqueKey identifies a shared call.
type opaqueKey struct {
	fn Opaque
	in Node
}

// NewGraph makes a graph with one input vector of length dim.
func NewGraph(dim int) *Graph {
	g := &Graph{consed: make(map[consKey]Node), scalar: make(map[uint64]Node), calls: map[opaqueKey]Node{}, fused: make(map[Node]Node), dims: dim, given: None}
	g.input = g.add(node{kind: kindInput, n: int32(dim), active: true})
	return g
}

// Interpret says that programs compiled from now on shall not use machine code. They
// compute the same numbers.
func (g *Graph) Interpret() { g.interpreted = true }

// Input is the node of the program's argument.
func (g *Graph) Input() Node { return g.input }

// Len is the number of elements of a node.
func (g *Graph) Len(x Node) int { return g.nodes[x].len() }

// Active says whether a node depends on the input.
func (g *Graph) Active(x Node) bool { return g.nodes[x].active }

// Size is the number of nodes made so far.
func (g *Graph) Size() int { return len(g.nodes) }

func (g *Graph) add(n node) Node {
	for _, i := range n.in {
		n.active = n.active || g.nodes[i].active
	}
	n.nonneg = g.nonNegative(&n)
	g.nodes = append(g.nodes, n)
	return Node(len(g.nodes) - 1)
}

// inputs copies a short list of inputs into the slab.
func (g *Graph) inputs(in ...Node) []Node {
	if len(g.slab)+len(in) > cap(g.slab) {
		g.slab = make([]Node, 0, 1024+len(in))
	}
	k := len(g.slab)
	g.slab = append(g.slab, in...)
	return g.slab[k:len(g.slab):len(g.slab)]
}

// share gives the node with this key, making it where there is none.
func (g *Graph) share(key consKey, make func() node) Node {
	if x, ok := g.consed[key]; ok {
		return x
	}
	x := g.add(make())
	g.consed[key] = x
	return x
}

// Const is a constant vector. The slice is kept and must not change.
func (g *Graph) Const(data []float64) Node {
	if len(data) == 1 {
		return g.Scalar(data[0])
	}
	return g.add(node{kind: kindConst, n: int32(len(data)), extra: &extra{data: data}})
}

// Scalar is a constant of length 1.
func (g *Graph) Scalar(v float64) Node {
	bits := math.Float64bits(v)
	x, ok := g.scalar[bits]
	if !ok {
		x = g.add(node{kind: kindConst, n: 1, extra: &extra{data: []float64{v}}})
		g.scalar[bits] = x
	}
	return x
}

// scalarValue gives the number that a node holds everywhere, if it is a constant of
// length 1.
func (g *Graph) scalarValue(x Node) (float64, bool) {
	if n := &g.nodes[x]; n.kind == kindConst && n.n == 1 {
		return n.data[0], true
	}
	return 0, false
}

func (g *Graph) isScalar(x Node, v float64) bool {
	w, ok := g.scalarValue(x)
	return ok && w == v
}

// View is elements [off, off+n) of x. It costs nothing at run time.
func (g *Graph) View(x Node, off, n int) Node {
	src := &g.nodes[x]
	if off == 0 && n == src.len() {
		return x
	}
	switch src.kind {
	case kindView:
		return g.View(src.in[0], int(src.off)+off, n)
	case kindConst:
		return g.Const(src.data[off : off+n])
	case kindGather:
		if n == 1 {
			r := src.refs[off]
			return g.Elem(src.in[r.Node], int(r.Elem))
		}
	}
	return g.share(consKey{kind: kindView, a: x, n: int32(n), off: int32(off)}, func() node {
		return node{kind: kindView, n: int32(n), off: int32(off), in: g.inputs(x)}
	})
}

// Elem is element i of x; a node of length 1 stands for any of its elements.
func (g *Graph) Elem(x Node, i int) Node {
	if g.nodes[x].n == 1 {
		return x
	}
	return g.View(x, i, 1)
}

// Gather makes a vector from single elements.
func (g *Graph) Gather(refs []Ref) Node {
	if v, ok := g.asView(refs); ok {
		return v
	}
	var sources []Node
	place := map[Node]Node{}
	local := make([]Ref, len(refs))
	for i, r := range refs {
		r = g.resolve(r)
		p, ok := place[r.Node]
		if !ok {
			p = Node(len(sources))
			place[r.Node] = p
			sources = append(sources, r.Node)
		}
		local[i] = Ref{p, r.Elem}
	}
	return g.add(node{kind: kindGather, n: int32(len(refs)), in: sources, extra: &extra{refs: local}})
}

// resolve looks through views and gathers, so that a gather names the node that
// computes the number.
func (g *Graph) resolve(r Ref) Ref {
	for {
		switch n := &g.nodes[r.Node]; n.kind {
		case kindView:
			r = Ref{n.in[0], r.Elem + n.off}
		case kindGather:
			inner := n.refs[r.Elem]
			r = Ref{n.in[inner.Node], inner.Elem}
		default:
			return r
		}
	}
}

// asView recognises a run of neighbours in one node.
func (g *Graph) asView(refs []Ref) (Node, bool) {
	if len(refs) == 0 {
		return None, false
	}
	first := g.resolve(refs[0])
	for i, r := range refs {
		r = g.resolve(r)
		if r.Node != first.Node || r.Elem != first.Elem+int32(i) {
			return None, false
		}
	}
	return g.View(first.Node, int(first.Elem), len(refs)), true
}

// Opaque applies a function with its own derivative to whole nodes.
func (g *Graph) Opaque(fn Opaque, n int, in ...Node) Node {
	return g.add(node{kind: kindOpaque, n: int32(n), in: in, extra: &extra{fn: fn}})
}

// SharedOpaque applies a function to one node; equal calls are one node. The dynamic
// type of fn must be comparable.
func (g *Graph) SharedOpaque(fn Opaque, n int, in Node) Node {
	key := opaqueKey{fn, in}
	x, ok := g.calls[key]
	if !ok {
		x = g.Opaque(fn, n, in)
		g.calls[key] = x
	}
	return x
}

// Function gives the function that a node is a value of, and its arguments; nil where
// it is no Opaque.
func (g *Graph) Function(x Node) (Opaque, []Node) {
	if n := &g.nodes[x]; n.kind == kindOpaque {
		return n.fn, n.in
	}
	return nil, nil
}

// FromInput says whether a node is a range of the input, and where that begins.
func (g *Graph) FromInput(x Node) (off int, ok bool) {
	switch n := &g.nodes[x]; {
	case n.kind == kindInput:
		return 0, true
	case n.kind == kindView && n.in[0] == g.input:
		return int(n.off), true
	}
	return 0, false
}

// MatVec is A*x for a rows x cols matrix A in column-major order.
func (g *Graph) MatVec(a, x Node, rows int) Node {
	return g.add(node{kind: kindMatVec, n: int32(rows), off: int32(rows), in: []Node{a, x}})
}

// matTVec is the transpose of A (rows x cols) times x.
func (g *Graph) matTVec(a, x Node, rows int) Node {
	return g.add(node{kind: kindMatTVec, n: g.nodes[a].n / int32(rows), off: int32(rows), in: []Node{a, x}})
}

// Check makes a domain check: running the program fails with a CheckError that
// carries tag if an element of x does not satisfy ok. Checks are roots by nature:
// hand them to Compile.
func (g *Graph) Check(x Node, ok func(float64) bool, tag int) Node {
	return g.add(node{kind: kindCheck, in: []Node{x}, extra: &extra{ok: ok, tag: tag}})
}

// Guard makes a check that x still has the values it had when the graph was
// recorded; running the program fails with ErrGuard otherwise.
func (g *Graph) Guard(x Node, want []float64) Node {
	return g.add(node{kind: kindGuard, in: []Node{x}, extra: &extra{data: want}})
}
