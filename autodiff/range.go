// What is known of a node's range.

package autodiff

// NonNegative says whether no element of x is negative; it may be NaN.
func (g *Graph) NonNegative(x Node) bool { return g.at(x).nonneg }

// Probability says whether every element of x is known to lie between 0 and 1.
func (g *Graph) Probability(x Node) bool {
	n := g.at(x)
	switch {
	case n.kind == kindConst:
		for _, v := range n.data {
			if !(v >= 0 && v <= 1) {
				return false
			}
		}
		return true
	case n.kind == kindView:
		return g.Probability(n.in()[0])
	case n.kind != kindMap:
		return false
	}
	switch n.op {
	case InvLogit:
		return true
	case Mul:
		return g.Probability(n.in()[0]) && g.Probability(n.in()[1])
	case Square, Sqrt:
		return g.Probability(n.in()[0])
	case Sub: // 1 - p
		return g.isScalar(n.in()[0], 1) && g.Probability(n.in()[1])
	}
	return false
}
