// Linear predictors, read off the graph.

package autodiff

// Linear takes x apart as alpha + A*beta with a constant matrix A (column-major, with as
// many rows as x has elements); alpha may be None, one number, or a vector. Where
// it is no such sum, ok is false.
func (g *Graph) Linear(x Node) (a []float64, alpha, beta Node, ok bool) {
	n := g.at(x)
	if n.kind == kindMap && n.op == Add {
		for k, y := range n.in() {
			if a, _, beta, ok := g.Linear(y); ok && g.at(y).kind == kindMatVec {
				return a, n.in()[1-k], beta, true
			}
		}
		return nil, None, None, false
	}
	if n.kind != kindMatVec || g.at(n.in()[0]).kind != kindConst || !g.at(n.in()[1]).active {
		return nil, None, None, false
	}
	return g.at(n.in()[0]).data, None, n.in()[1], true
}
