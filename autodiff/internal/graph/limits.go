// Where simplified expressions hold.
//
// log(exp(x)) is x only where exp(x) neither overflows nor loses digits: the reference
// interpreter has an infinity at x = 800. A graph notes where it relied on that, and its
// programs check it: beyond the limits a program fails with a CheckError, and whoever runs
// it asks the reference interpreter, so that both have the same values. Limits of the input,
// which most are, take no instruction (codegen).

package graph

// A limit is the interval of x in which a simplified result holds.
type limit struct {
	x, result Node
	low, high float64
}

// Bounds of arguments for which exp(x), and those for which 1/x, are normal numbers.
const (
	leastExp, mostExp         = -708, 708
	leastInverse, mostInverse = 0x1p-1021, 0x1p1021
)

// Limited returns the result of a simplification that holds for x in [low, high], and notes that interval.
// The result is None where the interval cannot be checked, since placeholders have no value.
func (g *Graph) Limited(x Node, low, high float64, result func() Node) (Node, bool) {
	n := g.At(x)
	if n.local {
		return None, false
	}
	if n.Kind == KindConst {
		for _, v := range n.Data {
			if !(v >= low && v <= high) {
				return None, false
			}
		}
		return result(), true
	}
	l := limit{x, result(), low, high}
	if !g.limitOf[l] {
		if g.limitOf == nil {
			g.limitOf = map[limit]bool{}
		}
		g.limitOf[l], g.limits = true, append(g.limits, l)
	}
	return l.result, true
}

// WithLimits adds the limits of simplified results that the nodes are made of to a list of effects.
func (g *Graph) WithLimits(roots, effects []Node) []Node {
	if len(g.limits) == 0 {
		return effects
	}
	live := g.Ancestors(append(append([]Node(nil), roots...), effects...)...)
	effects = append([]Node(nil), effects...)
	for _, l := range g.limits {
		if live[l.result] {
			effects = append(effects, g.Check(l.x, l.low, l.high))
		}
	}
	return effects
}
