// This file holds the binomial distribution.

package special

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// BinomialMass is the probability of k successes among n, each with probability p in (0, 1), for k from
// 0 to n (Loader, Fast and Accurate Computation of Binomial Probabilities, 2000).
func BinomialMass(k, n int, p float64) float64 {
	x, m := float64(k), float64(n)
	switch k {
	case 0:
		return libm.Exp(m * libm.Log1p(-p))
	case n:
		return libm.Exp(m * libm.Log(p))
	}
	log := StirlingError(m) - StirlingError(x) - StirlingError(m-x) - Deviance(x, m*p) - Deviance(m-x, m*(1-p))
	return libm.Exp(log) * math.Sqrt(m/(2*math.Pi*x*(m-x)))
}
