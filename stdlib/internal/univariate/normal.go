// This file holds the normal, standard normal and lognormal distributions.

package univariate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

const (
	unbounded  = "Unbounded Continuous Distributions"
	positives  = "Positive Continuous Distributions"
	bounded    = "Bounded Continuous Distributions"
	unit       = "Continuous Distributions on [0, 1]"
	binaries   = "Binary Distributions"
	BoundedInt = "Bounded Discrete Distributions"
	counts     = "Unbounded Discrete Distributions"

	HalfLogTwoPi = 0.91893853320467274178032973640562
)

func normalDistributions() []*catalogue.Distribution {
	return []*catalogue.Distribution{
		withTails(&catalogue.Distribution{
			Name: "normal", Args: "reals y | reals mu, reals sigma",
			Doc: "normal distribution with mean mu and standard deviation sigma", Location: 1, Section: unbounded,
			Requires: []catalogue.Requirement{catalogue.NotNaN, catalogue.Finite, catalogue.PositiveFinite},
			Log:      normalLog, Bulk: normalBulk, FiniteImpliesValid: true,
			Draw: func(r *rand.Rand, p []float64) float64 { return p[0] + float64(p[1]*variate.Normal(r)) },
		}, locationScale(normalTail)),
		withTails(&catalogue.Distribution{
			Name: "std_normal", Args: "reals y",
			Doc: "standard normal distribution", Standard: true, Section: unbounded,
			Requires: []catalogue.Requirement{catalogue.NotNaN},
			Log: func(x, d []float64) float64 {
				if d != nil {
					d[0] = -x[0]
				}
				return float64(-0.5*x[0]*x[0]) - HalfLogTwoPi
			},
			Bulk: stdNormalBulk, FiniteImpliesValid: true,
			Draw: func(r *rand.Rand, p []float64) float64 { return variate.Normal(r) },
		}, func(t tail, x, d []float64) float64 {
			if math.IsInf(x[0], 0) {
				return edge(t, x[0] > 0, d)
			}
			v, dz := normalTail(t, x[0])
			if d != nil {
				d[0] = dz
			}
			return v
		}),
		withTails(hoisted(&catalogue.Distribution{
			Name: "lognormal", Args: "reals y | reals mu, reals sigma",
			Doc: "lognormal distribution: the logarithm is normal(mu, sigma)", Section: positives,
			Requires: []catalogue.Requirement{catalogue.Nonnegative, catalogue.Finite, catalogue.PositiveFinite},
			Bulk:     lognormalBulk, FiniteImpliesValid: true,
			Hoist: &catalogue.Hoist{Of: []int{2}, Size: 2, Log: lognormalLog,
				Prep: func(x, c []float64, _ bool) { c[0], c[1] = libm.Log(x[2]), 1/x[2] }},
			Draw: func(r *rand.Rand, p []float64) float64 {
				return libm.Exp(p[0] + float64(p[1]*variate.Normal(r)))
			},
		}), lognormalTail),
	}
}

func normalLog(x, d []float64) float64 {
	inv := 1 / x[2]
	z := (x[0] - x[1]) * inv
	if d != nil {
		g := z * inv
		d[0], d[1], d[2] = -g, g, float64(g*z)-inv
	}
	return float64(-0.5*z*z) - libm.Log(x[2]) - HalfLogTwoPi
}

// normalTail is the standard normal distribution function.
func normalTail(t tail, z float64) (v, dz float64) {
	switch t {
	case logLower:
		return special.NormalLogCDF(z)
	case logUpper:
		v, dz = special.NormalLogCDF(-z)
		return v, -dz
	}
	return special.NormalCDF(z), special.NormalDensity(z)
}

// lognormalLog is given the logarithm and the inverse of sigma.
func lognormalLog(x, c, d []float64) float64 {
	y, mu := x[0], x[1]
	if y == 0 || math.IsInf(y, 1) {
		return catalogue.NegInf
	}
	logY, inv := libm.Log(y), c[1]
	z := (logY - mu) * inv
	if d != nil {
		g := float64(z * inv)
		d[0], d[1], d[2] = -(1+g)/y, g, float64(g*z)-inv
	}
	return float64(-0.5*z*z) - c[0] - HalfLogTwoPi - logY
}

func lognormalTail(t tail, x, d []float64) float64 {
	y := x[0]
	if y == 0 || math.IsInf(y, 1) {
		return edge(t, y > 0, d)
	}
	inv := 1 / x[2]
	z := (libm.Log(y) - x[1]) * inv
	v, dz := normalTail(t, z)
	if d != nil {
		g := dz * inv
		d[0], d[1], d[2] = g/y, -g, -g*z
	}
	return v
}
