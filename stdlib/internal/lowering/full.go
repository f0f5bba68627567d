// Full expansions: densities expanded for any shape of arguments, for the analysis
// of a program rather than for its speed. Full conditionals are recognised on them.

package lowering

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/mathfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/multivariate"
)

var FullExpansions = map[string]Expander{
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
	"multiply":                   fullMultiply,
	"multi_normal_lpdf":          fullMultiNormal(multivariate.ByCovariance),
	"multi_normal_cholesky_lpdf": fullMultiNormal(multivariate.ByCholesky),
	"multi_normal_prec_lpdf":     fullMultiNormal(multivariate.ByPrecision),
	"wishart_lpdf":               fullWishart(false),
	"inv_wishart_lpdf":           fullWishart(true),
}

// perElement makes an expander of a formula for one variate, or vectors of them: its
// value is summed over the elements.
func perElement(log func(b catalogue.Formula, x []autodiff.Node) autodiff.Node) Expander {
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
		b := catalogue.Formula{G: g}
		each := log(b, x)
		if g.Len(each) == n {
			return g.Sum(each), true
		}
		return b.Mul(b.Num(float64(n)), each), true
	}
}

// lgamma has numeric derivatives: the analysis sees no form in it, so shapes that are
// parameters have no known conditional.
func lgamma(b catalogue.Formula, x autodiff.Node) autodiff.Node { return b.Map1(mathfn.LgammaOp, x) }

// timesLog is n*log(x), and 0 where both are 0: what no count counts may be impossible.
// The logarithm of a parameter is left to be seen.
func timesLog(b catalogue.Formula, n, x autodiff.Node) autodiff.Node {
	if b.G.Active(x) {
		return b.Mul(n, b.Log(x))
	}
	return b.G.Map(timesLogOp, b.Length(n, x), n, x)
}

// timesLog1m is n*log(1 - x) likewise.
func timesLog1m(b catalogue.Formula, n, x autodiff.Node) autodiff.Node {
	if b.G.Active(x) {
		return b.Mul(n, b.Log1m(x))
	}
	return b.G.Map(timesLog1mOp, b.Length(n, x), n, x)
}

// Of constants, so that no derivatives are needed.
var (
	timesLogOp   = &autodiff.Op{Name: "times_log", F2: mathfn.Lmultiply}
	timesLog1mOp = &autodiff.Op{Name: "times_log1m", F2: func(n, x float64) float64 {
		if n == 0 && x == 1 {
			return 0
		}
		return n * libm.Log1p(-x)
	}}
)

// fullNormal squares numerator and scale apart, so that powers of the scale show.
func fullNormal(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	d := b.Square(b.Sub(x[0], x[1]))
	return b.Sub(b.Sub(b.Mul(b.Num(-0.5), b.Mul(d, b.Square(b.Inv(x[2])))), b.Log(x[2])), b.Num(logSqrt2Pi))
}

func fullStdNormal(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	return b.Sub(b.Mul(b.Num(-0.5), b.Square(x[0])), b.Num(logSqrt2Pi))
}

func fullLogNormal(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	logY := b.Log(x[0])
	return b.Sub(fullNormal(b, []autodiff.Node{logY, x[1], x[2]}), logY)
}

func fullExponential(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	return b.Sub(b.Log(x[1]), b.Mul(x[1], x[0]))
}

func fullGamma(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	y, shape, rate := x[0], x[1], x[2]
	norm := b.Sub(b.Mul(shape, b.Log(rate)), lgamma(b, shape))
	return b.Add(norm, b.Sub(b.Mul(b.Sub(shape, b.Num(1)), b.Log(y)), b.Mul(rate, y)))
}

func fullInvGamma(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	y, shape, scale := x[0], x[1], x[2]
	norm := b.Sub(b.Mul(shape, b.Log(scale)), lgamma(b, shape))
	return b.Sub(norm, b.Add(b.Mul(b.Add(shape, b.Num(1)), b.Log(y)), b.Mul(scale, b.Inv(y))))
}

func fullChiSquare(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	return fullGamma(b, []autodiff.Node{x[0], b.Mul(b.Num(0.5), x[1]), b.Num(0.5)})
}

func fullInvChiSquare(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	return fullInvGamma(b, []autodiff.Node{x[0], b.Mul(b.Num(0.5), x[1]), b.Num(0.5)})
}

func fullScaledInvChiSquare(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	half := b.Mul(b.Num(0.5), x[1])
	return fullInvGamma(b, []autodiff.Node{x[0], half, b.Mul(half, b.Square(x[2]))})
}

func fullBeta(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	y, p, q := x[0], x[1], x[2]
	return b.Sub(b.Add(b.Mul(b.Sub(p, b.Num(1)), b.Log(y)), b.Mul(b.Sub(q, b.Num(1)), b.Log1m(y))), lbeta(b, p, q))
}

// lbeta is the log of the beta function: -log(q) where p is 1, so that a shape such as a
// concentration of broken sticks shows as the logarithm that it is.
func lbeta(b catalogue.Formula, p, q autodiff.Node) autodiff.Node {
	switch one := b.Num(1); {
	case p == one:
		return b.Neg(b.Log(q))
	case q == one:
		return b.Neg(b.Log(p))
	}
	return b.Sub(b.Add(lgamma(b, p), lgamma(b, q)), lgamma(b, b.Add(p, q)))
}

func fullBernoulli(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	return b.Add(timesLog(b, x[0], x[1]), timesLog1m(b, b.Sub(b.Num(1), x[0]), x[1]))
}

func fullBinomial(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	n, trials, p := x[0], x[1], x[2]
	one := b.Num(1)
	choose := b.Sub(lgamma(b, b.Add(trials, one)), b.Add(lgamma(b, b.Add(n, one)), lgamma(b, b.Add(b.Sub(trials, n), one))))
	return b.Add(choose, b.Add(timesLog(b, n, p), timesLog1m(b, b.Sub(trials, n), p)))
}

func fullPoisson(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	return b.Sub(b.Sub(timesLog(b, x[0], x[1]), x[1]), lgamma(b, b.Add(x[0], b.Num(1))))
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
	return g.Sum(catalogue.Formula{G: g}.Log(g.Gather(refs))), true
}

// fullMultinomial is for one variate.
func fullMultinomial(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	if len(in[0].Dims) != 1 || len(in[1].Dims) != 1 {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	one := b.Num(1)
	norm := b.Sub(lgamma(b, b.Add(g.Sum(in[0].Node), one)), g.Sum(lgamma(b, b.Add(in[0].Node, one))))
	return b.Add(norm, g.Sum(timesLog(b, in[0].Node, in[1].Node))), true
}

// fullMultiply writes products of matrices as products with single columns, in which inner
// products show.
func fullMultiply(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	if x, ok := expandMultiply(g, n, in); ok {
		return x, true
	}
	x, y := in[0], in[1]
	inner, outer := y.Dims[0], 1
	if len(y.Dims) == 2 {
		outer = y.Dims[1]
	} else { // a column times a row
		inner, outer = 1, y.Dims[0]
	}
	if n == 0 || inner == 0 {
		return autodiff.None, false
	}
	refs := make([]autodiff.Ref, 0, n)
	for j := range outer {
		column := g.MatVec(x.Node, g.View(y.Node, j*inner, inner), n/outer)
		for i := range n / outer {
			refs = append(refs, autodiff.Ref{Node: column, Elem: int32(i)})
		}
	}
	return g.Gather(refs), true
}
