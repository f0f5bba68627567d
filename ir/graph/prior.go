// This file finds the statements that draws from the prior need.

package graph

import "github.com/seed-12b88e03/ppl/ir"

// priorBody returns the statements of an ordered body that draws of parameters depend on: those that
// draw parameters, those that assign what these read, and declarations, whose bounds reject. Loops over data are most of a
// model's work, and observations are not drawn.
func priorBody(body []ir.Stmt, observed map[*ir.Var]bool, likelihood func(ir.Stmt) bool) []ir.Stmt {
	o := &orderer{drawn: func(v *ir.Var) bool { return v.Kind == ir.Parameter || observed[v] }}
	need := map[*ir.Var]bool{}
	keep := make([]bool, len(body))
	for i := len(body) - 1; i >= 0; i-- {
		e := o.effects(body[i], nil)
		if keep[i] = !drawsDataAlone(body[i], e.draws, observed, likelihood) || meets(e.writes, need); keep[i] {
			for v := range e.reads {
				need[v] = true
			}
		}
	}
	var out []ir.Stmt
	for i, s := range body {
		if keep[i] {
			out = append(out, s)
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

// drawsDataAlone reports whether a statement does no more than to draw observations, to assign, and to add
// terms that depend on data, as the density of what is made of data is: it does not reject, and gives no parameter a distribution. What else a
// program adds to target is no proper prior, which DensityErr says before.
func drawsDataAlone(s ir.Stmt, draws, observed map[*ir.Var]bool, likelihood func(ir.Stmt) bool) bool {
	for v := range draws {
		if !observed[v] {
			return false
		}
	}
	alone := true
	ir.Inspect([]ir.Stmt{s}, func(n any) bool {
		switch n := n.(type) {
		case *ir.Declare, *ir.Eval, *ir.Jump, *ir.Return, *ir.While:
			alone = alone && nested(n, s)
		case *ir.Print:
			alone = alone && n.Kind == ir.PrintOut
		case *ir.Sample:
			alone = alone && (len(draws) > 0 || likelihood(n))
		}
		return alone
	})
	return alone
}

// nested reports whether a statement is a declaration inside another one, which the others cannot see.
func nested(n any, s ir.Stmt) bool {
	d, ok := n.(*ir.Declare)
	return ok && ir.Stmt(d) != s
}
