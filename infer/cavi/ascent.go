// This file is the coordinate ascent: expectations, cycles, the evidence lower bound.

package cavi

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
)

// An ascent is the state of one fit.
type ascent struct {
	f       *infer.Factorisation
	factors []factor
	expect  [][]float64 // expected statistics, by block
	natural [][]float64 // natural parameters that each factor was last set to
	plates  *plates
	like    []int32     // of each block: the first one whose factor is always the same, often itself
	times   []int32     // how many blocks have it for that; 0 of all but first ones
	uses    [][]use     // terms that each block is in; made when first needed
	mean    [][]float64 // moments, by block
	sd      [][]float64
	next    []float64 // moments of the block that is being updated
	nextSD  []float64
	readers []*reader // of points; made when first needed
	points  *points   // that grids have evaluated, in all ascents of the fit
}

// A use is a term that a block is in, with the place of the block in it.
type use struct{ term, place int32 }

func newAscent(f *infer.Factorisation, laplace bool) (*ascent, error) {
	a := &ascent{f: f}
	statistics, numbers, size := 0, 0, 0
	for i := range f.Blocks {
		statistics, numbers = statistics+len(f.Blocks[i].Statistics), numbers+f.Blocks[i].Size
	}
	expect, natural := room(statistics), room(statistics)
	mean, sd := room(numbers), room(numbers)
	for i := range f.Blocks {
		b := &f.Blocks[i]
		q, err := newFactor(b, laplace)
		if err != nil {
			return nil, err
		}
		a.factors = append(a.factors, q)
		a.expect = append(a.expect, expect(len(b.Statistics)))
		a.natural = append(a.natural, natural(len(b.Statistics)))
		a.mean = append(a.mean, mean(b.Size))
		a.sd = append(a.sd, sd(b.Size))
		size = max(size, b.Size)
	}
	a.next, a.nextSD = make([]float64, size), make([]float64, size)
	a.plates = newPlates(a)
	a.share()
	return a, nil
}

// count has the grids count in p.
func (a *ascent) count(p *points) {
	a.points = p
	for _, q := range a.factors {
		countIn(q, p)
	}
}

// countIn has a grid count in p.
func countIn(q factor, p *points) {
	if g, ok := q.(*gridFactor); ok {
		g.points = p
	}
}

// tolerance is the least movement that counts: integrals that are coarse do not tell less than coarseTolerance, nor others less
// than a few rounding errors of what they integrate, which are many where data tell a number to a millionth of its size.
func (a *ascent) tolerance(asked float64) float64 {
	if a.points.coarse() {
		asked = max(asked, coarseTolerance)
	}
	for i, q := range a.factors {
		if g, ok := q.(*gridFactor); ok {
			asked = max(asked, min(16*g.rounding(a.natural[i]), mostTolerance))
		}
	}
	return asked
}

// mostTolerance is what rounding errors may make of the tolerance: a thousandth of a standard deviation is no movement.
const mostTolerance = 1e-3

const coarseTolerance = 1e-5

// same is the relative difference of bounds that are one.
func (a *ascent) same() float64 {
	if a.points.coarse() {
		return coarseTolerance
	}
	return 1e-7
}

// share has whole numbers that stand alike in terms of the same products share a factor, as do those of a
// word's occurrences in a document: given the other factors each would be set to the same.
func (a *ascent) share() {
	a.like, a.times = make([]int32, len(a.factors)), make([]int32, len(a.factors))
	known := map[uint64]int32{} // the first with a hash
	for i := range a.factors {
		b, lines := &a.f.Blocks[i], a.plates.lines[i]
		a.like[i] = int32(i)
		if b.Support == infer.Whole && len(a.plates.coupled[i]) == 0 {
			h := hashLines(lines)
			r, ok := known[h]
			switch {
			case !ok:
				known[h] = int32(i)
			case a.alike(i, int(r)):
				a.like[i] = r
				a.factors[i], a.plates.lines[i] = a.factors[r], a.plates.lines[r]
				a.expect[i], a.natural[i], a.mean[i], a.sd[i] = a.expect[r], a.natural[r], a.mean[r], a.sd[r]
			}
		}
		a.times[a.like[i]]++
	}
}

func (a *ascent) alike(i, k int) bool {
	x, y := &a.f.Blocks[i], &a.f.Blocks[k]
	return x.Size == y.Size && x.Low == y.Low && slices.Equal(a.plates.lines[i], a.plates.lines[k]) &&
		slices.EqualFunc(x.Statistics, y.Statistics, func(s, t infer.Statistic) bool { return s[0].Index == t[0].Index })
}

func hashLines(lines []single) uint64 {
	h := uint64(len(lines))
	for _, l := range lines {
		h = (h ^ uint64(l.own)<<32 ^ uint64(l.plate)) * 0x9e3779b97f4a7c15
		h = (h ^ h>>29 ^ math.Float64bits(l.coef)) * 0xbf58476d1ce4e5b9
	}
	return h
}

// room gives out n numbers in pieces, next to each other.
func room(n int) func(size int) []float64 {
	all := make([]float64, n)
	return func(size int) []float64 {
		piece := all[:size:size]
		all = all[size:]
		return piece
	}
}

// usesOf lists the terms that each block is in.
func usesOf(f *infer.Factorisation) [][]use {
	count, total := make([]int, len(f.Blocks)), 0
	for i := range f.Terms {
		for _, s := range f.Terms[i].Of {
			count[s.Block]++
			total++
		}
	}
	uses, all := make([][]use, len(f.Blocks)), make([]use, total)
	for i, n := range count {
		uses[i], all = all[:0:n], all[n:]
	}
	for t := range f.Terms {
		for p, s := range f.Terms[t].Of {
			uses[s.Block] = append(uses[s.Block], use{int32(t), int32(p)})
		}
	}
	return uses
}

// start sets the expectations to the statistics at a point of the model's free
// coordinates; values of whole numbers are all equally probable, and independent.
func (a *ascent) start(q []float64) error {
	a.plates.start()
	for i := range a.f.Blocks {
		b := &a.f.Blocks[i]
		switch b.Support {
		case infer.Whole:
			for k := range a.expect[i] {
				a.expect[i][k] = 1 / float64(b.Size)
			}
			continue
		case infer.Wholes:
			values := valuesOf(b)
			for k, s := range b.Statistics {
				a.expect[i][k] = 1
				for _, f := range s {
					a.expect[i][k] /= float64(b.Counts[values[f.Index].Number])
				}
			}
			continue
		}
		if _, err := newReader(b).at(pick(q, b.Coords), a.expect[i]); err != nil {
			return err
		}
	}
	return nil
}

// pick returns the coordinates of a block.
func pick(q []float64, coords []int) []float64 {
	out := make([]float64, len(coords))
	for i, c := range coords {
		out[i] = q[c]
	}
	return out
}

// naturalParameters fills out with those of block i given the expectations of the
// others, term by term: for statistics of which those of few blocks are asked; the ascent's own
// go by plates.
func (a *ascent) naturalParameters(i int, expect [][]float64, out []float64) {
	if a.uses == nil {
		a.uses = usesOf(a.f)
	}
	clear(out)
	for _, u := range a.uses[i] {
		t := &a.f.Terms[u.term]
		c := 1.0
		for p, s := range t.Of {
			if int32(p) != u.place {
				c *= expect[s.Block][s.Statistic]
			}
		}
		if c != 0 {
			out[t.Of[u.place].Statistic] += float64(c * t.Coef)
		}
	}
}

// update maximises the bound over factor i and says how far its moments moved, in its
// standard deviations.
func (a *ascent) update(i int) (moved float64, err error) {
	a.plates.naturalParameters(i, a.natural[i])
	q := a.factors[i]
	if err := q.set(a.natural[i]); err != nil {
		return 0, err
	}
	q.expect(a.expect[i])
	a.plates.changed(i)
	n := len(a.mean[i])
	mean, sd := a.next[:n], a.nextSD[:n]
	q.moments(mean, sd)
	for j := range n {
		moved = max(moved, math.Abs(mean[j]-a.mean[i][j])/sd[j])
		if a.sd[i][j] != sd[j] {
			moved = max(moved, math.Abs(libm.Log(a.sd[i][j]/sd[j])))
		}
	}
	copy(a.mean[i], mean)
	copy(a.sd[i], sd)
	return moved, nil
}

// cycle updates all factors in order. When ctx ends in between it says so.
func (a *ascent) cycle(ctx context.Context) (moved float64, err error) {
	for i := range a.factors {
		if a.times[i] == 0 {
			continue
		}
		if ctx.Err() != nil {
			return 0, infer.ErrInterrupted
		}
		m, err := a.update(i)
		if err != nil {
			return 0, err
		}
		moved = max(moved, m)
	}
	return moved, nil
}

// bound is the evidence lower bound.
func (a *ascent) bound() float64 {
	var s sum
	a.plates.addTo(&s)
	for i, q := range a.factors {
		if n := a.times[i]; n > 0 {
			s.add(float64(n) * q.entropy())
		}
	}
	return s.value()
}

// product is the product of a term's statistics.
func (a *ascent) product(t *infer.FactorTerm, statistics [][]float64) float64 {
	e := 1.0
	for _, s := range t.Of {
		e *= statistics[s.Block][s.Statistic]
	}
	return e
}

// logJoint is the log joint density on the declared scale at given statistics.
func (a *ascent) logJoint(statistics [][]float64) float64 {
	var s sum
	for _, t := range a.f.Terms {
		if e := a.product(&t, statistics); e != 0 {
			s.add(e * t.Coef)
		}
	}
	return s.value()
}

// forms names the factors that are not the maximisers.
func (a *ascent) approximate() string {
	var names string
	for i, q := range a.factors {
		if q.form() == "laplace" {
			if names != "" {
				names += ", "
			}
			names += a.f.Blocks[i].Name
		}
	}
	return names
}

// run goes through cycles until nothing moves and fills in the report. started reports whether
// every factor has been set.
func (a *ascent) run(ctx context.Context, o *Options, report *infer.FitReport, onStep func()) (started bool, err error) {
	for report.Iterations < o.Iterations {
		moved, err := a.cycle(ctx)
		if err != nil {
			return started, err
		}
		started = true
		report.Iterations++
		elbo := a.bound()
		report.Trace = append(report.Trace, infer.TracePoint{Iteration: report.Iterations, Objective: elbo})
		report.ELBO = &infer.Estimate{Value: elbo}
		onStep()
		if math.IsNaN(elbo) || math.IsInf(elbo, 0) {
			report.Stop = fmt.Sprintf("the evidence lower bound is %g", elbo)
			return started, nil
		}
		if least := a.tolerance(o.Tolerance); moved <= least {
			report.Converged = true
			report.Stop = fmt.Sprintf("no factor moved by more than %g of its standard deviations in a cycle", least)
			return started, nil
		}
	}
	report.Stop = fmt.Sprintf("%d cycles were made, the most that were allowed", report.Iterations)
	return started, nil
}
