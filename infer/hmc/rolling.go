// This file is the warm-up that learns the metric from gradients as well as from positions.

package hmc

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
)

// Adaptations of the metric.
const (
	AdaptStan     = "stan"     // from the positions of windows that double: see Schedule
	AdaptGradient = "gradient" // from positions and gradients of a rolling window: see rolling
)

// The rolling warm-up's parts, as shares of its length, and windows, in iterations.
const (
	earlyShare  = 0.3  // the early part, in which the metric is forgotten fast
	finalShare  = 0.15 // the final part, in which the step size alone is adapted
	leastFinal  = 50   // iterations of it, in a warm-up of three times as many or more
	earlyWindow = 10
	lateWindow  = 80
)

// rolling estimates the metric from positions q and gradients g of the log density over a
// window that moves along with the chain, from the first iterations on. Of a normal target
// with independent coordinates the gradient of each is -(q - mean)/variance, so that
//
//	variance = sqrt(var(q) / var(g))
//
// holds for any two positions, even of a chain that has not come far; for other targets it
// is the diagonal metric that brings positions and gradients to the same scale, which
// minimises a Fisher divergence between the transformed target and a standard normal
// (Seyboldt, Carlson and Carpenter, "Preconditioning Hamiltonian Monte Carlo by minimizing
// Fisher divergence", 2026; the program nutpie). Stan needs as many draws as the variance
// of q takes to be known.
//
// Two windows are filled at a time. The metric is set from the older one after every
// iteration; where the younger one is full, it takes its place and a new one is begun. So
// the estimate always rests on one to two lengths of window, and what was met on the way to
// the target is forgotten soon. The step size is adapted throughout and begins anew
// when there is a first estimate, and at the end of the early part.
//
// A low-rank metric is estimated (see estimateLowRank) when windows change, ever less often (see
// due), and at the end; the diagonal serves until then. Where gradients and positions do not go together as they do
// near a normal target (misfits), the metric is the diagonal of the variances of positions, as Stan
// has it: gradients of a target with narrow places come from those, and positions from
// elsewhere, and what lies between makes steps too long for the narrow ones.
type rolling struct {
	warmup     int
	lowRank    bool
	bent       bool // gradients are not learned from: see mostMisfit
	next       int  // iterations before the next search for directions, but for that at the end
	old, young window
	room       []float64 // for the vectors that windows keep
}

// A window is the moments of positions and gradients, and for a low-rank metric also these.
type window struct {
	q, g   *moments
	qs, gs [][]float64
}

func newRolling(dim, warmup int, lowRank bool) *rolling {
	r := &rolling{warmup: warmup, lowRank: lowRank}
	for _, w := range []*window{&r.old, &r.young} {
		w.q, w.g = newMoments(dim, false), newMoments(dim, false)
	}
	return r
}

// By what factor there are more iterations behind a search for directions than behind the
// one before, where that found some and where the diagonal was enough.
const soon, late = 1.2, 4.0

// due reports whether to look for directions after iteration i, where windows changed if begun
// says so. A search takes as long as a hundred cheap gradients or more, so that a target without
// directions must not be searched often.
func (r *rolling) due(i int, begun bool) bool {
	return i+1 == r.final() || begun && i+1 >= r.next
}

// searched notes what the search after iteration i found.
func (r *rolling) searched(i int, found bool) {
	factor := late
	if found {
		factor = soon
	}
	r.next = int(factor * float64(i+1))
}

// early and final are the iterations that end the early and begin the final part.
func (r *rolling) early() int { return int(earlyShare * float64(r.warmup)) }
func (r *rolling) final() int {
	return r.warmup - max(int(finalShare*float64(r.warmup)), min(leastFinal, r.warmup/3))
}

// add takes up iteration i and reports whether a new window was begun.
func (r *rolling) add(i int, s *infer.State) bool {
	q, g := s.Q, s.Grad
	if r.lowRank {
		q, g = r.keep(q), r.keep(g)
	}
	for _, w := range []*window{&r.old, &r.young} {
		w.add(q, g, r.lowRank)
	}
	length := lateWindow
	if i < r.early() {
		length = earlyWindow
	}
	if int(r.young.q.n) < length {
		return false
	}
	r.old, r.young = r.young, r.old
	r.young.reset()
	return true
}

// keep copies a vector that windows hold on to, many in one block of memory.
func (r *rolling) keep(x []float64) []float64 {
	const block = 1024
	if cap(r.room)-len(r.room) < len(x) {
		r.room = make([]float64, 0, max(block, len(x)))
	}
	from := len(r.room)
	r.room = append(r.room, x...)
	return r.room[from:len(r.room):len(r.room)]
}

func (w *window) add(q, g []float64, keep bool) {
	w.q.add(q)
	w.g.add(g)
	if keep {
		w.qs, w.gs = append(w.qs, q), append(w.gs, g)
	}
}

func (w *window) reset() {
	w.q.reset()
	w.g.reset()
	w.qs, w.gs = w.qs[:0], w.gs[:0]
}

// The estimates stay within these bounds.
const leastVariance, mostVariance = 1e-20, 1e20

// estimate overwrites a diagonal inverse metric. Coordinates about which the window says
// nothing keep what they have; it reports false where it is too short.
func (r *rolling) estimate(inv []float64) bool {
	if r.old.q.n < 3 {
		return false
	}
	if r.bent {
		return r.old.q.regularized(inv)
	}
	for i, q := range r.old.q.scatter {
		if v := math.Sqrt(q / r.old.g.scatter[i]); v > 0 && !math.IsInf(v, 1) {
			inv[i] = min(max(v, leastVariance), mostVariance)
		}
	}
	return true
}

// learns is 1 where gradients are learned from, or else 0.
func (r *rolling) learns() float64 {
	if r != nil && r.bent {
		return 0
	}
	return 1
}

// nextSearch is next, 0 where gradients are not learned from at all.
func (r *rolling) nextSearch() float64 {
	if r == nil {
		return 0
	}
	return float64(r.next)
}

// first is the inverse metric at the starting point: a coordinate whose gradient is large
// is taken for one that varies little.
func (r *rolling) first(s *infer.State, inv []float64) {
	for i, g := range s.Grad {
		if v := 1 / math.Abs(g); v > 0 && !math.IsInf(v, 1) {
			inv[i] = min(max(v, leastVariance), mostVariance)
		}
	}
}

// roll is Update of the rolling warm-up; the step size is adapted already.
func (t *Tuner) roll(rng *rand.Rand, i int, s *infer.State, info *infer.Info) error {
	r := t.rolling
	if r.bent && i+1 == t.warmup-t.settings.Buffers.Term {
		return t.restart(rng, s)
	}
	if i >= r.final() {
		return nil
	}
	first, turned := r.old.q.n < 3, false
	if info.Divergence == nil && info.Rejection == nil {
		begun := r.add(i, s)
		search, bent := r.due(i, begun), r.bent
		t.learn(search, i >= r.early())
		turned = r.bent != bent
		if r.lowRank && search {
			r.searched(i, r.bent || len(t.h.Metric.low.stretch) > 0)
		}
	}
	if first && r.old.q.n >= 3 || i+1 == r.early() || turned {
		return t.restart(rng, s)
	}
	return nil
}

// learn sets the metric from the older window. Directions are looked for if asked to, since
// that takes a while, and so is whether gradients are of use: on the way to the target they
// do not tell.
func (t *Tuner) learn(directions, judge bool) {
	r, m := t.rolling, t.h.Metric
	if r.lowRank && directions {
		r.bent = false
	}
	copy(t.estimate, m.inv)
	if !r.estimate(t.estimate) {
		return
	}
	switch {
	case r.lowRank && directions:
		stretch, vectors, misfit := estimateLowRank(r.old.qs, r.old.gs, t.estimate)
		if r.bent = judge && misfit > mostMisfit; !r.bent {
			m.learn(t.estimate, stretch, vectors)
			return
		}
		r.estimate(t.estimate)
	case r.lowRank && len(m.low.stretch) > 0:
		return
	}
	m.learn(t.estimate, nil, nil)
}

// restart looks for a step size and averages anew around it.
func (t *Tuner) restart(rng *rand.Rand, s *infer.State) error {
	if err := t.search(rng, s, t.rolling != nil); err != nil {
		return err
	}
	t.average.Restart(t.h.StepSize)
	return nil
}
