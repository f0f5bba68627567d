// Linear predictors, read off the graph.

package graph

// Linear takes x apart as alpha + A*beta with a constant matrix A (column-major, with as
// many rows as x has elements); alpha may be None, one number, or a vector. Where
// it is no such sum, ok is false.
func (g *Graph) Linear(x Node) (a []float64, alpha, beta Node, ok bool) {
	n := g.At(x)
	if n.Kind == KindMap && n.Op == Add {
		for k, y := range n.In() {
			if a, _, beta, ok := g.Linear(y); ok && g.At(y).Kind == KindMatVec {
				return a, n.In()[1-k], beta, true
			}
		}
		return nil, None, None, false
	}
	if n.Kind != KindMatVec || g.At(n.In()[0]).Kind != KindConst || !g.At(n.In()[1]).Active {
		return nil, None, None, false
	}
	return g.At(n.In()[0]).Data, None, n.In()[1], true
}
