// The trigonometric and hyperbolic functions and their inverses.

package cmplx

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// Sinh returns the hyperbolic sine.
func Sinh(x complex128) complex128 {
	a, b := real(x), imag(x)
	switch {
	case b == 0:
		return complex(libm.Sinh(a), b)
	case a == 0 && !finite(b):
		return complex(a, math.NaN())
	case math.IsInf(a, 0) && !finite(b):
		return complex(a, math.NaN())
	}
	s, c := libm.Sincos(b)
	return complex(libm.Sinh(a)*c, libm.Cosh(a)*s)
}

// Cosh returns the hyperbolic cosine.
func Cosh(x complex128) complex128 {
	a, b := real(x), imag(x)
	switch {
	case b == 0:
		return complex(libm.Cosh(a), b*math.Copysign(0, a))
	case a == 0 && !finite(b):
		return complex(math.NaN(), a*math.Copysign(0, b))
	case math.IsInf(a, 0) && !finite(b):
		return complex(math.Inf(1), math.NaN())
	}
	s, c := libm.Sincos(b)
	return complex(libm.Cosh(a)*c, libm.Sinh(a)*s)
}

// Tanh returns the hyperbolic tangent (Kahan, Branch Cuts for Complex Elementary Functions, 1987).
func Tanh(x complex128) complex128 {
	a, b := real(x), imag(x)
	switch {
	case math.Abs(a) > 22 && !finite(b):
		return complex(math.Copysign(1, a), math.Copysign(0, b))
	case math.Abs(a) > 22:
		s, c := libm.Sincos(b)
		e := libm.Exp(-math.Abs(a))
		return complex(math.Copysign(1, a), 4*s*c*e*e)
	case b == 0:
		return complex(libm.Tanh(a), b)
	case a == 0 && !finite(b):
		return complex(a, math.NaN())
	}
	t, s := libm.Tan(b), libm.Sinh(a)
	slope := 1 + float64(t*t) // of the tangent
	rho := math.Sqrt(1 + float64(s*s))
	total := 1 + float64(slope*s*s)
	return complex(slope*rho*s/total, t/total)
}

// Sin returns the sine.
func Sin(x complex128) complex128 { return overI(Sinh(timesI(x))) }

// Cos returns the cosine.
func Cos(x complex128) complex128 { return Cosh(timesI(x)) }

// Tan returns the tangent.
func Tan(x complex128) complex128 { return overI(Tanh(timesI(x))) }

// huge is beyond where the inverse functions are logarithms of 2x.
const huge = 0x1p200

// logTwice is log(2x) for large x.
func logTwice(x complex128) complex128 {
	return complex(libm.Log(libm.Hypot(real(x)/2, imag(x)/2))+2*math.Ln2, Phase(x))
}

func isHuge(x complex128) bool {
	return math.Abs(real(x)) > huge || math.Abs(imag(x)) > huge
}

// Asinh returns the inverse hyperbolic sine.
func Asinh(x complex128) complex128 {
	if imag(x) == 0 {
		return complex(libm.Asinh(real(x)), imag(x))
	}
	if isHuge(x) {
		l := logTwice(complex(math.Abs(real(x)), imag(x)))
		return complex(math.Copysign(real(l), real(x)), imag(l))
	}
	u, v := Sqrt(complex(1+imag(x), -real(x))), Sqrt(complex(1-imag(x), real(x)))
	return complex(libm.Asinh(float64(real(u)*imag(v))-float64(imag(u)*real(v))),
		libm.Atan2(imag(x), float64(real(u)*real(v))-float64(imag(u)*imag(v))))
}

// Asin returns the inverse sine.
func Asin(x complex128) complex128 { return overI(Asinh(timesI(x))) }

// Acos returns the inverse cosine (Kahan 1987).
func Acos(x complex128) complex128 {
	if real(x) == 0 {
		return complex(math.Pi/2, -libm.Asinh(imag(x)))
	}
	if isHuge(x) {
		l := logTwice(x)
		return complex(math.Abs(imag(l)), -math.Copysign(real(l), imag(x)))
	}
	u, v := Sqrt(complex(1-real(x), -imag(x))), Sqrt(complex(1+real(x), imag(x)))
	return complex(2*libm.Atan2(real(u), real(v)), libm.Asinh(float64(imag(u)*real(v))-float64(real(u)*imag(v))))
}

// Acosh returns the inverse hyperbolic cosine.
func Acosh(x complex128) complex128 {
	w := Acos(x)
	if math.Signbit(imag(w)) {
		return timesI(w)
	}
	return overI(w)
}

// Atanh returns the inverse hyperbolic tangent (Kahan 1987).
func Atanh(x complex128) complex128 {
	a, b := real(x), imag(x)
	switch {
	case b == 0 && math.Abs(a) <= 1:
		return complex(libm.Atanh(a), b)
	case a == 0:
		return complex(a, libm.Atan(b))
	case isHuge(x) && !math.IsNaN(b):
		// The real part is that of 1/x.
		return complex(math.Copysign(real(Div(1, complex(math.Abs(a), math.Abs(b)))), a), math.Copysign(math.Pi/2, b))
	}
	if math.IsInf(a, 0) {
		return complex(math.Copysign(0, a), b)
	}
	less := 1 - math.Abs(a)
	re := 0.25 * libm.Log1p(4*math.Abs(a)/(float64(less*less)+float64(b*b)))
	im := 0.5 * libm.Atan2(2*b, float64(less*(1+math.Abs(a)))-float64(b*b))
	return complex(math.Copysign(re, a), im)
}

// Atan returns the inverse tangent.
func Atan(x complex128) complex128 { return overI(Atanh(timesI(x))) }
