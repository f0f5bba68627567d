// Reads and writes of containers in a traced iteration.

package eval

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// A state is a variable that iterations write.
type state struct {
	r     *loopTracer
	v     *ir.Var
	start *Value    // before the loop
	first []float64 // its numbers before the first iteration that this one stands for

	axis    int             // of one with a part for each iteration: the index that moves
	at      indexSequence   // where iterations write
	stride  int             // from where an iteration of the loop writes to where the next one does
	unit    int             // how far neighbours along that index are apart
	written map[int]written // what the iteration has written, by the place in the first iteration
	carried map[carryKey]carried
}

// written is a number that an iteration has written.
type written struct {
	ref autodiff.Ref
	x   float64
}

// carried is what an earlier iteration has written: its placeholder, and which carry that is.
type carried struct {
	ref autodiff.Ref
	i   int
}

// A carryKey names what an earlier iteration has written at a place.
type carryKey struct {
	off int // of what this iteration writes at that place
	lag int
}

// A carryName names a number that iterations of several variants carry: one of a variable or,
// where lag is not 0, what an earlier iteration has written, off being of what the loop's first
// iteration writes.
type carryName struct {
	v        *ir.Var
	off, lag int
}

// A stepKey names the places that iterations read in turn.
type stepKey struct {
	start       *Value
	off, stride int
}

// partly reports whether each iteration writes a part of its own, and where.
func (st *state) partly(p ir.State) bool {
	if p.At == nil {
		return false
	}
	st.axis, st.at = p.Axis, st.r.sequence(p.At)
	if st.r.mixed == nil {
		st.stride = st.at.step
		return st.at.apart()
	}
	k, ok := st.r.slope(p.At)
	st.stride = k
	return ok && k != 0
}

// carryAll makes placeholders of all numbers of a variable.
func (st *state) carryAll() bool {
	v := st.start
	if len(v.X) > maxCarried {
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

// now is what number i of a variable is when the iteration has run.
func (r *loopTracer) now(v *ir.Var, i int) autodiff.Ref {
	w := r.f.slot(v).v
	return r.ref(w.Ref(i), w.X[i])
}

// ref returns a reference to a node; a constant, which has none, is made one.
func (r *loopTracer) ref(ref autodiff.Ref, x float64) autodiff.Ref {
	if ref.Node == autodiff.None {
		ref = autodiff.Ref{Node: r.rec.NodeOf(Real(x))}
	}
	return ref
}

// step makes the placeholder of numbers that iterations read in turn: those of v at off, at
// off+stride and so on. Where they are all the same constant, it is that.
func (r *loopTracer) step(v *Value, off, stride int) autodiff.Ref {
	key := stepKey{v, off, stride}
	if ref, ok := r.steps[key]; ok {
		return ref
	}
	if stride == 0 && r.f.m.disc != nil {
		return v.Ref(off)
	}
	if last := off + (r.n-1)*stride; last < 0 || last >= len(v.X) {
		r.abort()
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

// stand makes a placeholder for one number an iteration.
func (r *loopTracer) stand(all *Value) autodiff.Ref {
	same := func(x float64) bool { return math.Float64bits(x) == math.Float64bits(all.X[0]) } // 0 is not -0
	if !all.Active() && !slices.ContainsFunc(all.X, func(x float64) bool { return !same(x) }) {
		return autodiff.Ref{Node: autodiff.None}
	}
	return autodiff.Ref{Node: r.body.Step(r.rec.NodeOf(all))}
}

// table evaluates for all iterations, in each as if it were by itself.
func (r *loopTracer) table(t types.Type, evaluate func() *Value) *Value {
	var out *Value
	var columns []*Value
	for i := range r.n {
		r.f.m.countIteration()
		v := r.evalIteration(i, evaluate)
		if i == 0 {
			if v.T.Base == types.TupleBase || v.T.Base.IsComplex() {
				r.abort()
			}
			out = NewValue(t, v.Dims, slices.Clone(v.X))
			for range v.X {
				columns = append(columns, NewValue(types.Vector, []int{r.n}, make([]float64, r.n)))
			}
		}
		if !sameDims(v.Dims, out.Dims) || v.Active() {
			r.abort()
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

// part reads x, a part of a container that no iteration changes, for all iterations.
func (r *loopTracer) part(x *ir.Index, s *slot, list []ir.IndexArg) *Value {
	if out := r.parts[x]; out != nil {
		return out
	}
	if s.v != nil && s.alt != nil && s.alt.base >= 0 {
		m, _ := r.accessPattern(s.v, list)
		return r.discretePart(s, m).as(x.T)
	}
	if s.v == nil || s.alt != nil || s.v.T.Base == types.TupleBase || unit(s.v.T) != 1 {
		r.abort()
	}
	m, _ := r.accessPattern(s.v, list)
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
	out = out.as(x.T)
	if r.f.m.disc != nil && r.pureIndices(x) { // a statement is evaluated for each value of a discrete number
		r.parts[x] = out
	}
	return out
}

// pureIndices reports whether an expression is made of numbers that nothing in the iteration changes and
// no discrete number has a part in.
func (r *loopTracer) pureIndices(x ir.Expr) bool {
	return !slices.ContainsFunc(r.form(x).vars, func(v *ir.Var) bool {
		return v != r.loop && (r.inside[v] || r.f.slot(v).alt != nil)
	})
}

// gathered is the number of v that each iteration finds at place(i).
func (r *loopTracer) gathered(v *Value, place func(i int) int) *Value {
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

// apart reports whether no two iterations meet.
func (c *indexSequence) apart() bool {
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

// place is where a number lies in iteration i that is at off in the first iteration.
func (st *state) place(off, i int) int { return off + (st.at.at(i)-st.at.first)*st.unit }

// read returns a part of a container that iterations write.
func (st *state) read(x *ir.Index, list []ir.IndexArg) *Value {
	r, v := st.r, st.start
	m, sequences := r.accessPattern(v, list)
	for k, list := range sequences {
		for i := range list {
			if k != st.axis && !list[i].uniform() {
				r.abort()
			}
		}
	}
	out := NewValue(m.t, m.dims, make([]float64, len(m.offs)))
	for k, off := range m.offs {
		at := off / st.unit % v.Dims[st.axis]
		w := st.find(off, sequences[st.axis][slices.IndexFunc(sequences[st.axis], func(c indexSequence) bool { return c.at(0) == at+1 })])
		out.X[k] = w.x
		out.Refs = append(out.Refs, w.ref)
	}
	out.dropConstantRefs()
	return out.as(x.T)
}

// find is what an iteration finds at a place, off in the first iteration, that moves in a certain
// way.
func (st *state) find(off int, c indexSequence) written {
	r := st.r
	if r.mixed != nil {
		return st.findMixed(off, c)
	}
	if r.list != nil || st.at.all != nil || c.all != nil {
		if !c.same(&st.at) { // other iterations may have written it
			r.abort()
		}
		return st.number(off, 0)
	}
	behind := st.at.first - c.first
	switch {
	case c.step == st.stride:
		if behind%st.stride != 0 { // between what iterations write
			return written{r.step(st.start, off, c.step*st.unit), st.first[off]}
		}
		return st.number(off, behind/st.stride)
	case c.step == 0 && (behind%st.stride != 0 || -behind/st.stride < 0 || -behind/st.stride >= r.n):
		return written{st.start.Ref(off), st.first[off]} // no iteration writes it
	}
	r.abort()
	return written{}
}

// number is what an iteration finds at a place, off in the first iteration, that is written lag
// iterations before.
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

// earlier is the placeholder of what the iteration lag before this one has written where this
// one writes off.
func (st *state) earlier(off, lag int) autodiff.Ref {
	key := carryKey{off, lag}
	if c, ok := st.carried[key]; ok {
		return c.ref
	}
	next := func() autodiff.Ref { // the iteration's own number
		w := st.number(off, 0)
		return st.r.ref(w.ref, w.x)
	}
	if lag > 1 {
		before := st.earlier(off, lag-1)
		next = func() autodiff.Ref { return before }
	}
	name := carryName{st.v, off - st.inductionOffset(), lag}
	ref, i := st.r.carry(name, st.start, name.off-lag*st.stride*st.unit, next)
	st.carried[key] = carried{ref, i}
	return ref
}

// write stores a part of a container that iterations write.
func (st *state) write(to *ir.Place, x *Value) {
	r, v := st.r, st.start
	var list []ir.IndexArg
	for _, a := range to.Path {
		if a.Indices == nil || !ir.AllSingle(list) {
			r.abort()
		}
		list = append(list, a.Indices...)
	}
	m, sequences := r.accessPattern(v, list)
	for k, list := range sequences {
		for i := range list {
			if k != st.axis && !list[i].uniform() || k == st.axis && !list[i].same(&st.at) {
				r.abort()
			}
		}
	}
	if !sameDims(m.dims, x.Dims) {
		r.abort() // run iteration by iteration, it fails with a message
	}
	for k, off := range m.offs {
		st.written[off] = written{x.Ref(k), x.X[k]}
	}
}

// same reports whether two integers are the same in all iterations.
func (c *indexSequence) same(d *indexSequence) bool {
	return c.first == d.first && c.step == d.step && slices.Equal(c.all, d.all)
}
