// This file holds hypergeometric functions with derivatives in all arguments.

package special

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// Hypergeometric sums the series of pFq(a; b; z), sum_k prod (a)_k / prod (b)_k z^k/k!.
// Where they are not nil, da, db receive the derivatives with respect to the
// parameters; dz is that with respect to z. The caller sees to it that the series
// converges; NaN where it does not within many terms.
func Hypergeometric(a, b []float64, z float64, da, db []float64) (f, dz float64) {
	var small [16]float64 // derivatives of the term; on the stack for all usual p and q
	t := small[:]
	if len(a)+len(b) > len(t) {
		t = make([]float64, len(a)+len(b))
	}
	ta, tb := t[:len(a)], t[len(a):len(a)+len(b)]
	clear(da)
	clear(db)
	term := 1.0
	f = 1
	calm := 0
	for k := 0.0; k < 20*maxTerms; k++ {
		r := z / (k + 1)
		for _, v := range a {
			r *= v + k
		}
		for _, v := range b {
			r /= v + k
		}
		// Derivatives of term*r, parameter by parameter, before term moves on.
		largest := 0.0
		for i, v := range a {
			ri := r / (v + k)
			if v+k == 0 {
				ri = withoutFactor(a, b, i, k, z)
			}
			ta[i] = float64(ta[i]*r) + float64(term*ri)
			if da != nil {
				da[i] += ta[i]
				largest = math.Max(largest, relative(ta[i], da[i]))
			}
		}
		for i, v := range b {
			tb[i] = float64(tb[i]*r) - term*r/(v+k)
			if db != nil {
				db[i] += tb[i]
				largest = math.Max(largest, relative(tb[i], db[i]))
			}
		}
		// d/dz of term k+1, z^(k+1): the old term times r*(k+1)/z.
		if z != 0 {
			dz += term * r * (k + 1) / z
		} else if k == 0 {
			dz = withoutZ(a, b)
		}
		term = float64(term * r)
		f += term
		largest = math.Max(largest, relative(term*(k+1), f))
		if calm++; largest > 1e-17 {
			calm = 0
		}
		if calm >= 3 {
			return f, dz
		}
	}
	return math.NaN(), math.NaN()
}

// withoutFactor is the ratio of terms k+1 and k without the vanishing factor a[i]+k.
func withoutFactor(a, b []float64, i int, k, z float64) float64 {
	r := z / (k + 1)
	for j, v := range a {
		if j != i {
			r *= v + k
		}
	}
	for _, v := range b {
		r /= v + k
	}
	return r
}

// withoutZ is the coefficient of z.
func withoutZ(a, b []float64) float64 {
	r := 1.0
	for _, v := range a {
		r *= v
	}
	for _, v := range b {
		r /= v
	}
	return r
}

// Gauss2F1 is Gauss's hypergeometric function 2F1(a, b; c; z) for z < 1 with its
// derivatives d = (da, db, dc, dz). Negative z go to 0 <= w < 1 by Pfaff's
// transformation. At z = 1 the value is Gauss's sum, where c > a + b.
func Gauss2F1(a, b, c, z float64, d *[4]float64) float64 {
	switch {
	case math.IsNaN(a+b+c+z) || z > 1:
		return math.NaN()
	case z == 1:
		return gaussAtOne(a, b, c, d)
	case z >= -0.4:
		var dab [2]float64
		var dc [1]float64
		f, dz := Hypergeometric([]float64{a, b}, []float64{c}, z, dab[:], dc[:])
		*d = [4]float64{dab[0], dab[1], dc[0], dz}
		return f
	}
	w := z / (z - 1)
	var dab [2]float64
	var dc [1]float64
	g, dw := Hypergeometric([]float64{a, c - b}, []float64{c}, w, dab[:], dc[:])
	l := libm.Log1p(-z)
	scale := libm.Exp(-a * l)
	f := scale * g
	*d = [4]float64{
		float64(scale*dab[0]) - float64(l*f),
		-scale * dab[1],
		scale * (dab[1] + dc[0]),
		float64(a/(1-z)*f) - scale*dw/((z-1)*(z-1)),
	}
	return f
}

func gaussAtOne(a, b, c float64, d *[4]float64) float64 {
	s := c - a - b
	if !(s > 0) {
		return math.NaN()
	}
	f := libm.Gamma(c) * libm.Gamma(s) / (libm.Gamma(c-a) * libm.Gamma(c-b))
	ps, pa, pb := Digamma(s), Digamma(c-a), Digamma(c-b)
	*d = [4]float64{f * (pa - ps), f * (pb - ps), f * (Digamma(c) + ps - pa - pb), math.Inf(1)}
	if s > 1 {
		d[3] = a * b / c * libm.Gamma(c+1) * libm.Gamma(s-1) / (libm.Gamma(c-a) * libm.Gamma(c-b))
	}
	return f
}
