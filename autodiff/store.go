// Where a graph keeps its nodes, and the table by which equal ones are found.

package autodiff

import "slices"

// A node is kept small, since unrolled loops make very many of them; what only few
// kinds need is in extra.
type node struct {
	kind   kind
	active bool  // depends on the input
	nonneg bool  // no element is negative (it may be NaN)
	count  uint8 // of inputs; tooMany where they are in extra
	n      int32
	off    int32 // of a View; rows of a matrix-vector product
	few    [3]Node
	op     *Op
	*extra
}

// tooMany is the count of a node with more inputs than few has room for.
const tooMany = 255

// extra holds what only some kinds of nodes have.
type extra struct {
	many  []Node    // inputs, where they are too many
	data  []float64 // of a Const, Given or Guard; the interval of a Check
	refs  []Ref     // of a Gather
	parts []part    // of an Accumulate
	fn    Opaque
	want  []bool // of an OpaqueVJP: inputs that need an adjoint; its in are the function's, its value and the adjoint
}

// len is the length as an int.
func (n *node) len() int { return int(n.n) }

// in lists the inputs. The caller must not change it.
func (n *node) in() []Node {
	if n.count == tooMany {
		return n.many
	}
	return n.few[:n.count]
}

// with is the node with at most three inputs.
func (n node) with(in ...Node) node {
	n.count = uint8(copy(n.few[:], in))
	return n
}

// withAll is the node with any number of inputs; a long list is kept.
func (n node) withAll(in []Node) node {
	if len(in) <= len(n.few) {
		return n.with(in...)
	}
	e := extra{}
	if n.extra != nil {
		e = *n.extra
	}
	e.many = in
	n.count, n.extra = tooMany, &e
	return n
}

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

// chunk is how many nodes are allocated together. They never move, so that pointers to
// them stay good.
const (
	chunkBits = 9
	chunk     = 1 << chunkBits
)

// at is a node of the graph.
func (g *Graph) at(x Node) *node { return &g.chunks[x>>chunkBits][x&(chunk-1)] }

// add appends a node.
func (g *Graph) add(n node) Node {
	for _, i := range n.in() {
		n.active = n.active || g.at(i).active
	}
	n.nonneg = g.nonNegative(&n)
	if g.size == chunk*len(g.chunks) {
		g.chunks = append(g.chunks, new([chunk]node))
	}
	x := Node(g.size)
	g.size++
	*g.at(x) = n
	return x
}

// share returns the node that equals n, making it where there is none.
func (g *Graph) share(n node) Node {
	if !g.does(optShare) {
		return g.add(n)
	}
	x, hash := g.find(&n)
	if x == None {
		x = g.add(n)
		g.enter(hash, x)
	}
	return x
}

// find returns the node that equals n, or None, and the hash of n.
func (g *Graph) find(n *node) (x Node, hash uint32) {
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
		if s.hash == hash && g.at(s.next-1).equals(n) {
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

// A probe is a search at work.
type probe struct {
	at, mask, hash uint32
	near           int // slots left before the search goes by the hash
}

func (t *consTable) probe(n *node, hash uint32) probe {
	const line = 8 // slots in a line of the cache
	mask := uint32(len(t.slots) - 1)
	latest := max(n.few[0], n.few[1], n.few[2])
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
	p := g.consed.probe(g.at(s.next-1), s.hash)
	for g.consed.slots[p.at].next != 0 {
		p.on()
	}
	g.consed.slots[p.at] = s
}

// commutes reports whether the order of two inputs makes no difference.
func (n *node) commutes() bool {
	return n.kind == kindDot || n.kind == kindMap && (n.op == Add || n.op == Mul)
}

// hash is the same for equal nodes.
func (n *node) hash() uint32 {
	a, b := n.few[0], n.few[1]
	if n.commutes() && a > b {
		a, b = b, a
	}
	h := uint64(n.kind)<<56 ^ uint64(n.n)<<16 ^ uint64(n.off)
	if n.op != nil {
		h ^= uint64(n.op.code) << 48
	}
	h = mixed(h, uint64(uint32(a))<<32|uint64(uint32(b)))
	h = mixed(h, uint64(uint32(n.few[2])))
	if n.extra != nil {
		for _, x := range n.many {
			h = mixed(h, uint64(x))
		}
		for _, r := range n.refs {
			h = mixed(h, uint64(uint32(r.Node))<<32|uint64(uint32(r.Elem)))
		}
	}
	return uint32(h >> 32)
}

// mixed is a hash with a word more; the factor is 2^64 by the golden ratio.
func mixed(h, word uint64) uint64 {
	h = (h ^ word) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// equals compares what small nodes and gathers consist of.
func (n *node) equals(m *node) bool {
	if n.kind != m.kind || n.op != m.op || n.n != m.n || n.off != m.off || n.count != m.count {
		return false
	}
	if n.few != m.few && !(n.commutes() && n.few[0] == m.few[1] && n.few[1] == m.few[0]) {
		return false
	}
	if n.kind != kindGather {
		return true
	}
	return slices.Equal(n.in(), m.in()) && slices.Equal(n.refs, m.refs)
}
