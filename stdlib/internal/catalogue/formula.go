// Formulas as nodes of the engine's graph.

package catalogue

import "github.com/seed-12b88e03/ppl/autodiff"

// Formula shortens the writing of scalar and vector formulas; every result has n
// elements, or one where all arguments have one.
type Formula struct{ G *autodiff.Graph }

func (b Formula) Length(x, y autodiff.Node) int { return max(b.G.Len(x), b.G.Len(y)) }

func (b Formula) Num(v float64) autodiff.Node { return b.G.Scalar(v) }

func (b Formula) Add(x, y autodiff.Node) autodiff.Node {
	return b.G.Map(autodiff.Add, b.Length(x, y), x, y)
}

func (b Formula) Sub(x, y autodiff.Node) autodiff.Node {
	return b.G.Map(autodiff.Sub, b.Length(x, y), x, y)
}

func (b Formula) Mul(x, y autodiff.Node) autodiff.Node {
	return b.G.Map(autodiff.Mul, b.Length(x, y), x, y)
}

func (b Formula) Div(x, y autodiff.Node) autodiff.Node {
	return b.G.Map(autodiff.Div, b.Length(x, y), x, y)
}

func (b Formula) Map1(op *autodiff.Op, x autodiff.Node) autodiff.Node {
	return b.G.Map(op, b.G.Len(x), x)
}

func (b Formula) Neg(x autodiff.Node) autodiff.Node { return b.Map1(autodiff.Neg, x) }

func (b Formula) Log(x autodiff.Node) autodiff.Node { return b.Map1(autodiff.Log, x) }

func (b Formula) Square(x autodiff.Node) autodiff.Node {
	return b.Map1(autodiff.Square, x)
}

func (b Formula) Inv(x autodiff.Node) autodiff.Node { return b.Map1(autodiff.Inv, x) }

func (b Formula) Log1m(x autodiff.Node) autodiff.Node {
	return b.Map1(autodiff.Log1p, b.Neg(x))
}
