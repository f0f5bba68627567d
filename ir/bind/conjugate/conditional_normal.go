// Draws of jointly normal numbers.

package conjugate

import (
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer/sparse"
)

// normal is what is known of a normal block beforehand: which numbers are dependent
// given the others.
type normal struct{ pattern *sparse.Pattern }

// drawNormal: the table has the precision matrix P and then b, the log density being
// b'x - x'Px/2, x being counted from the centres. Without rng it is the mean.
func drawNormal(s *State, c *conditional, rng *rand.Rand) error {
	sum, err := s.sums(c.table)
	if err != nil {
		return err
	}
	f, err := s.normal(c, sum, 1, rng)
	if err == nil {
		s.moveNormal(c, f)
	}
	return err
}

// normal is a draw where P and b are so many times those of sum.
func (s *State) normal(c *conditional, sum []float64, precision float64, rng *rand.Rand) (*sparse.Factor, error) {
	f, ok := s.factors[c]
	if !ok {
		f = c.shape.pattern.NewFactor()
		s.factors[c] = f
	}
	n := copy(f.Matrix, sum)
	copy(f.Vector, sum[n:])
	if precision != 1 {
		for i := range f.Matrix {
			f.Matrix[i] *= precision
		}
		for i := range f.Vector {
			f.Vector[i] *= precision
		}
	}
	if !f.Draw(rng) {
		if len(c.at) == 1 {
			return nil, improper(c, "its precision is %g", sum[0])
		}
		return nil, improper(c, "its precision matrix is not positive definite")
	}
	return f, nil
}

// moveNormal moves the numbers to what was drawn.
func (s *State) moveNormal(c *conditional, f *sparse.Factor) {
	for i, k := range c.at {
		x := s.b.centre[k] + f.Vector[c.shape.pattern.Place(i)]
		s.move(c.Coords[i], s.b.transforms[k].coordinate(x))
	}
}
