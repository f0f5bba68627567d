// This file holds the Cauchy, double exponential and logistic distributions.

package univariate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

func locationDistributions() []*catalogue.Distribution {
	requires := []catalogue.Requirement{catalogue.Finite, catalogue.Finite, catalogue.PositiveFinite}
	return []*catalogue.Distribution{
		withTails(&catalogue.Distribution{
			Name: "cauchy", Args: "reals y | reals mu, reals sigma",
			Doc: "Cauchy distribution with location mu and scale sigma", Location: 1, Section: unbounded,
			Requires: requiresFrom(catalogue.NotNaN, requires), Log: cauchyLog, Bulk: cauchyBulk, FiniteImpliesValid: true,
			Draw: func(r *rand.Rand, p []float64) float64 {
				u := r.Float64() - 0.5
				return p[0] + float64(p[1]*libm.Tan(math.Pi*u))
			},
		}, locationScale(cauchyTail)),
		withTails(&catalogue.Distribution{
			Name: "double_exponential", Args: "reals y | reals mu, reals sigma",
			Doc: "double exponential (Laplace) distribution with location mu and scale sigma", Location: 1, Section: unbounded,
			Requires: requires, Variate: &catalogue.NotNaN, Log: laplaceLog, Bulk: doubleExponentialBulk, FiniteImpliesValid: true,
			Draw: func(r *rand.Rand, p []float64) float64 {
				e := variate.Exponential(r)
				if r.Uint64()&1 == 0 {
					e = -e
				}
				return p[0] + float64(p[1]*e)
			},
		}, locationScale(laplaceTail)),
		withTails(&catalogue.Distribution{
			Name: "logistic", Args: "reals y | reals mu, reals sigma",
			Doc: "logistic distribution with location mu and scale sigma", Location: 1, Section: unbounded,
			Requires: requires, Variate: &catalogue.NotNaN, Log: logisticLog, Bulk: logisticBulk, FiniteImpliesValid: true,
			Draw: func(r *rand.Rand, p []float64) float64 { return p[0] + float64(p[1]*logitOf(OpenUniform(r))) },
		}, locationScale(logisticTail)),
	}
}

// requiresFrom replaces the requirement on the variate.
func requiresFrom(variate catalogue.Requirement, rest []catalogue.Requirement) []catalogue.Requirement {
	return append([]catalogue.Requirement{variate}, rest[1:]...)
}

// OpenUniform is uniform on the open interval (0, 1).
func OpenUniform(r *rand.Rand) float64 { return (float64(r.Uint64()>>12) + 0.5) * 0x1p-52 }

func logitOf(u float64) float64 { return libm.Log(u) - libm.Log1p(-u) }

func cauchyLog(x, d []float64) float64 {
	inv := 1 / x[2]
	z := float64((x[0] - x[1]) * inv)
	w := float64(z * z)
	log1 := libm.Log1p(w)
	if math.Abs(z) > 1e150 {
		log1 = 2 * libm.Log(math.Abs(z))
	}
	if d != nil {
		var g float64 // 2z/(1+z*z)
		if math.Abs(z) <= 1 {
			g = 2 * z / (1 + w)
		} else {
			g = 2 / (z + 1/z)
		}
		d[0], d[1], d[2] = -g*inv, g*inv, (float64(g*z)-1)*inv
		if math.Abs(z) < 2 {
			d[2] = (w - 1) / (w + 1) * inv
		}
	}
	return -libm.Log(math.Pi) - libm.Log(x[2]) - log1
}

func cauchyTail(t tail, z float64) (v, dz float64) {
	p, q := libm.Atan2(1, -z)/math.Pi, libm.Atan2(1, z)/math.Pi
	v, factor := fromProbabilities(t, p, q)
	return v, factor / (math.Pi * (1 + float64(z*z)))
}

func laplaceLog(x, d []float64) float64 {
	inv := 1 / x[2]
	z := (x[0] - x[1]) * inv
	a := math.Abs(z)
	if d != nil {
		g := 0.0
		switch {
		case z > 0:
			g = inv
		case z < 0:
			g = -inv
		}
		d[0], d[1], d[2] = -g, g, (a-1)*inv
	}
	return -math.Ln2 - libm.Log(x[2]) - a
}

func laplaceTail(t tail, z float64) (v, dz float64) {
	if t == logUpper {
		v, dz = laplaceTail(logLower, -z)
		return v, -dz
	}
	e := float64(0.5 * libm.Exp(-math.Abs(z)))
	switch {
	case t == lower && z < 0:
		return e, e
	case t == lower:
		return 1 - e, e
	case z < 0:
		return z - math.Ln2, 1
	}
	return libm.Log1p(-e), e / (1 - e)
}

func logisticLog(x, d []float64) float64 {
	inv := 1 / x[2]
	z := (x[0] - x[1]) * inv
	e := libm.Exp(-math.Abs(z))
	if d != nil {
		t := -libm.Expm1(-math.Abs(z)) / (1 + e)
		if z < 0 {
			t = -t
		}
		d[0], d[1], d[2] = -t*inv, t*inv, (float64(t*z)-1)*inv
	}
	return -math.Abs(z) - libm.Log(x[2]) - 2*libm.Log1p(e)
}

func logisticTail(t tail, z float64) (v, dz float64) {
	e := libm.Exp(-math.Abs(z))
	small, large := e/(1+e), 1/(1+e) // tail probabilities
	p, q := large, small
	if z < 0 {
		p, q = small, large
	}
	switch t {
	case logLower:
		return math.Min(z, 0) - libm.Log1p(e), q
	case logUpper:
		return math.Min(-z, 0) - libm.Log1p(e), -p
	}
	return p, p * q
}
