// The lowerings of mass functions whose counts are a vector of the graph.

package lowering

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

// CountExpansions are the expanders of the mode ForCounts, by function.
var CountExpansions = map[string]Expander{
	"bernoulli_lpmf":       countBernoulli,
	"bernoulli_logit_lpmf": countBernoulliLogit,
	"poisson_lpmf":         countPoisson,
	"poisson_log_lpmf":     countPoissonLog,
}

func countBernoulli(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	return g.Map(bernoulliMass, 1, in[0].Node, in[1].Node), true
}

// bernoulliMass is the log mass of an outcome; NaN for chances outside of [0, 1].
var bernoulliMass = &autodiff.Op{Name: "bernoulli_mass",
	F2: func(y, p float64) float64 {
		if y == 1 {
			return logProbability.F1(p)
		}
		return log1mProbability.F1(p)
	},
	D2: func(y, p, _ float64) (dy, dp float64) {
		if y == 1 {
			return 0, 1 / p
		}
		return 0, 1 / (p - 1)
	}}

func countBernoulliLogit(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := catalogue.Formula{G: g}
	sign := b.Sub(b.Num(1), b.Mul(b.Num(2), in[0].Node))
	return b.Neg(b.Map1(autodiff.Log1pExp, b.Mul(sign, in[1].Node))), true
}

func countPoisson(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := catalogue.Formula{G: g}
	n, rate := in[0].Node, in[1].Node
	return b.Sub(b.Sub(countTimesLog(b, n, rate), rate), logFactorial(b, n)), true
}

func countPoissonLog(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := catalogue.Formula{G: g}
	n, eta := in[0].Node, in[1].Node
	return b.Sub(b.Sub(b.Mul(n, eta), b.Map1(autodiff.Exp, eta)), logFactorial(b, n)), true
}

// logFactorial is log n!.
func logFactorial(b catalogue.Formula, n autodiff.Node) autodiff.Node {
	return lgamma(b, b.Add(n, b.Num(1)))
}

// countTimesLog is n*log(x), and 0 where both are 0; NaN for negative x.
func countTimesLog(b catalogue.Formula, n, x autodiff.Node) autodiff.Node {
	return b.G.Map(countTimes, b.Length(n, x), n, b.Log(x))
}

// countTimes is a count times a logarithm, and 0 for the count 0 and any number.
var countTimes = &autodiff.Op{Name: "count_times",
	F2: timesCount,
	D2: func(n, l, _ float64) (dn, dl float64) { return l, n },
	Vector2: func(dst, n, l []float64) {
		for i := range dst {
			dst[i] = timesCount(transform.ArgAt(n, i), transform.ArgAt(l, i))
		}
	},
	Slopes: func(_ *autodiff.Graph, k int, n, l, _ autodiff.Node) autodiff.Node { return []autodiff.Node{l, n}[k] },
}

func timesCount(n, l float64) float64 {
	if n == 0 && !math.IsNaN(l) {
		return 0
	}
	return n * l
}
