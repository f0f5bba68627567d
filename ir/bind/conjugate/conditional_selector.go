// Indicators of the values of discrete parameters.

package conjugate

import (
	"errors"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// A Selector turns the values of discrete numbers into the inputs of a program: one
// indicator for each entry of each factor's table, so that the sum of a factor is the
// dot product of its indicators and its table.
type Selector struct {
	low, count []int
	vars       [][]int // of each factor
	offset     []int   // of each factor's indicators
	Size       int     // indicators
}

// Fill sets the indicators for the given values.
func (s *Selector) Fill(z, w []float64) {
	clear(w)
	for f := range s.vars {
		w[s.entry(f, z)] = 1
	}
}

// entry is the position of the indicator of factor f that is one.
func (s *Selector) entry(f int, z []float64) int {
	at := 0
	for _, id := range s.vars[f] {
		at = at*s.count[id] + int(z[id]) - s.low[id]
	}
	return s.offset[f] + at
}

// NewSelector walks the model once, without recording, to see its factors. It fails where a recording does.
func (m *Host) NewSelector(q []float64) (*Selector, error) {
	s := &Selector{}
	if len(m.Discrete) == 0 {
		return s, nil
	}
	em := m.Machine()
	em.Whole = true
	if err := m.WalkDensity(em, nil, trace.Point(q, autodiff.None)); err != nil {
		return nil, err
	}
	s.low, s.count = em.Discrete()
	for _, t := range em.Terms() {
		if t.Vars != nil {
			s.add(t.Vars, len(t.Table))
		}
	}
	return s, nil
}

// add adds a factor of so many entries.
func (s *Selector) add(vars []int, entries int) {
	s.vars = append(s.vars, vars)
	s.offset = append(s.offset, s.Size)
	s.Size += entries
}

// alone reports whether every factor has one discrete number.
func (s *Selector) alone() bool {
	return !slices.ContainsFunc(s.vars, func(vars []int) bool { return len(vars) != 1 })
}

// TooLarge reports whether an error is that a table over discrete parameters is too large.
func TooLarge(err error) bool {
	var e *eval.Error
	return errors.As(err, &e) && e.Table
}
