// Expansions for Gaussian processes of few locations: distances are computed once, and what is
// left are a few operations on vectors.

package stdlib

import "github.com/seed-12b88e03/ppl/autodiff"

// expandExpQuad is the exponentiated quadratic kernel of known numbers with one length
// scale.
func expandExpQuad(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	tensors := make([]Tensor, len(in))
	for i, x := range in {
		tensors[i] = x.Tensor
	}
	l, sigma, scale := locate(tensors, 2), in[len(in)-2], in[len(in)-1]
	if n == 0 || n > fewPairs || !l.onLine(scale.X) || len(scale.Dims) > 0 || in[l.i1].Active || in[l.i2].Active {
		return autodiff.None, false
	}
	if !g.NonNegative(sigma.Node) || !g.NonNegative(scale.Node) {
		return autodiff.None, false // their signs would be lost
	}
	halves := make([]float64, n) // squared distances times -1/2
	l.squares(halves)
	for i, s := range halves {
		halves[i] = -0.5 * s
	}
	b := formula{g}
	correlation := b.map1(autodiff.Exp, b.mul(g.Const(halves), b.map1(autodiff.Inv, b.square(scale.Node))))
	return b.mul(b.square(sigma.Node), correlation), true
}

// expandAddDiag adds a known diagonal to a matrix that is not large.
func expandAddDiag(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	if in[1].Active || n > fewPairs || n == 0 {
		return autodiff.None, false
	}
	rows, cols := matrixSize(in[0].Tensor)
	diagonal := make([]float64, n)
	for i := range min(rows, cols) {
		diagonal[i*(rows+1)] = argAt(in[1].X, i)
	}
	return formula{g}.add(in[0].Node, g.Const(diagonal)), true
}
