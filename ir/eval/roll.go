// Loops that a recorder keeps: one round is recorded with stand-ins for what differs from
// round to round.
//
// In that round every number that is another one in other rounds depends on a stand-in,
// and is active; so whatever relies on a number (a condition, a size, an index) asks for
// it by name (Machine.settled). Where that number is data, the rounds up to the first in which
// it is another one are tried again by themselves, and then those from there on, or rounds with
// the same number are a kind of their own (roll_kinds.go, roll_mixed.go); else the
// loop is run round by round after all. What a
// round reads of the loop's variable itself are indices of containers that no round
// changes, and expressions of data, which are evaluated for all rounds; and parts of the
// containers that rounds write, of which a round sees its own and earlier ones.

package eval

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A Roller is a Recorder that can keep loops.
type Roller interface {
	Recorder
	// Roll begins a loop of so many rounds; nil where loops are written out.
	Roll(rounds int) *autodiff.Loop
	// Kind begins the round that stands for those at, or for all where that is nil.
	Kind(loop *autodiff.Loop, at []int32) *autodiff.LoopBody
	// DropKind gives that round up. Side effects of it are forgotten.
	DropKind()
	// Require says that x stands for a call, which may be rejected.
	Require(at source.Span, fn *stdlib.Function, args []*Value, x *Value)
	// Pays says whether to keep a loop of so many rounds that hand nothing on. apart says that
	// the round has calls taken apart.
	Pays(rounds int, apart bool) bool
	// EndRoll ends the loop, and says whether what was recorded since holds for all rounds.
	// Where it was given up, or that is not so, side effects of its rounds are forgotten.
	EndRoll(kinds []*autodiff.LoopBody, kept bool) bool
	// NodeOf is the node of a value.
	NodeOf(v *Value) autodiff.Node
	// Numbers gives what nodes are at the point where the recording is made.
	Numbers(nodes []autodiff.Node) ([][]float64, error)
}

// refusal is the panic with which a round is given up.
type refusal struct{}

// mostCarried is the greatest number of numbers that rounds hand on.
const mostCarried = 1024

// A rolling is a loop whose one round is at work in a frame.
type rolling struct {
	f      *frame
	rec    Roller
	round  *autodiff.LoopBody
	loop   *ir.Var
	lo, n  int      // the first round, and how many there are
	list   []int    // the rounds, where they do not follow each other
	mix    *mixture // of which these are a kind; nil where no rounds are of another
	states map[*ir.Var]*state
	order  []*state
	next   []func() autodiff.Ref // of the round's carries, known when it has run
	steps  map[stepKey]autodiff.Ref
	forms  map[ir.Expr]*form
	inside map[*ir.Var]bool // variables that a round changes

	picked [][]int // the rounds by what they pick of numbers of the round, where they do
	alike  int     // rounds before one that relies on another number; 0 where that is not known
	kinds  [][]int // the rounds by the number that they rely on, where that is known
	apart  bool    // a call was taken apart
}

// roll runs rounds as one for all, and says whether it has; if not, tried says on what they
// differ.
func (f *frame) roll(s *ir.For, rounds rounds) (tried *rolling, ok bool) {
	rec := f.m.Rec.(Roller)
	loop := rec.Roll(rounds.n)
	if loop == nil {
		return nil, false
	}
	r := f.newRolling(s, rounds)
	r.round = rec.Kind(loop, nil)
	before, terms := f.snapshot(), len(f.m.terms)
	if r.try(func() bool { return r.begin(s, rounds.ahead) && r.run(s) && r.end(before, terms) }) {
		return r, true
	}
	rec.EndRoll([]*autodiff.LoopBody{r.round}, false)
	copy(f.vars, before)
	f.m.terms = f.m.terms[:terms]
	return r, false
}

// newRolling is of rounds of a loop.
func (f *frame) newRolling(s *ir.For, rounds rounds) *rolling {
	return &rolling{f: f, rec: f.m.Rec.(Roller), loop: s.Var, lo: rounds.lo, n: rounds.n, list: rounds.list, states: map[*ir.Var]*state{},
		steps: map[stepKey]autodiff.Ref{}, forms: map[ir.Expr]*form{}, inside: map[*ir.Var]bool{}}
}

// try calls work, which may refuse by panic. A round that fails does so when it is run by
// itself, too.
func (r *rolling) try(work func() bool) (kept bool) {
	m := r.f.m
	depth := m.depth
	defer func() {
		r.f.rolling, m.rolling, m.depth = nil, nil, depth
		switch e := recover().(type) {
		case nil, refusal, stop:
		default:
			panic(e)
		}
	}()
	r.f.rolling, m.rolling = r, r
	return work()
}

// refuse gives the round up.
func (r *rolling) refuse() { panic(refusal{}) }

// begin puts stand-ins in place of what rounds hand on.
func (r *rolling) begin(s *ir.For, ahead *ahead) bool {
	ir.Inspect(s.Body, func(n any) bool {
		switch n := n.(type) {
		case *ir.Declare:
			r.inside[n.Var] = true
		case *ir.Assign:
			r.inside[n.To.Var] = true
		case *ir.ForEach:
			r.inside[n.Var] = true
		}
		return true
	})
	r.inside[r.loop] = true
	ahead.stand(r)
	r.f.vars[r.loop.Slot] = slot{v: Int(r.lo)}
	for _, p := range r.f.m.Prog.Recurrences[s].States {
		v := r.f.slot(p.Var).v
		if v == nil || v.Fields != nil || v.Elems != nil {
			return false
		}
		st := &state{r: r, v: p.Var, start: v, first: v.X}
		if r.mix != nil {
			st.first = r.mix.numbers(r.list[0], p.Var)
		}
		r.order = append(r.order, st)
		if !st.partly(p) {
			if !st.carryAll() {
				return false
			}
			continue
		}
		r.states[p.Var] = st
		st.unit = strides(v.T, v.Dims)[p.Axis]
		st.written = map[int]written{}
		st.carried = map[carryKey]carried{}
	}
	return true
}

// first evaluates an index in the first round.
func (r *rolling) first(x ir.Expr) int {
	return int(r.aside(0, func() *Value { return r.f.expr(x) }).X[0])
}

// value is the loop's variable in round i, from 0.
func (r *rolling) value(i int) int {
	if r.list != nil {
		return r.list[i]
	}
	return r.lo + i
}

// aside evaluates as in round i by itself.
func (r *rolling) aside(i int, work func() *Value) *Value {
	f := r.f
	saved := f.vars[r.loop.Slot]
	f.rolling = nil
	f.vars[r.loop.Slot] = slot{v: Int(r.value(i))}
	v := work()
	f.vars[r.loop.Slot] = saved
	f.rolling = r
	return v
}

// run does the round.
func (r *rolling) run(s *ir.For) bool {
	r.f.m.round()
	fl := r.f.stmts(s.Body)
	return fl == onward || fl == continuing
}

// carry makes a stand-in for what rounds hand on, and gives its number: what is number i of v
// before the first one.
func (r *rolling) carry(name carryName, v *Value, i int, next func() autodiff.Ref) (autodiff.Ref, int) {
	k := len(r.next)
	if k == mostCarried {
		r.refuse()
	}
	var x autodiff.Node
	if r.mix == nil {
		x = r.round.Carry(r.rec.NodeOf(v.number(i)))
	} else {
		k = r.mix.carry(name, v, i)
		x = r.round.CarryIn(k)
	}
	for len(r.next) <= k {
		r.next = append(r.next, nil)
	}
	r.next[k] = next
	return autodiff.Ref{Node: x}, k
}

// number is number i of a value, as a value.
func (v *Value) number(i int) *Value { return v.slice(types.Real, nil, i, 1) }

// rely refuses where a value that control flow relies on differs from round to round. It says
// whether the value is one of data.
func (r *rolling) rely(v *Value) (data bool) {
	refused, known, data := false, true, true
	for i := range v.X {
		ref := v.Ref(i)
		if !r.differs(ref) {
			data = data && ref.Node == autodiff.None
			continue
		}
		all, ok := r.round.Known(ref)
		if !ok {
			known = false
			break
		}
		refused = r.note(func(t int) int { return int(all[min(t, len(all)-1)]) }) || refused
	}
	if !known {
		r.alike, r.kinds = 0, nil
		r.refuse()
	}
	if refused {
		r.refuse()
	}
	return data
}

// relyOn refuses where a number that control flow relies on differs from round to round.
func (r *rolling) relyOn(number func(t int) int) {
	if r.note(number) {
		r.refuse()
	}
}

// note notes which rounds have the same number, and says whether some do not.
func (r *rolling) note(number func(t int) int) (differs bool) {
	first := number(0)
	for t := range r.n {
		if number(t) == first {
			continue
		}
		if r.alike == 0 || t < r.alike {
			r.alike = t
		}
		if r.kinds == nil {
			r.kinds = r.sorted(number)
		}
		return true
	}
	return false
}

// expr evaluates what mentions the loop's variable or is read of what rounds write; nil
// for anything else.
func (r *rolling) expr(x ir.Expr) *Value {
	switch x := x.(type) {
	case *ir.Const:
		return nil
	case *ir.Ref:
		if r.states[x.Var] != nil {
			r.refuse()
		}
		if x.Var == r.loop {
			return r.table(x.T, func() *Value { return r.f.expr(x) })
		}
		return nil
	case *ir.Index:
		if v, list, ok := whole(x); ok {
			if st := r.states[v]; st != nil {
				return st.read(x, list)
			}
			if !r.inside[v] && r.moves(list) {
				return r.part(x, v, list)
			}
		}
	}
	if m := r.form(x); m.mentions && r.known(m) {
		return r.table(x.Type(), func() *Value { return r.f.expr(x) })
	}
	return nil
}

// A form is what an expression reads.
type form struct {
	mentions bool // the loop's variable
	calm     bool // it has no effects: library functions of variables
	pure     bool // and none of the variables is one that rounds change
	vars     []*ir.Var
}

// form looks into an expression.
func (r *rolling) form(x ir.Expr) *form {
	if m := r.forms[x]; m != nil {
		return m
	}
	m := &form{calm: true, pure: true}
	ir.InspectExpr(x, func(n any) bool {
		switch n := n.(type) {
		case *ir.Ref:
			m.mentions = m.mentions || n.Var == r.loop
			m.pure = m.pure && (n.Var == r.loop || !r.inside[n.Var])
			m.vars = append(m.vars, n.Var)
		case *ir.UserCall, *ir.FuncRef, *ir.Target:
			m.calm = false
		case *ir.Call:
			fn, ok := n.Fn.(*stdlib.Function)
			m.calm = m.calm && ok && fn.Draw == nil && fn.Higher == "" && fn.Jacobian == nil
		}
		return true
	})
	m.pure = m.pure && m.calm
	r.forms[x] = m
	return m
}

// known says whether an expression of such a form can be evaluated for all rounds now.
func (r *rolling) known(m *form) bool {
	if !m.pure {
		return false
	}
	for _, v := range m.vars {
		if s := r.f.slot(v); s.v == nil || v != r.loop && s.v.Active() {
			return false
		}
	}
	return true
}

// whole gives the variable that is indexed and all its indices: x[i][j] is x[i, j].
func whole(x *ir.Index) (*ir.Var, []ir.IndexArg, bool) {
	switch inner := x.X.(type) {
	case *ir.Ref:
		return inner.Var, x.Indices, true
	case *ir.Index:
		v, list, ok := whole(inner)
		if !ok || !singles(list) {
			return nil, nil, false
		}
		return v, append(list[:len(list):len(list)], x.Indices...), true
	}
	return nil, nil, false
}

func singles(list []ir.IndexArg) bool {
	for i := range list {
		if list[i].Kind != ir.Single {
			return false
		}
	}
	return true
}
