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

// expandMultiNormal is for one variate or many, with the matrix given by itself or by its Cholesky factor. Of many each
// coordinate is a vector; data with one mean enter by their sums.
func expandMultiNormal(form multivariate.ScaleForm) Expander {
	return func(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
		y, mu, m := in[0], in[1], in[2]
		k := m.Dims[0]
		n, ok := variates(y, mu)
		if !ok || k == 0 || k > fewDimensions || n > 1 && len(mu.Dims) == 1 && !y.Active {
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
			rest := b.Sub(coordinate(g, y, i, k), coordinate(g, mu, i, k))
			for j := range i {
				rest = b.Sub(rest, b.Mul(at(j), z[j]))
			}
			z[i] = b.Div(rest, at(i))
			squares[i] = b.Square(z[i])
			logs[i] = b.Log(b.Map1(absolute, at(i)))
		}
		sum := g.Sum(inPairs(squares, b.Add))
		norm := b.Add(inPairs(logs, b.Add), b.Num(float64(k)*logSqrt2Pi))
		return b.Sub(b.Mul(b.Num(-0.5), sum), b.Mul(b.Num(float64(n)), norm)), true
	}
}

// variates is the number of variates and means, of which one may stand for all; false where there are none, or where the
// variates are one and the means many.
func variates(y, mu Operand) (n int, ok bool) {
	n = 1
	for _, x := range []Operand{y, mu} {
		if len(x.Dims) == 2 {
			n = x.Dims[0]
		}
	}
	return n, n > 0 && (n == 1 || len(y.Dims) == 2)
}

// coordinate is number i of a vector of k numbers, or of each in an array of such.
func coordinate(g *autodiff.Graph, x Operand, i, k int) autodiff.Node {
	if len(x.Dims) == 1 {
		return g.Elem(x.Node, i)
	}
	refs := make([]autodiff.Ref, x.Dims[0])
	for r := range refs {
		refs[r] = autodiff.Ref{Node: x.Node, Elem: int32(r*k + i)}
	}
	return g.Gather(refs)
}
