// Lifting: what was done to numbers one by one, before they were put together to a vector,
// is done to the vector.

package graph

import "math"

// fewLifted is the least number of scalars for which a vector pays.
const fewLifted = 32

// lifted recognises a gather of one operation of many scalars, such as the scales of a
// recurrence in their squares: the operation is then one node and not many, its derivative,
// too, and the vector's algebra applies. What else uses the scalars computes them again.
// Among square roots there may be constants, which are those of their squares.
func (g *Graph) lifted(refs []Ref) (Node, bool) {
	if len(refs) < fewLifted || !g.Does(optLift) {
		return None, false
	}
	var op *Op
	inner := make([]Ref, len(refs))
	for i, r := range refs {
		n := g.At(g.Resolve(r).Node)
		if n.Kind == KindConst && n.N == 1 {
			c := n.Data[0]
			if inner[i].Node = g.Scalar(c * c); math.Sqrt(c*c) != c || op != nil && op != Sqrt {
				return None, false
			}
			continue
		}
		if !n.liftable() || op != nil && op != n.Op || i > 0 && op == nil && n.Op != Sqrt {
			return None, false
		}
		op, inner[i] = n.Op, Ref{Node: n.Few[0]}
	}
	if op == nil {
		return None, false
	}
	all := g.Gather(inner)
	if _, _, repeat := g.repeats(all); repeat { // done to each number once (distinct.go)
		return None, false
	}
	return g.Map(op, len(refs), all), true
}

// liftable reports whether a node is a core operation of one scalar. Signs are left where
// they are, to meet others.
func (n *NodeDef) liftable() bool {
	return n.Kind == KindMap && n.N == 1 && n.Count == 1 && n.Op.Code != CodeNone && n.Op != Neg
}
