// Sums taken apart.

package graph

// Summands splits a scalar into summands: nodes of more than one element, whose elements are added, and
// scalars. Constant factors are carried along. A scalar for which whole is true is not split, nor is a sum
// over a node for which apart is false (for a dot product, None).
func (g *Graph) Summands(x Node, whole, apart func(Node) bool) (vectors, scalars []Node) {
	g.summands(x, 1, whole, apart, func(y Node, factor float64) {
		n := g.Len(y)
		if factor != 1 {
			y = g.Map(Mul, n, g.Scalar(factor), y)
		}
		if n > 1 {
			vectors = append(vectors, y)
		} else {
			scalars = append(scalars, y)
		}
	})
	return vectors, scalars
}

func (g *Graph) summands(x Node, factor float64, whole, apart func(Node) bool, emit func(Node, float64)) {
	for {
		n := g.At(x)
		switch {
		case whole(x):
		case n.Kind == KindView:
			if r := g.Resolve(Ref{Node: x}); g.Len(r.Node) == 1 {
				x = r.Node
				continue
			}
		case n.Kind == KindSum && apart(n.In()[0]):
			emit(n.In()[0], factor)
			return
		case n.Kind == KindDot && apart(None):
			emit(g.Map(Mul, g.Len(n.In()[0]), n.In()[0], n.In()[1]), factor)
			return
		case n.Kind == KindMap:
			switch n.Op {
			case Add, Sub:
				g.summands(n.In()[0], factor, whole, apart, emit)
				if x = n.In()[1]; n.Op == Sub {
					factor = -factor
				}
				continue
			case Neg:
				x, factor = n.In()[0], -factor
				continue
			case Mul:
				if c, y, ok := g.constantFactor(n); ok {
					x, factor = y, factor*c
					continue
				}
			}
		}
		emit(x, factor)
		return
	}
}

// constantFactor takes a product of scalars apart, one of which is a constant.
func (g *Graph) constantFactor(n *NodeDef) (c float64, x Node, ok bool) {
	for k, in := range n.In() {
		if c, ok := g.ScalarValue(in); ok {
			return c, n.In()[1-k], true
		}
	}
	return 0, None, false
}
