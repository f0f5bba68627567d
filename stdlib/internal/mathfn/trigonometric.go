// This file holds the trigonometric and hyperbolic functions and their inverses.

package mathfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// SinOp and cosOp are each other's derivatives.
var SinOp, cosOp = func() (sin, cos *autodiff.Op) {
	sin = catalogue.Sloped("sin", vec.Sin, func(x, _ float64) float64 { return vec.Cos.At(x) },
		func(b catalogue.Formula, x, _ autodiff.Node) autodiff.Node { return b.Map1(cos, x) })
	cos = catalogue.Sloped("cos", vec.Cos, func(x, _ float64) float64 { return -vec.Sin.At(x) },
		func(b catalogue.Formula, x, _ autodiff.Node) autodiff.Node { return b.Neg(b.Map1(sin, x)) })
	return sin, cos
}()

// rootOf1Plus is the square root of 1 + x^2.
func rootOf1Plus(x float64) float64 {
	const far = 1e150 // where the square leaves the range of numbers
	if math.Abs(x) > far {
		return math.Abs(x)
	}
	return math.Sqrt(1 + float64(x*x))
}

func trigonometricFunctions() []*catalogue.Function {
	row := func(name, doc string, f func(x float64) float64, d func(x, f float64) float64) *catalogue.Function {
		return catalogue.Elementwise(catalogue.SectionReal, doc, catalogue.Unary(name, f, d))
	}
	return []*catalogue.Function{
		catalogue.Elementwise(catalogue.SectionReal, "the sine of an angle in radians", SinOp),
		catalogue.Elementwise(catalogue.SectionReal, "the cosine of an angle in radians", cosOp),
		row("tan", "the tangent of an angle in radians", libm.Tan, func(_, f float64) float64 { return 1 + float64(f*f) }),
		row("asin", "the angle in radians whose sine is x", libm.Asin, func(x, _ float64) float64 {
			return 1 / math.Sqrt((1-x)*(1+x))
		}),
		row("acos", "the angle in radians whose cosine is x", libm.Acos, func(x, _ float64) float64 {
			return -1 / math.Sqrt((1-x)*(1+x))
		}),
		row("atan", "the angle in radians whose tangent is x", libm.Atan, func(x, _ float64) float64 { return 1 / (1 + float64(x*x)) }),
		catalogue.Elementwise(catalogue.SectionReal, "the angle in radians of the point with abscissa x and ordinate y",
			catalogue.Binary("atan2", libm.Atan2, func(y, x, _ float64) (dy, dx float64) {
				h := libm.Hypot(x, y)
				return x / h / h, -y / h / h
			}), "T y", "T x"),
		row("sinh", "the hyperbolic sine", sinh, func(x, _ float64) float64 { return cosh(x) }),
		row("cosh", "the hyperbolic cosine", cosh, func(x, _ float64) float64 { return sinh(x) }),
		catalogue.Elementwise(catalogue.SectionReal, "the hyperbolic tangent", catalogue.Sloped("tanh", vec.Tanh, func(x, _ float64) float64 {
			c := cosh(x)
			return 1 / c / c
		}, func(b catalogue.Formula, x, _ autodiff.Node) autodiff.Node { // 1 - tanh(x)^2 would cancel
			twice := b.Add(x, x)
			return b.Mul(b.Num(4), b.Mul(b.Map1(autodiff.InvLogit, twice), b.Map1(autodiff.InvLogit, b.Neg(twice))))
		})),
		row("asinh", "the inverse hyperbolic sine", libm.Asinh, func(x, _ float64) float64 { return 1 / rootOf1Plus(x) }),
		row("acosh", "the inverse hyperbolic cosine", libm.Acosh, func(x, _ float64) float64 {
			return 1 / (math.Sqrt(x-1) * math.Sqrt(x+1))
		}).Where(0, "x", func(x float64) bool { return !(x < 1) }, "at least 1"),
		row("atanh", "the inverse hyperbolic tangent", libm.Atanh, func(x, _ float64) float64 {
			return 1 / ((1 - x) * (1 + x))
		}).Where(0, "x", func(x float64) bool { return !(math.Abs(x) > 1) }, "between -1 and 1"),
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
