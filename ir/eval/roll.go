// Loops that a recorder keeps: one round is recorded with stand-ins for what differs from
// round to round.
//
// In that round every number that is another one in other rounds depends on a stand-in,
// and is active; so whatever relies on a number (a condition, a size, an index) asks for
// it by name (Machine.settled). Where that number is data, the rounds up to the first in which
// it is another one are tried again by themselves, and then those from there on; else the
// loop is run round by round after all. What a
// round reads of the loop's variable itself are indices of containers that no round
// changes, and expressions of data, which are evaluated for all rounds; and parts of the
// containers that rounds write, of which a round sees its own and earlier ones.

package eval

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A Roller is a Recorder that can keep loops.
type Roller interface {
	Recorder
	// Roll begins a round that stands for so many; nil where loops are written out.
	Roll(rounds int) *autodiff.Round
	// Pays says whether to keep a loop of so many rounds that hand nothing on.
	Pays(rounds int) bool
	// EndRoll ends it, and says whether what was recorded since holds for all rounds.
	// Where it was given up, or that is not so, side effects of the round are forgotten.
	EndRoll(r *autodiff.Round, kept bool) bool
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
	round  *autodiff.Round
	loop   *ir.Var
	lo, n  int
	states map[*ir.Var]*state
	order  []*state
	next   []func() autodiff.Ref // of the round's carries, known when it has run
	steps  map[stepKey]autodiff.Ref
	forms  map[ir.Expr]*form
	inside map[*ir.Var]bool // variables that a round changes

	observed map[*ir.Var]bool // of those, which rounds leave observed
	again    bool             // there are more of them than was thought
	alike    int              // rounds before one that relies on another number; 0 where that is not known
}

// mostPieces is how often a loop is tried to be run as one round: at its beginning, and
// from rounds on that are unlike those before.
const mostPieces = 4

// pieces runs rounds from lo on as one round for all where that can be done, and gives how
// many it has run. The rounds after these, up to end, are to be run one by one; tries counts.
func (f *frame) pieces(s *ir.For, lo, hi int, tries *int) (done, end int) {
	if f.m.Rec == nil || *tries == mostPieces {
		return 0, hi
	}
	*tries++
	ok, alike := f.roll(s, lo, hi)
	switch {
	case ok:
		return hi - lo + 1, hi
	case alike == 0:
		*tries = mostPieces
		return 0, hi
	}
	end = lo + alike - 1
	if ok, _ = f.roll(s, lo, end); ok {
		return alike, end
	}
	return 0, end
}

// roll runs a loop as one round for all, and says whether it has; if not, alike are the
// rounds that may be tried instead.
func (f *frame) roll(s *ir.For, lo, hi int) (ok bool, alike int) {
	rec, ok := f.m.Rec.(Roller)
	plan := f.m.Prog.Recurrences[s]
	if !ok || plan == nil || hi <= lo || f.m.rolling != nil || f.m.disc != nil || f.m.sim != nil || f.m.Kept != nil {
		return false, 0
	}
	if len(plan.States) == 0 && !rec.Pays(hi-lo+1) {
		return false, 0
	}
	for seen := map[*ir.Var]bool{}; ; {
		round := rec.Roll(hi - lo + 1)
		if round == nil {
			return false, 0
		}
		r := &rolling{f: f, rec: rec, round: round, loop: s.Var, lo: lo, n: hi - lo + 1, states: map[*ir.Var]*state{},
			steps: map[stepKey]autodiff.Ref{}, forms: map[ir.Expr]*form{}, inside: map[*ir.Var]bool{}, observed: seen}
		before, terms := f.snapshot(), len(f.m.terms)
		if r.try(func() bool { return r.begin(s, plan) && r.run(s) && r.end(before, terms) }) {
			return true, 0
		}
		copy(f.vars, before)
		f.m.terms = f.m.terms[:terms]
		if !r.again {
			return false, r.alike
		}
	}
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
			if !kept {
				r.rec.EndRoll(r.round, false)
			}
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
func (r *rolling) begin(s *ir.For, plan *ir.Recurrence) bool {
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
	r.f.vars[r.loop.Slot] = slot{v: Int(r.lo)}
	for _, p := range plan.States {
		v := r.f.slot(p.Var).v
		if v == nil || v.Fields != nil || v.Elems != nil {
			return false
		}
		st := &state{r: r, v: p.Var, start: v, observed: v.Observed || r.observed[p.Var]}
		r.order = append(r.order, st)
		if p.At == nil {
			if !st.carryAll() {
				return false
			}
			continue
		}
		r.states[p.Var] = st
		st.axis = p.Axis
		st.at = r.first(p.At)
		st.stride = strides(v.T, v.Dims)[p.Axis]
		st.written = map[int]written{}
		st.carried = map[carryKey]carried{}
	}
	return true
}

// first evaluates an index in the first round.
func (r *rolling) first(x ir.Expr) int {
	return int(r.aside(r.lo, func() *Value { return r.f.expr(x) }).X[0])
}

// aside evaluates as in a round by itself.
func (r *rolling) aside(t int, work func() *Value) *Value {
	f := r.f
	saved := f.vars[r.loop.Slot]
	f.rolling = nil
	f.vars[r.loop.Slot] = slot{v: Int(t)}
	v := work()
	f.vars[r.loop.Slot] = saved
	f.rolling = r
	return v
}

// run does the round.
func (r *rolling) run(s *ir.For) bool {
	r.f.m.round()
	return r.f.stmts(s.Body) == onward
}

// carry makes a stand-in for what rounds hand on: number i of v before the first one.
func (r *rolling) carry(v *Value, i int, next func() autodiff.Ref) autodiff.Ref {
	if len(r.next) == mostCarried {
		r.refuse()
	}
	r.next = append(r.next, next)
	return autodiff.Ref{Node: r.round.Carry(r.rec.NodeOf(v.number(i)))}
}

// number is number i of a value, as a value.
func (v *Value) number(i int) *Value { return v.slice(types.Real, nil, i, 1) }

// rely refuses where a value that control flow relies on differs from round to round.
func (r *rolling) rely(v *Value) {
	refused := false
	for i := range v.X {
		ref := v.Ref(i)
		if !r.differs(ref) {
			continue
		}
		refused = true
		all, ok := r.round.Known(ref)
		if !ok {
			r.alike = 0
			break
		}
		t := slices.IndexFunc(all, func(x float64) bool { return x != all[0] })
		if t > 0 && (r.alike == 0 || t < r.alike) {
			r.alike = t
		}
	}
	if refused {
		r.refuse()
	}
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
			if r.form(x).mentions && !r.inside[v] {
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
	pure     bool // nothing but data and library functions
	vars     []*ir.Var
}

func (r *rolling) form(x ir.Expr) *form {
	if m := r.forms[x]; m != nil {
		return m
	}
	m := &form{pure: true}
	ir.InspectExpr(x, func(n any) bool {
		switch n := n.(type) {
		case *ir.Ref:
			m.mentions = m.mentions || n.Var == r.loop
			m.pure = m.pure && (n.Var == r.loop || !r.inside[n.Var])
			m.vars = append(m.vars, n.Var)
		case *ir.UserCall, *ir.FuncRef, *ir.Target:
			m.pure = false
		case *ir.Call:
			fn, ok := n.Fn.(*stdlib.Function)
			m.pure = m.pure && ok && fn.Draw == nil && fn.Higher == "" && fn.Jacobian == nil
		}
		return true
	})
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
