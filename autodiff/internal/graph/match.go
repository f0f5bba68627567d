// Looking at how nodes are made.

package graph

import "slices"

// Applies reports whether x is an operation applied to these nodes, with nothing simplified.
func (g *Graph) Applies(x Node, op *Op, in []Node) bool {
	n := g.At(x)
	return n.Kind == KindMap && n.Op == op && slices.Equal(n.In(), in)
}

// Copied returns the nodes that x is copied from, where it is a part or a collection of others.
func (g *Graph) Copied(x Node) (from []Node, ok bool) {
	n := g.At(x)
	if n.Kind != KindView && n.Kind != KindGather {
		return nil, false
	}
	return n.In(), true
}

// Supplied reports whether a node is not computed: constants, the input and runtime constants.
func (g *Graph) Supplied(x Node) bool {
	switch g.At(x).Kind {
	case KindConst, KindInput, KindRuntimeConst:
		return true
	}
	return false
}
