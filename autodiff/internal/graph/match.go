// Looking at how nodes are made.

package graph

import (
	"maps"
	"slices"
)

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

// Operands returns what an operation is applied to, elementwise; nil where x is none of that operation.
func (g *Graph) Operands(x Node, op *Op) []Node {
	if n := g.At(x); n.Kind == KindMap && n.Op == op {
		return n.In()
	}
	return nil
}

// Local reports whether a node is a part of the body of a loop.
func (g *Graph) Local(x Node) bool { return g.At(x).local }

// InputsOf returns the elements of the input, ascending, that some numbers depend on: at least all that their
// values can change with. It keeps elements apart through elementwise operations, views and gathers.
func (g *Graph) InputsOf(refs []Ref) []int32 {
	found, seen, stack := map[int32]bool{}, map[Ref]bool{}, slices.Clone(refs)
	for len(stack) > 0 {
		r := g.Resolve(stack[len(stack)-1])
		stack = stack[:len(stack)-1]
		n := g.At(r.Node)
		if n.N == 1 {
			r.Elem = 0
		}
		if seen[r] || !n.Active {
			continue
		}
		seen[r] = true
		if n.Kind == KindInput {
			found[r.Elem] = true
			continue
		}
		for _, x := range n.In() {
			if n.Kind == KindMap {
				stack = append(stack, g.element(x, r.Elem))
				continue
			}
			for e := range g.At(x).N {
				stack = append(stack, Ref{x, e})
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// element names element i of x, which stands for any of its elements where it has one alone.
func (g *Graph) element(x Node, i int32) Ref {
	if g.At(x).N == 1 {
		i = 0
	}
	return Ref{x, i}
}
