// The critic: what in a program stands against reading it as a simulator.

package graph

import (
	"fmt"
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

type critic struct {
	p        *ir.Program
	lib      *stdlib.Library
	g        *Generative
	roles    *Roles  // of the statements looked at
	sources  sources // of transformed data
	uses     map[*ir.Var][]use
	shaped   map[*ir.Var]bool // parameters in terms that are no densities
	active   map[*ir.Function]bool
	problems []*Problem
}

// A use is a statement that gives a variable, or a part of it, its distribution.
type use struct {
	at    source.Span
	x     ir.Expr
	place context
}

// A context is where a statement stands: the variables of the loops around it, the
// branches it is in, what formal parameters stand for, and which statements are prior.
type context struct {
	roles    *Roles
	loops    []*ir.Var
	branches []branch
	bound    map[*ir.Var]ir.Expr
}

type branch struct {
	of    *ir.If
	other bool
}

func newCritic(p *ir.Program, lib *stdlib.Library, g *Generative) *critic {
	return &critic{p: p, lib: lib, g: g, uses: map[*ir.Var][]use{}, shaped: map[*ir.Var]bool{}, active: map[*ir.Function]bool{},
		sources: sourcesOf(p)}
}

func (c *critic) problem(at source.Span, hint string, prior bool, format string, args ...any) {
	c.problems = append(c.problems, &Problem{At: at, Text: fmt.Sprintf(format, args...), Hint: hint, Prior: prior, Data: !prior})
}

// program looks through the whole program, of which transformed parameters and model
// were rewritten.
func (c *critic) program(transformed, model []ir.Stmt) {
	c.roles = rolesOf(c.p, transformed, model)
	c.transformedData()
	in := context{roles: c.roles}
	c.stmts(transformed, in)
	c.stmts(model, in)
	c.pairs()
	for _, v := range c.p.Parameters {
		if len(c.uses[v]) > 0 {
			continue
		}
		if c.g.Loose[v] = true; !c.shaped[v] {
			c.loose(v, v.Decl)
		}
	}
	slices.SortStableFunc(c.problems, func(a, b *Problem) int { return a.At.Start - b.At.Start })
}

func (c *critic) stmts(body []ir.Stmt, in context) {
	for _, s := range body {
		c.stmt(s, in)
	}
}

func (c *critic) stmt(s ir.Stmt, in context) {
	switch s := s.(type) {
	case *ir.Sample:
		c.density(s, s.Density, s.Trunc, in)
	case *ir.TargetAdd:
		c.term(s, in)
	case *ir.Block:
		c.stmts(s.Body, in)
	case *ir.If:
		c.stmts(s.Then, in.branch(s, false))
		c.stmts(s.Else, in.branch(s, true))
	case *ir.For:
		c.stmts(s.Body, in.loop(s.Var))
	case *ir.ForEach:
		c.stmts(s.Body, in.loop(s.Var))
	case *ir.While:
		c.stmts(s.Body, in.loop(nil))
	default:
		ir.Inspect([]ir.Stmt{s}, func(n any) bool {
			c.effect(n, in)
			return true
		})
	}
}

func (in context) branch(s *ir.If, other bool) context {
	in.branches = append(slices.Clone(in.branches), branch{s, other})
	return in
}

func (in context) loop(v *ir.Var) context {
	in.loops = append(slices.Clone(in.loops), v)
	return in
}

// effect looks at a part of a statement that may have to do with the target.
func (c *critic) effect(n any, in context) {
	switch n := n.(type) {
	case *ir.Target:
		c.problem(n.Loc, HintBlock, true, "target() is read, which has no meaning in a simulation")
	case *ir.UserCall:
		c.call(n, in)
	}
}

// call follows a function that adds to the target.
func (c *critic) call(n *ir.UserCall, in context) {
	if !n.Fn.Target || c.active[n.Fn] {
		return
	}
	inner := context{roles: in.roles.Within(n), loops: in.loops, branches: in.branches, bound: map[*ir.Var]ir.Expr{}}
	for i, p := range n.Fn.Params {
		inner.bound[p] = substituted(n.Args[i], in.bound)
	}
	c.active[n.Fn] = true
	c.stmts(n.Fn.Body, inner)
	delete(c.active, n.Fn)
}

// substituted is what a formal parameter stands for, where an argument is such a parameter.
func substituted(x ir.Expr, bound map[*ir.Var]ir.Expr) ir.Expr {
	if r, ok := x.(*ir.Ref); ok {
		if y, ok := bound[r.Var]; ok {
			return y
		}
	}
	return x
}

// term looks at "target +=".
func (c *critic) term(s *ir.TargetAdd, in context) {
	prior := !in.roles.Likelihood(s)
	if s.Jacobian {
		c.problem(s.Loc, HintBlock, prior, "\"jacobian +=\" changes a density in a way that cannot be simulated")
		return
	}
	densities, rest := Terms(s.X)
	for _, d := range densities {
		c.density(s, d, nil, in)
	}
	for i, x := range rest {
		ir.InspectExpr(x, func(n any) bool {
			if r, ok := n.(*ir.Ref); ok {
				c.shaped[r.Var] = true
			}
			c.effect(n, in)
			return true
		})
		if i > 0 {
			continue
		}
		c.problem(s.Loc, HintBlock, prior,
			"\"target +=\" holds something else than the density of a parameter or an observation")
	}
}

// density looks at the call of a density that gives its first argument a distribution.
func (c *critic) density(s ir.Stmt, x ir.Expr, trunc *ir.Truncation, in context) {
	at, likelihood := s.Span(), in.roles.Likelihood(s)
	args := ir.Arguments(x)
	if len(args) == 0 {
		return
	}
	variate := args[0]
	vars, ok := c.variables(variate, in.bound)
	prior, data, fit := false, false, ok && len(vars) > 0
	for _, v := range vars {
		switch {
		case v.Kind == ir.Parameter:
			prior = true
			c.uses[v] = append(c.uses[v], use{at, variate, in})
		case c.g.Observed[v]:
			data = true
			c.uses[v] = append(c.uses[v], use{at, variate, in})
		default:
			fit = false
			c.misplaced(at, v, !likelihood)
		}
	}
	switch {
	case !fit:
		if !ok || len(vars) == 0 {
			c.problem(at, HintBlock, !likelihood,
				"what has the distribution is computed; it must be a parameter or an observation, or a part of one")
		}
		return
	case prior && data:
		c.problems = append(c.problems, &Problem{At: at, Hint: "give parameter and observation a statement each", Prior: true, Together: true,
			Text: fmt.Sprintf("%s has its distribution together with an observation, so that it has no prior of its own", first(vars, ir.Parameter))})
	}
	c.drawable(at, x, trunc, vars, prior)
}

func first(vars []*ir.Var, k ir.VarKind) string {
	for _, v := range vars {
		if v.Kind == k {
			return v.Name
		}
	}
	return ""
}

// variables returns the variables that a variate consists of, formal parameters replaced.
func (c *critic) variables(x ir.Expr, bound map[*ir.Var]ir.Expr) ([]*ir.Var, bool) {
	vars, pure := consists(x)
	var out []*ir.Var
	for _, v := range vars {
		if y, ok := bound[v]; ok {
			inner, ok := consists(y)
			out, pure = append(out, inner...), pure && ok
			continue
		}
		out = append(out, v)
	}
	return out, pure
}

// misplaced reports what is wrong with a variable left of "~".
func (c *critic) misplaced(at source.Span, v *ir.Var, prior bool) {
	switch v.Kind {
	case ir.TransformedParameter:
		c.problem(at, "give the parameters that it is computed from their priors, or write a simulate block", prior,
			"%s is a transformed parameter: the statement gives it a density, but it cannot be drawn", v.Name)
	default:
		c.problem(at, HintBlock, prior,
			"%s is a local variable: only parameters and observations can be drawn", v.Name)
	}
}

// drawable reports whether there is a way to draw from the density's distribution.
func (c *critic) drawable(at source.Span, x ir.Expr, trunc *ir.Truncation, vars []*ir.Var, prior bool) {
	switch call := x.(type) {
	case *ir.UserCall:
		if c.g.Twins[call.Fn] == nil {
			name := call.Fn.Name[:len(call.Fn.Name)-len("_lpdf")]
			c.problem(at, fmt.Sprintf("define a function %s_rng of the same arguments without the first, or write a simulate block", name), prior,
				"%s has no twin %s_rng to draw with", call.Fn.Name, name)
		}
	case *ir.Call:
		fn := call.Fn.(*stdlib.Function)
		s, ok := c.g.Samplers[fn]
		if !ok {
			s = c.lib.Sampler(fn)
			c.g.Samplers[fn] = s
		}
		if s == nil {
			c.problem(at, HintBlock, prior, "the library cannot draw from the distribution of %s", fn.Name)
			return
		}
		for _, v := range vars {
			if v.Kind == ir.Parameter {
				c.support(at, s, call, trunc, v)
			}
		}
	}
}

// support reports whether a parameter's declared constraint goes with its prior.
func (c *critic) support(at source.Span, s *stdlib.Sampler, call *ir.Call, trunc *ir.Truncation, v *ir.Var) {
	con := v.Decl.Constraint
	if v.Type.Base == types.TupleBase || con == nil || con.Name == "offset_multiplier" {
		return
	}
	switch con.Name {
	case "lower", "upper", "lower_upper":
		c.bounds(at, s, call, trunc, v)
	case "ordered", "positive_ordered":
		if s.Dist == nil {
			c.problem(at, HintBlock, true, "%s is an %s vector, whose prior must be of single numbers", v.Name, con.Name)
		}
	case "sum_to_zero_vector":
		if s.Dist == nil || s.Dist.Name != "normal" && s.Dist.Name != "std_normal" {
			c.problem(at, HintBlock, true, "%s sums to zero, and can be drawn under a normal prior only", v.Name)
		}
	default:
		if !slices.Contains(s.Native, con.Name) {
			c.problem(at, HintBlock, true, "%s is a %s, on which %s is no proper distribution", v.Name, con.Name, distName(call))
		}
	}
}

// distName is a density's name as it stands behind "~".
func distName(call *ir.Call) string {
	name := call.Fn.BuiltinName()
	return name[:len(name)-len("_lpdf")]
}

// bounds reports whether declared bounds cut the prior off by an amount that depends on
// parameters.
func (c *critic) bounds(at source.Span, s *stdlib.Sampler, call *ir.Call, trunc *ir.Truncation, v *ir.Var) {
	con := v.Decl.Constraint
	if s.Dist == nil && s.Event > 0 {
		c.problem(at, HintBlock, true, "the bounds of %s cut %s off, by an amount that is not known", v.Name, distName(call))
		return
	}
	if s.Dist == nil {
		return
	}
	lo, hi := stdlib.FixedRange(s.Dist)
	cut, depends := false, false
	for i, b := range con.Args {
		lower := con.Name == "lower" || con.Name == "lower_upper" && i == 0
		k, isConst := constant(b)
		switch {
		case trunc != nil && (lower && trunc.Lo != nil || !lower && trunc.Hi != nil):
			continue // how they compare shows with the numbers
		case !isConst:
			depends = depends || c.roles.varies(b)
			cut = cut || c.roles.varies(b) && !rangeDepends[s.Dist.Name]
		case lower:
			cut = cut || lo < k
		default:
			cut = cut || hi > k
		}
	}
	for _, a := range call.Args[1:] {
		depends = depends || c.roles.varies(a)
	}
	if cut && depends && !rangeDepends[s.Dist.Name] {
		c.problem(at, HintBounds, true,
			"the bounds of %s cut %s off by an amount that depends on parameters, and the density does not count it", v.Name, distName(call))
	}
}

// rangeDepends names the distributions whose range depends on their parameters; whether
// bounds cut it shows with the numbers.
var rangeDepends = map[string]bool{
	"uniform": true, "pareto": true, "pareto_type_2": true, "discrete_range": true, "binomial": true,
	"binomial_logit": true, "beta_binomial": true, "hypergeometric": true, "von_mises": true,
}

// constant returns the number that an expression is.
func constant(x ir.Expr) (float64, bool) {
	switch x := x.(type) {
	case *ir.Const:
		return x.X, true
	case *ir.Promote:
		return constant(x.X)
	case *ir.Call:
		if x.Fn.BuiltinName() == "minus" && len(x.Args) == 1 {
			v, ok := constant(x.Args[0])
			return -v, ok
		}
	}
	return 0, false
}

// finite are the constraints whose supports have finite volume.
var finite = map[string]bool{
	"lower_upper": true, "simplex": true, "unit_vector": true, "corr_matrix": true, "cholesky_factor_corr": true,
	"row_stochastic_matrix": true, "column_stochastic_matrix": true,
}

// loose looks at a parameter, or a field of one, without a statement: it is uniform.
func (c *critic) loose(v *ir.Var, d *ir.Shape) {
	for _, f := range d.Fields {
		c.loose(v, f)
	}
	if d.Type.Base == types.TupleBase {
		return
	}
	if d.Constraint == nil || !finite[d.Constraint.Name] {
		c.problem(v.Loc, HintPrior, true, "%s has no prior, and %s: a uniform one would be improper", v.Name, supportText(d))
		return
	}
	if slices.ContainsFunc(d.Constraint.Args, c.roles.varies) {
		c.problem(v.Loc, fmt.Sprintf("write %s ~ uniform(...) with its bounds, or a simulate block", v.Name), true,
			"%s has no prior, and bounds that depend on parameters: its uniform density depends on them, too", v.Name)
		return
	}
}

// supportText says in words where a parameter lies.
func supportText(d *ir.Shape) string {
	if d.Constraint == nil {
		return "is unbounded"
	}
	switch d.Constraint.Name {
	case "offset_multiplier":
		return "is unbounded"
	case "lower", "upper":
		return "is bounded on one side only"
	case "ordered", "positive_ordered":
		return "is ordered but unbounded"
	case "sum_to_zero_vector", "sum_to_zero_matrix":
		return "sums to zero but is unbounded"
	}
	return "its " + d.Constraint.Name + " is unbounded"
}
