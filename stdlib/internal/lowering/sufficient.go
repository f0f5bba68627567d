// Sufficient statistics: observations of an exponential family that share their parameters enter by sums
// over them, whatever their number.

package lowering

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
)

// An ExponentialFamily is a density whose constant arguments, the variate and with Trials the number of
// trials, enter the log density of n observations with the same parameters by sums alone.
type ExponentialFamily struct {
	trials bool
	// alone says that the statistics of one observation, which are known, are more work than the rest.
	alone bool
	// support reports whether the constants of one observation are in the support.
	support func(y, trials float64) bool
	// statistics are summed over the observations.
	statistics func(y, trials float64) [3]float64
	// log is the log density by the number of observations, the sums s and the parameters p.
	log func(b catalogue.Formula, n autodiff.Node, s [3]sum, p []autodiff.Node) autodiff.Node
}

// A sum has a statistic of each group, and the least of them.
type sum struct {
	autodiff.Node
	least float64
}

// exponentialFamilies are the families by the names of their densities. Where a parameter is outside its
// domain the log density is not finite, but for the arguments that DensityFormulas has as hidden.
var exponentialFamilies = map[string]ExponentialFamily{
	"bernoulli_lpmf": {
		support: func(y, _ float64) bool { return y == 0 || y == 1 },
		statistics: func(y, _ float64) [3]float64 {
			return [3]float64{y, 1 - y}
		},
		log: sumBinomial,
	},
	"bernoulli_logit_lpmf": {
		support:    func(y, _ float64) bool { return y == 0 || y == 1 },
		statistics: func(y, _ float64) [3]float64 { return [3]float64{y, 1 - y} },
		log:        sumBinomialLogit,
	},
	"binomial_lpmf":       {trials: true, support: withinTrials, statistics: binomialStatistics, log: sumBinomial},
	"binomial_logit_lpmf": {trials: true, alone: true, support: withinTrials, statistics: binomialStatistics, log: sumBinomialLogit},
	"poisson_lpmf": {
		support: isCount, statistics: countStatistics,
		log: func(b catalogue.Formula, n autodiff.Node, s [3]sum, p []autodiff.Node) autodiff.Node {
			rate := p[0]
			return b.Sub(b.Sub(s[0].timesLog(b, rate), b.Mul(n, rate)), s[2].Node)
		},
	},
	"poisson_log_lpmf": {
		support: isCount, statistics: countStatistics,
		log: func(b catalogue.Formula, n autodiff.Node, s [3]sum, p []autodiff.Node) autodiff.Node {
			return b.Sub(b.Sub(b.Mul(s[0].Node, p[0]), b.Mul(n, expOf(b, p[0]))), s[2].Node)
		},
	},
	"gamma_lpdf": {
		support:    isPositive,
		statistics: func(y, _ float64) [3]float64 { return [3]float64{y, autodiff.Log.F1(y)} },
		log: func(b catalogue.Formula, n autodiff.Node, s [3]sum, p []autodiff.Node) autodiff.Node {
			return sumGamma(b, n, s, p[0], b.Div(b.Mul(p[1], b.Div(s[0].Node, n)), p[0]))
		},
	},
	"exponential_lpdf": {
		support:    func(y, _ float64) bool { return y >= 0 && !math.IsInf(y, 1) },
		statistics: func(y, _ float64) [3]float64 { return [3]float64{y} },
		log: func(b catalogue.Formula, n autodiff.Node, s [3]sum, p []autodiff.Node) autodiff.Node {
			return b.Sub(b.Mul(n, b.Log(p[0])), b.Mul(p[0], s[0].Node))
		},
	},
}

// SufficientConstants returns how many arguments of a density, from the first, are constants that are summed; ok
// is false where it is none of the families.
func SufficientConstants(name string) (n int, ok bool) {
	f, ok := exponentialFamilies[name]
	return f.constants(), ok
}

func (f ExponentialFamily) constants() int {
	if f.trials {
		return 2
	}
	return 1
}

func withinTrials(y, trials float64) bool { return y >= 0 && y <= trials }
func isPositive(y, _ float64) bool        { return y > 0 && !math.IsInf(y, 1) }
func isCount(y, _ float64) bool           { return y >= 0 }

// binomialStatistics are successes, failures and, to be subtracted, the log of the number of orders.
func binomialStatistics(y, trials float64) [3]float64 {
	return [3]float64{y, trials - y, -univariate.LogChoose(trials, y)}
}

func countStatistics(y, _ float64) [3]float64 {
	v, _ := libm.Lgamma(y + 1)
	return [3]float64{y, 0, v}
}

// timesLog is s*log(x), 0 where both are 0, and NaN for negative x.
func (s sum) timesLog(b catalogue.Formula, x autodiff.Node) autodiff.Node {
	if s.least > 0 {
		return b.Mul(s.Node, b.Log(x))
	}
	return countTimesLog(b, s.Node, x)
}

// timesLog1m is s*log(1-x), 0 where both are 0, and NaN for x above 1.
func (s sum) timesLog1m(b catalogue.Formula, x autodiff.Node) autodiff.Node {
	if s.least > 0 {
		return b.Mul(s.Node, b.Log1m(x))
	}
	return countTimesLog1m(b, s.Node, x)
}

func sumBinomial(b catalogue.Formula, _ autodiff.Node, s [3]sum, p []autodiff.Node) autodiff.Node {
	return b.Sub(b.Add(s[0].timesLog(b, p[0]), s[1].timesLog1m(b, p[0])), s[2].Node)
}

func sumBinomialLogit(b catalogue.Formula, _ autodiff.Node, s [3]sum, p []autodiff.Node) autodiff.Node {
	all := b.Mul(b.Add(s[0].Node, s[1].Node), log1pExp(b, p[0]))
	return b.Sub(b.Sub(b.Mul(s[0].Node, p[0]), all), s[2].Node)
}

// sumGamma is formulaGamma of n variates, from their sum and the sum of their logarithms; r is its value
// at their mean.
func sumGamma(b catalogue.Formula, n autodiff.Node, s [3]sum, shape, r autodiff.Node) autodiff.Node {
	off := b.Sub(b.Div(s[1].Node, n), b.Log(b.Div(s[0].Node, n))) // of the mean logarithm from that of the mean
	each := b.Add(b.Sub(b.Log(r), b.Sub(r, b.Num(1))), off)
	return b.Sub(b.Mul(n, b.Sub(b.Mul(shape, each), b.Map1(gammaNorm, shape))), s[1].Node)
}

// sum writes a density out by the groups of observations that share their parameters.
func (f ExponentialFamily) sum(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	constants, n := f.constants(), variatesIn(in)
	if n < rowsEach || !f.holds(n, in[:constants]) {
		return autodiff.None, false
	}
	k, ok := sharedParameters(g, n, in[constants:])
	if !ok && f.alone {
		k, ok = alone(n), true
	}
	if !ok {
		return autodiff.None, false
	}
	sums := make([][]float64, 3)
	for i := range sums {
		sums[i] = make([]float64, len(k.first))
	}
	for i := range n {
		y, trials := f.row(in, i)
		for j, v := range f.statistics(y, trials) {
			sums[j][k.of[i]] += v
		}
	}
	var s [3]sum
	for j := range s {
		s[j] = sum{g.Const(sums[j]), slices.Min(sums[j])}
	}
	p := make([]autodiff.Node, len(in)-constants)
	for j := range p {
		p[j] = k.pick(g, in[constants+j])
	}
	each := f.log(catalogue.Formula{G: g}, g.Const(k.weight), s, p)
	if g.Len(each) == 1 {
		return each, true
	}
	return g.Sum(each), true
}

// holds reports whether the first arguments of n observations are constants in the support.
func (f ExponentialFamily) holds(n int, constants []Operand) bool {
	for _, a := range constants {
		if a.Active {
			return false
		}
	}
	for i := range n {
		if y, trials := f.row(constants, i); !f.support(y, trials) {
			return false
		}
	}
	return true
}

// row returns the constants of observation i.
func (f ExponentialFamily) row(in []Operand, i int) (y, trials float64) {
	at := func(a Operand) float64 { return a.X[min(i, len(a.X)-1)] }
	if f.trials {
		trials = at(in[1])
	}
	return at(in[0]), trials
}

// alone has each observation in a group of its own.
func alone(n int) grouping {
	k := grouping{of: make([]int32, n), first: make([]int, n), weight: make([]float64, n)}
	for i := range n {
		k.of[i], k.first[i], k.weight[i] = int32(i), i, 1
	}
	return k
}

// sharedParameters groups n observations by their parameters: one group where these are single numbers.
func sharedParameters(g *autodiff.Graph, n int, parameters []Operand) (grouping, bool) {
	for _, a := range parameters {
		if len(a.Dims) > 0 {
			return groupRows(g, n, parameters)
		}
	}
	return grouping{of: make([]int32, n), first: []int{0}, weight: []float64{float64(n)}}, true
}
