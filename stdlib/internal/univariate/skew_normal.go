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
	side := skewNormalLower(z, alpha)
	logPhi, _ := special.NormalLogCDF(alpha * z)
	dz := libm.Exp(math.Ln2 - float64(0.5*z*z) - HalfLogTwoPi + logPhi - side)
	dalpha := -libm.Exp(float64(-0.5*z*z*(1+float64(alpha*alpha)))-side) / (math.Pi * (1 + float64(alpha*alpha)))
	v, f := fromSide(t, upper, side)
	if d != nil {
		if upper {
			dz, dalpha, z = -dz, -dalpha, -z
		}
		g := f * dz / omega
		d[0], d[1], d[2], d[3] = g, -g, -g*z, f*dalpha
	}
	return v
}

// skewNormalLower is the log of the lower tail at z <= 0: twice the integral of
// phi(t) Phi(alpha t) below z, by the double exponential rule for the half line
// (Takahasi and Mori, 1974), relative to the integrand at z.
func skewNormalLower(z, alpha float64) float64 {
	at, _ := special.NormalLogCDF(alpha * z)
	rate := math.Sqrt(1 + math.Min(alpha*alpha, 1e300))
	if alpha < 0 {
		rate = 1
	}
	scale := 1 / (rate * (1 - float64(z*rate)))
	const h = 0.08
	sum := 0.0
	for k := -50; k <= 50; k++ {
		t := h * float64(k)
		s := float64(scale * libm.Exp(0.5*math.Pi*libm.Sinh(t)))
		logPhi, _ := special.NormalLogCDF(alpha * (z - s))
		e := float64(z*s) - float64(0.5*s*s) + logPhi - at
		if e < -745 {
			break
		}
		sum += float64(libm.Exp(e) * s * 0.5 * math.Pi * libm.Cosh(t))
	}
	return math.Ln2 - float64(0.5*z*z) - HalfLogTwoPi + at + libm.Log(h*sum)
}
