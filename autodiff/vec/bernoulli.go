// One term of a logistic regression.

package vec

import "math"

// bernoulliLogit is one term of BernoulliLogit: with z the log odds of what was seen, the
// log mass is min(z, 0) - log(1 + e^-|z|). It gives the derivative in eta, the minimum,
// and the factor to take the logarithm of.
func bernoulliLogit(y, eta float64) (slope, low, factor float64) {
	sign := math.FMA(2, y, -1)
	z := sign * eta
	e := exp(-math.Abs(z))
	d := 1 + e
	n := e
	if z < 0 {
		n = 1
	}
	m := z
	if m > 0 {
		m = 0
	}
	return sign * (n / d), m, d
}
