// The graph of vector-valued nodes and its constructors.

package graph

import (
	"encoding/binary"
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

type Kind uint8

const (
	KindConst        Kind = iota // data
	KindInput                    // the program's argument
	KindRuntimeConst             // numbers that a program can exchange; data is what they are at first
	KindMap                      // op applied elementwise, scalars broadcast
	KindPartials                 // all partial derivatives of op, one block after the other; inputs are op's and its value
	KindView                     // len elements of in[0] from offset off
	KindGather                   // copies of elements of in[...], by refs (Ref.Node indexes in)
	KindAccumulate               // zero, then parts added
	KindSum                      // sum of in[0]
	KindDot                      // sum of in[0]*in[1]
	KindMatVec                   // in[0] (rows x cols, column-major) times in[1]
	KindMatTVec                  // transpose of in[0] times in[1]
	KindOpaque                   // fn.Value
	KindOpaqueVJP                // fn.VJP: adjoints of those inputs that want has, one after the other
	KindCheck                    // domain check on in[0], an interval in data; no value
	KindGuard                    // in[0] must equal data; no value
	KindPlaceholder              // a placeholder of a LoopBody; no value
)

// A Graph is a program under construction.
type Graph struct {
	chunks        []*[chunk]NodeDef
	Count         int // nodes in use
	consed        consTable
	scalar        map[uint64]Node // constants of length 1 by their bits
	calls         map[opaqueKey]Node
	Fused         map[Node]Node // scalar opaque node -> node that holds its value and partial derivatives
	Dims          int           // length of the input
	InputNode     Node
	RuntimeConsts Node                // None where there is none
	repeated      map[Node]repetition // gathers that mapDistinct made
	taken         map[Node]bool       // sums that Linear took apart

	limits  []limit // in the order in which they were noted
	limitOf map[limit]bool

	Off Switches // optimisations that are not made
}

// opaqueKey identifies a shared call.
type opaqueKey struct {
	fn any
	in string
}

// NewGraph makes a graph with one input vector of length dim.
func NewGraph(dim int) *Graph {
	g := &Graph{scalar: make(map[uint64]Node), calls: map[opaqueKey]Node{}, Fused: make(map[Node]Node), repeated: map[Node]repetition{}, taken: map[Node]bool{}, Dims: dim, RuntimeConsts: None}
	g.InputNode = g.Add(NodeDef{Kind: KindInput, N: int32(dim), Active: true})
	return g
}

// Interpret makes programs that are compiled from now on run without machine code. They
// compute the same numbers.
func (g *Graph) Interpret() { g.Off |= OptNative }

// Input is the node of the program's argument.
func (g *Graph) Input() Node { return g.InputNode }

// Len is the number of elements of a node.
func (g *Graph) Len(x Node) int { return g.At(x).Len() }

// Active reports whether a node depends on the input.
func (g *Graph) Active(x Node) bool { return g.At(x).Active }

// Constant reports whether a node is data of the program.
func (g *Graph) Constant(x Node) bool { return g.At(x).Kind == KindConst }

// Size is the number of nodes made so far.
func (g *Graph) Size() int { return g.Count }

// Const is a constant vector. The slice is kept and must not change.
func (g *Graph) Const(data []float64) Node {
	if len(data) == 1 {
		return g.Scalar(data[0])
	}
	return g.Add(NodeDef{Kind: KindConst, N: int32(len(data)), Extra: &Extra{Data: data}})
}

// Scalar is a constant of length 1.
func (g *Graph) Scalar(v float64) Node {
	bits := math.Float64bits(v)
	x, ok := g.scalar[bits]
	if !ok {
		x = g.Add(NodeDef{Kind: KindConst, N: 1, Extra: &Extra{Data: []float64{v}}})
		g.scalar[bits] = x
	}
	return x
}

// ScalarValue returns the number that a node holds everywhere, if it is a constant of
// length 1.
func (g *Graph) ScalarValue(x Node) (float64, bool) {
	if n := g.At(x); n.Kind == KindConst && n.N == 1 {
		return n.Data[0], true
	}
	return 0, false
}

func (g *Graph) isScalar(x Node, v float64) bool {
	w, ok := g.ScalarValue(x)
	return ok && w == v
}

// View is elements [off, off+n) of x. It costs nothing at run time.
func (g *Graph) View(x Node, off, n int) Node {
	src := g.At(x)
	if off == 0 && n == src.Len() {
		return x
	}
	switch src.Kind {
	case KindView:
		return g.View(src.In()[0], int(src.Off)+off, n)
	case KindConst:
		return g.Const(src.Data[off : off+n])
	case KindGather:
		if n == 1 {
			r := src.Refs[off]
			return g.Elem(src.In()[r.Node], int(r.Elem))
		}
	}
	return g.share(ViewOf(x, off, n))
}

// ViewOf is the node of a view.
func ViewOf(x Node, off, n int) NodeDef {
	return NodeDef{Kind: KindView, N: int32(n), Off: int32(off), Count: 1, Few: [3]Node{x}}
}

// Elem is element i of x; a node of length 1 stands for any of its elements.
func (g *Graph) Elem(x Node, i int) Node {
	if g.At(x).N == 1 {
		return x
	}
	return g.View(x, i, 1)
}

// Gather makes a vector from single elements.
func (g *Graph) Gather(refs []Ref) Node {
	if v, ok := g.asView(refs); ok {
		return v
	}
	s := Sources{}
	local := make([]Ref, len(refs))
	for i, r := range refs {
		r = g.Resolve(r)
		local[i] = Ref{Node(s.Place(r.Node)), r.Elem}
	}
	return g.share(NodeDef{Kind: KindGather, N: int32(len(refs)), Extra: &Extra{Refs: local}}.WithAll(s.List))
}

// Sources is a list of different nodes.
type Sources struct {
	List   []Node
	places map[Node]int // of the nodes of a long list
}

// Place is where a node is in the list, to which it is added if it is not there.
func (s *Sources) Place(x Node) int {
	const long = 8
	if s.places == nil {
		if k := slices.Index(s.List, x); k >= 0 {
			return k
		}
	} else if k, ok := s.places[x]; ok {
		return k
	}
	s.List = append(s.List, x)
	switch {
	case s.places != nil:
		s.places[x] = len(s.List) - 1
	case len(s.List) > long:
		s.places = make(map[Node]int, 2*len(s.List))
		for k, y := range s.List {
			s.places[y] = k
		}
	}
	return len(s.List) - 1
}

// Resolve looks through views and gathers, so that a gather names the node that
// computes the number.
func (g *Graph) Resolve(r Ref) Ref {
	for {
		switch n := g.At(r.Node); n.Kind {
		case KindView:
			r = Ref{n.In()[0], r.Elem + n.Off}
		case KindGather:
			inner := n.Refs[r.Elem]
			r = Ref{n.In()[inner.Node], inner.Elem}
		default:
			return r
		}
	}
}

// Source returns the node that computes an element of x, which may be a part or a collection, and
// which of its elements that is.
func (g *Graph) Source(x Node, elem int) Ref { return g.Resolve(Ref{x, int32(elem)}) }

// asView recognises a run of neighbours in one node.
func (g *Graph) asView(refs []Ref) (Node, bool) {
	if len(refs) == 0 {
		return None, false
	}
	first := g.Resolve(refs[0])
	for i, r := range refs {
		r = g.Resolve(r)
		if r.Node != first.Node || r.Elem != first.Elem+int32(i) {
			return None, false
		}
	}
	return g.View(first.Node, int(first.Elem), len(refs)), true
}

// Opaque applies a function with its own derivative to whole nodes.
func (g *Graph) Opaque(fn Opaque, n int, in ...Node) Node {
	return g.Add(NodeDef{Kind: KindOpaque, N: int32(n), Extra: &Extra{Fn: fn}}.WithAll(in))
}

// SharedOpaque is Opaque of which calls with equal keys and the same nodes are one node. The dynamic type of key must be
// comparable, and equal keys stand for equal functions.
func (g *Graph) SharedOpaque(key any, fn Opaque, n int, in ...Node) Node {
	if !g.Does(optShare) {
		return g.Opaque(fn, n, in...)
	}
	var nodes []byte
	for _, x := range in {
		nodes = binary.LittleEndian.AppendUint32(nodes, uint32(x))
	}
	k := opaqueKey{key, string(nodes)}
	x, ok := g.calls[k]
	if !ok {
		x = g.Opaque(fn, n, in...)
		g.calls[k] = x
	}
	return x
}

// Function returns the function that a node is a value of, and its arguments; nil where
// it is no Opaque.
func (g *Graph) Function(x Node) (Opaque, []Node) {
	if n := g.At(x); n.Kind == KindOpaque {
		return n.Fn, n.In()
	}
	return nil, nil
}

// FromInput reports whether a node is a range of the input, and where that begins.
func (g *Graph) FromInput(x Node) (off int, ok bool) {
	switch n := g.At(x); {
	case n.Kind == KindInput:
		return 0, true
	case n.Kind == KindView && n.In()[0] == g.InputNode:
		return int(n.Off), true
	}
	return 0, false
}

// Logit returns the logits of probabilities, where they are made of them.
func (g *Graph) Logit(x Node) (logit Node, ok bool) {
	switch n := g.At(x); {
	case n.Kind == KindMap && n.Op == InvLogit:
		return n.In()[0], g.fits(n.In()[0], n.Len())
	case n.Kind == KindView:
		if l, ok := g.Logit(n.In()[0]); ok {
			return g.View(l, int(n.Off), n.Len()), true
		}
	case n.Kind == KindGather:
		return g.regathered(n, g.Logit)
	}
	return None, false
}

// regathered returns a gather of what its nodes are made of, by a function.
func (g *Graph) regathered(gather *NodeDef, of func(Node) (Node, bool)) (Node, bool) {
	in := make([]Node, len(gather.In()))
	for k, x := range gather.In() {
		y, ok := of(x)
		if !ok {
			return None, false
		}
		in[k] = y
	}
	refs := make([]Ref, len(gather.Refs))
	for i, r := range gather.Refs {
		refs[i] = Ref{in[r.Node], r.Elem}
	}
	return g.Gather(refs), true
}

// MatVec is A*x for a rows x cols matrix A in column-major order.
func (g *Graph) MatVec(a, x Node, rows int) Node {
	return g.Add(NodeDef{Kind: KindMatVec, N: int32(rows), Off: int32(rows)}.with(a, x))
}

// MatTVec is the transpose of A (rows x cols) times x.
func (g *Graph) MatTVec(a, x Node, rows int) Node {
	return g.Add(NodeDef{Kind: KindMatTVec, N: g.At(a).N / int32(rows), Off: int32(rows)}.with(a, x))
}

// Guard makes a check that x still has the values it had when the graph was
// recorded; running the program fails with ErrGuard otherwise.
func (g *Graph) Guard(x Node, want []float64) Node {
	return g.Add(NodeDef{Kind: KindGuard, Extra: &Extra{Data: want}}.with(x))
}

// Elements returns where the numbers of x are, those of an accumulation that has them in parts: an
// element to which nothing is added is the constant zero.
func (g *Graph) Elements(x Node) []Ref {
	refs := make([]Ref, g.Len(x))
	n := g.At(x)
	if n.Kind != KindAccumulate {
		for i := range refs {
			refs[i] = g.Source(x, i)
		}
		return refs
	}
	for i := range refs {
		refs[i] = Ref{Node: None}
	}
	add := func(to int, r Ref) {
		if refs[to].Node != None {
			r = Ref{Node: g.Map(Add, 1, g.Elem(refs[to].Node, int(refs[to].Elem)), g.Elem(r.Node, int(r.Elem)))}
		}
		refs[to] = r
	}
	for _, p := range n.Parts {
		src := n.In()[p.Src]
		last := g.Len(src) - 1
		if p.At == nil {
			for k := range last + 1 {
				add(int(p.Off)+k, g.Source(src, k))
			}
			continue
		}
		for k, at := range p.At {
			add(int(at), g.Source(src, min(int(p.From[k]), last)))
		}
	}
	zero := g.Scalar(0)
	for i := range refs {
		if refs[i].Node == None {
			refs[i].Node = zero
		}
	}
	return refs
}

// JoinGuards returns the effects with one guard in place of all guards among them.
func (g *Graph) JoinGuards(effects []Node) []Node {
	var refs []Ref
	var want []float64
	var out []Node
	for _, e := range effects {
		n := g.At(e)
		if n.Kind != KindGuard {
			out = append(out, e)
			continue
		}
		for i, w := range n.Extra.Data {
			refs, want = append(refs, Ref{n.In()[0], int32(i)}), append(want, w)
		}
	}
	if refs != nil {
		out = append(out, g.Guard(g.Gather(refs), want))
	}
	return out
}

// Check makes a domain check: running the program fails with a CheckError if an element of
// x is not in [low, high], which NaN never is. Checks are roots by nature: hand them to
// Compile.
func (g *Graph) Check(x Node, low, high float64) Node {
	return g.Add(NodeDef{Kind: KindCheck, Extra: &Extra{Data: []float64{low, high}}}.with(x))
}

// RuntimeConstants makes the node of numbers that are fixed while a machine runs, but may be
// others in another copy of the program, see Program.WithConstants. No derivative is taken by
// them, and what depends on nothing else is computed once by a machine. A graph has at
// most one such node.
func (g *Graph) RuntimeConstants(data []float64) Node {
	if g.RuntimeConsts != None {
		panic("autodiff: a graph has one node of given numbers")
	}
	g.RuntimeConsts = g.Add(NodeDef{Kind: KindRuntimeConst, N: int32(len(data)), Extra: &Extra{Data: data}})
	return g.RuntimeConsts
}
