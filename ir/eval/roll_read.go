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
	r     *rolling
	v     *ir.Var
	start *Value    // before the loop
	first []float64 // its numbers before the first round that this one stands for

	axis    int             // of one with a part for each round: the index that moves
	at      course          // where rounds write
	stride  int             // from where a round of the loop writes to where the next one does
	unit    int             // how far neighbours along that index are apart
	written map[int]written // what the round has written, by the place in the first round
	carried map[carryKey]carried
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

// A carryName names a number that rounds of several kinds hand on: one of a variable or, where
// lag is not 0, what an earlier round has written, off being of what the loop's first round writes.
type carryName struct {
	v        *ir.Var
	off, lag int
}

// A stepKey names the places that rounds read in turn.
type stepKey struct {
	start       *Value
	off, stride int
}

// partly says whether each round writes a part of its own, and where.
func (st *state) partly(p ir.State) bool {
	if p.At == nil {
		return false
	}
	st.axis, st.at = p.Axis, st.r.course(p.At)
	if st.r.mix == nil {
		st.stride = st.at.step
		return st.at.apart()
	}
	k, ok := st.r.slope(p.At)
	st.stride = k
	return ok && k != 0
}

// carryAll makes stand-ins of all numbers of a variable.
func (st *state) carryAll() bool {
	v := st.start
	if len(v.X) > mostCarried {
		return false
	}
	w := NewValue(v.T, v.Dims, slices.Clone(st.first))
	for i := range v.X {
		ref, _ := st.r.carry(carryName{v: st.v, off: i}, v, i, func() autodiff.Ref { return st.r.now(st.v, i) })
		w.Refs = append(w.Refs, ref)
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
		r.f.m.round()
		v := r.aside(i, evaluate)
		if i == 0 {
			if v.T.Base == types.TupleBase || v.T.Base.IsComplex() {
				r.refuse()
			}
			out = NewValue(t, v.Dims, slices.Clone(v.X))
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
	m, _ := r.motion(s.v, list)
	out := NewValue(m.t, m.dims, make([]float64, len(m.offs)))
	for k, off := range m.offs {
		out.X[k] = s.v.X[off]
		if m.rows == nil {
			out.Refs = append(out.Refs, r.step(s.v, off, m.strides[k]))
			continue
		}
		out.Refs = append(out.Refs, r.stand(r.gathered(s.v, func(i int) int { return m.rows[i][k] })))
	}
	out.dropConstantRefs()
	return out.as(x.T)
}

// gathered is the number of v that each round finds at place(i).
func (r *rolling) gathered(v *Value, place func(i int) int) *Value {
	all := NewValue(types.Vector, []int{r.n}, make([]float64, r.n))
	if v.Active() {
		all.Refs = make([]autodiff.Ref, r.n)
	}
	for i := range all.X {
		k := place(i)
		all.X[i] = v.X[k]
		if all.Refs != nil {
			all.Refs[i] = v.Ref(k)
		}
	}
	all.dropConstantRefs()
	return all
}

// apart says whether no two rounds meet.
func (c *course) apart() bool {
	if c.all == nil {
		return c.step != 0
	}
	seen := map[int]bool{}
	for _, x := range c.all {
		if seen[x] {
			return false
		}
		seen[x] = true
	}
	return true
}

// place is where a number lies in round i that is at off in the first round.
func (st *state) place(off, i int) int { return off + (st.at.at(i)-st.at.first)*st.unit }

// read gives a part of a container that rounds write.
func (st *state) read(x *ir.Index, list []ir.IndexArg) *Value {
	r, v := st.r, st.start
	m, courses := r.motion(v, list)
	for k, list := range courses {
		for i := range list {
			if k != st.axis && !list[i].steady() {
				r.refuse()
			}
		}
	}
	out := NewValue(m.t, m.dims, make([]float64, len(m.offs)))
	for k, off := range m.offs {
		at := off / st.unit % v.Dims[st.axis]
		w := st.find(off, courses[st.axis][slices.IndexFunc(courses[st.axis], func(c course) bool { return c.at(0) == at+1 })])
		out.X[k] = w.x
		out.Refs = append(out.Refs, w.ref)
	}
	out.dropConstantRefs()
	return out.as(x.T)
}

// find is what a round finds at a place, off in the first round, that moves in a certain way.
func (st *state) find(off int, c course) written {
	r := st.r
	if r.mix != nil {
		return st.findMixed(off, c)
	}
	if r.list != nil || st.at.all != nil || c.all != nil {
		if !c.same(&st.at) { // other rounds may have written it
			r.refuse()
		}
		return st.number(off, 0)
	}
	behind := st.at.first - c.first
	switch {
	case c.step == st.stride:
		if behind%st.stride != 0 { // between what rounds write
			return written{r.step(st.start, off, c.step*st.unit), st.first[off]}
		}
		return st.number(off, behind/st.stride)
	case c.step == 0 && (behind%st.stride != 0 || -behind/st.stride < 0 || -behind/st.stride >= r.n):
		return written{st.start.Ref(off), st.first[off]} // no round writes it
	}
	r.refuse()
	return written{}
}

// number is what a round finds at a place, off in the first round, that is written lag
// rounds before.
func (st *state) number(off, lag int) written {
	if lag > 0 {
		return written{st.earlier(off+lag*st.stride*st.unit, lag), st.first[off]}
	}
	if w, ok := st.written[off]; ok && lag == 0 {
		return w
	}
	if st.at.all != nil {
		return written{st.r.stand(st.r.gathered(st.start, func(i int) int { return st.place(off, i) })), st.first[off]}
	}
	return written{st.r.step(st.start, off, st.at.step*st.unit), st.first[off]}
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
	name := carryName{st.v, off - st.ahead(), lag}
	ref, i := st.r.carry(name, st.start, name.off-lag*st.stride*st.unit, next)
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
	m, courses := r.motion(v, list)
	for k, list := range courses {
		for i := range list {
			if k != st.axis && !list[i].steady() || k == st.axis && !list[i].same(&st.at) {
				r.refuse()
			}
		}
	}
	if !sameDims(m.dims, x.Dims) {
		r.refuse() // run round by round, it fails with a message
	}
	for k, off := range m.offs {
		st.written[off] = written{x.Ref(k), x.X[k]}
	}
}

// same says whether two integers are the same in all rounds.
func (c *course) same(d *course) bool {
	return c.first == d.first && c.step == d.step && slices.Equal(c.all, d.all)
}
