// What a round that stands for all leaves behind.

package eval

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// An outcome is a number of the round that is wanted of all rounds or of the last one.
type outcome struct {
	ref  autodiff.Ref
	node func() autodiff.Node // when the round is closed
	take func(node autodiff.Node, x []float64)
}

// end closes the round and gives variables and terms what all rounds make of them.
func (r *rolling) end(before []slot, terms int) bool {
	next := make([]autodiff.Ref, len(r.next))
	for i := 0; i < len(r.next); i++ { // what is read for the first time is read now
		if i == len(next) {
			next = append(next, autodiff.Ref{})
		}
		next[i] = r.next[i]()
	}
	var list []outcome
	for _, st := range r.order {
		if st.written != nil {
			list = append(list, st.sequence()...)
		} else {
			list = append(list, st.last()...)
		}
		if st.leaves && !st.observed {
			r.observed[st.v], r.again = true, true
		}
	}
	if r.again {
		return false
	}
	added, ok := r.terms(terms)
	if !ok {
		return false
	}
	list = append(list, added...)
	outs := make([]autodiff.Ref, len(list))
	for i := range list {
		outs[i] = list[i].ref
	}
	if err := r.round.Close(next, outs); err != nil {
		return false
	}
	if !r.round.Recurs() && !r.rec.Pays(r.n, r.apart) || !r.rec.EndRoll(r.round, true) {
		return false
	}
	if !r.distribute(list) {
		return false
	}
	for v := range r.inside {
		if r.states[v] == nil && !slices.ContainsFunc(r.order, func(st *state) bool { return st.v == v }) {
			r.f.vars[v.Slot] = before[v.Slot]
		}
	}
	return true
}

// distribute computes the outcomes' numbers and hands them out.
func (r *rolling) distribute(list []outcome) bool {
	nodes := make([]autodiff.Node, len(list))
	for i := range list {
		nodes[i] = list[i].node()
	}
	numbers, err := r.rec.Numbers(nodes)
	if err != nil {
		return false
	}
	for i := range list {
		list[i].take(nodes[i], numbers[i])
	}
	return true
}

// differs says whether a number is another one in other rounds.
func (r *rolling) differs(ref autodiff.Ref) bool {
	return ref.Node != autodiff.None && r.round.Depends(ref.Node)
}

// sequence gives the parts that rounds write to a container.
func (st *state) sequence() []outcome {
	r := st.r
	out := st.start.clone()
	out.Observed = st.observed
	if out.Refs = out.refs(); out.Refs == nil {
		out.Refs = slices.Repeat([]autodiff.Ref{{Node: autodiff.None}}, len(out.X))
	}
	out.Node = autodiff.None
	r.f.vars[st.v.Slot] = slot{v: out}
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
		from := 0 // of the first round among the node's numbers
		list = append(list, outcome{w.ref, func() autodiff.Node {
			if c, ok := st.carried[carryKey{off, 1}]; ok {
				if h := r.round.History(c.i); h != autodiff.None {
					from = 1
					return h
				}
			}
			return r.round.Vector(w.ref)
		}, func(node autodiff.Node, x []float64) {
			for t := -from; t < r.n; t++ {
				i := 0
				if len(x) > 1 {
					i = from + t
				}
				at := st.place(off, t)
				out.Refs[at], out.X[at] = autodiff.Ref{Node: node, Elem: int32(i)}, x[i]
			}
		}})
	}
	return list
}

// last gives what the last round leaves of a variable.
func (st *state) last() []outcome {
	r := st.r
	w := r.f.slot(st.v).v
	st.leaves = w.Observed
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
		list = append(list, outcome{ref, func() autodiff.Node { return r.round.Final(ref) }, func(node autodiff.Node, x []float64) {
			out.Refs[i], out.X[i] = autodiff.Ref{Node: node}, x[0]
		}})
	}
	return list
}

// terms gives what the rounds add to the log density.
func (r *rolling) terms(from int) ([]outcome, bool) {
	f := r.f
	var list []outcome
	for i := range f.m.terms[from:] {
		t := &f.m.terms[from+i]
		if t.Value == nil || t.Table != nil {
			return nil, false
		}
		v := t.Value
		ref := v.Ref(0)
		if !r.differs(ref) {
			t.Value = f.elementwise(t.At, multiplication, types.Real, []*Value{Real(float64(r.n)), v})
			t.Value.Observed = v.Observed
			continue
		}
		list = append(list, outcome{ref, func() autodiff.Node { return r.round.Vector(ref) }, func(node autodiff.Node, x []float64) {
			all := NewValue(types.Vector, []int{len(x)}, slices.Clone(x))
			all.Node, all.Observed = node, v.Observed
			if len(x) == 1 {
				t.Value = f.elementwise(t.At, multiplication, types.Real, []*Value{Real(float64(r.n)), all.slice(types.Real, nil, 0, 1)})
				return
			}
			t.Value = f.sum(t.At, all)
		}})
	}
	return list, true
}
