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
	if p := libm.Exp(log); p < 0.5 {
		return libm.Log1p(-p), -p / (1 - p)
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
		r := special.Mills(w)
		slope := special.MillsSlopeOf(w, r)
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

// expModNormalTail: with R the Mills ratio and w = z - v the upper tail is phi(z) (R(-z) + R(w)), and the lower one phi(z) (R(z) -
// R(w)), of which the smaller is computed, or the lower one where R(w) is too large a number to keep its digits.
func expModNormalTail(t tail, x, d []float64) float64 {
	y, mu, sigma, lambda := x[0], x[1], x[2], x[3]
	z, v := (y-mu)/sigma, float64(lambda*sigma)
	if math.IsInf(z, 0) {
		return edge(t, z > 0, d)
	}
	s := expModSide(z, v)
	val, f := fromSide(t, s.upper, s.log)
	if d != nil {
		d[0], d[1] = f*s.dz/sigma, -f*s.dz/sigma
		d[2], d[3] = f*s.stretch/sigma, f*sigma*s.dv
	}
	return val
}

// A skewedSide is the log of a tail, its derivatives in z and v, and v dv - z dz, whose leading terms are cancelled by hand.
type skewedSide struct {
	log, dz, dv, stretch float64
	upper                bool
}

// moderate is up to where exp(w^2/2) and so R(w) keeps its digits.
const moderate = 3

func expModSide(z, v float64) skewedSide {
	w := z - v
	if w > moderate {
		return expModFar(z, v)
	}
	r := special.Mills(w)
	if z > 0 {
		if tail := special.Mills(-z) + r; tail*special.NormalDensity(z) < 0.5 {
			return expModNear(z, v, r, tail, -1)
		}
	}
	if z < 0 || v < 0.1 {
		return expModNear(z, v, r, millsDifference(z, v), 1)
	}
	return expModNear(z, v, r, special.Mills(z)-r, 1)
}

// expModNear has the tail over phi(z) and r = R(z-v); sign is that of dz.
func expModNear(z, v, r, tail, sign float64) skewedSide {
	w := z - v
	s := skewedSide{log: libm.Log(tail) - float64(0.5*z*z) - HalfLogTwoPi, upper: sign < 0}
	s.dz = sign * v * r / tail
	if w < 0 {
		s.dv = sign * special.MillsSlopeOf(w, r) / tail
		s.stretch = float64(v*s.dv) - float64(z*s.dz)
	} else {
		s.dv = sign * (1 + float64(w*r)) / tail
		s.stretch = sign * v * (1 - float64(v*r)) / tail
	}
	return s
}

// expModFar is for large w, where the second term of the upper tail is exp(-v z + v*v/2) Phi(w).
func expModFar(z, v float64) skewedSide {
	w := z - v
	logPhi, _ := special.NormalLogCDF(w)
	logE := float64(-v*z) + float64(0.5*v*v) + logPhi
	logQ, _ := special.NormalLogCDF(-z)
	s := skewedSide{log: logAdd(logQ, logE), upper: true}
	sign := -1.0
	if s.log > -math.Ln2 {
		sign, s.upper = 1, false
		switch {
		case v < 0.1 && z < 30:
			s.log = libm.Log(millsDifference(z, v)) - float64(0.5*z*z) - HalfLogTwoPi
		default:
			s.log = libm.Log(special.NormalCDF(z) - libm.Exp(logE))
		}
	}
	phi, e := libm.Exp(float64(-0.5*z*z)-HalfLogTwoPi-s.log), libm.Exp(logE-s.log)
	s.dz = sign * v * e
	s.dv = sign * (phi + float64(w*e))
	s.stretch = sign * (float64(v*phi) - float64(v*v*e))
	return s
}

// millsDifference is R(z) - R(z-v); for small v the integral of the slope, by Gauss's
// rule of five points.
func millsDifference(z, v float64) float64 {
	if v > 0.1 {
		return special.Mills(z) - special.Mills(z-v)
	}
	if z > -8 { // Taylor's series: the derivatives satisfy R(n+1) = z R(n) + n R(n-1)
		before := special.Mills(z)
		here, power, sum := special.MillsSlopeOf(z, before), v, 0.0
		for n := 1.0; ; n++ {
			term := float64(power * here)
			sum += term
			if !(math.Abs(term) > 1e-17*sum) { // also where v is so small that all terms are 0
				return sum
			}
			before, here = here, float64(z*here)+float64(n*before)
			power *= -v / (n + 1)
		}
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
