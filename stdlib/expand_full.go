// Full expansions: densities expanded for any shape of arguments, for the analysis
// of a program rather than for its speed. Full conditionals are recognised on them.

package stdlib

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

var fullExpansions = map[string]Expander{
	"normal_lpdf":                perElement(fullNormal),
	"std_normal_lpdf":            perElement(fullStdNormal),
	"lognormal_lpdf":             perElement(fullLogNormal),
	"exponential_lpdf":           perElement(fullExponential),
	"gamma_lpdf":                 perElement(fullGamma),
	"inv_gamma_lpdf":             perElement(fullInvGamma),
	"chi_square_lpdf":            perElement(fullChiSquare),
	"inv_chi_square_lpdf":        perElement(fullInvChiSquare),
	"scaled_inv_chi_square_lpdf": perElement(fullScaledInvChiSquare),
	"beta_lpdf":                  perElement(fullBeta),
	"bernoulli_lpmf":             perElement(fullBernoulli),
	"binomial_lpmf":              perElement(fullBinomial),
	"poisson_lpmf":               perElement(fullPoisson),
	"categorical_lpmf":           fullCategorical,
	"dirichlet_lpdf":             fullDirichlet,
	"multinomial_lpmf":           fullMultinomial,
	"neg_binomial_lpmf":          perElement(fullNegBinomial),
	"normal_id_glm_lpdf":         fullNormalGLM,
	"multi_normal_lpdf":          fullMultiNormal(byCovariance),
	"multi_normal_cholesky_lpdf": fullMultiNormal(byCholesky),
	"multi_normal_prec_lpdf":     fullMultiNormal(byPrecision),
	"wishart_lpdf":               fullWishart(false),
	"inv_wishart_lpdf":           fullWishart(true),
}

// perElement makes an expander of a formula for one variate, or vectors of them: its
// value is summed over the elements.
func perElement(log func(b formula, x []autodiff.Node) autodiff.Node) Expander {
	return func(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
		n := 1
		x := make([]autodiff.Node, len(in))
		for i, a := range in {
			x[i] = a.Node
			if len(a.Dims) > 0 {
				n = len(a.X)
			}
		}
		if n == 0 {
			return autodiff.None, false
		}
		b := formula{g}
		each := log(b, x)
		if g.Len(each) == n {
			return g.Sum(each), true
		}
		return b.mul(b.num(float64(n)), each), true
	}
}

// lgamma has numeric derivatives: the analysis sees no form in it, so shapes that are
// parameters have no known conditional.
func (b formula) lgamma(x autodiff.Node) autodiff.Node { return b.map1(lgammaOp, x) }

// timesLog is n*log(x), and 0 where both are 0: what no count counts may be impossible.
// The logarithm of a parameter is left to be seen.
func (b formula) timesLog(n, x autodiff.Node) autodiff.Node {
	if b.g.Active(x) {
		return b.mul(n, b.log(x))
	}
	return b.g.Map(timesLogOp, b.length(n, x), n, x)
}

// timesLog1m is n*log(1 - x) likewise.
func (b formula) timesLog1m(n, x autodiff.Node) autodiff.Node {
	if b.g.Active(x) {
		return b.mul(n, b.log1m(x))
	}
	return b.g.Map(timesLog1mOp, b.length(n, x), n, x)
}

// Of constants, so that no derivatives are needed.
var (
	timesLogOp   = &autodiff.Op{Name: "times_log", F2: lmultiply}
	timesLog1mOp = &autodiff.Op{Name: "times_log1m", F2: func(n, x float64) float64 {
		if n == 0 && x == 1 {
			return 0
		}
		return n * libm.Log1p(-x)
	}}
)

// fullNormal squares numerator and scale apart, so that powers of the scale show.
func fullNormal(b formula, x []autodiff.Node) autodiff.Node {
	d := b.square(b.sub(x[0], x[1]))
	return b.sub(b.sub(b.mul(b.num(-0.5), b.mul(d, b.square(b.inv(x[2])))), b.log(x[2])), b.num(logSqrt2Pi))
}

func fullStdNormal(b formula, x []autodiff.Node) autodiff.Node {
	return b.sub(b.mul(b.num(-0.5), b.square(x[0])), b.num(logSqrt2Pi))
}

func fullLogNormal(b formula, x []autodiff.Node) autodiff.Node {
	logY := b.log(x[0])
	return b.sub(fullNormal(b, []autodiff.Node{logY, x[1], x[2]}), logY)
}

func fullExponential(b formula, x []autodiff.Node) autodiff.Node {
	return b.sub(b.log(x[1]), b.mul(x[1], x[0]))
}

func fullGamma(b formula, x []autodiff.Node) autodiff.Node {
	y, shape, rate := x[0], x[1], x[2]
	norm := b.sub(b.mul(shape, b.log(rate)), b.lgamma(shape))
	return b.add(norm, b.sub(b.mul(b.sub(shape, b.num(1)), b.log(y)), b.mul(rate, y)))
}

func fullInvGamma(b formula, x []autodiff.Node) autodiff.Node {
	y, shape, scale := x[0], x[1], x[2]
	norm := b.sub(b.mul(shape, b.log(scale)), b.lgamma(shape))
	return b.sub(norm, b.add(b.mul(b.add(shape, b.num(1)), b.log(y)), b.mul(scale, b.inv(y))))
}

func fullChiSquare(b formula, x []autodiff.Node) autodiff.Node {
	return fullGamma(b, []autodiff.Node{x[0], b.mul(b.num(0.5), x[1]), b.num(0.5)})
}

func fullInvChiSquare(b formula, x []autodiff.Node) autodiff.Node {
	return fullInvGamma(b, []autodiff.Node{x[0], b.mul(b.num(0.5), x[1]), b.num(0.5)})
}

func fullScaledInvChiSquare(b formula, x []autodiff.Node) autodiff.Node {
	half := b.mul(b.num(0.5), x[1])
	return fullInvGamma(b, []autodiff.Node{x[0], half, b.mul(half, b.square(x[2]))})
}

func fullBeta(b formula, x []autodiff.Node) autodiff.Node {
	y, p, q := x[0], x[1], x[2]
	return b.sub(b.add(b.mul(b.sub(p, b.num(1)), b.log(y)), b.mul(b.sub(q, b.num(1)), b.log1m(y))), b.lbeta(p, q))
}

// lbeta is the log of the beta function: -log(q) where p is 1, so that a shape such as a
// concentration of broken sticks shows as the logarithm that it is.
func (b formula) lbeta(p, q autodiff.Node) autodiff.Node {
	switch one := b.num(1); {
	case p == one:
		return b.neg(b.log(q))
	case q == one:
		return b.neg(b.log(p))
	}
	return b.sub(b.add(b.lgamma(p), b.lgamma(q)), b.lgamma(b.add(p, q)))
}

func fullBernoulli(b formula, x []autodiff.Node) autodiff.Node {
	return b.add(b.timesLog(x[0], x[1]), b.timesLog1m(b.sub(b.num(1), x[0]), x[1]))
}

func fullBinomial(b formula, x []autodiff.Node) autodiff.Node {
	n, trials, p := x[0], x[1], x[2]
	one := b.num(1)
	choose := b.sub(b.lgamma(b.add(trials, one)), b.add(b.lgamma(b.add(n, one)), b.lgamma(b.add(b.sub(trials, n), one))))
	return b.add(choose, b.add(b.timesLog(n, p), b.timesLog1m(b.sub(trials, n), p)))
}

func fullPoisson(b formula, x []autodiff.Node) autodiff.Node {
	return b.sub(b.sub(b.timesLog(x[0], x[1]), x[1]), b.lgamma(b.add(x[0], b.num(1))))
}

func fullCategorical(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	if len(in[0].Dims) == 0 {
		return expandCategorical(g, n, in)
	}
	refs := make([]autodiff.Ref, len(in[0].X))
	if len(refs) == 0 {
		return autodiff.None, false
	}
	for i, y := range in[0].X {
		refs[i] = autodiff.Ref{Node: in[1].Node, Elem: int32(y) - 1}
	}
	return g.Sum(formula{g}.log(g.Gather(refs))), true
}

// fullDirichlet is for one variate.
func fullDirichlet(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	if len(in[0].Dims) != 1 || len(in[1].Dims) != 1 {
		return autodiff.None, false
	}
	b := formula{g}
	norm := b.sub(b.lgamma(g.Sum(in[1].Node)), g.Sum(b.lgamma(in[1].Node)))
	return b.add(norm, g.Dot(b.sub(in[1].Node, b.num(1)), b.log(in[0].Node))), true
}

// fullMultinomial is for one variate.
func fullMultinomial(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	if len(in[0].Dims) != 1 || len(in[1].Dims) != 1 {
		return autodiff.None, false
	}
	b := formula{g}
	one := b.num(1)
	norm := b.sub(b.lgamma(b.add(g.Sum(in[0].Node), one)), g.Sum(b.lgamma(b.add(in[0].Node, one))))
	return b.add(norm, g.Sum(b.timesLog(in[0].Node, in[1].Node))), true
}
