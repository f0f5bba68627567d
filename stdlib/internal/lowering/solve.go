// Expansions of factors, inverses, determinants and quotients of small matrices, for iterations of a loop that stand for all.

package lowering

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/multivariate"
)

const (
	mostFactored  = 6 // rows of a symmetric or triangular matrix, by elimination without exchanges
	mostCofactors = 2 // rows of another matrix: of three, the error of cofactors grows with the square of the condition number
)

// unlessPositive is 0 of a positive number, and NaN of others.
var unlessPositive = &autodiff.Op{Name: "unless_positive",
	F1: func(x float64) float64 {
		if x > 0 {
			return 0
		}
		return math.NaN()
	},
	D1: func(_, _ float64) float64 { return 0 }}

// A solver is a matrix that is prepared for solving: by its lower factor, or by its inverse where it has none.
type solver struct {
	g     *autodiff.Graph
	inv   cells         // of a general matrix
	det   autodiff.Node // its determinant
	l     cells         // the lower factor of a symmetric one, or a triangular one itself
	twice bool          // the factor divides twice: a symmetric matrix
	fault autodiff.Node // 0, or NaN where the matrix is not of its kind
}

// general makes the inverse of a matrix by cofactors.
func general(g *autodiff.Graph, x Operand) (s solver, ok bool) {
	a := cellsOf(g, x)
	if len(x.Dims) != 2 || a.rows != a.cols || a.rows == 0 || a.rows > mostCofactors {
		return s, false
	}
	b := catalogue.Formula{G: g}
	s = solver{g: g, inv: cells{a.rows, a.rows, make([]autodiff.Node, len(a.x))}, fault: b.Num(0)}
	co := s.inv.x // the cofactor of [i, j] stands at [j, i]
	if a.rows == 1 {
		s.det, co[0] = a.x[0], b.Num(1)
	} else {
		s.det = b.Sub(b.Mul(a.at(0, 0), a.at(1, 1)), b.Mul(a.at(0, 1), a.at(1, 0)))
		co[0], co[1], co[2], co[3] = a.at(1, 1), b.Neg(a.at(1, 0)), b.Neg(a.at(0, 1)), a.at(0, 0)
	}
	for i := range co {
		co[i] = b.Div(co[i], s.det)
	}
	return s, true
}

// lower takes the lower triangle of a matrix.
func lower(g *autodiff.Graph, x Operand) (s solver, ok bool) {
	a := cellsOf(g, x)
	if len(x.Dims) != 2 || a.rows != a.cols || a.rows == 0 || a.rows > mostFactored {
		return s, false
	}
	return solver{g: g, l: a, fault: catalogue.Formula{G: g}.Num(0)}, true
}

// symmetric factors a positive definite matrix.
func symmetric(g *autodiff.Graph, x Operand) (s solver, ok bool) {
	if s, ok = lower(g, x); !ok {
		return s, false
	}
	a, b, n := s.l, catalogue.Formula{G: g}, s.l.rows
	s.twice, s.l = true, cells{n, n, make([]autodiff.Node, n*n)}
	for j := range n {
		for i := range n {
			switch {
			case i < j:
				s.l.x[i+j*n] = b.Num(0)
				continue
			case i > j && a.at(i, j) != a.at(j, i):
				s.fault = b.Add(s.fault, g.Map(asymmetry, 1, a.at(i, j), a.at(j, i)))
			}
			rest := a.at(i, j)
			for k := range j {
				rest = b.Sub(rest, b.Mul(s.l.at(i, k), s.l.at(j, k)))
			}
			if i == j {
				s.l.x[i+j*n] = b.Map1(autodiff.Sqrt, rest)
			} else {
				s.l.x[i+j*n] = b.Div(rest, s.l.at(j, j))
			}
		}
	}
	s.fault = b.Add(s.fault, b.Map1(unlessPositive, s.l.at(n-1, n-1))) // NaN, too, where an earlier pivot is not positive
	return s, true
}

// logDet is the logarithm of the size of the determinant.
func (s solver) logDet() autodiff.Node {
	b := catalogue.Formula{G: s.g}
	if s.l.x == nil {
		return b.Log(b.Map1(absolute, s.det))
	}
	logs := make([]autodiff.Node, s.l.rows)
	for i := range logs {
		logs[i] = b.Log(s.l.at(i, i))
	}
	return b.Mul(b.Num(2), inPairs(logs, b.Add))
}

// divide is the inverse of the matrix, or of its transpose, times y.
func (s solver) divide(y cells, transposed bool) (cells, bool) {
	switch {
	case s.l.x == nil && transposed:
		return s.inv.transposed().times(s.g, y)
	case s.l.x == nil:
		return s.inv.times(s.g, y)
	case s.l.rows != y.rows:
		return y, false
	}
	out := cells{y.rows, y.cols, append([]autodiff.Node{}, y.x...)}
	if !transposed || s.twice {
		s.substitute(out, false)
	}
	if transposed || s.twice {
		s.substitute(out, true)
	}
	return out, true
}

// substitute divides by the lower factor, or by its transpose, in place.
func (s solver) substitute(y cells, transposed bool) {
	b, n := catalogue.Formula{G: s.g}, y.rows
	for c := range y.cols {
		x := y.x[c*n : (c+1)*n]
		for step := range n {
			i := step
			if transposed {
				i = n - 1 - step
			}
			for k := range step {
				if transposed {
					x[i] = b.Sub(x[i], b.Mul(s.l.at(n-1-k, i), x[n-1-k]))
				} else {
					x[i] = b.Sub(x[i], b.Mul(s.l.at(i, k), x[k]))
				}
			}
			x[i] = b.Div(x[i], s.l.at(i, i))
		}
	}
}

// result is a vector of numbers of which the first is NaN where the matrix is not of its kind.
func (s solver) result(x []autodiff.Node) (autodiff.Node, bool) {
	x[0] = catalogue.Formula{G: s.g}.Add(x[0], s.fault)
	return vectorOf(s.g, x), true
}

// A kindOfMatrix prepares matrices of a kind for solving; false where they are too large.
type kindOfMatrix func(g *autodiff.Graph, x Operand) (solver, bool)

// ofMatrix is the expansion of a function of one matrix.
func (kind kindOfMatrix) ofMatrix(f func(s solver) []autodiff.Node) Expander {
	return func(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
		s, ok := kind(g, in[0])
		if !ok {
			return autodiff.None, false
		}
		return s.result(f(s))
	}
}

// left is A \ B, right B / A.
func (kind kindOfMatrix) left(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	return kind.quotient(g, in[0], in[1], false)
}

func (kind kindOfMatrix) right(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	return kind.quotient(g, in[1], in[0], true)
}

// quotient is the inverse of a times y, or, from the right, that of the transposes, transposed.
func (kind kindOfMatrix) quotient(g *autodiff.Graph, a, y Operand, right bool) (autodiff.Node, bool) {
	if len(y.Dims) == 0 {
		return autodiff.None, false
	}
	s, ok := kind(g, a)
	if !ok {
		return autodiff.None, false
	}
	m := cellsOf(g, y)
	if right {
		m = m.transposed()
	}
	out, ok := s.divide(m, right)
	if !ok || len(out.x) == 0 {
		return autodiff.None, false
	}
	if right {
		out = out.transposed()
	}
	return s.result(out.x)
}

// inverted is the inverse of a symmetric matrix; the triangles are the same numbers.
func (s solver) inverted() []autodiff.Node {
	b, n := catalogue.Formula{G: s.g}, s.l.rows
	one := cells{n, n, make([]autodiff.Node, n*n)}
	for i := range one.x {
		one.x[i] = b.Num(0)
		if i%(n+1) == 0 {
			one.x[i] = b.Num(1)
		}
	}
	s.substitute(one, false)
	out, _ := one.transposed().times(s.g, one)
	for j := range n {
		for i := range j {
			out.x[i+j*n] = out.x[j+i*n]
		}
	}
	return out.x
}

// byFactor is the expansion of a density with a covariance matrix as its last argument by that with the factor.
func byFactor(density Expander) Expander {
	return func(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
		last := len(in) - 1
		s, ok := symmetric(g, in[last])
		if !ok {
			return autodiff.None, false
		}
		in[last].Node = vectorOf(g, s.l.x)
		x, ok := density(g, n, in)
		if !ok {
			return autodiff.None, false
		}
		return catalogue.Formula{G: g}.Add(x, s.fault), true
	}
}

// addSolvers adds the expansions of this file.
func addSolvers(all map[string]Expander) map[string]Expander {
	for suffix, kind := range map[string]kindOfMatrix{"": general, "_spd": symmetric, "_tri_low": lower} {
		all["mdivide_left"+suffix], all["mdivide_right"+suffix] = kind.left, kind.right
	}
	all["divide"] = kindOfMatrix(general).right
	all["inverse"] = kindOfMatrix(general).ofMatrix(func(s solver) []autodiff.Node { return s.inv.x })
	all["determinant"] = kindOfMatrix(general).ofMatrix(func(s solver) []autodiff.Node { return []autodiff.Node{s.det} })
	all["log_determinant"] = kindOfMatrix(general).ofMatrix(func(s solver) []autodiff.Node { return []autodiff.Node{s.logDet()} })
	all["cholesky_decompose"] = kindOfMatrix(symmetric).ofMatrix(func(s solver) []autodiff.Node { return s.l.x })
	all["log_determinant_spd"] = kindOfMatrix(symmetric).ofMatrix(func(s solver) []autodiff.Node { return []autodiff.Node{s.logDet()} })
	all["multi_normal_lpdf"] = byFactor(expandMultiNormal(multivariate.ByCholesky))
	all["multi_student_t_lpdf"] = byFactor(expandMultiStudent(multivariate.ByCholesky))
	all["inverse_spd"] = kindOfMatrix(symmetric).ofMatrix(solver.inverted)
	return all
}
