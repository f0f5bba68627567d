// This file holds the beta and uniform distributions.

package univariate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

func betaDistributions() []*catalogue.Distribution {
	return []*catalogue.Distribution{
		withTails(hoisted(&catalogue.Distribution{
			Name: "beta", Args: "reals theta | reals alpha, reals beta",
			Doc: "beta distribution with shapes alpha and beta", Section: unit,
			Requires: []catalogue.Requirement{catalogue.Probability, catalogue.PositiveFinite, catalogue.PositiveFinite}, Bulk: betaBulk,
			Hoist: &catalogue.Hoist{Of: []int{1, 2}, Size: 3, Log: betaLog,
				Prep: func(x, c []float64, grad bool) { betaPrep(x[1], x[2], c, grad) }},
			Draw: func(r *rand.Rand, p []float64) float64 {
				x, _ := BetaDraw(r, p[0], p[1])
				return x
			},
		}), betaTail),
		logTailsOnly(hoisted(&catalogue.Distribution{
			Name: "beta_proportion", Args: "reals theta | reals mu, reals kappa",
			Doc: "beta distribution with mean mu and precision kappa", Section: unit,
			Requires: []catalogue.Requirement{catalogue.Probability, catalogue.OpenProbability, catalogue.PositiveFinite}, Bulk: betaProportionBulk,
			Hoist: &catalogue.Hoist{Of: []int{1, 2}, Size: 3, Log: betaProportionLog,
				Prep: func(x, c []float64, grad bool) {
					betaPrep(x[1]*x[2], (1-x[1])*x[2], c, grad)
				}},
			Draw: func(r *rand.Rand, p []float64) float64 {
				x, _ := BetaDraw(r, p[0]*p[1], (1-p[0])*p[1])
				return x
			},
		}), betaProportionTail),
		withTails(&catalogue.Distribution{
			Name: "uniform", Args: "reals y | reals alpha, reals beta",
			Doc: "uniform distribution on the interval from alpha to beta", Section: bounded,
			Requires: []catalogue.Requirement{catalogue.NotNaN, catalogue.Finite, catalogue.Finite},
			Valid: func(x []float64) *catalogue.Violation {
				if x[2] > x[1] {
					return nil
				}
				return &catalogue.Violation{Arg: 2, Must: "greater than alpha, which is " + catalogue.NumberText(x[1])}
			},
			Log:  uniformLog,
			Draw: func(r *rand.Rand, p []float64) float64 { return p[0] + float64((p[1]-p[0])*r.Float64()) },
		}, uniformTail),
	}
}

// betaPrep returns the log normalising constant of the shapes a and b and the
// expected logarithms of a beta variate and of 1 minus it. For two large shapes all
// is relative to the mean a/(a+b), where the plain logarithms would cancel.
func betaPrep(a, b float64, c []float64, grad bool) {
	s := a + b
	if math.Min(a, b) >= largeShape {
		c[0] = HalfLogTwoPi + float64(0.5*(libm.Log(s/b)-libm.Log(a))) + special.StirlingError(a) + special.StirlingError(b) - special.StirlingError(s)
		if grad {
			base := special.PsiError(s) - 0.5/s
			c[1] = special.PsiError(a) - 0.5/a - base
			c[2] = special.PsiError(b) - 0.5/b - base
		}
		return
	}
	c[0] = special.Lbeta(a, b)
	if grad {
		c[1] = -(special.PsiShift(a, b) + b/a)
		c[2] = -(special.PsiShift(b, a) + a/b)
	}
}

// betaKernel is the log of x^a (1-x)^b / B(a, b) and its derivatives in a and b, for
// 0 < x < 1.
func betaKernel(x, a, b float64, c []float64) (v, da, db float64) {
	if math.Min(a, b) < largeShape {
		logX, logY := libm.Log(x), libm.Log1p(-x)
		return float64(a*logX) + float64(b*logY) - c[0], logX - c[1], logY - c[2]
	}
	s := a + b
	y := 1 - x
	// The excess of the variate over its mean a/s, relative to the mean.
	t, u := (float64(s*x)-a)/a, (float64(s*y)-b)/b
	if t > -0.5 && t < 1 && u > -0.5 && u < 1 {
		v = -c[0] + float64(a*special.Log1pmx(t)) + float64(b*special.Log1pmx(u))
	} else {
		v = -c[0] + float64(a*logRatio(t, x*s/a)) + float64(b*logRatio(u, y*s/b))
	}
	return v, logRatio(t, x*s/a) - c[1], logRatio(u, y*s/b) - c[2]
}

// logRatio is log(r), given also r - 1 with more digits.
func logRatio(rm1, r float64) float64 {
	if rm1 > -0.5 && rm1 < 1 {
		return libm.Log1p(rm1)
	}
	return libm.Log(r)
}

func betaLog(x, c, d []float64) float64 {
	y, a, b := x[0], x[1], x[2]
	if y == 0 || y == 1 {
		return betaAtEdge(y, a, b, d)
	}
	v, da, db := betaKernel(y, a, b, c)
	if d != nil {
		d[0], d[1], d[2] = (a-1)/y-(b-1)/(1-y), da, db
	}
	return v - libm.Log(y) - libm.Log1p(-y)
}

// betaAtEdge is the log density at 0 or 1.
func betaAtEdge(y, a, b float64, d []float64) float64 {
	if y == 0 {
		return gammaAtEdge(0, a, libm.Log(b), d)
	}
	return gammaAtEdge(0, b, libm.Log(a), d)
}

func betaProportionLog(x, c, d []float64) float64 {
	y, mu, kappa := x[0], x[1], x[2]
	a, b := float64(mu*kappa), float64((1-mu)*kappa)
	if y == 0 || y == 1 {
		return betaAtEdge(y, a, b, d)
	}
	v, da, db := betaKernel(y, a, b, c)
	if d != nil {
		d[0], d[1], d[2] = (a-1)/y-(b-1)/(1-y), kappa*(da-db), float64(mu*da)+float64((1-mu)*db)
	}
	return v - libm.Log(y) - libm.Log1p(-y)
}

func uniformLog(x, d []float64) float64 {
	y, a, b := x[0], x[1], x[2]
	if y < a || y > b {
		return catalogue.NegInf
	}
	inv := 1 / (b - a)
	if d != nil {
		d[0], d[1], d[2] = 0, inv, -inv
	}
	return -libm.Log(b - a)
}

func uniformTail(t tail, x, d []float64) float64 {
	y, a, b := x[0], x[1], x[2]
	if y <= a || y >= b {
		return edge(t, y > a, d)
	}
	w := b - a
	p, q := (y-a)/w, (b-y)/w
	v, f := fromProbabilities(t, p, q)
	if d != nil {
		f /= w
		d[0], d[1], d[2] = f, -f*q, -f*p
	}
	return v
}
