// The error function and its complement.

package vec

import "math"

// erf returns the integral of the density 2/sqrt(pi) e^-t^2 from 0 to x: for |x| < 1 as x times a
// polynomial in x^2 (the Chebyshev interpolant, of error 2^-57), beyond as 1 - erfc(|x|).
func erf(x float64) float64 {
	const (
		e0  = 0x1.20dd750429b6dp+0
		low = 0x1.1ae3a914fed8p-56 // of 2/sqrt(pi)
		e1  = -0x1.812746b0379c1p-2
		e2  = 0x1.ce2f21a040fbfp-4
		e3  = -0x1.b82ce31204d17p-6
		e4  = 0x1.565bccfa6f4bep-8
		e5  = -0x1.c02db06ca928fp-11
		e6  = 0x1.f9a2bee1b1f05p-14
		e7  = -0x1.f4ca8c11f4161p-17
		e8  = 0x1.b982295083cfcp-20
		e9  = -0x1.5c14fc0842667p-23
		e10 = 0x1.d777c51831224p-27
		e11 = -0x1.acbabf57ef501p-31
	)
	z := float64(x * x)
	z2 := z * z
	z4 := z2 * z2
	p1 := math.FMA(math.FMA(e4, z, e3), z2, math.FMA(e2, z, e1))
	p5 := math.FMA(math.FMA(e8, z, e7), z2, math.FMA(e6, z, e5))
	p9 := math.FMA(e11, z2, math.FMA(e10, z, e9))
	p := math.FMA(math.FMA(p9, z4, p5), z4, p1)
	y := math.FMA(x, e0, x*math.FMA(z, p, low))
	a := math.Abs(x)
	if a >= 1 {
		y = 1 - normalTwoTails(a)
	}
	return math.Copysign(y, x)
}

// erfc returns 1 - erf(x), accurate where it is small.
func erfc(x float64) float64 {
	y := normalTwoTails(math.Abs(x))
	if x < 0 {
		y = 2 - y
	}
	return y
}

// normalTwoTails returns erfc(a) for a >= 0, which is 2 Phi(-a sqrt(2)).
func normalTwoTails(a float64) float64 {
	if a > farthest {
		a = farthest
	}
	s := float64(a * a)
	lost := math.FMA(a, a, -s)
	u := float64(2 * normalTail(float64(a*math.Sqrt2)) * exp(-s))
	return math.FMA(-lost, u, u)
}
