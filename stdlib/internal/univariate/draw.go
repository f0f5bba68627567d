// This file holds the random variates that several rows are made from.

package univariate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/special"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// GammaDraw is a gamma variate of shape a and scale 1 (Marsaglia and Tsang, A Simple
// Method for Generating Gamma Variables, 2000). Underflow to 0 is possible for tiny a.
func GammaDraw(r *rand.Rand, a float64) float64 { return libm.Exp(LogGammaDraw(r, a)) }

// LogGammaDraw is the logarithm of a gamma variate, which does not underflow.
func LogGammaDraw(r *rand.Rand, a float64) float64 {
	boost := 0.0
	if a < 1 {
		// A variate of shape a is one of shape a+1 times U^(1/a).
		boost = -variate.Exponential(r) / a
		a++
	}
	d := a - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		z := variate.Normal(r)
		v := 1 + float64(c*z)
		if v <= 0 {
			continue
		}
		logV := float64(3 * libm.Log(v))
		if -variate.Exponential(r) < float64(0.5*z*z)+d-float64(d*v*v*v)+float64(d*logV) {
			return libm.Log(d) + logV + boost
		}
	}
}

// BetaDraw is a beta variate, together with 1 minus it.
func BetaDraw(r *rand.Rand, a, b float64) (x, y float64) {
	u, v := LogGammaDraw(r, a), LogGammaDraw(r, b)
	return 1 / (1 + libm.Exp(v-u)), 1 / (1 + libm.Exp(u-v))
}

// poissonDraw is a Poisson variate of the given mean.
func poissonDraw(r *rand.Rand, mean float64) float64 {
	if mean < 10 {
		// Multiplication of uniforms, as counted arrivals.
		n, left := 0.0, mean-variate.Exponential(r)
		for left > 0 {
			n++
			left -= variate.Exponential(r)
		}
		return n
	}
	b := 0.931 + float64(2.53*math.Sqrt(mean))
	return hatRejection(r, -0.059+float64(0.02483*b), b, mean+0.43, libm.Log(1.1239+1.1328/(b-3.4)), math.Inf(1),
		func(k float64) float64 { return poissonMass(k, mean) })
}

// BinomialDraw is the number of successes in n trials.
func BinomialDraw(r *rand.Rand, n, p float64) float64 {
	if p > 0.5 {
		return n - BinomialDraw(r, n, 1-p)
	}
	if n*p < 10 {
		return binomialByGaps(r, n, p)
	}
	sd := math.Sqrt(n * p * (1 - p))
	b := 1.15 + float64(2.53*sd)
	logMass := func(k float64) float64 { return binomialMass(k, n, p, 1-p) }
	scale := libm.Log((2.83+5.1/b)*sd) + logMass(math.Floor((n+1)*p))
	return hatRejection(r, -0.0873+float64(0.0248*b)+float64(0.01*p), b, float64(n*p)+0.5, scale, n, logMass)
}

// binomialByGaps counts successes by the geometric gaps between them.
func binomialByGaps(r *rand.Rand, n, p float64) float64 {
	if p == 0 {
		return 0
	}
	scale := -1 / libm.Log1p(-p)
	k, at := 0.0, 0.0
	for {
		at += math.Floor(variate.Exponential(r)*scale) + 1
		if at > n {
			return k
		}
		k++
	}
}

// hatRejection draws from a mass function on 0..maxK by transformed rejection with
// the hat and constants of Hormann, The Transformed Rejection Method for Generating
// Poisson Random Variables (1993) and The Generation of Binomial Random Variates
// (1993), without his squeezes.
func hatRejection(r *rand.Rand, a, b, center, logScale, maxK float64, logMass func(k float64) float64) float64 {
	for {
		u := r.Float64() - 0.5
		us := 0.5 - math.Abs(u)
		k := math.Floor(float64((2*a/us+b)*u) + center)
		if k >= 0 && k <= maxK && logScale-variate.Exponential(r)-libm.Log(a/(us*us)+b) <= logMass(k) {
			return k
		}
	}
}

// LogChoose is the log of the binomial coefficient of n and k, 0 <= k <= n.
func LogChoose(n, k float64) float64 {
	switch {
	case k == 0 || k == n:
		return 0
	case n < 256:
		return LogFactorial(n) - LogFactorial(k) - LogFactorial(n-k)
	}
	return -libm.Log1p(n) - special.Lbeta(k+1, n-k+1)
}
