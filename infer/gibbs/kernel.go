// This file is the transition: a sweep over the blocks.

package gibbs

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// Kernel implements infer.Kernel.
type Kernel struct {
	target       infer.Target
	conditionals infer.Conditionals // nil where every block is of slices
	blocks       []infer.Block
	order        []int          // places of blocks in a sweep
	random       bool           // the order is drawn anew in each sweep
	sections     infer.Sections // nil where coordinates cannot be moved at less cost
	sites        infer.Sites    // the same of whole numbers
	palindrome   bool
	whole        []infer.Range // of the last coordinates
	width        []float64     // of slices, by coordinate
	steps        []float64     // distance of the last update of each coordinate; nil after warm-up
}

// Start implements infer.Kernel. Whole-number coordinates are moved to the nearest
// value that they can have; the first sweep draws them anew.
func (k *Kernel) Start(s *infer.State) error {
	first := len(s.Q) - len(k.whole)
	for i, r := range k.whole {
		s.Q[first+i] = math.Min(math.Max(math.Round(s.Q[first+i]), r.Low), r.High)
	}
	lp, err := k.logDensity(s.Q)
	s.LogDensity = lp
	return err
}

// DrawWhole implements infer.WholeDrawer.
func (k *Kernel) DrawWhole(r *rand.Rand, q []float64) (bool, error) {
	return infer.DrawWhole(k.target, q, r)
}

// Pair implements infer.Invertible: a palindrome of reversible updates is its own
// reversal, and so are updates of blocks drawn independently.
func (k *Kernel) Pair() (forward, reverse infer.Kernel) {
	p := *k
	p.palindrome, p.order = !k.random, slices.Clone(k.order)
	return &p, &p
}

// Step implements infer.Kernel.
func (k *Kernel) Step(rng *rand.Rand, s *infer.State, info *infer.Info) error {
	*info = infer.Info{AcceptStat: math.NaN(), Stats: info.Stats}
	stale := false // whether s.LogDensity is that of an earlier point
	if k.random {
		for i := range k.order {
			k.order[i] = variate.IntN(rng, len(k.blocks))
		}
	}
	if err := k.sweep(false, rng, s, &stale); err != nil {
		return err
	}
	if k.palindrome {
		slices.Reverse(k.order)
		defer slices.Reverse(k.order)
		if err := k.sweep(true, rng, s, &stale); err != nil {
			return err
		}
	}
	return k.refresh(s, &stale)
}

// sweep updates blocks in their order, those with full conditionals in runs; backward is whether the
// coordinates of the others come in the opposite order.
func (k *Kernel) sweep(backward bool, rng *rand.Rand, s *infer.State, stale *bool) error {
	for i := 0; i < len(k.order); {
		n := 1
		if k.blocks[k.order[i]].Exact {
			for i+n < len(k.order) && k.blocks[k.order[i+n]].Exact {
				n++
			}
			*stale = true
			if err := k.conditionals.DrawBlocks(k.order[i:i+n], s.Q, rng); err != nil {
				return err
			}
		} else if err := k.update(k.order[i], backward, rng, s, stale); err != nil {
			return err
		}
		i += n
	}
	return nil
}

// refresh brings the state's log density up to date.
func (k *Kernel) refresh(s *infer.State, stale *bool) error {
	if !*stale {
		return nil
	}
	lp, err := k.logDensity(s.Q)
	if err != nil && !infer.IsReject(err) {
		return err
	}
	s.LogDensity, *stale = lp, false
	return nil
}

func (k *Kernel) logDensity(q []float64) (float64, error) {
	if k.sections != nil {
		return k.sections.LogJoint(q)
	}
	return k.target.LogDensity(q)
}

// update updates the coordinates of block i one by one; in the opposite order with backward set.
func (k *Kernel) update(i int, backward bool, rng *rand.Rand, s *infer.State, stale *bool) error {
	b := &k.blocks[i]
	first := len(s.Q) - len(k.whole)
	if k.sites != nil && len(b.Coords) > 0 && b.Coords[0] >= first {
		if ok, err := k.updateSites(b.Coords, first, backward, rng, s, stale); ok || err != nil {
			return err
		}
	}
	for j := range b.Coords {
		c := inOrder(b.Coords, j, backward)
		before := s.Q[c]
		if err := k.updateOne(c, first, rng, s, stale); err != nil {
			return err
		}
		if k.steps != nil {
			k.steps[c] = math.Abs(s.Q[c] - before)
		}
	}
	return nil
}

// inOrder is coordinate j of a block.
func inOrder(coords []int, j int, backward bool) int {
	if backward {
		return coords[len(coords)-1-j]
	}
	return coords[j]
}

// updateSites updates whole numbers from first on by the terms that each is in; false where these
// are not known.
func (k *Kernel) updateSites(coords []int, first int, backward bool, rng *rand.Rand, s *infer.State, stale *bool) (bool, error) {
	if ok, err := k.sites.OpenSites(s.Q); !ok || err != nil {
		return false, err
	}
	*stale = true
	for j := range coords {
		c := inOrder(coords, j, backward)
		before := s.Q[c]
		v, _, err := draw(before, k.whole[c-first], rng, func(v float64) (float64, error) {
			return infer.Finite(k.sites.LogSite(c, v), nil)
		})
		if err != nil {
			return false, err
		}
		s.Q[c] = v
		k.sites.MoveSite(c, v)
		if k.steps != nil {
			k.steps[c] = math.Abs(v - before)
		}
	}
	return true, nil
}

// updateOne updates coordinate c; those from first on are whole numbers.
func (k *Kernel) updateOne(c, first int, rng *rand.Rand, s *infer.State, stale *bool) error {
	if c < first && k.sections != nil {
		ok, err := k.sections.Section(c, s.Q)
		if err != nil {
			return err
		}
		if ok {
			lp, err := k.sections.LogSection(s.Q[c])
			if err != nil && !infer.IsReject(err) {
				return err
			}
			s.LogDensity, *stale = lp, true
			return k.slice(c, k.sections.LogSection, rng, s)
		}
	}
	if err := k.refresh(s, stale); err != nil {
		return err
	}
	if c >= first {
		return k.enumerate(c, k.whole[c-first], rng, s)
	}
	return k.slice(c, func(x float64) (float64, error) {
		s.Q[c] = x
		return k.target.LogDensity(s.Q)
	}, rng, s)
}

// maxSteps bounds the stepping out of one update.
const maxSteps = 64

// slice updates one coordinate; density is the log density along it, which
// s.LogDensity is a value of.
func (k *Kernel) slice(c int, density func(x float64) (float64, error), rng *rand.Rand, s *infer.State) error {
	at, keep := s.Q[c], s.LogDensity
	level := keep + libm.Log(1-rng.Float64())
	inside := func(x float64) (bool, error) {
		lp, err := infer.Finite(density(x))
		if err != nil || !(lp >= level) || math.IsInf(lp, -1) {
			return false, err
		}
		s.Q[c], s.LogDensity = x, lp
		return true, nil
	}
	w := k.width[c]
	lo := at - float64(w*rng.Float64())
	hi := lo + w
	left := variate.IntN(rng, maxSteps)
	right := maxSteps - 1 - left
	for ; left > 0; left-- {
		in, err := inside(lo)
		if err != nil {
			return err
		}
		if !in {
			break
		}
		lo -= w
	}
	for ; right > 0; right-- {
		in, err := inside(hi)
		if err != nil {
			return err
		}
		if !in {
			break
		}
		hi += w
	}
	for {
		x := lo + float64(rng.Float64()*(hi-lo))
		in, err := inside(x)
		if err != nil {
			return err
		}
		if in {
			return nil
		}
		switch {
		case x < at:
			lo = x
		case x > at:
			hi = x
		default: // the interval has shrunk to the point itself
			s.Q[c], s.LogDensity = at, keep
			return nil
		}
	}
}

// maxValues is the greatest number of values of a whole-number coordinate that are
// all tried in an update; of more, as many neighbours on either side are.
const maxValues = 1000

// enumerate draws a whole-number coordinate from its full conditional.
func (k *Kernel) enumerate(c int, r infer.Range, rng *rand.Rand, s *infer.State) error {
	best, lp, err := draw(s.Q[c], r, rng, func(v float64) (float64, error) {
		s.Q[c] = v
		return infer.FiniteLogDensity(k.target, s.Q)
	})
	if err != nil {
		return err
	}
	s.Q[c] = best
	if !math.IsInf(lp, -1) {
		s.LogDensity = lp
	}
	return nil
}

// draw draws a whole number that is at a value now from its full conditional, and returns its log
// density, -Inf where all are. With more than maxValues values it draws from a window around the
// present one, placed at random so that the update leaves the density invariant.
func draw(at float64, r infer.Range, rng *rand.Rand, density func(v float64) (float64, error)) (best, bestLP float64, err error) {
	lo, hi := r.Low, r.High
	if hi-lo >= maxValues {
		from := at - float64(variate.IntN(rng, maxValues))
		lo, hi = math.Max(lo, from), math.Min(hi, from+maxValues-1)
	}
	greatest := math.Inf(-1)
	best, bestLP = at, greatest
	for v := lo; v <= hi; v++ {
		lp, err := density(v)
		if err != nil {
			return at, bestLP, err
		}
		// The greatest of log density plus Gumbel noise is a draw.
		if g := lp - libm.Log(variate.Exponential(rng)); g > greatest {
			best, greatest, bestLP = v, g, lp
		}
	}
	return best, bestLP, nil
}

// A tuner learns the widths of slices.
type tuner struct {
	k     *Kernel
	moved []float64 // running means of the distances covered
}

// Begin implements infer.Tuner.
func (t *tuner) Begin(*rand.Rand, *infer.State) error {
	t.k.steps = make([]float64, len(t.k.width))
	return nil
}

// Update implements infer.Tuner.
func (t *tuner) Update(_ *rand.Rand, i int, _ *infer.State, _ *infer.Info) error {
	gain := math.Max(1/float64(i+1), 0.02)
	for _, b := range t.k.blocks {
		if b.Exact {
			continue
		}
		for _, c := range b.Coords {
			t.moved[c] += float64(gain * (t.k.steps[c] - t.moved[c]))
			if i >= 10 {
				t.k.width[c] = math.Min(math.Max(4.0/3*t.moved[c], 1e-6), 1e6)
			}
		}
	}
	return nil
}

// End implements infer.Tuner.
func (t *tuner) End() error {
	t.k.steps = nil
	return nil
}

// Adaptation implements infer.Tuner: the widths of slices; none where every block is drawn
// from its full conditional.
func (t *tuner) Adaptation() draws.Adaptation {
	widths := make([]float64, len(t.k.width))
	slices := false
	for _, b := range t.k.blocks {
		for _, c := range b.Coords {
			if !b.Exact && c < len(widths)-len(t.k.whole) {
				widths[c], slices = t.k.width[c], true
			}
		}
	}
	if !slices {
		return draws.Adaptation{}
	}
	return draws.Adaptation{Widths: widths}
}

// Adopt implements infer.Tuner.
func (t *tuner) Adopt(a draws.Adaptation) error {
	if len(a.Widths) != len(t.k.width) {
		return nil
	}
	for i, w := range a.Widths {
		if w > 0 {
			t.k.width[i] = w
		}
	}
	return nil
}
