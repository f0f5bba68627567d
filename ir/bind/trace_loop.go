// Loops that the recorder keeps.

package bind

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/ir/pass"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

const (
	// minTraced is the least number of iterations of a loop that is kept: shorter ones are
	// faster unrolled.
	minTraced = 32
	// minSplit is the same for a loop whose iterations are independent, which becomes vectors:
	// a call for each of their operations takes as long as machine code for many numbers. It
	// does not count where iterations unrolled would be calls, too.
	minSplit = 256
	// maxTraced is how many loops are kept, and mostApart how many vectors are made of
	// independent iterations, of which a loop may have several variants. For each all that
	// it depends on is computed once, so that very many would take long.
	maxTraced = 32
	maxSplit  = 128
)

// A traceMark is how far a recording has got.
type traceMark struct {
	effects, guards, obligations int
	draw                         autodiff.Node
}

func (r *recorder) mark() traceMark {
	return traceMark{len(r.effects), r.guards, len(r.checks.obligations), r.draws.last}
}

// back forgets side effects.
func (r *recorder) back(to traceMark) {
	r.effects, r.guards, r.checks.obligations, r.draws.last = r.effects[:to.effects], to.guards, r.checks.obligations[:to.obligations], to.draw
}

// TraceLoop begins a loop that is kept.
func (r *recorder) TraceLoop(iterations int) *autodiff.Loop {
	least := minTraced
	if r.opts.LeastIterations > 0 {
		least = r.opts.LeastIterations
	}
	if r.point == nil || iterations < least || r.tracedLoops >= maxTraced || r.tracedVariants >= maxSplit || !r.opts.does(pass.Scan) {
		return nil
	}
	r.loopMark, r.draws.refused, r.splitCalls = r.mark(), false, false
	return r.g.Loop(iterations)
}

// TraceVariant begins the iteration that stands for those at, or for all. Draws are made in all or in
// none.
func (r *recorder) TraceVariant(loop *autodiff.Loop, at []int32) *autodiff.LoopBody {
	r.variantMark, r.tracing = r.mark(), true
	r.draws.inLoop = 0
	if at != nil {
		r.draws.inLoop = drawsKept
	}
	r.body = loop.Variant(at)
	return r.body
}

// AbortVariant drops the iteration.
func (r *recorder) AbortVariant() {
	r.tracing = false
	r.back(r.variantMark)
}

// Require notes what a call requires.
func (r *recorder) Require(at source.Span, fn *stdlib.Function, args []*eval.Value, x *eval.Value) {
	r.checks.written(r, at, fn, args, r.node(x))
}

// Pays reports whether to keep a loop whose iterations are independent.
func (r *recorder) Pays(iterations int, apart bool) bool {
	least := minSplit
	switch {
	case r.opts.LeastIterations > 0:
		least = r.opts.LeastIterations
	case apart || r.splitCalls:
		least = minTraced
	}
	return iterations >= least
}

// EndLoop ends the loop.
func (r *recorder) EndLoop(kinds []*autodiff.LoopBody, kept bool) bool {
	r.tracing = false
	kept = kept && !r.draws.refused
	for _, iteration := range kinds {
		for _, x := range r.effects[r.loopMark.effects:] {
			kept = kept && !iteration.Depends(x)
		}
		kept = kept && r.checks.end(r.g, iteration, r.loopMark.obligations)
	}
	if !kept {
		r.back(r.loopMark)
		return false
	}
	if kinds[0].Recurs() {
		r.tracedLoops++
	} else {
		r.tracedVariants++
	}
	return true
}

// NodeOf is the node of a value.
func (r *recorder) NodeOf(v *eval.Value) autodiff.Node { return r.node(v) }

// Numbers evaluates nodes at the point of the recording.
func (r *recorder) Numbers(nodes []autodiff.Node) ([][]float64, error) {
	return r.g.Evaluate(r.point, nodes)
}

// differs reports whether some number of a value is another one in other iterations.
func (r *recorder) differs(v *eval.Value) bool {
	for i := range v.X {
		if ref := v.Ref(i); ref.Node != autodiff.None && r.body.Depends(ref.Node) {
			return true
		}
	}
	return false
}

// mostPoints is the greatest number of variates of a density that iterations add up one by one.
const mostPoints = 64

// pointwise is a density of vectors as the sum over their elements; false where an argument
// is of another form.
func (r *recorder) pointwise(op *autodiff.Op, args []*eval.Value) (autodiff.Node, bool) {
	n := 1
	for _, a := range args {
		if len(a.Dims) > 1 || len(a.Dims) == 1 && n > 1 && len(a.X) != n {
			return autodiff.None, false
		}
		n = max(n, len(a.X))
	}
	if n > mostPoints || slices.ContainsFunc(args, func(a *eval.Value) bool { return len(a.Dims) == 1 && len(a.X) != n }) {
		return autodiff.None, false
	}
	nodes := r.nodes(args)
	if n == 1 {
		return r.g.Map(op, 1, nodes...), true
	}
	return r.g.Sum(r.g.Map(op, n, nodes...)), true
}
