// Expansions of what becomes of a short vector: its greatest number, its length, its spread.

package lowering

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// mostJoined is the greatest length of a vector whose functions are expanded element by element where a call is slower.
const mostJoined = 8

// ofShort is an expansion of vectors of up to mostJoined numbers.
func ofShort(e Expander) Expander {
	return func(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
		if len(in[0].X) > mostJoined {
			return autodiff.None, false
		}
		return e(g, n, in)
	}
}

// expandExtreme is the greatest number of a vector, or the least: of equal ones the first counts, and NaN is beyond all.
func expandExtreme(op *autodiff.Op) Expander {
	return func(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
		if len(in) != 1 || n != 1 {
			return autodiff.None, false
		}
		x, ok := elementsOf(g, in[0])
		if !ok {
			return autodiff.None, false
		}
		return inPairs(x, func(x, y autodiff.Node) autodiff.Node { return g.Map(op, 1, x, y) }), true
	}
}

func expandProd(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	x, ok := elementsOf(g, in[0])
	if !ok {
		return autodiff.None, false
	}
	return inPairs(x, catalogue.Formula{G: g}.Mul), true
}

func expandNorm1(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	x, ok := elementsOf(g, in[0])
	if !ok {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	for i := range x {
		x[i] = b.Map1(absolute, x[i])
	}
	return inPairs(x, b.Add), true
}

// differences are those of two short vectors.
func differences(g *autodiff.Graph, in []Operand) ([]autodiff.Node, bool) {
	x, ok1 := elementsOf(g, in[0])
	y, ok2 := elementsOf(g, in[1])
	if !ok1 || !ok2 || len(x) != len(y) {
		return nil, false
	}
	b := catalogue.Formula{G: g}
	for i := range x {
		x[i] = b.Sub(x[i], y[i])
	}
	return x, true
}

func expandSquaredDistance(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	d, ok := differences(g, in)
	if !ok {
		return autodiff.None, false
	}
	return sumOfSquares(catalogue.Formula{G: g}, d), true
}

func sumOfSquares(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	for i := range x {
		x[i] = b.Square(x[i])
	}
	return inPairs(x, b.Add)
}

// lengthOf is the Euclidean length, where neither squares overflow nor their roots underflow.
func lengthOf(g *autodiff.Graph, x []autodiff.Node) autodiff.Node {
	b := catalogue.Formula{G: g}
	if len(x) == 1 {
		return b.Map1(absolute, x[0])
	}
	return inPairs(x, func(x, y autodiff.Node) autodiff.Node { return g.Map(hypotenuse, 1, x, y) })
}

// hypotenuse has no derivative at 0; 0 is a subgradient.
var hypotenuse = &autodiff.Op{Name: "hypotenuse", F2: libm.Hypot, D2: func(x, y, f float64) (dx, dy float64) {
	if f == 0 {
		return 0, 0
	}
	return x / f, y / f
}}

func expandNorm2(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	x, ok := elementsOf(g, in[0])
	if !ok {
		return autodiff.None, false
	}
	return lengthOf(g, x), true
}

func expandDistance(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	d, ok := differences(g, in)
	if !ok {
		return autodiff.None, false
	}
	return lengthOf(g, d), true
}

// expandVariance is the sum of squared deviations from the mean, divided by one less than their number, or the root of that.
func expandVariance(root bool) Expander {
	return func(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
		x, ok := elementsOf(g, in[0])
		if !ok || n != 1 || len(x) < 2 {
			return autodiff.None, false
		}
		b := catalogue.Formula{G: g}
		mean := b.Mul(inPairs(x, b.Add), b.Num(1/float64(len(x))))
		d := make([]autodiff.Node, len(x))
		for i, v := range x {
			d[i] = b.Sub(v, mean)
		}
		v := b.Mul(sumOfSquares(b, d), b.Num(1/float64(len(x)-1)))
		if root {
			v = b.Map1(flatRoot, v)
		}
		return v, true
	}
}

// flatRoot is the square root; its derivative at 0 is 0, a subgradient of what it is the root of.
var flatRoot = &autodiff.Op{Name: "flat_root", F1: math.Sqrt,
	D1: func(_, f float64) float64 {
		if f == 0 {
			return 0
		}
		return 0.5 / f
	}}
