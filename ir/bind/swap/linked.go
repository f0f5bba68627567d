// Which parameters the swapped ones tell something about.

package swap

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
)

// linked returns the parameters that an exchange of priors may change: those that priors read, and
// all that a chain of statements of the density ties to them. Whatever else there is has the
// same law before and after, whatever the values of these.
func linked(p *ir.Program, priors map[*ir.Var]bool) map[*ir.Var]bool {
	out := map[*ir.Var]bool{}
	join := func(vars map[*ir.Var]bool) (grown bool) {
		for v := range vars {
			if v.Kind == ir.Parameter && !out[v] {
				out[v], grown = true, true
			}
		}
		return grown
	}
	join(priors)
	ties := tiesOf(p)
	for grown := true; grown; {
		grown = false
		for _, vars := range ties {
			if meets(vars, out) && join(vars) {
				grown = true
			}
		}
	}
	return out
}

func meets(a, b map[*ir.Var]bool) bool {
	for v := range a {
		if b[v] {
			return true
		}
	}
	return false
}

// tiesOf are the variables that single statements depend on, in the end: those that add to the
// density or may end it, declarations with bounds among them. What stands inside a loop or a branch counts
// as one statement.
func tiesOf(p *ir.Program) []map[*ir.Var]bool {
	body := slices.Concat(p.TransformedParameters.Body, p.Model)
	computed := make([][]ir.Stmt, len(body))
	for i, s := range body {
		computed[i] = sieve([]ir.Stmt{s}, computes)
	}
	var ties []map[*ir.Var]bool
	for i, s := range body {
		need := map[*ir.Var]bool{}
		if d, ok := s.(*ir.Declare); ok && d.Var.Decl.Constraint != nil {
			need[d.Var] = true
		} else if silent(s) {
			continue
		}
		list := slices.Concat(slices.Concat(computed[:i]...), []ir.Stmt{s}, slices.Concat(computed[i+1:]...))
		prune(list, need)
		ties = append(ties, need)
	}
	for _, v := range p.Parameters { // bounds that are parameters
		need := map[*ir.Var]bool{v: true}
		noteReads([]ir.Stmt{&ir.Declare{Var: v}}, need)
		ties = append(ties, need)
	}
	return ties
}

// computes keeps statements that give variables their values.
func computes(s ir.Stmt) []ir.Stmt {
	switch s.(type) {
	case *ir.Declare, *ir.Assign, *ir.Unpack, *ir.Jump:
		return []ir.Stmt{s}
	}
	return nil
}

// silent reports whether a statement does nothing but give variables their values.
func silent(s ir.Stmt) bool {
	all := true
	sieve([]ir.Stmt{s}, func(s ir.Stmt) []ir.Stmt {
		all = all && computes(s) != nil
		return nil
	})
	return all
}
