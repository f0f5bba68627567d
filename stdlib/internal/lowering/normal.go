// Expansion of multivariate normal densities of few numbers: one factorisation serves all
// variates that share a matrix, and substitution is arithmetic on single numbers.

package lowering

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/multivariate"
)

// fewDimensions is up to how many numbers a variate is expanded.
const fewDimensions = 6

// expandMultiNormal is for one variate, with the matrix given by itself or by its Cholesky
// factor.
func expandMultiNormal(form multivariate.ScaleForm) Expander {
	return func(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
		y, mu, m := in[0], in[1], in[2]
		k := m.Dims[0]
		if len(y.Dims) != 1 || len(mu.Dims) != 1 || k == 0 || k > fewDimensions {
			return autodiff.None, false
		}
		l := m.Node
		if form == multivariate.ByCovariance {
			factor, ok := (MatrixFunction{CholeskyFactor, k}).apply(g, m)
			if !ok {
				return autodiff.None, false
			}
			l = factor
		}
		b := catalogue.Formula{G: g}
		z := make([]autodiff.Node, k)
		squares, logs := make([]autodiff.Node, k), make([]autodiff.Node, k)
		for i := range k {
			at := func(j int) autodiff.Node { return g.Elem(l, i+j*k) }
			rest := b.Sub(g.Elem(y.Node, i), g.Elem(mu.Node, i))
			for j := range i {
				rest = b.Sub(rest, b.Mul(at(j), z[j]))
			}
			z[i] = b.Div(rest, at(i))
			squares[i] = b.Square(z[i])
			logs[i] = b.Log(b.Map1(absolute, at(i)))
		}
		logScale := inPairs(logs, b.Add)
		return b.Sub(b.Sub(b.Mul(b.Num(-0.5), inPairs(squares, b.Add)), logScale), b.Num(float64(k)*logSqrt2Pi)), true
	}
}
