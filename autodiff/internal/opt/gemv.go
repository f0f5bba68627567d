// Matrix-vector products from dot products, the many small products of a loop over observations, and from sums of
// columns, each times a number: as one large product.

package opt

import "github.com/seed-12b88e03/ppl/autodiff/internal/graph"

const (
	// minDots is the least number of dot products that are worth a matrix.
	minDots = 8
	// minSummands is the same for the columns of a sum, and minElements for their numbers together.
	minSummands = 2
	minElements = 256
)

// GemvFromDots returns an equal graph in which dot products of many constant vectors with
// one and the same vector (the linear predictors of a loop over observations) are one
// matrix-vector product, as are sums of constant vectors times numbers, and the node of it that stands for a node of g. Where there
// are none it is g itself.
func GemvFromDots(g *graph.Graph, _ []graph.Node) (*graph.Graph, func(graph.Node) graph.Node) {
	var groups map[graph.Node][]graph.Node
	var sums map[graph.Node]*graph.Predictor
	if g.Does(graph.OptDots) {
		groups, sums = dotGroups(g), columnSums(g)
	}
	if len(groups) == 0 && len(sums) == 0 {
		return g, func(x graph.Node) graph.Node { return x }
	}
	b := &gemvBuilder{old: g, h: graph.NewGraph(g.Dims), to: make([]graph.Node, g.Size()), groups: groups, sums: sums}
	b.h.Off = g.Off
	for x := range graph.Node(g.Size()) {
		b.copy(graph.Node(x))
	}
	return b.h, func(x graph.Node) graph.Node { return b.to[x] }
}

// dotGroups finds, for each vector, the dot products with constants.
func dotGroups(g *graph.Graph) map[graph.Node][]graph.Node {
	groups := map[graph.Node][]graph.Node{}
	for x := range graph.Node(g.Size()) {
		n := g.At(x)
		if n.Kind != graph.KindDot {
			continue
		}
		if _, y, ok := constantDot(g, n); ok {
			groups[y] = append(groups[y], graph.Node(x))
		}
	}
	for y, dots := range groups {
		if len(dots) < minDots {
			delete(groups, y)
		}
	}
	return groups
}

// columnSums finds sums of columns that are no summands of sums themselves, or of several.
func columnSums(g *graph.Graph) map[graph.Node]*graph.Predictor {
	sums, all, inSums := map[graph.Node]*graph.Predictor{}, make([]int, g.Size()), make([]int, g.Size())
	isSum := func(n *graph.NodeDef) bool {
		return n.Kind == graph.KindMap && (n.Op == graph.Add || n.Op == graph.Sub) && n.N > 1
	}
	for x := range graph.Node(g.Size()) {
		n := g.At(x)
		for _, y := range n.In() {
			all[y]++
			if isSum(n) && n.N == g.At(y).N {
				inSums[y]++
			}
		}
	}
	whole := func(x graph.Node) bool { return all[x] > 1 }
	for x := range graph.Node(g.Size()) {
		if !isSum(g.At(x)) || all[x] == 1 && inSums[x] == 1 {
			continue
		}
		if p, ok := g.Predictor(x, whole); ok && p.Columns() >= max(minSummands, minElements/int(g.At(x).N)) && p.Simpler() {
			sums[x] = p
		}
	}
	return sums
}

// constantDot takes a dot product apart into a constant and a vector that is none.
func constantDot(g *graph.Graph, n *graph.NodeDef) (c, y graph.Node, ok bool) {
	c, y = n.In()[0], n.In()[1]
	if g.At(c).Kind != graph.KindConst {
		c, y = y, c
	}
	return c, y, g.At(c).Kind == graph.KindConst && g.At(y).Active
}

type gemvBuilder struct {
	old    *graph.Graph
	h      *graph.Graph
	to     []graph.Node // new nodes of the old ones
	groups map[graph.Node][]graph.Node
	sums   map[graph.Node]*graph.Predictor
	done   map[graph.Node]bool
}

func (b *gemvBuilder) copy(x graph.Node) {
	n := b.old.At(x)
	switch n.Kind {
	case graph.KindInput:
		b.to[x] = b.h.InputNode
		return
	case graph.KindRuntimeConst:
		b.to[x] = b.h.RuntimeConstants(n.Data)
		return
	case graph.KindConst:
		b.to[x] = b.h.Const(n.Data)
		return
	case graph.KindDot:
		if _, y, ok := constantDot(b.old, n); ok && b.groups[y] != nil {
			b.batch(y)
			return
		}
	}
	if p := b.sums[x]; p != nil {
		a, alpha, beta := p.In(b.h, func(y graph.Node) graph.Node { return b.to[y] })
		b.to[x] = b.h.MatVec(b.h.Const(a), beta, n.Len())
		if alpha != graph.None {
			b.to[x] = b.h.Map(graph.Add, n.Len(), alpha, b.to[x])
		}
		return
	}
	in := make([]graph.Node, len(n.In()))
	for i, y := range n.In() {
		in[i] = b.to[y]
	}
	b.to[x] = b.h.Remake(n, in)
}

// batch makes the product of a whole group when its first member comes up; constants
// depend on nothing, so the others may come early.
func (b *gemvBuilder) batch(y graph.Node) {
	if b.done[y] {
		return
	}
	if b.done == nil {
		b.done = map[graph.Node]bool{}
	}
	b.done[y] = true
	dots := b.groups[y]
	rows, cols := len(dots), b.old.Len(y)
	data := make([]float64, rows*cols)
	for i, x := range dots {
		c, _, _ := constantDot(b.old, b.old.At(x))
		for j, v := range b.old.At(c).Data {
			data[j*rows+i] = v
		}
	}
	product := b.h.MatVec(b.h.Const(data), b.to[y], rows)
	for i, x := range dots {
		b.to[x] = b.h.View(product, i, 1)
	}
}
