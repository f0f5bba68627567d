// The terms of the log density, and the rules about a single one of them.

package lint

import (
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A factor is a term of the log density.
type factor struct {
	at     source.Span
	always bool // not under a condition
	params set  // that the term depends on

	// Of a density: its name without suffix, its arguments (the variate first), and
	// the row of the library where it is one of its univariate distributions.
	dist  string
	args  []ir.Expr
	trunc *ir.Truncation
	row   *stdlib.Distribution
	user  bool

	plain    bool // no density: an expression added to the target
	jacobian bool // a change-of-variables term
}

// collectFactors finds the terms of transformed parameters, model, and the functions
// with access to the target that they call.
func (l *linter) collectFactors() []*factor {
	var out []*factor
	out = append(out, l.factorsOf(l.program.TransformedParameters.Body, true)...)
	out = append(out, l.factorsOf(l.program.Model, true)...)
	for _, f := range l.program.Functions {
		if f.Target && l.depends.called[f] {
			out = append(out, l.factorsOf(f.Body, false)...)
		}
	}
	return out
}

func (l *linter) factorsOf(body []ir.Stmt, always bool) []*factor {
	var out []*factor
	ir.Inspect(body, func(n any) bool {
		switch n := n.(type) {
		case *ir.If:
			out = append(out, l.factorsOf(n.Then, false)...)
			out = append(out, l.factorsOf(n.Else, false)...)
			return false
		case *ir.Sample:
			f := l.density(n.Density, n.Loc)
			f.always, f.trunc = always, n.Trunc
			out = append(out, f)
		case *ir.TargetAdd:
			densities, rest := graph.Terms(n.X)
			for _, x := range densities {
				f := l.density(x, n.Loc)
				f.always = always
				out = append(out, f)
			}
			for _, x := range rest {
				out = append(out, &factor{at: n.Loc, always: always, params: l.depends.of(x), plain: true, jacobian: n.Jacobian})
			}
		}
		return true
	})
	return out
}

// density describes a call of a density.
func (l *linter) density(x ir.Expr, at source.Span) *factor {
	f := &factor{at: at, params: l.depends.of(x)}
	switch x := x.(type) {
	case *ir.Call:
		f.dist, f.args = x.Fn.BuiltinName(), x.Args
	case *ir.UserCall:
		f.dist, f.args, f.user = x.Fn.Name, x.Args, true
	}
	f.dist = strings.TrimSuffix(strings.TrimSuffix(f.dist, "_lpdf"), "_lpmf")
	if !f.user {
		f.row = l.lib.Distribution(f.dist)
	}
	return f
}

// variate is the density's first argument, nil where there is no density.
func (f *factor) variate() ir.Expr {
	if len(f.args) == 0 {
		return nil
	}
	return f.args[0]
}

// parameterOf returns the parameter that an expression is, or is an element or a slice
// of; nil where it is anything else.
func parameterOf(x ir.Expr) *ir.Var {
	switch x := x.(type) {
	case *ir.Promote:
		return parameterOf(x.X)
	case *ir.Index:
		return parameterOf(x.X)
	case *ir.Ref:
		if x.Var.Kind == ir.Parameter {
			return x.Var
		}
	}
	return nil
}

// factor applies the rules about one term.
func (l *linter) factor(f *factor) {
	if f.variate() == nil {
		return
	}
	if !f.user {
		l.arguments(f)
		l.support(f)
		l.centred(f)
	}
	l.missingJacobian(f)
}

// repeatedPriors warns of a parameter that is the whole left side of two terms.
func (l *linter) repeatedPriors() {
	seen := set{}
	for _, f := range l.factors {
		x := f.variate()
		if p, ok := x.(*ir.Promote); ok {
			x = p.X
		}
		r, ok := x.(*ir.Ref)
		if !ok || r.Var.Kind != ir.Parameter || !f.always {
			continue
		}
		if seen[r.Var] {
			l.warn(f.at, msgRepeated, "keep one of them, unless the product of both is meant", r.Var.Name)
		}
		seen[r.Var] = true
	}
}

// centred suggests the non-centred form of a hierarchical normal distribution.
func (l *linter) centred(f *factor) {
	v := parameterOf(f.variate())
	if f.dist != "normal" || v == nil || v.Type.Rank() == 0 || v.Decl.Constraint != nil || f.trunc != nil || len(f.args) != 3 {
		return
	}
	mean, scale := f.args[1], f.args[2]
	if len(l.depends.of(scale)) == 0 {
		return
	}
	help := "where the data say little about each element, sampling is easier for a standard normal variable that is multiplied by the scale and shifted in transformed parameters"
	if isAbove(mean, v) && isAbove(scale, v) {
		help = "where the data say little about each element, declare it with <offset=" + mean.Span().Text() + ", multiplier=" + scale.Span().Text() + ">, which samples the non-centred form"
	}
	l.warn(f.at, msgCentred, help, v.Name)
}

// isAbove reports whether an expression uses only what is declared before parameter v.
func isAbove(x ir.Expr, v *ir.Var) bool {
	return !ir.ReadsAny(x, func(w *ir.Var) bool {
		return w.Kind == ir.Local || w.Kind == ir.TransformedParameter || w.Slot >= v.Slot
	})
}

// missingJacobian warns of a distribution on a non-linear function of parameters
// where nothing in the program looks like its change-of-variables term.
func (l *linter) missingJacobian(f *factor) {
	x := f.variate()
	if l.depends.degree(x) != nonlinear || isResidual(x, l.depends) {
		return
	}
	params := l.depends.of(x)
	for _, g := range l.factors {
		if g.jacobian || g.plain && meet(g.params, params) {
			return
		}
	}
	if l.callsJacobian() {
		return
	}
	l.warn(x.Span(), msgJacobian, "if so, add the log of the absolute derivative: \"jacobian += ...\" in transformed parameters; "+
		"or give the distribution to the parameter itself", params.names())
}

// isResidual knows "observation - prediction", whose derivative in the observation is one.
func isResidual(x ir.Expr, d *depends) bool {
	if p, ok := x.(*ir.Promote); ok {
		x = p.X
	}
	c, ok := x.(*ir.Call)
	if !ok || c.Fn.BuiltinName() != "subtract" && c.Fn.BuiltinName() != "add" {
		return false
	}
	return isData(c.Args[0], d) || isData(c.Args[1], d)
}

// isData reports whether an expression reads data and no parameters.
func isData(x ir.Expr, d *depends) bool {
	return ir.ReadsAny(x, (*ir.Var).IsData) && d.degree(x) == fixed
}

func meet(a, b set) bool {
	for v := range a {
		if b[v] {
			return true
		}
	}
	return false
}

// callsJacobian reports whether the density calls a function that adds a Jacobian.
func (l *linter) callsJacobian() bool {
	adds := func(n any) bool {
		switch n := n.(type) {
		case *ir.Call:
			row, _ := n.Fn.(*stdlib.Function)
			return row != nil && row.Jacobian != nil
		case *ir.UserCall:
			return n.Fn.Target
		}
		return false
	}
	return ir.Any(l.program.TransformedParameters.Body, adds) || ir.Any(l.program.Model, adds)
}
