// Discharging obligations: which calls of a recording need checks of their own.

package trace

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// DischargeObligations adds to the effects what shows that a call is rejected, for calls of which
// neither the roots nor other effects show it. Where nobody looks at the roots, the program
// fails wherever the reference interpreter rejects. It returns false where a check would need
// numbers that a loop does not keep; the recording must then be made without loops.
func (r *Recorder) DischargeObligations(look autodiff.RootTest, roots ...autodiff.Node) bool {
	r.keepCalls(roots)
	s := &discharger{r: r, flow: autodiff.NewNonFiniteFlow(r.Graph, roots, r.Effects, look), ok: true,
		bounds: make([]bool, len(r.checks.bounds)), calls: make([]bool, len(r.checks.calls)),
		numbers: map[interval][]autodiff.Ref{}, seen: map[bound]bool{}}
	for i := range r.checks.obligations {
		s.discharge(&r.checks.obligations[i])
	}
	s.join()
	return s.ok
}

// Discharged makes a recording, without loops where checks need that. What is printed is printed
// once.
func Discharged(print func(string), record func(loops bool, print func(string)) (ok bool, err error)) error {
	ok, err := record(true, print)
	if err == nil && !ok {
		_, err = record(false, nil)
	}
	return err
}

// keepCalls makes effects of calls that may be rejected and that nothing needs.
func (r *Recorder) keepCalls(roots []autodiff.Node) {
	var live []bool // made when there is a call
	for i := len(r.checks.obligations) - 1; i >= 0; i-- {
		k := &r.checks.obligations[i]
		if !k.selfChecking {
			continue
		}
		if live == nil {
			live = r.Graph.Ancestors(append(roots[:len(roots):len(roots)], r.Effects...)...)
		}
		if !live[k.out] {
			r.Effects = append(r.Effects, k.out)
			r.Graph.MarkAncestors(live, k.out)
		}
	}
}

// A discharger goes through the obligations.
type discharger struct {
	r             *Recorder
	flow          *autodiff.NonFiniteFlow
	bounds, calls []bool // for which there are checks
	intervals     []interval
	numbers       map[interval][]autodiff.Ref // numbers to be checked
	seen          map[bound]bool              // bounds of many numbers that are checked
	ok            bool
}

// An interval is closed.
type interval struct{ low, high float64 }

func (s *discharger) discharge(k *obligation) {
	if k.selfChecking {
		return
	}
	shows := s.shown(k)
	if k.check < 0 && k.preconditions == nil && shows(stdlib.IsNaN) {
		return
	}
	if k.check < 0 && len(k.preconditions) == 0 { // NaN where it is rejected
		s.check(k, bound{k.out, math.Inf(-1), math.Inf(1)})
		return
	}
	for _, n := range k.preconditions {
		if !shows(n.sign) && !s.bounds[n.bound] {
			s.bounds[n.bound] = true
			s.check(k, s.r.checks.bounds[n.bound])
		}
	}
	if k.check < 0 || shows(k.sign) || s.calls[k.check] {
		return
	}
	s.calls[k.check] = true
	if k.sign == stdlib.IsNaN { // less than the call again, which may be a decomposition
		s.check(k, bound{k.out, math.Inf(-1), math.Inf(1)})
		return
	}
	s.callAgain(k, &s.r.checks.calls[k.check])
}

// shown returns a function that reports whether a value that is wrong in some way shows.
func (s *discharger) shown(k *obligation) func(stdlib.Sign) bool {
	nan, notFinite := true, true
	switch {
	case k.body == nil:
		nan, notFinite = s.flow.NaN(k.out), s.flow.NotFinite(k.out)
	case k.places == nil:
		nan, notFinite = false, false
	}
	for _, p := range k.places {
		nan, notFinite = nan && s.flow.NaNAt(p), notFinite && s.flow.NotFiniteAt(p)
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

// check adds the check of a bound.
func (s *discharger) check(k *obligation, d bound) {
	if k.body == nil || !k.body.Depends(d.x) {
		s.add(d)
		return
	}
	for e := range s.r.Graph.Len(d.x) {
		all := k.body.VectorOutside(autodiff.Ref{Node: d.x, Elem: int32(e)})
		if all == autodiff.None {
			s.ok = false
			return
		}
		s.add(bound{all, d.low, d.high})
	}
}

// fewElements is up to how many numbers are checked one by one, so that neighbours from several
// bounds are checked together.
const fewElements = 8

// add makes the check an effect, or keeps its numbers for join.
func (s *discharger) add(d bound) {
	g := s.r.Graph
	if g.Constant(d.x) { // it was looked at when the recording was made
		return
	}
	n := g.Len(d.x)
	if n > fewElements {
		d.x = s.distinct(d.x, n)
		if s.seen[d] {
			return
		}
		s.seen[d] = true
		s.r.Effects = append(s.r.Effects, g.Check(d.x, d.low, d.high))
		return
	}
	at := interval{d.low, d.high}
	if s.numbers[at] == nil {
		s.intervals = append(s.intervals, at)
	}
	for i := range n {
		s.numbers[at] = append(s.numbers[at], g.Source(d.x, i))
	}
}

// distinct is x without elements that repeat others, where there are many.
func (s *discharger) distinct(x autodiff.Node, n int) autodiff.Node {
	if !s.r.opts.Does(optRepeats) {
		return x
	}
	of, ok := s.r.Graph.EqualRows(n, 2, []autodiff.Node{x})
	if !ok {
		return x
	}
	return s.r.Graph.Pick(x, firsts(of))
}

// join makes a check of the numbers that were kept for each interval.
func (s *discharger) join() {
	g := s.r.Graph
	for _, at := range s.intervals {
		list := s.numbers[at]
		slices.SortFunc(list, func(a, b autodiff.Ref) int {
			return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Elem, b.Elem))
		})
		list = slices.DeleteFunc(slices.Compact(list), func(r autodiff.Ref) bool { return g.Constant(r.Node) })
		if len(list) > 0 {
			s.r.Effects = append(s.r.Effects, g.Check(g.Gather(list), at.low, at.high))
		}
	}
}

// callAgain adds a call for what rejects it.
func (s *discharger) callAgain(k *obligation, p *callCheck) {
	if k.body != nil && slices.ContainsFunc(p.in, k.body.Depends) {
		s.callEach(k.body, p)
		return
	}
	s.r.Effects = append(s.r.Effects, s.r.Graph.Opaque(p.fn, p.size, p.in...))
}
