package lang

// This file says what a program has that gvi cannot take: with the statements in the way.

import (
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// checkPoints refuses to estimate by points what has no coordinates, or everything.
func (p *Program) checkPoints(c *check.CheckedMethod) error {
	list := c.Args["point"]
	if c.Row.Name != "gvi" && c.Row.Name != "fvi" || list == nil {
		return nil
	}
	left := map[string]bool{}
	for _, v := range p.IR.Parameters {
		if !v.Type.HasInts() {
			left[v.Name] = true
		}
	}
	for _, v := range list.List {
		if v.Sym != nil && v.Sym.Type.HasInts() {
			return methodError(v.Loc, "method-option", "point names %s, which is discrete: it has no gradient to follow", v.Text)
		}
		delete(left, v.Text)
	}
	if len(left) == 0 && len(list.List) > 0 {
		return methodError(list.Loc, "method-option", "point names all parameters, and none is left for the approximation; map() finds the point that is best for all")
	}
	return nil
}

// The distributions that a linear model may have.
var (
	linearLikelihoods = []string{"normal", "normal_id_glm", "std_normal", "multi_normal", "multi_normal_prec", "multi_normal_cholesky"}
	linearPriors      = []string{"normal", "std_normal", "multi_normal", "multi_normal_prec", "multi_normal_cholesky",
		"inv_gamma", "gamma", "scaled_inv_chi_square", "inv_chi_square", "chi_square"}
)

// notLinear points to the statements that keep a model from being a linear one with a
// normal-inverse-gamma prior, as far as they show it by themselves.
func (p *Program) notLinear() []problem.Note {
	observed := graph.Observed(p.IR)
	var out []problem.Note
	ir.Inspect(p.IR.Model, func(n any) bool {
		s, ok := n.(*ir.Sample)
		if !ok {
			return true
		}
		if text := linearRole(s, observed); text != "" {
			out = append(out, problem.Note{Span: s.Loc, Message: text})
		}
		return false
	})
	return out
}

// linearRole reports what is wrong with a statement, "" where nothing shows.
func linearRole(s *ir.Sample, observed map[*ir.Var]bool) string {
	call, ok := s.Density.(*ir.Call)
	if !ok {
		return "this distribution is the program's own"
	}
	fn, ok := call.Fn.(*stdlib.Function)
	if !ok || len(call.Args) == 0 {
		return ""
	}
	name := fn.Name[:max(0, strings.LastIndex(fn.Name, "_"))] // normal_lpdf
	data := ir.ReadsAny(call.Args[0], func(v *ir.Var) bool { return observed[v] })
	parameters := slices.ContainsFunc(call.Args[1:], func(a ir.Expr) bool {
		return ir.ReadsAny(a, func(v *ir.Var) bool { return v.Kind >= ir.Parameter })
	})
	switch {
	case data && !slices.Contains(linearLikelihoods, name):
		return "the data are " + name + " here, not normal"
	case !data && !slices.Contains(linearPriors, name):
		return "this prior is " + name + ", neither normal nor (of a variance or precision) inverse gamma or gamma"
	case s.Trunc != nil:
		return "this distribution is truncated"
	case !data && strings.HasSuffix(name, "normal") && !parameters:
		return "the scale of this prior does not depend on that of the noise: it should be sqrt(sigma2 * v)"
	}
	return ""
}
