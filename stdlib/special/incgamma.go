// This file holds the regularised incomplete gamma functions with their derivatives.

package special

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// maxTerms bounds every series and continued fraction.
const maxTerms = 200000

// IncGamma returns P(a, x), Q(a, x) = 1 - P(a, x), the density of a gamma variate of
// shape a and rate 1, and the derivatives with respect to a, for a > 0 and x >= 0.
//
// For a above 1e5 and x near a, Temme's uniform expansion saves the many terms that
// the others need there. Up to a standard deviation above the mean or so P is summed by its power series, of positive terms;
// above, Q comes from Legendre's continued fraction; for small a
// and x, where both P and Q come from cancelling parts, Q has a series of its own.
// Each is differentiated term by term. The common factor is computed in Loader's
// form, which does not cancel for large a.
func IncGamma(a, x float64) Tails { return incGamma(a, x, true) }

// IncGammaOfShape is IncGamma without the derivatives with respect to a, which then mean nothing.
func IncGammaOfShape(a, x float64) Tails { return incGamma(a, x, false) }

func incGamma(a, x float64, slopes bool) Tails {
	switch {
	case !(a > 0) || !(x >= 0) || math.IsInf(a, 1):
		nan := math.NaN()
		return Tails{P: nan, Q: nan, LogP: nan, LogQ: nan, LogDensity: nan, LogPA: nan, LogQA: nan}
	case x == 0:
		t := Tails{Q: 1, LogP: math.Inf(-1), LogPA: math.Inf(-1), LogDensity: math.Inf(-1)}
		if a <= 1 {
			t.LogDensity = 0
			if a < 1 {
				t.LogDensity = math.Inf(1)
			}
		}
		return t
	case math.IsInf(x, 1):
		return Tails{P: 1, LogQ: math.Inf(-1), LogQA: math.Inf(1), LogDensity: math.Inf(-1)}
	}
	factor := logGammaFactor(a, x)
	var t Tails
	if mu := (x - a) / a; a > 1e5 && math.Abs(mu) < 0.05 {
		t = temme(a, mu)
	} else if a >= 1e5 && x < a+1+math.Sqrt(a) || summed(a, x) {
		s, ds := gammaSeries(a, x)
		t.LogP = factor + libm.Log(s)
		if slopes {
			t.LogPA = logMinusPsi(a, x) - 1/a + ds/s
		}
		t.fromLogP()
		if a < 1 && t.P > 0.5 {
			smallShapeQ(a, x, &t)
		}
	} else {
		logH, dLogH := gammaFraction(a, x)
		if slopes {
			t.LogPA = logMinusPsi(a, x) + dLogH
		}
		t.LogP = factor + libm.Log(a) + logH
		t.fromLogP()
		t = t.exchanged()
	}
	t.LogDensity = factor + libm.Log(a) - libm.Log(x)
	return t
}

// GammaP is P(a, x) alone.
func GammaP(a, x float64) float64 {
	if !summed(a, x) {
		return IncGammaOfShape(a, x).P
	}
	s, _ := gammaSeries(a, x)
	return math.Min(1, libm.Exp(logGammaFactor(a, x))*s)
}

// GammaPSlopes are the derivatives of P(a, x), which is p, in a and x.
func GammaPSlopes(a, x, p float64) (da, dx float64) {
	if !summed(a, x) || p == 0 {
		t := IncGamma(a, x)
		return t.P * t.LogPA, libm.Exp(t.LogDensity)
	}
	s, ds := gammaSeries(a, x)
	return p * (logMinusPsi(a, x) - 1/a + ds/s), p / s * (a / x)
}

// summed reports whether P is the power series.
func summed(a, x float64) bool {
	return a > 0 && x > 0 && a < 1e5 && x < a+1+math.Sqrt(a) && (a >= 1 || x <= 1)
}

// logGammaFactor is log(x^a exp(-x) / gamma(a + 1)).
func logGammaFactor(a, x float64) float64 {
	if a < 10 {
		return float64(a*libm.Log(x)) - x - Lgamma1p(a)
	}
	return -Deviance(a, x) - float64(0.5*libm.Log(a)) - halfLogTwoPi - StirlingError(a)
}

// logMinusPsi is log(x) - digamma(a).
func logMinusPsi(a, x float64) float64 {
	if a < 10 {
		return libm.Log(x) - Psi(a)
	}
	return libm.Log(x/a) + 0.5/a - PsiError(a)
}

// gammaSeries is 1 + x/(a+1) + x^2/((a+1)(a+2)) + ..., and its derivative in a.
func gammaSeries(a, x float64) (s, ds float64) {
	s = 1
	term, harmonic := 1.0, 0.0
	for n := 1.0; n < maxTerms; n++ {
		r := 1 / (a + n)
		term = float64(term * (x * r))
		harmonic += r
		s += term
		ds -= float64(term * harmonic)
		if term < 1e-17*s && a+n > x {
			break
		}
	}
	return s, ds
}

// gammaFraction is the logarithm of Q(a,x) gamma(a) exp(x) x^-a, and its derivative, by the recurrence of Wallis.
func gammaFraction(a, x float64) (logH, dLogH float64) {
	const big, small = 1e100, 1e-100
	b := x + 1 - a
	// The last two numerators p and denominators q of the convergents, with derivatives.
	p0, p1, q0, q1 := 0.0, 1.0, 1.0, b
	var dp0, dp1, dq0 float64
	dq1 := -1.0
	h, dLog := p1/q1, -dq1/q1
	for i := 1.0; i < maxTerms; i++ {
		an := -i * (i - a)
		b += 2
		p0, p1, dp0, dp1 = p1, float64(b*p1)+float64(an*p0), dp1, float64(b*dp1)-p1+float64(an*dp0)+float64(i*p0)
		q0, q1, dq0, dq1 = q1, float64(b*q1)+float64(an*q0), dq1, float64(b*dq1)-q1+float64(an*dq0)+float64(i*q0)
		if math.Abs(q1) > big {
			p0, p1, dp0, dp1 = p0*small, p1*small, dp0*small, dp1*small
			q0, q1, dq0, dq1 = q0*small, q1*small, dq0*small, dq1*small
		}
		before := h
		h = p1 / q1
		if math.Abs(h-before) > 1e-16*h {
			continue
		}
		last := dLog
		if dLog = dp1/p1 - dq1/q1; math.Abs(dLog-last) <= 2e-16*math.Abs(dLog) {
			break
		}
	}
	return libm.Log(h), dLog
}

// smallShapeQ computes the upper tail for a < 1 and x <= 1, where it may be far
// smaller than 1: 1 - P with the leading 1 taken out of x^a / gamma(1+a).
func smallShapeQ(a, x float64, t *Tails) {
	logE := float64(a*libm.Log(x)) - Lgamma1p(a)
	dLogE := libm.Log(x) - Psi(1+a)
	e := libm.Exp(logE)
	power, s, ds := 1.0, 0.0, 0.0
	for n := 1.0; n < 60; n++ {
		power *= -x / n
		s += power * a / (a + n)
		ds += power * n / ((a + n) * (a + n))
		if math.Abs(power) < 1e-18 {
			break
		}
	}
	t.Q = -libm.Expm1(logE) - float64(e*s)
	t.LogQ = libm.Log(t.Q)
	t.LogQA = -e * (float64(dLogE*(1+s)) + ds) / t.Q
	t.P = 1 - t.Q
	t.LogP = libm.Log1p(-t.Q)
	t.LogPA = -t.LogQA * t.Q / t.P
}

// temme is the uniform asymptotic expansion for large a at x = a (1 + mu) (Temme 1979;
// DLMF 8.12.3 and 8.12.7), with its derivative in a:
//
//	Q = erfc(z)/2 + R,  z = eta sqrt(a/2),  eta^2/2 = mu - log(1 + mu),
//	R = exp(-z^2)/sqrt(2 pi a) (c0(eta) + c1(eta)/a + ...).
func temme(a, mu float64) Tails {
	const (
		c00, c01, c02, c03, c04, c05 = -1.0 / 3, 1.0 / 12, -2.0 / 135, 1.0 / 864, 1.0 / 2835, -139.0 / 777600
		c10, c11                     = -1.0 / 540, -1.0 / 288
	)
	half := -Log1pmx(mu)
	eta := math.Copysign(math.Sqrt(2*half), mu)
	slope := -1 / a // d eta/da
	if eta != 0 {
		slope *= mu / eta
	}
	c := c00 + float64(eta*(c01+float64(eta*(c02+float64(eta*(c03+float64(eta*(c04+float64(eta*c05))))))))) + (c10+float64(eta*c11))/a
	dc := c01 + float64(eta*(2*c02+float64(eta*(3*c03+float64(eta*(4*c04+float64(eta*5*c05))))))) + c11/a
	side := math.Copysign(1, mu) // the smaller tail: Q above the mean, P below
	root := math.Sqrt(2 * math.Pi * a)
	tail := float64(0.5*root*Erfcx(math.Abs(eta)*math.Sqrt(a/2))) + float64(side*c) // over exp(-z^2)/root
	dTail := side * (-(float64(a*slope) + float64(eta/2)) + float64(c*(libm.Log1p(mu)-0.5/a)) + float64(dc*slope))
	var t Tails
	t.LogP = float64(-a*half) + libm.Log(tail/root)
	t.LogPA = dTail / tail
	t.fromLogP()
	if mu > 0 {
		return t.exchanged()
	}
	return t
}
