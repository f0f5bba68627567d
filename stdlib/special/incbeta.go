// This file holds the regularised incomplete beta function with its derivatives.

package special

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// IncBeta returns I_x(a, b), its complement, the density of a beta variate, and the
// derivatives with respect to a and b, for positive a and b. y must be 1 - x; callers
// who know it better than 1 - x in floating point pass it so.
//
// On the near side of the mean the continued fraction of Numerical Recipes section
// 6.4 is evaluated by Lentz's method together with its derivatives; the far side is
// its mirror image. Where a small shape leaves the complement tiny on the near side,
// the complement has a power series of its own.
func IncBeta(a, b, x, y float64) Tails {
	switch {
	case !(a > 0) || !(b > 0) || math.IsInf(a, 1) || math.IsInf(b, 1) || !(x >= 0) || !(y >= 0):
		nan := math.NaN()
		return Tails{P: nan, Q: nan, LogP: nan, LogQ: nan, LogDensity: nan, LogPA: nan, LogQA: nan, LogPB: nan, LogQB: nan}
	case x == 0:
		return Tails{Q: 1, LogP: math.Inf(-1), LogPA: math.Inf(-1), LogDensity: betaEdge(a, b)}
	case y == 0:
		return Tails{P: 1, LogQ: math.Inf(-1), LogQB: math.Inf(-1), LogDensity: betaEdge(b, a)}
	case x*(a+b+2) > a+1:
		t := nearBeta(b, a, y, x)
		return t.swapped()
	}
	return nearBeta(a, b, x, y)
}

// betaEdge is the log density at x = 0.
func betaEdge(a, b float64) float64 {
	switch {
	case a < 1:
		return math.Inf(1)
	case a > 1:
		return math.Inf(-1)
	}
	return libm.Log(b)
}

// nearBeta computes the tails where x is not far above the mean.
func nearBeta(a, b, x, y float64) Tails {
	factor := logBetaFactor(a, b, x, y)
	logX, logY := libm.Log(x), libm.Log(y)
	if x < 0.5 {
		logY = libm.Log1p(-x)
	} else {
		logX = libm.Log1p(-y)
	}
	f := betaFraction(a, b, x)
	var t Tails
	t.LogP = factor - libm.Log(a) + libm.Log(f.h)
	t.LogPA = logX + PsiDiff(a, b) - 1/a + f.da
	t.LogPB = logY + PsiDiff(b, a) + f.db
	t.fromLogP()
	if a < 1 && t.P > 0.5 {
		smallShapeBeta(a, b, x, logX, &t)
	}
	t.LogDensity = factor - logX - logY
	return t
}

// logBetaFactor is log(x^a y^b / B(a, b)), in Loader's form.
func logBetaFactor(a, b, x, y float64) float64 {
	n := a + b
	if a < 10 && b < 10 {
		return float64(a*libm.Log(x)) + float64(b*libm.Log(y)) + Lgamma1p(n) - Lgamma1p(a) - Lgamma1p(b) + libm.Log(a) + libm.Log(b) - libm.Log(n)
	}
	s := StirlingError(n) - StirlingError(a) - StirlingError(b)
	return s - Deviance(a, n*x) - Deviance(b, n*y) + float64(0.5*libm.Log(a*(b/n))) - halfLogTwoPi
}

// PsiDiff is digamma(a + b) - digamma(a) for positive a and nonnegative b, with full
// relative accuracy as b vanishes.
func PsiDiff(a, b float64) float64 {
	switch {
	case a >= 10:
		return PsiShift(a, b) + b/a
	case b > 1e-5:
		return Psi(a+b) - Psi(a)
	case a < 1:
		return PsiDiff(a+1, b) + b/(a+b)/a // the product of a and a + b may underflow
	}
	return b * (Trigamma(a) + float64(b/2*Tetragamma(a)))
}

// betaParts is the continued fraction h with the derivatives of log h.
type betaParts struct{ h, da, db float64 }

// lentz is one run of Lentz's method on a continued fraction whose partial
// denominators are 1, with two derivatives carried along.
type lentz struct {
	c, ca, cb float64
	d, da, db float64
	betaParts
	last float64 // relative change in the last step
}

// step multiplies in the partial numerator v.
func (l *lentz) step(v, va, vb float64) {
	const tiny = 1e-300
	d := 1 + float64(v*l.d)
	if d == 0 {
		d = tiny
	}
	da, db := float64(va*l.d)+float64(v*l.da), float64(vb*l.d)+float64(v*l.db)
	l.d, l.da, l.db = 1/d, -da/(d*d), -db/(d*d)
	c := 1 + v/l.c
	if c == 0 {
		c = tiny
	}
	l.ca, l.cb = (va-v*l.ca/l.c)/l.c, (vb-v*l.cb/l.c)/l.c
	l.c = c
	del := float64(c * l.d)
	ga, gb := l.ca/c+l.da/l.d, l.cb/c+l.db/l.d
	l.h *= del
	l.betaParts.da += ga
	l.betaParts.db += gb
	l.last = math.Max(math.Abs(del-1), math.Max(relative(ga, l.betaParts.da), relative(gb, l.betaParts.db)))
}

func relative(change, total float64) float64 {
	if change == 0 {
		return 0
	}
	return math.Abs(change) / (1e-290 + math.Abs(total))
}

// betaFraction evaluates the continued fraction of the incomplete beta function.
func betaFraction(a, b, x float64) betaParts {
	n := a + b
	l := lentz{c: math.Inf(1), betaParts: betaParts{h: 1}}
	// The first partial numerator, with c starting at infinity.
	v := -n * x / (a + 1)
	l.d = 1 / (1 + v)
	va, vb := v*(1/n-1/(a+1)), v/n
	l.da, l.db = -va*l.d*l.d, -vb*l.d*l.d
	l.c = 1
	l.h = l.d
	l.betaParts.da, l.betaParts.db = l.da/l.d, l.db/l.d
	for m := 1.0; m < maxTerms; m++ {
		e := a + 2*m
		v := m * (b - m) * x / ((e - 1) * e)
		l.step(v, -v*(1/(e-1)+1/e), m*x/((e-1)*e))
		first := l.last
		v = -(a + m) * (n + m) * x / (e * (e + 1))
		l.step(v, v*(1/(a+m)+1/(n+m)-1/e-1/(e+1)), v/(n+m))
		if first < 3e-16 && l.last < 3e-16 {
			break
		}
	}
	return l.betaParts
}

// smallShapeBeta computes the upper tail for a < 1 from the power series of the
// integrand, with the leading 1 taken out.
func smallShapeBeta(a, b, x, logX float64, t *Tails) {
	logC := float64(a*logX) + LgammaDiff(b, a) - Lgamma1p(a)
	c := libm.Exp(logC)
	dLogA := logX + Psi(a+b) - Psi(1+a)
	dLogB := PsiDiff(b, a)
	coef, dCoef := 1.0, 0.0 // (1-b)_n x^n / n! and its derivative in b
	s, sa, sb := 0.0, 0.0, 0.0
	for n := 1.0; n < maxTerms; n++ {
		dCoef = (float64(dCoef*(n-b)) - coef) * x / n
		coef *= (n - b) * x / n
		s += coef * a / (a + n)
		sa += coef * n / ((a + n) * (a + n))
		sb += dCoef * a / (a + n)
		if n > b && math.Abs(coef) < 1e-17 && math.Abs(dCoef) < 1e-17 {
			break
		}
	}
	t.Q = -libm.Expm1(logC) - float64(c*s)
	t.LogQ = libm.Log(t.Q)
	t.LogQA = -c * (float64(dLogA*(1+s)) + sa) / t.Q
	t.LogQB = -c * (float64(dLogB*(1+s)) + sb) / t.Q
	t.P = 1 - t.Q
	t.LogP = libm.Log1p(-t.Q)
	t.LogPA, t.LogPB = -t.LogQA*t.Q/t.P, -t.LogQB*t.Q/t.P
}
