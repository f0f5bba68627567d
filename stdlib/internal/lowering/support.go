// Densities whose support depends on parameters.

package lowering

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// inSupport is 0 where its argument is at least 0, and -Inf where it is less.
var inSupport = &autodiff.Op{Name: "in_support",
	F1: supported,
	D1: func(_, _ float64) float64 { return 0 },
	Vector: func(dst, x []float64) {
		for i := range dst {
			dst[i] = supported(x[i])
		}
	},
	Slope: func(g *autodiff.Graph, _, _ autodiff.Node) autodiff.Node { return g.Scalar(0) },
}

func supported(x float64) float64 {
	switch {
	case x < 0:
		return catalogue.NegInf
	case x >= 0:
		return 0
	}
	return x // not a number
}

// formulaPareto is log(a) - log(y) - a log(y/m) for y of at least m.
func formulaPareto(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	y, least, a := x[0], x[1], x[2]
	logY := b.Log(y)
	decay := b.Mul(a, b.Sub(logY, b.Log(least)))
	return b.Add(b.Sub(b.Sub(b.Log(a), logY), decay), b.Map1(inSupport, b.Sub(y, least)))
}

func formulaParetoType2(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	y, mu, lambda, a := x[0], x[1], x[2], x[3]
	above := b.Sub(y, mu)
	decay := b.Mul(b.Add(a, b.Num(1)), log1p(b, b.Div(above, lambda)))
	return b.Add(b.Sub(b.Sub(b.Log(a), b.Log(lambda)), decay), b.Map1(inSupport, above))
}

func formulaUniform(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	y, lo, hi := x[0], x[1], x[2]
	inside := b.Add(b.Map1(inSupport, b.Sub(y, lo)), b.Map1(inSupport, b.Sub(hi, y)))
	return b.Sub(inside, b.Log(b.Sub(hi, lo)))
}
