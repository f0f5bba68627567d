// Expansions of functions of short vectors, whose numbers then run together with those of
// many other calls.

package lowering

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// elementsOf returns the numbers of a vector that is short enough to be expanded.
func elementsOf(g *autodiff.Graph, x Operand) ([]autodiff.Node, bool) {
	n := len(x.X)
	if n == 0 || n > maxTree {
		return nil, false
	}
	out := make([]autodiff.Node, n)
	for i := range out {
		out[i] = g.Elem(x.Node, i)
	}
	return out, true
}

// vectorOf puts numbers side by side.
func vectorOf(g *autodiff.Graph, list []autodiff.Node) autodiff.Node {
	refs := make([]autodiff.Ref, len(list))
	for i, x := range list {
		refs[i].Node = x
	}
	return g.Gather(refs)
}

// expandSoftmax divides exponentials, which are scaled by the greatest, by their sum.
func expandSoftmax(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	if len(in[0].Dims) != 1 {
		return autodiff.None, false
	}
	xs, ok := elementsOf(g, in[0])
	if !ok {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	terms, _ := shiftedExp(g, 1, xs)
	inv := b.Map1(autodiff.Inv, inPairs(terms, b.Add))
	for i, x := range terms {
		terms[i] = b.Mul(x, inv)
	}
	return vectorOf(g, terms), true
}

func expandLogSoftmax(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	if len(in[0].Dims) != 1 {
		return autodiff.None, false
	}
	xs, ok := elementsOf(g, in[0])
	if !ok {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	total := logSumExpNodes(g, 1, xs)
	for i, x := range xs {
		xs[i] = b.Sub(x, total)
	}
	return vectorOf(g, xs), true
}

func expandCumulativeSum(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	xs, ok := elementsOf(g, in[0])
	if !ok {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	for i := range xs[1:] {
		xs[i+1] = b.Add(xs[i], xs[i+1])
	}
	return vectorOf(g, xs), true
}

// expandCategoricalLogit is for one variate.
func expandCategoricalLogit(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	xs, ok := elementsOf(g, in[1])
	if !ok || len(in[0].Dims) > 0 {
		return autodiff.None, false
	}
	return catalogue.Formula{G: g}.Sub(xs[int(in[0].X[0])-1], logSumExpNodes(g, 1, xs)), true
}
