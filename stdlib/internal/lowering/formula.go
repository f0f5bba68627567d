// Densities as one formula for an element: for shapes of arguments that no tight loop does, for
// single numbers, and for densities element by element.

package lowering

import (
	"math"
	"slices"
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/mathfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
)

// A DensityFormula is the log density of each element, all constants included, as operations on
// vectors. Where an argument is not what the row requires, it is not finite, but for the
// arguments Hidden.
type DensityFormula struct {
	log  func(b catalogue.Formula, x []autodiff.Node) autodiff.Node
	bulk bool // the row has a tight loop, which is faster for the shapes that it does
	// Positive asks that constant variates are greater than 0: at 0 the formula is not a number where
	// the density is 0 or infinite.
	Positive bool
	elements bool // sums of many are left to the row's kernel, which is faster
	logs     bool // the variate enters by its logarithm, which is a constant for data
	Hidden   []int
	Single   []int // arguments that must be single numbers: the formula is slow for containers of them
	Trials   bool  // the second argument is a number of trials
	// silent reports whether constant parameters take a logarithm of the variate out, so that the formula would be
	// finite outside the support.
	silent func(parameters []Operand) bool
}

// DensityFormulas are the formulas by function.
var DensityFormulas = map[string]DensityFormula{
	"lognormal_lpdf":               {log: formulaLogNormal, bulk: true, Positive: true, logs: true},
	"cauchy_lpdf":                  {log: formulaCauchy, elements: true},
	"logistic_lpdf":                {log: formulaLogistic, bulk: true},
	"gumbel_lpdf":                  {log: formulaGumbel},
	"double_exponential_lpdf":      {log: formulaLaplace, bulk: true},
	"skew_normal_lpdf":             {log: formulaSkewNormal, Hidden: []int{3}},
	"exp_mod_normal_lpdf":          {log: formulaExpModNormal, Hidden: []int{2}},
	"von_mises_lpdf":               {log: formulaVonMises, Hidden: []int{2}, Single: []int{2}},
	"student_t_lpdf":               {log: formulaStudentT, bulk: true},
	"weibull_lpdf":                 {log: formulaWeibull, bulk: true, Positive: true, logs: true},
	"frechet_lpdf":                 {log: formulaFrechet, Positive: true},
	"rayleigh_lpdf":                {log: formulaRayleigh, Positive: true},
	"loglogistic_lpdf":             {log: formulaLogLogistic, Positive: true},
	"gamma_lpdf":                   {log: formulaGamma, bulk: true, Positive: true, Single: []int{1}},
	"inv_gamma_lpdf":               {log: formulaInvGamma, Positive: true, Hidden: []int{1}},
	"chi_square_lpdf":              {log: formulaChiSquare, Positive: true, Hidden: []int{1}},
	"inv_chi_square_lpdf":          {log: formulaInvChiSquare, Positive: true, Hidden: []int{1}},
	"scaled_inv_chi_square_lpdf":   {log: formulaScaledInvChiSquare, Positive: true},
	"pareto_lpdf":                  {log: formulaPareto, Positive: true},
	"pareto_type_2_lpdf":           {log: formulaParetoType2},
	"uniform_lpdf":                 {log: formulaUniform},
	"skew_double_exponential_lpdf": {log: formulaSkewLaplace},
	"beta_lpdf":                    {log: formulaBeta, elements: true, Positive: true, Hidden: []int{1, 2}, silent: someOne},
	"beta_proportion_lpdf":         {log: formulaBetaProportion, elements: true, Positive: true, Hidden: []int{1, 2}, silent: someShapeOne},
	"bernoulli_logit_lpmf":         {log: formulaBernoulliLogit, bulk: true},
	"binomial_lpmf":                {log: formulaBinomial, bulk: true, Trials: true},
	"binomial_logit_lpmf":          {log: formulaBinomialLogit, bulk: true, Hidden: []int{2}, Trials: true},
	"bernoulli_lpmf":               {log: formulaBernoulli, bulk: true, Hidden: []int{1}},
	"poisson_lpmf":                 {log: formulaPoisson, bulk: true},
	"poisson_log_lpmf":             {log: formulaPoissonLog, bulk: true},
	"neg_binomial_2_log_lpmf":      {log: formulaNegBinomial2Log, bulk: true, Hidden: []int{1}},
	"beta_binomial_lpmf":           {log: formulaBetaBinomial, bulk: true, Trials: true, Hidden: []int{2, 3}},
	"neg_binomial_lpmf":            {log: formulaNegBinomial, Hidden: []int{1, 2}},
	"neg_binomial_2_lpmf":          {log: formulaNegBinomial2, bulk: true, Hidden: []int{1, 2}},
}

// sum returns the expansion that adds the formula over the elements of containers that the tight loop of
// the named row does not do.
func (f DensityFormula) sum(name string) Expander {
	return func(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
		if f.elements && variatesIn(in) > fewNumbers || !f.applies(g, in) || f.bulkDoes(name, in) {
			return autodiff.None, false
		}
		return perElement(f.log)(g, n, in)
	}
}

// ByElement is the formula element by element.
func (f DensityFormula) ByElement(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	if !f.applies(g, in) {
		return autodiff.None, false
	}
	x := make([]autodiff.Node, len(in))
	for i, a := range in {
		x[i] = a.Node
	}
	return f.log(catalogue.Formula{G: g}, x), true
}

// EachElement returns the expansion of a density element by element, nil where it has none.
func EachElement(name string) Expander {
	if e, ok := EachExpansions[name]; ok {
		return e
	}
	if f, ok := DensityFormulas[name]; ok {
		return f.ByElement
	}
	return nil
}

// Evaluation returns the expansion of a function for programs that are run, nil where it has none: by groups
// of rows that repeat, if these are wanted, by one written for the shapes of its arguments, or by the
// formula of a density.
func Evaluation(name string, repeats bool) Expander {
	var ways []Expander
	if e, ok := groupedExpansions[name]; ok && repeats {
		ways = append(ways, e)
	}
	if f, ok := exponentialFamilies[name]; ok && repeats {
		ways = append(ways, f.sum)
	}
	if of, ok := rowGLMs[name]; ok && repeats {
		ways = append(ways, repeatedGLM(of))
	}
	f, ok := DensityFormulas[name]
	if ok && repeats {
		ways = append(ways, f.repeated)
	}
	if e, ok := Expansions[name]; ok {
		ways = append(ways, e)
	}
	if ok {
		ways = append(ways, f.sum(name))
	}
	if c, ok := CumulativeFormulas[name]; ok {
		ways = append(ways, c.expand)
	}
	if len(ways) == 0 {
		return nil
	}
	return func(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
		for _, e := range ways {
			if x, ok := e(g, n, in); ok {
				return x, true
			}
		}
		return autodiff.None, false
	}
}

// someOne reports whether a shape of 1 is among constants.
func someOne(parameters []Operand) bool {
	return slices.ContainsFunc(parameters, func(a Operand) bool { return !a.Active && slices.Contains(a.X, 1) })
}

// someShapeOne reports whether constant means and precisions make a shape of 1.
func someShapeOne(parameters []Operand) bool {
	mean, precision := parameters[0], parameters[1]
	if mean.Active || precision.Active || len(mean.X) == 0 || len(precision.X) == 0 {
		return false
	}
	for i := range max(len(mean.X), len(precision.X)) {
		mu, kappa := mean.X[min(i, len(mean.X)-1)], precision.X[min(i, len(precision.X)-1)]
		if mu*kappa == 1 || (1-mu)*kappa == 1 {
			return true
		}
	}
	return false
}

func (f DensityFormula) applies(g *autodiff.Graph, in []Operand) bool {
	if f.silent != nil && in[0].Active && !g.Probability(in[0].Node) && f.silent(in[1:]) {
		return false
	}
	for _, j := range f.Single {
		if len(in[j].Dims) > 0 && in[j].Active {
			return false
		}
	}
	if !f.Positive || in[0].Active {
		return true
	}
	for _, y := range in[0].X {
		if !(y > 0) {
			return false
		}
	}
	return true
}

// bulkDoes reports whether the tight loop does arguments of these shapes. The numbers are not
// looked at, so that one program serves all data of a shape: 1/2 and 1 are valid for every row.
func (f DensityFormula) bulkDoes(name string, in []Operand) bool {
	if !f.bulk || f.logs && !in[0].Active || f.Positive && len(in[0].Dims) == 0 { // that logarithm is taken once
		return false
	}
	many, list := false, make([]catalogue.Tensor, len(in))
	for i, a := range in {
		list[i] = catalogue.Tensor{Rank: a.Rank, X: []float64{0.5}}
		if i == 0 || i == 1 && f.Trials {
			list[i].X[0] = 1
		}
		if len(a.Dims) > 0 {
			many = true
			list[i].Dims, list[i].X = []int{2}, []float64{list[i].X[0], list[i].X[0]}
		}
	}
	if !many {
		return false
	}
	_, ok := densities()[name].Bulk(2, list, 0, nil)
	return ok
}

// densities are the univariate rows by the names of their densities.
var densities = sync.OnceValue(func() map[string]*catalogue.Distribution {
	rows := map[string]*catalogue.Distribution{}
	for _, d := range univariate.Distributions() {
		rows[d.Name+univariate.DensitySuffix(d)] = d
	}
	return rows
})

func expOf(b catalogue.Formula, x autodiff.Node) autodiff.Node { return b.Map1(autodiff.Exp, x) }
func log1p(b catalogue.Formula, x autodiff.Node) autodiff.Node { return b.Map1(autodiff.Log1p, x) }
func log1pExp(b catalogue.Formula, x autodiff.Node) autodiff.Node {
	return b.Map1(autodiff.Log1pExp, x)
}

// standardised is (y - mu) / sigma.
func standardised(b catalogue.Formula, y, mu, sigma autodiff.Node) autodiff.Node {
	return b.Div(b.Sub(y, mu), sigma)
}

// normal is the log density of a standard normal variate.
func standardNormal(b catalogue.Formula, z autodiff.Node) autodiff.Node {
	return b.Sub(b.Mul(b.Num(-0.5), b.Square(z)), b.Num(logSqrt2Pi))
}

func formulaLogNormal(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	logY := b.Log(x[0])
	return b.Sub(b.Sub(standardNormal(b, standardised(b, logY, x[1], x[2])), b.Log(x[2])), logY)
}

func formulaLogistic(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	z := standardised(b, x[0], x[1], x[2])
	return b.Neg(b.Add(b.Add(z, b.Log(x[2])), b.Mul(b.Num(2), log1pExp(b, b.Neg(z)))))
}

func formulaCauchy(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	kernel := log1p(b, b.Square(standardised(b, x[0], x[1], x[2])))
	return b.Sub(b.Neg(b.Add(b.Log(x[2]), kernel)), b.Num(libm.Log(math.Pi)))
}

func formulaGumbel(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	z := standardised(b, x[0], x[1], x[2])
	return b.Neg(b.Add(b.Add(z, expOf(b, b.Neg(z))), b.Log(x[2])))
}

func formulaLaplace(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	z := b.Map1(absolute, standardised(b, x[0], x[1], x[2]))
	return b.Neg(b.Add(b.Add(z, b.Log(x[2])), b.Num(math.Ln2)))
}

// absolute is the absolute value, whose derivative at 0 is taken as 0.
var absolute = &autodiff.Op{Name: "absolute", F1: math.Abs, D1: func(x, _ float64) float64 {
	if x == 0 {
		return 0
	}
	return math.Copysign(1, x)
}}

// formulaSkewLaplace has the slope 1 + (2 tau - 1) above the location and 1 - (2 tau - 1) below.
func formulaSkewLaplace(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	z, tau := standardised(b, x[0], x[1], x[2]), x[3]
	tilt := b.Mul(z, b.Sub(b.Mul(b.Num(2), tau), b.Num(1)))
	norm := b.Add(b.Add(b.Log(tau), b.Log1m(tau)), b.Num(math.Ln2))
	return b.Sub(b.Sub(norm, b.Log(x[2])), b.Add(b.Map1(absolute, z), tilt))
}

func formulaSkewNormal(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	z := standardised(b, x[0], x[1], x[2])
	skew := b.Map1(normalLogCDF, b.Mul(x[3], z))
	return b.Add(b.Sub(standardNormal(b, z), b.Log(x[2])), b.Add(skew, b.Num(math.Ln2)))
}

// formulaStudentT keeps the part that depends on nu alone in one operation, so that it is computed once
// for all observations.
func formulaStudentT(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	nu := x[1]
	kernel := log1p(b, b.Div(b.Square(standardised(b, x[0], x[2], x[3])), nu))
	half := b.Mul(b.Num(0.5), b.Add(nu, b.Num(1)))
	return b.Sub(b.Sub(b.Map1(studentNorm, nu), b.Log(x[3])), b.Mul(half, kernel))
}

// studentNorm is the log normaliser of the standard Student t distribution.
var studentNorm = &autodiff.Op{Name: "student_t_norm",
	F1: func(nu float64) float64 { v, _ := univariate.StudentConstant(nu); return v },
	D1: func(nu, _ float64) float64 { _, d := univariate.StudentConstant(nu); return d }}

// formulaWeibull is log(a) - log(y) + u - exp(u) with u = a log(y/s).
func formulaWeibull(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	logY := b.Log(x[0])
	u := b.Mul(x[1], b.Sub(logY, b.Log(x[2])))
	return b.Add(b.Sub(b.Log(x[1]), logY), b.Sub(u, expOf(b, u)))
}

// formulaFrechet is that of the Weibull distribution with -u.
func formulaFrechet(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	logY := b.Log(x[0])
	u := b.Mul(x[1], b.Sub(b.Log(x[2]), logY))
	return b.Add(b.Sub(b.Log(x[1]), logY), b.Sub(u, expOf(b, u)))
}

func formulaRayleigh(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	logS := b.Log(x[1])
	return b.Sub(b.Sub(b.Log(x[0]), b.Mul(b.Num(2), logS)), b.Mul(b.Num(0.5), b.Square(b.Div(x[0], x[1]))))
}

// formulaLogLogistic has the scale first: log(b) - log(y) + u - 2 log(1 + exp(u)) with
// u = b log(y/a).
func formulaLogLogistic(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	logY := b.Log(x[0])
	u := b.Mul(x[2], b.Sub(logY, b.Log(x[1])))
	return b.Add(b.Sub(b.Log(x[2]), logY), b.Sub(u, b.Mul(b.Num(2), log1pExp(b, u))))
}

// gamma is the log density of y, given its logarithm, times y: shape log(rate y) - rate y - log Gamma(shape).
func gammaTerm(b catalogue.Formula, rated, logRated, shape autodiff.Node) autodiff.Node {
	return b.Sub(b.Sub(b.Mul(shape, logRated), rated), lgamma(b, shape))
}

// formulaGamma is relative to the mode, which keeps its digits for large shapes a: with r = rate y / a it is
// a (log(r) - (r - 1)) - log(y) less what depends on a alone.
func formulaGamma(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	r := b.Div(b.Mul(x[2], x[0]), x[1])
	return b.Sub(b.Mul(x[1], b.Sub(b.Log(r), b.Sub(r, b.Num(1)))), b.Add(b.Map1(gammaNorm, x[1]), b.Log(x[0])))
}

// gammaNorm is log(Gamma(a)) - a log(a) + a.
var gammaNorm = &autodiff.Op{Name: "gamma_norm",
	F1: func(a float64) float64 { v, _ := univariate.GammaConstant(a); return v },
	D1: func(a, _ float64) float64 { _, d := univariate.GammaConstant(a); return d }}

func formulaInvGamma(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	return invGammaTerm(b, x[0], x[1], x[2], b.Log(x[2]))
}

// invGamma takes the logarithm of the scale beside it.
func invGammaTerm(b catalogue.Formula, y, shape, scale, logScale autodiff.Node) autodiff.Node {
	logY := b.Log(y)
	return b.Sub(gammaTerm(b, b.Div(scale, y), b.Sub(logScale, logY), shape), logY)
}

func formulaBeta(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	return betaTerm(b, x[0], x[1], x[2])
}

func formulaBetaProportion(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	return betaTerm(b, x[0], b.Mul(x[1], x[2]), b.Mul(b.Sub(b.Num(1), x[1]), x[2]))
}

func betaTerm(b catalogue.Formula, theta, shape1, shape2 autodiff.Node) autodiff.Node {
	one := b.Num(1)
	kernel := b.Add(b.Mul(b.Sub(shape1, one), b.Log(theta)), b.Mul(b.Sub(shape2, one), b.Log1m(theta)))
	return b.Sub(kernel, logBeta(b, shape1, shape2))
}

func formulaChiSquare(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	half, logY := b.Num(0.5), b.Log(x[0])
	return b.Sub(gammaTerm(b, b.Mul(half, x[0]), b.Sub(logY, b.Num(math.Ln2)), b.Mul(half, x[1])), logY)
}

func formulaInvChiSquare(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	return invGammaTerm(b, x[0], b.Mul(b.Num(0.5), x[1]), b.Num(0.5), b.Num(-math.Ln2))
}

func formulaScaledInvChiSquare(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	half := b.Mul(b.Num(0.5), x[1])
	logScale := b.Add(b.Log(half), b.Mul(b.Num(2), b.Log(x[2])))
	return invGammaTerm(b, x[0], half, b.Mul(half, b.Square(x[2])), logScale)
}

// formulaBernoulliLogit is for outcomes that are known.
func formulaBernoulliLogit(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	sign := b.Sub(b.Num(1), b.Mul(b.Num(2), x[0]))
	return b.Neg(log1pExp(b, b.Mul(sign, x[1])))
}

// formulaBernoulli is the logarithm of theta or of 1 - theta.
func formulaBernoulli(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	failure := b.Sub(b.Num(1), x[0])
	return b.Log(b.Add(failure, b.Mul(b.Sub(x[0], failure), x[1])))
}

func formulaPoisson(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	n, rate := x[0], x[1]
	return b.Sub(b.Sub(countTimesLog(b, n, rate), rate), logFactorial(b, n))
}

func formulaPoissonLog(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	return b.Sub(b.Sub(b.Mul(x[0], x[1]), expOf(b, x[1])), logFactorial(b, x[0]))
}

func formulaBetaBinomial(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	seen := logBeta(b, b.Add(x[0], x[2]), b.Add(b.Sub(x[1], x[0]), x[3]))
	return b.Add(lchoose(b, x[1], x[0]), b.Sub(seen, logBeta(b, x[2], x[3])))
}

// logBeta is the log of the beta function as one operation, which keeps its digits for large arguments.
func logBeta(b catalogue.Formula, x, y autodiff.Node) autodiff.Node {
	return b.G.Map(mathfn.LbetaOp, b.Length(x, y), x, y)
}

// choices is log(Gamma(n + a) / (Gamma(a) n!)) as -log B(a, n+1) - log(a + n).
func choices(b catalogue.Formula, n, a autodiff.Node) autodiff.Node {
	return b.Neg(b.Add(logBeta(b, a, b.Add(n, b.Num(1))), b.Log(b.Add(a, n))))
}

func formulaNegBinomial(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	n, shape, rate := x[0], x[1], x[2]
	failures := b.Add(b.Mul(shape, log1p(b, b.Map1(autodiff.Inv, rate))), b.Mul(n, log1p(b, rate)))
	return b.Sub(choices(b, n, shape), failures)
}

func formulaNegBinomial2(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	n, mu, phi := x[0], x[1], x[2]
	failures := b.Mul(phi, log1p(b, b.Div(mu, phi)))
	successes := b.Mul(n, b.Sub(b.Log(mu), b.Log(b.Add(mu, phi))))
	return b.Add(choices(b, n, phi), b.Sub(successes, failures))
}

// formulaExpModNormal is, with z standardised, v = sigma lambda and w = z - v, log(lambda) + log Phi(w)
// + v^2/2 - lambda (y - mu). Far below 0 the last three would cancel: there they are log Phi(w) + w^2/2,
// as one operation, and -z^2/2.
func formulaExpModNormal(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	z, v := standardised(b, x[0], x[1], x[2]), b.Mul(x[2], x[3])
	w := b.Sub(z, v)
	above := b.Sub(b.Mul(b.Num(0.5), b.Square(v)), b.Mul(x[3], b.Sub(x[0], x[1])))
	below := b.Mul(b.Num(-0.5), b.Square(z))
	low := b.Map1(isNegative, w)
	rest := b.Add(b.Mul(low, below), b.Mul(b.Sub(b.Num(1), low), above))
	tail := b.G.Map(logCDFScaled, b.G.Len(w), w, b.Map1(normalHazard, w))
	return b.Add(b.Add(b.Log(x[3]), rest), tail)
}

// isNegative is 1 of negative numbers, and 0 of others.
var isNegative = &autodiff.Op{Name: "is_negative",
	F1: func(x float64) float64 {
		if x < 0 {
			return 1
		}
		return 0
	},
	D1: func(_, _ float64) float64 { return 0 },
	Vector: func(dst, x []float64) {
		for i := range dst {
			v := 0.0
			if x[i] < 0 {
				v = 1
			}
			dst[i] = v
		}
	},
	Slope: func(g *autodiff.Graph, _, _ autodiff.Node) autodiff.Node { return g.Scalar(0) },
}

// logCDFScaled is log Phi(x), plus x^2/2 where x is negative, from the hazard there.
var logCDFScaled = &autodiff.Op{Name: "log_Phi_scaled",
	F2: func(x, hazard float64) float64 {
		switch {
		case x >= 0:
			return vec.LogPhi.At(x)
		case x > farBelow:
			return -vec.Log.At(hazard) - univariate.HalfLogTwoPi
		case x <= farBelow:
			return logCDFScaledFar(x)
		}
		return x
	},
	D2: func(x, hazard, _ float64) (dx, dhazard float64) { return scaledHazard(x, hazard), 0 },
	Vector2: func(dst, x, hazard []float64) {
		const chunk = 64
		var upper, lower [chunk]float64
		for from := 0; from < len(dst); from += chunk {
			part := dst[from:min(from+chunk, len(dst))]
			above, n := 0, len(part)
			for i := range part {
				upper[i], lower[i] = transform.ArgAt(x, from+i), transform.ArgAt(hazard, from+i)
				if upper[i] >= 0 {
					above++
				}
			}
			at := upper
			if above > 0 {
				vec.LogPhi.Map(upper[:n], upper[:n])
			}
			if above < n {
				vec.Log.Map(lower[:n], lower[:n])
			}
			for i, v := range at[:n] {
				switch {
				case v >= 0:
					part[i] = upper[i]
				case v > farBelow:
					part[i] = -lower[i] - univariate.HalfLogTwoPi
				case v <= farBelow:
					part[i] = logCDFScaledFar(v)
				default:
					part[i] = v
				}
			}
		}
	},
	Slopes: func(g *autodiff.Graph, k int, x, hazard, f autodiff.Node) autodiff.Node {
		if k == 1 {
			return g.Scalar(0)
		}
		return g.Map(scaledHazardOp, g.Len(f), x, hazard)
	},
}

// farBelow is up to where asymptotic series of the normal tail are exact to rounding.
const farBelow = -100

// logCDFScaledFar is log Phi(x) + x^2/2 far below 0.
func logCDFScaledFar(x float64) float64 {
	u := 1 / x / x
	return -vec.Log.At(-x) - univariate.HalfLogTwoPi - float64(u*(1-float64(u*(2.5-float64(u*37/3)))))
}

// scaledHazardOp is the derivative of logCDFScaled at x, from the hazard h there.
var scaledHazardOp = &autodiff.Op{Name: "scaled_hazard", F2: scaledHazard,
	D2: func(x, _, _ float64) (dx, dh float64) {
		if x < 0 {
			return 1, 1
		}
		return 0, 1
	},
	Vector2: func(dst, x, h []float64) {
		for i := range dst {
			dst[i] = scaledHazard(transform.ArgAt(x, i), transform.ArgAt(h, i))
		}
	}}

// scaledHazard is h + x for negative x; far below 0, where these cancel, by the asymptotic series.
func scaledHazard(x, h float64) float64 {
	switch {
	case x >= 0:
		return h
	case x > farBelow:
		return h + x
	}
	u := 1 / x / x
	return -(1 - float64(u*(2-float64(u*(10-float64(u*(74-float64(u*706)))))))) / x
}

// formulaVonMises has 1 - cos(y - mu) as twice the square of the sine of the half, which keeps its
// digits where the angles are close.
func formulaVonMises(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	s := b.Map1(mathfn.SinOp, b.Mul(b.Num(0.5), b.Sub(x[0], x[1])))
	return b.Neg(b.Add(b.Mul(b.Mul(b.Num(2), x[2]), b.Square(s)), b.Map1(vonMisesNorm, x[2])))
}

// vonMisesNorm is log(2 pi exp(-kappa) I0(kappa)).
var vonMisesNorm = &autodiff.Op{Name: "von_mises_norm",
	F1: func(kappa float64) float64 {
		var c [2]float64
		univariate.VonMisesPrep([]float64{0, 0, kappa}, c[:], false)
		return c[0]
	},
	D1: func(kappa, _ float64) float64 {
		var c [2]float64
		univariate.VonMisesPrep([]float64{0, 0, kappa}, c[:], true)
		return -c[1]
	}}

func lchoose(b catalogue.Formula, n, k autodiff.Node) autodiff.Node {
	one := b.Num(1)
	rest := b.Add(lgamma(b, b.Add(k, one)), lgamma(b, b.Add(b.Sub(n, k), one)))
	return b.Sub(lgamma(b, b.Add(n, one)), rest)
}

func formulaBinomial(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	n, trials, p := x[0], x[1], x[2]
	failures := b.Sub(trials, n)
	successes := countTimesLog(b, n, p)
	return b.Add(lchoose(b, trials, n), b.Add(successes, countTimesLog1m(b, failures, p)))
}

// countTimesLog1m is n*log(1-x), and 0 where both are 0; NaN for x above 1.
func countTimesLog1m(b catalogue.Formula, n, x autodiff.Node) autodiff.Node {
	return b.G.Map(countTimes, b.Length(n, x), n, b.Log1m(x))
}

func formulaBinomialLogit(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	return b.Add(lchoose(b, x[1], x[0]), b.Sub(b.Mul(x[0], x[2]), b.Mul(x[1], log1pExp(b, x[2]))))
}

// formulaNegBinomial2Log has the mean over the precision as the exponential of u.
func formulaNegBinomial2Log(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	n, eta, phi := x[0], x[1], x[2]
	u := b.Sub(eta, b.Log(phi))
	failures := b.Mul(phi, log1pExp(b, u))
	successes := b.Mul(n, b.Neg(log1pExp(b, b.Neg(u))))
	return b.Add(choices(b, n, phi), b.Sub(successes, failures))
}
