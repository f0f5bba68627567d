// Carries that are sums on the log scale: their values in all iterations are computed by vector
// operations.

package loop

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
)

// logSum makes carry i known where an iteration adds to its exponential: it becomes log(exp(carry) + exp(x)), x
// being free of carries, or stays what it is. With m the running maximum and s the sum scaled by it,
//
//	s[t] = s[t-1] exp(m[t-1] - m[t]) + exp(x[t] - m[t]),
//
// of which only that is a loop, of a product and a sum; exponentials and logarithms are those of vectors.
func (l *Loop) logSum(i int) bool {
	added := make([]graph.Node, len(l.variants))
	if !l.allVariants(func(k int, r *LoopBody) (ok bool) {
		added[k], ok = r.addedExp(i)
		return ok
	}) {
		return false
	}
	x := l.g.Gather(l.Merged(func(k int) graph.Node { return l.variants[k].vector(added[k]) }))
	all := l.logSums(l.carries[i].init, x)
	s := &Scan{Iterations: l.n, Backward: l.Backward} // for the places
	for _, r := range l.variants {
		c := r.carries[i]
		r.define(c.placeholder, r.Part(all, s.Before(0)))
		if c.next != c.placeholder {
			r.All[c.next] = r.Part(all, s.After(0))
		}
	}
	return true
}

// logSums is the history of a carry whose exponential grows by those of x.
func (l *Loop) logSums(init, x graph.Node) graph.Node {
	g, n, s := l.g, l.n, &Scan{Iterations: l.n, Backward: l.Backward}
	top := g.Opaque(runningMax{l.Backward}, n+1, init, x)
	shift := g.Map(graph.Shift, n+1, top, top) // 0 where that is not finite
	after := g.View(shift, s.After(0), n)
	grown := g.Map(graph.Exp, n, g.Map(graph.Sub, n, x, after))
	rise := g.Map(graph.Sub, n, g.View(top, s.Before(0), n), after)
	kept := g.Map(graph.Exp, n, g.Map(graph.Shift, n, rise, rise)) // 1 from -Inf, of which the sum is 0; no derivative
	first := g.Map(graph.Exp, 1, g.Map(graph.Sub, 1, init, g.Elem(shift, s.Initial(0))))

	sums := NewLoop(g, n)
	sums.Backward = l.Backward
	r := sums.Variant(nil)
	c := r.Carry(first)
	next := g.Map(graph.Add, 1, g.Map(graph.Mul, 1, c, r.Step(kept)), r.Step(grown))
	if err := r.Close([]graph.Ref{{Node: next}}, []graph.Ref{{Node: next}}); err != nil {
		panic(err) // it is made of a product and a sum
	}
	return g.Map(graph.Add, n+1, shift, g.Map(graph.Log, n+1, g.View(sums.scan, 0, n+1)))
}

// addedExp returns x where the iteration leaves log(exp(carry) + exp(x)), and -Inf where it leaves the carry.
func (r *LoopBody) addedExp(i int) (x graph.Node, ok bool) {
	g, c := r.g, r.carries[i]
	if c.next == c.placeholder {
		return g.Scalar(math.Inf(-1)), true
	}
	shift, log, ok := r.binary(graph.Add, c.next, func(y graph.Node) bool { return r.is(graph.Log, y) })
	if !ok {
		return graph.None, false
	}
	a, b, ok := r.binary(graph.Add, g.At(log).In()[0], func(y graph.Node) bool { return r.shifted(y, shift) == c.placeholder })
	if !ok || b == graph.None {
		return graph.None, false
	}
	x = r.shifted(a, shift)
	return x, x != graph.None && r.reach(x) != onCarries
}

// is reports whether a node is an operation.
func (r *LoopBody) is(op *graph.Op, x graph.Node) bool {
	n := r.g.At(x)
	return n.Kind == graph.KindMap && n.Op == op
}

// binary returns the operands of z where z is op of two: y is one for which holds is true, x the other.
func (r *LoopBody) binary(op *graph.Op, z graph.Node, holds func(graph.Node) bool) (x, y graph.Node, ok bool) {
	if !r.is(op, z) {
		return graph.None, graph.None, false
	}
	in := r.g.At(z).In()
	switch {
	case holds(in[1]):
		return in[0], in[1], true
	case holds(in[0]):
		return in[1], in[0], true
	}
	return graph.None, graph.None, false
}

// shifted returns x where y is exp(x - shift).
func (r *LoopBody) shifted(y, shift graph.Node) graph.Node {
	if !r.is(graph.Exp, y) || !r.is(graph.Shift, shift) {
		return graph.None
	}
	d := r.g.At(y).In()[0]
	if in := r.g.At(d).In(); r.is(graph.Sub, d) && in[1] == shift {
		return in[0]
	}
	return graph.None
}

// runningMax is the greatest of its first input and the elements of the second so far, without a derivative.
type runningMax struct{ backward bool }

// String names the function in dumps.
func (runningMax) String() string { return "running maximum" }

// Instance returns the (stateless) function itself.
func (m runningMax) Instance() graph.Instance { return m }

// Fused reports that there is no fused form.
func (runningMax) Fused([]bool) (graph.Opaque, bool) { return nil, false }

// Value fills out with the history.
func (m runningMax) Value(in [][]float64, out []float64) error {
	top, n := in[0][0], len(out)-1
	x := in[1]
	if m.backward {
		out[n] = top
		for t := n - 1; t >= 0; t-- {
			top = larger(top, x[min(t, len(x)-1)])
			out[t] = top
		}
		return nil
	}
	out[0] = top
	for t := range n {
		top = larger(top, x[min(t, len(x)-1)])
		out[t+1] = top
	}
	return nil
}

// larger is the greater number; NaN is passed over.
func larger(x, y float64) float64 {
	if y > x {
		return y
	}
	return x
}

// VJP has nothing to add: it only scales sums of exponentials, from which it cancels.
func (runningMax) VJP([][]float64, []float64, []float64, [][]float64) {}
