// Where a graph keeps its nodes, and the table by which equal ones are found.

package graph

import "slices"

// A NodeDef is kept small, since unrolled loops make very many of them; what only few
// kinds need is in extra.
type NodeDef struct {
	Kind   Kind
	Active bool  // depends on the input
	Nonneg bool  // no element is negative (it may be NaN)
	local  bool  // made of placeholders
	Count  uint8 // of inputs; tooMany where they are in extra
	N      int32
	Off    int32 // of a View; rows of a matrix-vector product
	Few    [3]Node
	Op     *Op
	*Extra
}

// tooMany is the count of a node with more inputs than few has room for.
const tooMany = 255

// Extra holds what only some kinds of nodes have.
type Extra struct {
	many  []Node    // inputs, where they are too many
	Data  []float64 // of a Const, Given or Guard; the interval of a Check
	Refs  []Ref     // of a Gather
	Parts []Part    // of an Accumulate
	Fn    Opaque
	Want  []bool // of an OpaqueVJP: inputs that need an adjoint; its in are the function's, its value and the adjoint
}

// Len is the length as an int.
func (n *NodeDef) Len() int { return int(n.N) }

// In lists the inputs. The caller must not change it.
func (n *NodeDef) In() []Node {
	if n.Count == tooMany {
		return n.many
	}
	return n.Few[:n.Count]
}

// with is the node with at most three inputs.
func (n NodeDef) with(in ...Node) NodeDef {
	n.Count = uint8(copy(n.Few[:], in))
	return n
}

// WithAll is the node with any number of inputs; a long list is kept.
func (n NodeDef) WithAll(in []Node) NodeDef {
	if len(in) <= len(n.Few) {
		return n.with(in...)
	}
	e := Extra{}
	if n.Extra != nil {
		e = *n.Extra
	}
	e.many = in
	n.Count, n.Extra = tooMany, &e
	return n
}

// A Part of an Accumulate: elements of in[src] are added at positions off.. or, with
// at set, element from[i] is added at position at[i].
type Part struct {
	Src      int
	Off      int
	At, From []int32

	// places and ends are set in programs where runs of neighbours go to the same place:
	// run s, which ends before element ends[s] of those from from[0] on, to places[s].
	Places, Ends []int32
}

// chunk is how many nodes are allocated together. They never move, so that pointers to
// them stay good.
const (
	chunkBits = 9
	chunk     = 1 << chunkBits
)

// At is a node of the graph.
func (g *Graph) At(x Node) *NodeDef { return &g.chunks[x>>chunkBits][x&(chunk-1)] }

// Add appends a node.
func (g *Graph) Add(n NodeDef) Node {
	n.local = n.Kind == KindPlaceholder
	for _, i := range n.In() {
		n.Active, n.local = n.Active || g.At(i).Active, n.local || g.At(i).local
	}
	n.Nonneg = g.nonNegative(&n)
	if g.Count == chunk*len(g.chunks) {
		g.chunks = append(g.chunks, new([chunk]NodeDef))
	}
	x := Node(g.Count)
	g.Count++
	*g.At(x) = n
	return x
}

// share returns the node that equals n, making it where there is none.
func (g *Graph) share(n NodeDef) Node {
	if !g.Does(optShare) {
		return g.Add(n)
	}
	x, hash := g.Find(&n)
	if x == None {
		x = g.Add(n)
		g.enter(hash, x)
	}
	return x
}

// Find returns the node that equals n, or None, and the hash of n.
func (g *Graph) Find(n *NodeDef) (x Node, hash uint32) {
	hash = n.hash()
	t := &g.consed
	if len(t.slots) == 0 {
		return None, hash
	}
	for p := t.probe(n, hash); ; p.on() {
		s := &t.slots[p.at]
		if s.next == 0 {
			return None, hash
		}
		if s.hash == hash && g.At(s.next-1).equals(n) {
			return s.next - 1, hash
		}
	}
}

// A consTable finds nodes by their contents: a hash table with open addressing, whose
// size is a power of two.
//
// The search begins at a place that goes with the latest input, and only when the slots
// there are taken at one that goes with the hash. Nodes made one after the other have
// inputs made one after the other, so that a long recurrence stays in a part of the table
// that is in the processor's cache.
type consTable struct {
	slots []consSlot
	used  int
}

type consSlot struct {
	hash uint32
	next Node // the node after the one meant, so that 0 is free
}

// A probe is the state of a search.
type probe struct {
	at, mask, hash uint32
	near           int // slots left before the search goes by the hash
}

func (t *consTable) probe(n *NodeDef, hash uint32) probe {
	const line = 8 // slots in a line of the cache
	mask := uint32(len(t.slots) - 1)
	latest := max(n.Few[0], n.Few[1], n.Few[2])
	return probe{at: (2*uint32(latest) + hash%line) & mask, mask: mask, hash: hash, near: line}
}

// on goes to the next slot.
func (p *probe) on() {
	if p.near--; p.near == 0 {
		p.at = p.hash
	} else {
		p.at++
	}
	p.at &= p.mask
}

// enter adds a node that is not in the table.
func (g *Graph) enter(hash uint32, x Node) {
	t := &g.consed
	if 2*t.used >= len(t.slots) {
		old := t.slots
		t.slots = make([]consSlot, max(64, 4*len(old)))
		for _, s := range old {
			if s.next != 0 {
				g.put(s)
			}
		}
	}
	g.put(consSlot{hash, x + 1})
	t.used++
}

// put fills the first slot that is free.
func (g *Graph) put(s consSlot) {
	p := g.consed.probe(g.At(s.next-1), s.hash)
	for g.consed.slots[p.at].next != 0 {
		p.on()
	}
	g.consed.slots[p.at] = s
}

// commutes reports whether the order of two inputs makes no difference.
func (n *NodeDef) commutes() bool {
	return n.Kind == KindDot || n.Kind == KindMap && (n.Op == Add || n.Op == Mul)
}

// hash is the same for equal nodes.
func (n *NodeDef) hash() uint32 {
	a, b := n.Few[0], n.Few[1]
	if n.commutes() && a > b {
		a, b = b, a
	}
	h := uint64(n.Kind)<<56 ^ uint64(n.N)<<16 ^ uint64(n.Off)
	if n.Op != nil {
		h ^= uint64(n.Op.Code) << 48
	}
	h = Mixed(h, uint64(uint32(a))<<32|uint64(uint32(b)))
	h = Mixed(h, uint64(uint32(n.Few[2])))
	if n.Extra != nil {
		for _, x := range n.many {
			h = Mixed(h, uint64(x))
		}
		for _, r := range n.Refs {
			h = Mixed(h, uint64(uint32(r.Node))<<32|uint64(uint32(r.Elem)))
		}
	}
	return uint32(h >> 32)
}

// Mixed is a hash with a word more; the factor is 2^64 by the golden ratio.
func Mixed(h, word uint64) uint64 {
	h = (h ^ word) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// equals compares what small nodes and gathers consist of.
func (n *NodeDef) equals(m *NodeDef) bool {
	if n.Kind != m.Kind || n.Op != m.Op || n.N != m.N || n.Off != m.Off || n.Count != m.Count {
		return false
	}
	if n.Few != m.Few && !(n.commutes() && n.Few[0] == m.Few[1] && n.Few[1] == m.Few[0]) {
		return false
	}
	if n.Kind != KindGather {
		return true
	}
	return slices.Equal(n.In(), m.In()) && slices.Equal(n.Refs, m.Refs)
}
