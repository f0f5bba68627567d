// The lowerings of mass functions for counts that are not known one by one.

package lowering

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// CountExpansions are those of ForCounts.
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
	return b.Sub(b.Sub(g.Map(countTimesLog, 1, n, rate), rate), logFactorial(b, n)), true
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
var countTimesLog = &autodiff.Op{Name: "count_times_log",
	F2: func(n, x float64) float64 {
		if n == 0 && x >= 0 {
			return 0
		}
		return n * autodiff.Log.F1(x)
	},
	D2: func(n, x, _ float64) (dn, dx float64) {
		if n == 0 {
			return autodiff.Log.F1(x), 0
		}
		return autodiff.Log.F1(x), n / x
	}}
