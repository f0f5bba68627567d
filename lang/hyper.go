package lang

// This file finds the hyperparameters of a program.

import (
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// hyperparameters are those that the option names, or else the parameters without
// parents, if other parameters' priors depend on some of them.
func (m *Model) hyperparameters(c *check.CheckedMethod) ([]string, error) {
	var out []string
	if list := c.Args["hyper"]; list != nil {
		for _, v := range list.List {
			out = append(out, v.Text)
		}
		return out, nil
	}
	parents := priorParents(m.Program.IR)
	for _, v := range m.Program.IR.Parameters {
		if len(parents[v]) == 0 {
			out = append(out, v.Name)
		}
	}
	if len(out) == len(m.Program.IR.Parameters) {
		return nil, methodError(c.Loc, "method-option",
			"no parameter's prior depends on another parameter, so that the hyperparameters must be named: hyper = [%s]", strings.Join(out[:min(2, len(out))], ", "))
	}
	return out, nil
}

// priorParents finds, for each parameter, the parameters that its prior reads, through
// transformed parameters too.
func priorParents(p *ir.Program) map[*ir.Var]map[*ir.Var]bool {
	means := map[*ir.Var]map[*ir.Var]bool{} // the parameters behind a variable
	for _, v := range p.Parameters {
		means[v] = map[*ir.Var]bool{v: true}
	}
	behind := func(x ir.Expr, add func(*ir.Var)) {
		ir.InspectExpr(x, func(n any) bool {
			if r, ok := n.(*ir.Ref); ok {
				for v := range means[r.Var] {
					add(v)
				}
			}
			return true
		})
	}
	assign := func(n any) bool {
		if s, ok := n.(*ir.Assign); ok && s.To.Var.Kind != ir.Parameter {
			if means[s.To.Var] == nil {
				means[s.To.Var] = map[*ir.Var]bool{}
			}
			behind(s.X, func(v *ir.Var) { means[s.To.Var][v] = true })
		}
		if s, ok := n.(*ir.Declare); ok && s.Init != nil && s.Var.Kind != ir.Parameter {
			means[s.Var] = map[*ir.Var]bool{}
			behind(s.Init, func(v *ir.Var) { means[s.Var][v] = true })
		}
		return true
	}
	ir.Inspect(p.TransformedParameters.Body, assign)
	ir.Inspect(p.Model, assign)
	out := map[*ir.Var]map[*ir.Var]bool{}
	ir.Inspect(p.Model, func(n any) bool {
		s, ok := n.(*ir.Sample)
		if !ok {
			return true
		}
		args := ir.Arguments(s.Density)
		if len(args) == 0 {
			return true
		}
		ir.InspectExpr(args[0], func(n any) bool {
			if r, ok := n.(*ir.Ref); ok && r.Var.Kind == ir.Parameter {
				if out[r.Var] == nil {
					out[r.Var] = map[*ir.Var]bool{}
				}
				for _, x := range args[1:] {
					behind(x, func(v *ir.Var) { out[r.Var][v] = true })
				}
			}
			return true
		})
		return true
	})
	return out
}
