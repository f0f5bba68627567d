// Recurrences whose rounds are of several kinds by data: where something was observed and where
// not, before a change and after, in one regime or another. Each kind is one round that stands for
// those of the kind; what rounds hand on, they have in common.

package eval

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
)

// mostChanges is up to how often the kind may change from round to round for the rounds to be
// tried in pieces.
const mostChanges = mostPieces - 1

// A mixture is a loop of several kinds of rounds that is at work in a frame.
type mixture struct {
	f      *frame
	s      *ir.For
	rec    Roller
	rounds rounds
	loop   *autodiff.Loop
	names  []carryName // of the carries
	number map[carryName]int
	kinds  []*kind

	plain map[int]map[*ir.Var][]float64 // what variables are before a round
}

// A kind is one that was recorded.
type kind struct {
	*rolling
	after    []slot
	from, to int // terms
}

// mixed runs rounds that are of several kinds, known so far to be those, and says whether it has;
// if not, nothing has been run.
func (f *frame) mixed(s *ir.For, rounds rounds, kinds [][]int) bool {
	m := &mixture{f: f, s: s, rec: f.m.Rec.(Roller), rounds: rounds, number: map[carryName]int{}, plain: map[int]map[*ir.Var][]float64{}}
	if m.loop = m.rec.Roll(rounds.n); m.loop == nil {
		return false
	}
	before, terms := f.snapshot(), len(f.m.terms)
	if m.record(before, kinds) && m.end(before) {
		return true
	}
	m.rec.EndRoll(m.recorded(), false)
	copy(f.vars, before)
	f.m.terms = f.m.terms[:terms]
	return false
}

// recorded are the rounds.
func (m *mixture) recorded() []*autodiff.LoopBody {
	var out []*autodiff.LoopBody
	for _, k := range m.kinds {
		out = append(out, k.round)
	}
	return out
}

// record records a round of each kind. Kinds that turn out to be several are divided.
func (m *mixture) record(before []slot, queue [][]int) bool {
	for ; len(queue) > 0; queue = queue[1:] {
		if len(m.kinds)+len(queue) > autodiff.MaxVariants || !m.prepare(queue, before) {
			return false
		}
		k, terms := m.begin(queue[0]), len(m.f.m.terms)
		if k.try(func() bool { return k.begin(m.s, m.rounds.ahead) && k.run(m.s) }) {
			k.after, k.from, k.to = m.f.snapshot(), terms, len(m.f.m.terms)
			m.kinds = append(m.kinds, k)
			copy(m.f.vars, before)
			continue
		}
		m.rec.DropKind()
		copy(m.f.vars, before)
		m.f.m.terms = m.f.m.terms[:terms]
		if len(k.kinds) == 0 {
			return false
		}
		queue = append(queue, k.kinds...)
	}
	return true
}

// begin makes ready for a kind.
func (m *mixture) begin(list []int) *kind {
	at := make([]int32, len(list))
	for i, t := range list {
		at[i] = int32(t - m.rounds.lo)
	}
	k := &kind{rolling: m.f.newRolling(m.s, rounds{lo: list[0], n: len(list), list: list})}
	k.mix, k.round = m, m.rec.Kind(m.loop, at)
	return k
}

// prepare runs the loop with plain numbers up to the last of the first rounds of kinds, so that each
// is recorded with numbers that it has. False where a round fails.
func (m *mixture) prepare(kinds [][]int, before []slot) bool {
	last := -1
	for _, list := range kinds {
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
		for t := m.rounds.lo; ; t++ {
			if m.plain[t] == nil && slices.ContainsFunc(kinds, func(list []int) bool { return list[0] == t }) {
				m.note(t)
			}
			if t == last {
				return
			}
			f.m.round()
			m.rounds.ahead.set(f, t)
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

// note keeps what variables are before round t.
func (m *mixture) note(t int) {
	m.plain[t] = map[*ir.Var][]float64{}
	for _, p := range m.f.m.Prog.Recurrences[m.s].States {
		if v := m.f.slot(p.Var).v; v != nil {
			m.plain[t][p.Var] = slices.Clone(v.X)
		}
	}
}

// numbers are what a variable is before round t, the first of a kind.
func (m *mixture) numbers(t int, v *ir.Var) []float64 { return m.plain[t][v] }

// carry gives the number of what rounds hand on by a name. Before the first round it is number i of
// v; where there is no such number, no round reads it.
func (m *mixture) carry(name carryName, v *Value, i int) int {
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
func (m *mixture) end(before []slot) bool {
	next := make([][]autodiff.Ref, len(m.kinds))
	for i, k := range m.kinds {
		if !m.with(k, func() bool { next[i] = k.leave(); return true }) {
			return false
		}
	}
	var list []outcome
	outs := make([][]autodiff.Ref, len(m.kinds))
	content := map[*ir.Var]*Value{}
	for i, k := range m.kinds {
		var own []outcome
		if !m.with(k, func() (ok bool) { own, ok = m.outcomes(k, content); return ok }) {
			return false
		}
		list, outs[i] = append(list, own...), refs(own)
	}
	if m.loop.Close(m.recorded(), next, outs) != nil || !m.rec.EndRoll(m.recorded(), true) {
		return false
	}
	r := m.lastKind().rolling
	copy(m.f.vars, m.lastKind().after)
	for v, x := range content {
		m.f.vars[v.Slot] = slot{v: x}
	}
	if !r.distribute(list) {
		return false
	}
	r.forget(before)
	return true
}

// with does work for a kind as if its round had just been run.
func (m *mixture) with(k *kind, work func() bool) bool {
	copy(m.f.vars, k.after)
	done := k.try(work)
	k.after = m.f.snapshot()
	return done
}

// lastKind is that of the last round.
func (m *mixture) lastKind() *kind {
	last := m.rounds.lo + m.rounds.n - 1
	return m.kinds[slices.IndexFunc(m.kinds, func(k *kind) bool { return k.list[len(k.list)-1] == last })]
}

// leave gives what a round of the kind leaves of all carries, also of those that only other kinds
// read.
func (k *kind) leave() []autodiff.Ref {
	for _, name := range k.mix.names {
		if st := k.states[name.v]; st != nil {
			st.earlier(name.off+st.ahead(), name.lag)
		}
	}
	out := make([]autodiff.Ref, len(k.mix.names))
	for i := range out {
		out[i] = k.next[i]()
	}
	return out
}

// outcomes are those of a kind. Containers are shared by all kinds, and what becomes of other
// variables is what the last round's leaves.
func (m *mixture) outcomes(k *kind, content map[*ir.Var]*Value) (list []outcome, ok bool) {
	for _, st := range k.order {
		if st.written == nil {
			last := st.last()
			if k == m.lastKind() {
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

// findMixed is find where rounds of other kinds are between those of this one.
func (st *state) findMixed(off int, c course) written {
	r := st.r
	behind, even := st.at.at(0)-c.at(0), true
	for i := range r.n {
		even = even && st.at.at(i)-c.at(i) == behind
	}
	switch since := (c.at(0)-st.at.at(0))/st.stride + r.place(0); {
	case even && behind%st.stride != 0: // between what rounds write
		return written{r.stand(r.gathered(st.start, func(i int) int { return off + (c.at(i)-c.at(0))*st.unit })), st.first[off]}
	case even:
		return st.number(off, behind/st.stride)
	case c.steady() && (behind%st.stride != 0 || since < 0 || since >= r.mix.rounds.n):
		return written{st.start.Ref(off), st.first[off]} // no round writes it
	}
	r.refuse()
	return written{}
}

// place is where round i is in the loop, from 0.
func (r *rolling) place(i int) int {
	if r.mix == nil {
		return i
	}
	return r.list[i] - r.mix.rounds.lo
}

// ahead is how far the place that the first round writes is from that of the loop's first one.
func (st *state) ahead() int { return st.r.place(0) * st.stride * st.unit }
