// This file holds inverses of distribution functions.

package special

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// InvIncBeta is the x at which IncBeta(a, b, x, 1-x).P is p.
func InvIncBeta(a, b, p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return 1 / (1 + libm.Exp(-InvIncBetaLogit(a, b, p, 1-p)))
}

// InvIncBetaLogit is logit(x) at the point x where the tails of the beta distribution
// are p and q = 1 - p; callers who know q better than 1 - p pass it so.
//
// Newton's method on the logarithm of the smaller tail as a function of logit(x),
// inside a shrinking bracket.
func InvIncBetaLogit(a, b, p, q float64) float64 {
	switch {
	case !(a > 0) || !(b > 0) || !(p >= 0) || !(q >= 0):
		return math.NaN()
	case p == 0:
		return math.Inf(-1)
	case q == 0:
		return math.Inf(1)
	}
	lo, hi := -745.0, 745.0
	u := math.Max(lo, math.Min(hi, libm.Log(a)-libm.Log(b)))
	for range 200 {
		x, y := 1/(1+libm.Exp(-u)), 1/(1+libm.Exp(u))
		t := IncBeta(a, b, x, y)
		density := t.LogDensity + libm.Log(x) + libm.Log(y) // of u
		var f, slope float64
		if p < 0.5 {
			f, slope = t.LogP-libm.Log(p), libm.Exp(density-t.LogP)
		} else {
			f, slope = libm.Log(q)-t.LogQ, libm.Exp(density-t.LogQ)
		}
		if f > 0 {
			hi = u
		} else {
			lo = u
		}
		next := u - f/slope
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		change := math.Abs(next - u)
		u = next
		if change <= 2e-16*math.Abs(u) {
			break
		}
	}
	return u
}

// StudentQuantile is the quantile of Student's t distribution with nu degrees of
// freedom, with its derivatives with respect to p and nu.
func StudentQuantile(p, nu float64) (t, dp, dnu float64) {
	switch {
	case !(p >= 0 && p <= 1) || !(nu > 0):
		return math.NaN(), math.NaN(), math.NaN()
	case p == 0:
		return math.Inf(-1), math.Inf(1), 0
	case p == 1:
		return math.Inf(1), math.Inf(1), 0
	case p == 0.5:
		d := libm.Exp(Lgamma((nu+1)/2)-Lgamma(nu/2)) / math.Sqrt(nu*math.Pi)
		return 0, 1 / d, 0
	case p > 0.5:
		t, dp, dnu = StudentQuantile(1-p, nu)
		return -t, dp, -dnu
	}
	// P(T < t) is half of I_x(nu/2, 1/2) at x = nu/(nu + t^2).
	u := InvIncBetaLogit(nu/2, 0.5, 2*p, 1-2*p)
	r := libm.Exp(-u) // t^2/nu
	t = -math.Sqrt(nu * r)
	x, y := 1/(1+r), r/(1+r)
	tails := IncBeta(nu/2, 0.5, x, y)
	density := libm.Exp(tails.LogDensity) // of x
	// dx/dt = -2 t x^2/nu and dx/dnu = x y/nu.
	dFdt := -density * x * x * t / nu
	dFdnu := float64(0.25*tails.P*tails.LogPA) + 0.5*density*x*y/nu
	return t, 1 / dFdt, -dFdnu / dFdt
}
