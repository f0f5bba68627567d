// This file holds the cdf functions of the binomial, Poisson and negative binomial
// distributions, which are incomplete beta and gamma functions of their parameters.

package univariate

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

func binomialTail(t tail, x, d []float64) float64 {
	n, trials, theta := x[0], x[1], x[2]
	if n < 0 || n >= trials {
		return edge(t, n >= 0, d)
	}
	if theta == 0 || theta == 1 {
		clear(d)
		return edge(t, theta == 0, nil)
	}
	side := special.BinomialSide(n, trials, theta)
	v, f := fromSide(t, side.Upper, side.Log)
	if d != nil {
		d[2] = f * side.Slope
	}
	return v
}

func poissonTail(t tail, x, d []float64) float64 {
	n, lambda := x[0], x[1]
	switch {
	case n < 0 || math.IsInf(lambda, 1):
		return edge(t, false, d)
	case lambda == 0:
		return edge(t, true, d)
	}
	side := special.PoissonSide(n, lambda)
	v, f := fromSide(t, side.Upper, side.Log)
	if d != nil {
		d[1] = f * side.Slope
	}
	return v
}

// negBinomialTail takes the shape alpha and the inverse scale beta.
func negBinomialTail(t tail, x, d []float64) float64 {
	n, alpha, beta := x[0], x[1], x[2]
	if n < 0 {
		return edge(t, false, d)
	}
	s := 1 + beta
	r := ofTails(t, special.IncBeta(alpha, n+1, beta/s, 1/s))
	if d != nil {
		d[1], d[2] = r.da, r.dx/(s*s)
	}
	return r.v
}

// negBinomial2Tail takes the mean mu and the precision phi. For a large precision
// the derivatives in the shape and in the argument nearly cancel; the derivative in
// phi is then a sum over the masses.
func negBinomial2Tail(t tail, x, d []float64) float64 {
	n, mu, phi := x[0], x[1], x[2]
	if n < 0 {
		return edge(t, false, d)
	}
	s := mu + phi
	tails := special.IncBeta(phi, n+1, phi/s, mu/s)
	r := ofTails(t, tails)
	if d == nil {
		return r.v
	}
	d[1], d[2] = -r.dx*(phi/s)/s, r.da+r.dx*(mu/s)/s
	if phi > 1e4*mu {
		logMass, _, _ := NegBinomialMass(n, libm.Log(mu), libm.Log(mu/phi), phi)
		slope := negBinomialDrift(n, mu, phi)
		switch t {
		case logLower:
			d[2] = slope * libm.Exp(logMass-tails.LogP)
		case logUpper:
			d[2] = -slope * libm.Exp(logMass-tails.LogQ)
		default:
			d[2] = slope * libm.Exp(logMass)
		}
	}
	return r.v
}

// negBinomialDrift is the derivative of the distribution function in phi over the
// mass at n, by summing the shorter side.
func negBinomialDrift(n, mu, phi float64) float64 {
	m := mu / phi
	odds := mu / (mu + phi)
	mass, sum := 1.0, 0.0
	if n <= mu {
		for k := n; k >= 0 && mass > 1e-18; k-- {
			sum += float64(mass * negBinomialPhiSlope(k, m, phi))
			mass *= k / ((k - 1 + phi) * odds)
		}
		return sum
	}
	for k := n; ; k++ {
		mass *= (k + phi) / (k + 1) * odds
		add := float64(mass * negBinomialPhiSlope(k+1, m, phi))
		sum -= add
		if k > mu && math.Abs(add) <= 1e-17*math.Abs(sum) {
			return sum
		}
	}
}
