// Making a graph anew, with some sets of its nodes made at once.

package autodiff

// A rebuilder makes nodes in an order in which everything is made after what it is made of.
// That is the order of their numbers but for what sets need.
type rebuilder struct {
	made   func(x Node) bool
	needs  func(x Node, visit func(Node)) // names what must be made before x
	finish func(x Node)                   // makes x, and the set that it is in
	stack  []Node
}

// make makes x, and first what that is made of.
func (r *rebuilder) make(x Node) {
	r.stack = append(r.stack[:0], x)
	for len(r.stack) > 0 {
		last := len(r.stack) - 1
		x := r.stack[last]
		if !r.made(x) {
			r.needs(x, func(y Node) {
				if !r.made(y) {
					r.stack = append(r.stack, y)
				}
			})
			if len(r.stack) > last+1 {
				continue
			}
			r.finish(x)
		}
		r.stack = r.stack[:last]
	}
}

// remake makes a node of another graph again, of other inputs: anything but an input, runtime
// constants or a constant.
func (g *Graph) remake(n *node, in []Node) Node {
	switch n.kind {
	case kindMap:
		return g.Map(n.op, n.len(), in...)
	case kindView:
		return g.View(in[0], int(n.off), n.len())
	case kindSum:
		return g.Sum(in[0])
	case kindDot:
		return g.Dot(in[0], in[1])
	}
	return g.add(n.withAll(in))
}
