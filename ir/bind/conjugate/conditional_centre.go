// What normal numbers are measured from, so that sums of squares do not cancel.

package conjugate

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
)

// mostCancelled is how many times the sum of its terms' sizes may exceed a statistic:
// more, and rounding takes more than six of its sixteen digits.
const mostCancelled = 1e6

// findBlocks analyses the model at q. Sums of squares about zero lose the digits of data
// with an offset far above their spread; where they do, the model is analysed once more
// with the normal numbers about their means at q.
func (m *Host) findBlocks(q []float64, by infer.Blocking, limit budget) (*blocks, error) {
	b, err := m.findBlocksAbout(q, nil, by, limit)
	if err != nil || b.products == nil || limit.forms {
		return b, err
	}
	centre, err := m.centres(b, q)
	if err != nil || centre == nil {
		return b, err
	}
	return m.findBlocksAbout(q, centre, by, limit)
}

// centres returns the conditional means of the normal numbers at q, nil where nothing
// cancels with these in place.
func (m *Host) centres(b *blocks, q []float64) ([]float64, error) {
	at := append([]float64(nil), q...)
	for _, d := range m.Discrete {
		for _, low := range d.Low {
			at = append(at, float64(low))
		}
	}
	s := newState(m, m.NewEvaluator(), b)
	if err := s.load(at); err != nil {
		return nil, err
	}
	centre := make([]float64, len(b.centre))
	normal := make([]bool, len(centre))
	found := false
	for _, c := range b.list {
		if c.shape == nil || drawNormal(s, c, nil) != nil {
			continue
		}
		for _, k := range c.at {
			centre[k], normal[k], found = s.x[k], true, true
		}
	}
	if !found {
		return nil, nil
	}
	for _, t := range b.squares() {
		if s.cancels(t, normal) {
			return centre, nil
		}
	}
	return nil, nil
}

// squares are the tables of numbers other than normal ones, scales among them.
func (b *blocks) squares() []*table {
	var out []*table
	for _, c := range b.list {
		switch {
		case c.scale != nil:
			out = append(out, c.scale.table)
		case c.table != nil && c.shape == nil:
			out = append(out, c.table)
		}
	}
	for _, s := range b.sections {
		if s != nil {
			out = append(out, s.table)
		}
	}
	return out
}

// cancels reports whether a sum of a table, with squares of normal numbers in it, is much
// smaller than its terms. Linear sums are left alone: they may well be near zero.
func (s *State) cancels(t *table, normal []bool) bool {
	sum, err := s.sums(t)
	if err != nil {
		return false
	}
	to := s.tables[t]
	size, squared := make([]float64, t.size), make([]bool, t.size)
	for i := range t.entry {
		e := &t.entry[i]
		squared[e.sum] = squared[e.sum] || s.b.products.hasSquare(e.product, normal)
		size[e.sum] += math.Abs(e.scale * s.stat[e.product] * to.rest[e.rest])
	}
	for i, v := range size {
		if squared[i] && v > mostCancelled*math.Abs(sum[i]) && !math.IsInf(v, 1) {
			return true
		}
	}
	return false
}

// hasSquare reports whether a product has the square of a marked number.
func (x *products) hasSquare(product int32, marked []bool) bool {
	for _, p := range x.list[product].powers {
		if a := x.atoms[p.Atom]; a.Kind == autodiff.Element && p.Exp == 2 && marked[a.Elem] {
			return true
		}
	}
	return false
}
