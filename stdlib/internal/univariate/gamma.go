// This file holds the gamma family: gamma, inverse gamma and the chi-square
// distributions, which share one density in a shape a and a scaled variate l:
// l^a exp(-l) / Gamma(a), with l = beta y or beta / y.

package univariate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

func gammaDistributions() []*catalogue.Distribution {
	return []*catalogue.Distribution{
		withTails(gammaRow(&catalogue.Distribution{
			Name: "gamma", Args: "reals y | reals alpha, reals beta",
			Doc: "gamma distribution with shape alpha and inverse scale beta", Section: positives,
			Requires: []catalogue.Requirement{catalogue.Nonnegative, catalogue.PositiveFinite, catalogue.PositiveFinite}, Bulk: gammaBulk,
			Draw: func(r *rand.Rand, p []float64) float64 { return GammaDraw(r, p[0]) / p[1] },
		}, gammaPrep, gammaLog), gammaTail),
		withTails(gammaRow(&catalogue.Distribution{
			Name: "inv_gamma", Args: "reals y | reals alpha, reals beta",
			Doc: "inverse gamma distribution with shape alpha and scale beta", Section: positives,
			Requires: []catalogue.Requirement{catalogue.NotNaN, catalogue.PositiveFinite, catalogue.PositiveFinite}, Variate: &catalogue.Nonnegative,
			Draw: func(r *rand.Rand, p []float64) float64 { return p[1] / GammaDraw(r, p[0]) },
		}, gammaPrep, invGammaLog), invGammaTail),
		withTails(gammaRow(&catalogue.Distribution{
			Name: "chi_square", Args: "reals y | reals nu",
			Doc: "chi-square distribution with nu degrees of freedom", Section: positives,
			Requires: []catalogue.Requirement{catalogue.Nonnegative, catalogue.PositiveFinite},
			Draw:     func(r *rand.Rand, p []float64) float64 { return 2 * GammaDraw(r, 0.5*p[0]) },
		}, chiSquarePrep, chiSquareLog), chiSquareTail),
		withTails(gammaRow(&catalogue.Distribution{
			Name: "inv_chi_square", Args: "reals y | reals nu",
			Doc: "inverse chi-square distribution with nu degrees of freedom", Section: positives,
			Requires: []catalogue.Requirement{catalogue.NotNaN, catalogue.PositiveFinite}, Variate: &catalogue.Nonnegative,
			Draw: func(r *rand.Rand, p []float64) float64 { return 0.5 / GammaDraw(r, 0.5*p[0]) },
		}, chiSquarePrep, invChiSquareLog), invChiSquareTail),
		withTails(gammaRow(&catalogue.Distribution{
			Name: "scaled_inv_chi_square", Args: "reals y | reals nu, reals sigma",
			Doc: "scaled inverse chi-square distribution with nu degrees of freedom and scale sigma", Section: positives,
			Requires: []catalogue.Requirement{catalogue.NotNaN, catalogue.PositiveFinite, catalogue.PositiveFinite}, Variate: &catalogue.Nonnegative,
			Draw: func(r *rand.Rand, p []float64) float64 {
				h := 0.5 * p[0]
				return h * p[1] * p[1] / GammaDraw(r, h)
			},
		}, chiSquarePrep, scaledInvChiSquareLog), scaledInvChiSquareTail),
	}
}

// gammaRow sets the density of a row; what prep gives depends on argument 1 alone.
func gammaRow(d *catalogue.Distribution, prep func(x, c []float64, grad bool), log func(x, c, dx []float64) float64) *catalogue.Distribution {
	d.Hoist = &catalogue.Hoist{Of: []int{1}, Size: 3, Prep: prep, Log: log}
	return hoisted(d)
}

// hoisted sets the plain log density of a row from its hoisted form.
func hoisted(d *catalogue.Distribution) *catalogue.Distribution {
	h := d.Hoist
	d.Log = func(x, dx []float64) float64 {
		c := make([]float64, h.Size)
		h.Prep(x, c, dx != nil)
		return h.Log(x, c, dx)
	}
	return d
}

func gammaPrep(x, c []float64, grad bool)     { shapePrep(x[1], c, grad) }
func chiSquarePrep(x, c []float64, grad bool) { shapePrep(0.5*x[1], c, grad) }

// largeShape is the shape from which the density is computed relative to its mode, because the
// difference of large logarithms would lose digits.
const largeShape = 10

// shapePrep returns the normalising constant of the shape a, digamma(a) and log(a);
// for a large shape relative to Stirling's formula.
func shapePrep(a float64, c []float64, grad bool) {
	c[2] = libm.Log(a)
	if a >= largeShape {
		c[0] = special.StirlingError(a) + HalfLogTwoPi - float64(0.5*c[2])
		if grad {
			c[1] = special.PsiError(a) - 0.5/a
		}
		return
	}
	c[0], _ = libm.Lgamma(a)
	if grad {
		c[1] = special.Psi(a)
	}
}

// GammaConstant is log(Gamma(a)) - a log(a) + a, and its derivative.
func GammaConstant(a float64) (v, da float64) {
	var c [3]float64
	shapePrep(a, c[:], true)
	if a >= largeShape {
		return c[0], c[1]
	}
	return c[0] - (float64(a*c[2]) - a), c[1] - c[2]
}

// gammaKernel is the log of l^a exp(-l) / Gamma(a), and its derivative in a; c is
// what shapePrep gives.
func gammaKernel(a, l float64, c []float64) (v, da float64) {
	if a < largeShape {
		logL := libm.Log(l)
		return float64(a*logL) - l - c[0], logL - c[1]
	}
	t := (l - a) / a
	if t > -0.5 && t < 1 {
		return float64(a*special.Log1pmx(t)) - c[0], libm.Log1p(t) - c[1]
	}
	logRatio := libm.Log(l) - c[2]
	return float64(a*(logRatio-t)) - c[0], logRatio - c[1]
}

func gammaLog(x, c, d []float64) float64 {
	y, a, b := x[0], x[1], x[2]
	if y == 0 || math.IsInf(y, 1) {
		return gammaAtEdge(y, a, libm.Log(b), d)
	}
	l := float64(b * y)
	v, da := gammaKernel(a, l, c)
	if d != nil {
		d[0], d[1], d[2] = (a-l-1)/y, da, (a-l)/b
	}
	return v - libm.Log(y)
}

// gammaAtEdge is the log density of a gamma variate of 0 or infinity.
func gammaAtEdge(y, a, logRate float64, d []float64) float64 {
	clear(d)
	switch {
	case y > 0 || a > 1:
		return catalogue.NegInf
	case a < 1:
		return math.Inf(1)
	}
	return logRate
}

func invGammaLog(x, c, d []float64) float64 {
	y, a, b := x[0], x[1], x[2]
	if y <= 0 || math.IsInf(y, 1) {
		return catalogue.NegInf
	}
	l := b / y
	v, da := gammaKernel(a, l, c)
	if d != nil {
		d[0], d[1], d[2] = (l-a-1)/y, da, (a-l)/b
	}
	return v - libm.Log(y)
}

func chiSquareLog(x, c, d []float64) float64 {
	y, a := x[0], float64(0.5*x[1])
	if y == 0 || math.IsInf(y, 1) {
		return gammaAtEdge(y, a, -math.Ln2, d)
	}
	l := float64(0.5 * y)
	v, da := gammaKernel(a, l, c)
	if d != nil {
		d[0], d[1] = (a-l-1)/y, 0.5*da
	}
	return v - libm.Log(y)
}

func invChiSquareLog(x, c, d []float64) float64 {
	y, a := x[0], float64(0.5*x[1])
	if y <= 0 || math.IsInf(y, 1) {
		return catalogue.NegInf
	}
	l := 0.5 / y
	v, da := gammaKernel(a, l, c)
	if d != nil {
		d[0], d[1] = (l-a-1)/y, 0.5*da
	}
	return v - libm.Log(y)
}

func scaledInvChiSquareLog(x, c, d []float64) float64 {
	y, nu, sigma := x[0], x[1], x[2]
	if y <= 0 || math.IsInf(y, 1) {
		return catalogue.NegInf
	}
	a := float64(0.5 * nu)
	l := float64(a * sigma * (sigma / y))
	v, da := gammaKernel(a, l, c)
	if d != nil {
		d[0], d[1], d[2] = (l-a-1)/y, float64(0.5*da)+(a-l)/nu, 2*(a-l)/sigma
	}
	return v - libm.Log(y)
}
