// Derivatives of elementwise operations, as nodes.

package grad

import "github.com/seed-12b88e03/ppl/autodiff/internal/graph"

// mapRule sends the adjoint a of x = op(inputs) on.
func (r *Reverser) mapRule(x graph.Node, n *graph.NodeDef, a graph.Node) {
	g, in := r.G, n.In()
	switch n.Op {
	case graph.Add:
		r.mapAdd(in[0], n.Len(), a, graph.None)
		r.mapAdd(in[1], n.Len(), a, graph.None)
	case graph.Sub:
		r.mapAdd(in[0], n.Len(), a, graph.None)
		if g.At(in[1]).Active {
			r.mapAdd(in[1], n.Len(), g.Map(graph.Neg, g.Len(a), a), graph.None)
		}
	case graph.Mul:
		r.mapAdd(in[0], n.Len(), a, in[1])
		r.mapAdd(in[1], n.Len(), a, in[0])
	case graph.Inv:
		if g.At(in[0]).Active {
			// Of a quotient u/y the first product is its value. The square of x may underflow where that does not.
			r.mapAdd(in[0], n.Len(), g.Map(graph.Mul, max(g.Len(a), n.Len()), a, x), g.Map(graph.Neg, n.Len(), x))
		}
	case graph.PickBySign: // the adjoint itself, or zero whatever it is
		zero, size := g.Scalar(0), max(g.Len(a), g.Len(in[2]))
		if g.At(in[0]).Active {
			r.mapAdd(in[0], n.Len(), g.Map(graph.PickBySign, size, a, zero, in[2]), graph.None)
		}
		if g.At(in[1]).Active {
			r.mapAdd(in[1], n.Len(), g.Map(graph.PickBySign, size, zero, a, in[2]), graph.None)
		}
	default:
		if len(in) == 1 {
			if d, ok := r.unaryPartial(x, n); ok {
				r.mapAdd(in[0], n.Len(), a, d)
				return
			}
		}
		if n.Op.Slopes != nil {
			for k, y := range in {
				if g.At(y).Active {
					r.mapAdd(y, n.Len(), a, n.Op.Slopes(g, k, in[0], in[1], x))
				}
			}
			return
		}
		r.numericRule(x, n, a)
	}
}

// unaryPartial returns the derivative of a core operation of one argument.
func (r *Reverser) unaryPartial(x graph.Node, n *graph.NodeDef) (graph.Node, bool) {
	g, y := r.G, n.In()[0]
	size, full := g.Len(y), n.Len()
	if n.Op.Slope != nil {
		return n.Op.Slope(g, y, x), true
	}
	switch n.Op {
	case graph.Neg:
		return g.Scalar(-1), true
	case graph.Square:
		return g.Map(graph.Mul, size, g.Scalar(2), y), true
	case graph.Sqrt:
		return g.Map(graph.Mul, full, g.Scalar(0.5), g.Map(graph.Inv, full, x)), true
	case graph.Exp:
		return x, true
	case graph.Log:
		return g.Map(graph.Inv, size, y), true
	case graph.Log1p:
		return g.Map(graph.Inv, size, g.Map(graph.Add, size, g.Scalar(1), y)), true
	case graph.Log1pExp:
		return g.Map(graph.InvLogit, size, y), true
	case graph.InvLogit:
		return g.Map(graph.Mul, full, x, g.Map(graph.InvLogit, size, g.Map(graph.Neg, size, y))), true // 1 - x would cancel
	}
	return graph.None, false
}

// numericRule uses the derivative functions of ops that have no rule in nodes.
func (r *Reverser) numericRule(x graph.Node, n *graph.NodeDef, a graph.Node) {
	if !n.Op.Differentiable() {
		return
	}
	k := len(n.In())
	d := r.G.Add(graph.NodeDef{Kind: graph.KindPartials, Op: n.Op, N: int32(k) * n.N}.WithAll(append(append([]graph.Node(nil), n.In()...), x)))
	for i, y := range n.In() {
		if r.G.At(y).Active {
			r.mapAdd(y, n.Len(), a, r.G.View(d, i*n.Len(), n.Len()))
		}
	}
}

// mapAdd adds a*d to the adjoint of y, an input of an elementwise node of length n;
// a broadcast input gets the sum. d None stands for 1.
func (r *Reverser) mapAdd(y graph.Node, n int, a, d graph.Node) {
	g := r.G
	if !g.At(y).Active {
		return
	}
	if n > 1 && g.At(y).N == 1 {
		r.add(y, r.sumProduct(n, a, d))
		return
	}
	if d == graph.None {
		r.add(y, a)
		return
	}
	r.add(y, g.Map(graph.Mul, max(g.Len(a), g.Len(d)), a, d))
}

// sumProduct is the sum over n elements of a*d, either of which may be a scalar.
func (r *Reverser) sumProduct(n int, a, d graph.Node) graph.Node {
	g := r.G
	scalarA := g.At(a).N == 1
	if d == graph.None {
		if scalarA {
			return g.Map(graph.Mul, 1, g.Scalar(float64(n)), a)
		}
		return g.Sum(a)
	}
	switch scalarD := g.At(d).N == 1; {
	case scalarA && scalarD:
		return g.Map(graph.Mul, 1, g.Scalar(float64(n)), g.Map(graph.Mul, 1, a, d))
	case scalarA:
		return g.Map(graph.Mul, 1, a, g.Sum(d))
	case scalarD:
		return g.Map(graph.Mul, 1, d, g.Sum(a))
	}
	return g.Dot(a, d)
}
