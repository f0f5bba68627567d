// This file draws data sets for the wrappers that judge methods on simulated data.

package diagnose

import (
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
)

// mostRedraws is how many draws in a row may have no data.
const mostRedraws = 100

// Given is the model that a method is run on for the data at hand: m itself, or what one that draws data sets from other
// priors is bound to.
func Given(m infer.Model) infer.Model {
	if g, ok := m.(interface{ Given() infer.Model }); ok {
		return g.Given()
	}
	return m
}

// Simulate fills q with a draw from the prior and returns data drawn given it. Where none can
// be drawn given the parameters (a rate beyond what a count can hold), both are drawn anew;
// redrawn counts how often. The error is that of the last draw.
func Simulate(m infer.Simulator, r *rand.Rand, q []float64) (y infer.Dataset, redrawn int, err error) {
	for ; ; redrawn++ {
		if y, err = m.DrawJoint(r, q); !infer.IsReject(err) && !infer.IsUndrawable(err) || redrawn == mostRedraws {
			return y, redrawn, err
		}
	}
}
