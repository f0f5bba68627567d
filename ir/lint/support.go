// Declared constraints against what distributions ask for: ranges of arguments, and
// supports of variates.

package lint

import (
	"fmt"
	"math"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
)

// An edge is one end of an interval: a number, or an expression whose value is not
// known before the data are.
type edge struct {
	x    ir.Expr // nil for a number
	v    float64
	open bool // unknown altogether: no warning depends on it
}

func number(v float64) edge { return edge{v: v} }

func edgeOf(x ir.Expr) edge {
	if v, ok := constant(x); ok {
		return number(v)
	}
	return edge{x: x}
}

// atLeast reports whether a >= b, or may be.
func (a edge) atLeast(b edge) bool {
	switch {
	case a.open || b.open:
		return true
	case a.x == nil && b.x == nil:
		return a.v >= b.v
	case a.x != nil && b.x != nil:
		return true // two expressions: they may well be in order
	case a.x != nil:
		return true
	}
	return !math.IsInf(a.v, -1) // a number against an expression
}

func (a edge) negate() edge { return edge{x: a.x, v: -a.v, open: a.open} }

// atMost reports whether a <= b, or may be.
func (a edge) atMost(b edge) bool { return a.negate().atLeast(b.negate()) }

// An interval is where values may lie.
type interval struct{ lo, hi edge }

var (
	everywhere = interval{number(math.Inf(-1)), number(math.Inf(1))}
	positives  = interval{number(0), number(math.Inf(1))}
	unit       = interval{number(0), number(1)}
)

// constant evaluates what can be seen to be a number.
func constant(x ir.Expr) (float64, bool) {
	switch x := x.(type) {
	case *ir.Const:
		return x.X, x.Im == 0
	case *ir.Promote:
		return constant(x.X)
	case *ir.Call:
		return constantCall(x)
	}
	return 0, false
}

func constantCall(c *ir.Call) (float64, bool) {
	var args []float64
	for _, a := range c.Args {
		v, ok := constant(a)
		if !ok {
			return 0, false
		}
		args = append(args, v)
	}
	switch name := c.Fn.BuiltinName(); {
	case name == "minus" && len(args) == 1:
		return -args[0], true
	case name == "plus" && len(args) == 1:
		return args[0], true
	case name == "pi" && len(args) == 0:
		return math.Pi, true
	case name == "positive_infinity" && len(args) == 0:
		return math.Inf(1), true
	case name == "negative_infinity" && len(args) == 0:
		return math.Inf(-1), true
	case name == "multiply" && len(args) == 2:
		return args[0] * args[1], true
	case name == "divide" && len(args) == 2:
		return args[0] / args[1], true
	}
	return 0, false
}

// declared returns the interval that a declaration confines elements to.
func declared(s *ir.Shape) interval {
	if s == nil || s.Constraint == nil {
		return everywhere
	}
	c := s.Constraint
	switch c.Name {
	case "lower":
		return interval{edgeOf(c.Args[0]), everywhere.hi}
	case "upper":
		return interval{everywhere.lo, edgeOf(c.Args[0])}
	case "lower_upper":
		return interval{edgeOf(c.Args[0]), edgeOf(c.Args[1])}
	case "positive_ordered":
		return positives
	case "simplex", "row_stochastic_matrix", "column_stochastic_matrix":
		return unit
	case "unit_vector", "corr_matrix", "cholesky_factor_corr":
		return interval{number(-1), number(1)}
	case "cov_matrix", "cholesky_factor_cov":
		return interval{edge{open: true}, edge{open: true}}
	}
	return everywhere
}

var positiveVariate = map[string]bool{
	"lognormal": true, "chi_square": true, "inv_chi_square": true, "scaled_inv_chi_square": true, "exponential": true,
	"gamma": true, "inv_gamma": true, "weibull": true, "frechet": true, "rayleigh": true, "loglogistic": true,
}

// matrixVariate names the constraint that a distribution's variate must have.
var matrixVariate = map[string]string{
	"dirichlet": "simplex", "lkj_corr": "corr_matrix", "lkj_corr_cholesky": "cholesky_factor_corr",
	"wishart": "cov_matrix", "inv_wishart": "cov_matrix",
	"wishart_cholesky": "cholesky_factor_cov", "inv_wishart_cholesky": "cholesky_factor_cov",
}

// supportOf returns where a distribution has mass.
func supportOf(f *factor) interval {
	at := everywhere
	switch {
	case positiveVariate[f.dist]:
		at = positives
	case f.dist == "beta" || f.dist == "beta_proportion":
		at = unit
	case f.dist == "uniform":
		at = interval{edgeOf(f.args[1]), edgeOf(f.args[2])}
	case f.dist == "pareto" || f.dist == "pareto_type_2" || f.dist == "wiener":
		at.lo = edgeOf(f.args[1])
		if f.dist == "wiener" {
			at.lo = number(0)
		}
	}
	if f.trunc != nil && f.trunc.Lo != nil {
		at.lo = edgeOf(f.trunc.Lo)
	}
	if f.trunc != nil && f.trunc.Hi != nil {
		at.hi = edgeOf(f.trunc.Hi)
	}
	return at
}

// support compares the declaration of a parameter with the support of its prior.
func (l *linter) support(f *factor) {
	v := parameterOf(f.variate())
	if v == nil {
		return
	}
	if want := matrixVariate[f.dist]; want != "" {
		if v.Decl.Constraint == nil || v.Decl.Constraint.Name != want {
			l.warn(f.at, msgWrongKind, "declare it as "+want, f.dist, want, v.Name)
		}
		return
	}
	has, want := declared(v.Decl), supportOf(f)
	switch {
	case !has.lo.atLeast(want.lo):
		l.warn(f.at, msgOutside, "declare it with <lower="+want.lo.text()+">, so that no proposal is wasted",
			v.Name, "less than "+want.lo.text(), f.describe())
	case !has.hi.atMost(want.hi):
		l.warn(f.at, msgOutside, "declare it with <upper="+want.hi.text()+">, so that no proposal is wasted",
			v.Name, "greater than "+want.hi.text(), f.describe())
	case l.cutsOff(f, v, has, want):
		l.warn(f.at, msgCutOff, "write the truncation: T["+truncationText(has.lo, want.lo)+", "+truncationText(has.hi, want.hi)+"]", v.Name, f.describe())
	}
}

func (f *factor) describe() string {
	if f.trunc != nil {
		return "the truncated " + f.dist
	}
	return f.dist
}

func (a edge) text() string {
	if a.x != nil {
		return strings.TrimSpace(a.x.Span().Text())
	}
	return fmt.Sprint(a.v)
}

func truncationText(has, want edge) string {
	if has.x == nil && (math.IsInf(has.v, 0) || want.x == nil && has.v == want.v) {
		return ""
	}
	return has.text()
}

// cutsOff reports whether a bound lies inside the support and what it cuts off changes
// with the parameters, so that the density needs a truncation to be a density.
func (l *linter) cutsOff(f *factor, v *ir.Var, has, want interval) bool {
	if f.row == nil || f.trunc != nil || f.row.CDF == nil || v.Decl.Constraint == nil || !strings.Contains("lower_upper", v.Decl.Constraint.Name) {
		return false
	}
	varies := false
	for _, a := range f.args[1:] {
		varies = varies || len(l.depends.of(a)) > 0
	}
	inside := has.lo != want.lo || has.hi != want.hi
	return varies && inside && f.dist != "uniform" && !isHalf(f, has)
}

// isHalf knows symmetric distributions cut in the middle, which leaves one half.
func isHalf(f *factor, has interval) bool {
	at := 0
	switch f.dist {
	case "normal", "cauchy", "logistic", "double_exponential":
		at = 1
	case "student_t":
		at = 2
	default:
		return false
	}
	middle, ok := constant(f.args[at])
	return ok && (has.lo == number(middle) && math.IsInf(has.hi.v, 1) && has.hi.x == nil ||
		has.hi == number(middle) && math.IsInf(has.lo.v, -1) && has.lo.x == nil)
}

// arguments compares constants and parameters given to a distribution with the range
// that it asks for. Ranges are probed at -1, 0 and 2, which tells positive numbers,
// probabilities and all others apart.
func (l *linter) arguments(f *factor) {
	if f.row == nil || len(f.row.Requires) != len(f.args) || f.row.Rows != nil {
		return
	}
	for i, a := range f.args[1:] {
		need := f.row.Requires[i+1]
		if v, ok := constant(a); ok {
			if !need.OK(v) {
				l.warn(a.Span(), msgArgument, "", a.Span().Text(), f.dist, need.Text, fmt.Sprint(v))
			}
			continue
		}
		v := parameterOf(a)
		if v == nil {
			continue
		}
		has := declared(v.Decl)
		switch {
		case !need.OK(-1) && !has.lo.atLeast(number(0)):
			l.warn(a.Span(), msgArgument, fmt.Sprintf("declare %s with <lower=0>", v.Name), a.Span().Text(), f.dist, need.Text, "negative")
		case !need.OK(2) && need.OK(0.5) && !has.hi.atMost(number(1)):
			l.warn(a.Span(), msgArgument, fmt.Sprintf("declare %s with <lower=0, upper=1>", v.Name), a.Span().Text(), f.dist, need.Text, "greater than 1")
		}
	}
}
