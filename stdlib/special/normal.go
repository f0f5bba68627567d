// This file holds the normal quantile function and Owen's T function.

package special

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// NormalQuantile is the inverse of NormalCDF.
func NormalQuantile(p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p > 0.1 && p < 0.9:
		return math.Sqrt2 * libm.Erfinv(2*p-1)
	case p > 0.5:
		return -lowerQuantile(libm.Log1p(-p))
	}
	return lowerQuantile(libm.Log(p))
}

// NormalLogQuantile is the inverse of NormalLogCDF: the quantile of the probability
// exp(l).
func NormalLogQuantile(l float64) float64 {
	switch {
	case !(l <= 0):
		return math.NaN()
	case l > -0.1:
		return -lowerQuantile(Log1mExp(l))
	case l > -2.3:
		return math.Sqrt2 * libm.Erfinv(2*libm.Exp(l)-1)
	}
	return lowerQuantile(l)
}

// lowerQuantile inverts NormalLogCDF far below 0 by Newton's method, from the leading
// term of the tail's asymptotic form.
func lowerQuantile(l float64) float64 {
	if math.IsInf(l, -1) {
		return l
	}
	z := -math.Sqrt(math.Max(1, float64(-2*l)-libm.Log(math.Max(1, -4*math.Pi*l))))
	for range 20 {
		v, d := NormalLogCDF(z)
		step := (v - l) / d
		z -= step
		if math.Abs(step) < 1e-15*math.Abs(z) {
			break
		}
	}
	return z
}

// NormalLogDensity is the logarithm of NormalDensity.
func NormalLogDensity(z float64) float64 { return float64(-0.5*z*z) - halfLogTwoPi }

// OwensT is the integral of exp(-h^2 (1+x^2)/2) / (2 pi (1+x^2)) over x from 0 to a:
// the probability that X > h and 0 < Y < aX for independent standard normal X, Y.
//
// For |a| <= 1 the integrand, smooth and positive, is integrated by the Gauss-Legendre
// rule; larger a go back to that by the reflection T(h,a) + T(ah,1/a) (Owen 1956),
// written in upper tails so that nothing cancels.
func OwensT(h, a float64) float64 {
	switch {
	case math.IsNaN(h) || math.IsNaN(a):
		return math.NaN()
	case a < 0:
		return -OwensT(h, -a)
	case a == 0 || math.IsInf(h, 0):
		return 0
	}
	h = math.Abs(h)
	if a <= 1 {
		return owensIntegral(h, a)
	}
	upper := NormalCDF(-h)
	if math.IsInf(a, 1) {
		return upper / 2
	}
	other := NormalCDF(-a * h)
	return float64((upper+other)/2) - float64(upper*other) - owensIntegral(a*h, 1/a)
}

func owensIntegral(h, a float64) float64 {
	const scales = 9 // beyond 9 standard deviations nothing is left
	end := a
	if h*end > scales {
		end = scales / h
	}
	sum, half := 0.0, end/4
	for panel := range 2 {
		mid := float64(half * float64(2*panel+1))
		for i, node := range legendreNodes {
			for _, x := range [2]float64{mid - float64(half*node), mid + float64(half*node)} {
				sum += legendreWeights[i] * libm.Exp(-0.5*h*h*x*x) / (1 + float64(x*x))
			}
		}
	}
	return sum * half * libm.Exp(-0.5*h*h) / (2 * math.Pi)
}

// legendreNodes are the positive nodes of the Gauss-Legendre rule with 20 points on [-1, 1].
var legendreNodes = [...]float64{
	0.99312859918509492479, 0.96397192727791379127, 0.91223442825132590587, 0.83911697182221882339,
	0.74633190646015079261, 0.63605368072651502545, 0.510867001950827098, 0.37370608871541956067,
	0.22778585114164507808, 0.076526521133497333755,
}

// legendreWeights are the weights at legendreNodes.
var legendreWeights = [...]float64{
	0.017614007139152118312, 0.040601429800386941331, 0.06267204833410906357, 0.083276741576704748725,
	0.10193011981724043504, 0.11819453196151841731, 0.1316886384491766269, 0.14209610931838205133,
	0.14917298647260374679, 0.1527533871307258507,
}
