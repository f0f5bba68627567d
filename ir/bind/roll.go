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
	// fewRolled is the least number of rounds of a loop that is kept: shorter ones are
	// faster written out.
	fewRolled = 32
	// fewApart is the same for a loop whose rounds hand nothing on, which becomes vectors:
	// a call for each of their operations takes as long as machine code for many numbers. It
	// does not count where rounds written out would be calls, too.
	fewApart = 256
	// mostRolled is how many loops are kept, and mostApart how many vectors are made of
	// rounds that hand nothing on, of which a loop may have several kinds. For each all that
	// it depends on is computed once, so that very many would take long.
	mostRolled = 32
	mostApart  = 128
)

// A rollMark is how far a recording has got.
type rollMark struct {
	effects, guards, claims int
	draw                    autodiff.Node
}

func (r *recorder) mark() rollMark {
	return rollMark{len(r.effects), r.guards, len(r.checks.claims), r.draws.last}
}

// back forgets side effects.
func (r *recorder) back(to rollMark) {
	r.effects, r.guards, r.checks.claims, r.draws.last = r.effects[:to.effects], to.guards, r.checks.claims[:to.claims], to.draw
}

// Roll begins a loop that is kept.
func (r *recorder) Roll(rounds int) *autodiff.Loop {
	least := fewRolled
	if r.opts.Rounds > 0 {
		least = r.opts.Rounds
	}
	if r.point == nil || rounds < least || r.rolled >= mostRolled || r.apart >= mostApart || !r.opts.does(pass.Scan) {
		return nil
	}
	r.loopMark, r.draws.refused, r.apartCalls = r.mark(), false, false
	return r.g.Loop(rounds)
}

// Kind begins the round that stands for those at, or for all. Draws are made in all or in none.
func (r *recorder) Kind(loop *autodiff.Loop, at []int32) *autodiff.LoopBody {
	r.kindMark, r.rolling = r.mark(), true
	r.draws.inRound = 0
	if at != nil {
		r.draws.inRound = drawsKept
	}
	r.round = loop.Variant(at)
	return r.round
}

// DropKind gives up the round.
func (r *recorder) DropKind() {
	r.rolling = false
	r.back(r.kindMark)
}

// Require notes what a call requires.
func (r *recorder) Require(at source.Span, fn *stdlib.Function, args []*eval.Value, x *eval.Value) {
	r.checks.written(r, at, fn, args, r.node(x))
}

// Pays says whether to keep a loop whose rounds hand nothing on.
func (r *recorder) Pays(rounds int, apart bool) bool {
	least := fewApart
	switch {
	case r.opts.Rounds > 0:
		least = r.opts.Rounds
	case apart || r.apartCalls:
		least = fewRolled
	}
	return rounds >= least
}

// EndRoll ends the loop.
func (r *recorder) EndRoll(kinds []*autodiff.LoopBody, kept bool) bool {
	r.rolling = false
	kept = kept && !r.draws.refused
	for _, round := range kinds {
		for _, x := range r.effects[r.loopMark.effects:] {
			kept = kept && !round.Depends(x)
		}
		kept = kept && r.checks.end(r.g, round, r.loopMark.claims)
	}
	if !kept {
		r.back(r.loopMark)
		return false
	}
	if kinds[0].Recurs() {
		r.rolled++
	} else {
		r.apart++
	}
	return true
}

// NodeOf is the node of a value.
func (r *recorder) NodeOf(v *eval.Value) autodiff.Node { return r.node(v) }

// Numbers evaluates nodes at the point of the recording.
func (r *recorder) Numbers(nodes []autodiff.Node) ([][]float64, error) {
	return r.g.Evaluate(r.point, nodes)
}

// differs says whether some number of a value is another one in other rounds.
func (r *recorder) differs(v *eval.Value) bool {
	for i := range v.X {
		if ref := v.Ref(i); ref.Node != autodiff.None && r.round.Depends(ref.Node) {
			return true
		}
	}
	return false
}

// mostPoints is the greatest number of variates of a density that rounds add up one by one.
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
