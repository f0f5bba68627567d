// Expansions of products of small matrices and of functions of short vectors, for iterations of a loop that stand for all: there
// only what consists of operations on single numbers can be kept as a loop.

package lowering

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/mathfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

// mostProducts is how many products of numbers a product of matrices may have to be expanded.
const mostProducts = 512

// IterationExpansions are those of ForIteration. The first number of the result is NaN where the
// function refuses its arguments.
var IterationExpansions = addSolvers(map[string]Expander{
	"multiply":       func(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) { return productOf(g, in[0], in[1]) },
	"crossprod":      func(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) { return squareOf(g, in[0], true) },
	"tcrossprod":     func(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) { return squareOf(g, in[0], false) },
	"quad_form":      expandQuadForm(false),
	"quad_form_sym":  expandQuadForm(true),
	"quad_form_diag": expandQuadFormDiag,
	"diag_pre_multiply": func(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
		return scaledBy(g, in[1], in[0], true)
	},
	"diag_post_multiply": func(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
		return scaledBy(g, in[0], in[1], false)
	},
	"trace":        expandTrace,
	"add_diag":     expandDiagonalSum,
	"matrix_power": expandMatrixPower,

	"columns_dot_product": expandDots(true),
	"columns_dot_self":    expandDots(true),
	"rows_dot_product":    expandDots(false),
	"rows_dot_self":       expandDots(false),
	"trace_quad_form":     expandTraceOfForm,
	"trace_gen_quad_form": expandTraceOfForm,

	"multiply_lower_tri_self_transpose": expandLowerSquare,

	"dirichlet_lpdf": dirichletCells,

	"multinomial_lpmf":       multinomialCells,
	"multinomial_logit_lpmf": multinomialLogitCells,

	"max":      expandExtreme(mathfn.MaxOp),
	"min":      expandExtreme(mathfn.MinOp),
	"prod":     expandProd,
	"norm1":    expandNorm1,
	"norm2":    expandNorm2,
	"distance": expandDistance,
	"variance": expandVariance(false),
	"sd":       expandVariance(true),

	"squared_distance": expandSquaredDistance,
})

// A cells is a matrix of single numbers, by columns.
type cells struct {
	rows, cols int
	x          []autodiff.Node
}

func (m cells) at(i, j int) autodiff.Node { return m.x[i+j*m.rows] }

// cellsOf takes a vector or matrix apart.
func cellsOf(g *autodiff.Graph, x Operand) cells {
	m := cells{rows: 1, cols: 1, x: make([]autodiff.Node, len(x.X))}
	switch {
	case len(x.Dims) == 2:
		m.rows, m.cols = x.Dims[0], x.Dims[1]
	case x.Rank.Row:
		m.cols = len(x.X)
	default:
		m.rows = len(x.X)
	}
	for i := range m.x {
		m.x[i] = g.Elem(x.Node, i)
	}
	return m
}

// transposed swaps rows and columns.
func (m cells) transposed() cells {
	t := cells{m.cols, m.rows, make([]autodiff.Node, len(m.x))}
	for j := range m.cols {
		for i := range m.rows {
			t.x[j+i*m.cols] = m.at(i, j)
		}
	}
	return t
}

// times multiplies matrices; ok is false where they do not fit or are too large.
func (m cells) times(g *autodiff.Graph, y cells) (out cells, ok bool) {
	if m.cols != y.rows || m.cols == 0 || m.rows*m.cols*y.cols > mostProducts {
		return out, false
	}
	b := catalogue.Formula{G: g}
	out = cells{m.rows, y.cols, make([]autodiff.Node, m.rows*y.cols)}
	for j := range y.cols {
		for i := range m.rows {
			terms := make([]autodiff.Node, m.cols)
			for k := range terms {
				terms[k] = b.Mul(m.at(i, k), y.at(k, j))
			}
			out.x[i+j*m.rows] = inPairs(terms, b.Add)
		}
	}
	return out, true
}

func productOf(g *autodiff.Graph, x, y Operand) (autodiff.Node, bool) {
	if len(x.Dims) == 0 || len(y.Dims) == 0 {
		return autodiff.None, false
	}
	out, ok := cellsOf(g, x).times(g, cellsOf(g, y))
	if !ok {
		return autodiff.None, false
	}
	return vectorOf(g, out.x), true
}

// squareOf is x'x, or xx'.
func squareOf(g *autodiff.Graph, x Operand, cross bool) (autodiff.Node, bool) {
	m := cellsOf(g, x)
	left, right := m, m.transposed()
	if cross {
		left, right = right, left
	}
	out, ok := left.times(g, right)
	if !ok {
		return autodiff.None, false
	}
	return vectorOf(g, out.x), true
}

// expandQuadForm is b'ab; the symmetric form is NaN where a is not symmetric, and averages the
// triangles of the result.
func expandQuadForm(symmetric bool) Expander {
	return func(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
		a, m := cellsOf(g, in[0]), cellsOf(g, in[1])
		if a.rows != a.cols {
			return autodiff.None, false
		}
		ab, ok := a.times(g, m)
		if !ok {
			return autodiff.None, false
		}
		out, ok := m.transposed().times(g, ab)
		if !ok {
			return autodiff.None, false
		}
		if symmetric {
			out.average(g, a)
		}
		return vectorOf(g, out.x), true
	}
}

// average makes a quadratic form in a exactly symmetric.
func (m cells) average(g *autodiff.Graph, a cells) {
	b := catalogue.Formula{G: g}
	for j := range m.cols {
		for i := j + 1; i < m.rows; i++ {
			v := b.Mul(b.Num(0.5), b.Add(m.at(i, j), m.at(j, i)))
			m.x[i+j*m.rows], m.x[j+i*m.rows] = v, v
		}
	}
	for j := range a.cols {
		for i := j + 1; i < a.rows; i++ {
			if x, y := a.at(i, j), a.at(j, i); x != y {
				m.x[0] = b.Add(m.x[0], g.Map(asymmetry, 1, x, y))
			}
		}
	}
}

// asymmetry is 0 where numbers are the same, within the tolerance of constraints, and NaN
// elsewhere.
var asymmetry = &autodiff.Op{
	Name: "asymmetry",
	F2: func(x, y float64) float64 {
		if math.Abs(x-y) <= transform.CheckTolerance {
			return 0
		}
		return math.NaN()
	},
}

// scaledBy multiplies rows or columns of m by the elements of v.
func scaledBy(g *autodiff.Graph, m, v Operand, rows bool) (autodiff.Node, bool) {
	x, s := cellsOf(g, m), cellsOf(g, v)
	if len(x.x) == 0 || len(x.x) > mostProducts || len(v.Dims) != 1 {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	for k := range x.x {
		i := k / x.rows
		if rows {
			i = k % x.rows
		}
		x.x[k] = b.Mul(x.x[k], s.x[i])
	}
	return vectorOf(g, x.x), true
}

// expandQuadFormDiag scales rows and columns.
func expandQuadFormDiag(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	x, s := cellsOf(g, in[0]), cellsOf(g, in[1])
	if x.rows != x.cols || x.rows != len(s.x) || len(x.x) == 0 || len(x.x) > mostProducts {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	for k := range x.x {
		x.x[k] = b.Mul(x.x[k], b.Mul(s.x[k%x.rows], s.x[k/x.rows]))
	}
	return vectorOf(g, x.x), true
}

func expandTrace(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	m := cellsOf(g, in[0])
	if m.rows != m.cols || m.rows == 0 {
		return autodiff.None, false
	}
	terms := make([]autodiff.Node, m.rows)
	for i := range terms {
		terms[i] = m.at(i, i)
	}
	return inPairs(terms, catalogue.Formula{G: g}.Add), true
}

// expandDiagonalSum adds a number, or a vector's, to the diagonal.
func expandDiagonalSum(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	m, b := cellsOf(g, in[0]), catalogue.Formula{G: g}
	if len(m.x) == 0 || len(m.x) > mostProducts {
		return autodiff.None, false
	}
	for i := range min(m.rows, m.cols) {
		d := in[1].Node
		if len(in[1].Dims) > 0 {
			d = g.Elem(d, i)
		}
		m.x[i*(m.rows+1)] = b.Add(m.x[i*(m.rows+1)], d)
	}
	return vectorOf(g, m.x), true
}

// expandMatrixPower is for powers that are known, by squares.
func expandMatrixPower(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	const highest = 16
	base, n := cellsOf(g, in[0]), in[1].X[0]
	if base.rows != base.cols || base.rows == 0 || base.rows > mostFactored || in[1].Active || !g.Supplied(in[1].Node) || n < 1 || n > highest {
		return autodiff.None, false
	}
	var out cells
	for p := int(n); p > 0; p >>= 1 {
		switch {
		case p&1 == 1 && out.x == nil:
			out = base
		case p&1 == 1:
			out, _ = out.times(g, base)
		}
		base, _ = base.times(g, base)
	}
	return vectorOf(g, out.x), true
}

// expandDots is the products of columns, or of rows, of two matrices or of one with itself.
func expandDots(columns bool) Expander {
	return func(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
		x, y := cellsOf(g, in[0]), cellsOf(g, in[len(in)-1])
		if columns {
			x, y = x.transposed(), y.transposed()
		}
		if x.rows != n || y.rows != n || x.cols != y.cols || len(x.x) == 0 || len(x.x) > mostProducts {
			return autodiff.None, false
		}
		b, out := catalogue.Formula{G: g}, make([]autodiff.Node, n)
		for i := range out {
			terms := make([]autodiff.Node, x.cols)
			for k := range terms {
				terms[k] = b.Mul(x.at(i, k), y.at(i, k))
			}
			out[i] = inPairs(terms, b.Add)
		}
		return vectorOf(g, out), true
	}
}

// expandTraceOfForm is tr(B'AB), or tr(D B'AB) of three arguments.
func expandTraceOfForm(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	a, m := cellsOf(g, in[len(in)-2]), cellsOf(g, in[len(in)-1])
	right, ok := a.times(g, m)
	if !ok || a.rows != a.cols {
		return autodiff.None, false
	}
	if len(in) == 3 { // the sum of the elements of B D' and of A B, in pairs
		d := cellsOf(g, in[0])
		if m, ok = m.times(g, d.transposed()); !ok || d.rows != d.cols {
			return autodiff.None, false
		}
	}
	b, terms := catalogue.Formula{G: g}, make([]autodiff.Node, len(m.x))
	for i := range terms {
		terms[i] = b.Mul(m.x[i], right.x[i])
	}
	return inPairs(terms, b.Add), true
}

// expandLowerSquare is LL' of the lower triangle of a matrix.
func expandLowerSquare(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	m, b := cellsOf(g, in[0]), catalogue.Formula{G: g}
	if n == 0 || len(m.x)*m.rows > mostProducts {
		return autodiff.None, false
	}
	for j := range m.cols {
		for i := range min(j, m.rows) {
			m.x[i+j*m.rows] = b.Num(0)
		}
	}
	out, ok := m.times(g, m.transposed())
	return vectorOf(g, out.x), ok
}
