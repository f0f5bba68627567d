// Expansions for Gaussian processes of few locations: distances are computed once, and what is
// left are a few operations on vectors.

package lowering

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/matrixfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

// expandExpQuad is the exponentiated quadratic kernel of known numbers with one length
// scale.
func expandExpQuad(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	tensors := make([]catalogue.Tensor, len(in))
	for i, x := range in {
		tensors[i] = x.Tensor
	}
	l, sigma, scale := matrixfn.Locate(tensors, 2), in[len(in)-2], in[len(in)-1]
	if n == 0 || n > matrixfn.FewPairs || !l.OnLine(scale.X) || len(scale.Dims) > 0 || in[l.I1].Active || in[l.I2].Active {
		return autodiff.None, false
	}
	if !g.NonNegative(sigma.Node) || !g.NonNegative(scale.Node) {
		return autodiff.None, false // their signs would be lost
	}
	halves := make([]float64, n) // squared distances times -1/2
	l.Squares(halves)
	for i, s := range halves {
		halves[i] = -0.5 * s
	}
	b := catalogue.Formula{G: g}
	correlation := b.Map1(autodiff.Exp, b.Mul(g.Const(halves), b.Map1(autodiff.Inv, b.Square(scale.Node))))
	return b.Mul(b.Square(sigma.Node), correlation), true
}

// expandAddDiag adds a known diagonal to a matrix that is not large.
func expandAddDiag(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	if in[1].Active || n > matrixfn.FewPairs || n == 0 {
		return autodiff.None, false
	}
	rows, cols := container.MatrixSize(in[0].Tensor)
	diagonal := make([]float64, n)
	for i := range min(rows, cols) {
		diagonal[i*(rows+1)] = transform.ArgAt(in[1].X, i)
	}
	return catalogue.Formula{G: g}.Add(in[0].Node, g.Const(diagonal)), true
}
