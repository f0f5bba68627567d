// Which rounds of a loop are tried as one.

package eval

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
)

// rounds are n rounds of a loop: from lo on, or those in list.
type rounds struct {
	lo, n int
	list  []int
	ahead *ahead
}

const (
	// mostPieces is how often a loop is tried to be run as one round: at its beginning, and
	// from rounds on that are unlike those before.
	mostPieces = 4
	// mostKinds is the same for loops whose rounds hand nothing on, which may be
	// taken in any order: those that are alike together.
	mostKinds = 128
)

// pieces runs rounds from lo on as one round for all where that can be done, and gives how
// many it has run. The rounds after these, up to end, are to be run one by one; tries counts.
func (f *frame) pieces(s *ir.For, lo, hi int, a *ahead, tries *int) (done, end int) {
	if *tries == mostPieces || hi <= lo {
		return 0, hi
	}
	*tries++
	tried, ok := f.roll(s, rounds{lo: lo, n: hi - lo + 1, ahead: a})
	switch {
	case ok:
		return hi - lo + 1, hi
	case tried != nil && changes(tried.kinds, hi-lo+1) > mostChanges && f.mixed(s, rounds{lo: lo, n: hi - lo + 1, ahead: a}, tried.kinds):
		return hi - lo + 1, hi
	case tried == nil || tried.alike == 0:
		*tries = mostPieces
		return 0, hi
	}
	end = lo + tried.alike - 1
	if _, ok = f.roll(s, rounds{lo: lo, n: tried.alike, ahead: a}); ok {
		return tried.alike, end
	}
	return 0, end
}

// rolls says whether a loop may be tried.
func (f *frame) rolls(s *ir.For) bool {
	_, ok := f.m.Rec.(Roller)
	return ok && f.m.Prog.Recurrences[s] != nil && f.m.rolling == nil && f.m.disc == nil && f.m.sim == nil && f.m.Kept == nil
}

// kinds runs a loop whose rounds hand nothing on, those that are alike as one, and
// says whether it has; if not, nothing has been run.
func (f *frame) kinds(s *ir.For, lo, hi int, a *ahead) bool {
	if hi <= lo || !f.m.Prog.Recurrences[s].Apart {
		return false
	}
	tried, ok := f.roll(s, rounds{lo: lo, n: hi - lo + 1, ahead: a})
	if ok || tried == nil || len(tried.kinds) == 0 {
		a.set(f, lo)
		if ok {
			a.set(f, hi+1)
		}
		return ok
	}
	var single []int // rounds that are run by themselves
	for queue, tries := tried.kinds, 1; len(queue) > 0; queue = queue[1:] {
		list := queue[0]
		if tries++; tries > mostKinds || len(list) == 1 {
			single = append(single, list...)
			continue
		}
		tried, ok := f.roll(s, rounds{lo: list[0], n: len(list), list: list, ahead: a})
		switch {
		case ok:
		case tried == nil || len(tried.kinds) == 0:
			single = append(single, list...)
		default:
			queue = append(queue, tried.kinds...)
		}
	}
	slices.Sort(single)
	for _, i := range single {
		f.m.round()
		a.set(f, i)
		f.vars[s.Var.Slot] = slot{v: Int(i)}
		f.stmts(s.Body)
	}
	a.set(f, hi+1)
	return true
}

// changes is how often the kind changes from round to round, of which there are n; 0 where there are
// too many kinds.
func changes(kinds [][]int, n int) int {
	if len(kinds) < 2 || len(kinds) > autodiff.MaxVariants {
		return 0
	}
	same := 0
	for _, list := range kinds {
		for i := range list[1:] {
			if list[i+1] == list[i]+1 {
				same++
			}
		}
	}
	return n - 1 - same
}

// sorted gives the rounds by a number that each has.
func (r *rolling) sorted(number func(t int) int) [][]int {
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
