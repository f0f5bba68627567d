// Distribution functions as one formula for an element, where elementary functions keep all digits.

package lowering

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/mathfn"
)

// A cumulativeFormula is a distribution function, or its logarithm, of each element.
type cumulativeFormula struct {
	of func(b catalogue.Formula, x []autodiff.Node) autodiff.Node
	// positive asks that constant variates are greater than 0, where the formula takes logarithms.
	positive bool
	// product says that the elements of containers are multiplied, not added: only single numbers have the formula.
	product bool
}

// CumulativeFormulas are the formulas by function. They do not show arguments out of their domain.
var CumulativeFormulas = map[string]cumulativeFormula{
	"std_normal_cdf": {product: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Map1(mathfn.NormalCDF, x[0])
	}},
	"normal_cdf": {product: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Map1(mathfn.NormalCDF, standardised(b, x[0], x[1], x[2]))
	}},
	"lognormal_cdf": {product: true, positive: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Map1(mathfn.NormalCDF, standardised(b, b.Log(x[0]), x[1], x[2]))
	}},
	"lognormal_lcdf": {positive: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Map1(normalLogCDF, standardised(b, b.Log(x[0]), x[1], x[2]))
	}},
	"lognormal_lccdf": {positive: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Map1(normalLogCDF, b.Neg(standardised(b, b.Log(x[0]), x[1], x[2])))
	}},
	"logistic_cdf": {product: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Map1(autodiff.InvLogit, standardised(b, x[0], x[1], x[2]))
	}},
	"logistic_lcdf": {of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Neg(log1pExp(b, b.Neg(standardised(b, x[0], x[1], x[2]))))
	}},
	"logistic_lccdf": {of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Neg(log1pExp(b, standardised(b, x[0], x[1], x[2])))
	}},
	"exponential_cdf": {product: true, positive: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Neg(b.Map1(mathfn.Expm1Op, b.Neg(b.Mul(x[0], x[1]))))
	}},
	"exponential_lcdf": {positive: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Map1(mathfn.Log1mExpOp, b.Neg(b.Mul(x[0], x[1])))
	}},
	"exponential_lccdf": {positive: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Neg(b.Mul(x[0], x[1]))
	}},
	"weibull_cdf": {product: true, positive: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Neg(b.Map1(mathfn.Expm1Op, b.Neg(weibullHazard(b, x))))
	}},
	"weibull_lccdf": {positive: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Neg(weibullHazard(b, x))
	}},
	"rayleigh_lccdf": {positive: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Mul(b.Num(-0.5), b.Square(b.Div(x[0], x[1])))
	}},
	"gumbel_lcdf": {of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Neg(expOf(b, b.Neg(standardised(b, x[0], x[1], x[2]))))
	}},
	"frechet_lcdf": {positive: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Neg(expOf(b, b.Mul(x[1], b.Sub(b.Log(x[2]), b.Log(x[0])))))
	}},
}

// weibullHazard is the cumulative hazard (y/s)^a.
func weibullHazard(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	return expOf(b, b.Mul(x[1], b.Sub(b.Log(x[0]), b.Log(x[2]))))
}

// expand writes a call out as the formula; variates at the ends of the support are left to the kernel.
func (f cumulativeFormula) expand(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	if f.product && variatesIn(in) > 0 {
		return autodiff.None, false
	}
	if in[0].Active && f.positive && !g.NonNegative(in[0].Node) {
		return autodiff.None, false
	}
	if !in[0].Active {
		for _, y := range in[0].X {
			if math.IsInf(y, 0) || f.positive && !(y > 0) {
				return autodiff.None, false
			}
		}
	}
	return perElement(f.of)(g, n, in)
}
