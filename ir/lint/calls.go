// The rules about single expressions and branches: integer division, deprecated
// functions, conditions that depend on parameters.

package lint

import (
	"math"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// instead reports what to write for a deprecated function.
var instead = map[string]string{
	"integrate_ode":         "ode_rk45",
	"integrate_ode_rk45":    "ode_rk45",
	"integrate_ode_adams":   "ode_adams",
	"integrate_ode_bdf":     "ode_bdf",
	"algebra_solver":        "solve_powell",
	"algebra_solver_newton": "solve_newton",
	"lkj_cov_lpdf":          "lkj_corr_cholesky for the correlations, and a prior of their own for the scales",
}

// calls looks at every call of the program.
func (l *linter) calls() {
	l.inspect(func(n any) bool {
		c, ok := n.(*ir.Call)
		if !ok {
			return true
		}
		name := c.Fn.BuiltinName()
		if better := instead[name]; better != "" {
			l.warn(c.Loc, msgDeprecated, "use "+better, strings.TrimSuffix(name, "_lpdf"))
		}
		if name == "int_divide" && writtenWithSlash(c) && losesRemainder(c) {
			l.warn(c.Loc, msgDivision, "write %/% where that is meant; to divide as reals, make one side real, as in 1.0 * a / b")
		}
		return true
	})
}

// writtenWithSlash tells a / b from a %/% b, which asks for what it gets.
func writtenWithSlash(c *ir.Call) bool {
	left, right := c.Args[0].Span(), c.Args[1].Span()
	if left.File == nil || left.File != right.File || left.End > right.Start {
		return false
	}
	between := source.Span{File: left.File, Start: left.End, End: right.Start}.Text()
	return !strings.Contains(between, "%/%")
}

// losesRemainder is false only where both sides are numbers and there is none.
func losesRemainder(c *ir.Call) bool {
	a, ok := constant(c.Args[0])
	b, ok2 := constant(c.Args[1])
	return !ok || !ok2 || math.Mod(a, b) != 0
}

// branches warns of conditions in the density that depend on parameters.
func (l *linter) branches() {
	l.branchesOf(l.program.TransformedParameters.Body)
	l.branchesOf(l.program.Model)
	for _, f := range l.program.Functions {
		if l.depends.called[f] {
			l.branchesOf(f.Body)
		}
	}
}

func (l *linter) branchesOf(body []ir.Stmt) {
	ir.Inspect(body, func(n any) bool {
		switch n := n.(type) {
		case *ir.If:
			if !onlyRejects(n) {
				l.branch(n.Test)
			}
		case *ir.While:
			l.branch(n.Test)
		case *ir.Cond:
			l.branch(n.Test)
		}
		return true
	})
}

// onlyRejects knows a check of values, which has no second branch to be smooth with.
func onlyRejects(s *ir.If) bool {
	for _, t := range s.Then {
		if _, ok := t.(*ir.Print); !ok {
			return false
		}
	}
	return len(s.Else) == 0
}

func (l *linter) branch(test ir.Expr) {
	if params := continuous(l.depends.of(test)); len(params) > 0 {
		l.warn(test.Span(), msgBranch, "methods that follow gradients need a smooth density: see whether both sides meet without a jump in value and slope, or a smooth function serves",
			params.names())
	}
}

// continuous leaves out discrete parameters, which have no gradient to break.
func continuous(s set) set {
	out := set{}
	for v := range s {
		if !isInt(v) {
			out[v] = true
		}
	}
	return out
}

func isInt(v *ir.Var) bool { return v.Type.Base == types.IntBase }
