// Package cmplx has the functions of complex numbers with the same bits on every processor.
//
// Neither math/cmplx does, which calls package math, nor Go's own product and quotient, in which sums
// are fused where the processor can. Names and special cases are those of math/cmplx (C's Annex G).
// All functions may be called from several goroutines.
package cmplx

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// Mul returns x*y, each product rounded before it is added.
func Mul(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	return complex(float64(a*c)-float64(b*d), float64(a*d)+float64(b*c))
}

// Div returns x/y (Smith, Algorithm 116: Complex Division, 1962).
func Div(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	var e, f float64
	if math.Abs(c) >= math.Abs(d) {
		ratio := d / c
		total := c + float64(ratio*d)
		e, f = (a+float64(b*ratio))/total, (b-float64(a*ratio))/total
	} else {
		ratio := c / d
		total := d + float64(ratio*c)
		e, f = (float64(a*ratio)+b)/total, (float64(b*ratio)-a)/total
	}
	if math.IsNaN(e) && math.IsNaN(f) {
		return divEdge(a, b, c, d, complex(e, f))
	}
	return complex(e, f)
}

// divEdge is the quotient, q, corrected where zeros and infinities have made it NaN (C99, G.5.1).
func divEdge(a, b, c, d float64, q complex128) complex128 {
	infinite := func(x, y float64) bool { return math.IsInf(x, 0) || math.IsInf(y, 0) }
	switch {
	case c == 0 && d == 0 && !(math.IsNaN(a) && math.IsNaN(b)):
		top := math.Copysign(math.Inf(1), c)
		return complex(top*a, top*b)
	case infinite(a, b) && finite(c) && finite(d):
		a, b = boxed(a), boxed(b)
		return complex(math.Inf(1)*(float64(a*c)+float64(b*d)), math.Inf(1)*(float64(b*c)-float64(a*d)))
	case infinite(c, d) && finite(a) && finite(b):
		c, d = boxed(c), boxed(d)
		return complex(0*(float64(a*c)+float64(b*d)), 0*(float64(b*c)-float64(a*d)))
	}
	return q
}

func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// boxed is 1 for infinities and 0 for other numbers, with their signs.
func boxed(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.Copysign(1, x)
	}
	return math.Copysign(0, x)
}

// Abs returns the absolute value.
func Abs(x complex128) float64 { return libm.Hypot(real(x), imag(x)) }

// Phase returns the angle, from -pi to pi.
func Phase(x complex128) float64 { return libm.Atan2(imag(x), real(x)) }

// Conj returns the complex conjugate.
func Conj(x complex128) complex128 { return complex(real(x), -imag(x)) }

// timesI returns i*x.
func timesI(x complex128) complex128 { return complex(-imag(x), real(x)) }

// overI returns x/i.
func overI(x complex128) complex128 { return complex(imag(x), -real(x)) }

// Sqrt returns the square root with nonnegative real part.
func Sqrt(x complex128) complex128 {
	a, b := real(x), imag(x)
	switch {
	case math.IsInf(b, 0):
		return complex(math.Inf(1), b)
	case a == 0 && b == 0:
		return complex(0, b)
	case math.IsInf(a, -1):
		return complex(math.Abs(b*0), math.Copysign(math.Inf(1), b))
	case math.IsInf(a, 1):
		return complex(a, b*0)
	}
	scale := 1.0
	switch size := math.Max(math.Abs(a), math.Abs(b)); {
	case size > 0x1p1000:
		a, b, scale = a*0x1p-100, b*0x1p-100, 0x1p50
	case size < 0x1p-900:
		a, b, scale = a*0x1p200, b*0x1p200, 0x1p-100
	}
	larger := math.Sqrt(0.5 * (libm.Hypot(a, b) + math.Abs(a)))
	smaller := math.Abs(b) / (2 * larger)
	if a < 0 {
		larger, smaller = smaller, larger
	}
	return complex(larger*scale, math.Copysign(smaller*scale, imag(x)))
}
