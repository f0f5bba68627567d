// The graph of vector-valued nodes and its constructors.

package autodiff

import (
	"math"
	"slices"
)

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
	kindConst        kind = iota // data
	kindInput                    // the program's argument
	kindRuntimeConst             // numbers that a program can exchange; data is what they are at first
	kindMap                      // op applied elementwise, scalars broadcast
	kindPartials                 // all partial derivatives of op, one block after the other; inputs are op's and its value
	kindView                     // len elements of in[0] from offset off
	kindGather                   // copies of elements of in[...], by refs (Ref.Node indexes in)
	kindAccumulate               // zero, then parts added
	kindSum                      // sum of in[0]
	kindDot                      // sum of in[0]*in[1]
	kindMatVec                   // in[0] (rows x cols, column-major) times in[1]
	kindMatTVec                  // transpose of in[0] times in[1]
	kindOpaque                   // fn.Value
	kindOpaqueVJP                // fn.VJP: adjoints of those inputs that want has, one after the other
	kindCheck                    // domain check on in[0], an interval in data; no value
	kindGuard                    // in[0] must equal data; no value
	kindPlaceholder              // a placeholder of a LoopBody; no value
)

// A Graph is a program under construction.
type Graph struct {
	chunks        []*[chunk]node
	size          int // nodes in use
	consed        consTable
	scalar        map[uint64]Node // constants of length 1 by their bits
	calls         map[opaqueKey]Node
	fused         map[Node]Node // scalar opaque node -> node that holds its value and partial derivatives
	dims          int           // length of the input
	input         Node
	runtimeConsts Node // None where there is none

	off switches // optimisations that are not made
}

// opaqueKey identifies a shared call.
type opaqueKey struct {
	fn Opaque
	in Node
}

// NewGraph makes a graph with one input vector of length dim.
func NewGraph(dim int) *Graph {
	g := &Graph{scalar: make(map[uint64]Node), calls: map[opaqueKey]Node{}, fused: make(map[Node]Node), dims: dim, runtimeConsts: None}
	g.input = g.add(node{kind: kindInput, n: int32(dim), active: true})
	return g
}

// Interpret makes programs that are compiled from now on run without machine code. They
// compute the same numbers.
func (g *Graph) Interpret() { g.off |= optNative }

// Input is the node of the program's argument.
func (g *Graph) Input() Node { return g.input }

// Len is the number of elements of a node.
func (g *Graph) Len(x Node) int { return g.at(x).len() }

// Active reports whether a node depends on the input.
func (g *Graph) Active(x Node) bool { return g.at(x).active }

// Constant reports whether a node is data of the program.
func (g *Graph) Constant(x Node) bool { return g.at(x).kind == kindConst }

// Size is the number of nodes made so far.
func (g *Graph) Size() int { return g.size }

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

// scalarValue returns the number that a node holds everywhere, if it is a constant of
// length 1.
func (g *Graph) scalarValue(x Node) (float64, bool) {
	if n := g.at(x); n.kind == kindConst && n.n == 1 {
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
	src := g.at(x)
	if off == 0 && n == src.len() {
		return x
	}
	switch src.kind {
	case kindView:
		return g.View(src.in()[0], int(src.off)+off, n)
	case kindConst:
		return g.Const(src.data[off : off+n])
	case kindGather:
		if n == 1 {
			r := src.refs[off]
			return g.Elem(src.in()[r.Node], int(r.Elem))
		}
	}
	return g.share(viewOf(x, off, n))
}

// viewOf is the node of a view.
func viewOf(x Node, off, n int) node {
	return node{kind: kindView, n: int32(n), off: int32(off), count: 1, few: [3]Node{x}}
}

// Elem is element i of x; a node of length 1 stands for any of its elements.
func (g *Graph) Elem(x Node, i int) Node {
	if g.at(x).n == 1 {
		return x
	}
	return g.View(x, i, 1)
}

// Gather makes a vector from single elements.
func (g *Graph) Gather(refs []Ref) Node {
	if v, ok := g.asView(refs); ok {
		return v
	}
	if v, ok := g.lifted(refs); ok {
		return v
	}
	s := sources{}
	local := make([]Ref, len(refs))
	for i, r := range refs {
		r = g.resolve(r)
		local[i] = Ref{Node(s.place(r.Node)), r.Elem}
	}
	return g.share(node{kind: kindGather, n: int32(len(refs)), extra: &extra{refs: local}}.withAll(s.list))
}

// sources is a list of different nodes.
type sources struct {
	list   []Node
	places map[Node]int // of the nodes of a long list
}

// place is where a node is in the list, to which it is added if it is not there.
func (s *sources) place(x Node) int {
	const long = 8
	if s.places == nil {
		if k := slices.Index(s.list, x); k >= 0 {
			return k
		}
	} else if k, ok := s.places[x]; ok {
		return k
	}
	s.list = append(s.list, x)
	switch {
	case s.places != nil:
		s.places[x] = len(s.list) - 1
	case len(s.list) > long:
		s.places = make(map[Node]int, 2*len(s.list))
		for k, y := range s.list {
			s.places[y] = k
		}
	}
	return len(s.list) - 1
}

// resolve looks through views and gathers, so that a gather names the node that
// computes the number.
func (g *Graph) resolve(r Ref) Ref {
	for {
		switch n := g.at(r.Node); n.kind {
		case kindView:
			r = Ref{n.in()[0], r.Elem + n.off}
		case kindGather:
			inner := n.refs[r.Elem]
			r = Ref{n.in()[inner.Node], inner.Elem}
		default:
			return r
		}
	}
}

// Source returns the node that computes an element of x, which may be a part or a collection, and
// which of its elements that is.
func (g *Graph) Source(x Node, elem int) Ref { return g.resolve(Ref{x, int32(elem)}) }

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
	return g.add(node{kind: kindOpaque, n: int32(n), extra: &extra{fn: fn}}.withAll(in))
}

// SharedOpaque applies a function to one node; equal calls are one node. The dynamic
// type of fn must be comparable.
func (g *Graph) SharedOpaque(fn Opaque, n int, in Node) Node {
	key := opaqueKey{fn, in}
	x, ok := g.calls[key]
	ok = ok && g.does(optShare)
	if !ok {
		x = g.Opaque(fn, n, in)
		g.calls[key] = x
	}
	return x
}

// Function returns the function that a node is a value of, and its arguments; nil where
// it is no Opaque.
func (g *Graph) Function(x Node) (Opaque, []Node) {
	if n := g.at(x); n.kind == kindOpaque {
		return n.fn, n.in()
	}
	return nil, nil
}

// FromInput reports whether a node is a range of the input, and where that begins.
func (g *Graph) FromInput(x Node) (off int, ok bool) {
	switch n := g.at(x); {
	case n.kind == kindInput:
		return 0, true
	case n.kind == kindView && n.in()[0] == g.input:
		return int(n.off), true
	}
	return 0, false
}

// Logit returns the logits of probabilities, where they are made of them.
func (g *Graph) Logit(x Node) (logit Node, ok bool) {
	switch n := g.at(x); {
	case n.kind == kindMap && n.op == InvLogit:
		return n.in()[0], g.fits(n.in()[0], n.len())
	case n.kind == kindView:
		if l, ok := g.Logit(n.in()[0]); ok {
			return g.View(l, int(n.off), n.len()), true
		}
	case n.kind == kindGather:
		return g.regathered(n, g.Logit)
	}
	return None, false
}

// regathered returns a gather of what its nodes are made of, by a function.
func (g *Graph) regathered(gather *node, of func(Node) (Node, bool)) (Node, bool) {
	in := make([]Node, len(gather.in()))
	for k, x := range gather.in() {
		y, ok := of(x)
		if !ok {
			return None, false
		}
		in[k] = y
	}
	refs := make([]Ref, len(gather.refs))
	for i, r := range gather.refs {
		refs[i] = Ref{in[r.Node], r.Elem}
	}
	return g.Gather(refs), true
}

// MatVec is A*x for a rows x cols matrix A in column-major order.
func (g *Graph) MatVec(a, x Node, rows int) Node {
	return g.add(node{kind: kindMatVec, n: int32(rows), off: int32(rows)}.with(a, x))
}

// matTVec is the transpose of A (rows x cols) times x.
func (g *Graph) matTVec(a, x Node, rows int) Node {
	return g.add(node{kind: kindMatTVec, n: g.at(a).n / int32(rows), off: int32(rows)}.with(a, x))
}

// Guard makes a check that x still has the values it had when the graph was
// recorded; running the program fails with ErrGuard otherwise.
func (g *Graph) Guard(x Node, want []float64) Node {
	return g.add(node{kind: kindGuard, extra: &extra{data: want}}.with(x))
}

// Check makes a domain check: running the program fails with a CheckError if an element of
// x is not in [low, high], which NaN never is. Checks are roots by nature: hand them to
// Compile.
func (g *Graph) Check(x Node, low, high float64) Node {
	return g.add(node{kind: kindCheck, extra: &extra{data: []float64{low, high}}}.with(x))
}

// RuntimeConstants makes the node of numbers that are fixed while a machine runs, but may be
// others in another copy of the program, see Program.WithConstants. No derivative is taken by
// them, and what depends on nothing else is computed once by a machine. A graph has at
// most one such node.
func (g *Graph) RuntimeConstants(data []float64) Node {
	if g.runtimeConsts != None {
		panic("autodiff: a graph has one node of given numbers")
	}
	g.runtimeConsts = g.add(node{kind: kindRuntimeConst, n: int32(len(data)), extra: &extra{data: data}})
	return g.runtimeConsts
}
