// Expansion of multivariate normal densities of few numbers: one factorisation serves all
// variates that share a matrix, and substitution is arithmetic on single numbers.

package lowering

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/multivariate"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// fewDimensions is up to how many numbers a variate is expanded.
const fewDimensions = 6

// expandMultiNormal is for one variate or many, with the matrix given by itself or by its Cholesky factor. Of many each
// coordinate is a vector; data with one mean enter by their sums.
func expandMultiNormal(form multivariate.ScaleForm) Expander {
	return func(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
		n, ok := variates(in[0], in[1])
		if !ok {
			return autodiff.None, false
		}
		y, mu := in[0], in[1]
		if n > 1 && len(mu.Dims) == 1 && !y.Active {
			if y, mu, ok = residualsOf(g, y, mu); !ok {
				return autodiff.None, false
			}
		}
		e, ok := standardise(g, form, y, mu, in[2])
		if !ok {
			return autodiff.None, false
		}
		b := catalogue.Formula{G: g}
		norm := b.Add(e.logScale, b.Num(float64(e.k)*logSqrt2Pi))
		return b.Sub(b.Mul(b.Num(-0.5), g.Sum(e.squares)), b.Mul(b.Num(float64(n)), norm)), true
	}
}

// residualsOf are variates and means in place of n data y with the mean mu, whose quadratic forms have the same sum; false where there
// are not fewer.
func residualsOf(g *autodiff.Graph, y, mu Operand) (residuals, means Operand, ok bool) {
	k := len(mu.X)
	if k == 0 || k > fewDimensions {
		return y, mu, false
	}
	rows, n, ok := multivariate.Residuals(y.Tensor)
	if !ok {
		return y, mu, false
	}
	root := math.Sqrt(n)
	for j := k * k; j < len(rows); j++ {
		rows[j] *= root
	}
	last := catalogue.Formula{G: g}.Mul(g.Scalar(root), mu.Node)
	refs := make([]autodiff.Ref, len(rows))
	for i := range refs {
		refs[i] = autodiff.Ref{Node: g.Scalar(0)}
		if i >= k*k {
			refs[i] = autodiff.Ref{Node: last, Elem: int32(i - k*k)}
		}
	}
	t := catalogue.Tensor{Rank: y.Rank, Dims: []int{k + 1, k}, X: rows}
	return Operand{Tensor: t, Node: g.Const(rows)}, Operand{Tensor: t, Node: g.Gather(refs), Active: true}, true
}

// expandMultiStudent is the same for the multivariate Student t distribution. Its normaliser has the quotient of gamma functions
// as a beta function, which keeps its digits for many degrees of freedom.
func expandMultiStudent(form multivariate.ScaleForm) Expander {
	return func(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
		nu := in[1].Node
		e, ok := standardise(g, form, in[0], in[2], in[3])
		if !ok {
			return autodiff.None, false
		}
		b, k := catalogue.Formula{G: g}, float64(e.k)
		half := b.Mul(b.Num(0.5), nu)
		gammas := b.Sub(b.Num(special.Lgamma(0.5*k)), logBeta(b, half, b.Num(0.5*k)))
		norm := b.Sub(b.Sub(gammas, b.Mul(b.Num(0.5*k), b.Log(b.Mul(b.Num(math.Pi), nu)))), e.logScale)
		kernel := g.Sum(log1p(b, b.Div(e.squares, nu)))
		return b.Sub(b.Mul(b.Num(float64(e.n)), norm), b.Mul(b.Add(half, b.Num(0.5*k)), kernel)), true
	}
}

// standardised variates of an elliptical distribution.
type elliptical struct {
	n, k     int
	squares  autodiff.Node // the squared length of each
	logScale autodiff.Node // the log determinant of the factor
}

// standardise solves for the variates; false where they have many dimensions, or none.
func standardise(g *autodiff.Graph, form multivariate.ScaleForm, y, mu, m Operand) (e elliptical, ok bool) {
	e.k = m.Dims[0]
	if e.n, ok = variates(y, mu); !ok || e.k == 0 || e.k > fewDimensions {
		return e, false
	}
	l := m.Node
	if form == multivariate.ByCovariance {
		if l, ok = (MatrixFunction{CholeskyFactor, e.k}).apply(g, m); !ok {
			return e, false
		}
	}
	b := catalogue.Formula{G: g}
	z := make([]autodiff.Node, e.k)
	squares, logs := make([]autodiff.Node, e.k), make([]autodiff.Node, e.k)
	for i := range e.k {
		at := func(j int) autodiff.Node { return g.Elem(l, i+j*e.k) }
		rest := b.Sub(coordinate(g, y, i, e.k), coordinate(g, mu, i, e.k))
		for j := range i {
			rest = b.Sub(rest, b.Mul(at(j), z[j]))
		}
		z[i] = b.Div(rest, at(i))
		squares[i] = b.Square(z[i])
		logs[i] = b.Log(b.Map1(absolute, at(i)))
	}
	e.squares, e.logScale = inPairs(squares, b.Add), inPairs(logs, b.Add)
	return e, true
}

// variates returns the number of variates, which may share one mean; false where there are none, or where
// one variate has several means.
func variates(y, mu Operand) (n int, ok bool) {
	n = 1
	for _, x := range []Operand{y, mu} {
		if len(x.Dims) == 2 {
			n = x.Dims[0]
		}
	}
	return n, n > 0 && (n == 1 || len(y.Dims) == 2)
}

// coordinate is number i of a vector of k numbers, or of each in an array of such.
func coordinate(g *autodiff.Graph, x Operand, i, k int) autodiff.Node {
	if len(x.Dims) == 1 {
		return g.Elem(x.Node, i)
	}
	refs := make([]autodiff.Ref, x.Dims[0])
	for r := range refs {
		refs[r] = autodiff.Ref{Node: x.Node, Elem: int32(r*k + i)}
	}
	return g.Gather(refs)
}
