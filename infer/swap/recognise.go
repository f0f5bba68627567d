// This file looks for the closed form among those of the usual models.

package swap

import (
	"math"
	"slices"
)

// recognised is the closed form of the log density with the given values at points: a
// normal, a product of families of one coordinate each or of simplexes, or a normal whose scale is another
// coordinate. It is nil where none of these gives all values up to rounding, where the
// points are too few to tell, and where they lie so close together that what holds there
// says nothing of elsewhere.
func recognised(points [][]float64, values []float64) *form {
	if len(points) < 2*formDraws || slices.ContainsFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		return nil
	}
	s := split(points, values)
	d := len(points[0])
	if f := s.fit(quadraticTerms(d)); f != nil {
		return f
	}
	if f := s.additive(d); f != nil {
		return f
	}
	for size := d; size > 0; size-- {
		if d%size == 0 {
			if f := s.fit(simplexes(size, d)); f != nil {
				return f
			}
		}
	}
	return s.scaled(d)
}

// A sample has draws that forms are fitted to, and others that they are held against.
type sample struct {
	points, held       [][]float64
	values, heldValues []float64
}

// split takes every second draw away.
func split(points [][]float64, values []float64) *sample {
	s := &sample{}
	for i, x := range points {
		if i%2 == 0 {
			s.points, s.values = append(s.points, x), append(s.values, values[i])
		} else {
			s.held, s.heldValues = append(s.held, x), append(s.heldValues, values[i])
		}
	}
	return s
}

// few is as much of the draws as suffices to fit n terms.
func (s *sample) few(n int) ([][]float64, []float64) {
	n = max(formDraws, 3*n)
	if n >= len(s.points) {
		return s.points, s.values
	}
	points, values := make([][]float64, n), make([]float64, n)
	for i := range points {
		k := i * len(s.points) / n
		points[i], values[i] = s.points[k], s.values[k]
	}
	return points, values
}

// fit is the form with these terms if that is the one of all draws, and would be further
// out; nil otherwise.
func (s *sample) fit(terms []term) *form {
	if len(terms) == 0 {
		return nil
	}
	points, values := s.few(len(terms))
	f := fitForm(terms, points, values)
	if f == nil || f.spread > exactTolerance || !f.holds(s.held, s.heldValues) {
		return nil
	}
	middle := make([]float64, len(points[0]))
	for _, x := range points {
		for k, v := range x {
			middle[k] += v / float64(len(points))
		}
	}
	far := make([]float64, len(middle))
	for _, x := range points {
		for k, v := range x {
			far[k] = float64(2*v) - middle[k]
		}
		if !(f.errorAt(far) <= farError) {
			return nil
		}
	}
	return f
}

// holds reports whether the form gives values at points up to rounding and one constant, and
// notes the largest residual.
func (f *form) holds(points [][]float64, values []float64) bool {
	first := values[0] - f.LogDensity(points[0])
	for i, x := range points {
		d := values[i] - f.LogDensity(x)
		if !agrees(d, first, values[i]) {
			return false
		}
		f.worst = max(f.worst, math.Abs(d-first))
	}
	return true
}

// quadraticTerms are those of a normal distribution of d coordinates; nil where they are
// too many.
func quadraticTerms(d int) []term {
	if d+d*(d+1)/2 > mostTerms {
		return nil
	}
	var out []term
	for i := range d {
		out = append(out, linear(i))
		for j := range i + 1 {
			out = append(out, product(i, j))
		}
	}
	return out
}

// mostCoordinates bounds those that are tried family by family.
const mostCoordinates = 10

// additive is the product of families of one coordinate each; nil where there is none. The
// families are chosen one coordinate after the other, given the choice for the others, by
// the residuals; since larger families fit as well as those that they contain, the smallest
// that suffice are taken in the end.
func (s *sample) additive(d int) *form {
	if d > mostCoordinates {
		return nil
	}
	var all []term
	for i := range d {
		all = append(all, linear(i))
		all = append(all, richest(i)...)
	}
	if !s.possible(all, d) {
		return nil
	}
	chosen := make([][]term, d)
	for i := range chosen {
		chosen[i] = []term{linear(i), square(i)}
	}
	terms := func(i int, family []term) []term {
		others := slices.Delete(slices.Clone(chosen), i, i+1)
		return append(slices.Concat(others...), append([]term{linear(i)}, family...)...)
	}
	const sweeps = 3
	for range sweeps {
		for i := range chosen {
			least := math.Inf(1)
			for _, family := range families(i) {
				all := terms(i, family)
				points, values := s.few(len(all))
				if f := fitForm(all, points, values); f != nil && f.spread < least {
					least, chosen[i] = f.spread, append([]term{linear(i)}, family...)
				}
			}
		}
		if f := s.fit(slices.Concat(chosen...)); f != nil {
			break
		}
	}
	var best *form
	for i := range chosen {
		for _, family := range families(i) {
			if f := s.fit(terms(i, family)); f != nil {
				best, chosen[i] = f, append([]term{linear(i)}, family...)
				break
			}
		}
	}
	return best
}

// scaled is the form of a normal whose precision is a power of exp of another coordinate,
// with a prior on that and a normal one on the other coordinates; nil where there is none.
func (s *sample) scaled(d int) *form {
	if d < 2 || d > mostCoordinates {
		return nil
	}
	for i := range d {
		for _, precision := range []shape{dropping, falling, rising, steep} {
			base := locations(i, d, precision)
			richest := slices.DeleteFunc(richest(i), func(t term) bool { return t == shaped(i, precision) })
			if !s.possible(slices.Concat(base, richest), d) {
				continue
			}
			for _, family := range families(i) {
				if slices.Contains(family, shaped(i, precision)) {
					continue
				}
				if f := s.fit(slices.Concat(base, family)); f != nil {
					return f
				}
			}
		}
	}
	return nil
}

// possible reports whether the form with all terms that there are leaves as little as the right
// one would. Where they are too much alike to be fitted together, it may.
func (s *sample) possible(all []term, d int) bool {
	const few = 3 // coordinates, for which trying takes no time
	points, values := s.few(len(all))
	f := fitForm(all, points, values)
	if f == nil {
		return d <= few
	}
	return f.spread <= 10*exactTolerance
}

// locations are the terms of a normal of all coordinates but i, times and without a
// precision that coordinate i gives.
func locations(i, d int, precision shape) []term {
	out := []term{linear(i), shaped(i, precision)}
	add := func(t term) { out = append(out, t, t.times(i, precision)) }
	for j := range d {
		if j == i {
			continue
		}
		add(linear(j))
		for k := range j + 1 {
			if k != i {
				add(product(j, k))
			}
		}
	}
	return out
}
