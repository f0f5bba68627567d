// This file holds the cdf functions of the gamma family.

package univariate

import (
	"math"

	"github.com/seed-12b88e03/ppl/stdlib/special"
)

func gammaTail(t tail, x, d []float64) float64 {
	y, a, b := x[0], x[1], x[2]
	if y == 0 || math.IsInf(y, 1) {
		return edge(t, y > 0, d)
	}
	r := ofTails(t, special.IncGamma(a, b*y))
	if d != nil {
		d[0], d[1], d[2] = r.dx*b, r.da, r.dx*y
	}
	return r.v
}

func invGammaTail(t tail, x, d []float64) float64 {
	y, a, b := x[0], x[1], x[2]
	if y == 0 || math.IsInf(y, 1) {
		return edge(t, y > 0, d)
	}
	l := b / y
	r := ofReversed(t, special.IncGamma(a, l))
	if d != nil {
		d[0], d[1], d[2] = -r.dx*l/y, r.da, r.dx/y
	}
	return r.v
}

func chiSquareTail(t tail, x, d []float64) float64 {
	y, nu := x[0], x[1]
	if y == 0 || math.IsInf(y, 1) {
		return edge(t, y > 0, d)
	}
	r := ofTails(t, special.IncGamma(0.5*nu, 0.5*y))
	if d != nil {
		d[0], d[1] = 0.5*r.dx, 0.5*r.da
	}
	return r.v
}

func invChiSquareTail(t tail, x, d []float64) float64 {
	y, nu := x[0], x[1]
	if y == 0 || math.IsInf(y, 1) {
		return edge(t, y > 0, d)
	}
	l := 0.5 / y
	r := ofReversed(t, special.IncGamma(0.5*nu, l))
	if d != nil {
		d[0], d[1] = -r.dx*l/y, 0.5*r.da
	}
	return r.v
}

func scaledInvChiSquareTail(t tail, x, d []float64) float64 {
	y, nu, sigma := x[0], x[1], x[2]
	if y == 0 || math.IsInf(y, 1) {
		return edge(t, y > 0, d)
	}
	l := 0.5 * nu * sigma * (sigma / y)
	r := ofReversed(t, special.IncGamma(0.5*nu, l))
	if d != nil {
		g := float64(r.dx * l)
		d[0], d[1], d[2] = -g/y, float64(0.5*r.da)+g/nu, 2*g/sigma
	}
	return r.v
}
