// Matrix-vector products from dot products: what a loop over observations writes as many small operations, as one
// large one.

package autodiff

// minDots is the least number of dot products that are worth a matrix.
const minDots = 8

// GemvFromDots returns an equal graph in which dot products of many constant vectors with
// one and the same vector (the linear predictors of a loop over observations) are one
// matrix-vector product, and the node of it that stands for a node of g. Where there
// are none it is g itself.
func (g *Graph) GemvFromDots(_ []Node) (*Graph, func(Node) Node) {
	var groups map[Node][]Node
	if g.does(optDots) {
		groups = g.dotGroups()
	}
	if len(groups) == 0 {
		return g, func(x Node) Node { return x }
	}
	b := &gemvBuilder{old: g, h: NewGraph(g.dims), to: make([]Node, g.Size()), groups: groups}
	b.h.off = g.off
	for x := range Node(g.Size()) {
		b.copy(Node(x))
	}
	return b.h, func(x Node) Node { return b.to[x] }
}

// dotGroups finds, for each vector, the dot products with constants.
func (g *Graph) dotGroups() map[Node][]Node {
	groups := map[Node][]Node{}
	for x := range Node(g.Size()) {
		n := g.at(x)
		if n.kind != kindDot {
			continue
		}
		if _, y, ok := g.constantDot(n); ok {
			groups[y] = append(groups[y], Node(x))
		}
	}
	for y, dots := range groups {
		if len(dots) < minDots {
			delete(groups, y)
		}
	}
	return groups
}

// constantDot takes a dot product apart into a constant and a vector that is none.
func (g *Graph) constantDot(n *node) (c, y Node, ok bool) {
	c, y = n.in()[0], n.in()[1]
	if g.at(c).kind != kindConst {
		c, y = y, c
	}
	return c, y, g.at(c).kind == kindConst && g.at(y).active
}

type gemvBuilder struct {
	old    *Graph
	h      *Graph
	to     []Node // new nodes of the old ones
	groups map[Node][]Node
	done   map[Node]bool
}

func (b *gemvBuilder) copy(x Node) {
	n := b.old.at(x)
	switch n.kind {
	case kindInput:
		b.to[x] = b.h.input
		return
	case kindRuntimeConst:
		b.to[x] = b.h.RuntimeConstants(n.data)
		return
	case kindConst:
		b.to[x] = b.h.Const(n.data)
		return
	case kindDot:
		if _, y, ok := b.old.constantDot(n); ok && b.groups[y] != nil {
			b.batch(y)
			return
		}
	}
	in := make([]Node, len(n.in()))
	for i, y := range n.in() {
		in[i] = b.to[y]
	}
	b.to[x] = b.h.remake(n, in)
}

// batch makes the product of a whole group when its first member comes up; constants
// depend on nothing, so the others may come early.
func (b *gemvBuilder) batch(y Node) {
	if b.done[y] {
		return
	}
	if b.done == nil {
		b.done = map[Node]bool{}
	}
	b.done[y] = true
	dots := b.groups[y]
	rows, cols := len(dots), b.old.Len(y)
	data := make([]float64, rows*cols)
	for i, x := range dots {
		c, _, _ := b.old.constantDot(b.old.at(x))
		for j, v := range b.old.at(c).data {
			data[j*rows+i] = v
		}
	}
	product := b.h.MatVec(b.h.Const(data), b.to[y], rows)
	for i, x := range dots {
		b.to[x] = b.h.View(product, i, 1)
	}
}
