// Faithful numbers: of rows of output, those that are infinite or NaN where they are so for
// the plain evaluator.
//
// A row that is not finite may have been rejected, or rounding and algebra may have led to an
// infinity that the plain evaluator does not meet. But of many numbers it is known that they
// are what it computes: data and numbers that were never assigned, and functions of faithful
// numbers that the graph applies as they were written. These may be anything. Nobody needs to
// look at them to see that a call was rejected, since checks are added instead.

package bind

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A fidelity knows the faithful nodes of a recording; nil where nobody asks for them.
type fidelity map[autodiff.Node]bool

// of says whether all numbers of a node are faithful.
func (f fidelity) of(g *autodiff.Graph, x autodiff.Node) bool {
	if yes, ok := f[x]; ok {
		return yes
	}
	from, copied := g.Copied(x)
	yes := g.Supplied(x) || copied && !slices.ContainsFunc(from, func(y autodiff.Node) bool { return !f.of(g, y) })
	f[x] = yes
	return yes
}

// note says of a node that was just made of arguments whether it applies a function to them as
// it is.
func (r *recorder) note(x autodiff.Node, applied bool, args []*eval.Value) {
	if r.faithful == nil || !applied {
		return
	}
	for _, a := range args {
		if a.Active() && !r.faithful.of(r.g, r.node(a)) {
			return
		}
	}
	r.faithful[x] = true
}

// applies says whether a node is the elementwise function of arguments.
func (r *recorder) applies(x autodiff.Node, fn *stdlib.Function, args []*eval.Value) bool {
	if r.faithful == nil {
		return false
	}
	op, in := fn.Op, r.nodes(args)
	if core, ok := coreOps[op.Name]; ok && core.Arity() == len(args) {
		op = core
	}
	if op == autodiff.Div { // by a number whose reciprocal is not infinite before the quotient is
		c := args[1].X
		if args[1].Active() || len(c) != 1 || c[0] != 0 && math.Abs(c[0]) < 0x1p-900 {
			return false
		}
		op, in[1] = autodiff.Mul, r.g.Scalar(1/c[0])
	}
	return r.g.Applies(x, op, in)
}

// faithfulRow gives which columns of a row are faithful, as numbers 1 and 0, and a node of the
// others.
func (r *recorder) faithfulRow(row autodiff.Node) (faithful []float64, others autodiff.Node) {
	faithful = make([]float64, r.g.Len(row))
	var refs []autodiff.Ref
	for i := range faithful {
		ref := r.g.Source(row, i)
		if r.faithful.of(r.g, ref.Node) {
			faithful[i] = 1
		} else {
			refs = append(refs, ref)
		}
	}
	if len(refs) == 0 {
		return faithful, r.g.Const(nil)
	}
	return faithful, r.g.Gather(refs)
}

// sound says whether a row that a program has computed may be passed on: what is not finite
// is faithful.
func sound(row, faithful []float64) bool {
	for i, v := range row {
		if v-v != 0 && faithful[i] == 0 {
			return false
		}
	}
	return true
}

// finite says whether all numbers are.
func finite(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return v-v != 0 })
}
