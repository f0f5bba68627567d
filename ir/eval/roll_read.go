// What a round that stands for all reads, and what it writes of containers.

package eval

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// A state is a variable that rounds write.
type state struct {
	r        *rolling
	v        *ir.Var
	start    *Value // before the loop
	observed bool   // it is, at the beginning of a round
	leaves   bool   // a round leaves it observed

	axis, at, stride int             // of one with a part for each round: where the first one writes
	written          map[int]written // what the round has written, by the place in the first round
	carried          map[carryKey]carried
}

// written is a number that a round has written.
type written struct {
	ref autodiff.Ref
	x   float64
}

// carried is what an earlier round has written: its stand-in, and which carry that is.
type carried struct {
	ref autodiff.Ref
	i   int
}

// A carryKey names what an earlier round has written at a place.
type carryKey struct {
	off int // of what this round writes at that place
	lag int
}

// A stepKey names the places that rounds read in turn.
type stepKey struct {
	start       *Value
	off, stride int
}

// carryAll makes stand-ins of all numbers of a variable.
func (st *state) carryAll() bool {
	v := st.start
	if len(v.X) > mostCarried {
		return false
	}
	w := NewValue(v.T, v.Dims, slices.Clone(v.X))
	w.Observed = st.observed
	for i := range v.X {
		w.Refs = append(w.Refs, st.r.carry(v, i, func() autodiff.Ref { return st.r.now(st.v, i) }))
	}
	st.r.f.vars[st.v.Slot] = slot{v: w}
	return true
}

// now is what number i of a variable is when the round has run.
func (r *rolling) now(v *ir.Var, i int) autodiff.Ref {
	w := r.f.slot(v).v
	return r.ref(w.Ref(i), w.X[i])
}

// ref is a reference that is none of a constant.
func (r *rolling) ref(ref autodiff.Ref, x float64) autodiff.Ref {
	if ref.Node == autodiff.None {
		ref = autodiff.Ref{Node: r.rec.NodeOf(Real(x))}
	}
	return ref
}

// step makes the stand-in of numbers that rounds read in turn: those of v at off, at
// off+stride and so on. Where they are all the same constant, it is that.
func (r *rolling) step(v *Value, off, stride int) autodiff.Ref {
	key := stepKey{v, off, stride}
	if ref, ok := r.steps[key]; ok {
		return ref
	}
	if last := off + (r.n-1)*stride; last < 0 || last >= len(v.X) {
		r.refuse()
	}
	all := NewValue(types.Vector, []int{r.n}, make([]float64, r.n))
	if v.Active() {
		all.Refs = make([]autodiff.Ref, r.n)
	}
	for t := range all.X {
		all.X[t] = v.X[off+t*stride]
		if all.Refs != nil {
			all.Refs[t] = v.Ref(off + t*stride)
		}
	}
	all.dropConstantRefs()
	ref := r.stand(all)
	r.steps[key] = ref
	return ref
}

// stand makes a stand-in for one number a round.
func (r *rolling) stand(all *Value) autodiff.Ref {
	same := func(x float64) bool { return math.Float64bits(x) == math.Float64bits(all.X[0]) } // 0 is not -0
	if !all.Active() && !slices.ContainsFunc(all.X, func(x float64) bool { return !same(x) }) {
		return autodiff.Ref{Node: autodiff.None}
	}
	return autodiff.Ref{Node: r.round.Step(r.rec.NodeOf(all))}
}

// table evaluates for all rounds, in each as if it were by itself.
func (r *rolling) table(t types.Type, evaluate func() *Value) *Value {
	var out *Value
	var columns []*Value
	for i := range r.n {
		v := r.aside(r.lo+i, evaluate)
		if i == 0 {
			if v.T.Base == types.TupleBase || v.T.Base.IsComplex() {
				r.refuse()
			}
			out = NewValue(t, v.Dims, slices.Clone(v.X))
			out.Observed = v.Observed
			for range v.X {
				columns = append(columns, NewValue(types.Vector, []int{r.n}, make([]float64, r.n)))
			}
		}
		if !sameDims(v.Dims, out.Dims) || v.Active() {
			r.refuse()
		}
		for k, x := range v.X {
			columns[k].X[i] = x
		}
	}
	for _, c := range columns {
		out.Refs = append(out.Refs, r.stand(c))
	}
	out.dropConstantRefs()
	return out
}

// part reads x, a part of a container that no round changes, for all rounds.
func (r *rolling) part(x *ir.Index, v *ir.Var, list []ir.IndexArg) *Value {
	s := r.f.slot(v)
	if s.v == nil || s.alt != nil || s.v.T.Base == types.TupleBase || unit(s.v.T) != 1 {
		r.refuse()
	}
	t, dims, offs := r.placesOf(x, s.v, list)
	stride, ok := r.pace(s.v, list)
	rows := [][]int{offs}
	for i := 1; !ok && i < r.n; i++ {
		var d []int
		var at []int
		r.aside(r.lo+i, func() *Value {
			_, d, at = r.f.places(x.Loc, s.v, list)
			return nil
		})
		if !sameDims(d, dims) {
			r.refuse()
		}
		rows = append(rows, at)
	}
	out := NewValue(t, dims, make([]float64, len(offs)))
	out.Observed = s.v.Observed
	for k, off := range offs {
		out.X[k] = s.v.X[off]
		if ok {
			out.Refs = append(out.Refs, r.step(s.v, off, stride))
			continue
		}
		all := NewValue(types.Vector, []int{r.n}, make([]float64, r.n))
		if s.v.Active() {
			all.Refs = make([]autodiff.Ref, r.n)
		}
		for i := range rows {
			all.X[i] = s.v.X[rows[i][k]]
			if all.Refs != nil {
				all.Refs[i] = s.v.Ref(rows[i][k])
			}
		}
		all.dropConstantRefs()
		out.Refs = append(out.Refs, r.stand(all))
	}
	out.dropConstantRefs()
	return out.as(x.T)
}

// placesOf lists the places that the first round picks.
func (r *rolling) placesOf(x *ir.Index, v *Value, list []ir.IndexArg) (t types.Type, dims, offs []int) {
	r.aside(r.lo, func() *Value {
		t, dims, offs = r.f.places(x.Loc, v, list)
		return nil
	})
	return t, dims, offs
}

// pace is how far rounds move on in a container, where it is the same for all: indices
// are the loop's variable plus what does not change, or do not change.
func (r *rolling) pace(v *Value, list []ir.IndexArg) (stride int, ok bool) {
	steps := strides(v.T, v.Dims)
	for k := range list {
		for _, x := range []ir.Expr{list[k].Lo, list[k].Hi} {
			if x == nil || !r.form(x).mentions {
				continue
			}
			if list[k].Kind != ir.Single || !r.shifted(x) {
				return 0, false
			}
			stride += steps[k]
			if first := r.first(x); first < 1 || first+r.n-1 > v.Dims[k] {
				r.refuse()
			}
		}
	}
	return stride, true
}

// shifted says whether an expression is the loop's variable plus what does not change.
func (r *rolling) shifted(x ir.Expr) bool {
	switch x := x.(type) {
	case *ir.Ref:
		return x.Var == r.loop
	case *ir.Call:
		name := x.Fn.BuiltinName()
		if len(x.Args) != 2 || name != "add" && name != "subtract" {
			return false
		}
		switch a, b := r.form(x.Args[0]), r.form(x.Args[1]); {
		case a.mentions && !b.mentions:
			return r.shifted(x.Args[0]) && r.known(b)
		case b.mentions && !a.mentions && name == "add":
			return r.shifted(x.Args[1]) && r.known(a)
		}
	}
	return false
}

// read gives a part of a container that rounds write.
func (st *state) read(x *ir.Index, list []ir.IndexArg) *Value {
	r, v := st.r, st.start
	if st.axis >= len(list) || !r.shifted(list[st.axis].Lo) {
		r.refuse()
	}
	t, dims, offs := r.placesOf(x, v, list)
	lag := st.at - r.first(list[st.axis].Lo)
	out := NewValue(t, dims, make([]float64, len(offs)))
	out.Observed = st.observed
	for k, off := range offs {
		w := st.number(off, lag)
		out.X[k] = w.x
		out.Refs = append(out.Refs, w.ref)
	}
	out.dropConstantRefs()
	return out.as(x.T)
}

// number is what a round finds at a place, off in the first round, that is written lag
// rounds before.
func (st *state) number(off, lag int) written {
	if lag > 0 {
		return written{st.earlier(off+lag*st.stride, lag), st.start.X[off]}
	}
	if w, ok := st.written[off]; ok && lag == 0 {
		return w
	}
	return written{st.r.step(st.start, off, st.stride), st.start.X[off]}
}

// earlier is the stand-in of what the round lag before this one has written where this
// one writes off.
func (st *state) earlier(off, lag int) autodiff.Ref {
	key := carryKey{off, lag}
	if c, ok := st.carried[key]; ok {
		return c.ref
	}
	next := func() autodiff.Ref { // the round's own number
		w := st.number(off, 0)
		return st.r.ref(w.ref, w.x)
	}
	if lag > 1 {
		before := st.earlier(off, lag-1)
		next = func() autodiff.Ref { return before }
	}
	i := len(st.r.next)
	ref := st.r.carry(st.start, off-lag*st.stride, next)
	st.carried[key] = carried{ref, i}
	return ref
}

// write stores a part of a container that rounds write.
func (st *state) write(to *ir.Place, x *Value) {
	r, v := st.r, st.start
	var list []ir.IndexArg
	for _, a := range to.Path {
		if a.Indices == nil || !singles(list) {
			r.refuse()
		}
		list = append(list, a.Indices...)
	}
	if st.axis >= len(list) || !r.shifted(list[st.axis].Lo) || r.first(list[st.axis].Lo) != st.at || st.at+r.n-1 > v.Dims[st.axis] {
		r.refuse()
	}
	var dims, offs []int
	r.aside(r.lo, func() *Value {
		_, dims, offs = r.f.places(to.Loc, v, list)
		return nil
	})
	if !sameDims(dims, x.Dims) {
		r.refuse() // run round by round, it fails with a message
	}
	for k, off := range offs {
		st.written[off] = written{x.Ref(k), x.X[k]}
	}
	st.leaves = st.leaves || x.Observed
}
