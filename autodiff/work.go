// Work: about how many numbers a graph computes, for deciding what is worth dividing.

package autodiff

// A Worker is an Opaque that knows about how many arithmetic operations a call takes.
type Worker interface{ Work() int }

// Work is about how many elementary operations one evaluation of the graph's active
// nodes takes. It is a property of the graph, not of the machine that it runs on.
func (g *Graph) Work() int {
	work := 0
	for x := range Node(g.Size()) {
		n := g.at(x)
		if !n.active {
			continue
		}
		cost := n.len()
		switch n.kind {
		case kindView, kindInput:
			cost = 0
		case kindSum, kindDot, kindMatVec, kindMatTVec, kindOpaque:
			for _, in := range n.in() {
				cost += g.Len(in)
			}
		}
		if w, ok := n.worker(); ok {
			cost += w.Work()
		}
		work += cost
	}
	return work
}

// worker is the node's function, where that knows its cost.
func (n *node) worker() (Worker, bool) {
	if n.kind != kindOpaque {
		return nil, false
	}
	w, ok := n.fn.(Worker)
	return w, ok
}
