// Expansion of multivariate normal densities of few numbers: one factorisation serves all
// variates that share a matrix, and substitution is arithmetic on single numbers.

package stdlib

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
)

// fewDimensions is up to how many numbers a variate is expanded.
const fewDimensions = 6

// expandMultiNormal is for one variate, with the matrix given by itself or by its Cholesky
// factor.
func expandMultiNormal(form scaleForm) Expander {
	return func(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
		y, mu, m := in[0], in[1], in[2]
		k := m.Dims[0]
		if len(y.Dims) != 1 || len(mu.Dims) != 1 || k == 0 || k > fewDimensions {
			return autodiff.None, false
		}
		l := m.Node
		if form == byCovariance {
			factor, ok := (MatrixFunction{CholeskyFactor, k}).apply(g, m)
			if !ok {
				return autodiff.None, false
			}
			l = factor
		}
		b := formula{g}
		z := make([]autodiff.Node, k)
		squares, logs := make([]autodiff.Node, k), make([]autodiff.Node, k)
		for i := range k {
			at := func(j int) autodiff.Node { return g.Elem(l, i+j*k) }
			rest := b.sub(g.Elem(y.Node, i), g.Elem(mu.Node, i))
			for j := range i {
				rest = b.sub(rest, b.mul(at(j), z[j]))
			}
			z[i] = b.div(rest, at(i))
			squares[i] = b.square(z[i])
			logs[i] = b.log(b.map1(magnitude, at(i)))
		}
		logScale := inPairs(logs, b.add)
		return b.sub(b.sub(b.mul(b.num(-0.5), inPairs(squares, b.add)), logScale), b.num(float64(k)*logSqrt2Pi)), true
	}
}

// magnitude is the absolute value.
var magnitude = &autodiff.Op{Name: "magnitude", F1: math.Abs, D1: func(x, _ float64) float64 { return math.Copysign(1, x) }}
