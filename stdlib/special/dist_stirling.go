// This file holds the differences that densities with large parameters are built
// from: what remains of lgamma and digamma when Stirling's formula is taken off.

package special

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

const halfLogTwoPi = 0.91893853320467274178032973640562

// stirlingCoef are B(2k) / (2k (2k-1)), the coefficients of Stirling's series.
var stirlingCoef = [...]float64{
	1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188,
	-691.0 / 360360, 1.0 / 156, -3617.0 / 122400,
}

// StirlingError is lgamma(x) - ((x - 1/2) log x - x + log(2 pi)/2) for x > 0.
func StirlingError(x float64) float64 {
	if x < 10 {
		l, _ := libm.Lgamma(x)
		return l - (float64((x-0.5)*libm.Log(x)) - x + halfLogTwoPi)
	}
	inv := 1 / x
	w := inv * inv
	s := 0.0
	for k := len(stirlingCoef) - 1; k >= 0; k-- {
		s = float64(s*w) + stirlingCoef[k]
	}
	return s * inv
}

// psiCoef are B(2k) / (2k), the coefficients of the series of digamma.
var psiCoef = [...]float64{
	1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132,
	-691.0 / 32760, 1.0 / 12, -3617.0 / 8160,
}

// PsiError is digamma(x) - log(x) + 1/(2x) for x > 0.
func PsiError(x float64) float64 {
	if x < 10 {
		return Psi(x) - libm.Log(x) + 0.5/x
	}
	w := 1 / (x * x)
	s := 0.0
	for k := len(psiCoef) - 1; k >= 0; k-- {
		s = float64(s*w) + psiCoef[k]
	}
	return -s * w
}

// Psi is digamma for x > 0, NaN below: the recurrence up to 10 and the asymptotic series. Near
// its root it is taken from the root, so that the relative error stays small.
func Psi(x float64) float64 {
	if x < 0 { // the recurrence would never end
		return math.NaN()
	}
	const rootHi, rootLo = 1.4616321449683622, 9.5499954299656977e-17
	if d := (x - rootHi) - rootLo; math.Abs(d) < 0.02 {
		return psiNearRoot(d)
	}
	s := 0.0
	for x < 10 {
		s -= 1 / x
		x++
	}
	return s + libm.Log(x) - 0.5/x + PsiError(x)
}

// psiNearRoot is the Taylor series of digamma about its positive root: the
// polygamma functions there, divided by factorials.
func psiNearRoot(d float64) float64 {
	const (
		c1 = 0.96767224544762117
		c2 = -0.442763168983592106
		c3 = 0.258499760955651011
		c4 = -0.163942705442406528
		c5 = 0.107824050691262366
		c6 = -0.0721995612564547109
		c7 = 0.0488042881641431072
		c8 = -0.0331611264748473593
	)
	return d * (c1 + float64(d*(c2+float64(d*(c3+float64(d*(c4+float64(d*(c5+float64(d*(c6+float64(d*(c7+float64(d*c8))))))))))))))
}

// Log1pmx is log(1 + x) - x for x > -1, without cancellation near 0.
func Log1pmx(x float64) float64 {
	if x < -0.5 || x > 1 {
		return libm.Log1p(x) - x
	}
	// log(1+x) = 2 atanh(r) with r = x/(2+x); the first term of the series gives
	// 2r - x = -rx exactly.
	r := x / (2 + x)
	w := r * r
	s, term := 0.0, w
	for k := 3.0; k < 80; k += 2 {
		add := term / k
		s += add
		if add <= 1e-17*s {
			break
		}
		term *= w
	}
	return r * (2*s - x)
}

// Deviance is x log(x/m) + m - x, the term that is small when the count x is near
// its mean m (Loader, Fast and Accurate Computation of Binomial Probabilities, 2000).
func Deviance(x, m float64) float64 {
	if x == 0 {
		return m
	}
	t := (m - x) / x
	if t < -0.5 || math.IsInf(t, 1) {
		return float64(x*(libm.Log(x)-libm.Log(m))) + m - x
	}
	return -x * Log1pmx(t)
}

// Lbeta is log B(a, b) for positive a and b.
func Lbeta(a, b float64) float64 {
	if a > b {
		a, b = b, a
	}
	switch {
	case math.IsInf(b, 1) && a > 0:
		return math.Inf(-1)
	case a >= 10:
		s := a + b
		return float64(0.5*(libm.Log(s/b)-libm.Log(a))) + halfLogTwoPi + StirlingError(a) + StirlingError(b) - StirlingError(s) +
			float64(a*libm.Log(a/s)) + float64(b*libm.Log1p(-a/s))
	case b >= 10:
		l, _ := libm.Lgamma(a)
		return l - LgammaShift(b, a)
	}
	la, _ := libm.Lgamma(a)
	lb, _ := libm.Lgamma(b)
	ls, _ := libm.Lgamma(a + b)
	return la + lb - ls
}

// LgammaShift is lgamma(x + a) - lgamma(x) for positive x and a.
func LgammaShift(x, a float64) float64 {
	if x < 10 {
		p, _ := libm.Lgamma(x + a)
		q, _ := libm.Lgamma(x)
		return p - q
	}
	// (x+a-1/2) log(x+a) - (x-1/2) log x - a, with log(1+a/x) taken out.
	return float64(a*libm.Log(x)) + float64((x-0.5)*Log1pmx(a/x)) - 0.5*a/x + float64(a*libm.Log1p(a/x)) + StirlingError(x+a) - StirlingError(x)
}

// PsiShift is digamma(x + a) - digamma(x) - a/x for positive x and nonnegative a:
// what remains beyond the first order when x is large.
func PsiShift(x, a float64) float64 {
	if x >= 10 {
		s := x + a
		return Log1pmx(a/x) + 0.5*a/(x*s) + PsiError(s) - PsiError(x)
	}
	if a == math.Floor(a) && a < 10 {
		s := 0.0
		for k := 1.0; k < a; k++ {
			s -= k / (x * (x + k))
		}
		return s
	}
	return Psi(x+a) - Psi(x) - a/x
}

// LgammaHalf is lgamma(x + 1/2) - lgamma(x) - log(x)/2 for x > 0, and its derivative.
func LgammaHalf(x float64) (v, dv float64) {
	switch {
	case x < 0.01:
		p, _ := libm.Lgamma(x + 0.5)
		q, _ := libm.Lgamma(x)
		return p - q - float64(0.5*libm.Log(x)), Psi(x+0.5) - Psi(x) - 0.5/x
	case x < 15:
		// From x to x+1, lgamma(x+1/2) - lgamma(x) grows by the logarithm of (x+1/2)/x.
		ratio, slope, y := 1.0, 0.0, x
		for ; y < 15; y++ {
			r := 1 / y
			ratio *= 1 + float64(0.5*r)
			slope += r / (y + 0.5)
		}
		v, dv = LgammaHalf(y)
		return v + float64(0.5*libm.Log(y/(x*ratio*ratio))), dv + float64(0.5*(1/y-1/x+slope))
	}
	// The coefficients of the asymptotic series in odd powers of 1/x.
	const (
		c1  = -1.0 / 8
		c3  = 1.0 / 192
		c5  = -1.0 / 640
		c7  = 17.0 / 14336
		c9  = -31.0 / 18432
		c11 = 691.0 / 180224
		c13 = -5461.0 / 425984
	)
	r := 1 / x
	w := r * r
	v = r * (c1 + float64(w*(c3+float64(w*(c5+float64(w*(c7+float64(w*(c9+float64(w*(c11+float64(w*c13))))))))))))
	dv = -w * (c1 + float64(w*(3*c3+float64(w*(5*c5+float64(w*(7*c7+float64(w*(9*c9+float64(w*(11*c11+float64(w*13*c13))))))))))))
	return v, dv
}
