// This file holds link functions and the functions of the error integral.

package mathfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// invLogit is 1/(1 + exp(-x)), relatively accurate in both tails.
func invLogit(x float64) float64 { return autodiff.InvLogit.F1(x) }

// log1pExp is log(1 + exp(x)).
func log1pExp(x float64) float64 { return autodiff.Log1pExp.F1(x) }

func linkFunctions() []*catalogue.Function {
	row := func(name, doc string, f func(x float64) float64, d func(x, f float64) float64) *catalogue.Function {
		return catalogue.Elementwise(catalogue.SectionReal, doc, catalogue.Unary(name, f, d))
	}
	notNaN := func(x float64) bool { return !math.IsNaN(x) }
	return []*catalogue.Function{
		row("logit", "the log odds log(x/(1-x))", logit, func(x, _ float64) float64 { return 1 / x / (1 - x) }),
		catalogue.Elementwise(catalogue.SectionReal, "the logistic function 1/(1 + exp(-x))", autodiff.InvLogit),
		catalogue.Elementwise(catalogue.SectionReal, "1 - exp(-exp(x)), the inverse of the complementary log-log link", invCloglogOp),
		row("log_inv_logit", "the logarithm of inv_logit(x)",
			func(x float64) float64 { return -log1pExp(-x) },
			func(x, _ float64) float64 { return invLogit(-x) }),
		row("log1m_inv_logit", "the logarithm of 1 - inv_logit(x)",
			func(x float64) float64 { return -log1pExp(x) },
			func(x, _ float64) float64 { return -invLogit(x) }),
		catalogue.Elementwise(catalogue.SectionReal, "log(inv_logit(x) - inv_logit(y))", catalogue.Binary("log_inv_logit_diff", logInvLogitDiff,
			func(x, y, _ float64) (float64, float64) {
				r := 1 / libm.Expm1(x-y)
				return r + invLogit(-x), -r - invLogit(y)
			})),
		catalogue.Elementwise(catalogue.SectionReal, "the error function", errorOp("erf", vec.Erf, 2/math.SqrtPi)),
		catalogue.Elementwise(catalogue.SectionReal, "1 - erf(x)", errorOp("erfc", vec.Erfc, -2/math.SqrtPi)),
		catalogue.Elementwise(catalogue.SectionReal, "the standard normal distribution function", NormalCDF).Where(0, "x", notNaN, "a number"),
		row("Phi_approx", "a fast logistic approximation to Phi", phiApprox, func(x, _ float64) float64 {
			f := phiApprox(-math.Abs(x))
			return f * (1 - f) * (float64(3*PhiCubic*x*x) + PhiLinear)
		}),
		catalogue.Elementwise(catalogue.SectionReal, "the log loss of predicting y, 0 or 1, with probability p",
			catalogue.Binary("binary_log_loss", logLoss, func(y, p, _ float64) (float64, float64) {
				if y != 0 {
					return 0, -1 / p
				}
				return 0, 1 / (1 - p)
			}), "I y", "T p").Where(1, "p", func(p float64) bool { return p >= 0 && p <= 1 }, "between 0 and 1"),
	}
}

// errorOp is an operation whose derivative is c e^-x^2.
func errorOp(name string, f vec.Func, c float64) *autodiff.Op {
	return catalogue.Sloped(name, f, func(x, _ float64) float64 { return c * libm.Exp(-x*x) },
		func(b catalogue.Formula, x, _ autodiff.Node) autodiff.Node {
			return b.Mul(b.Num(c), b.Map1(autodiff.Exp, b.Neg(b.Square(x))))
		})
}

// logit is relatively accurate about 1/2 as well.
func logit(x float64) float64 {
	if x > 0.25 && x < 0.75 {
		return libm.Log1p((2*x - 1) / (1 - x))
	}
	return libm.Log(x) - libm.Log1p(-x)
}

func logInvLogitDiff(x, y float64) float64 {
	return log1mExp(y-x) - log1pExp(-x) - log1pExp(y)
}

// PhiCubic and PhiLinear are the coefficients of Phi_approx.
const PhiCubic, PhiLinear = 0.07056, 1.5976

func phiApprox(x float64) float64 { return invLogit(x * (float64(PhiCubic*x*x) + PhiLinear)) }

// invCloglogOp has the derivative exp(x - exp(x)).
var invCloglogOp = &autodiff.Op{Name: "inv_cloglog",
	F1: func(x float64) float64 { return -vec.Expm1.At(-vec.Exp.At(x)) },
	D1: func(x, _ float64) float64 { return vec.Exp.At(x - vec.Exp.At(x)) },
	Vector: func(dst, x []float64) {
		vec.Exp.Map(dst, x)
		vec.Neg.Map(dst, dst)
		vec.Expm1.Map(dst, dst)
		vec.Neg.Map(dst, dst)
	},
	Slope: func(g *autodiff.Graph, x, _ autodiff.Node) autodiff.Node {
		b := catalogue.Formula{G: g}
		return b.Map1(autodiff.Exp, b.Sub(x, b.Map1(autodiff.Exp, x)))
	},
}

func logLoss(y, p float64) float64 {
	if y != 0 {
		return -libm.Log(p)
	}
	return -libm.Log1p(-p)
}

// NormalCDF is Phi, whose derivative is the density.
var NormalCDF = &autodiff.Op{Name: "Phi", F1: vec.Phi.At, Vector: vec.Phi.Map,
	D1: func(x, _ float64) float64 { return special.NormalDensity(x) },
	Slope: func(g *autodiff.Graph, x, _ autodiff.Node) autodiff.Node {
		b := catalogue.Formula{G: g}
		density := b.Map1(autodiff.Exp, b.Mul(b.Num(-0.5), b.Square(x)))
		return b.Mul(b.Num(1/math.Sqrt(2*math.Pi)), density)
	}}
