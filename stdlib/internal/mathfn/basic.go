// This file holds rounding, powers, exponentials and logarithms.

package mathfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
)

// Expm1Op is exp(x) - 1.
var Expm1Op = catalogue.Sloped("expm1", vec.Expm1, func(x, _ float64) float64 { return libm.Exp(x) },
	func(b catalogue.Formula, x, _ autodiff.Node) autodiff.Node { return b.Map1(autodiff.Exp, x) })

func basicFunctions() []*catalogue.Function {
	step := func(name, doc string, f func(x float64) float64) *catalogue.Function {
		return catalogue.Elementwise(catalogue.SectionReal, doc, catalogue.Unary(name, f, nil))
	}
	abs := catalogue.Elementwise(catalogue.SectionReal, "the absolute value", catalogue.Unary("abs", math.Abs, func(x, _ float64) float64 {
		return sign(x)
	}))
	abs.Signatures = []string{"T abs(T x)"}
	return []*catalogue.Function{
		abs,
		step("floor", "the largest integer that is not above x", math.Floor),
		step("ceil", "the smallest integer that is not below x", math.Ceil),
		step("round", "the nearest integer, halves away from 0", math.Round),
		step("trunc", "the integer part, towards 0", math.Trunc),
		{
			Name: "step", Signatures: []string{"real step(real x)"}, Doc: "0 for negative x, else 1", Section: catalogue.SectionReal,
			Op: catalogue.Unary("step", func(x float64) float64 { return container.BoolNumber(!(x < 0)) }, nil),
		},
		catalogue.Elementwise(catalogue.SectionReal, "the positive difference: x - y or 0", catalogue.Binary("fdim", positiveDifference,
			func(x, y, _ float64) (float64, float64) {
				if x > y {
					return 1, -1
				}
				return 0, 0
			})),
		catalogue.Elementwise(catalogue.SectionReal, "the smaller number", fminOp),
		catalogue.Elementwise(catalogue.SectionReal, "the larger number", fmaxOp),
		catalogue.Elementwise(catalogue.SectionReal, "the remainder of x/y, with the sign of x", catalogue.Binary("fmod", math.Mod,
			func(x, y, _ float64) (float64, float64) { return 1, -math.Trunc(x / y) })),
		catalogue.Elementwise(catalogue.SectionReal, "the square root", autodiff.Sqrt),
		catalogue.Elementwise(catalogue.SectionReal, "the cube root", catalogue.Unary("cbrt", libm.Cbrt,
			func(_, f float64) float64 { return 1 / (3 * f * f) })),
		catalogue.Elementwise(catalogue.SectionReal, "the square", autodiff.Square),
		catalogue.Elementwise(catalogue.SectionReal, "the reciprocal 1/x", autodiff.Inv),
		catalogue.Elementwise(catalogue.SectionReal, "1/sqrt(x)", invPower("inv_sqrt", 0.5, func(x float64) float64 { return 1 / math.Sqrt(x) })),
		catalogue.Elementwise(catalogue.SectionReal, "1/x^2", invPower("inv_square", 2, func(x float64) float64 { return 1 / x / x })),
		catalogue.Elementwise(catalogue.SectionReal, "the exponential", autodiff.Exp),
		catalogue.Elementwise(catalogue.SectionReal, "2 to the power x", catalogue.Unary("exp2", libm.Exp2,
			func(_, f float64) float64 { return math.Ln2 * f })),
		catalogue.Elementwise(catalogue.SectionReal, "the natural logarithm", autodiff.Log),
		catalogue.Elementwise(catalogue.SectionReal, "the logarithm to base 2", catalogue.Unary("log2", log2,
			func(x, _ float64) float64 { return 1 / (x * math.Ln2) })),
		catalogue.Elementwise(catalogue.SectionReal, "the logarithm to base 10", catalogue.Unary("log10", log10,
			func(x, _ float64) float64 { return 1 / (x * math.Ln10) })),
		catalogue.Elementwise(catalogue.SectionReal, "exp(x) - 1, accurate about 0", Expm1Op),
		catalogue.Elementwise(catalogue.SectionReal, "x times 2 to the power n", catalogue.Binary("ldexp",
			func(x, n float64) float64 { return math.Ldexp(x, int(n)) },
			func(_, n, _ float64) (float64, float64) { return math.Ldexp(1, int(n)), 0 }), "T x", "I n"),
		fusedMultiplyAdd(),
		catalogue.Elementwise(catalogue.SectionReal, "the length of the hypotenuse, sqrt(x^2 + y^2)", catalogue.Binary("hypot", libm.Hypot,
			func(x, y, f float64) (float64, float64) { return x / f, y / f })),
	}
}

// invPower is f(x) = x^-p, whose derivative underflows where an adjoint need not.
func invPower(name string, p float64, f func(float64) float64) *autodiff.Op {
	op := catalogue.Unary(name, f, func(x, f float64) float64 { return -p * f / x })
	op.Adjoint = func(a, x, f float64) float64 { return -p * (a * f) / x }
	return op
}

// fusedMultiplyAdd takes numbers, and containers of one kind together with numbers.
func fusedMultiplyAdd() *catalogue.Function {
	f := catalogue.Scalar(catalogue.SectionReal, "x y + z, rounded once", &autodiff.Op{Name: "fma", F3: math.FMA,
		D3: func(x, y, _, _ float64) (float64, float64, float64) { return y, x, 1 }}, "real x", "real y", "real z")
	for _, t := range []string{"vector", "row_vector", "matrix"} {
		for _, x := range []string{t, "real"} {
			for _, y := range []string{t, "real"} {
				for _, z := range []string{t, "real"} {
					if x == t || y == t || z == t {
						f.Signatures = append(f.Signatures, catalogue.Signature(t, f.Name, x+" x", y+" y", z+" z"))
					}
				}
			}
		}
	}
	return f
}

// sign is -1, 0 or 1 (NaN for NaN).
func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

func positiveDifference(x, y float64) float64 {
	if x <= y {
		return 0
	}
	return x - y
}

// log2 is exact at powers of 2 and relatively accurate about 1.
func log2(x float64) float64 {
	if x > 0.5 && x < 2 {
		return libm.Log(x) / math.Ln2
	}
	return libm.Log2(x)
}

func log10(x float64) float64 {
	if x > 0.5 && x < 2 {
		return libm.Log(x) / math.Ln10
	}
	if x < catalogue.LeastNormal { // Go's own is wrong there on amd64
		return libm.Log(x) / math.Ln10
	}
	return libm.Log10(x)
}
