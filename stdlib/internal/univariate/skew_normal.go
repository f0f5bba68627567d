// This file holds the density and distribution function of the skew normal distribution.

package univariate

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

func skewNormalLog(x, d []float64) float64 {
	inv := 1 / x[2]
	z := (x[0] - x[1]) * inv
	if math.IsInf(z, 0) {
		return catalogue.NegInf
	}
	alpha := x[3]
	logPhi, m := special.NormalLogCDF(alpha * z)
	if d != nil {
		g := skewSlope(z, alpha, m)
		d[0], d[1], d[2], d[3] = g*inv, -g*inv, -(1+float64(g*z))*inv, m*z
	}
	return math.Ln2 - HalfLogTwoPi - libm.Log(x[2]) - float64(0.5*z*z) + logPhi
}

// skewSlope is the derivative in z, -z + alpha m with m the inverse Mills ratio.
func skewSlope(z, alpha, m float64) float64 { return float64(alpha*m) - float64(z) }

// skewNormalTail: the tail beyond 0 on either side, reflected to the lower one.
func skewNormalTail(t tail, x, d []float64) float64 {
	omega, alpha := x[2], x[3]
	z := (x[0] - x[1]) / omega
	if math.IsInf(z, 0) {
		return edge(t, z > 0, d)
	}
	upper := z > 0
	if upper {
		z, alpha = -z, -alpha
	}
	side := special.SkewNormalLower(z, alpha)
	v, f := fromSide(t, upper, side.Log)
	if d != nil {
		dz, dalpha := side.DLogZ, side.DLogAlpha
		if upper {
			dz, dalpha, z = -dz, -dalpha, -z
		}
		g := f * dz / omega
		d[0], d[1], d[2], d[3] = g, -g, -g*z, f*dalpha
	}
	return v
}
