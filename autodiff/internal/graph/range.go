// What is known of a node's range.

package graph

import (
	"math"
	"slices"
)

// NonNegative reports whether no element of x is negative; it may be NaN.
func (g *Graph) NonNegative(x Node) bool { return g.At(x).Nonneg }

// Probability reports whether every element of x is known to lie between 0 and 1.
func (g *Graph) Probability(x Node) bool {
	n := g.At(x)
	switch {
	case n.Kind == KindConst:
		for _, v := range n.Data {
			if !(v >= 0 && v <= 1) {
				return false
			}
		}
		return true
	case n.Kind == KindView:
		return g.Probability(n.In()[0])
	case n.Kind != KindMap:
		return false
	}
	switch n.Op {
	case InvLogit:
		return true
	case Mul:
		return g.Probability(n.In()[0]) && g.Probability(n.In()[1])
	case Square, Sqrt:
		return g.Probability(n.In()[0])
	case Sub: // 1 - p
		return g.isScalar(n.In()[0], 1) && g.Probability(n.In()[1])
	}
	return false
}

// Bounds reports whether it is known that no element of x is below low, and that none is above
// high; it may be NaN all the same.
func (g *Graph) Bounds(x Node, low, high float64) (notBelow, notAbove bool) {
	n := g.At(x)
	switch n.Kind {
	case KindConst:
		return !slices.ContainsFunc(n.Data, func(v float64) bool { return v < low }),
			!slices.ContainsFunc(n.Data, func(v float64) bool { return v > high })
	case KindView, KindGather:
		notBelow, notAbove = true, true
		for _, y := range n.In() {
			b, a := g.Bounds(y, low, high)
			notBelow, notAbove = notBelow && b, notAbove && a
		}
		return notBelow, notAbove
	}
	p := low <= 0 && high >= 1 && g.Probability(x)
	return p || low <= 0 && n.Nonneg || math.IsInf(low, -1), p || math.IsInf(high, 1)
}

// Exponent returns what x is the exponential of, where it is one, also as a part or a
// collection of exponentials.
func (g *Graph) Exponent(x Node) (u Node, ok bool) {
	switch n := g.At(x); {
	case n.Kind == KindMap && n.Op == Exp:
		return n.In()[0], g.fits(n.In()[0], n.Len())
	case n.Kind == KindView:
		if u, ok := g.Exponent(n.In()[0]); ok {
			return g.View(u, int(n.Off), n.Len()), true
		}
	case n.Kind == KindGather:
		return g.regathered(n, g.Exponent)
	}
	return None, false
}

// FromExponent reports whether x is made of exponentials by operations that logarithms take
// off again.
func (g *Graph) FromExponent(x Node) bool {
	switch n := g.At(x); {
	case n.Kind == KindMap && n.Op == Exp:
		return true
	case n.Kind == KindMap && (n.Op == Sqrt || n.Op == Inv), n.Kind == KindView, n.Kind == KindGather:
		return slices.ContainsFunc(n.In(), g.FromExponent)
	}
	return false
}
