// Elementwise and reducing constructors, with constant folding and algebra.

package graph

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// Map applies op elementwise to nodes of length n or 1; the result has length n.
func (g *Graph) Map(op *Op, n int, in ...Node) Node {
	if x, ok := g.foldMap(op, n, in); ok {
		return x
	}
	if x, ok := g.algebra(op, n, in); ok {
		return x
	}
	if x, ok := g.mapDistinct(op, n, in); ok {
		return x
	}
	if n > 1 && n <= short && g.Does(optElements) && g.gathered(in) {
		return g.mapByElement(op, n, in)
	}
	return g.share(NodeDef{Kind: KindMap, Op: op, N: int32(n)}.with(in...))
}

// short is the greatest length of a vector that is taken apart into scalars where
// its elements were computed as scalars: they then run together with others.
const short = 8

// gathered reports whether an input was put together from scalars.
func (g *Graph) gathered(in []Node) bool {
	for _, x := range in {
		n := g.At(x)
		if n.Kind != KindGather {
			continue
		}
		for _, y := range n.In() {
			if k := g.At(y).Kind; g.At(y).N == 1 && k == KindMap {
				return true
			}
		}
	}
	return false
}

// mapByElement applies op to each element and gathers the results.
func (g *Graph) mapByElement(op *Op, n int, in []Node) Node {
	refs := make([]Ref, n)
	args := make([]Node, len(in))
	for i := range refs {
		for k, x := range in {
			args[k] = g.Elem(x, i)
		}
		refs[i] = Ref{Node: g.Map(op, 1, args...)}
	}
	return g.Gather(refs)
}

// foldMap evaluates an op whose arguments are all constant.
func (g *Graph) foldMap(op *Op, n int, in []Node) (Node, bool) {
	for _, x := range in {
		if g.At(x).Kind != KindConst {
			return None, false
		}
	}
	out := make([]float64, n)
	args := make([][]float64, len(in))
	for k, x := range in {
		args[k] = g.At(x).Data
	}
	ApplyOp(op, out, args)
	return g.Const(out), true
}

// ApplyOp evaluates an op on slices of len(out) or length 1.
func ApplyOp(op *Op, out []float64, in [][]float64) {
	at := func(k, i int) float64 {
		if len(in[k]) == 1 {
			return in[k][0]
		}
		return in[k][i]
	}
	for i := range out {
		switch {
		case op.F1 != nil:
			out[i] = op.F1(at(0, i))
		case op.F2 != nil:
			out[i] = op.F2(at(0, i), at(1, i))
		default:
			out[i] = op.F3(at(0, i), at(1, i), at(2, i))
		}
	}
}

// fits reports whether x may stand for a result of length n.
func (g *Graph) fits(x Node, n int) bool { return g.At(x).Len() == n }

// algebra replaces an operation by a simpler equal one.
func (g *Graph) algebra(op *Op, n int, in []Node) (Node, bool) {
	switch {
	case op == Div && !g.Does(optReciprocals), op != Div && op.Arity() > 1 && !g.Does(optAlgebra):
		return None, false
	}
	switch op {
	case Add:
		return g.addRules(n, in[0], in[1])
	case Sub:
		return g.subRules(n, in[0], in[1])
	case Mul:
		return g.mulRules(n, in[0], in[1])
	case Div:
		if c, ok := g.ScalarValue(in[1]); ok && math.Abs(libm.Log2(math.Abs(c))) < 900 {
			return g.Map(Mul, n, in[0], g.Scalar(1/c)), true
		}
		// One reciprocal serves the value and both partial derivatives.
		return g.Map(Mul, n, in[0], g.Map(Inv, g.Len(in[1]), in[1])), true
	}
	return g.unaryRules(op, n, in)
}

func (g *Graph) addRules(n int, x, y Node) (Node, bool) {
	switch {
	case g.isScalar(x, 0) && g.fits(y, n):
		return y, true
	case g.isScalar(y, 0) && g.fits(x, n):
		return x, true
	case g.At(y).Op == Neg:
		return g.Map(Sub, n, x, g.At(y).In()[0]), true
	case g.At(x).Op == Neg:
		return g.Map(Sub, n, y, g.At(x).In()[0]), true
	}
	return None, false
}

func (g *Graph) subRules(n int, x, y Node) (Node, bool) {
	switch {
	case g.isScalar(y, 0) && g.fits(x, n):
		return x, true
	case g.isScalar(x, 0) && g.fits(y, n):
		return g.Map(Neg, n, y), true
	case g.At(y).Op == Neg:
		return g.Map(Add, n, x, g.At(y).In()[0]), true
	}
	return None, false
}

func (g *Graph) mulRules(n int, x, y Node) (Node, bool) {
	if x == y {
		return g.Map(Square, n, x), true
	}
	if _, ok := g.ScalarValue(y); ok {
		x, y = y, x
	}
	c, ok := g.ScalarValue(x)
	if !ok {
		return g.mulNeg(n, x, y)
	}
	switch {
	case c == 1 && g.fits(y, n):
		return y, true
	case c == -1 && g.fits(y, n):
		return g.Map(Neg, n, y), true
	case c == 0 && n == 1:
		return g.Scalar(0), true
	}
	// c*(d*z) is (c*d)*z, and c*(-z) is (-c)*z.
	inner := g.At(y)
	switch inner.Op {
	case Neg:
		return g.Map(Mul, n, g.Scalar(-c), inner.In()[0]), true
	case Mul:
		for k := range 2 {
			if d, ok := g.ScalarValue(inner.In()[k]); ok {
				return g.Map(Mul, n, g.Scalar(c*d), inner.In()[1-k]), true
			}
		}
	}
	return None, false
}

// mulNeg moves a sign out of a product of vectors, where it may meet another one.
// Among scalars products with both signs are common and better shared as they are.
func (g *Graph) mulNeg(n int, x, y Node) (Node, bool) {
	for range 2 {
		if n == 1 {
			break
		}
		if v := g.At(x); v.Op == Neg && v.Kind == KindMap {
			return g.Map(Neg, n, g.Map(Mul, n, v.In()[0], y)), true
		}
		x, y = y, x
	}
	return None, false
}

func (g *Graph) unaryRules(op *Op, n int, in []Node) (Node, bool) {
	inner := g.At(in[0])
	if op == Log && (inner.Kind == KindGather || inner.Kind == KindView) && g.Does(optLogs) && n <= g.Len(inner.In()[0]) { // others repeat elements
		x, ok := g.Exponent(in[0])
		if !ok || !g.fits(x, n) {
			return None, false
		}
		return g.Limited(x, leastExp, mostExp, func() Node { return x })
	}
	if inner.Kind != KindMap || len(inner.In()) != 1 || !g.Does(ruleOf(op, inner.Op)) {
		return None, false
	}
	x := inner.In()[0]
	switch {
	case op == Neg && inner.Op == Neg:
		return x, g.fits(x, n)
	case op == Log && inner.Op == Exp && g.fits(x, n):
		return g.Limited(x, leastExp, mostExp, func() Node { return x })
	case op == Inv && inner.Op == Inv && g.fits(x, n) && g.At(x).Nonneg:
		return g.Limited(x, leastInverse, mostInverse, func() Node { return x })
	case op == Square && inner.Op == Sqrt:
		// Equal where the root exists; where it does not, the value is NaN before
		// and must stay so, which the domain checks of what uses it see to.
		return x, g.fits(x, n) && g.At(x).Nonneg
	case op == Square && inner.Op == Neg:
		return g.Map(Square, n, x), true
	case op == Log && inner.Op == Sqrt:
		return g.Map(Mul, n, g.Scalar(0.5), g.Map(Log, n, x)), true
	case op == Log && inner.Op == Inv && g.At(x).Nonneg:
		return g.Limited(x, leastInverse, mostInverse, func() Node { return g.Map(Neg, n, g.Map(Log, n, x)) })
	case op == Inv && inner.Op == Exp:
		return g.Limited(x, leastExp, mostExp, func() Node { return g.Map(Exp, n, g.Map(Neg, n, x)) })
	}
	return None, false
}

// ruleOf is the optimisation that may simplify op of inner.
func ruleOf(op, inner *Op) Switches {
	switch {
	case op == Square && inner == Sqrt:
		return OptRoots
	case op == Log || inner == Exp:
		return optLogs
	}
	return optAlgebra
}

// nonNegative reports whether a node is known to have no negative element.
func (g *Graph) nonNegative(n *NodeDef) bool {
	switch {
	case n.Kind == KindConst:
		for _, v := range n.Data {
			if !(v >= 0) {
				return false
			}
		}
		return true
	case n.Kind == KindView, n.Kind == KindGather:
		return !slices.ContainsFunc(n.In(), func(x Node) bool { return !g.At(x).Nonneg })
	case n.Kind != KindMap:
		return false
	}
	first := g.At(n.In()[0])
	switch n.Op {
	case Exp, Square, Sqrt, InvLogit, Log1pExp:
		return true
	case Add, Mul:
		return first.Nonneg && g.At(n.In()[1]).Nonneg
	case Sub: // 1 - p
		return g.isScalar(n.In()[0], 1) && g.At(n.In()[1]).Op == InvLogit
	case Inv:
		return first.Nonneg
	}
	return false
}

// SplitConstant takes a scalar apart into a node and a number that add up to it, so
// that the constants of many terms are added once and for all.
func (g *Graph) SplitConstant(x Node) (Node, float64) {
	total := 0.0
	for {
		n := g.At(x)
		if n.Kind != KindMap || n.N != 1 || n.Op != Add && n.Op != Sub {
			return x, total
		}
		if c, ok := g.ScalarValue(n.In()[1]); ok {
			if n.Op == Sub {
				c = -c
			}
			x, total = n.In()[0], total+c
			continue
		}
		c, ok := g.ScalarValue(n.In()[0])
		if !ok || n.Op == Sub {
			return x, total
		}
		x, total = n.In()[1], total+c
	}
}

// Sum is the sum of all elements of x.
func (g *Graph) Sum(x Node) Node {
	n := g.At(x)
	switch {
	case n.N == 1:
		return x
	case n.N == 0:
		return g.Scalar(0)
	case n.Kind == KindConst:
		return g.Scalar(vec.Sum(n.Data))
	}
	if y, ok := g.sumDistinct(x); ok {
		return y
	}
	if n.Kind == KindMap && g.Does(optSums) {
		if y, ok := g.sumOfMap(n); ok {
			return y
		}
	}
	return g.share(NodeDef{Kind: KindSum, N: 1}.with(x))
}

// sumOfMap moves scalars out of a sum and turns sums of products into dot products.
func (g *Graph) sumOfMap(n *NodeDef) (Node, bool) {
	switch n.Op {
	case Mul:
		x, y := n.In()[0], n.In()[1]
		switch {
		case g.At(x).N == 1:
			return g.Map(Mul, 1, x, g.Sum(y)), true
		case g.At(y).N == 1:
			return g.Map(Mul, 1, y, g.Sum(x)), true
		}
		return g.Dot(x, y), true
	case Square:
		return g.Dot(n.In()[0], n.In()[0]), true
	case Neg:
		return g.Map(Neg, 1, g.Sum(n.In()[0])), true
	case Add, Sub:
		for _, x := range n.In() {
			if g.At(x).Kind == KindConst || g.At(x).N == 1 {
				return g.Map(n.Op, 1, g.sumOver(n.In()[0], n.Len()), g.sumOver(n.In()[1], n.Len())), true
			}
		}
	}
	return None, false
}

// sumOver is the sum of n elements of x, which may be a scalar that counts n times.
func (g *Graph) sumOver(x Node, n int) Node {
	if g.Len(x) == n {
		return g.Sum(x)
	}
	return g.Map(Mul, 1, g.Scalar(float64(n)), x)
}

// overRoot takes a vector z/sqrt(v) apart, whose square needs no root; v is a vector, too.
func (g *Graph) overRoot(x Node) (z, v Node, ok bool) {
	n := g.At(x)
	if n.Kind != KindMap || n.Op != Mul || !g.Does(OptRoots) {
		return None, None, false
	}
	for k := range 2 {
		inv := g.At(n.Few[k])
		if inv.Kind != KindMap || inv.Op != Inv {
			continue
		}
		root := g.At(inv.Few[0])
		if root.Kind == KindMap && root.Op == Sqrt && root.N == n.N && g.At(root.Few[0]).Nonneg && g.Len(n.Few[1-k]) == n.Len() {
			return n.Few[1-k], root.Few[0], true
		}
	}
	return None, None, false
}

// Dot is the sum of products of two nodes of equal length (or a scalar one).
func (g *Graph) Dot(x, y Node) Node {
	a, b := g.At(x), g.At(y)
	if a.N == 1 || b.N == 1 {
		return g.Map(Mul, 1, g.Sum(x), g.Sum(y))
	}
	for range 2 {
		if v := g.At(x); v.Op == Neg && v.Kind == KindMap && g.Does(optSums) {
			return g.Map(Neg, 1, g.Dot(v.In()[0], y))
		}
		x, y = y, x
	}
	if a.Kind == KindConst && b.Kind == KindConst {
		return g.Scalar(vec.Dot(a.Data, b.Data))
	}
	if z, v, ok := g.overRoot(x); ok && x == y {
		return g.Dot(g.Map(Square, g.Len(z), z), g.Map(Inv, g.Len(v), v))
	}
	return g.share(NodeDef{Kind: KindDot, N: 1}.with(x, y))
}
