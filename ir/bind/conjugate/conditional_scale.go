// Joint moves of a scale and the normal numbers that it scales.
//
// Given the effects of a hierarchical model their scale hardly moves, and given the
// scale nor do the effects. So after the blocks a sweep stretches both together: with
// m_i the mean and s the scale of v_i given everything but the data,
//
//	v_i -> m_i + r (v_i - m_i),  s -> r s,
//
// r drawn, by a slice, from its density under the posterior along that curve: the joint
// density times r^n for n effects, over the invariant measure dr/r (Liu and Sabatti,
// "Generalised Gibbs sampler and multigrid Monte Carlo", Biometrika 87, 2000; it is the
// non-centred half of Yu and Meng's interweaving, 2011). The scale may be given as a
// standard deviation, a variance or a precision: any power of it may stand before the
// squares. Along the curve the log density is A r + B r^2 plus that of the scale alone.

package conjugate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// A scaleMove is such a move.
type scaleMove struct {
	scale   int      // the number s is a power of
	exp     float64  // the power of that number before the squares
	numbers []int    // the v_i
	square  []int32  // the products with their squares and the scale
	centre  *table   // of the coefficients of v_i and the scale
	rest    *table   // of products with some v_i and not the scale: each a sum
	pair    [][2]int // which v_i these have, -1 for none
	along   *section // of the scale
	main    int      // which of its products is the power before the squares
}

// scaleMoves finds the scales of normal numbers, and adds a move for each.
func (a *analysis) scaleMoves() {
	for _, c := range a.b.list {
		if len(c.Coords) != 1 || c.Form == "normal" || c.Form == "enumerated" {
			continue
		}
		i := a.b.valueOf[c.Coords[0]]
		if i < 0 || !a.b.transforms[i].positive() || a.bounds(c.p) {
			continue
		}
		if t := a.scaleMove(i); t != nil {
			a.addScaleMove(c, t)
		}
	}
}

func (a *analysis) addScaleMove(c *conditional, t *scaleMove) {
	coords := append([]int(nil), c.Coords...)
	for _, k := range t.numbers {
		coords = append(coords, a.b.coordOf[k])
	}
	move := &conditional{p: c.p, draw: drawScaleMove, scaleMove: t}
	name := fmt.Sprintf("%s with %s", c.Name, a.numberName(t.numbers[0]))
	if n := len(t.numbers); n > 1 {
		name += fmt.Sprintf(" and %d more", n-1)
	}
	move.Block = infer.Block{Name: name, Form: "stretch", Exact: true, Coords: coords}
	a.b.list = append(a.b.list, move)
}

// scaleMove returns the move of a number, nil where it is no scale.
func (a *analysis) scaleMove(scale int) *scaleMove {
	t := &scaleMove{scale: scale}
	squares := map[int]int32{}
	for _, k := range a.x.with[scale] {
		if v, e, ok := a.scaledSquare(k, scale); ok && (t.exp == 0 || t.exp == e) {
			t.exp = e
			squares[v] = k
		}
	}
	a.dropShared(squares, scale)
	for v := range squares {
		t.numbers = append(t.numbers, v)
	}
	slices.Sort(t.numbers)
	local := map[int]int{}
	for i, v := range t.numbers {
		local[v] = i
		t.square = append(t.square, squares[v])
	}
	if len(t.numbers) == 0 || !a.fillCentre(t, local) {
		return nil
	}
	a.fillRest(t, local)
	t.along = a.section(scale)
	for j, r := range t.along.own {
		p := t.along.power[r.from:r.to]
		if len(p) == 1 && p[0].kind == autodiff.Element && p[0].exp == t.exp {
			t.main = j
		}
	}
	return t
}

// dropShared drops numbers until no two are left that a product has together with the
// scale, those with most such partners first: means of others are dropped, not these.
func (a *analysis) dropShared(squares map[int]int32, scale int) {
	partners := map[int]map[int]bool{}
	marked := func(i int) bool { _, ok := squares[i]; return ok }
	for _, k := range a.x.with[scale] {
		own, _ := a.x.split(a.x.list[k].powers, marked)
		for _, p := range own {
			for _, q := range own {
				i, j := a.x.atoms[p.Atom].Elem, a.x.atoms[q.Atom].Elem
				if partners[i] == nil {
					partners[i] = map[int]bool{}
				}
				if i != j {
					partners[i][j] = true
				}
			}
		}
	}
	for {
		worst, most := -1, 0
		for i, with := range partners {
			if n := len(with); n > most || n == most && n > 0 && i > worst {
				worst, most = i, n
			}
		}
		if most == 0 {
			return
		}
		delete(squares, worst)
		for j := range partners[worst] {
			delete(partners[j], worst)
		}
		delete(partners, worst)
	}
}

// scaledSquare reports whether a product is the square of a normal number times a power of
// the scale.
func (a *analysis) scaledSquare(k int32, scale int) (number int, exp float64, ok bool) {
	powers := a.x.list[k].powers
	if len(powers) != 2 {
		return 0, 0, false
	}
	s, v := powers[0], powers[1]
	if a.x.atoms[s.Atom].Elem != scale {
		s, v = v, s
	}
	at := a.x.atoms[v.Atom]
	ok = a.x.atoms[s.Atom].Kind == autodiff.Element && at.Kind == autodiff.Element && v.Exp == 2 &&
		at.Elem != scale && a.isNormal(at.Elem)
	return at.Elem, s.Exp, ok
}

// isNormal reports whether a number is in a normal block.
func (a *analysis) isNormal(i int) bool {
	if a.normal == nil {
		a.normal = make([]bool, a.b.size)
		for _, c := range a.b.list {
			for _, k := range c.at {
				a.normal[k] = a.normal[k] || c.shape != nil
			}
		}
	}
	return a.normal[i]
}

// fillCentre makes the table of the factors that are multiplied by the scale and one v_i. It returns false
// where a product has the scale and these numbers in another way.
func (a *analysis) fillCentre(t *scaleMove, local map[int]int) bool {
	t.centre = a.x.newTable(len(t.numbers), len(t.numbers))
	marked := func(i int) bool { _, ok := local[i]; return ok }
	isScale := func(i int) bool { return i == t.scale }
	for _, k := range a.x.with[t.scale] {
		own, rest := a.x.split(a.x.list[k].powers, marked)
		if len(own) == 0 {
			continue
		}
		own, rest = slices.Clone(own), slices.Clone(rest)
		scale, others := a.x.split(rest, isScale)
		if len(own) > 1 || len(scale) != 1 || a.x.atoms[scale[0].Atom].Kind != autodiff.Element || scale[0].Exp != t.exp {
			return false
		}
		if own[0].Exp == 1 {
			t.centre.add(local[a.x.atoms[own[0].Atom].Elem], k, others, 1)
		} else if len(others) > 0 {
			return false
		}
	}
	t.centre.done()
	return true
}

// fillRest makes the table of products with some v_i and not the scale.
func (a *analysis) fillRest(t *scaleMove, local map[int]int) {
	marked := func(i int) bool { _, ok := local[i]; return ok }
	var products []int32
	for _, k := range a.of(t.numbers) {
		if !a.x.dependsOn(k, t.scale) {
			products = append(products, k)
		}
	}
	t.rest = a.x.newTable(len(products), len(products))
	for j, k := range products {
		own, rest := a.x.split(a.x.list[k].powers, marked)
		t.rest.add(j, k, rest, 1)
		pair := [2]int{local[a.x.atoms[own[0].Atom].Elem], -1}
		switch {
		case len(own) == 2:
			pair[1] = local[a.x.atoms[own[1].Atom].Elem]
		case own[0].Exp == 2:
			pair[1] = pair[0]
		}
		t.pair = append(t.pair, pair)
	}
	t.rest.done()
}

// drawScaleMove makes the move.
func drawScaleMove(s *State, c *conditional, rng *rand.Rand) error {
	t := c.scaleMove
	n := len(t.numbers)
	centre, err := s.sums(t.centre)
	if err != nil {
		return err
	}
	scaled := 0.0 // the sum of squares that the scale and the numbers share
	memory := room(&s.scratch, n)
	for i, k := range t.numbers {
		h := s.stat[t.square[i]]
		if !(h < 0) {
			return nil
		}
		centre[i] /= -2 * h
		memory[i] = s.x[k] - s.b.centre[k] - centre[i]
		scaled += float64(h * memory[i] * memory[i])
	}
	sum, err := s.sums(t.rest)
	if err != nil {
		return err
	}
	f := scaleMoveDensity{s: s, t: t, n: float64(n), q: s.q[c.Coords[0]]}
	for j, p := range t.pair {
		d := memory[p[0]]
		switch {
		case p[1] < 0:
			f.a += float64(sum[j] * d)
		default:
			e := memory[p[1]]
			f.a += float64(sum[j] * (float64(centre[p[0]]*e) + float64(centre[p[1]]*d)))
			f.b += float64(sum[j] * d * e)
		}
	}
	if f.coef, err = s.sums(t.along.table); err != nil {
		return err
	}
	f.coef[t.main] -= scaled
	u := f.slice(rng)
	s.move(c.Coords[0], f.q-2*u/t.exp)
	r := libm.Exp(u)
	for i, k := range c.Coords[1:] {
		x := s.b.centre[t.numbers[i]] + (centre[i] + float64(r*memory[i]))
		s.move(k, s.b.transforms[t.numbers[i]].coordinate(x))
	}
	return nil
}

// A scaleMoveDensity is the log density along the curve, in u = log r.
type scaleMoveDensity struct {
	s    *State
	t    *scaleMove
	n, q float64 // how many numbers are stretched; the scale's coordinate before
	a, b float64
	coef []float64 // of the scale's own products
}

// at evaluates it; where the program rejects the point it is minus infinity.
func (f *scaleMoveDensity) at(u float64) float64 {
	s, along := f.s, f.t.along
	var logJ float64
	s.x[along.number], logJ = s.b.transforms[along.number].constrain(f.q - 2*u/f.t.exp)
	if s.evaluate(along.others) != nil {
		return math.Inf(-1)
	}
	r := libm.Exp(u)
	total := logJ + float64(f.n*u) + float64(r*(f.a+float64(r*f.b)))
	for i, coef := range f.coef {
		if coef != 0 {
			total += float64(coef * s.product(along.power[along.own[i].from:along.own[i].to]))
		}
	}
	return total
}

// slice updates u from 0 by stepping out and shrinking; posteriors of log scales are
// seldom wider than its steps.
func (f *scaleMoveDensity) slice(rng *rand.Rand) float64 {
	const width, steps = 1.0, 20
	level := f.at(0) + libm.Log(1-rng.Float64())
	lo := float64(-width * rng.Float64())
	hi := lo + width
	left := variate.IntN(rng, steps)
	for k := left; k > 0 && f.at(lo) >= level; k-- {
		lo -= width
	}
	for k := steps - 1 - left; k > 0 && f.at(hi) >= level; k-- {
		hi += width
	}
	for hi-lo > 1e-12 {
		u := lo + float64(rng.Float64()*(hi-lo))
		if f.at(u) >= level {
			return u
		}
		if u < 0 {
			lo = u
		} else {
			hi = u
		}
	}
	return 0
}
