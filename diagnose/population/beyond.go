// This file walks to where comparisons in the density change their results: a condition may hold in a small part of the space that has much
// of the mass, of which neither the density nor its gradient shows anything from outside.

package population

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/smc"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

const (
	interpreted  = 20   // evaluations that finding the comparisons at a point counts as
	walkStarts   = 60   // points of which the nearest are walked from
	walksEach    = 4    // walks towards the same comparisons, one of each aim
	walkSteps    = 40   // of one
	walkShare    = 12   // of all evaluations one in so many are a walk's
	longestStep  = 20   // standard deviations
	stepHalved   = 12   // times, at most
	past         = 1e-3 // of the distance to where a result changes, how far beyond a step aims
	leastWalk    = 1e-6 // standard deviations, of a step
	damping      = 1e-6
	leastDrop    = 1   // nats that a step loses, from which on it is what was left that is looked at
	regionPoints = 250 // of a chain in a part that was found
	regionFirst  = 50  // of them left out
	firstWidth   = 2.0 // of a slice, in standard deviations
	mostRegions  = 8
)

// A site is where, and at which turn, a comparison is made.
type site struct{ at, turn int }

// A walker goes to where comparisons change.
type walker struct {
	c       *check
	target  infer.Target
	compare func(q []float64) ([]infer.Comparison, error)
	rng     *rand.Rand
	scale   []float64 // of coordinates
	left    int       // evaluations
	end     int       // of left, at which a walk stops
}

// beyond are normals around parts of the space that walks came to and that modes do not account for.
func (c *check) beyond(target infer.Target, all []found) (out []found, spent int, err error) {
	if c.options.Comparisons == nil || len(c.points) < 2 || target.Dim() > widenedDim {
		return nil, 0, nil
	}
	w := &walker{c: c, target: target, compare: c.options.Comparisons(), left: c.options.Allowed / searchShare}
	if w.compare == nil {
		return nil, 0, nil
	}
	allowed := w.left
	w.rng = smc.Streams{Seed: c.options.Seed, Prefix: prefix}.Stream("beyond", 0)
	x := make([]float64, len(c.points))
	for j := range target.Dim() {
		for i, q := range c.points {
			x[i] = q[j]
		}
		_, sd := moments(x)
		if !(sd > 0) || math.IsInf(sd, 0) {
			return nil, 0, nil
		}
		w.scale = append(w.scale, sd)
	}
	step := max(1, len(c.points)/walkStarts)
	var starts [][]float64
	var met [][]infer.Comparison
	most := 0
	for i := 0; i < len(c.points); i += step {
		m, err := w.at(c.points[i])
		if fatal(err) {
			return nil, allowed - w.left, err
		}
		if err == nil && len(m) > 0 {
			starts, met, most = append(starts, c.points[i]), append(met, m), max(most, len(m))
		}
	}
	// Walks are towards runs of comparisons, as those of one condition follow each other: all, then single ones, then two, three and so on.
	lengths := []int{most, 1}
	for n := 2; n < most; n++ {
		lengths = append(lengths, n)
	}
	for k := range walksEach {
		for _, n := range slices.Compact(lengths) {
			for first := 0; first+n <= most; first++ {
				s := w.from(met, first, n, k)
				if s < 0 {
					continue
				}
				if w.left <= 0 || len(out) == mostRegions || c.ctx.Err() != nil {
					return out, allowed - w.left, c.ctx.Err()
				}
				w.end = w.left - allowed/walkShare
				one, err := w.walk(starts[s], met[s], first, n, k, slices.Concat(all, out))
				if err != nil {
					return out, allowed - w.left, err
				}
				if one != nil {
					out = append(out, *one)
				}
			}
		}
	}
	return out, allowed - w.left, nil
}

// at are the comparisons that a density makes at a point.
func (w *walker) at(q []float64) ([]infer.Comparison, error) {
	w.left -= interpreted
	return w.compare(q)
}

// density is the log density, less than any where there is none.
func (w *walker) density(q []float64) (float64, error) {
	w.left--
	lp, err := w.target.LogDensity(q)
	if fatal(err) {
		return 0, err
	}
	if err != nil || math.IsNaN(lp) {
		lp = math.Inf(-1)
	}
	return lp, nil
}

// from is the start of walk k towards a run of comparisons: the first walks begin where the run is nearest to a change, the others anywhere; -1 for none.
func (w *walker) from(met [][]infer.Comparison, first, n, k int) int {
	type start struct {
		at       int
		distance float64
	}
	var of []start
	for s, m := range met {
		if first < len(m) {
			d := 0.0
			for _, one := range m[first:min(first+n, len(m))] {
				_, r := w.row(one)
				d += float64(r * r)
			}
			of = append(of, start{s, d})
		}
	}
	slices.SortStableFunc(of, func(a, b start) int { return cmp.Compare(a.distance, b.distance) })
	if k >= len(of) {
		return -1
	}
	if k >= walksEach/2 {
		k = variate.IntN(w.rng, len(of))
	}
	return of[k].at
}

// row is the gradient of a margin over its length, in units of scale, and the distance to where it is 0, to first order; nil where the margin does
// not depend on the point.
func (w *walker) row(c infer.Comparison) ([]float64, float64) {
	row := make([]float64, len(c.Grad))
	for j, g := range c.Grad {
		row[j] = float64(g * w.scale[j])
	}
	length := mat.Norm2(row)
	if !(length > 0) || math.IsInf(length, 0) || math.IsNaN(c.Margin) || math.IsInf(c.Margin, 0) {
		return nil, 0
	}
	for j := range row {
		row[j] /= length
	}
	return row, c.Margin / length
}

// walk goes from q to where all margins of a run of comparisons are as small as they can be together, or past it, by Gauss-Newton steps. It
// ends where the density is more than modes account for, with a normal around that part.
func (w *walker) walk(q []float64, met []infer.Comparison, first, n, turn int, all []found) (*found, error) {
	from, until := siteOf(met[first]), site{at: -1}
	if first+n < len(met) {
		until = siteOf(met[first+n])
	}
	q = slices.Clone(q)
	aims := map[site]float64{}
	height, err := w.density(q)
	if err != nil {
		return nil, err
	}
	for range walkSteps {
		if w.left < w.end {
			return nil, nil
		}
		rows, distances, sites, holds := w.rows(within(met, from, until))
		if len(rows) == 0 {
			return nil, nil
		}
		off, there := make([]float64, len(rows)), true
		for i, d := range distances {
			if aims[sites[i]] == 0 {
				aims[sites[i]] = w.aim(turn, d, holds[i])
			}
			there = there && math.Signbit(aims[sites[i]]) == math.Signbit(d)
			off[i] = d - float64(past*aims[sites[i]]*math.Abs(d))
		}
		step := w.step(rows, off)
		if there || mat.Norm2(step) < leastWalk {
			return nil, nil
		}
		next, after, err := w.along(q, step, from, until, sites, rows, off)
		if err != nil || next == nil {
			return nil, err
		}
		lp, err := w.density(next)
		if err != nil {
			return nil, err
		}
		at, of, high := next, after, lp
		if height > lp+leastDrop { // the way goes on, as a part may be far out
			at, of, high = q, met, height
		}
		if !math.IsInf(high, 0) && !explained(all, at, high) {
			around, _, _, _ := w.rows(within(of, from, until))
			return w.region(at, high, around, all)
		}
		if math.IsInf(lp, 0) {
			return nil, nil
		}
		q, met, height = next, after, lp
	}
	return nil, nil
}

// aim is the side of a margin's zero that a walk goes to. The first one to the other side, then to where comparisons hold, to where none does,
// and to sides by chance.
func (w *walker) aim(turn int, distance float64, holds bool) float64 {
	stay := [...]bool{false, holds, !holds, w.rng.Uint64()%2 == 0}[turn%4]
	if stay {
		return math.Copysign(1, distance)
	}
	return math.Copysign(1, -distance)
}

func siteOf(c infer.Comparison) site { return site{c.Site, c.Turn} }

// within are the comparisons from one to another, which may not be met.
func within(met []infer.Comparison, from, until site) []infer.Comparison {
	is := func(s site) func(infer.Comparison) bool {
		return func(c infer.Comparison) bool { return siteOf(c) == s }
	}
	first := slices.IndexFunc(met, is(from))
	if first < 0 {
		return nil
	}
	if last := slices.IndexFunc(met[first:], is(until)); last > 0 {
		return met[first : first+last]
	}
	return met[first:]
}

// rows are those of comparisons that depend on the point.
func (w *walker) rows(met []infer.Comparison) (rows [][]float64, distances []float64, sites []site, holds []bool) {
	for _, c := range met {
		if row, d := w.row(c); row != nil {
			rows, distances, sites, holds = append(rows, row), append(distances, d), append(sites, siteOf(c)), append(holds, c.Holds)
		}
	}
	return rows, distances, sites, holds
}

// step is the damped least squares solution of rows * step = -off, in units of scale; nil for none.
func (w *walker) step(rows [][]float64, off []float64) []float64 {
	n := len(w.scale)
	a, b := mat.NewSymDense(n, nil), make([]float64, n)
	for i, row := range rows {
		for j := range n {
			b[j] -= float64(row[j] * off[i])
			for k := j; k < n; k++ {
				a.SetSym(j, k, a.At(j, k)+float64(row[j]*row[k]))
			}
		}
	}
	for j := range n {
		a.SetSym(j, j, a.At(j, j)+damping)
	}
	var chol mat.Cholesky
	if !chol.Factorize(a) {
		return nil
	}
	x := mat.NewVecDense(n, nil)
	if chol.SolveVecTo(x, mat.NewVecDense(n, b)) != nil {
		return nil
	}
	step := make([]float64, n)
	for j := range step {
		step[j] = x.AtVec(j)
	}
	if length := mat.Norm2(step); length > longestStep {
		for j := range step {
			step[j] *= longestStep / length
		}
	}
	return step
}

// along is the first of the points on a step, each half as far as the one before, at which the comparisons are less off; nil for none.
func (w *walker) along(q, step []float64, from, until site, sites []site, rows [][]float64, off []float64) (next []float64, met []infer.Comparison, err error) {
	before := 0.0
	for _, d := range off {
		before += math.Abs(d)
	}
	for t := 1.0; t > math.Ldexp(1, -stepHalved); t /= 2 {
		next = make([]float64, len(q))
		for j := range q {
			next[j] = q[j] + float64(t*step[j]*w.scale[j])
		}
		if met, err = w.at(next); fatal(err) {
			return nil, nil, err
		}
		if err != nil {
			continue
		}
		_, after, at, _ := w.rows(within(met, from, until))
		total := 0.0
		for i, s := range sites {
			if k := slices.Index(at, s); k >= 0 {
				total += math.Abs(after[k])
			} else { // not met any more
				total += float64((1 - t) * math.Abs(off[i]))
			}
		}
		if total <= float64(float64(1-float64(t/4))*before) || len(at) != len(sites) {
			return next, met, nil
		}
	}
	return nil, nil, nil
}

// region is a normal around the part of the space that a point is in, by a chain from there that slices the density along directions of which
// the first are where comparisons change; nil where the chain goes elsewhere.
func (w *walker) region(q []float64, lp float64, rows [][]float64, all []found) (*found, error) {
	basis := w.basis(rows)
	n := len(q)
	largest := make([]float64, n) // move
	var points [][]float64
	for k := range max(regionPoints, 20*n) {
		d := k % n
		width := firstWidth
		if k >= regionFirst && largest[d] > 0 {
			width = min(width, float64(4*largest[d]))
		}
		moved, at, by, err := w.slice(q, lp, basis[d], width)
		if err != nil {
			return nil, err
		}
		q, lp = moved, at
		if k > n { // not on the way in
			largest[d] = max(largest[d], math.Abs(by))
		}
		if k >= regionFirst {
			points = append(points, q)
		}
	}
	normal := aroundOf(points)
	if normal == nil || near(all, normal.Mean()) && explained(all, normal.Mean(), lp) {
		return nil, nil
	}
	w.left -= probes
	_, mass, _, err := probed(w.target, normal, all, w.rng)
	if err != nil || math.IsInf(mass, 0) {
		return nil, err
	}
	return &found{normal, mass, slices.Clip(all)}, nil
}

// basis is orthonormal, in units of scale; its first directions are those of rows.
func (w *walker) basis(rows [][]float64) (out [][]float64) {
	n := len(w.scale)
	for i := 0; len(out) < n; i++ {
		v := make([]float64, n)
		if i < len(rows) {
			copy(v, rows[i])
		} else {
			for j := range v {
				v[j] = variate.Normal(w.rng)
			}
		}
		before := mat.Norm2(v)
		for range 2 { // for rounding
			for _, e := range out {
				dot := 0.0
				for j := range v {
					dot += float64(v[j] * e[j])
				}
				for j := range v {
					v[j] -= float64(dot * e[j])
				}
			}
		}
		if length := mat.Norm2(v); length > 1e-3*before {
			for j := range v {
				v[j] /= length
			}
			out = append(out, v)
		}
	}
	return out
}

// slice moves a point along a direction (Neal 2003: an interval that is not stepped out, and shrinks).
func (w *walker) slice(q []float64, lp float64, direction []float64, width float64) (next []float64, at, by float64, err error) {
	level := lp - variate.Exponential(w.rng)
	low := -float64(width * w.rng.Float64())
	high := low + width
	next = make([]float64, len(q))
	for range 100 {
		by = low + float64((high-low)*w.rng.Float64())
		for j := range q {
			next[j] = q[j] + float64(by*direction[j]*w.scale[j])
		}
		if at, err = w.density(next); err != nil || at > level {
			return next, at, by, err
		}
		if by < 0 {
			low = by
		} else {
			high = by
		}
	}
	return slices.Clone(q), lp, 0, nil
}
