// Distribution functions as one formula for an element, where elementary functions keep all digits.

package lowering

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/mathfn"
)

// A cumulativeFormula is a distribution function, or its logarithm, of each element.
type cumulativeFormula struct {
	of func(b catalogue.Formula, x []autodiff.Node) autodiff.Node
	// positive asks that constant variates are greater than 0, where the formula takes logarithms.
	positive bool
	// above asks that variates are constants greater than their least ones, which come next.
	above bool
	// product says that the elements of containers are multiplied, not added: only single numbers have the formula.
	product bool
	// mass names the mass function of counts whose sums these are, of all up to a count or, if upper, of those beyond it.
	mass  string
	upper bool
}

// CumulativeFormulas are the formulas by function. They do not show arguments out of their domain.
var CumulativeFormulas = map[string]cumulativeFormula{
	"poisson_lcdf":         {mass: "poisson_lpmf"},
	"poisson_lccdf":        {mass: "poisson_lpmf", upper: true},
	"binomial_lcdf":        {mass: "binomial_lpmf"},
	"binomial_lccdf":       {mass: "binomial_lpmf", upper: true},
	"neg_binomial_lcdf":    {mass: "neg_binomial_lpmf"},
	"neg_binomial_lccdf":   {mass: "neg_binomial_lpmf", upper: true},
	"neg_binomial_2_lcdf":  {mass: "neg_binomial_2_lpmf"},
	"neg_binomial_2_lccdf": {mass: "neg_binomial_2_lpmf", upper: true},
	"beta_binomial_lcdf":   {mass: "beta_binomial_lpmf"},
	"beta_binomial_lccdf":  {mass: "beta_binomial_lpmf", upper: true},
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
	"rayleigh_lcdf": {positive: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Map1(mathfn.Log1mExpOp, b.Mul(b.Num(-0.5), b.Square(b.Div(x[0], x[1]))))
	}},
	"rayleigh_lccdf": {positive: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Mul(b.Num(-0.5), b.Square(b.Div(x[0], x[1])))
	}},
	"gumbel_lcdf": {of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Neg(expOf(b, b.Neg(standardised(b, x[0], x[1], x[2]))))
	}},
	"gumbel_lccdf": {of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Map1(gumbelUpper, standardised(b, x[0], x[1], x[2]))
	}},
	"gumbel_cdf": {product: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return expOf(b, b.Neg(expOf(b, b.Neg(standardised(b, x[0], x[1], x[2])))))
	}},
	"frechet_lccdf": {positive: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Map1(gumbelUpper, b.Mul(x[1], b.Sub(b.Log(x[0]), b.Log(x[2]))))
	}},
	"weibull_lcdf": {positive: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Map1(gumbelUpper, b.Mul(x[1], b.Sub(b.Log(x[2]), b.Log(x[0]))))
	}},
	"loglogistic_cdf": {product: true, positive: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Map1(autodiff.InvLogit, b.Mul(x[2], b.Sub(b.Log(x[0]), b.Log(x[1]))))
	}},
	"double_exponential_lcdf": {of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Map1(laplaceLower, standardised(b, x[0], x[1], x[2]))
	}},
	"double_exponential_lccdf": {of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Map1(laplaceLower, b.Neg(standardised(b, x[0], x[1], x[2])))
	}},
	"cauchy_lcdf": {of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Map1(cauchyUpper, b.Neg(standardised(b, x[0], x[1], x[2])))
	}},
	"cauchy_lccdf": {of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		return b.Map1(cauchyUpper, standardised(b, x[0], x[1], x[2]))
	}},
	"pareto_type_2_lccdf": {of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		above := b.Sub(x[0], x[1])
		decay := b.Mul(x[3], log1p(b, b.Div(above, x[2])))
		return b.Sub(b.Map1(inSupport, above), decay)
	}},
	"pareto_lcdf": {above: true, of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		decay := b.Mul(x[2], log1p(b, b.Div(b.Sub(x[0], x[1]), x[1])))
		return b.Map1(mathfn.Log1mExpOp, b.Neg(decay))
	}},
	"pareto_type_2_lcdf": {of: func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		above := b.Sub(x[0], x[1])
		decay := b.Mul(x[3], log1p(b, b.Div(above, x[2])))
		return b.Add(b.Map1(inSupport, above), b.Map1(mathfn.Log1mExpOp, b.Neg(decay)))
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
	if f.mass != "" {
		return f.ofCounts(g, n, in)
	}
	if f.product && variatesIn(in) > 0 {
		return autodiff.None, false
	}
	if f.above && !exceeds(in[0], in[1]) {
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

// exceeds reports whether constants are greater than others, the same for all or one for each.
func exceeds(x, y Operand) bool {
	if x.Active || y.Active || len(x.X) == 0 || len(y.X) == 0 {
		return false
	}
	for i := range max(len(x.X), len(y.X)) {
		if !(x.X[i%len(x.X)] > y.X[i%len(y.X)]) {
			return false
		}
	}
	return true
}

// fewCounts is up to which count a lower tail is written as the sum of the masses.
const fewCounts = 4

// ofCounts is for one constant count: the sum of few masses, or what one mass, that of 0, leaves. The complement of several
// would cancel.
func (f cumulativeFormula) ofCounts(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	if in[0].Active || len(in[0].X) == 0 {
		return autodiff.None, false
	}
	most, density := in[0].X[0], DensityFormulas[f.mass]
	for _, k := range in[0].X {
		if k != most || k < 0 || k > fewCounts || f.upper && k > 0 {
			return autodiff.None, false
		}
		if density.Trials && (in[1].Active || !(slices.Min(in[1].X) > k)) {
			return autodiff.None, false
		}
	}
	return perElement(func(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
		var masses []autodiff.Node
		at := slices.Clone(x)
		for k := range int(most) + 1 {
			at[0] = b.Num(float64(k))
			masses = append(masses, density.log(b, at))
		}
		if f.upper {
			return b.Map1(mathfn.Log1mExpOp, masses[0])
		}
		return logSumExpNodes(b.G, b.G.Len(masses[0]), masses)
	})(g, n, in)
}
