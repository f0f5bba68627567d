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
	f, ok := s.factors[c]
	if !ok {
		f = c.shape.pattern.NewFactor()
		s.factors[c] = f
	}
	n := copy(f.Matrix, sum)
	copy(f.Vector, sum[n:])
	if !f.Draw(rng) {
		if len(c.at) == 1 {
			return improper(c, "its precision is %g", sum[0])
		}
		return improper(c, "its precision matrix is not positive definite")
	}
	for i, k := range c.Coords {
		x := s.b.centre[c.at[i]] + f.Vector[c.shape.pattern.Place(i)]
		s.move(k, s.b.transforms[c.at[i]].coordinate(x))
	}
	return nil
}
