// Draws of single numbers from known conditionals, on the unconstrained scale.

package conjugate

import (
	"fmt"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// improper reports that a full conditional is no distribution.
func improper(c *conditional, what string, args ...any) error {
	return fmt.Errorf("the full conditional of %s, %s, is improper: %s", c.Name, c.Form, fmt.Sprintf(what, args...))
}

// drawGamma: the log density is a log t + b t.
func drawGamma(s *State, c *conditional, rng *rand.Rand) error {
	sum, err := s.sums(c.table)
	if err != nil {
		return err
	}
	for j, k := range c.Coords {
		a, b := sum[2*j]+1, -sum[2*j+1]
		if !(a > 0) || !(b > 0) {
			return improper(c, "shape %g, rate %g", a, b)
		}
		s.move(k, representable(-mostLog, mostLog, func() float64 { return variate.LogGamma(rng, a) - libm.Log(b) }))
	}
	return nil
}

// drawInvGamma: the log density is a log t + b/t.
func drawInvGamma(s *State, c *conditional, rng *rand.Rand) error {
	sum, err := s.sums(c.table)
	if err != nil {
		return err
	}
	for j, k := range c.Coords {
		a, b := -sum[2*j]-1, -sum[2*j+1]
		if !(a > 0) || !(b > 0) {
			return improper(c, "shape %g, scale %g", a, b)
		}
		s.move(k, representable(-mostLog, mostLog, func() float64 { return libm.Log(b) - variate.LogGamma(rng, a) }))
	}
	return nil
}

// drawBeta: the log density is a log t + b log(1 - t).
func drawBeta(s *State, c *conditional, rng *rand.Rand) error {
	sum, err := s.sums(c.table)
	if err != nil {
		return err
	}
	for j, k := range c.Coords {
		a, b := sum[2*j]+1, sum[2*j+1]+1
		if !(a > 0) || !(b > 0) {
			return improper(c, "parameters %g and %g", a, b)
		}
		s.move(k, representable(leastLogit, mostLogit, func() float64 { return variate.LogGamma(rng, a) - variate.LogGamma(rng, b) }))
	}
	return nil
}

// The logarithms of the positive float64, and the logits of the numbers t between 0 and 1 of
// which both t and 1 - t are positive as float64. What lies beyond rounds to the edge of the
// support, where densities such as those of gamma and beta are 0 or infinite, and full
// conditionals of what they depend on none at all.
const (
	mostLog    = 700
	leastLogit = -700
	mostLogit  = 36
	cutTries   = 1000
)

// representable draws an unconstrained coordinate until it lies between low and high: the same
// density cut to them, so that the sweep has the posterior cut to them as its target. A
// distribution with hardly any mass there is taken to be at the nearer end.
func representable(low, high float64, draw func() float64) float64 {
	x := 0.0
	for range cutTries {
		if x = draw(); x >= low && x <= high {
			return x
		}
	}
	return min(max(x, low), high)
}
