// Work: about how many numbers a graph computes, for deciding what is worth dividing.

package graph

// A Worker is an Opaque that knows about how many arithmetic operations a call takes.
type Worker interface{ Work() int }

// Work is about how many elementary operations one evaluation of the graph's active
// nodes takes. It is a property of the graph, not of the machine that it runs on.
func (g *Graph) Work() int {
	work := 0
	for x := range Node(g.Size()) {
		n := g.At(x)
		if !n.Active {
			continue
		}
		cost := n.Len()
		switch n.Kind {
		case KindView, KindInput:
			cost = 0
		case KindSum, KindDot, KindMatVec, KindMatTVec, KindOpaque:
			for _, in := range n.In() {
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
func (n *NodeDef) worker() (Worker, bool) {
	if n.Kind != KindOpaque {
		return nil, false
	}
	w, ok := n.Fn.(Worker)
	return w, ok
}
