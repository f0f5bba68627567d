// Two distributions for one thing, and observations that are used for something else.

package graph

import (
	"github.com/seed-12b88e03/ppl/ir"
)

// pairs finds variables that get two distributions, as far as it shows without data.
func (c *critic) pairs() {
	vars := append(append([]*ir.Var(nil), c.p.Data...), c.p.TransformedData.Vars...)
	for _, v := range append(vars, c.p.Parameters...) {
		list := c.uses[v]
		for i, u := range list {
			prior := v.Kind == ir.Parameter
			if u.repeated() {
				c.problem(u.at, "move it out of the loop, or write a simulate block", prior,
					"%s gets a distribution in each iteration of the loop", v.Name)
				continue
			}
			for _, w := range list[:i] {
				if u.clashes(w) {
					c.problem(u.at, "leave one of them out, or write a simulate block", prior,
						"%s has a distribution already, from %s", v.Name, w.at)
					break
				}
			}
		}
	}
}

// repeated reports whether a loop runs the statement again for the same variate.
func (u *use) repeated() bool {
	if len(u.place.branches) > 0 {
		return false
	}
	for _, v := range u.place.loops {
		if v == nil {
			return false // a while loop
		}
		if !ir.Reads(u.x, v) && u.fixed() {
			return true
		}
	}
	return false
}

// fixed reports whether the variate is the same wherever it is evaluated: a whole variable
// or constant elements of one.
func (u *use) fixed() bool {
	if _, ok := u.place.bound[single(u.x)]; ok {
		return false
	}
	steady := true
	indicesOf(u.x, func(x ir.Expr) {
		if x != nil {
			_, isConst := constant(x)
			steady = steady && isConst
		}
	})
	return steady
}

// single is the variable that an expression reads as a whole; nil where it does not.
func single(x ir.Expr) *ir.Var {
	if r, ok := x.(*ir.Ref); ok {
		return r.Var
	}
	return nil
}

// clashes reports whether two statements certainly give the same numbers a distribution.
func (u *use) clashes(w use) bool {
	for _, a := range u.place.branches {
		for _, b := range w.place.branches {
			if a.of == b.of && a.other != b.other {
				return false
			}
		}
	}
	if !u.fixed() || !w.fixed() {
		return false
	}
	a, whole := constantIndex(u.x)
	b, alsoWhole := constantIndex(w.x)
	return whole || alsoWhole || a == b && a != ""
}

// constantIndex returns the text of constant indices; whole where there are none.
func constantIndex(x ir.Expr) (text string, whole bool) {
	switch x := x.(type) {
	case *ir.Ref:
		return "", true
	case *ir.Promote:
		return constantIndex(x.X)
	case *ir.Call:
		switch x.Fn.BuiltinName() {
		case "to_vector", "to_row_vector", "to_array_1d", "transpose", "reverse":
			return constantIndex(x.Args[0])
		}
	case *ir.Index:
		if _, inner := constantIndex(x.X); inner {
			for _, a := range x.Indices {
				if a.Kind != ir.Single {
					return "", false
				}
			}
			return x.Loc.Text(), false
		}
	}
	return "", false
}

// transformedData looks at observations in transformed data, and at transformed data
// that are computed from observations.
func (c *critic) transformedData() {
	values := c.sources
	for _, v := range c.p.TransformedData.Vars {
		if !c.g.Observed[v] {
			for d := range values[v] {
				if c.g.Observed[d] && c.usedInModel(v) {
					c.problem(v.Loc, HintBlock, true, "%s is computed from the observation %s, so that the model uses the data before they are simulated", v.Name, d.Name)
					break
				}
			}
			continue
		}
		for d := range values[v] {
			if d.Kind != ir.Datum {
				continue
			}
			if by := c.otherUser(d, v); by != "" {
				c.problem(v.Loc, "make it data, or write a simulate block", false,
					"the observation %s is computed from %s, which is also used %s", v.Name, d.Name, by)
				break
			}
		}
	}
}

// usedInModel reports whether parameters, transformed parameters or model read v.
func (c *critic) usedInModel(v *ir.Var) bool {
	is := func(n any) bool {
		r, ok := n.(*ir.Ref)
		return ok && r.Var == v
	}
	found := ir.Any(c.p.TransformedParameters.Body, is) || ir.Any(c.p.Model, is)
	for _, p := range c.p.Parameters {
		found = found || ir.Any([]ir.Stmt{&ir.Declare{Var: p}}, is)
	}
	return found
}

// otherUser says who else uses the data that the observation v is computed from.
func (c *critic) otherUser(d, v *ir.Var) string {
	if c.usedInModel(d) {
		return "by the model"
	}
	read := ir.Any(c.p.GeneratedQuantities.Body, func(n any) bool {
		r, ok := n.(*ir.Ref)
		return ok && r.Var == d
	})
	if read {
		return "in generated quantities"
	}
	for _, w := range c.p.TransformedData.Vars {
		if w != v && c.sources[w][d] && !c.sources[v][w] && (c.g.Observed[w] || c.usedInModel(w)) {
			return "for " + w.Name
		}
	}
	return ""
}
