// Loops that the recorder keeps.

package trace

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
	// mostUnrolled is up to how many iterations a loop is not kept because the observations in each have
	// sufficient statistics, which are constants when it is unrolled, or because a density of several numbers in each is one call then.
	mostUnrolled = 1 << 14
)

// A traceMark is how far a recording has got.
type traceMark struct {
	effects, guards, obligations int
	draw                         autodiff.Node
}

func (r *Recorder) mark() traceMark {
	return traceMark{len(r.Effects), r.Guards, len(r.checks.obligations), r.Draws.last}
}

// back forgets side effects.
func (r *Recorder) back(to traceMark) {
	r.Effects, r.Guards, r.checks.obligations, r.Draws.last = r.Effects[:to.effects], to.guards, r.checks.obligations[:to.obligations], to.draw
}

// TraceLoop begins a loop that is kept.
func (r *Recorder) TraceLoop(iterations int) *autodiff.Loop {
	least := minTraced
	if r.opts.LeastIterations > 0 {
		least = r.opts.LeastIterations
	}
	if r.Point == nil || iterations < least || r.tracedLoops >= maxTraced || r.tracedVariants >= maxSplit || !r.opts.Does(pass.Scan) {
		return nil
	}
	r.loopMark, r.Draws.refused, r.splitCalls = r.mark(), false, false
	r.unroll, r.iterations = false, iterations
	return autodiff.NewLoop(r.Graph, iterations)
}

// TraceVariant begins the iteration that stands for those at, or for all. Draws are made in all or in
// none.
func (r *Recorder) TraceVariant(loop *autodiff.Loop, at []int32) *autodiff.LoopBody {
	r.variantMark, r.tracing = r.mark(), true
	r.Draws.inLoop = 0
	if at != nil {
		r.Draws.inLoop = drawsKept
	}
	r.body = loop.Variant(at)
	return r.body
}

// AbortVariant drops the iteration.
func (r *Recorder) AbortVariant() {
	r.tracing = false
	r.back(r.variantMark)
}

// Require notes what a call requires.
func (r *Recorder) Require(at source.Span, fn *stdlib.Function, args []*eval.Value, x *eval.Value) {
	r.checks.written(r, at, fn, args, r.Node(x))
}

// Pays reports whether to keep a loop whose iterations are independent.
func (r *Recorder) Pays(iterations int, apart bool) bool {
	least := minSplit
	switch {
	case r.Full: // what an operation costs does not count, but how many there are
		least = minTraced
	case r.opts.LeastIterations > 0:
		least = r.opts.LeastIterations
	case apart || r.splitCalls:
		least = minTraced
	}
	return iterations >= least
}

// EndLoop ends the loop.
func (r *Recorder) EndLoop(kinds []*autodiff.LoopBody, kept bool) bool {
	r.tracing = false
	kept = kept && !r.Draws.refused && !r.unroll && !(r.Full && kinds[0].Recurs())
	for _, iteration := range kinds {
		for _, x := range r.Effects[r.loopMark.effects:] {
			kept = kept && !iteration.Depends(x)
		}
		kept = kept && r.checks.end(r.Graph, iteration, r.loopMark.obligations)
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

// Together reports whether factors of the same form may be one term: where they are analysed.
func (r *Recorder) Together() bool { return r.Full }

// NodeOf is the node of a value.
func (r *Recorder) NodeOf(v *eval.Value) autodiff.Node { return r.Node(v) }

// Numbers evaluates nodes at the point of the recording.
func (r *Recorder) Numbers(nodes []autodiff.Node) ([][]float64, error) {
	return autodiff.Evaluate(r.Graph, r.Point, nodes)
}

// differs reports whether some number of a value is another one in other iterations.
func (r *Recorder) differs(v *eval.Value) bool {
	for i := range v.X {
		if ref := v.Ref(i); ref.Node != autodiff.None && r.body.Depends(ref.Node) {
			return true
		}
	}
	return false
}

const (
	// mostPoints is the greatest number of variates of a density that iterations add up one by one.
	mostPoints = 64
	// fewPoints is up to how many of them do not take longer than a call for all and the rest of the iteration unrolled.
	fewPoints = 4
)

// pointwise is a density of vectors as the sum over their elements; false where an argument
// is of another form.
func (r *Recorder) pointwise(op *autodiff.Op, args []*eval.Value) (autodiff.Node, bool) {
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
	nodes := r.Nodes(args)
	if n == 1 {
		return r.Graph.Map(op, 1, nodes...), true
	}
	return r.Graph.Sum(r.Graph.Map(op, n, nodes...)), true
}
