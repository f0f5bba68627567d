package cmplx

// This file compares the functions with those of math/cmplx.

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

var unary = []struct {
	name      string
	f, oracle func(complex128) complex128
}{
	{"Sqrt", Sqrt, cmplx.Sqrt}, {"Exp", Exp, cmplx.Exp}, {"Log", Log, cmplx.Log}, {"Log10", Log10, cmplx.Log10},
	{"Sinh", Sinh, cmplx.Sinh}, {"Cosh", Cosh, cmplx.Cosh}, {"Tanh", Tanh, cmplx.Tanh},
	{"Sin", Sin, cmplx.Sin}, {"Cos", Cos, cmplx.Cos}, {"Tan", Tan, cmplx.Tan},
	{"Asinh", Asinh, cmplx.Asinh}, {"Acosh", Acosh, cmplx.Acosh}, {"Atanh", Atanh, cmplx.Atanh},
	{"Asin", Asin, cmplx.Asin}, {"Acos", Acos, cmplx.Acos}, {"Atan", Atan, cmplx.Atan},
}

var binary = []struct {
	name      string
	f, oracle func(x, y complex128) complex128
}{
	{"Mul", Mul, func(x, y complex128) complex128 { return x * y }},
	{"Div", Div, func(x, y complex128) complex128 { return x / y }},
	{"Pow", Pow, cmplx.Pow},
}

func TestAgainstMathCmplx(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() complex128 {
		if r.IntN(2) == 0 {
			return complex(6*r.Float64()-3, 6*r.Float64()-3)
		}
		return complex(math.Exp(8*r.Float64()-4), -math.Exp(8*r.Float64()-4))
	}
	for range 2000 {
		x, y := number(), number()
		for _, c := range unary {
			near(t, c.name, c.f(x), c.oracle(x), x, 0)
		}
		for _, c := range binary {
			near(t, c.name, c.f(x, y), c.oracle(x, y), x, y)
		}
	}
}

func near(t *testing.T, name string, got, want, x, y complex128) {
	t.Helper()
	if d := cmplx.Abs(got - want); !(d <= 2e-13*(1+cmplx.Abs(want))) && got != want {
		t.Errorf("%s(%v, %v) is %v, should be %v", name, x, y, got, want)
	}
}

// TestSpecialCases holds zeros, infinities and NaN against the values of a C library
// (testdata/special.txt, from glibc 2.36): the same parts are infinite, NaN and negative.
// Beside NaN, C leaves signs open.
func TestSpecialCases(t *testing.T) {
	text, err := os.ReadFile("testdata/special.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for line := range strings.Lines(string(text)) {
		var name string
		var a, b, re, im float64
		if _, err := fmt.Sscan(line, &name, &a, &b, &re, &im); err != nil {
			t.Fatal(err)
		}
		for _, c := range unary {
			if c.name != name {
				continue
			}
			cases++
			got := c.f(complex(a, b))
			u, v := real(got), imag(got)
			if math.IsNaN(re) || math.IsNaN(im) {
				u, v, re, im = math.Abs(u), math.Abs(v), math.Abs(re), math.Abs(im)
			}
			if !alike(u, re) || !alike(v, im) {
				t.Errorf("%s(%v) is %v, should be %v", name, complex(a, b), got, complex(re, im))
			}
		}
	}
	if cases != 81*len(unary) {
		t.Errorf("%d cases, should be %d", cases, 81*len(unary))
	}
}

func alike(a, b float64) bool {
	switch {
	case math.IsNaN(a) || math.IsNaN(b):
		return math.IsNaN(a) && math.IsNaN(b)
	case math.IsInf(a, 0) || math.IsInf(b, 0):
		return a == b
	}
	return math.Abs(a-b) <= 1e-14*(1+math.Abs(b)) && (a != 0 || b != 0 || math.Signbit(a) == math.Signbit(b))
}
