// What an iteration that stands for all leaves behind.

package eval

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// An outcome is a number of the iteration that is wanted of all iterations or of the last one.
type outcome struct {
	ref   autodiff.Ref
	node  func() autodiff.Node // when the iteration is closed
	store func(node autodiff.Node, x []float64)
}

// end closes the iteration and gives variables and terms what all iterations make of them.
func (r *loopTracer) end(before []slot, terms int) bool {
	next := make([]autodiff.Ref, len(r.next))
	for i := 0; i < len(r.next); i++ { // what is read for the first time is read now
		if i == len(next) {
			next = append(next, autodiff.Ref{})
		}
		next[i] = r.next[i]()
	}
	list, ok := r.outcomes(terms, len(r.f.m.terms))
	if !ok {
		return false
	}
	if err := r.body.Close(next, refs(list)); err != nil {
		if len(r.variants) == 0 {
			r.variants = r.picked
		}
		return false
	}
	if !r.body.Recurs() && !r.rec.Pays(r.n, r.split) || !r.rec.EndLoop([]*autodiff.LoopBody{r.body}, true) {
		return false
	}
	if !r.distribute(list) {
		return false
	}
	r.forget(before)
	return true
}

// outcomes are the nodes of the variables and of the terms [from, to).
func (r *loopTracer) outcomes(from, to int) (list []outcome, ok bool) {
	for _, st := range r.order {
		if st.written != nil {
			list = append(list, st.sequence(st.content())...)
		} else {
			list = append(list, st.last()...)
		}
	}
	added, ok := r.terms(from, to)
	return append(list, added...), ok
}

// refs are those of outcomes.
func refs(list []outcome) []autodiff.Ref {
	outs := make([]autodiff.Ref, len(list))
	for i := range list {
		outs[i] = list[i].ref
	}
	return outs
}

// forget restores variables of the iteration.
func (r *loopTracer) forget(before []slot) {
	for v := range r.inside {
		if r.states[v] == nil && !slices.ContainsFunc(r.order, func(st *state) bool { return st.v == v }) {
			r.f.vars[v.Slot] = before[v.Slot]
		}
	}
}

// distribute computes the outcomes' numbers and hands them out.
func (r *loopTracer) distribute(list []outcome) bool {
	nodes := make([]autodiff.Node, len(list))
	for i := range list {
		nodes[i] = list[i].node()
	}
	numbers, err := r.rec.Numbers(nodes)
	if err != nil {
		return false
	}
	for i := range list {
		list[i].store(nodes[i], numbers[i])
	}
	return true
}

// differs reports whether a number is another one in other iterations.
func (r *loopTracer) differs(ref autodiff.Ref) bool {
	return ref.Node != autodiff.None && r.body.Depends(ref.Node)
}

// content makes room for what iterations write to a container.
func (st *state) content() *Value {
	out := st.start.clone()
	if out.Refs = out.refs(); out.Refs == nil {
		out.Refs = slices.Repeat([]autodiff.Ref{{Node: autodiff.None}}, len(out.X))
	}
	out.Node = autodiff.None
	st.r.f.vars[st.v.Slot] = slot{v: out}
	return out
}

// sequence returns the parts that iterations write to a container, to become part of out.
func (st *state) sequence(out *Value) []outcome {
	r := st.r
	var list []outcome
	offs := make([]int, 0, len(st.written))
	for off := range st.written {
		offs = append(offs, off)
	}
	slices.Sort(offs)
	for _, off := range offs {
		w := st.written[off]
		if !r.differs(w.ref) {
			for t := range r.n {
				at := st.place(off, t)
				out.Refs[at], out.X[at] = w.ref, w.x
			}
			continue
		}
		history := false // the node also holds the values from before the first iteration
		list = append(list, outcome{w.ref, func() autodiff.Node {
			if c, ok := st.carried[carryKey{off, 1}]; ok {
				if h := r.body.History(c.i); h != autodiff.None {
					history = true
					return h
				}
			}
			return r.body.Vector(w.ref)
		}, func(node autodiff.Node, x []float64) {
			put := func(at, i int) {
				if len(x) == 1 {
					i = 0
				}
				out.Refs[at], out.X[at] = autodiff.Ref{Node: node, Elem: int32(i)}, x[i]
			}
			if at := off - st.inductionOffset() - st.stride*st.unit; history && at >= 0 && at < len(out.X) {
				put(at, 0)
			}
			for t := range r.n {
				i := t
				if history {
					i = 1 + r.place(t)
				}
				put(st.place(off, t), i)
			}
		}})
	}
	return list
}

// last returns what the last iteration leaves of a variable.
func (st *state) last() []outcome {
	r := st.r
	w := r.f.slot(st.v).v
	out := w.clone()
	if out.Refs = out.refs(); out.Refs == nil {
		return nil
	}
	out.Node = autodiff.None
	r.f.vars[st.v.Slot] = slot{v: out}
	var list []outcome
	for i, ref := range out.Refs {
		if !r.differs(ref) {
			continue
		}
		list = append(list, outcome{ref, func() autodiff.Node { return r.body.Final(ref) }, func(node autodiff.Node, x []float64) {
			out.Refs[i], out.X[i] = autodiff.Ref{Node: node}, x[0]
		}})
	}
	return list
}

// terms returns what the iterations add to the log density, as terms [from, to).
func (r *loopTracer) terms(from, to int) ([]outcome, bool) {
	f := r.f
	var list []outcome
	for i := range f.m.terms[from:to] {
		t := &f.m.terms[from+i]
		if t.Table != nil {
			added, ok := r.factors(t)
			if !ok {
				return nil, false
			}
			list = append(list, added...)
			continue
		}
		if t.Value == nil {
			return nil, false
		}
		v := t.Value
		ref := v.Ref(0)
		if !r.differs(ref) {
			t.Value = f.m.elementwise(t.At, multiplication, types.Real, []*Value{Real(float64(r.n)), v})
			continue
		}
		list = append(list, outcome{ref, func() autodiff.Node { return r.body.Vector(ref) }, func(node autodiff.Node, x []float64) {
			all := NewValue(types.Vector, []int{len(x)}, slices.Clone(x))
			all.Node = node
			if len(x) == 1 {
				t.Value = f.m.elementwise(t.At, multiplication, types.Real, []*Value{Real(float64(r.n)), all.slice(types.Real, nil, 0, 1)})
				return
			}
			t.Value = f.sum(t.At, all)
		}})
	}
	return list, true
}
