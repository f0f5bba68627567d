// Expansions of the densities of simplexes and of their counts.

package lowering

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/mathfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/multivariate"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// expandDirichlet is for any number of variates and of sample sizes, or one that stands for all. It is NaN where one is no
// simplex, or a size is not positive.
func expandDirichlet(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	if len(in[0].X) == 0 || len(in[1].X) == 0 {
		return autodiff.None, false
	}
	k := in[1].Dims[len(in[1].Dims)-1]
	checks, ok1 := simplexChecks(g, in[0], k)
	sum, ok2 := dirichletSum(g, in[0], in[1], k, lgammaPositive)
	if !ok1 || !ok2 {
		return autodiff.None, false
	}
	return catalogue.Formula{G: g}.Add(sum, checks), true
}

// fullDirichlet is for one variate, without checks.
func fullDirichlet(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	if len(in[0].Dims) != 1 || len(in[1].Dims) != 1 || len(in[1].X) == 0 {
		return autodiff.None, false
	}
	return dirichletSum(g, in[0], in[1], len(in[1].X), mathfn.LgammaOp)
}

// dirichletSum is the log density of variates of k numbers; logGamma is taken of the sizes.
func dirichletSum(g *autodiff.Graph, theta, alpha Operand, k int, logGamma *autodiff.Op) (autodiff.Node, bool) {
	totals, ok1 := rowSums(g, alpha.Node, k)
	logs, weights, ok2 := dirichletTerms(g, theta, alpha, k)
	if !ok1 || !ok2 {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	norm := b.Sub(g.Sum(lgamma(b, totals)), g.Sum(b.Map1(logGamma, alpha.Node)))
	if len(alpha.X) == k {
		norm = b.Mul(b.Num(float64(max(len(theta.X), len(alpha.X))/k)), norm)
	}
	return b.Add(norm, g.Dot(weights, logs)), true
}

// dirichletTerms are the logarithms of the variates, and the sizes less 1 that multiply them; of constant variates that share
// their sizes, the sums of the logarithms.
func dirichletTerms(g *autodiff.Graph, theta, alpha Operand, k int) (logs, weights autodiff.Node, ok bool) {
	b := catalogue.Formula{G: g}
	weights = b.Sub(alpha.Node, b.Num(1))
	if theta.Active {
		logs = b.Log(theta.Node)
	} else {
		x := make([]float64, len(theta.X))
		if len(alpha.X) == k {
			x = x[:k]
		}
		for i, v := range theta.X {
			if !(v > 0) { // whose logarithm a size of 1 would not take off again
				return logs, weights, false
			}
			x[i%len(x)] += libm.Log(v)
		}
		logs = g.Const(x)
	}
	return tiled(g, logs, g.Len(weights)), tiled(g, weights, g.Len(logs)), true
}

// tiled repeats x until it has n elements, if that is more than it has.
func tiled(g *autodiff.Graph, x autodiff.Node, n int) autodiff.Node {
	if g.Len(x) >= n {
		return x
	}
	refs := make([]autodiff.Ref, n)
	for i := range refs {
		refs[i] = autodiff.Ref{Node: x, Elem: int32(i % g.Len(x))}
	}
	return g.Gather(refs)
}

// rowSums are the sums of each k elements of x; ok is false for several sums of many.
func rowSums(g *autodiff.Graph, x autodiff.Node, k int) (sums autodiff.Node, ok bool) {
	if g.Len(x) == k {
		return g.Sum(x), true
	}
	if k > maxTree {
		return autodiff.None, false
	}
	columns := make([]autodiff.Node, k)
	for j := range columns {
		at := make([]int, 0, g.Len(x)/k)
		for i := j; i < g.Len(x); i += k {
			at = append(at, i)
		}
		columns[j] = g.Pick(x, at)
	}
	return inPairs(columns, catalogue.Formula{G: g}.Add), true
}

// simplexChecks are 0, and NaN where one of the vectors of k numbers does not add up to 1.
func simplexChecks(g *autodiff.Graph, theta Operand, k int) (autodiff.Node, bool) {
	b := catalogue.Formula{G: g}
	if theta.Active {
		sums, ok := rowSums(g, theta.Node, k)
		if !ok {
			return autodiff.None, false
		}
		return g.Sum(b.Map1(simplexSum, sums)), true
	}
	for x := theta.X; len(x) > 0; x = x[k:] {
		if !(simplexSum.F1(sumOf(x[:k])) == 0) {
			return autodiff.None, false
		}
	}
	return b.Num(0), true
}

// mostCounted is from how many on the logarithm of a power in factors of multinomials loses digits.
const mostCounted = 1000

// expandMultinomial is for counts that are known; of two calls with the same probabilities the logarithms are the same nodes.
func expandMultinomial(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	n, theta := in[0], in[1]
	total, ok := knownCounts(n)
	if !ok || !theta.Active || total >= mostCounted {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	checks, _ := simplexChecks(g, theta, len(n.X))
	sum := func() autodiff.Node {
		return b.Add(b.Add(g.Dot(g.Const(n.X), b.Log(theta.Node)), checks), b.Num(multivariate.MultinomialCoefficient(n.X)))
	}
	if slices.Contains(n.X, 0) { // what no count counts may be impossible
		return g.Limited(theta.Node, catalogue.LeastPositive, math.MaxFloat64, sum)
	}
	return sum(), true
}

// expandMultinomialLogit is for counts that are known.
func expandMultinomialLogit(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	total, ok1 := knownCounts(in[0])
	gamma, ok2 := elementsOf(g, in[1])
	if !ok1 || !ok2 || !in[1].Active {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	sum := b.Sub(g.Dot(in[0].Node, in[1].Node), b.Mul(b.Num(total), logSumExpNodes(g, 1, gamma)))
	return b.Add(sum, b.Num(multivariate.MultinomialCoefficient(in[0].X))), true
}

// expandDirichletMultinomial is, with the sum a of sizes and the number n of all, the number of choices of counts from sizes over that
// of n from a.
func expandDirichletMultinomial(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	n, alpha := in[0], in[1]
	total, ok := knownCounts(n)
	if !ok || !alpha.Active || len(n.X) > maxTree {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	sum := b.Neg(choicesOf(b, total, g.Sum(alpha.Node)))
	for i, v := range n.X {
		sum = b.Add(sum, choicesOf(b, v, g.Elem(alpha.Node, i)))
	}
	return sum, true
}

// choicesOf is choices of a known number; that of few is a sum of logarithms, which calls with the same size share.
func choicesOf(b catalogue.Formula, n float64, size autodiff.Node) autodiff.Node {
	const few = 24
	if n > few {
		return choices(b, b.Num(n), size)
	}
	sum := b.Num(0)
	for j := 0.0; j < n; j++ {
		sum = b.Add(sum, b.Log(b.Add(size, b.Num(j))))
	}
	return b.Sub(sum, b.Num(special.Lgamma(n+1)))
}

// knownCounts adds counts that are constants; ok is false where they are not, or one is negative.
func knownCounts(n Operand) (total float64, ok bool) {
	for _, v := range n.X {
		if !(v >= 0) {
			return 0, false
		}
		total += v
	}
	return total, !n.Active && len(n.X) > 0
}

// dirichletCells is dirichletSum of one variate of few numbers, each of which is a node with an element an iteration.
func dirichletCells(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	x, ok := elementsOf(g, in[0])
	if !ok || len(in[0].Dims) != 1 || len(in[1].Dims) != 1 {
		return autodiff.None, false
	}
	alpha, b := cellsOf(g, in[1]).x, catalogue.Formula{G: g}
	terms := make([]autodiff.Node, len(x))
	for i, v := range x {
		terms[i] = b.Sub(b.Mul(b.Sub(alpha[i], b.Num(1)), b.Log(v)), b.Map1(lgammaPositive, alpha[i]))
	}
	norm := b.Add(b.Map1(mathfn.LgammaOp, inPairs(alpha, b.Add)), b.Map1(simplexSum, inPairs(x, b.Add)))
	return b.Add(norm, inPairs(terms, b.Add)), true
}

// lgammaPositive is log Gamma of positive numbers, and NaN of others.
var lgammaPositive = &autodiff.Op{Name: "lgamma_positive",
	F1: func(x float64) float64 {
		if !(x > 0) {
			return math.NaN()
		}
		return mathfn.LgammaOp.F1(x)
	},
	D1: mathfn.LgammaOp.D1,
	Vector: func(dst, x []float64) {
		var bad []int // none, as a rule; dst may be x
		for i, v := range x[:len(dst)] {
			if !(v > 0) {
				bad = append(bad, i)
			}
		}
		mathfn.LgammaOp.Vector(dst, x)
		for _, i := range bad {
			dst[i] = math.NaN()
		}
	},
	Slope: mathfn.LgammaOp.Slope}

// simplexSum is 0 of the sum of a simplex, and NaN of other sums.
var simplexSum = &autodiff.Op{Name: "simplex_sum",
	F1: func(x float64) float64 {
		if !(math.Abs(x-1) <= transform.CheckTolerance) {
			return math.NaN()
		}
		return 0
	},
	D1: func(_, _ float64) float64 { return 0 }}

// multinomialCells is the log mass of counts with probabilities, which what no count counts may lack.
func multinomialCells(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	n, theta, ok := countsAnd(g, in)
	if !ok {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	terms := make([]autodiff.Node, len(n))
	for i := range n {
		terms[i] = g.Map(countLog, 1, n[i], theta[i])
	}
	sum := b.Add(inPairs(terms, b.Add), b.Map1(simplexSum, inPairs(theta, b.Add)))
	return b.Add(coefficient(b, n), sum), true
}

// multinomialLogitCells is the same of the logarithms of what is proportional to probabilities.
func multinomialLogitCells(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	n, gamma, ok := countsAnd(g, in)
	if !ok {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	norm := logSumExpNodes(g, 1, gamma)
	terms := make([]autodiff.Node, len(n))
	for i := range n {
		terms[i] = b.Mul(n[i], b.Sub(gamma[i], norm))
	}
	return b.Add(coefficient(b, n), inPairs(terms, b.Add)), true
}

// TakesCounts reports whether the mass of n counts can be expanded in a traced loop whose iterations have different counts.
func TakesCounts(name string, n int) bool {
	return (name == "multinomial_lpmf" || name == "multinomial_logit_lpmf") && n > 0 && n <= maxTree
}

// countsAnd are the numbers of two short vectors of the same length.
func countsAnd(g *autodiff.Graph, in []Operand) (n, x []autodiff.Node, ok bool) {
	n, ok1 := elementsOf(g, in[0])
	x, ok2 := elementsOf(g, in[1])
	return n, x, ok1 && ok2 && len(n) == len(x) && len(in[0].Dims) == 1 && len(in[1].Dims) == 1
}

// coefficient is the logarithm of n! / prod n[i]!; NaN of negative counts.
func coefficient(b catalogue.Formula, n []autodiff.Node) autodiff.Node {
	one := b.Num(1)
	factorials := make([]autodiff.Node, len(n))
	for i, v := range n {
		factorials[i] = b.Map1(lgammaPositive, b.Add(v, one))
	}
	return b.Sub(lgamma(b, b.Add(inPairs(n, b.Add), one)), inPairs(factorials, b.Add))
}

// countLog is n*log(x) for a count n, which is not active, and 0 where that is 0; NaN for negative x.
var countLog = &autodiff.Op{Name: "count_log",
	F2: func(n, x float64) float64 { return timesCount(n, libm.Log(x)) },
	D2: func(n, x, _ float64) (dn, dx float64) { return 0, perCountOf(n, x) },
	Vector2: func(dst, n, x []float64) {
		var logs [64]float64
		for from := 0; from < len(dst); from += len(logs) {
			part := dst[from:min(from+len(logs), len(dst))]
			for i := range part {
				logs[i] = transform.ArgAt(x, from+i)
			}
			vec.Log.Map(logs[:len(part)], logs[:])
			for i := range part {
				part[i] = timesCount(transform.ArgAt(n, from+i), logs[i])
			}
		}
	},
	Slopes: func(g *autodiff.Graph, k int, n, x, f autodiff.Node) autodiff.Node {
		if k == 0 {
			return g.Scalar(0)
		}
		return g.Map(perCount, g.Len(f), n, x)
	},
}

var perCount = &autodiff.Op{Name: "per_count", F2: perCountOf}

// perCountOf is n/x, and 0 where n is 0.
func perCountOf(n, x float64) float64 {
	if n == 0 {
		return 0
	}
	return n / x
}
