// This file holds the Poisson and negative binomial distributions.

package univariate

import (
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

func poissonDistributions() []*catalogue.Distribution {
	return []*catalogue.Distribution{
		withTails(&catalogue.Distribution{
			Name: "poisson", Args: "ints n | reals lambda", Discrete: true,
			Doc: "Poisson distribution with mean lambda", Section: counts,
			Requires: []catalogue.Requirement{catalogue.CountInt, catalogue.Nonnegative}, Variate: &catalogue.AnyInt, Bulk: poissonBulk, Known: poissonKnown, FiniteImpliesValid: true,
			Log: func(x, d []float64) float64 {
				if d != nil {
					d[1] = x[0]/x[1] - 1
					if x[0] == 0 {
						d[1] = -1
					}
				}
				return poissonMass(x[0], x[1])
			},
			Drawable: countable(1, func(p []float64) float64 { return p[0] }),
			Draw:     func(r *rand.Rand, p []float64) float64 { return poissonDraw(r, p[0]) },
		}, poissonTail),
		{
			Name: "poisson_log", Args: "ints n | reals alpha", Discrete: true,
			Doc: "Poisson distribution with log mean alpha", Section: counts,
			Requires: []catalogue.Requirement{catalogue.CountInt, catalogue.NotNaN}, Log: PoissonLogLog, Bulk: poissonLogBulk, Known: poissonLogKnown, FiniteImpliesValid: true,
			Drawable: countable(1, func(p []float64) float64 { return libm.Exp(p[0]) }),
			Draw:     func(r *rand.Rand, p []float64) float64 { return poissonDraw(r, libm.Exp(p[0])) },
		},
		withTails(hoisted(&catalogue.Distribution{
			Name: "neg_binomial_2", Args: "ints n | reals mu, reals phi", Discrete: true,
			Doc: "negative binomial distribution with mean mu and precision phi", Section: counts,
			Requires: []catalogue.Requirement{catalogue.CountInt, catalogue.PositiveFinite, catalogue.PositiveFinite}, Variate: &catalogue.AnyInt,
			Bulk: negBinomial2Bulk, Known: negBinomial2Known, FiniteImpliesValid: true,
			Hoist:    &catalogue.Hoist{Of: []int{2}, Size: 1, Prep: negBinomialPrep, Log: negBinomial2Log},
			Drawable: countable(1, func(p []float64) float64 { return p[0] }),
			Draw: func(r *rand.Rand, p []float64) float64 {
				return poissonDraw(r, GammaDraw(r, p[1])*p[0]/p[1])
			},
		}), negBinomial2Tail),
		hoisted(&catalogue.Distribution{
			Name: "neg_binomial_2_log", Args: "ints n | reals eta, reals phi", Discrete: true,
			Doc: "negative binomial distribution with log mean eta and precision phi", Section: counts,
			Requires: []catalogue.Requirement{catalogue.CountInt, catalogue.Finite, catalogue.PositiveFinite},
			Bulk:     negBinomial2LogBulk, Known: negBinomial2LogKnown, FiniteImpliesValid: true,
			Hoist:    &catalogue.Hoist{Of: []int{2}, Size: 1, Prep: negBinomialPrep, Log: negBinomial2LogLog},
			Drawable: countable(1, func(p []float64) float64 { return libm.Exp(p[0]) }),
			Draw: func(r *rand.Rand, p []float64) float64 {
				return poissonDraw(r, GammaDraw(r, p[1])*libm.Exp(p[0])/p[1])
			},
		}),
		withTails(&catalogue.Distribution{
			Name: "neg_binomial", Args: "ints n | reals alpha, reals beta", Discrete: true,
			Doc: "negative binomial distribution with shape alpha and inverse scale beta", Section: counts,
			Requires: []catalogue.Requirement{catalogue.CountInt, catalogue.PositiveFinite, catalogue.PositiveFinite}, Variate: &catalogue.AnyInt,
			Log: func(x, d []float64) float64 {
				n, a, b := x[0], x[1], x[2]
				logM := -libm.Log(b) // of the mean over alpha
				v, dEta, dPhi := NegBinomialMass(n, libm.Log(a)+logM, logM, a)
				if d != nil {
					// The log mean is log(alpha) - log(beta).
					d[1], d[2] = dPhi+dEta/a, -dEta/b
				}
				return v
			},
			Drawable: countable(1, func(p []float64) float64 { return p[0] / p[1] }),
			Draw:     func(r *rand.Rand, p []float64) float64 { return poissonDraw(r, GammaDraw(r, p[0])/p[1]) },
		}, negBinomialTail),
	}
}

// poissonMass is the log mass of n at the given mean.
func poissonMass(n, mean float64) float64 {
	switch {
	case n == 0:
		return -mean
	case mean == 0 || mean > catalogue.MaxFinite:
		return catalogue.NegInf
	case n < 256:
		return float64(n*libm.Log(mean)) - mean - LogFactorial(n)
	}
	return -special.StirlingError(n) - special.Deviance(n, mean) - float64(0.5*libm.Log(n)) - HalfLogTwoPi
}

func PoissonLogLog(x, d []float64) float64 {
	n, alpha := x[0], x[1]
	mean := libm.Exp(alpha)
	if mean > catalogue.MaxFinite {
		clear(d)
		return catalogue.NegInf
	}
	if d != nil {
		d[1] = n - mean
	}
	switch {
	case n == 0:
		return -mean
	case n < 256:
		return float64(n*alpha) - mean - LogFactorial(n)
	case mean < 1e-300:
		l, _ := libm.Lgamma(n + 1)
		return float64(n*alpha) - mean - l
	}
	return poissonMass(n, mean)
}

// negBinomialPrep returns the logarithm of the precision.
func negBinomialPrep(x, c []float64, _ bool) { c[0] = libm.Log(x[2]) }

func negBinomial2Log(x, c, d []float64) float64 {
	eta := libm.Log(x[1])
	v, dEta, dPhi := NegBinomialMass(x[0], eta, eta-c[0], x[2])
	if d != nil {
		d[1], d[2] = dEta/x[1], dPhi
	}
	return v
}

func negBinomial2LogLog(x, c, d []float64) float64 {
	v, dEta, dPhi := NegBinomialMass(x[0], x[1], x[1]-c[0], x[2])
	if d != nil {
		d[1], d[2] = dEta, dPhi
	}
	return v
}

// NegBinomialMass is the log mass of n at the log mean eta and precision phi, and
// its derivatives in both; logM is eta - log(phi). With m = mean/phi it is
//
//	log Gamma(n + phi) / (n! Gamma(phi)) + n log(m/(1+m)) - phi log(1+m).
func NegBinomialMass(n, eta, logM, phi float64) (v, dEta, dPhi float64) {
	m := libm.Exp(logM)
	if logM > 700 {
		// 1 + m is m.
		v = float64(-phi * logM)
		if n > 0 {
			v += logRising(phi, n)
		}
		return v, -phi, special.PsiShift(phi, n) + n/phi + 1 - logM
	}
	mean := float64(m * phi)
	share := m / (1 + m)
	dEta = (n - mean) / (1 + m)
	dPhi = negBinomialPhiSlope(n, m, phi)
	switch {
	case n == 0:
		return -phi * libm.Log1p(m), dEta, dPhi
	case phi > 1e5*n && phi > 1e5*mean:
		// Nearly Poisson: log prod (1 + k/phi) + log mass + correction.
		v = special.LgammaShift(phi, n) - float64(n*libm.Log(phi))
		if n < 1000 {
			v = 0
			for k := 1.0; k < n; k++ {
				v += libm.Log1p(k / phi)
			}
		}
		return v + poissonMassLog(n, mean, eta) - float64(phi*special.Log1pmx(m)) - float64(n*libm.Log1p(m)), dEta, dPhi
	case n > 10 && phi > 10:
		// Loader's form of the binomial mass of n in n+phi, times phi/(n+phi).
		s := n + phi
		v = special.StirlingError(s) - special.StirlingError(n) - special.StirlingError(phi) -
			HalfLogTwoPi + float64(0.5*(libm.Log(phi/s)-libm.Log(n))) -
			special.Deviance(n, s*share) - special.Deviance(phi, s/(1+m))
		return v, dEta, dPhi
	}
	return logRising(phi, n) + float64(n*(logM-libm.Log1p(m))) - float64(phi*libm.Log1p(m)), dEta, dPhi
}

// negBinomialPhiSlope is the derivative of the log mass in phi at a fixed mean m phi,
//
//	digamma(n+phi) - digamma(phi) - log(1+m) + (m phi - n) / (phi (1+m)),
//
// with the terms of first order in 1/phi cancelled by hand.
func negBinomialPhiSlope(n, m, phi float64) float64 {
	share := m / (1 + m)
	slope := special.PsiShift(phi, n)
	if m < 0.1 {
		return slope - float64(share*(m-n/phi)) - special.Log1pmx(m)
	}
	return slope + float64(share*(1+n/phi)) - libm.Log1p(m)
}

// poissonMassLog is poissonMass where the mean may underflow but its logarithm not.
func poissonMassLog(n, mean, logMean float64) float64 {
	if n < 256 {
		return float64(n*logMean) - mean - LogFactorial(n)
	}
	return poissonMass(n, mean)
}

// logRising is log Gamma(n + phi) / (n! Gamma(phi)) for n > 0.
func logRising(phi, n float64) float64 {
	if n <= 20 && phi < 1e10 {
		product := 1.0
		for k := 0.0; k < n; k++ {
			product *= phi + k
		}
		return libm.Log(product) - LogFactorial(n)
	}
	return -libm.Log(n) - special.Lbeta(phi, n)
}
