// This file holds the Gumbel, skew double exponential and exponentially modified
// normal distributions.

package univariate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

func skewedDistributions() []*catalogue.Distribution {
	return []*catalogue.Distribution{
		withTails(&catalogue.Distribution{
			Name: "gumbel", Args: "reals y | reals mu, reals beta",
			Doc: "Gumbel distribution with location mu and scale beta", Location: 1, Section: unbounded,
			Requires: []catalogue.Requirement{catalogue.NotNaN, catalogue.Finite, catalogue.PositiveFinite}, Log: gumbelLog,
			Draw: func(r *rand.Rand, p []float64) float64 { return p[0] - float64(p[1]*libm.Log(variate.Exponential(r))) },
		}, locationScale(func(t tail, z float64) (v, dz float64) {
			v, g := reversedExponential(t, -z)
			return v, -g
		})),
		withTails(&catalogue.Distribution{
			Name: "skew_double_exponential", Args: "reals y | reals mu, reals sigma, reals tau",
			Doc: "skew double exponential distribution with location mu, scale sigma and skewness tau", Section: unbounded,
			Requires: []catalogue.Requirement{catalogue.Finite, catalogue.Finite, catalogue.PositiveFinite, catalogue.Probability}, Variate: &catalogue.NotNaN,
			Log: skewLaplaceLog, Draw: skewLaplaceDraw,
		}, skewLaplaceTail),
		withTails(&catalogue.Distribution{
			Name: "exp_mod_normal", Args: "reals y | reals mu, reals sigma, reals lambda",
			Doc:      "exponentially modified normal distribution: normal(mu, sigma) plus exponential(lambda)",
			Section:  unbounded,
			Requires: []catalogue.Requirement{catalogue.NotNaN, catalogue.Finite, catalogue.PositiveFinite, catalogue.PositiveFinite}, Log: expModNormalLog,
			Draw: func(r *rand.Rand, p []float64) float64 {
				return p[0] + float64(p[1]*variate.Normal(r)) + variate.Exponential(r)/p[2]
			},
		}, expModNormalTail),
		withTails(&catalogue.Distribution{
			Name: "skew_normal", Args: "reals y | reals xi, reals omega, reals alpha",
			Doc: "skew normal distribution with location xi, scale omega and shape alpha", Section: unbounded,
			Requires: []catalogue.Requirement{catalogue.NotNaN, catalogue.Finite, catalogue.PositiveFinite, catalogue.Finite}, Log: skewNormalLog,
			Draw: func(r *rand.Rand, p []float64) float64 {
				// A normal variate that is reflected where another is above its multiple.
				z := variate.Normal(r)
				if variate.Normal(r) > p[2]*z {
					z = -z
				}
				return p[0] + float64(p[1]*z)
			},
		}, skewNormalTail),
	}
}

func gumbelLog(x, d []float64) float64 {
	inv := 1 / x[2]
	z := float64((x[0] - x[1]) * inv)
	if math.IsInf(z, 0) {
		return catalogue.NegInf
	}
	if d != nil {
		g := libm.Expm1(-z) // the derivative in z
		d[0], d[1], d[2] = g*inv, -g*inv, -(1+float64(z*g))*inv
	}
	return -z - libm.Exp(-z) - libm.Log(x[2])
}

func skewLaplaceLog(x, d []float64) float64 {
	sigma, tau := x[2], x[3]
	inv := 1 / sigma
	z := float64((x[0] - x[1]) * inv)
	rate := 2 * tau // the slope, of which the derivative in tau is 2 on both sides
	if z < 0 {
		rate = -2 * (1 - tau)
	}
	if d != nil {
		g := -rate
		if z == 0 { // the mean of both sides
			g = 1 - 2*tau
		}
		d[0], d[1], d[2] = g*inv, -g*inv, -(1+float64(g*z))*inv
		d[3] = 1/tau - 1/(1-tau) - 2*z
	}
	return math.Ln2 + libm.Log(tau) + libm.Log1p(-tau) - libm.Log(sigma) - float64(rate*z)
}

func skewLaplaceDraw(r *rand.Rand, p []float64) float64 {
	mu, sigma, tau := p[0], p[1], p[2]
	e := 0.5 * sigma * variate.Exponential(r)
	if r.Float64() < tau {
		return mu - e/(1-tau)
	}
	return mu + e/tau
}

// skewLaplaceTail: below mu the distribution function is tau exp(2 (1-tau) z), above
// it is 1 - (1-tau) exp(-2 tau z).
func skewLaplaceTail(t tail, x, d []float64) float64 {
	sigma, tau := x[2], x[3]
	z := (x[0] - x[1]) / sigma
	if math.IsInf(z, 0) {
		return edge(t, z > 0, d)
	}
	var side float64 // log of the smaller side
	var dz, dtau float64
	upper := z >= 0
	if upper {
		side = libm.Log1p(-tau) - float64(2*tau*z)
		dz, dtau = -2*tau, -1/(1-tau)-2*z
	} else {
		side = libm.Log(tau) + float64(2*(1-tau)*z)
		dz, dtau = 2*(1-tau), 1/tau-2*z
	}
	v, f := fromSide(t, upper, side)
	if d != nil {
		g := f * dz / sigma
		d[0], d[1], d[2], d[3] = g, -g, -g*z, f*dtau
	}
	return v
}

// fromSide returns tail t from the logarithm of one of the two tail probabilities, and
// the factor from the derivatives of that logarithm to those of the value.
func fromSide(t tail, upper bool, log float64) (v, factor float64) {
	log = math.Min(log, 0)
	switch {
	case t == lower && !upper:
		v = libm.Exp(log)
		return v, v
	case t == lower:
		return -libm.Expm1(log), -libm.Exp(log)
	case (t == logUpper) == upper:
		return log, 1
	case log == 0:
		return catalogue.NegInf, 0
	}
	return special.Log1mExp(log), -1 / libm.Expm1(-log)
}

// expModNormalLog: with z the standardised variate and v = lambda sigma it is
// log(lambda) - v z + v*v/2 + log Phi(z - v); below z = v in terms of the Mills ratio.
func expModNormalLog(x, d []float64) float64 {
	y, mu, sigma, lambda := x[0], x[1], x[2], x[3]
	z, v := (y-mu)/sigma, float64(lambda*sigma)
	if math.IsInf(z, 0) {
		return catalogue.NegInf
	}
	w := z - v
	var value, dz, dv, stretch float64 // stretch = v dv - z dz
	if w < 0 {
		r, slope := special.Mills(w), special.MillsSlope(w)
		value = float64(-0.5*z*z) - HalfLogTwoPi + libm.Log(r)
		dz, dv = slope/r-z, -slope/r
		stretch = float64(v*dv) - float64(z*dz)
	} else {
		logPhi, m := special.NormalLogCDF(w)
		value = float64(-v*z) + float64(0.5*v*v) + logPhi
		dz, dv = m-v, -w-m
		stretch = float64(v*v) - float64(m*(z+v))
	}
	if d != nil {
		d[0], d[1] = dz/sigma, -dz/sigma
		d[2], d[3] = stretch/sigma, 1/lambda+float64(sigma*dv)
	}
	return libm.Log(lambda) + value
}

// expModNormalTail: the upper tail is a sum of two positive terms. The lower one is
// phi(z) (R(z) - R(z-v)) with R the Mills ratio.
func expModNormalTail(t tail, x, d []float64) float64 {
	y, mu, sigma, lambda := x[0], x[1], x[2], x[3]
	z, v := (y-mu)/sigma, float64(lambda*sigma)
	if math.IsInf(z, 0) {
		return edge(t, z > 0, d)
	}
	w := z - v
	logE := expModTerm(z, v)
	side, upper := expModSide(z, v, logE)
	sign := 1.0
	if upper {
		sign = -1
	}
	dz := sign * v * libm.Exp(logE-side)
	dv := sign * expModSlope(z, w, logE, side)
	val, f := fromSide(t, upper, side)
	if d != nil {
		stretch := float64(v*dv) - float64(z*dz)
		if w > 0 {
			// The leading terms cancelled by hand.
			stretch = sign * (float64(v*libm.Exp(float64(-0.5*z*z)-HalfLogTwoPi-side)) - float64(v*v*libm.Exp(logE-side)))
		}
		d[0], d[1] = f*dz/sigma, -f*dz/sigma
		d[2], d[3] = f*stretch/sigma, f*sigma*dv
	}
	return val
}

// expModTerm is the log of exp(-v z + v*v/2) Phi(z - v).
func expModTerm(z, v float64) float64 {
	if z < v {
		return float64(-0.5*z*z) - HalfLogTwoPi + libm.Log(special.Mills(z-v))
	}
	logPhi, _ := special.NormalLogCDF(z - v)
	return float64(-v*z) + float64(0.5*v*v) + logPhi
}

// expModSide is the log of the upper tail, where that is the smaller, or of the
// lower one; logE is expModTerm.
func expModSide(z, v, logE float64) (side float64, upper bool) {
	if z > 0 && special.NormalCDF(-z)+libm.Exp(logE) < 0.5 {
		logQ, _ := special.NormalLogCDF(-z)
		return logAdd(logQ, logE), true
	}
	if z < 0 || v < 0.1 && z < 30 {
		return libm.Log(millsDifference(z, v)) - float64(0.5*z*z) - HalfLogTwoPi, false
	}
	return libm.Log(special.NormalCDF(z) - libm.Exp(logE)), false
}

// expModSlope is phi(z) (1 + w R(w)) over the tail whose logarithm is side.
func expModSlope(z, w, logE, side float64) float64 {
	phi := libm.Exp(float64(-0.5*z*z) - HalfLogTwoPi - side)
	if w < 0 {
		return phi * special.MillsSlope(w)
	}
	return phi + float64(w*libm.Exp(logE-side))
}

// millsDifference is R(z) - R(z-v); for small v the integral of the slope, by Gauss's
// rule of five points.
func millsDifference(z, v float64) float64 {
	if v > 0.1 {
		return special.Mills(z) - special.Mills(z-v)
	}
	const (
		x1, w1 = 0.90617984593866399280, 0.23692688505618908751
		x2, w2 = 0.53846931010568309104, 0.47862867049936646804
		w0     = 0.56888888888888888889
	)
	h := float64(0.5 * v)
	c := z - h
	s := special.MillsSlope
	return h * (float64(w0*s(c)) + float64(w1*(s(c-float64(h*x1))+s(c+float64(h*x1)))) + float64(w2*(s(c-float64(h*x2))+s(c+float64(h*x2)))))
}

// logAdd is log(exp(a) + exp(b)).
func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(a, -1) {
		return a
	}
	return a + libm.Log1p(libm.Exp(b-a))
}
