// This file holds the cdf functions of the beta and Student t distributions.

package univariate

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

func betaTail(t tail, x, d []float64) float64 {
	y, a, b := x[0], x[1], x[2]
	if y == 0 || y == 1 {
		return edge(t, y > 0, d)
	}
	r := ofTails(t, special.IncBeta(a, b, y, 1-y))
	if d != nil {
		d[0], d[1], d[2] = r.dx, r.da, r.db
	}
	return r.v
}

func betaProportionTail(t tail, x, d []float64) float64 {
	y, mu, kappa := x[0], x[1], x[2]
	if y == 0 || y == 1 {
		return edge(t, y > 0, d)
	}
	r := ofTails(t, special.IncBeta(mu*kappa, (1-mu)*kappa, y, 1-y))
	if d != nil {
		d[0], d[1], d[2] = r.dx, kappa*(r.da-r.db), float64(mu*r.da)+float64((1-mu)*r.db)
	}
	return r.v
}

// studentTail: for z < 0 the lower tail is half the probability that a beta variate
// of shapes nu/2 and 1/2 is below w = nu / (nu + z*z).
func studentTail(t tail, x, d []float64) float64 {
	y, nu, mu, sigma := x[0], x[1], x[2], x[3]
	z := (y - mu) / sigma
	if math.IsInf(z, 0) {
		return edge(t, z > 0, d)
	}
	if z > 0 {
		switch t {
		case logLower, logUpper:
			v, dz, dnu := studentLeft(logLower+logUpper-t, -z, nu)
			return studentResult(v, -dz, dnu, z, sigma, d)
		}
		v, dz, dnu := studentLeft(lower, -z, nu)
		return studentResult(1-v, dz, -dnu, z, sigma, d)
	}
	v, dz, dnu := studentLeft(t, z, nu)
	return studentResult(v, dz, dnu, z, sigma, d)
}

func studentResult(v, dz, dnu, z, sigma float64, d []float64) float64 {
	if d != nil {
		g := dz / sigma
		d[0], d[1], d[2], d[3] = g, dnu, -g, -g*z
	}
	return v
}

// studentLeft is tail t at z <= 0, with its derivatives in z and nu.
func studentLeft(t tail, z, nu float64) (v, dz, dnu float64) {
	w, u := 1/(1+float64(z*(z/nu))), 1/(1+nu/z/z)
	logP, dzLog, dnuLog := libm.Log(0.5), 0.0, 0.0
	switch {
	case z*z > nu*1e300 || w < 1e-290:
		// The first term of the series in w, which underflows.
		logW := libm.Log(nu) - 2*libm.Log(-z)
		logP += float64(0.5*nu*logW) - libm.Log(0.5*nu) - special.Lbeta(0.5*nu, 0.5)
		dzLog = -nu / z
		dnuLog = float64(0.5*(logW+special.PsiShift(0.5*nu, 0.5)+1/nu)) + 0.5 - 1/nu
	case z == 0:
		// The density at the centre, over the probability 1/2.
		c, _ := special.LgammaHalf(0.5 * nu)
		dzLog = 2 * libm.Exp(c-HalfLogTwoPi)
	default:
		s := special.IncBeta(0.5*nu, 0.5, w, u)
		logP += s.LogP
		slope := libm.Exp(s.LogDensity-s.LogP) * w * u // by logit of w
		dzLog = -2 * slope / z
		dnuLog = float64(0.5*s.LogPA) + slope/nu
	}
	p := libm.Exp(logP)
	switch t {
	case logLower:
		return logP, dzLog, dnuLog
	case logUpper:
		f := -p / (1 - p)
		return libm.Log1p(-p), f * dzLog, f * dnuLog
	}
	return p, p * dzLog, p * dnuLog
}
