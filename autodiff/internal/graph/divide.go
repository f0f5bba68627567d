// Dividing a graph among owners: what one of them made, as a graph by itself.

package graph

// A Share is what one owner has of a graph. The input of its graph is what its nodes take from other
// owners, one node after the other, and then a weight for each number that others take from it.
type Share struct {
	Graph   *Graph
	In, Out []Node // of the graph that was divided: what is taken, and what others take
	Values  []Node // of Out, in Graph
	Sum     Node   // of weights times values, in Graph
	Effects []Node // in Graph
}

// A Makeup says how a graph computes what it computes.
type Makeup struct {
	Single  int      // operations on single numbers
	Vectors int      // operations on vectors
	Longest int      // length of the longest of these vectors
	Calls   []string // functions that the engine does not look into, recorded loops among them
	Guards  int      // numbers that must not change for the program to apply
}

// Divide returns the share of each of n owners in what roots and effects are made of. Roots of length 1 get
// no weights: they are added up.
func (g *Graph) Divide(owner func(Node) int, n int, roots, effects []Node) []Share {
	live := g.Ancestors(append(roots[:len(roots):len(roots)], effects...)...)
	d := &division{g: g, owner: make([]int, g.Size()), shares: make([]Share, n), taken: map[Node]bool{}, given: make([]map[Node]bool, n)}
	for x := range Node(g.Size()) {
		if d.owner[x] = -1; live[x] && g.Active(x) && x != g.InputNode {
			d.owner[x] = owner(x)
		}
	}
	for x := range Node(g.Size()) {
		if d.owner[x] >= 0 {
			d.follow(x)
		}
	}
	for _, x := range roots {
		d.takes(x)
	}
	for i := range d.shares {
		d.build(i, effects)
	}
	return d.shares
}

// A division is a graph in the work of being divided.
type division struct {
	g      *Graph
	owner  []int // of each node; -1 for the input, constants and what nothing needs
	shares []Share
	taken  map[Node]bool
	given  []map[Node]bool // to each owner
}

// follow notes what a node takes from other owners.
func (d *division) follow(x Node) {
	i := d.owner[x]
	for _, y := range d.g.At(x).In() {
		if d.owner[y] == i || !d.g.Active(y) {
			continue
		}
		if d.given[i] == nil {
			d.given[i] = map[Node]bool{}
		}
		if !d.given[i][y] {
			d.given[i][y] = true
			d.shares[i].In = append(d.shares[i].In, y)
		}
		d.takes(y)
	}
}

// takes notes that somebody needs a node of another owner.
func (d *division) takes(y Node) {
	if i := d.owner[y]; i >= 0 && !d.taken[y] {
		d.taken[y] = true
		d.shares[i].Out = append(d.shares[i].Out, y)
	}
}

// build makes the graph of an owner.
func (d *division) build(i int, effects []Node) {
	s, g := &d.shares[i], d.g
	dim, weights := 0, 0
	for _, x := range s.In {
		dim += g.Len(x)
	}
	for _, x := range s.Out {
		weights += g.Len(x)
	}
	h := g.Like(dim + weights)
	to := &Substitution{from: g, to: h, made: make([]Node, g.Size())}
	for x := range to.made {
		to.made[x] = None
	}
	off := 0
	for _, x := range s.In {
		to.made[x] = h.View(h.InputNode, off, g.Len(x))
		off += g.Len(x)
	}
	s.Graph, s.Values = h, to.Nodes(s.Out)
	s.Sum = h.Scalar(0)
	for _, v := range s.Values {
		w := h.View(h.InputNode, off, h.Len(v))
		off += h.Len(v)
		s.Sum = h.Map(Add, 1, s.Sum, h.Dot(w, v))
	}
	for _, x := range effects {
		if d.owner[x] == i {
			s.Effects = append(s.Effects, to.Node(x))
		}
	}
}

// Makeup says how some nodes are computed.
func (g *Graph) Makeup(nodes []Node) (w Makeup) {
	live := g.Ancestors(nodes...)
	for x := range Node(g.Size()) {
		n := g.At(x)
		if !live[x] || !n.Active {
			continue
		}
		switch n.Kind {
		case KindGuard:
			w.Guards += len(n.Data)
		case KindOpaque:
			w.Calls = append(w.Calls, OpaqueName(n.Fn))
		case KindMap, KindSum, KindDot, KindMatVec, KindMatTVec:
			size := n.Len()
			for _, y := range n.In() {
				size = max(size, g.Len(y))
			}
			if size == 1 {
				w.Single++
				continue
			}
			w.Vectors++
			w.Longest = max(w.Longest, size)
		}
	}
	return w
}
