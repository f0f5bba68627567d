// Settling claims: which calls of a recording need checks of their own.

package bind

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// settleChecks adds to the effects what shows that a call is rejected, for calls of which
// neither the roots nor other effects show it. Where nobody looks at the roots, the program
// fails wherever the plain evaluator rejects. It returns false where a check would need
// numbers that a loop does not keep; the recording must then be made without loops.
func (r *recorder) settleChecks(look autodiff.RootTest, roots ...autodiff.Node) bool {
	r.keepCalls(roots)
	s := &settling{r: r, sight: r.g.NonFiniteFlow(roots, r.effects, look), ok: true,
		demands: make([]bool, len(r.checks.demands)), calls: make([]bool, len(r.checks.calls)),
		apart: map[interval][]autodiff.Ref{}}
	for i := range r.checks.claims {
		s.claim(&r.checks.claims[i])
	}
	s.join()
	return s.ok
}

// settled makes a recording, without loops where checks need that. What is printed is printed
// once.
func settled(print func(string), record func(loops bool, print func(string)) (ok bool, err error)) error {
	ok, err := record(true, print)
	if err == nil && !ok {
		_, err = record(false, nil)
	}
	return err
}

// keepCalls makes effects of calls that may be rejected and that nothing needs.
func (r *recorder) keepCalls(roots []autodiff.Node) {
	var live []bool // made when there is a call
	for i := len(r.checks.claims) - 1; i >= 0; i-- {
		k := &r.checks.claims[i]
		if !k.alive {
			continue
		}
		if live == nil {
			live = r.g.Ancestors(append(roots[:len(roots):len(roots)], r.effects...)...)
		}
		if !live[k.out] {
			r.effects = append(r.effects, k.out)
			r.g.MarkAncestors(live, k.out)
		}
	}
}

// A settling goes through the claims.
type settling struct {
	r              *recorder
	sight          *autodiff.NonFiniteFlow
	demands, calls []bool // for which there are checks
	intervals      []interval
	apart          map[interval][]autodiff.Ref // numbers to be checked
	ok             bool
}

// An interval is closed.
type interval struct{ low, high float64 }

func (s *settling) claim(k *claim) {
	if k.alive {
		return
	}
	shows := s.shown(k)
	if k.call < 0 && k.needs == nil && shows(stdlib.IsNaN) {
		return
	}
	if k.call < 0 && len(k.needs) == 0 { // NaN where it is rejected
		s.check(k, demand{k.out, math.Inf(-1), math.Inf(1)})
		return
	}
	for _, n := range k.needs {
		if !shows(n.sign) && !s.demands[n.demand] {
			s.demands[n.demand] = true
			s.check(k, s.r.checks.demands[n.demand])
		}
	}
	if k.call >= 0 && !shows(k.sign) && !s.calls[k.call] {
		s.calls[k.call] = true
		s.callAgain(k, &s.r.checks.calls[k.call])
	}
}

// shown gives what says whether a value that is wrong in some way shows.
func (s *settling) shown(k *claim) func(stdlib.Sign) bool {
	nan, notFinite := true, true
	switch {
	case k.round == nil:
		nan, notFinite = s.sight.NaN(k.out), s.sight.NotFinite(k.out)
	case k.places == nil:
		nan, notFinite = false, false
	}
	for _, p := range k.places {
		nan, notFinite = nan && s.sight.NaNAt(p), notFinite && s.sight.NotFiniteAt(p)
	}
	return func(sign stdlib.Sign) bool {
		switch sign {
		case stdlib.IsNaN:
			return nan
		case stdlib.NotFinite:
			return notFinite
		}
		return false
	}
}

// check adds the check of a demand.
func (s *settling) check(k *claim, d demand) {
	if k.round == nil || !k.round.Depends(d.x) {
		s.add(d)
		return
	}
	for e := range s.r.g.Len(d.x) {
		all := k.round.VectorOutside(autodiff.Ref{Node: d.x, Elem: int32(e)})
		if all == autodiff.None {
			s.ok = false
			return
		}
		s.add(demand{all, d.low, d.high})
	}
}

// fewElements is up to how many numbers are checked one by one, so that neighbours from several
// demands are checked together.
const fewElements = 8

// add makes the check an effect, or keeps its numbers for join.
func (s *settling) add(d demand) {
	g := s.r.g
	if g.Constant(d.x) { // it was looked at when the recording was made
		return
	}
	n := g.Len(d.x)
	if n > fewElements {
		s.r.effects = append(s.r.effects, g.Check(d.x, d.low, d.high))
		return
	}
	at := interval{d.low, d.high}
	if s.apart[at] == nil {
		s.intervals = append(s.intervals, at)
	}
	for i := range n {
		s.apart[at] = append(s.apart[at], g.Source(d.x, i))
	}
}

// join makes checks of numbers that were kept, one for each run of neighbours.
func (s *settling) join() {
	g := s.r.g
	for _, at := range s.intervals {
		list := s.apart[at]
		slices.SortFunc(list, func(a, b autodiff.Ref) int {
			return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Elem, b.Elem))
		})
		list = slices.Compact(list)
		for len(list) > 0 {
			n := 1
			for n < len(list) && list[n].Node == list[0].Node && list[n].Elem == list[n-1].Elem+1 {
				n++
			}
			if run := g.View(list[0].Node, int(list[0].Elem), n); !g.Constant(run) {
				s.r.effects = append(s.r.effects, g.Check(run, at.low, at.high))
			}
			list = list[n:]
		}
	}
}

// callAgain adds a call for what rejects it.
func (s *settling) callAgain(k *claim, p *preconditions) {
	if k.round != nil {
		for _, x := range p.in {
			if k.round.Depends(x) {
				s.ok = false
				return
			}
		}
	}
	s.r.effects = append(s.r.effects, s.r.g.Opaque(p.fn, p.size, p.in...))
}
