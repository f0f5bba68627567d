// Expansions of constraint transforms of few numbers.

package lowering

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/multivariate"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

// A TransformExpander writes the transform of n variables with the sizes dims as nodes. free has the free numbers, those of
// one variable after those of the other; x has each number of the variables, as a vector over these, and logJ is the sum of
// their log Jacobians. ok is false where there is no such expansion.
type TransformExpander func(g *autodiff.Graph, n int, dims []int, free autodiff.Node) (x []autodiff.Node, logJ autodiff.Node, ok bool)

// TransformExpansions are those of transforms that take no bounds.
var TransformExpansions = map[string]TransformExpander{
	"simplex":                  expandSimplex,
	"ordered":                  expandOrdered(1),
	"row_stochastic_matrix":    expandStochastic(true),
	"column_stochastic_matrix": expandStochastic(false),
	"positive_ordered":         expandOrdered(0),
	"cholesky_factor_corr":     expandCorrFactor,
	"corr_matrix":              expandCorrMatrix,
	"cholesky_factor_cov":      expandCovFactor,
	"cov_matrix":               expandCovMatrix,
}

const (
	mostTriangular = 8 // rows of a Cholesky factor that is expanded
	mostSquared    = 4 // rows of a matrix that is
)

// columnOf is number i of each of n variables, of which x has m.
func columnOf(g *autodiff.Graph, n, m, i int, x autodiff.Node) autodiff.Node {
	if n == 1 {
		return g.Elem(x, i)
	}
	at := make([]int, n)
	for r := range at {
		at[r] = r*m + i
	}
	return g.Pick(x, at)
}

func expandSimplex(g *autodiff.Graph, n int, dims []int, free autodiff.Node) (x []autodiff.Node, logJ autodiff.Node, ok bool) {
	return simplexes(g, n, dims[0], func(i int) autodiff.Node { return columnOf(g, n, dims[0]-1, i, free) })
}

// simplexes are the softmax of the numbers whose isometric log ratios are free: n simplexes of k numbers.
func simplexes(g *autodiff.Graph, n, k int, free func(i int) autodiff.Node) (x []autodiff.Node, logJ autodiff.Node, ok bool) {
	if k < 2 || k > maxTree {
		return nil, autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	z, sum := make([]autodiff.Node, k), autodiff.None // the sum of the later columns of the basis
	for i := k - 1; i > 0; i-- {
		w := b.Mul(b.Num(transform.BasisScale(i)), free(i-1))
		z[i] = b.Mul(b.Num(-float64(i)), w)
		if sum == autodiff.None {
			sum = w
			continue
		}
		z[i], sum = b.Add(sum, z[i]), b.Add(sum, w)
	}
	z[0] = sum
	terms, shift := shiftedExp(g, n, z)
	total := inPairs(terms, b.Add)
	inv := b.Inv(total)
	for i, v := range terms {
		terms[i] = b.Mul(v, inv)
	}
	f := float64(k)
	each := b.Mul(b.Num(-f), b.Add(shift, b.Log(total)))
	return terms, b.Add(g.Sum(each), b.Num(float64(n)*0.5*autodiff.Log.F1(f))), true
}

// expandStochastic makes simplexes of the rows of one matrix, or of its columns.
func expandStochastic(byRow bool) TransformExpander {
	return func(g *autodiff.Graph, n int, dims []int, free autodiff.Node) (x []autodiff.Node, logJ autodiff.Node, ok bool) {
		count, k := dims[1], dims[0]
		if byRow {
			count, k = k, count
		}
		if n > 1 || count == 0 {
			return nil, autodiff.None, false
		}
		parts, logJ, ok := simplexes(g, count, k, func(i int) autodiff.Node {
			if byRow {
				return g.View(free, i*count, count)
			}
			return columnOf(g, count, k-1, i, free)
		})
		if !ok {
			return nil, autodiff.None, false
		}
		for at := range count * k {
			i, j := at%k, at/k // of column j
			if byRow {
				i, j = at/count, at%count
			}
			x = append(x, g.Elem(parts[i], j))
		}
		return x, logJ, true
	}
}

// expandOrdered adds exponentials from number first on.
func expandOrdered(first int) TransformExpander {
	return func(g *autodiff.Graph, n int, dims []int, free autodiff.Node) (x []autodiff.Node, logJ autodiff.Node, ok bool) {
		k := dims[0]
		if k < 1 || k > maxTree {
			return nil, autodiff.None, false
		}
		b := catalogue.Formula{G: g}
		x, logJ = make([]autodiff.Node, k), b.Num(0)
		for i := range x {
			x[i] = columnOf(g, n, k, i, free)
			if i >= first {
				logJ = b.Add(logJ, g.Sum(x[i]))
				x[i] = expOf(b, x[i])
			}
			if i > 0 {
				x[i] = b.Add(x[i-1], x[i])
			}
		}
		return x, logJ, true
	}
}

// corrFactorOf is the Cholesky factor of correlations and the sum of the log Jacobians.
func corrFactorOf(g *autodiff.Graph, n, k int, free autodiff.Node, order transform.CPCOrder, weight func(k, i, j int) float64) (l cells, logJ autodiff.Node) {
	b, m := catalogue.Formula{G: g}, k*(k-1)/2
	tanh, sech := b.Map1(correlationOps.tanh, free), b.Map1(correlationOps.sech, free)
	weights := make([]float64, n*m)
	l = zeros(b, k)
	for i := range k {
		p := b.Num(1)
		for j := range i {
			at := order(k, i, j)
			l.x[i+j*k] = b.Mul(columnOf(g, n, m, at, tanh), p)
			p = b.Mul(p, columnOf(g, n, m, at, sech))
			for r := range n {
				weights[r*m+at] = weight(k, i, j)
			}
		}
		l.x[i+i*k] = p
	}
	return l, g.Dot(g.Const(weights), b.Map1(correlationOps.logSech2, free))
}

func zeros(b catalogue.Formula, k int) cells {
	l := cells{k, k, make([]autodiff.Node, k*k)}
	for i := range l.x {
		l.x[i] = b.Num(0)
	}
	return l
}

func expandCorrFactor(g *autodiff.Graph, n int, dims []int, free autodiff.Node) (x []autodiff.Node, logJ autodiff.Node, ok bool) {
	if k := dims[0]; k < 2 || k > mostTriangular {
		return nil, autodiff.None, false
	}
	l, logJ := corrFactorOf(g, n, dims[0], free, transform.RowOrder, transform.FactorWeight)
	return l.x, logJ, true
}

func expandCorrMatrix(g *autodiff.Graph, n int, dims []int, free autodiff.Node) (x []autodiff.Node, logJ autodiff.Node, ok bool) {
	k := dims[0]
	if k < 2 || k > mostSquared {
		return nil, autodiff.None, false
	}
	l, logJ := corrFactorOf(g, n, k, free, transform.ColumnOrder, transform.CorrWeight)
	x = l.lowerSquare(g)
	for i := range k {
		x[i*(k+1)] = g.Scalar(1)
	}
	return x, logJ, true
}

// lowerSquare is LL' of a lower triangular matrix.
func (l cells) lowerSquare(g *autodiff.Graph) []autodiff.Node {
	b, k := catalogue.Formula{G: g}, l.rows
	x := make([]autodiff.Node, k*k)
	for i := range k {
		for j := range i + 1 {
			terms := make([]autodiff.Node, j+1)
			for c := range terms {
				terms[c] = b.Mul(l.at(i, c), l.at(j, c))
			}
			x[i+j*k] = inPairs(terms, b.Add)
			x[j+i*k] = x[i+j*k]
		}
	}
	return x
}

// covFactorOf is the Cholesky factor whose free numbers go row by row, and the logarithms of its diagonal.
func covFactorOf(g *autodiff.Graph, n, k int, free autodiff.Node) (l cells, logs []autodiff.Node) {
	b := catalogue.Formula{G: g}
	l, m := zeros(b, k), k*(k+1)/2
	at := 0
	for i := range k {
		for j := range i + 1 {
			v := columnOf(g, n, m, at, free)
			if i == j {
				logs = append(logs, v)
				v = expOf(b, v)
			}
			l.x[i+j*k] = v
			at++
		}
	}
	return l, logs
}

func expandCovFactor(g *autodiff.Graph, n int, dims []int, free autodiff.Node) (x []autodiff.Node, logJ autodiff.Node, ok bool) {
	k := dims[0]
	if k < 1 || k > mostTriangular || dims[1] != k {
		return nil, autodiff.None, false
	}
	l, logs := covFactorOf(g, n, k, free)
	return l.x, g.Sum(inPairs(logs, catalogue.Formula{G: g}.Add)), true
}

func expandCovMatrix(g *autodiff.Graph, n int, dims []int, free autodiff.Node) (x []autodiff.Node, logJ autodiff.Node, ok bool) {
	k := dims[0]
	if k < 1 || k > mostSquared {
		return nil, autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	l, logs := covFactorOf(g, n, k, free)
	for i, v := range logs {
		logs[i] = b.Mul(b.Num(float64(k-i+1)), v)
	}
	return l.lowerSquare(g), b.Add(g.Sum(inPairs(logs, b.Add)), b.Num(float64(n*k)*math.Ln2)), true
}

// correlationOps are the functions of free numbers of correlations; their slopes are made of one another, and nodes that the
// factor has already. The library's tanh has the same value, and a slope of vector functions.
var correlationOps = func() (o struct{ tanh, sech, logSech2 *autodiff.Op }) {
	o.tanh = &autodiff.Op{Name: "tanh", F1: vec.TanhOf, Vector: vec.Tanh.Map,
		D1: func(x, _ float64) float64 { s := transform.Sech(x); return s * s },
		Slope: func(g *autodiff.Graph, x, _ autodiff.Node) autodiff.Node {
			b := catalogue.Formula{G: g}
			return b.Square(b.Map1(o.sech, x))
		}}
	o.sech = &autodiff.Op{Name: "sech", F1: transform.Sech,
		D1: func(x, f float64) float64 { return -f * vec.TanhOf(x) },
		Slope: func(g *autodiff.Graph, x, f autodiff.Node) autodiff.Node {
			b := catalogue.Formula{G: g}
			return b.Neg(b.Mul(f, b.Map1(o.tanh, x)))
		}}
	o.logSech2 = &autodiff.Op{Name: "log_sech2", F1: transform.LogSech2,
		D1: func(x, _ float64) float64 { return -2 * vec.TanhOf(x) },
		Slope: func(g *autodiff.Graph, x, _ autodiff.Node) autodiff.Node {
			b := catalogue.Formula{G: g}
			return b.Mul(b.Num(-2), b.Map1(o.tanh, x))
		}}
	return o
}()

// expandLKJCholesky is for a shape that is known. Of the factor of correlations only the diagonal is looked at.
func expandLKJCholesky(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	k, eta := in[0].Dims[0], in[1].X[0]
	if in[1].Active || !(eta > 0) || k < 2 || !in[0].Active {
		return autodiff.None, false
	}
	diagonal, powers := make([]autodiff.Ref, k-1), make([]float64, k-1)
	for i := range powers {
		diagonal[i] = autodiff.Ref{Node: in[0].Node, Elem: int32((i + 1) * (k + 1))}
		powers[i] = float64(k-i-2) + 2*(eta-1)
	}
	b := catalogue.Formula{G: g}
	norm, _ := multivariate.LkjConstant(eta, k)
	return b.Add(g.Dot(g.Const(powers), b.Log(g.Gather(diagonal))), b.Num(norm)), true
}
