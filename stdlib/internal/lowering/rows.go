// Rows that repeat are counted once: observations of a density that have the same data and the same
// parameters make one term with a weight, and those of a normal density that share its parameters enter by
// their number, mean and sum of squares.

package lowering

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// groupedExpansions are densities with sufficient statistics.
var groupedExpansions = map[string]Expander{
	"normal_lpdf":    expandGroupedNormal,
	"lognormal_lpdf": expandGroupedLogNormal,

	"categorical_lpmf":       expandCountedCategorical,
	"categorical_logit_lpmf": expandCountedCategoricalLogit,
}

// A grouping is the distinct rows among the first arguments of a call, in the order in which they
// come.
type grouping struct {
	of     []int32   // the group of each row
	first  []int     // the first row of each group
	weight []float64 // how many rows each group has
}

// rowsEach is how many rows a group has on average, at least.
const rowsEach = 2

// groupRows finds the rows of n elements that agree in all arguments; ok is false where too few do.
func groupRows(g *autodiff.Graph, n int, in []Operand) (out grouping, ok bool) {
	var list []autodiff.Node
	for _, a := range in {
		if len(a.Dims) > 0 {
			list = append(list, a.Node)
		}
	}
	of, ok := g.EqualRows(n, rowsEach, list)
	if !ok {
		return out, false
	}
	out.of = of
	for i, k := range of {
		if int(k) == len(out.first) {
			out.first, out.weight = append(out.first, i), append(out.weight, 0)
		}
		out.weight[k]++
	}
	return out, true
}

// pick takes an argument at the first row of each group; a single number stays one.
func (k grouping) pick(g *autodiff.Graph, a Operand) autodiff.Node {
	if len(a.Dims) == 0 {
		return a.Node
	}
	return g.Pick(a.Node, k.first)
}

// total adds terms, one for each group or one for all, by the weights.
func (k grouping) total(g *autodiff.Graph, n int, each autodiff.Node) autodiff.Node {
	if g.Len(each) == 1 {
		return catalogue.Formula{G: g}.Mul(g.Scalar(float64(n)), each)
	}
	return g.Dot(g.Const(k.weight), each)
}

// repeated writes a density out by its distinct rows.
func (f DensityFormula) repeated(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	n := variatesIn(in)
	if n < rowsEach || !f.applies(g, in) {
		return autodiff.None, false
	}
	k, ok := groupRows(g, n, in)
	if !ok {
		return autodiff.None, false
	}
	x := make([]autodiff.Node, len(in))
	for j, a := range in {
		x[j] = k.pick(g, a)
	}
	return k.total(g, n, f.log(catalogue.Formula{G: g}, x)), true
}

// rowGLMs are the densities of the linear models whose rows may repeat, by the names of these.
var rowGLMs = map[string]string{
	"bernoulli_logit_glm_lpmf":    "bernoulli_logit_lpmf",
	"poisson_log_glm_lpmf":        "poisson_log_lpmf",
	"neg_binomial_2_log_glm_lpmf": "neg_binomial_2_log_lpmf",
	"binomial_logit_glm_lpmf":     "binomial_logit_lpmf",
}

// repeatedGLM writes the density of a linear model out by its distinct rows: arguments are the outcomes, with numbers of
// trials where the density has them, a constant matrix, intercepts, coefficients and what else the density has.
func repeatedGLM(density string) Expander {
	return func(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
		at := 1
		if DensityFormulas[density].Trials {
			at = 2
		}
		x, alpha, beta := in[at], in[at+1], in[at+2]
		if x.Active || len(x.Dims) != 2 || x.Dims[0] < rowsEach || x.Dims[1] == 0 {
			return autodiff.None, false
		}
		rows := x.Dims[0]
		eta := catalogue.Formula{G: g}.Add(g.MatVec(x.Node, beta.Node, rows), alpha.Node)
		args := append([]Operand{}, in[:at]...)
		args = append(args, Operand{Tensor: catalogue.Tensor{Dims: []int{rows}, X: make([]float64, rows)}, Node: eta, Active: true})
		args = append(args, in[at+3:]...)
		if f, ok := exponentialFamilies[density]; ok {
			return f.sum(g, n, args)
		}
		return DensityFormulas[density].repeated(g, n, args)
	}
}

// variatesIn counts the elements of containers; 0 where there is none.
func variatesIn(in []Operand) int {
	for _, a := range in {
		if len(a.Dims) > 0 {
			return len(a.X)
		}
	}
	return 0
}

// groupedNormal is the sum of log densities of constant variates y, in[0], whose means and scales repeat: with n
// variates of mean m and sum of squares S about it in a group, -n log(sigma) - (S + n (m - mu)^2) / (2 sigma^2),
// without the constant.
func groupedNormal(g *autodiff.Graph, in []Operand) (autodiff.Node, bool) {
	y, n := in[0], variatesIn(in)
	if y.Active || n < rowsEach || !allFinite(y.X) {
		return autodiff.None, false
	}
	k, ok := sharedParameters(g, n, in[1:])
	if !ok {
		return autodiff.None, false
	}
	mean, squares := k.moments(func(i int) float64 { return y.X[min(i, len(y.X)-1)] })
	b := catalogue.Formula{G: g}
	mu, sigma := k.pick(g, in[1]), k.pick(g, in[2])
	weight, residual := g.Const(k.weight), b.Square(b.Sub(g.Const(mean), mu))
	precision := b.Map1(autodiff.Inv, b.Square(sigma))
	var scaled, logs autodiff.Node
	if g.Len(sigma) == 1 {
		all := b.Add(b.Num(sumOf(squares)), g.Dot(weight, residual))
		scaled, logs = b.Mul(precision, all), b.Mul(b.Num(float64(n)), b.Log(sigma))
	} else {
		each := b.Add(g.Const(squares), b.Mul(weight, residual))
		scaled, logs = g.Dot(precision, each), g.Dot(weight, b.Log(sigma))
	}
	return b.Sub(b.Mul(b.Num(-0.5), scaled), logs), true
}

// moments are the mean of each group of variates y(i), and the sum of squares about it.
func (k grouping) moments(y func(i int) float64) (mean, squares []float64) {
	mean, squares = make([]float64, len(k.weight)), make([]float64, len(k.weight))
	for i, j := range k.of {
		mean[j] += y(i) / k.weight[j]
	}
	off := make([]float64, len(mean)) // what rounding left of the mean
	for i, j := range k.of {
		off[j] += (y(i) - mean[j]) / k.weight[j]
	}
	for j, v := range off {
		mean[j] += v
	}
	for i, j := range k.of {
		d := y(i) - mean[j]
		squares[j] += float64(d * d)
	}
	return mean, squares
}

func sumOf(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum
}

func allFinite(x []float64) bool {
	for _, v := range x {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// expandGroupedNormal is a normal density by groups.
func expandGroupedNormal(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	sum, ok := groupedNormal(g, in)
	if !ok {
		return autodiff.None, false
	}
	return catalogue.Formula{G: g}.Sub(sum, g.Scalar(float64(variatesIn(in))*logSqrt2Pi)), true
}

// expandGroupedLogNormal is a lognormal density by groups of the logarithms.
func expandGroupedLogNormal(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	if in[0].Active {
		return autodiff.None, false
	}
	logs := Operand{Tensor: catalogue.Tensor{Rank: in[0].Rank, Dims: in[0].Dims, X: make([]float64, len(in[0].X))}}
	for i, y := range in[0].X {
		logs.X[i] = autodiff.Log.F1(y)
	}
	sum, ok := expandGroupedNormal(g, n, []Operand{logs, in[1], in[2]})
	if !ok {
		return autodiff.None, false
	}
	each := float64(variatesIn(in)) / float64(max(1, len(logs.X)))
	return catalogue.Formula{G: g}.Sub(sum, g.Scalar(each*sumOf(logs.X))), true
}

// countedElements are the elements of x that an array of categories, in[0], names, with how often it
// does.
func countedElements(g *autodiff.Graph, in []Operand) (x autodiff.Node, weight []float64, ok bool) {
	y := in[0]
	if y.Active || len(y.Dims) != 1 || len(in[1].Dims) != 1 || len(y.X) < rowsEach {
		return autodiff.None, nil, false
	}
	counts := make([]float64, len(in[1].X))
	for _, k := range y.X {
		if !(k >= 1 && k <= float64(len(counts))) {
			return autodiff.None, nil, false
		}
		counts[int(k)-1]++
	}
	var refs []autodiff.Ref
	for k, c := range counts {
		if c > 0 {
			refs, weight = append(refs, autodiff.Ref{Node: in[1].Node, Elem: int32(k)}), append(weight, c)
		}
	}
	return g.Gather(refs), weight, true
}

func expandCountedCategorical(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	theta, weight, ok := countedElements(g, in)
	if !ok {
		return autodiff.None, false
	}
	return g.Dot(g.Const(weight), catalogue.Formula{G: g}.Log(theta)), true
}

func expandCountedCategoricalLogit(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	beta, weight, ok := countedElements(g, in)
	if !ok {
		return autodiff.None, false
	}
	all, ok := elementsOf(g, in[1])
	if !ok {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	return b.Sub(g.Dot(g.Const(weight), beta), b.Mul(b.Num(sumOf(weight)), logSumExpNodes(g, 1, all))), true
}
