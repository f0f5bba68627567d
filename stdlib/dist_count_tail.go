// This file holds the cdf functions of the binomial, Poisson and negative binomial
// distributions, which are incomplete beta and gamma functions of their parameters.

package stdlib

import (
	"math"

	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// binomialTail: at most n successes in N trials is the upper tail of a beta variate
// of shapes n+1 and N-n at theta.
func binomialTail(t tail, x, d []float64) float64 {
	n, trials, theta := x[0], x[1], x[2]
	if n < 0 || n >= trials {
		return edge(t, n >= 0, d)
	}
	if theta == 0 || theta == 1 {
		clear(d)
		return edge(t, theta == 0, nil)
	}
	r := ofReversed(t, special.IncBeta(n+1, trials-n, theta, 1-theta))
	if d != nil {
		d[2] = r.dx
	}
	return r.v
}

func poissonTail(t tail, x, d []float64) float64 {
	n, lambda := x[0], x[1]
	switch {
	case n < 0 || math.IsInf(lambda, 1):
		return edge(t, false, d)
	case lambda == 0:
		return edge(t, true, d)
	}
	r := ofReversed(t, special.IncGamma(n+1, lambda))
	if d != nil {
		d[1] = r.dx
	}
	return r.v
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
// the derivatives in the shape and in the argument nearly cancel; the sum of both
// loses digits in proportion to phi/mu.
func negBinomial2Tail(t tail, x, d []float64) float64 {
	n, mu, phi := x[0], x[1], x[2]
	if n < 0 {
		return edge(t, false, d)
	}
	s := mu + phi
	r := ofTails(t, special.IncBeta(phi, n+1, phi/s, mu/s))
	if d != nil {
		d[1], d[2] = -r.dx*(phi/s)/s, r.da+r.dx*(mu/s)/s
	}
	return r.v
}
