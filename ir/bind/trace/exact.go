// Exact nodes: of rows of output, those that are infinite or NaN where they are so for
// the reference interpreter.
//
// A row that is not finite may have been rejected, or rounding and algebra may have led to an
// infinity that the reference interpreter does not meet. But of many numbers it is known that they
// are what it computes: data and numbers that were never assigned, and functions of exact
// numbers that the graph applies as they were written. These may be anything. Nobody needs to
// look at them to see that a call was rejected, since checks are added instead.

package trace

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// An ExactNodes knows the exact nodes of a recording; nil where nobody asks for them.
type ExactNodes map[autodiff.Node]bool

// of reports whether all numbers of a node are exact.
func (f ExactNodes) of(g *autodiff.Graph, x autodiff.Node) bool {
	if yes, ok := f[x]; ok {
		return yes
	}
	from, copied := g.Copied(x)
	yes := g.Supplied(x) || copied && !slices.ContainsFunc(from, func(y autodiff.Node) bool { return !f.of(g, y) })
	f[x] = yes
	return yes
}

// Inexact reports whether a term of the log density may differ from the reference interpreter's.
func (r *Recorder) Inexact(t eval.Term) bool {
	ref := t.Value.Ref(0)
	return ref.Node != autodiff.None && !r.Exact.of(r.Graph, ref.Node)
}

// note reports of a node that was just made of arguments whether it applies a function to them as
// it is.
func (r *Recorder) note(x autodiff.Node, applied bool, args []*eval.Value) {
	if r.Exact == nil || !applied {
		return
	}
	for _, a := range args {
		if a.Active() && !r.Exact.of(r.Graph, r.Node(a)) {
			return
		}
	}
	r.Exact[x] = true
}

// applies reports whether a node is the elementwise function of arguments.
func (r *Recorder) applies(x autodiff.Node, fn *stdlib.Function, args []*eval.Value) bool {
	switch {
	case r.Exact == nil:
		return false
	case choices[fn.Op.Name]:
		return true
	}
	op, in := fn.Op, r.Nodes(args)
	if core, ok := coreOps[op.Name]; ok && core.Arity() == len(args) {
		op = core
	}
	if op == autodiff.Div { // by a number whose reciprocal is not infinite before the quotient is
		c := args[1].X
		if args[1].Active() || len(c) != 1 || c[0] != 0 && math.Abs(c[0]) < 0x1p-900 {
			return false
		}
		op, in[1] = autodiff.Mul, r.Graph.Scalar(1/c[0])
	}
	return r.Graph.Applies(x, op, in)
}

// ExactRow returns which columns of a row are exact, as numbers 1 and 0, and a node of the
// others.
func (r *Recorder) ExactRow(row autodiff.Node) (exact []float64, others autodiff.Node) {
	exact = make([]float64, r.Graph.Len(row))
	var refs []autodiff.Ref
	for i := range exact {
		ref := r.Graph.Source(row, i)
		if r.Exact.of(r.Graph, ref.Node) {
			exact[i] = 1
		} else {
			refs = append(refs, ref)
		}
	}
	if len(refs) == 0 {
		return exact, r.Graph.Const(nil)
	}
	return exact, r.Graph.Gather(refs)
}

// Sound reports whether a row that a program has computed may be passed on: what is not finite
// is exact.
func Sound(row, exact []float64) bool {
	for i, v := range row {
		if v-v != 0 && exact[i] == 0 {
			return false
		}
	}
	return true
}

// Finite reports whether all numbers are.
func Finite(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return v-v != 0 })
}
