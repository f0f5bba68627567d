// Random programs: expressions and densities.

package bind_test

import (
	"fmt"
	"strconv"
	"strings"
)

// pick draws one of the alternatives and runs it.
func (g *generator) pick(alternatives ...func() string) string {
	return alternatives[g.r.IntN(len(alternatives))]()
}

func (g *generator) number() string {
	return strconv.FormatFloat(float64(g.r.IntN(40)-20)/10, 'f', 1, 64)
}

// span draws lo <= hi within 1..n.
func (g *generator) span(n int) (lo, hi int) {
	if n == 0 {
		return 1, 0
	}
	lo = 1 + g.r.IntN(n)
	return lo, lo + g.r.IntN(n-lo+1)
}

// variable draws a variable of the form; false where there is none.
func (g *generator) variable(f form) (string, bool) {
	var names []string
	for _, v := range g.vars {
		if v.form == f {
			names = append(names, v.name)
		}
	}
	if len(names) == 0 {
		return "", false
	}
	return names[g.r.IntN(len(names))], true
}

// index draws an integer expression within 1..n; some depend on parameters.
func (g *generator) index(n int) string {
	if g.r.IntN(3) == 0 {
		for _, v := range g.vars {
			if v.within > 0 && v.within <= n {
				return v.name
			}
		}
	}
	if n >= 2 && g.r.IntN(5) == 0 {
		return fmt.Sprintf("1 + (%s)", g.condition(1))
	}
	return strconv.Itoa(1 + g.r.IntN(max(n, 1)))
}

// condition draws a truth value.
func (g *generator) condition(d int) string {
	cmp := func() string {
		return g.real(d-1) + []string{" < ", " > ", " <= ", " >= "}[g.r.IntN(4)] + g.real(d-1)
	}
	return g.pick(cmp, cmp, cmp,
		func() string { return cmp() + " && " + cmp() },
		func() string { return cmp() + " || " + cmp() },
		func() string { return "!(" + cmp() + ")" },
		func() string { return g.expr(form{kind: kInt}, d-1) + " != 1" })
}

func (g *generator) real(d int) string   { return g.expr(form{kind: kReal}, d) }
func (g *generator) vec(n, d int) string { return g.expr(form{kVec, n, 0}, d) }
func (g *generator) positive(d int) string {
	return g.pick(func() string { return "exp(tanh(" + g.real(d) + "))" }, func() string { return "(0.5 + square(" + g.damped(d) + "))" })
}
func (g *generator) unit(d int) string   { return "inv_logit(" + g.damped(d) + ")" }
func (g *generator) damped(d int) string { return "2 * tanh(" + g.real(d) + ")" }

// expr draws an expression of a form; d bounds its depth.
func (g *generator) expr(f form, d int) string {
	if d <= 0 || g.r.IntN(4) == 0 {
		if v, ok := g.variable(f); ok {
			return v
		}
	}
	if d > 0 && g.r.IntN(6) == 0 {
		if x, ok := g.call(f, d-1); ok {
			return x
		}
	}
	if d > 0 && g.r.IntN(10) == 0 {
		return fmt.Sprintf("(%s ? %s : %s)", g.condition(1), g.expr(f, d-1), g.expr(f, d-1))
	}
	if f.kind >= kVec && f.a == 0 {
		return g.empty(f, d)
	}
	switch f.kind {
	case kInt:
		return g.intExpr(d)
	case kReal:
		return g.realExpr(d)
	case kComplex:
		return g.complexExpr(d)
	case kVec:
		return g.vecExpr(f.a, d)
	case kRow:
		return g.rowExpr(f.a, d)
	case kMat:
		return g.matExpr(f.a, f.b, d)
	case kArr:
		return g.arrExpr(f.a, d)
	case kArrVec:
		return "{" + g.repeat(f.a, func() string { return g.vec(f.b, inside(f.a, d-1)) }) + "}"
	case kInts:
		return "{" + g.repeat(f.a, func() string { return g.expr(form{kind: kInt}, inside(f.a, d-1)) }) + "}"
	}
	switch f.kind {
	case kGrid:
		return g.gridExpr(f.a, f.b, d)
	case kMats:
		return g.matsExpr(f.a, f.b, d)
	}
	return fmt.Sprintf("(%s, %s)", g.real(d-1), g.vec(f.a, d-1))
}

// empty writes a container whose first size is zero.
func (g *generator) empty(f form, d int) string {
	x := g.real(d - 1)
	switch f.kind {
	case kVec:
		return "rep_vector(" + x + ", 0)"
	case kRow:
		return "rep_row_vector(" + x + ", 0)"
	case kMat:
		return fmt.Sprintf("rep_matrix(%s, 0, %d)", x, f.b)
	case kArr:
		return "rep_array(" + x + ", 0)"
	case kArrVec:
		return fmt.Sprintf("rep_array(%s, 0)", g.vec(f.b, d-1))
	case kInts:
		return "rep_array(1, 0)"
	case kGrid:
		return fmt.Sprintf("rep_array(%s, 0, %d)", x, f.b)
	case kMats:
		return fmt.Sprintf("rep_array(rep_matrix(%s, 0, %d), 2)", x, f.b)
	}
	return fmt.Sprintf("(%s, rep_vector(%s, 0))", x, x)
}

func (g *generator) gridExpr(n, m, d int) string {
	if n*m > mostElements {
		return fmt.Sprintf("rep_array(%s, %d, %d)", g.real(d-1), n, m)
	}
	row := func() string { return g.expr(form{kArr, m, 0}, inside(n, d-1)) }
	return g.pick(
		func() string { return "{" + g.repeat(n, row) + "}" },
		func() string { return fmt.Sprintf("rep_array(%s, %d, %d)", g.real(d-1), n, m) },
		func() string { return "to_array_2d(" + g.expr(form{kMat, n, m}, d-1) + ")" },
		func() string { return "(" + g.expr(form{kGrid, n + 1, m + 1}, d-1) + ")[2:, 2:]" },
		func() string {
			k := 1 + g.r.IntN(3)
			return "(" + g.expr(form{kGrid, k, m}, d-1) + ")[{" + g.repeat(n, func() string { return g.index(k) }) + "}]"
		})
}

func (g *generator) matsExpr(n, m, d int) string {
	x := func() string { return g.expr(form{kMat, n, m}, d-1) }
	return g.pick(
		func() string { return "{" + x() + ", " + x() + "}" },
		func() string { return "rep_array(" + x() + ", 2)" },
		func() string { return "(" + g.expr(form{kMats, n, m}, d-1) + ")[{2, 1}]" },
		func() string { return fmt.Sprintf("(%s)[, 2:, 1:%d]", g.expr(form{kMats, n + 1, m + 1}, d-1), m) })
}

func (g *generator) repeat(n int, item func() string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = item()
	}
	return strings.Join(parts, ", ")
}

// call draws a call of one of the program's functions.
func (g *generator) call(f form, d int) (string, bool) {
	for _, fn := range g.funcs {
		if fn.result == f {
			args := make([]string, len(fn.params))
			for i, p := range fn.params {
				args[i] = g.expr(p, d)
			}
			return fn.name + "(" + strings.Join(args, ", ") + ")", true
		}
	}
	return "", false
}

func (g *generator) intExpr(d int) string {
	lit := func() string { return strconv.Itoa(g.r.IntN(4)) }
	if d <= 0 {
		return lit()
	}
	return g.pick(lit,
		func() string { return "(" + g.condition(d-1) + ")" },
		func() string { return g.count("counts") },
		func() string { return "(" + g.intExpr(d-1) + " + " + g.intExpr(d-1) + ")" },
		func() string { return "(" + g.intExpr(d-1) + " * 2 %/% 3)" },
		func() string { return "num_elements(" + g.vec(g.size(), d-1) + ")" },
		func() string { return "max({" + g.intExpr(d-1) + ", 1})" })
}

// count draws an element of the integer data, or where they are out of scope 1.
func (g *generator) count(name string) string {
	if !g.counts {
		return "1"
	}
	return name + "[" + g.index(4) + "]"
}

var (
	smooth = []string{"tanh", "sin", "cos", "inv_logit", "atan", "erf", "erfc", "Phi", "Phi_approx", "log1p_exp", "asinh", "-", "inv_cloglog", "log_inv_logit", "log1m_inv_logit", "square"}
	kinked = []string{"abs", "floor", "step", "round"}
)

func (g *generator) realExpr(d int) string {
	if d <= 0 {
		return g.number()
	}
	x := func() string { return g.real(d - 1) }
	return g.pick(g.number,
		func() string { return smooth[g.r.IntN(len(smooth))] + "(" + x() + ")" },
		func() string { return smooth[g.r.IntN(len(smooth))] + "(" + x() + ")" },
		func() string { return g.damping(d) },
		func() string { return "(" + x() + []string{" + ", " - ", " * "}[g.r.IntN(3)] + x() + ")" },
		func() string { return "(" + x() + " / " + g.positive(d-1) + ")" },
		func() string { return "(" + g.positive(d-1) + " ^ " + g.damped(d-1) + ")" },
		func() string { return "(" + g.damped(d-1) + ")^" + strconv.Itoa(g.r.IntN(4)) },
		func() string { return kinked[g.r.IntN(len(kinked))] + "(" + x() + ")" },
		func() string {
			return []string{"fmax", "fmin", "log_sum_exp", "fdim"}[g.r.IntN(4)] + "(" + x() + ", " + x() + ")"
		},
		func() string { return "hypot(" + x() + ", 0.3 + square(" + x() + "))" }, // not at (0, 0), where it has no derivative
		func() string { return fmt.Sprintf("fma(%s, %s, %s)", x(), x(), x()) },
		func() string { return fmt.Sprintf("log_mix(%s, %s, 0.37 + %s)", g.unit(d-1), x(), x()) },
		func() string { return g.reduction(d) }, func() string { return g.reduction(d) },
		func() string { return g.element(d) }, func() string { return g.element(d) },
		func() string { return g.densityCall(d) },
		func() string { return fmt.Sprintf("again(%s, %s)", x(), g.intExpr(d-1)) },
		func() string { return "get_real(" + g.expr(form{kind: kComplex}, d-1) + ")" },
		func() string { return g.complexNumbers(d) },
		func() string {
			return fmt.Sprintf("reduce_sum_static(part, %s, 3, %s)", g.expr(form{kArr, 3, 0}, d-1), x())
		},
		func() string { return "(" + g.intExpr(d-1) + " + 0.5)" })
}

// damping draws a function on a safe argument.
func (g *generator) damping(d int) string {
	x := "(" + g.damped(d-1) + ")"
	return g.pick(
		func() string { return "exp" + x }, func() string { return "log(1.5 + square" + x + ")" },
		func() string { return "sqrt(1 + square" + x + ")" }, func() string { return "lgamma(3.5 + " + x + ")" },
		func() string { return "digamma(3.5 + " + x + ")" }, func() string { return "cbrt(4 + " + x + ")" },
		func() string { return "expm1" + x }, func() string { return "log1m_exp(-1 - square" + x + ")" },
		func() string { return "log1m(0.3 * " + x + ")" }, func() string { return "log1p(0.3 * " + x + ")" },
		func() string { return "logit(" + g.unit(d-1) + ")" }, func() string { return "inv(3 + " + x + ")" },
		func() string { return "inv_sqrt(3 + " + x + ")" }, func() string { return "atan2(" + x + ", 3 + " + x + ")" },
		func() string { return "lbeta(3.5 + " + x + ", 2)" }, func() string { return "inv_Phi(" + g.unit(d-1) + ")" },
		func() string { return "sinh" + x }, func() string { return "log_diff_exp(3 + " + g.positive(d-1) + ", " + x + ")" })
}

func (g *generator) reduction(d int) string {
	n, m := g.size(), g.few()
	v := func() string { return g.vec(n, d-1) }
	mat := func() string { return g.expr(form{kMat, n, m}, d-1) }
	return g.pick(
		func() string { return "sum(" + v() + ")" }, func() string { return "mean(" + v() + ")" },
		func() string { return "dot_product(" + v() + ", " + v() + ")" }, func() string { return "dot_self(" + v() + ")" },
		func() string { return "log_sum_exp(" + v() + ")" }, func() string { return "prod(" + v() + ")" },
		func() string { return "variance(" + v() + ")" }, func() string { return "max(append_row(" + v() + ", [0]'))" },
		func() string { return "min(append_row(" + v() + ", [0]'))" }, func() string { return "squared_distance(" + v() + ", " + v() + ")" },
		func() string { return "sd(append_row(" + v() + ", [1, 5]'))" },
		func() string { return "(" + g.expr(form{kRow, n, 0}, d-1) + " * " + v() + ")" },
		func() string { return "sum(" + mat() + ")" }, func() string { return "mean(" + mat() + ")" },
		func() string { return "sum(" + g.expr(form{kArr, n, 0}, d-1) + ")" },
		func() string { return "trace(" + g.square(n, d) + ")" },
		func() string { return "log_determinant(" + g.definite(n, d) + ")" },
		func() string { return "quad_form(" + g.definite(n, d) + ", " + v() + ")" },
		func() string { return "norm2(append_row(" + v() + ", [2]'))" })
}

func (g *generator) square(n, d int) string { return g.expr(form{kMat, n, n}, d-1) }

// definite draws a positive definite matrix.
func (g *generator) definite(n, d int) string {
	return "add_diag(tcrossprod(tanh(" + g.square(n, d) + ")), 1.5)"
}

// element draws an element of a container, in scope or not.
func (g *generator) element(d int) string {
	n, m := g.size(), g.few()
	f := []form{{kVec, n, 0}, {kRow, n, 0}, {kMat, n, m}, {kArr, n, 0}, {kArrVec, n, m}, {kGrid, n, m}, {kMats, n, m}, {kPair, n, 0}}[g.r.IntN(8)]
	var fits []variable
	for _, v := range g.vars {
		if v.form.kind == f.kind {
			fits = append(fits, v)
		}
	}
	x := ""
	if len(fits) > 0 && g.r.IntN(5) > 0 {
		v := fits[g.r.IntN(len(fits))]
		x, f = v.name, v.form
	} else {
		x = "(" + g.expr(f, d-1) + ")"
	}
	switch f.kind {
	case kMat:
		return fmt.Sprintf("%s[%s, %s]", x, g.index(f.a), g.index(f.b))
	case kMats:
		return fmt.Sprintf("%s[%s, %s, %s]", x, g.index(2), g.index(f.a), g.index(f.b))
	case kArrVec, kGrid:
		return g.pick(func() string { return fmt.Sprintf("%s[%s, %s]", x, g.index(f.a), g.index(f.b)) },
			func() string { return fmt.Sprintf("%s[%s][%s]", x, g.index(f.a), g.index(f.b)) })
	case kPair:
		return g.pick(func() string { return x + ".1" }, func() string { return fmt.Sprintf("%s.2[%s]", x, g.index(f.a)) })
	}
	return fmt.Sprintf("%s[%s]", x, g.index(f.a))
}

// complexNumbers draws a real number made of complex containers.
func (g *generator) complexNumbers(d int) string {
	n, m := 1+g.r.IntN(3), 1+g.r.IntN(2)
	z := func() string { return "to_complex(" + g.vec(n, d-1) + ", " + g.vec(n, d-1) + ")" }
	mat := func() string {
		return "to_complex(" + g.expr(form{kMat, m, n}, d-1) + ", " + g.expr(form{kMat, m, n}, d-1) + ")"
	}
	one := func() string { return g.expr(form{kind: kComplex}, d-1) }
	part := []string{"get_real", "get_imag"}[g.r.IntN(2)]
	return part + "(" + g.pick(
		func() string { return "sum(" + z() + " .* " + z() + ")" },
		func() string { return "sum(" + z() + " * " + one() + ")" },
		func() string { return "dot_product(" + z() + ", " + z() + ")" },
		func() string { return "(" + mat() + " * " + z() + ")[" + g.index(m) + "]" },
		func() string { return "(" + z() + ")[" + g.index(n) + "] + " + one() },
		func() string { return "sum((" + mat() + ")[" + g.index(m) + "])" },
		func() string { return "(" + mat() + ")'[" + g.index(n) + ", " + g.index(m) + "]" },
		func() string { return one() + " / (3.5 + 0.5 * tanh(" + one() + "))" },
		func() string { return "exp(tanh(to_complex(" + g.real(d-1) + ", 0.3)))" },
		func() string { return "sum(rep_vector(" + one() + ", 2))" },
		func() string { return "abs(2.5 + tanh(" + g.real(d-1) + ") + 1i) + " + one() },
		func() string { return "sqrt(3.0 + to_complex(tanh(" + g.real(d-1) + "), 0.2))" }) + ")"
}

func (g *generator) complexExpr(d int) string {
	if d <= 0 {
		return "to_complex(" + g.number() + ", " + g.number() + ")"
	}
	z := func() string { return g.expr(form{kind: kComplex}, d-1) }
	return g.pick(func() string { return "to_complex(" + g.real(d-1) + ", " + g.real(d-1) + ")" },
		func() string { return "(" + z() + []string{" + ", " - ", " * "}[g.r.IntN(3)] + z() + ")" },
		func() string { return "(" + z() + " * " + g.real(d-1) + ")" },
		func() string { return "conj(" + z() + ")" }, func() string { return "-(" + z() + ")" })
}

func (g *generator) vecExpr(n, d int) string {
	if d <= 0 {
		return g.pick(func() string { return "[" + g.repeat(n, g.number) + "]'" },
			func() string { return fmt.Sprintf("rep_vector(%s, %d)", g.real(0), n) })
	}
	v := func() string { return g.vec(n, d-1) }
	m := g.size()
	return g.pick(
		func() string { return "[" + g.repeat(n, func() string { return g.real(inside(n, d-1)) }) + "]'" },
		func() string { return "(" + v() + []string{" + ", " - ", " .* "}[g.r.IntN(3)] + v() + ")" },
		func() string { return "(" + v() + []string{" + ", " - ", " * "}[g.r.IntN(3)] + g.real(d-1) + ")" },
		func() string { return "(" + g.real(d-1) + []string{" + ", " - ", " * "}[g.r.IntN(3)] + v() + ")" },
		func() string { return "(" + v() + " ./ (1.5 + square(" + v() + ")))" },
		func() string { return "(" + v() + " / " + g.positive(d-1) + ")" },
		func() string { return smooth[g.r.IntN(len(smooth))] + "(" + v() + ")" },
		func() string { return smooth[g.r.IntN(len(smooth))] + "(" + v() + ")" },
		func() string { return "exp(tanh(" + v() + "))" }, func() string { return "sqrt(1 + square(" + v() + "))" },
		func() string { return "(" + g.expr(form{kMat, n, m}, d-1) + " * " + g.vec(m, d-1) + ")" },
		func() string { return "(" + g.expr(form{kRow, n, 0}, d-1) + ")'" },
		func() string { return "(" + g.expr(form{kMat, n, m}, d-1) + ")[, " + g.index(m) + "]" },
		func() string {
			return "(" + g.expr(form{kMats, n, m}, d-1) + ")[" + g.index(2) + ", , " + g.index(m) + "]"
		},
		func() string { return "(" + g.vec(n+1, d-1) + ")[2:]" },
		func() string {
			return "(" + g.vec(m, d-1) + ")[{" + g.repeat(n, func() string { return g.index(m) }) + "}]"
		},
		func() string { return fmt.Sprintf("head(%s, %d)", g.vec(n+1, d-1), n) },
		func() string { return fmt.Sprintf("segment(%s, 2, %d)", g.vec(n+1, d-1), n) },
		func() string { return fmt.Sprintf("rep_vector(%s, %d)", g.real(d-1), n) },
		func() string { return "to_vector(" + g.expr(form{kArr, n, 0}, d-1) + ")" },
		func() string { return "cumulative_sum(" + v() + ")" }, func() string { return "softmax(" + v() + ")" },
		func() string { return "log_softmax(" + v() + ")" }, func() string { return "reverse(" + v() + ")" },
		func() string { return "sort_asc(" + v() + ")" },
		func() string { return "diagonal(" + g.square(n, d) + ")" },
		func() string { return "mdivide_left_spd(" + g.definite(n, d) + ", " + v() + ")" },
		func() string { return fmt.Sprintf("fmax(%s, %s)", v(), g.real(d-1)) },
		func() string { return g.expr(form{kPair, n, 0}, d-1) + ".2" })
}

func (g *generator) rowExpr(n, d int) string {
	if d <= 0 {
		return "[" + g.repeat(n, g.number) + "]"
	}
	v := func() string { return g.expr(form{kRow, n, 0}, d-1) }
	m := g.size()
	return g.pick(
		func() string { return "[" + g.repeat(n, func() string { return g.real(inside(n, d-1)) }) + "]" },
		func() string { return "(" + v() + []string{" + ", " - ", " .* "}[g.r.IntN(3)] + v() + ")" },
		func() string { return "(" + g.vec(n, d-1) + ")'" },
		func() string { return "(" + v() + " * " + g.real(d-1) + ")" },
		func() string {
			return "(" + g.expr(form{kRow, m, 0}, d-1) + " * " + g.expr(form{kMat, m, n}, d-1) + ")"
		},
		func() string { return "(" + g.expr(form{kMat, m, n}, d-1) + ")[" + g.index(m) + "]" },
		func() string { return "tanh(" + v() + ")" },
		func() string { return fmt.Sprintf("rep_row_vector(%s, %d)", g.real(d-1), n) })
}

func (g *generator) matExpr(n, m, d int) string {
	if m == 0 {
		return fmt.Sprintf("rep_matrix(%s, %d, 0)", g.real(d-1), n)
	}
	if n*m > mostElements {
		return g.pick(func() string { return fmt.Sprintf("rep_matrix(%s, %d)", g.vec(n, d-1), m) },
			func() string { return "(" + g.vec(n, d-1) + " * " + g.expr(form{kRow, m, 0}, d-1) + ")" },
			func() string { return fmt.Sprintf("rep_matrix(%s, %d, %d)", g.real(d-1), n, m) })
	}
	if d <= 0 {
		return g.pick(func() string {
			return "[" + g.repeat(n, func() string { return "[" + g.repeat(m, g.number) + "]" }) + "]"
		},
			func() string { return fmt.Sprintf("rep_matrix(%s, %d, %d)", g.real(0), n, m) })
	}
	x := func() string { return g.expr(form{kMat, n, m}, d-1) }
	k := g.size()
	all := []func() string{
		func() string {
			return "[" + g.repeat(n, func() string { return g.expr(form{kRow, m, 0}, inside(n, d-1)) }) + "]"
		},
		func() string { return "(" + x() + []string{" + ", " - ", " .* "}[g.r.IntN(3)] + x() + ")" },
		func() string { return "(" + g.real(d-1) + " * " + x() + ")" }, func() string { return "tanh(" + x() + ")" },
		func() string {
			return "(" + g.expr(form{kMat, n, k}, d-1) + " * " + g.expr(form{kMat, k, m}, d-1) + ")"
		},
		func() string { return "(" + g.expr(form{kMat, m, n}, d-1) + ")'" },
		func() string { return "(" + g.vec(n, d-1) + " * " + g.expr(form{kRow, m, 0}, d-1) + ")" },
		func() string { return fmt.Sprintf("diag_pre_multiply(%s, %s)", g.vec(n, d-1), x()) },
		func() string { return fmt.Sprintf("diag_post_multiply(%s, %s)", x(), g.vec(m, d-1)) },
		func() string { return fmt.Sprintf("rep_matrix(%s, %d)", g.vec(n, d-1), m) },
		func() string { return fmt.Sprintf("to_matrix(%s, %d, %d)", g.vec(n*m, d-1), n, m) },
		func() string { return fmt.Sprintf("(%s)[2:, 1:%d]", g.expr(form{kMat, n + 1, m + 1}, d-1), m) },
		func() string {
			return "(" + g.expr(form{kMat, k, m}, d-1) + ")[{" + g.repeat(n, func() string { return g.index(k) }) + "}]"
		},
		func() string { return fmt.Sprintf("append_col(%s, %s)[, 2:]", g.vec(n, d-1), x()) },
		func() string { return fmt.Sprintf("mdivide_left_spd(%s, %s)", g.definite(n, d), x()) },
		func() string { return "(" + g.expr(form{kMats, n, m}, d-1) + ")[" + g.index(2) + "]" },
	}
	if n == m {
		all = append(all, func() string { return "cholesky_decompose(" + g.definite(n, d) + ")" },
			func() string { return "inverse(" + g.definite(n, d) + ")" },
			func() string { return "crossprod(" + x() + ")" }, func() string { return "diag_matrix(" + g.vec(n, d-1) + ")" },
			func() string { return "matrix_exp(tanh(" + x() + "))" })
	}
	return g.pick(all...)
}

func (g *generator) arrExpr(n, d int) string {
	if d <= 0 {
		return "{" + g.repeat(n, g.number) + "}"
	}
	k := g.size()
	return g.pick(
		func() string { return "{" + g.repeat(n, func() string { return g.real(inside(n, d-1)) }) + "}" },
		func() string { return "to_array_1d(" + g.vec(n, d-1) + ")" },
		func() string { return "tanh(" + g.expr(form{kArr, n, 0}, d-1) + ")" },
		func() string { return "(" + g.expr(form{kArr, n + 1, 0}, d-1) + ")[2:]" },
		func() string {
			return "(" + g.expr(form{kArr, k, 0}, d-1) + ")[{" + g.repeat(n, func() string { return g.index(k) }) + "}]"
		},
		func() string { return "(" + g.expr(form{kArrVec, n, k}, d-1) + ")[, " + g.index(k) + "]" },
		func() string { return "(" + g.expr(form{kGrid, n, k}, d-1) + ")[, " + g.index(k) + "]" },
		func() string { return "(" + g.expr(form{kGrid, k, n}, d-1) + ")[" + g.index(k) + "]" })
}
