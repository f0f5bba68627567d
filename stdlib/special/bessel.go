// This file holds the modified Bessel functions.

package special

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// BesselI is the modified Bessel function of the first kind of integer order n.
func BesselI(n int, z float64) float64 {
	if n < 0 {
		n = -n
	}
	v, _ := besselI(n, z)
	return v
}

// BesselISlope is the derivative of BesselI.
func BesselISlope(n int, z float64) float64 {
	if math.Abs(z) < 1e-100 { // too small to divide by
		return (BesselI(n-1, z) + BesselI(n+1, z)) / 2
	}
	v, d := besselI(max(n, -n), z)
	return v * d
}

// besselI is BesselI of an order that is not negative, with the derivative of its logarithm.
func besselI(n int, z float64) (v, slope float64) {
	f, _, d := logBesselI(float64(n), math.Abs(z), false)
	v = libm.Exp(f)
	if z < 0 && n%2 != 0 {
		v = -v
	}
	return v, math.Copysign(d, z)
}

// LogBesselI is the logarithm of the modified Bessel function of the first kind of
// order v > -1 at z >= 0, with its derivatives.
//
// The power series, whose terms are positive, serves as long as its length of about
// z/2 is bearable; Hankel's expansion for z large beside v^2; Debye's for both large.
func LogBesselI(v, z float64) (f, dv, dz float64) { return logBesselI(v, z, true) }

// logBesselI has the derivative in the order only if asked for it.
func logBesselI(v, z float64, order bool) (f, dv, dz float64) {
	switch {
	case !(v > -1) || !(z >= 0):
		nan := math.NaN()
		return nan, nan, nan
	case z == 0:
		return besselAtZero(v)
	case math.IsInf(z, 1):
		return z, 0, 1
	case z > 60 && z > v*v:
		return besselHankel(v, z)
	case z > 20000 && v > 100:
		return besselDebye(v, z)
	}
	return besselSeries(v, z, order)
}

func besselAtZero(v float64) (f, dv, dz float64) {
	switch {
	case v == 0:
		return 0, math.Inf(-1), 0
	case v > 0:
		return math.Inf(-1), math.Inf(-1), math.Inf(1)
	}
	return math.Inf(1), math.Inf(-1), math.Inf(-1)
}

// besselSeries sums (z/2)^(v+2k) / (k! gamma(v+k+1)), scaled by the first term, or by
// a power of two when the terms grow large.
func besselSeries(v, z float64, order bool) (f, dv, dz float64) {
	const big = 1e250
	q := z * z / 4
	term, s := 1.0, 1.0
	sk, sh := 0.0, 0.0 // sums of k*term and of term times the sum of 1/(v+j), j <= k
	h, scale := 0.0, 0.0
	for k := 1.0; k < maxTerms; k++ {
		term = float64(term * (q / (k * (v + k))))
		s += term
		sk += float64(k * term)
		if order {
			h += 1 / (v + k)
			sh += float64(h * term)
		}
		if s > big {
			term, s, sk, sh = term/big, s/big, sk/big, sh/big
			scale += libm.Log(big)
		}
		if k*(v+k) > q && term < 1e-17*s {
			break
		}
	}
	lead := libm.Log(z / 2)
	f = float64(v*lead) - Lgamma1p(v) + libm.Log(s) + scale
	if order {
		dv = lead - Psi(1+v) - sh/s
	}
	return f, dv, (v + 2*sk/s) / z
}

// besselHankel is the expansion for large z (DLMF 10.40.1), with its derivatives.
func besselHankel(v, z float64) (f, dv, dz float64) {
	mu := float64(4 * v * v)
	term, dTerm := 1.0, 0.0 // (-1)^k a_k / z^k, and its derivative in mu
	s, sMu, sZ := 1.0, 0.0, 0.0
	for k := 1.0; k < 200; k++ {
		odd := float64((2*k - 1) * (2*k - 1))
		r := -(mu - odd) / (8 * k * z)
		dTerm = float64(dTerm*r) - term/(8*k*z)
		if math.Abs(term*r) > math.Abs(term) && k > v {
			break // the terms grow again
		}
		term = float64(term * r)
		s += term
		sMu += dTerm
		sZ -= k * term / z
		if math.Abs(term) < 1e-17*math.Abs(s) && math.Abs(dTerm) < 1e-17*math.Abs(sMu) {
			break
		}
	}
	f = z - float64(0.5*libm.Log(2*math.Pi*z)) + libm.Log(s)
	return f, 8 * v * sMu / s, 1 - 0.5/z + sZ/s
}

// besselDebye is the uniform expansion for large orders (DLMF 10.41.3).
func besselDebye(v, z float64) (f, dv, dz float64) {
	x := z / v
	root := libm.Hypot(1, x)
	t := 1 / root
	t2 := t * t
	eta := root + libm.Log(x/(1+root))
	// u = sum of U_k(t)/v^k, and its derivatives in t and in v.
	u1 := t * (3 - float64(5*t2)) / 24
	u2 := t2 * (81 - float64(t2*(462-float64(385*t2)))) / 1152
	u3 := t * t2 * (30375 - float64(t2*(369603-float64(t2*(765765-float64(425425*t2)))))) / 414720
	d1 := (3 - float64(15*t2)) / 24
	d2 := t * (162 - float64(t2*(1848-float64(2310*t2)))) / 1152
	d3 := t2 * (91125 - float64(t2*(1848015-float64(t2*(5360355-float64(3828825*t2)))))) / 414720
	w := 1 / v
	u := 1 + float64(w*(u1+float64(w*(u2+float64(w*u3)))))
	ut := w * (d1 + float64(w*(d2+float64(w*d3))))
	uv := -w * w * (u1 + float64(w*(2*u2+float64(w*3*u3))))
	f = float64(v*eta) - float64(0.5*libm.Log(2*math.Pi*v)) - float64(0.5*libm.Log(root)) + libm.Log(u)
	tx := -x * t * t2 // dt/dx
	dx := float64(-0.5*x*t2) + ut*tx/u
	return f, libm.Log(x/(1+root)) - float64(0.5*w) + uv/u - float64(dx*x*w), root/x + float64(dx*w)
}

// BesselK is the modified Bessel function of the second kind of integer order n, for
// z > 0: +Inf at 0 and NaN below.
func BesselK(n int, z float64) float64 {
	if n < 0 {
		n = -n
	}
	switch {
	case !(z >= 0):
		return math.NaN()
	case z == 0:
		return math.Inf(1)
	}
	k0, k1 := besselK01(z)
	if n == 0 {
		return k0
	}
	for j := 1; j < n; j++ { // upward recurrence is stable
		k0, k1 = k1, k0+float64(2*float64(j)/z*k1)
		if math.IsInf(k1, 1) {
			break
		}
	}
	return k1
}

// besselK01 returns orders 0 and 1: by series up to 2, by Steed's continued fraction
// above (Numerical Recipes, section 6.6).
func besselK01(z float64) (k0, k1 float64) {
	if z > 2 {
		return steed(z)
	}
	const euler = 0.57721566490153286061
	q := z * z / 4
	l := libm.Log(z/2) + euler
	// K0 = sum (q^k/k!^2) (H_k - l); K1 = 1/z + (z/2) sum (q^k/(k!(k+1)!)) (l - (H_k + H_(k+1))/2).
	t0, t1, h := 1.0, 1.0, 0.0
	k0, k1 = -l, l-0.5
	for k := 1.0; k < 40; k++ {
		t0 *= q / (k * k)
		t1 *= q / (k * (k + 1))
		h += 1 / k
		k0 += float64(t0 * (h - l))
		k1 += float64(t1 * (l - h - 0.5/(k+1)))
		if t0 < 1e-18 {
			break
		}
	}
	return k0, 1/z + float64(z/2*k1)
}

func steed(z float64) (k0, k1 float64) {
	b := 2 * (1 + z)
	d := 1 / b
	h, delta := d, d
	q1, q2 := 0.0, 1.0
	const a1 = 0.25
	q, c, a := a1, a1, -a1
	s := 1 + float64(q*delta)
	for i := 2.0; i < maxTerms; i++ {
		a -= 2 * (i - 1)
		c = -a * c / i
		next := (q1 - float64(b*q2)) / a
		q1, q2 = q2, next
		q += float64(c * next)
		b += 2
		d = 1 / (b + float64(a*d))
		delta = float64(delta * (float64(b*d) - 1))
		h += delta
		ds := float64(q * delta)
		s += ds
		if math.Abs(ds) < 1e-17*math.Abs(s) {
			break
		}
	}
	h = float64(h * a1)
	k0 = math.Sqrt(math.Pi/(2*z)) * libm.Exp(-z) / s
	return k0, k0 * (z + 0.5 - h) / z
}
