// This file holds Student's t distribution.

package univariate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

func studentDistributions() []*catalogue.Distribution {
	return []*catalogue.Distribution{
		withTails(hoisted(&catalogue.Distribution{
			Name: "student_t", Args: "reals y | reals nu, reals mu, reals sigma",
			Doc: "Student t distribution with nu degrees of freedom, location mu and scale sigma", Location: 2, Section: unbounded,
			Requires: []catalogue.Requirement{catalogue.NotNaN, catalogue.PositiveFinite, catalogue.Finite, catalogue.PositiveFinite},
			Bulk:     studentBulk, Hoist: &catalogue.Hoist{Of: []int{1}, Size: 4, Prep: studentPrep, Log: studentLog},
			Draw: func(r *rand.Rand, p []float64) float64 {
				// A normal over the root of a gamma variate of mean 1.
				g := GammaDraw(r, 0.5*p[0]) / (0.5 * p[0])
				return p[1] + p[2]*variate.Normal(r)/math.Sqrt(g)
			},
		}), studentTail),
	}
}

// studentPrep returns the constant of the density, its derivative in nu, and log(nu).
func studentPrep(x, c []float64, grad bool) {
	c[0], c[1] = StudentConstant(x[1])
	c[2] = libm.Log(x[1])
}

// StudentConstant is lgamma((nu+1)/2) - lgamma(nu/2) - log(nu pi)/2 with its derivative.
func StudentConstant(nu float64) (v, dnu float64) {
	v, dv := special.LgammaHalf(0.5 * nu)
	return v - HalfLogTwoPi, 0.5 * dv
}

func studentLog(x, c, d []float64) float64 {
	y, nu, mu, sigma := x[0], x[1], x[2], x[3]
	inv := 1 / sigma
	z := (y - mu) * inv
	w := z * z / nu
	log1 := libm.Log1p(w)
	ratio := w / (1 + w)
	if w > 1e300 {
		log1, ratio = 2*libm.Log(math.Abs(z))-c[2], 1
	}
	if d != nil {
		g := float64((nu + 1) * ratio) // z times the derivative in z, negated
		gz := (nu + 1) / nu * z / (1 + w)
		if w > 1 {
			gz = g / z
		}
		d[0], d[2] = -gz*inv, gz*inv
		d[3] = (g - 1) * inv
		if nu > 50 && w < 0.5 {
			d[1] = c[1] - float64(0.5*(special.Log1pmx(w)+float64(w*ratio))) + 0.5*ratio/nu
		} else {
			d[1] = c[1] - float64(0.5*(log1-ratio)) + 0.5*ratio/nu
		}
	}
	return c[0] - libm.Log(sigma) - float64(0.5*(nu+1)*log1)
}
