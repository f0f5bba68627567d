// Exponentials, logarithms and powers.

package cmplx

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// Exp returns e^x.
func Exp(x complex128) complex128 {
	a, b := real(x), imag(x)
	switch {
	case b == 0:
		return complex(libm.Exp(a), b)
	case math.IsInf(a, -1) && !finite(b):
		return complex(0, math.Copysign(0, b))
	case math.IsInf(a, 1) && !finite(b):
		return complex(a, math.NaN())
	}
	s, c := libm.Sincos(b)
	if a > 709 && finite(a) { // the parts may be finite where the absolute value is not
		r := libm.Exp(a / 2)
		return complex(r*c*r, r*s*r)
	}
	r := libm.Exp(a)
	return complex(r*c, r*s)
}

// Log returns the natural logarithm, with an imaginary part from -pi to pi.
func Log(x complex128) complex128 { return complex(libm.Log(Abs(x)), Phase(x)) }

// Log10 returns the logarithm to base 10.
func Log10(x complex128) complex128 {
	return complex(libm.Log10(Abs(x)), math.Log10E*Phase(x))
}

// Pow returns the principal value of x^y: of 0 it is 1 for y = 0, 0 where y has a positive real part, and Inf
// where it has a negative one.
func Pow(x, y complex128) complex128 {
	if x == 0 {
		return powOfZero(y)
	}
	size := Abs(x)
	if size == 0 {
		return 0
	}
	r := libm.Pow(size, real(y))
	angle := Phase(x)
	turn := float64(real(y) * angle)
	if imag(y) != 0 {
		r *= libm.Exp(-imag(y) * angle)
		turn += float64(imag(y) * libm.Log(size))
	}
	s, c := libm.Sincos(turn)
	return complex(r*c, r*s)
}

func powOfZero(y complex128) complex128 {
	r, i := real(y), imag(y)
	switch {
	case y == 0:
		return 1
	case math.IsNaN(r) || math.IsNaN(i):
		return complex(math.NaN(), math.NaN())
	case r < 0 && i == 0:
		return complex(math.Inf(1), 0)
	case r < 0:
		return complex(math.Inf(1), math.Inf(1))
	}
	return 0
}
