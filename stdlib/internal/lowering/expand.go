// Expansions: functions written as nodes of the engine's graph, which the engine
// then simplifies, shares and differentiates itself. The kernel stays the meaning;
// an expansion must agree with it.

package lowering

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/mathfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/matrixfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/multivariate"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// An Operand is an argument of an expansion: what a kernel would see of it, and its
// node.
type Operand struct {
	catalogue.Tensor
	Node   autodiff.Node
	Active bool // depends on the parameters; X is then only the value at one point
}

// An Expander writes a call as nodes; n is the number of elements of the result.
// False says that this call has no expansion.
//
// An expansion makes no domain checks. Arguments outside the domain must give NaN,
// or the right -Inf, so that the point is rejected all the same.
type Expander func(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool)

var Expansions = map[string]Expander{
	"plus":                    func(_ *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) { return in[0].Node, true },
	"log1m":                   expandLog1m,
	"log_inv_logit":           expandLogInvLogit,
	"log1m_inv_logit":         expandLog1mInvLogit,
	"beta":                    expandBeta,
	"log_inv_logit_diff":      expandLogInvLogitDiff,
	"Phi_approx":              expandPhiApprox,
	"inv_sqrt":                expandInvSqrt,
	"inv_square":              expandInvSquare,
	"fma":                     expandFMA,
	"pow":                     expandPow,
	"elt_pow":                 expandPow,
	"sum":                     expandSum,
	"mean":                    expandMean,
	"max":                     ofShort(expandExtreme(mathfn.MaxOp)),
	"min":                     ofShort(expandExtreme(mathfn.MinOp)),
	"squared_distance":        ofShort(expandSquaredDistance),
	"distance":                ofShort(expandDistance),
	"norm2":                   ofShort(expandNorm2),
	"variance":                ofShort(expandVariance(false)),
	"sd":                      ofShort(expandVariance(true)),
	"csr_matrix_times_vector": expandSparseProduct,
	"dot_product":             expandDot,
	"dot_self":                expandDotSelf,
	"multiply":                expandMultiply,
	"rows_dot_product":        expandRowsDot,
	"divide":                  expandDivide,
	"log_sum_exp":             expandLogSumExp,
	"log_mix":                 expandLogMix,
	"softmax":                 expandSoftmax,
	"normal_lcdf":             expandNormalTail(false, false),
	"normal_lccdf":            expandNormalTail(false, true),
	"std_normal_lcdf":         expandNormalTail(true, false),
	"std_normal_lccdf":        expandNormalTail(true, true),
	"gp_exp_quad_cov":         expandKernel(2, expQuad),
	"gp_exponential_cov":      expandKernel(2, exponential),
	"gp_matern32_cov":         expandKernel(2, matern(matrixfn.Matern32)),
	"gp_matern52_cov":         expandKernel(2, matern(matrixfn.Matern52)),
	"gp_periodic_cov":         expandKernel(3, periodic),
	"add_diag":                expandAddDiag,
	"eigenvectors_sym":        expandPart(matrixfn.Eigen, 0),
	"eigenvalues_sym":         expandPart(matrixfn.Eigen, 1),
	"svd_U":                   expandPart(matrixfn.SVD, 0),
	"singular_values":         expandPart(matrixfn.SVD, 1),
	"svd_V":                   expandPart(matrixfn.SVD, 2),
	"inverse_spd":             expandPart(matrixfn.SPD, 0),
	"log_determinant_spd":     expandPart(matrixfn.SPD, 1),
	"determinant":             expandPart(matrixfn.Determinant, 0),
	"log_determinant":         expandPart(matrixfn.LogDeterminant, 0),
	"qr_Q":                    expandPart(matrixfn.QR, 0),
	"qr_R":                    expandPart(matrixfn.QR, 1),
	"qr_thin_Q":               expandPart(matrixfn.ThinQR, 0),
	"qr_thin_R":               expandPart(matrixfn.ThinQR, 1),
	"log_softmax":             expandLogSoftmax,
	"cumulative_sum":          expandCumulativeSum,
	"normal_lpdf":             expandNormal,
	"std_normal_lpdf":         expandStdNormal,
	"exponential_lpdf":        scalarOnly(expandExponential),
	"gamma_lpdf":              scalarOnly(fixedShapes(fullGamma, 1, (*autodiff.Graph).NonNegative)),
	"inv_gamma_lpdf":          scalarOnly(fixedShapes(fullInvGamma, -1, (*autodiff.Graph).NonNegative)),
	"beta_lpdf":               scalarOnly(fixedShapes(fullBeta, 1, (*autodiff.Graph).Probability)),

	"normal_id_glm_lpdf":         expandNormalGLM,
	"categorical_logit_glm_lpmf": expandCategoricalGLM,
	"multi_normal_lpdf":          expandMultiNormal(multivariate.ByCovariance),
	"multi_normal_cholesky_lpdf": expandMultiNormal(multivariate.ByCholesky),

	"dirichlet_lpdf":             expandDirichlet,
	"lkj_corr_cholesky_lpdf":     expandLKJCholesky,
	"multinomial_lpmf":           expandMultinomial,
	"multinomial_logit_lpmf":     expandMultinomialLogit,
	"dirichlet_multinomial_lpmf": expandDirichletMultinomial,

	"multi_student_t_lpdf":          expandMultiStudent(multivariate.ByCovariance),
	"multi_student_t_cholesky_lpdf": expandMultiStudent(multivariate.ByCholesky),

	"bernoulli_lpmf":         scalarOnly(expandBernoulli),
	"binomial_lpmf":          scalarOnly(expandBinomial),
	"bernoulli_logit_lpmf":   scalarOnly(expandBernoulliLogit),
	"categorical_lpmf":       expandCategorical,
	"categorical_logit_lpmf": expandCategoricalLogit,
	"poisson_lpmf":           scalarOnly(expandPoisson),
	"poisson_log_lpmf":       scalarOnly(expandPoissonLog),
}

func expandLog1m(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := catalogue.Formula{G: g}
	return b.Map1(autodiff.Log1p, b.Neg(in[0].Node)), true
}

func expandBeta(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := catalogue.Formula{G: g}
	return expOf(b, logBeta(b, in[0].Node, in[1].Node)), true
}

func expandLogInvLogit(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := catalogue.Formula{G: g}
	return b.Neg(b.Map1(autodiff.Log1pExp, b.Neg(in[0].Node))), true
}

func expandLog1mInvLogit(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := catalogue.Formula{G: g}
	return b.Neg(b.Map1(autodiff.Log1pExp, in[0].Node)), true
}

// expandLogInvLogitDiff is log(1 - exp(y - x)) + log(inv_logit(x)) + log(1 - inv_logit(y)).
func expandLogInvLogitDiff(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	b, x, y := catalogue.Formula{G: g}, in[0].Node, in[1].Node
	gap := b.Map1(mathfn.Log1mExpOp, b.Sub(y, x))
	return b.Sub(b.Sub(gap, log1pExp(b, b.Neg(x))), log1pExp(b, y)), n == g.Len(gap)
}

func expandPhiApprox(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b, x := catalogue.Formula{G: g}, in[0].Node
	slope := b.Add(b.Mul(b.Num(mathfn.PhiCubic), b.Square(x)), b.Num(mathfn.PhiLinear))
	return b.Map1(autodiff.InvLogit, b.Mul(x, slope)), true
}

func expandInvSqrt(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := catalogue.Formula{G: g}
	return b.Map1(autodiff.Inv, b.Map1(autodiff.Sqrt, in[0].Node)), true
}

func expandInvSquare(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := catalogue.Formula{G: g}
	return b.Map1(autodiff.Inv, b.Square(in[0].Node)), true
}

func expandFMA(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	if n != 1 {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	return b.Add(b.Mul(in[0].Node, in[1].Node), in[2].Node), true
}

// expandPow handles the constant exponents that have operations of their own, and positive constants to powers that are not: their
// logarithms are constants.
func expandPow(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	if in[1].Active && !in[0].Active {
		return expandConstantPower(g, n, in[0].X, in[1].Node)
	}
	if in[1].Active || len(in[1].X) != 1 || g.Len(in[0].Node) != n {
		return autodiff.None, false
	}
	b, x := catalogue.Formula{G: g}, in[0].Node
	switch in[1].X[0] {
	case 2:
		return b.Square(x), true
	case 3:
		return b.Mul(x, b.Square(x)), true
	case 1:
		return x, true
	case -1:
		return b.Map1(autodiff.Inv, x), true
	case -2:
		return b.Map1(autodiff.Inv, b.Square(x)), true
	case 4:
		return b.Square(b.Square(x)), true
	case 0.5:
		return b.Map1(autodiff.Sqrt, x), true
	case -0.5:
		return b.Map1(autodiff.Inv, b.Map1(autodiff.Sqrt, x)), true
	case 1.5:
		return b.Mul(x, b.Map1(autodiff.Sqrt, x)), true
	}
	return autodiff.None, false
}

func expandConstantPower(g *autodiff.Graph, n int, x []float64, y autodiff.Node) (autodiff.Node, bool) {
	logs := make([]float64, len(x))
	for i, x := range x {
		if !catalogue.PositiveFinite.OK(x) {
			return autodiff.None, false
		}
		logs[i] = libm.Log(x)
	}
	result := func() autodiff.Node { return g.Map(autodiff.Exp, n, g.Map(autodiff.Mul, n, g.Const(logs), y)) }
	if slices.Contains(x, 1) { // whose infinite powers are 1
		return g.Limited(y, -math.MaxFloat64, math.MaxFloat64, result)
	}
	return result(), true
}

func expandSum(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	return g.Sum(in[0].Node), true
}

func expandMean(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := catalogue.Formula{G: g}
	return b.Mul(b.Num(1/float64(len(in[0].X))), g.Sum(in[0].Node)), true
}

func expandDot(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	return g.Dot(in[0].Node, in[1].Node), true
}

func expandDotSelf(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	return g.Dot(in[0].Node, in[0].Node), true
}

// expandMultiply handles scalars, inner products and matrix times vector.
func expandMultiply(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	x, y := in[0], in[1]
	dx, dy := len(x.Dims), len(y.Dims)
	switch {
	case dx == 0 || dy == 0:
		return g.Map(autodiff.Mul, n, x.Node, y.Node), true
	case dx == 1 && dy == 1 && x.Rank.Row:
		return g.Dot(x.Node, y.Node), true
	case dx == 2 && dy == 1:
		return g.MatVec(x.Node, y.Node, x.Dims[0]), true
	case dx == 2 && dy == 2 && tall(x.Dims[0], y.Dims):
		refs := make([]autodiff.Ref, 0, n)
		for c := range y.Dims[1] {
			col := g.MatVec(x.Node, g.View(y.Node, c*y.Dims[0], y.Dims[0]), x.Dims[0])
			for i := range x.Dims[0] {
				refs = append(refs, autodiff.Ref{Node: col, Elem: int32(i)})
			}
		}
		return g.Gather(refs), true
	}
	return autodiff.None, false
}

// tall reports whether a product of matrices, the first with many rows, is one of vectors for each of few columns.
func tall(rows int, dims []int) bool {
	const many, few = 64, 8
	return rows >= many && dims[0] > 0 && dims[0] <= few && dims[1] <= few
}

// expandDivide handles division by a scalar.
func expandDivide(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	if len(in[1].Dims) != 0 {
		return autodiff.None, false
	}
	return g.Map(autodiff.Div, n, in[0].Node, in[1].Node), true
}

// maxTree is the longest vector that log_sum_exp writes out as scalars, so that the
// terms of many short ones run together.
const maxTree = 16

// expandLogSumExp shifts by the greatest element. The shift's own derivative cancels,
// so it is taken from an operation without one. With several arguments it goes element by
// element.
func expandLogSumExp(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	var xs []autodiff.Node
	if len(in) > 1 {
		for _, x := range in {
			xs = append(xs, x.Node)
		}
		return logSumExpNodes(g, n, xs), true
	}
	for _, x := range in {
		if n := g.Len(x.Node); n == 0 || n > maxTree {
			return autodiff.None, false
		}
		for i := range g.Len(x.Node) {
			xs = append(xs, g.Elem(x.Node, i))
		}
	}
	return logSumExpNodes(g, 1, xs), true
}

// logSumExpNodes is the log of the sum of the exponentials of nodes of n elements, or one.
func logSumExpNodes(g *autodiff.Graph, n int, xs []autodiff.Node) autodiff.Node {
	b := catalogue.Formula{G: g}
	terms, shift := shiftedExp(g, n, xs)
	return b.Add(shift, b.Log(inPairs(terms, b.Add)))
}

// shiftedExp returns the exponentials of nodes less their greatest, and that.
func shiftedExp(g *autodiff.Graph, n int, xs []autodiff.Node) (terms []autodiff.Node, shift autodiff.Node) {
	b := catalogue.Formula{G: g}
	shift = inPairs(xs, func(x, y autodiff.Node) autodiff.Node { return g.Map(autodiff.Shift, n, x, y) })
	terms = make([]autodiff.Node, len(xs))
	for i, x := range xs {
		terms[i] = b.Map1(autodiff.Exp, b.Sub(x, shift))
	}
	return terms, shift
}

// inPairs joins nodes two by two, what comes of that two by two, and so on: few wait for
// many others.
func inPairs(list []autodiff.Node, join func(x, y autodiff.Node) autodiff.Node) autodiff.Node {
	if len(list) == 1 {
		return list[0]
	}
	half := len(list) / 2
	return join(inPairs(list[:half], join), inPairs(list[half:], join))
}

// expandLogMix is for mixtures of two, element by element, and of the elements of one vector. Where the proportion is made of a
// logit, that gives its logarithms: the proportion itself is 1 from a logit of 37 on, and the
// derivative of the other one's logarithm infinite.
func expandLogMix(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	b := catalogue.Formula{G: g}
	if len(in) != 3 {
		return mixtures(b, in[0].Node, in[1].Node)
	}
	var left, right autodiff.Node
	if l, ok := g.Logit(in[0].Node); ok {
		left = b.Sub(in[1].Node, b.Map1(autodiff.Log1pExp, b.Neg(l)))
		right = b.Sub(in[2].Node, b.Map1(autodiff.Log1pExp, l))
	} else {
		left = b.Add(b.Log(in[0].Node), in[1].Node)
		right = b.Add(b.Map1(autodiff.Log1p, b.Neg(in[0].Node)), in[2].Node)
	}
	return logSumExpNodes(g, n, []autodiff.Node{left, right}), true
}

// mixtures is the sum of the log densities of mixtures in the same proportions, whose components stand one mixture after
// the other.
func mixtures(b catalogue.Formula, theta, lps autodiff.Node) (autodiff.Node, bool) {
	k, all := b.G.Len(theta), b.G.Len(lps)
	if k == 0 || k > maxTree || all == 0 {
		return autodiff.None, false
	}
	logs := b.Log(theta)
	var terms []autodiff.Node
	for j := range k {
		var at []int
		for i := j; i < all; i += k {
			at = append(at, i)
		}
		terms = append(terms, b.Add(b.G.Elem(logs, j), b.G.Pick(lps, at)))
	}
	return b.G.Sum(logSumExpNodes(b.G, all/k, terms)), true
}

// scalarOnly restricts an expansion to calls without containers: those do better
// with the kernel that gives value and gradient in one pass.
func scalarOnly(e Expander) Expander {
	return func(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
		for _, x := range in {
			if len(x.Dims) > 0 {
				return autodiff.None, false
			}
		}
		return e(g, n, in)
	}
}

var logSqrt2Pi = 0.5 * libm.Log(2*math.Pi)

// expandNormal writes out calls on few numbers, and those whose scales differ by
// element and depend on parameters (log and square root then often cancel); the
// kernel, which goes over the data once, serves the rest.
func expandNormal(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	n := 1
	for _, x := range in {
		if len(x.Dims) > 0 {
			n = len(x.X)
		}
	}
	if n == 0 || n > fewNumbers && !(in[2].Active && len(in[2].Dims) > 0) {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	z := b.Div(b.Sub(in[0].Node, in[1].Node), in[2].Node)
	logScale := g.Sum(b.Log(in[2].Node))
	if g.Len(in[2].Node) != n {
		logScale = b.Mul(b.Num(float64(n)), logScale)
	}
	squares := g.Dot(z, z)
	return b.Sub(b.Sub(b.Mul(b.Num(-0.5), squares), logScale), b.Num(float64(n)*logSqrt2Pi)), true
}

// fewNumbers is the size up to which separate operations beat the call of a kernel.
const fewNumbers = 32

func expandStdNormal(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	if len(in[0].X) == 0 {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	squares := g.Dot(in[0].Node, in[0].Node)
	return b.Sub(b.Mul(b.Num(-0.5), squares), b.Num(float64(len(in[0].X))*logSqrt2Pi)), true
}

func expandExponential(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	if in[0].Active && !g.NonNegative(in[0].Node) { // the support would need a check
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	return b.Sub(b.Log(in[1].Node), b.Mul(in[1].Node, in[0].Node)), true
}

// fixedShapes expands a prior whose two parameters are constants. Its logarithms make up
// for checks of the variate, so none may drop out: no parameter may be as given, unless the variate is
// certain to be supported.
func fixedShapes(log func(b catalogue.Formula, x []autodiff.Node) autodiff.Node, except float64, supported func(g *autodiff.Graph, y autodiff.Node) bool) Expander {
	return func(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
		var x []autodiff.Node
		sure := supported(g, in[0].Node)
		for j, a := range in {
			if fixed := j > 0; fixed == a.Active || fixed && (a.X[0] == except && !sure || !catalogue.PositiveFinite.OK(a.X[0])) {
				return autodiff.None, false
			}
			x = append(x, a.Node)
		}
		return log(catalogue.Formula{G: g}, x), true
	}
}

// expandBernoulli is one logarithm, which is NaN outside of [0, 1] on one side only;
// where theta is not certain to lie inside, the operations look at both.
func expandBernoulli(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := catalogue.Formula{G: g}
	theta, sure := in[1].Node, g.Probability(in[1].Node)
	switch success := in[0].X[0] == 1; {
	case success && sure:
		return b.Log(theta), true
	case success:
		return b.Map1(logProbability, theta), true
	case sure:
		return b.Map1(autodiff.Log1p, b.Neg(theta)), true
	}
	return b.Map1(log1mProbability, theta), true
}

// expandBinomial is for a chance that is certain to lie in [0, 1].
func expandBinomial(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	n, trials, theta := in[0].X[0], in[1].X[0], in[2].Node
	if !(n >= 0 && n <= trials) || !g.Probability(theta) {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	sum := b.Num(univariate.LogChoose(trials, n))
	if n > 0 {
		sum = b.Add(sum, b.Mul(b.Num(n), b.Log(theta)))
	}
	if n < trials {
		sum = b.Add(sum, b.Mul(b.Num(trials-n), b.Log1m(theta)))
	}
	return sum, true
}

// The logarithms of a probability and of its complement; NaN outside of [0, 1].
var (
	logProbability = &autodiff.Op{Name: "log_probability",
		F1: func(p float64) float64 {
			if p > 1 {
				return math.NaN()
			}
			return libm.Log(p)
		},
		D1: func(p, _ float64) float64 { return 1 / p }}
	log1mProbability = &autodiff.Op{Name: "log1m_probability",
		F1: func(p float64) float64 {
			if p < 0 {
				return math.NaN()
			}
			return libm.Log1p(-p)
		},
		D1: func(p, _ float64) float64 { return 1 / (p - 1) }}
)

func expandBernoulliLogit(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := catalogue.Formula{G: g}
	eta := in[1].Node
	if in[0].X[0] == 1 {
		eta = b.Neg(eta)
	}
	return b.Neg(b.Map1(autodiff.Log1pExp, eta)), true
}

// expandCategorical is the log of one probability, which all observations of the same
// category share. That the others form a simplex is not checked again.
func expandCategorical(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	if len(in[0].Dims) > 0 {
		return autodiff.None, false
	}
	return catalogue.Formula{G: g}.Log(g.Elem(in[1].Node, int(in[0].X[0])-1)), true
}

// expandPoisson is for a rate that is not certain to be positive, too: log gives NaN.
func expandPoisson(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := catalogue.Formula{G: g}
	n, rate := in[0].X[0], in[1].Node
	if n == 0 { // log would give NaN where the rate is 0, too
		return autodiff.None, false
	}
	return b.Sub(b.Sub(b.Mul(b.Num(n), b.Log(rate)), rate), b.Num(special.Lgamma(n+1))), true
}

func expandPoissonLog(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := catalogue.Formula{G: g}
	n, eta := in[0].X[0], in[1].Node
	return b.Sub(b.Sub(b.Mul(b.Num(n), eta), b.Map1(autodiff.Exp, eta)), b.Num(special.Lgamma(n+1))), true
}
