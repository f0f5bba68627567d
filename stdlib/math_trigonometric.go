// This file holds the trigonometric and hyperbolic functions and their inverses.

package stdlib

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// sinOp and cosOp are each other's derivatives.
var sinOp, cosOp = func() (sin, cos *autodiff.Op) {
	sin = sloped("sin", vec.Sin, func(x, _ float64) float64 { return vec.Cos.At(x) },
		func(b formula, x, _ autodiff.Node) autodiff.Node { return b.map1(cos, x) })
	cos = sloped("cos", vec.Cos, func(x, _ float64) float64 { return -vec.Sin.At(x) },
		func(b formula, x, _ autodiff.Node) autodiff.Node { return b.neg(b.map1(sin, x)) })
	return sin, cos
}()

func trigonometricFunctions() []*Function {
	row := func(name, doc string, f func(x float64) float64, d func(x, f float64) float64) *Function {
		return elementwise(sectionReal, doc, unary(name, f, d))
	}
	return []*Function{
		elementwise(sectionReal, "the sine of an angle in radians", sinOp),
		elementwise(sectionReal, "the cosine of an angle in radians", cosOp),
		row("tan", "the tangent of an angle in radians", libm.Tan, func(_, f float64) float64 { return 1 + float64(f*f) }),
		row("asin", "the angle in radians whose sine is x", libm.Asin, func(x, _ float64) float64 {
			return 1 / math.Sqrt((1-x)*(1+x))
		}),
		row("acos", "the angle in radians whose cosine is x", libm.Acos, func(x, _ float64) float64 {
			return -1 / math.Sqrt((1-x)*(1+x))
		}),
		row("atan", "the angle in radians whose tangent is x", libm.Atan, func(x, _ float64) float64 { return 1 / (1 + float64(x*x)) }),
		elementwise(sectionReal, "the angle in radians of the point with abscissa x and ordinate y",
			binary("atan2", libm.Atan2, func(y, x, _ float64) (dy, dx float64) {
				h := libm.Hypot(x, y)
				return x / h / h, -y / h / h
			}), "T y", "T x"),
		row("sinh", "the hyperbolic sine", sinh, func(x, _ float64) float64 { return cosh(x) }),
		row("cosh", "the hyperbolic cosine", cosh, func(x, _ float64) float64 { return sinh(x) }),
		elementwise(sectionReal, "the hyperbolic tangent", sloped("tanh", vec.Tanh, func(x, _ float64) float64 {
			c := cosh(x)
			return 1 / c / c
		}, func(b formula, x, _ autodiff.Node) autodiff.Node { // 1 - tanh(x)^2 would cancel
			twice := b.add(x, x)
			return b.mul(b.num(4), b.mul(b.map1(autodiff.InvLogit, twice), b.map1(autodiff.InvLogit, b.neg(twice))))
		})),
		row("asinh", "the inverse hyperbolic sine", libm.Asinh, func(x, _ float64) float64 { return 1 / libm.Hypot(1, x) }),
		row("acosh", "the inverse hyperbolic cosine", libm.Acosh, func(x, _ float64) float64 {
			return 1 / (math.Sqrt(x-1) * math.Sqrt(x+1))
		}).where(0, "x", func(x float64) bool { return !(x < 1) }, "at least 1"),
		row("atanh", "the inverse hyperbolic tangent", libm.Atanh, func(x, _ float64) float64 {
			return 1 / ((1 - x) * (1 + x))
		}).where(0, "x", func(x float64) bool { return !(math.Abs(x) > 1) }, "between -1 and 1"),
	}
}

// sinh does not overflow before its result does.
func sinh(x float64) float64 {
	if math.Abs(x) < 700 {
		return libm.Sinh(x)
	}
	h := libm.Exp(math.Abs(x) / 2)
	return math.Copysign(0.5*h*h, x)
}

// cosh does not overflow before its result does.
func cosh(x float64) float64 {
	if math.Abs(x) < 700 {
		return libm.Cosh(x)
	}
	h := libm.Exp(math.Abs(x) / 2)
	return 0.5 * h * h
}
