// Derivatives of elementwise operations, as nodes.

package autodiff

// mapRule sends the adjoint a of x = op(inputs) on.
func (r *reverser) mapRule(x Node, n *node, a Node) {
	g, in := r.g, n.in()
	switch n.op {
	case Add:
		r.mapAdd(in[0], n.len(), a, None)
		r.mapAdd(in[1], n.len(), a, None)
	case Sub:
		r.mapAdd(in[0], n.len(), a, None)
		if g.at(in[1]).active {
			r.mapAdd(in[1], n.len(), g.Map(Neg, g.Len(a), a), None)
		}
	case Mul:
		r.mapAdd(in[0], n.len(), a, in[1])
		r.mapAdd(in[1], n.len(), a, in[0])
	default:
		if len(in) == 1 {
			if d, ok := r.unaryPartial(x, n); ok {
				r.mapAdd(in[0], n.len(), a, d)
				return
			}
		}
		if n.op.Slopes != nil {
			for k, y := range in {
				if g.at(y).active {
					r.mapAdd(y, n.len(), a, n.op.Slopes(g, k, in[0], in[1], x))
				}
			}
			return
		}
		r.numericRule(x, n, a)
	}
}

// unaryPartial returns the derivative of a core operation of one argument.
func (r *reverser) unaryPartial(x Node, n *node) (Node, bool) {
	g, y := r.g, n.in()[0]
	size, full := g.Len(y), n.len()
	if n.op.Slope != nil {
		return n.op.Slope(g, y, x), true
	}
	switch n.op {
	case Neg:
		return g.Scalar(-1), true
	case Inv:
		return g.Map(Neg, full, g.Map(Square, full, x)), true
	case Square:
		return g.Map(Mul, size, g.Scalar(2), y), true
	case Sqrt:
		return g.Map(Mul, full, g.Scalar(0.5), g.Map(Inv, full, x)), true
	case Exp:
		return x, true
	case Log:
		return g.Map(Inv, size, y), true
	case Log1p:
		return g.Map(Inv, size, g.Map(Add, size, g.Scalar(1), y)), true
	case Log1pExp:
		return g.Map(InvLogit, size, y), true
	case InvLogit:
		return g.Map(Mul, full, x, g.Map(InvLogit, size, g.Map(Neg, size, y))), true // 1 - x would cancel
	}
	return None, false
}

// numericRule uses the derivative functions of ops that have no rule in nodes.
func (r *reverser) numericRule(x Node, n *node, a Node) {
	if !n.op.Differentiable() {
		return
	}
	k := len(n.in())
	d := r.g.add(node{kind: kindPartials, op: n.op, n: int32(k) * n.n}.withAll(append(append([]Node(nil), n.in()...), x)))
	for i, y := range n.in() {
		if r.g.at(y).active {
			r.mapAdd(y, n.len(), a, r.g.View(d, i*n.len(), n.len()))
		}
	}
}

// mapAdd adds a*d to the adjoint of y, an input of an elementwise node of length n;
// a broadcast input gets the sum. d None stands for 1.
func (r *reverser) mapAdd(y Node, n int, a, d Node) {
	g := r.g
	if !g.at(y).active {
		return
	}
	if n > 1 && g.at(y).n == 1 {
		r.add(y, r.sumProduct(n, a, d))
		return
	}
	if d == None {
		r.add(y, a)
		return
	}
	r.add(y, g.Map(Mul, max(g.Len(a), g.Len(d)), a, d))
}

// sumProduct is the sum over n elements of a*d, either of which may be a scalar.
func (r *reverser) sumProduct(n int, a, d Node) Node {
	g := r.g
	scalarA := g.at(a).n == 1
	if d == None {
		if scalarA {
			return g.Map(Mul, 1, g.Scalar(float64(n)), a)
		}
		return g.Sum(a)
	}
	switch scalarD := g.at(d).n == 1; {
	case scalarA && scalarD:
		return g.Map(Mul, 1, g.Scalar(float64(n)), g.Map(Mul, 1, a, d))
	case scalarA:
		return g.Map(Mul, 1, a, g.Sum(d))
	case scalarD:
		return g.Map(Mul, 1, d, g.Sum(a))
	}
	return g.Dot(a, d)
}
