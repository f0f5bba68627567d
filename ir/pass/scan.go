// Scan: loops whose iterations are alike are marked, so that one iteration can stand for all.
//
//	for (t in 2:T) {
//	  h[t] = mu + phi * (h[t - 1] - mu) + s * e[t];      iterations write h at t
//	  m = fmax(m, h[t]);                                 and leave m
//	}
//
// Said of a marked loop is what its iterations write: each a part of its own, at an index made of
// the loop's variable, or the variable itself. Iterations may also be independent: those that are
// still loops after the other passes work on short vectors, as a rule. Whoever keeps a marked loop
// must see for himself that no condition, size or index differs between iterations in another way,
// since that depends on data.

package pass

import (
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// scan is the pass.
func scan(p *ir.Program, _ *stdlib.Library, _ Options) *ir.Program { return Mark(p) }

// Mark is the pass by itself, which leaves all statements as they are; of programs with discrete
// parameters, too.
func Mark(p *ir.Program) *ir.Program {
	found := map[*ir.For]*ir.Recurrence{}
	var drawn map[*ir.Var]bool // integers that depend on more than data, of quantities
	look := func(body []ir.Stmt) {
		ir.Inspect(body, func(n any) bool {
			if s, ok := n.(*ir.For); ok {
				if r := recurrenceOf(s, drawn); r != nil {
					found[s] = r
				}
			}
			return true
		})
	}
	look(p.TransformedParameters.Body)
	look(p.Model)
	for _, f := range p.Functions {
		look(f.Body)
	}
	drawn = drawnOf(p)
	look(p.GeneratedQuantities.Body)
	if len(found) == 0 {
		return p
	}
	out := *p
	out.Recurrences = found
	return &out
}

// recurrenceOf reports how the iterations of a loop hand numbers on; nil where they are not
// known to do that in the same way.
func recurrenceOf(s *ir.For, drawn map[*ir.Var]bool) *ir.Recurrence {
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
	r := &ir.Recurrence{Independent: !random(s.Body)} // draws hand on a stream
	known := b.inlined(s.Body)
	for _, v := range order {
		if v.Type.Equal(types.Int) && !drawn[v] {
			r.Induction = append(r.Induction, v)
			continue
		}
		if v.Type.HasInts() && !drawn[v] || v.Type.Base.IsComplex() || v.Type.Base == types.TupleBase {
			return nil
		}
		st, apart := b.state(v, of[v], known)
		r.States = append(r.States, st)
		r.Independent = r.Independent && apart
	}
	if len(r.Induction) > 0 {
		ok := false
		if r.Slice, ok = b.ahead(s.Body, r.Induction); !ok {
			return nil
		}
	}
	return r
}

// repeatable reports whether statements do nothing but compute and draw: an iteration that is done
// once for all prints nothing, and another one follows it.
func repeatable(list []ir.Stmt) bool {
	return !breaks(list) && !ir.Any(list, func(n any) bool {
		switch n := n.(type) {
		case *ir.Unpack, *ir.Return, *ir.Print, *ir.Target:
			return true
		case *ir.Block:
			return n.Profile != ""
		case *ir.Call:
			fn, known := n.Fn.(*stdlib.Function)
			return !known || fn.Higher != ""
		}
		return false
	})
}

// random reports whether statements draw random numbers.
func random(list []ir.Stmt) bool {
	return ir.Any(list, func(n any) bool {
		switch n := n.(type) {
		case *ir.UserCall:
			return n.Fn.Random
		case *ir.Call:
			fn, known := n.Fn.(*stdlib.Function)
			return known && fn.Draw != nil
		}
		return false
	})
}

// breaks reports whether statements may end the loop that they are in.
func breaks(list []ir.Stmt) bool {
	found := false
	ir.Inspect(list, func(n any) bool {
		switch n := n.(type) {
		case *ir.Jump:
			found = found || n.Break
		case *ir.For, *ir.ForEach, *ir.While:
			return false
		}
		return !found
	})
	return found
}

// inlined returns integers that an iteration declares and sets once as what they are set to.
func (b *body) inlined(list []ir.Stmt) map[*ir.Var]ir.Expr {
	known := map[*ir.Var]ir.Expr{}
	times := map[*ir.Var]int{}
	set := func(v *ir.Var, x ir.Expr) {
		if x != nil && b.private[v] && v.Type.Equal(types.Int) {
			times[v]++
			known[v] = substitute(x, known)
		}
	}
	ir.Inspect(list, func(n any) bool {
		switch n := n.(type) {
		case *ir.Declare:
			set(n.Var, n.Init)
		case *ir.Assign:
			set(n.To.Var, n.X)
		}
		return true
	})
	for v, n := range times {
		if n > 1 {
			delete(known, v)
		}
	}
	return known
}

// state reports how a variable is carried by the one loop of the body, and whether each
// iteration sees its own part only.
func (b *body) state(v *ir.Var, list []access, known map[*ir.Var]ir.Expr) (st ir.State, apart bool) {
	loop := b.loops[0].Var
	whole := ir.State{Var: v}
	st = whole
	for _, a := range list {
		if !a.write {
			continue
		}
		axis := -1
		for k, index := range a.indices {
			if x := substitute(index.Lo, known); ir.Reads(x, loop) || ir.Reads(index.Hi, loop) {
				if index.Kind != ir.Single || axis >= 0 || !steady(x, func(w *ir.Var) bool { return w != loop && b.variant(w) }) {
					return whole, false
				}
				axis = k
			}
		}
		if axis < 0 {
			return whole, false
		}
		at := substitute(a.indices[axis].Lo, known)
		if st.At != nil && (axis != st.Axis || ir.ExprText(at) != ir.ExprText(st.At)) {
			return whole, false
		}
		st.Axis, st.At = axis, at
	}
	apart = st.At != nil
	for _, a := range list {
		apart = apart && st.Axis < len(a.indices) && a.indices[st.Axis].Kind == ir.Single &&
			ir.ExprText(substitute(a.indices[st.Axis].Lo, known)) == ir.ExprText(st.At)
	}
	return st, apart
}
