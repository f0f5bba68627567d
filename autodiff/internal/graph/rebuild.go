// Making a graph anew, with some sets of its nodes made at once.

package graph

// A Rebuilder makes nodes in topological order: the order of their numbers, except where sets of nodes
// require another.
type Rebuilder struct {
	Made   func(x Node) bool
	Needs  func(x Node, visit func(Node)) // names what must be made before x
	Finish func(x Node)                   // makes x, and the set that it is in
	stack  []Node
}

// Make makes x, and first what that is made of.
func (r *Rebuilder) Make(x Node) {
	r.stack = append(r.stack[:0], x)
	for len(r.stack) > 0 {
		last := len(r.stack) - 1
		x := r.stack[last]
		if !r.Made(x) {
			r.Needs(x, func(y Node) {
				if !r.Made(y) {
					r.stack = append(r.stack, y)
				}
			})
			if len(r.stack) > last+1 {
				continue
			}
			r.Finish(x)
		}
		r.stack = r.stack[:last]
	}
}

// Remake makes a node of another graph again, of other inputs: anything but an input, runtime
// constants or a constant.
func (g *Graph) Remake(n *NodeDef, in []Node) Node {
	switch n.Kind {
	case KindMap:
		return g.Map(n.Op, n.Len(), in...)
	case KindView:
		return g.View(in[0], int(n.Off), n.Len())
	case KindSum:
		return g.Sum(in[0])
	case KindDot:
		return g.Dot(in[0], in[1])
	}
	return g.Add(n.WithAll(in))
}
