// Formulas as nodes of the engine's graph.

package stdlib

import "github.com/seed-12b88e03/ppl/autodiff"

// formula shortens the writing of scalar and vector formulas; every result has n
// elements, or one where all arguments have one.
type formula struct{ g *autodiff.Graph }

func (b formula) length(x, y autodiff.Node) int { return max(b.g.Len(x), b.g.Len(y)) }

func (b formula) num(v float64) autodiff.Node { return b.g.Scalar(v) }

func (b formula) add(x, y autodiff.Node) autodiff.Node {
	return b.g.Map(autodiff.Add, b.length(x, y), x, y)
}

func (b formula) sub(x, y autodiff.Node) autodiff.Node {
	return b.g.Map(autodiff.Sub, b.length(x, y), x, y)
}

func (b formula) mul(x, y autodiff.Node) autodiff.Node {
	return b.g.Map(autodiff.Mul, b.length(x, y), x, y)
}

func (b formula) div(x, y autodiff.Node) autodiff.Node {
	return b.g.Map(autodiff.Div, b.length(x, y), x, y)
}

func (b formula) map1(op *autodiff.Op, x autodiff.Node) autodiff.Node {
	return b.g.Map(op, b.g.Len(x), x)
}

func (b formula) neg(x autodiff.Node) autodiff.Node { return b.map1(autodiff.Neg, x) }

func (b formula) log(x autodiff.Node) autodiff.Node { return b.map1(autodiff.Log, x) }

func (b formula) square(x autodiff.Node) autodiff.Node {
	return b.map1(autodiff.Square, x)
}

func (b formula) inv(x autodiff.Node) autodiff.Node { return b.map1(autodiff.Inv, x) }

func (b formula) log1m(x autodiff.Node) autodiff.Node {
	return b.map1(autodiff.Log1p, b.neg(x))
}
