// Indicators of the values of discrete parameters.

package conjugate

import (
	"errors"
	"slices"

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

// entry is the position of the indicator of factor f that is one.
func (s *Selector) entry(f int, z []float64) int {
	at := 0
	for _, id := range s.vars[f] {
		at = at*s.count[id] + int(z[id]) - s.low[id]
	}
	return s.offset[f] + at
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
