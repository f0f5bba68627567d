// Scan: loops whose rounds are alike are marked, so that one round can stand for all.
//
//	for (t in 2:T) {
//	  h[t] = mu + phi * (h[t - 1] - mu) + s * e[t];      rounds write h at t
//	  m = fmax(m, h[t]);                                 and leave m
//	}
//
// A loop is marked where what its rounds write is written by each in the same way: either a
// part of its own, at loop variable + constant, or the variable itself. Its parts must be
// read at loop variable + something, too. Rounds may also hand nothing on: those that are
// still loops after the other passes work on short vectors, as a rule. Whoever keeps a
// marked loop must see for himself that no condition, size or other index differs between
// rounds, since that depends on data.

package pass

import (
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// scan is the pass.
func scan(p *ir.Program, _ *stdlib.Library, _ Options) *ir.Program {
	found := map[*ir.For]*ir.Recurrence{}
	look := func(body []ir.Stmt) {
		ir.Inspect(body, func(n any) bool {
			if s, ok := n.(*ir.For); ok {
				if r := recurrenceOf(s); r != nil {
					found[s] = r
				}
			}
			return true
		})
	}
	look(p.TransformedParameters.Body)
	look(p.Model)
	look(p.GeneratedQuantities.Body)
	for _, f := range p.Functions {
		look(f.Body)
	}
	if len(found) == 0 {
		return p
	}
	out := *p
	out.Recurrences = found
	return &out
}

// recurrenceOf says how the rounds of a loop hand numbers on; nil where they are not
// known to do that in the same way.
func recurrenceOf(s *ir.For) *ir.Recurrence {
	if !repeatable(s.Body) {
		return nil
	}
	b := newBody([]*ir.For{s}, s.Body)
	of := map[*ir.Var][]access{}
	var order []*ir.Var
	for _, st := range s.Body {
		for _, a := range accesses(st) {
			if b.changed[a.v] && !b.private[a.v] {
				if of[a.v] == nil {
					order = append(order, a.v)
				}
				of[a.v] = append(of[a.v], a)
			}
		}
	}
	r := &ir.Recurrence{}
	for _, v := range order {
		st, ok := b.state(v, of[v])
		if !ok || v.Type.HasInts() || v.Type.Base.IsComplex() || v.Type.Base == types.TupleBase {
			return nil
		}
		r.States = append(r.States, st)
	}
	return r
}

// repeatable says whether statements do nothing but compute: a round that is done once for
// all prints nothing and draws nothing.
func repeatable(list []ir.Stmt) bool {
	ok := true
	ir.Inspect(list, func(n any) bool {
		switch n := n.(type) {
		case *ir.Unpack, *ir.Jump, *ir.Return, *ir.Print, *ir.Target:
			ok = false
		case *ir.Block:
			ok = ok && n.Profile == ""
		case *ir.UserCall:
			ok = ok && !n.Fn.Random
		case *ir.Call:
			fn, known := n.Fn.(*stdlib.Function)
			ok = ok && known && fn.Draw == nil && fn.Higher == ""
		}
		return ok
	})
	return ok
}

// state says how a variable is handed on by the one loop of the body.
func (b *body) state(v *ir.Var, list []access) (ir.State, bool) {
	loop := b.loops[0].Var
	inRound := func(w *ir.Var) bool { return b.changed[w] && !b.counts(w) }
	st := ir.State{Var: v}
	var at offset
	parts := 0
	for _, a := range list {
		axis := -1
		for k, index := range a.indices {
			if !reads(index.Lo, loop) && !reads(index.Hi, loop) {
				continue
			}
			if index.Kind != ir.Single || axis >= 0 {
				return st, false
			}
			axis = k
		}
		if axis < 0 {
			continue
		}
		if parts++; parts > 1 && axis != st.Axis {
			return st, false
		}
		st.Axis = axis
		x := a.indices[axis].Lo
		if !a.write {
			if _, ok := offsetOf(x, loop, inRound); !ok {
				return st, false
			}
			continue
		}
		o, ok := offsetOf(x, loop, b.variant)
		if !ok || st.At != nil && o != at {
			return st, false
		}
		st.At, at = x, o
	}
	return st, parts == 0 || parts == len(list) && st.At != nil
}

// counts says whether a variable is that of an inner loop, which in each round takes the
// same values.
func (b *body) counts(v *ir.Var) bool {
	found := false
	ir.Inspect(b.stmts, func(n any) bool {
		s, ok := n.(*ir.For)
		found = found || ok && s.Var == v
		return !found
	})
	return found
}

// reads says whether an expression reads a variable.
func reads(x ir.Expr, v *ir.Var) bool {
	found := false
	ir.InspectExpr(x, func(n any) bool {
		r, ok := n.(*ir.Ref)
		found = found || ok && r.Var == v
		return !found
	})
	return found
}
