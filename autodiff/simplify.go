// Elementwise and reducing constructors, with constant folding and algebra.

package autodiff

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
	if n > 1 && n <= short && g.does(optElements) && g.gathered(in) {
		return g.mapByElement(op, n, in)
	}
	return g.share(node{kind: kindMap, op: op, n: int32(n)}.with(in...))
}

// short is the greatest length of a vector that is taken apart into scalars where
// its elements were computed as scalars: they then run together with others.
const short = 8

// gathered reports whether an input was put together from scalars.
func (g *Graph) gathered(in []Node) bool {
	for _, x := range in {
		n := g.at(x)
		if n.kind != kindGather {
			continue
		}
		for _, y := range n.in() {
			if k := g.at(y).kind; g.at(y).n == 1 && k == kindMap {
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
		if g.at(x).kind != kindConst {
			return None, false
		}
	}
	out := make([]float64, n)
	args := make([][]float64, len(in))
	for k, x := range in {
		args[k] = g.at(x).data
	}
	applyOp(op, out, args)
	return g.Const(out), true
}

// applyOp evaluates an op on slices of len(out) or length 1.
func applyOp(op *Op, out []float64, in [][]float64) {
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
func (g *Graph) fits(x Node, n int) bool { return g.at(x).len() == n }

// algebra rewrites what has a simpler equal.
func (g *Graph) algebra(op *Op, n int, in []Node) (Node, bool) {
	switch {
	case op == Div && !g.does(optReciprocals), op != Div && op.Arity() > 1 && !g.does(optAlgebra):
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
		if c, ok := g.scalarValue(in[1]); ok && math.Abs(libm.Log2(math.Abs(c))) < 900 {
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
	case g.at(y).op == Neg:
		return g.Map(Sub, n, x, g.at(y).in()[0]), true
	case g.at(x).op == Neg:
		return g.Map(Sub, n, y, g.at(x).in()[0]), true
	}
	return None, false
}

func (g *Graph) subRules(n int, x, y Node) (Node, bool) {
	switch {
	case g.isScalar(y, 0) && g.fits(x, n):
		return x, true
	case g.isScalar(x, 0) && g.fits(y, n):
		return g.Map(Neg, n, y), true
	case g.at(y).op == Neg:
		return g.Map(Add, n, x, g.at(y).in()[0]), true
	}
	return None, false
}

func (g *Graph) mulRules(n int, x, y Node) (Node, bool) {
	if x == y {
		return g.Map(Square, n, x), true
	}
	if _, ok := g.scalarValue(y); ok {
		x, y = y, x
	}
	c, ok := g.scalarValue(x)
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
	inner := g.at(y)
	switch inner.op {
	case Neg:
		return g.Map(Mul, n, g.Scalar(-c), inner.in()[0]), true
	case Mul:
		for k := range 2 {
			if d, ok := g.scalarValue(inner.in()[k]); ok {
				return g.Map(Mul, n, g.Scalar(c*d), inner.in()[1-k]), true
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
		if v := g.at(x); v.op == Neg && v.kind == kindMap {
			return g.Map(Neg, n, g.Map(Mul, n, v.in()[0], y)), true
		}
		x, y = y, x
	}
	return None, false
}

func (g *Graph) unaryRules(op *Op, n int, in []Node) (Node, bool) {
	inner := g.at(in[0])
	if inner.kind != kindMap || len(inner.in()) != 1 || !g.does(ruleOf(op, inner.op)) {
		return None, false
	}
	x := inner.in()[0]
	switch {
	case op == Neg && inner.op == Neg,
		op == Log && inner.op == Exp,
		op == Inv && inner.op == Inv:
		return x, g.fits(x, n)
	case op == Square && inner.op == Sqrt:
		// Equal where the root exists; where it does not, the value is NaN before
		// and must stay so, which the domain checks of what uses it see to.
		return x, g.fits(x, n) && g.at(x).nonneg
	case op == Square && inner.op == Neg:
		return g.Map(Square, n, x), true
	case op == Log && inner.op == Sqrt:
		return g.Map(Mul, n, g.Scalar(0.5), g.Map(Log, n, x)), true
	case op == Log && inner.op == Inv:
		return g.Map(Neg, n, g.Map(Log, n, x)), g.at(x).nonneg
	case op == Inv && inner.op == Exp:
		return g.Map(Exp, n, g.Map(Neg, n, x)), true
	}
	return None, false
}

// ruleOf is the optimisation that may simplify op of inner.
func ruleOf(op, inner *Op) switches {
	switch {
	case op == Square && inner == Sqrt:
		return optRoots
	case op == Log || inner == Exp:
		return optLogs
	}
	return optAlgebra
}

// nonNegative reports whether a node is known to have no negative element.
func (g *Graph) nonNegative(n *node) bool {
	switch {
	case n.kind == kindConst:
		for _, v := range n.data {
			if !(v >= 0) {
				return false
			}
		}
		return true
	case n.kind == kindView, n.kind == kindGather:
		return !slices.ContainsFunc(n.in(), func(x Node) bool { return !g.at(x).nonneg })
	case n.kind != kindMap:
		return false
	}
	first := g.at(n.in()[0])
	switch n.op {
	case Exp, Square, Sqrt, InvLogit, Log1pExp:
		return true
	case Add, Mul:
		return first.nonneg && g.at(n.in()[1]).nonneg
	case Sub: // 1 - p
		return g.isScalar(n.in()[0], 1) && g.at(n.in()[1]).op == InvLogit
	case Inv:
		return first.nonneg
	}
	return false
}

// SplitConstant takes a scalar apart into a node and a number that add up to it, so
// that the constants of many terms are added once and for all.
func (g *Graph) SplitConstant(x Node) (Node, float64) {
	total := 0.0
	for {
		n := g.at(x)
		if n.kind != kindMap || n.n != 1 || n.op != Add && n.op != Sub {
			return x, total
		}
		if c, ok := g.scalarValue(n.in()[1]); ok {
			if n.op == Sub {
				c = -c
			}
			x, total = n.in()[0], total+c
			continue
		}
		c, ok := g.scalarValue(n.in()[0])
		if !ok || n.op == Sub {
			return x, total
		}
		x, total = n.in()[1], total+c
	}
}

// Sum is the sum of all elements of x.
func (g *Graph) Sum(x Node) Node {
	n := g.at(x)
	switch {
	case n.n == 1:
		return x
	case n.n == 0:
		return g.Scalar(0)
	case n.kind == kindConst:
		return g.Scalar(vec.Sum(n.data))
	}
	if n.kind == kindMap && g.does(optSums) {
		if y, ok := g.sumOfMap(n); ok {
			return y
		}
	}
	return g.share(node{kind: kindSum, n: 1}.with(x))
}

// sumOfMap moves scalars out of a sum and turns sums of products into dot products.
func (g *Graph) sumOfMap(n *node) (Node, bool) {
	switch n.op {
	case Mul:
		x, y := n.in()[0], n.in()[1]
		switch {
		case g.at(x).n == 1:
			return g.Map(Mul, 1, x, g.Sum(y)), true
		case g.at(y).n == 1:
			return g.Map(Mul, 1, y, g.Sum(x)), true
		}
		return g.Dot(x, y), true
	case Square:
		return g.Dot(n.in()[0], n.in()[0]), true
	case Neg:
		return g.Map(Neg, 1, g.Sum(n.in()[0])), true
	case Add, Sub:
		for _, x := range n.in() {
			if g.at(x).kind == kindConst || g.at(x).n == 1 {
				return g.Map(n.op, 1, g.sumOver(n.in()[0], n.len()), g.sumOver(n.in()[1], n.len())), true
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
	n := g.at(x)
	if n.kind != kindMap || n.op != Mul || !g.does(optRoots) {
		return None, None, false
	}
	for k := range 2 {
		inv := g.at(n.few[k])
		if inv.kind != kindMap || inv.op != Inv {
			continue
		}
		root := g.at(inv.few[0])
		if root.kind == kindMap && root.op == Sqrt && root.n == n.n && g.at(root.few[0]).nonneg && g.Len(n.few[1-k]) == n.len() {
			return n.few[1-k], root.few[0], true
		}
	}
	return None, None, false
}

// Dot is the sum of products of two nodes of equal length (or a scalar one).
func (g *Graph) Dot(x, y Node) Node {
	a, b := g.at(x), g.at(y)
	if a.n == 1 || b.n == 1 {
		return g.Map(Mul, 1, g.Sum(x), g.Sum(y))
	}
	for range 2 {
		if v := g.at(x); v.op == Neg && v.kind == kindMap && g.does(optSums) {
			return g.Map(Neg, 1, g.Dot(v.in()[0], y))
		}
		x, y = y, x
	}
	if a.kind == kindConst && b.kind == kindConst {
		return g.Scalar(vec.Dot(a.data, b.data))
	}
	if z, v, ok := g.overRoot(x); ok && x == y {
		return g.Dot(g.Map(Square, g.Len(z), z), g.Map(Inv, g.Len(v), v))
	}
	return g.share(node{kind: kindDot, n: 1}.with(x, y))
}
