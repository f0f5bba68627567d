// This file holds the distribution functions of the Poisson and binomial distributions, as sums of masses.

package special

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// fewMasses is the count up to which the masses of one side are added up.
const fewMasses = 500

// A CountSide is the probability of one side of a count: of all up to it, or of those above.
type CountSide struct {
	Log   float64 // its logarithm
	Slope float64 // the derivative of that in the parameter
	Upper bool    // the side is that above the count
}

// PoissonSide returns the side of n away from the mean lambda, and the derivative in lambda. n is a count, lambda positive.
func PoissonSide(n, lambda float64) CountSide {
	if n < lambda {
		if n > fewMasses {
			t := IncGamma(n+1, lambda)
			return CountSide{t.LogQ, -libm.Exp(t.LogDensity - t.LogQ), false}
		}
		sum := massesFrom(1, func(i float64) float64 { return (n - i) / lambda })
		return CountSide{logGammaFactor(n, lambda) + libm.Log(sum), -1 / sum, false}
	}
	if n > fewMasses {
		t := IncGamma(n+1, lambda)
		return CountSide{t.LogP, libm.Exp(t.LogDensity - t.LogP), true}
	}
	sum := massesFrom(1, func(i float64) float64 { return lambda / (n + 2 + i) })
	return CountSide{logGammaFactor(n+1, lambda) + libm.Log(sum), (n + 1) / (lambda * sum), true}
}

// BinomialSide returns the side of n away from the mean of the successes in m trials, for 0 <= n < m and a chance theta between 0
// and 1, which it is differentiated in.
func BinomialSide(n, m, theta float64) CountSide {
	if m > fewMasses {
		t := IncBeta(n+1, m-n, theta, 1-theta)
		if n < m*theta {
			return CountSide{t.LogQ, -libm.Exp(t.LogDensity - t.LogQ), false}
		}
		return CountSide{t.LogP, libm.Exp(t.LogDensity - t.LogP), true}
	}
	logTheta, logRest := libm.Log(theta), libm.Log1p(-theta)
	ways := 1.0
	for i, short := 0.0, math.Min(n, m-n); i < short; i++ {
		ways *= (m - i) / (i + 1)
	}
	log := libm.Log(ways) + float64(n*logTheta) + float64((m-n)*logRest) // of the mass at n
	odds := theta / (1 - theta)
	if n < m*theta {
		sum := massesFrom(1, func(i float64) float64 { return (n - i) / ((m - n + 1 + i) * odds) })
		return CountSide{log + libm.Log(sum), (n - m) / ((1 - theta) * sum), false}
	}
	next := (m - n) / (n + 1) // times the odds is the mass at n+1 over that at n
	sum := massesFrom(1, func(i float64) float64 { return (m - n - 1 - i) / (n + 2 + i) * odds })
	return CountSide{log + logTheta - logRest + libm.Log(next*sum), (n + 1) / (theta * sum), true}
}

// massesFrom adds up masses from one on, of which ratio(i) is mass i+1 over mass i, and falls.
func massesFrom(mass float64, ratio func(i float64) float64) float64 {
	sum := mass
	for i := 0.0; mass > 1e-17*sum; i++ {
		mass = float64(mass * ratio(i))
		sum += mass
	}
	return sum
}
