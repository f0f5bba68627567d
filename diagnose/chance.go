// What is large by chance.

package diagnose

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// ChanceCorrelation returns what the largest of so many correlations of independent variates, each of n effective draws, exceeds
// with a probability of at most p: the tails of normal variates, added up.
func ChanceCorrelation(tried int, n, p float64) float64 {
	return math.Sqrt(2 * libm.Log(float64(2*tried)/p) / n)
}
