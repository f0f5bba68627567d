// What is known of a node's range.

package autodiff

import (
	"math"
	"slices"
)

// NonNegative reports whether no element of x is negative; it may be NaN.
func (g *Graph) NonNegative(x Node) bool { return g.at(x).nonneg }

// Probability reports whether every element of x is known to lie between 0 and 1.
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

// Bounds reports whether it is known that no element of x is below low, and that none is above
// high; it may be NaN all the same.
func (g *Graph) Bounds(x Node, low, high float64) (notBelow, notAbove bool) {
	n := g.at(x)
	switch n.kind {
	case kindConst:
		return !slices.ContainsFunc(n.data, func(v float64) bool { return v < low }),
			!slices.ContainsFunc(n.data, func(v float64) bool { return v > high })
	case kindView, kindGather:
		notBelow, notAbove = true, true
		for _, y := range n.in() {
			b, a := g.Bounds(y, low, high)
			notBelow, notAbove = notBelow && b, notAbove && a
		}
		return notBelow, notAbove
	}
	p := low <= 0 && high >= 1 && g.Probability(x)
	return p || low <= 0 && n.nonneg || math.IsInf(low, -1), p || math.IsInf(high, 1)
}

// Exponent returns what x is the exponential of, where it is one, also as a part or a
// collection of exponentials.
func (g *Graph) Exponent(x Node) (u Node, ok bool) {
	switch n := g.at(x); {
	case n.kind == kindMap && n.op == Exp:
		return n.in()[0], g.fits(n.in()[0], n.len())
	case n.kind == kindView:
		if u, ok := g.Exponent(n.in()[0]); ok {
			return g.View(u, int(n.off), n.len()), true
		}
	case n.kind == kindGather:
		return g.regathered(n, g.Exponent)
	}
	return None, false
}

// FromExponent reports whether x is made of exponentials by operations that logarithms take
// off again.
func (g *Graph) FromExponent(x Node) bool {
	switch n := g.at(x); {
	case n.kind == kindMap && n.op == Exp:
		return true
	case n.kind == kindMap && (n.op == Sqrt || n.op == Inv), n.kind == kindView, n.kind == kindGather:
		return slices.ContainsFunc(n.in(), g.FromExponent)
	}
	return false
}
