// This file says what "~" leaves out of log densities: what no parameter is in.

package stdlib

import (
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/matrixfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
)

// Dropped is the part of a call of a log density that statements with "~" and the forms
// _lupdf and _lupmf leave out: those summands of which no argument varies, as Stan's
// library leaves them out (template include_summand of stan/math/prim/prob; which
// summands there are is a choice of each of its functions). An argument varies if its
// type lets it depend on parameters. Where none does the whole density is left out, which
// is the caller's to do.
func Dropped(f *catalogue.Function, in []catalogue.Tensor, varies []bool) float64 {
	name, ok := nameOfDensity(f.Name)
	if !ok || f.Higher != "" { // Laplace approximations are computed whole
		return 0
	}
	total := 0.0
	for _, s := range summandsOf[name] {
		if !slices.ContainsFunc(s.of, func(j int) bool { return varies[j] }) {
			total += s.value(in)
		}
	}
	return total
}

// nameOfDensity is the name of the distribution whose log density or mass function has
// the name fn.
func nameOfDensity(fn string) (name string, ok bool) {
	if name, ok = strings.CutSuffix(fn, "_lpdf"); ok {
		return name, true
	}
	return strings.CutSuffix(fn, "_lpmf")
}

// A summand is a part of a log density that is left out where none of the arguments of
// varies; where of is empty, it always is.
type summand struct {
	of    []int
	value func(in []catalogue.Tensor) float64
}

// each is a summand of a univariate distribution, by the values of the arguments of one
// variate.
func each(f func(x []float64) float64, of ...int) summand {
	return summand{of, func(in []catalogue.Tensor) float64 {
		x, total := make([]float64, len(in)), 0.0
		for i := range catalogue.Elements(in) {
			catalogue.Gather(in, i, x)
			total += f(x)
		}
		return total
	}}
}

// whole is a summand by the arguments as they are.
func whole(f func(in []catalogue.Tensor) float64, of ...int) summand { return summand{of, f} }

// always is a number for each variate.
func always(c float64) summand { return each(func([]float64) float64 { return c }) }

// logarithm is sign times the logarithm of argument j.
func logarithm(j int, sign float64) summand {
	return each(func(x []float64) float64 { return sign * libm.Log(x[j]) }, j)
}

// chooses is the logarithm of N over n.
func chooses(x []float64) float64 { return univariate.LogChoose(x[1], x[0]) }

// vectorsOf is how many variates the arguments y and mu of a multivariate distribution
// make, and how many coordinates each has.
func vectorsOf(y, mu catalogue.Tensor) (n, k int) {
	k = y.Dims[len(y.Dims)-1]
	n = 1
	for _, x := range []catalogue.Tensor{y, mu} {
		if x.Rank.Array > 0 {
			n = x.Dims[0]
			if n == 0 {
				return 0, k
			}
		}
	}
	return n, k
}

// logDet is the log determinant of a symmetric positive definite matrix.
func logDet(m catalogue.Tensor) float64 {
	k := m.Dims[0]
	l := make([]float64, k*k)
	if !catalogue.Cholesky(k, m.X, l) {
		return math.NaN()
	}
	return 2 * catalogue.LogDiagonalSum(k, l)
}

// traceRatio is the trace of A^-1 B for symmetric positive definite A.
func traceRatio(a, b catalogue.Tensor) float64 {
	k := a.Dims[0]
	l, x := make([]float64, k*k), append([]float64(nil), b.X...)
	if !catalogue.Cholesky(k, a.X, l) {
		return math.NaN()
	}
	matrixfn.SolveCholesky(k, k, l, x)
	t := 0.0
	for i := range k {
		t += x[i+i*k]
	}
	return t
}

// predictors calls visit with each observation of a generalised linear model of the
// arguments y, x, alpha, beta: the count and the linear predictor.
func predictors(y, x, alpha, beta catalogue.Tensor, visit func(i int, y, eta float64)) {
	n, columns := len(y.X), len(beta.X)
	if !x.Rank.Row && len(x.Dims) == 2 {
		n = x.Dims[0]
	}
	at := func(t catalogue.Tensor, i int) float64 {
		if len(t.Dims) == 0 {
			return t.X[0]
		}
		return t.X[i]
	}
	for i := range n {
		eta := at(alpha, i)
		for j := range columns {
			z := x.X[j]
			if len(x.Dims) == 2 {
				z = x.X[i+j*n]
			}
			eta += float64(z * beta.X[j])
		}
		visit(i, at(y, i), eta)
	}
}

// observations is how many there are of a generalised linear model.
func observations(y, x catalogue.Tensor) int {
	if len(x.Dims) == 2 {
		return x.Dims[0]
	}
	return len(y.X)
}
