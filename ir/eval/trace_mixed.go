// Recurrences whose iterations are of several variants by data: where something was observed and
// where not, before a change and after, in one regime or another. Each variant is one iteration
// that stands for those of the variant; loop-carried variables, they have in common.

package eval

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
)

// maxChanges is up to how often the variant may change from iteration to iteration for the iterations
// to be tried in pieces.
const maxChanges = maxSegments - 1

// A variantTracer is a loop of several variants that is at work in a frame.
type variantTracer struct {
	f          *frame
	s          *ir.For
	rec        LoopRecorder
	iterations iterations
	loop       *autodiff.Loop
	names      []carryName // of the carries
	number     map[carryName]int
	variants   []*tracedVariant

	plain map[int]map[*ir.Var][]float64 // what variables are before an iteration
}

// A tracedVariant is one that was recorded.
type tracedVariant struct {
	*loopTracer
	after    []slot
	from, to int // terms
}

// traceMixed runs iterations that are of several variants, known so far to be those, and reports
// whether it has; if not, nothing has been run.
func (f *frame) traceMixed(s *ir.For, iterations iterations, variants [][]int) bool {
	m := &variantTracer{f: f, s: s, rec: f.m.Rec.(LoopRecorder), iterations: iterations, number: map[carryName]int{}, plain: map[int]map[*ir.Var][]float64{}}
	if m.loop = m.rec.TraceLoop(iterations.n); m.loop == nil {
		return false
	}
	before, terms := f.snapshot(), len(f.m.terms)
	if m.record(before, variants) && m.end(before) {
		return true
	}
	m.rec.EndLoop(m.recorded(), false)
	copy(f.vars, before)
	f.m.terms = f.m.terms[:terms]
	return false
}

// recorded are the iterations.
func (m *variantTracer) recorded() []*autodiff.LoopBody {
	var out []*autodiff.LoopBody
	for _, k := range m.variants {
		out = append(out, k.body)
	}
	return out
}

// record records an iteration of each variant. Variants that turn out to be several are divided.
func (m *variantTracer) record(before []slot, queue [][]int) bool {
	for ; len(queue) > 0; queue = queue[1:] {
		if len(m.variants)+len(queue) > autodiff.MaxVariants || !m.prepare(queue, before) {
			return false
		}
		k, terms := m.begin(queue[0]), len(m.f.m.terms)
		if k.try(func() bool { return k.begin(m.s, m.iterations.induction) && k.run(m.s, nil) }) {
			k.after, k.from, k.to = m.f.snapshot(), terms, len(m.f.m.terms)
			m.variants = append(m.variants, k)
			copy(m.f.vars, before)
			continue
		}
		m.rec.AbortVariant()
		copy(m.f.vars, before)
		m.f.m.terms = m.f.m.terms[:terms]
		if len(k.variants) == 0 {
			return false
		}
		queue = append(queue, k.variants...)
	}
	return true
}

// begin makes ready for a variant.
func (m *variantTracer) begin(list []int) *tracedVariant {
	at := make([]int32, len(list))
	for i, t := range list {
		at[i] = int32(t - m.iterations.lo)
	}
	k := &tracedVariant{loopTracer: m.f.newTracer(m.s, iterations{lo: list[0], n: len(list), list: list})}
	k.mixed, k.body = m, m.rec.TraceVariant(m.loop, at)
	return k
}

// prepare runs the loop with plain numbers up to the last of the first iterations of variants, so
// that each is recorded with numbers that it has. False where an iteration fails.
func (m *variantTracer) prepare(variants [][]int, before []slot) bool {
	last := -1
	for _, list := range variants {
		if m.plain[list[0]] == nil {
			last = max(last, list[0])
		}
	}
	if last < 0 {
		return true
	}
	f, rec, show, terms := m.f, m.f.m.Rec, m.f.m.Print, len(m.f.m.terms)
	f.m.Rec, f.m.Print = nil, nil
	for i := range f.vars {
		if v := f.vars[i].v; v != nil {
			f.vars[i] = slot{v: v.plain()}
		}
	}
	err := guarded(func() {
		for t := m.iterations.lo; ; t++ {
			if m.plain[t] == nil && slices.ContainsFunc(variants, func(list []int) bool { return list[0] == t }) {
				m.note(t)
			}
			if t == last {
				return
			}
			f.m.countIteration()
			m.iterations.induction.set(f, t)
			f.vars[m.s.Var.Slot] = slot{v: Int(t)}
			f.stmts(m.s.Body)
		}
	})
	copy(f.vars, before)
	f.m.Rec, f.m.Print, f.m.terms = rec, show, f.m.terms[:terms]
	return err == nil
}

// plain is a value without what its numbers depend on.
func (v *Value) plain() *Value {
	w := v.known().constant()
	for _, parts := range []*[]*Value{&w.Fields, &w.Elems} {
		*parts = slices.Clone(*parts)
		for i, x := range *parts {
			(*parts)[i] = x.plain()
		}
	}
	return w
}

// note keeps what variables are before iteration t.
func (m *variantTracer) note(t int) {
	m.plain[t] = map[*ir.Var][]float64{}
	for _, p := range m.f.m.Prog.Recurrences[m.s].States {
		if v := m.f.slot(p.Var).v; v != nil {
			m.plain[t][p.Var] = slices.Clone(v.X)
		}
	}
}

// numbers are what a variable is before iteration t, the first of a variant.
func (m *variantTracer) numbers(t int, v *ir.Var) []float64 { return m.plain[t][v] }

// carry returns the number of loop-carried variables by a name. Before the first iteration it is
// number i of v; where there is no such number, no iteration reads it.
func (m *variantTracer) carry(name carryName, v *Value, i int) int {
	k, ok := m.number[name]
	if !ok {
		init := Real(0)
		if i >= 0 && i < len(v.X) {
			init = v.number(i)
		}
		k = m.loop.Carry(m.rec.NodeOf(init))
		m.names, m.number[name] = append(m.names, name), k
	}
	return k
}

// end closes the loop.
func (m *variantTracer) end(before []slot) bool {
	next := make([][]autodiff.Ref, len(m.variants))
	for i, k := range m.variants {
		if !m.with(k, func() bool { next[i] = k.leave(); return true }) {
			return false
		}
	}
	var list []outcome
	outs := make([][]autodiff.Ref, len(m.variants))
	content := map[*ir.Var]*Value{}
	for i, k := range m.variants {
		var own []outcome
		if !m.with(k, func() (ok bool) { own, ok = m.outcomes(k, content); return ok }) {
			return false
		}
		list, outs[i] = append(list, own...), refs(own)
	}
	if m.loop.Close(m.recorded(), next, outs) != nil || !m.rec.EndLoop(m.recorded(), true) {
		return false
	}
	r := m.lastVariant().loopTracer
	copy(m.f.vars, m.lastVariant().after)
	for v, x := range content {
		m.f.vars[v.Slot] = slot{v: x}
	}
	if !r.distribute(list) {
		return false
	}
	r.forget(before)
	return true
}

// with does work for a variant as if its iteration had just been run.
func (m *variantTracer) with(k *tracedVariant, work func() bool) bool {
	copy(m.f.vars, k.after)
	done := k.try(work)
	k.after = m.f.snapshot()
	return done
}

// lastVariant is that of the last iteration.
func (m *variantTracer) lastVariant() *tracedVariant {
	last := m.iterations.lo + m.iterations.n - 1
	return m.variants[slices.IndexFunc(m.variants, func(k *tracedVariant) bool { return k.list[len(k.list)-1] == last })]
}

// leave returns what an iteration of the variant leaves of all carries, also of those that only
// other variants read.
func (k *tracedVariant) leave() []autodiff.Ref {
	for _, name := range k.mixed.names {
		if st := k.states[name.v]; st != nil {
			st.earlier(name.off+st.inductionOffset(), name.lag)
		}
	}
	out := make([]autodiff.Ref, len(k.mixed.names))
	for i := range out {
		out[i] = k.next[i]()
	}
	return out
}

// outcomes are the nodes of a variant. Containers are shared by all variants; other variables take the
// values of the last iteration's variant.
func (m *variantTracer) outcomes(k *tracedVariant, content map[*ir.Var]*Value) (list []outcome, ok bool) {
	for _, st := range k.order {
		if st.written == nil {
			last := st.last()
			if k == m.lastVariant() {
				list = append(list, last...)
			}
		} else {
			if content[st.v] == nil {
				content[st.v] = st.content()
			}
			list = append(list, st.sequence(content[st.v])...)
		}
	}
	added, ok := k.terms(k.from, k.to)
	return append(list, added...), ok
}

// findMixed is find where iterations of other variants are between those of this one.
func (st *state) findMixed(off int, c indexSequence) written {
	r := st.r
	behind, even := st.at.at(0)-c.at(0), true
	for i := range r.n {
		even = even && st.at.at(i)-c.at(i) == behind
	}
	switch since := (c.at(0)-st.at.at(0))/st.stride + r.place(0); {
	case even && behind%st.stride != 0: // between what iterations write
		return written{r.stand(r.gathered(st.start, func(i int) int { return off + (c.at(i)-c.at(0))*st.unit })), st.first[off]}
	case even:
		return st.number(off, behind/st.stride)
	case c.uniform() && (behind%st.stride != 0 || since < 0 || since >= r.mixed.iterations.n):
		return written{st.start.Ref(off), st.first[off]} // no iteration writes it
	}
	r.abort()
	return written{}
}

// place is where iteration i is in the loop, from 0.
func (r *loopTracer) place(i int) int {
	if r.mixed == nil {
		return i
	}
	return r.list[i] - r.mixed.iterations.lo
}

// inductionOffset is how far the place that the first iteration writes is from that of the loop's first
// one.
func (st *state) inductionOffset() int { return st.r.place(0) * st.stride * st.unit }
