// Linear predictors, read off the graph.

package graph

import "slices"

// Linear takes x apart as alpha + A*beta with a constant matrix A (column-major, with as
// many rows as x has elements); alpha may be None, one number, or a vector. Sums that were taken apart before are not
// again: in a chain of sums each would have all columns of those before. Where it is no such sum, ok is false.
func (g *Graph) Linear(x Node) (a []float64, alpha, beta Node, ok bool) {
	p, ok := g.Predictor(x, func(y Node) bool { return g.taken[y] })
	if !ok {
		return nil, None, None, false
	}
	g.taken[x] = true
	a, alpha, beta = p.In(g, func(y Node) Node { return y })
	return a, alpha, beta, true
}

// A Predictor is a sum that is taken apart as alpha + A*beta. The columns of A are those of constant matrices and constant vectors
// of which the sum has products, with vectors and single numbers.
type Predictor struct {
	g        *Graph
	rows     int
	whole    func(Node) bool // summands that are not taken apart
	products []columns
	beta     []Ref // what the columns of the products are multiplied by
	rest     []signed
}

// columns are those of a product.
type columns struct {
	data []float64
	sign float64
}

// signed is a summand, or what is subtracted; one that repeats a number stands for that.
type signed struct {
	x       Node
	sign    float64
	repeats bool
}

// Predictor takes x apart, but no summands for which whole is true; false where no product comes of it, or only one that is one
// multiplication a row.
func (g *Graph) Predictor(x Node, whole func(Node) bool) (*Predictor, bool) {
	p := &Predictor{g: g, rows: g.Len(x), whole: whole}
	if p.rows < 2 {
		return nil, false
	}
	p.take(x, 1)
	vector := false
	for _, t := range p.rest {
		vector = vector || g.Len(t.x) > 1 && !t.repeats
	}
	return p, len(p.beta) > 1 || len(p.beta) == 1 && !vector
}

// Columns is how many columns the matrix has.
func (p *Predictor) Columns() int { return len(p.beta) }

// Simpler reports whether alpha + A*beta is less than what x is.
func (p *Predictor) Simpler() bool {
	return len(p.products) > 1 || slices.ContainsFunc(p.rest, func(t signed) bool { return t.repeats })
}

// take takes a sum apart.
func (p *Predictor) take(x Node, sign float64) {
	n := p.g.At(x)
	switch {
	case n.Kind == KindMap && (n.Op == Add || n.Op == Sub):
		for k, y := range n.In() {
			s := sign
			if k == 1 && n.Op == Sub {
				s = -sign
			}
			if p.whole(y) {
				p.left(y, s)
			} else {
				p.take(y, s)
			}
		}
		return
	case n.Kind == KindMatVec && p.g.At(n.In()[0]).Kind == KindConst && p.g.At(n.In()[1]).Active:
		p.product(n.In()[0], n.In()[1], sign)
		return
	case n.Kind == KindMap && n.Op == Mul:
		for k, c := range n.In() {
			if by := n.In()[1-k]; p.g.At(c).Kind == KindConst && p.g.Len(c) == p.rows && p.g.Len(by) == 1 && p.g.At(by).Active {
				p.product(c, by, sign)
				return
			}
		}
	}
	p.left(x, sign)
}

// left adds what is no product.
func (p *Predictor) left(x Node, sign float64) {
	n := p.g.At(x)
	repeats := n.Kind == KindGather && !slices.ContainsFunc(n.Refs, func(r Ref) bool { return r != n.Refs[0] }) ||
		n.Kind == KindConst && n.N > 1 && !slices.ContainsFunc(n.Data, func(v float64) bool { return v != n.Data[0] })
	p.rest = append(p.rest, signed{x, sign, repeats})
}

// product adds a product of constant columns.
func (p *Predictor) product(a, by Node, sign float64) {
	p.products = append(p.products, columns{p.g.At(a).Data, sign})
	for i := range p.g.Len(by) {
		p.beta = append(p.beta, Ref{by, int32(i)})
	}
}

// In makes alpha and beta in a graph h, where nodes are what to says, and the matrix.
func (p *Predictor) In(h *Graph, to func(Node) Node) (a []float64, alpha, beta Node) {
	refs := make([]Ref, len(p.beta))
	for i, r := range p.beta {
		refs[i] = Ref{to(r.Node), r.Elem}
	}
	alpha, beta = p.alpha(h, to), h.Gather(refs)
	if only := p.products[0]; len(p.products) == 1 && only.sign > 0 {
		return only.data, alpha, beta
	}
	for _, t := range p.products {
		for _, v := range t.data {
			a = append(a, t.sign*v)
		}
	}
	return a, alpha, beta
}

// alpha adds up what is left, single numbers first.
func (p *Predictor) alpha(h *Graph, to func(Node) Node) Node {
	sum := None
	for _, single := range []bool{true, false} {
		for _, t := range p.rest {
			x := to(t.x)
			if t.repeats {
				x = h.Elem(x, 0)
			}
			if h.isScalar(x, 0) {
				continue
			}
			switch n := h.Len(x); {
			case single != (n == 1):
			case sum == None && t.sign > 0:
				sum = x
			case sum == None:
				sum = h.Map(Neg, n, x)
			case t.sign > 0:
				sum = h.Map(Add, n, sum, x)
			default:
				sum = h.Map(Sub, n, sum, x)
			}
		}
	}
	return sum
}
