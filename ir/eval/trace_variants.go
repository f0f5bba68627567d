// Which iterations of a loop are tried as one.

package eval

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
)

// iterations are n iterations of a loop: from lo on, or those in list.
type iterations struct {
	lo, n     int
	list      []int
	induction *inductionVars
	body      func() // what an iteration does in place of the loop's statements; nil for these
}

const (
	// maxSegments is how often a loop is tried to be run as one iteration: at its beginning, and
	// from iterations on that are unlike those before.
	maxSegments = 4
	// maxVariants is the same for loops whose iterations are independent, which may be
	// taken in any order: those that are alike together.
	maxVariants = 128
)

// traceSegments runs iterations from lo on as one iteration for all where that can be done, and
// returns how many it has run. The iterations after these, up to end, are to be run one by one;
// tries counts.
func (f *frame) traceSegments(s *ir.For, lo, hi int, a *inductionVars, tries *int) (done, end int) {
	if *tries == maxSegments || hi <= lo {
		return 0, hi
	}
	*tries++
	tried, ok := f.traceLoop(s, iterations{lo: lo, n: hi - lo + 1, induction: a})
	switch {
	case ok:
		return hi - lo + 1, hi
	case tried != nil && changes(tried.variants, hi-lo+1) > maxChanges && f.traceMixed(s, iterations{lo: lo, n: hi - lo + 1, induction: a}, tried.variants):
		return hi - lo + 1, hi
	case tried == nil || tried.runLength == 0:
		*tries = maxSegments
		return 0, hi
	}
	end = lo + tried.runLength - 1
	if _, ok = f.traceLoop(s, iterations{lo: lo, n: tried.runLength, induction: a}); ok {
		return tried.runLength, end
	}
	return 0, end
}

// canTrace reports whether a loop may be tried.
func (f *frame) canTrace(s *ir.For) bool {
	_, ok := f.m.Rec.(LoopRecorder)
	plan := f.m.Prog.Recurrences[s]
	if !ok || plan == nil || f.m.tracer != nil || f.m.sim != nil || f.m.Kept != nil {
		return false
	}
	d := f.m.disc
	return d == nil || plan.Independent && len(plan.Induction) == 0 && d.traces(f)
}

// traceVariants runs a loop whose iterations are independent, those that are alike as one, and
// reports whether it has; if not, nothing has been run.
func (f *frame) traceVariants(s *ir.For, lo, hi int, a *inductionVars) bool {
	if hi <= lo || !f.m.Prog.Recurrences[s].Independent {
		return false
	}
	tried, ok := f.traceLoop(s, iterations{lo: lo, n: hi - lo + 1, induction: a})
	if ok || tried == nil || len(tried.variants) == 0 {
		a.set(f, lo)
		if ok {
			a.set(f, hi+1)
		}
		return ok
	}
	var single []int // iterations that are run by themselves
	for queue, tries := tried.variants, 1; len(queue) > 0; queue = queue[1:] {
		list := queue[0]
		if tries++; tries > maxVariants || len(list) == 1 {
			single = append(single, list...)
			continue
		}
		tried, ok := f.traceLoop(s, iterations{lo: list[0], n: len(list), list: list, induction: a})
		switch {
		case ok:
		case tried == nil || len(tried.variants) == 0:
			single = append(single, list...)
		default:
			queue = append(queue, tried.variants...)
		}
	}
	slices.Sort(single)
	for _, i := range single {
		f.m.countIteration()
		a.set(f, i)
		f.vars[s.Var.Slot] = slot{v: Int(i)}
		f.stmts(s.Body)
	}
	a.set(f, hi+1)
	return true
}

// changes is how often the variant changes between iterations, of which there are n; 0 where there
// are too many variants.
func changes(variants [][]int, n int) int {
	if len(variants) < 2 || len(variants) > autodiff.MaxVariants {
		return 0
	}
	same := 0
	for _, list := range variants {
		for i := range list[1:] {
			if list[i+1] == list[i]+1 {
				same++
			}
		}
	}
	return n - 1 - same
}

// sorted returns the iterations by a number that each has.
func (r *loopTracer) sorted(number func(t int) int) [][]int {
	var out [][]int
	place := map[int]int{}
	for t := range r.n {
		x := number(t)
		k, ok := place[x]
		if !ok {
			k = len(out)
			place[x], out = k, append(out, nil)
		}
		out[k] = append(out[k], r.value(t))
	}
	return out
}
