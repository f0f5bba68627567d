// Looking at how nodes are made.

package autodiff

import "slices"

// Applies reports whether x is an operation applied to these nodes, with nothing simplified.
func (g *Graph) Applies(x Node, op *Op, in []Node) bool {
	n := g.at(x)
	return n.kind == kindMap && n.op == op && slices.Equal(n.in(), in)
}

// Copied returns the nodes that x is copied from, where it is a part or a collection of others.
func (g *Graph) Copied(x Node) (from []Node, ok bool) {
	n := g.at(x)
	if n.kind != kindView && n.kind != kindGather {
		return nil, false
	}
	return n.in(), true
}

// Supplied reports whether a node is not computed: constants, the input and runtime constants.
func (g *Graph) Supplied(x Node) bool {
	switch g.at(x).kind {
	case kindConst, kindInput, kindRuntimeConst:
		return true
	}
	return false
}
