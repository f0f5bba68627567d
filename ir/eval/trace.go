// Loops that a recorder keeps: one iteration is recorded with placeholders for what differs between
// iterations.
//
// In that iteration every number that is another one in other iterations depends on a placeholder,
// and is active; so whatever relies on a number (a condition, a size, an index) asks for it by name
// (Machine.guard). Where that number is data, the iterations up to the first in which it is another
// one are tried again by themselves, and then those from there on, or iterations with the same
// number are a variant of their own (trace_variants.go, trace_mixed.go); else the loop is run iteration by
// iteration after all. What an iteration reads of the loop's variable itself are indices of
// containers that no iteration changes, and expressions of data, which are evaluated for all
// iterations; and parts of the containers that iterations write, of which an iteration sees its own
// and earlier ones.

package eval

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A LoopRecorder is a Recorder that can keep loops.
type LoopRecorder interface {
	Recorder
	// TraceLoop begins a loop of so many iterations; nil where loops are unrolled.
	TraceLoop(iterations int) *autodiff.Loop
	// TraceVariant begins the iteration that stands for those at, or for all where that is nil.
	TraceVariant(loop *autodiff.Loop, at []int32) *autodiff.LoopBody
	// AbortVariant drops that iteration. Side effects of it are forgotten.
	AbortVariant()
	// Require reports that node x stands for a call that may be rejected.
	Require(at source.Span, fn *stdlib.Function, args []*Value, x *Value)
	// Pays reports whether to keep a loop of so many independent iterations. apart says
	// that the iteration has calls taken apart.
	Pays(iterations int, apart bool) bool
	// EndLoop ends the loop, and reports whether what was recorded since holds for all iterations.
	// Where it was given up, or that is not so, side effects of its iterations are forgotten.
	EndLoop(variants []*autodiff.LoopBody, kept bool) bool
	// NodeOf is the node of a value.
	NodeOf(v *Value) autodiff.Node
	// Numbers returns what nodes are at the point where the recording is made.
	Numbers(nodes []autodiff.Node) ([][]float64, error)
}

// traceAborted is the panic with which an iteration is given up.
type traceAborted struct{}

// maxCarried is the greatest number of loop-carried numbers.
const maxCarried = 1024

// A loopTracer traces one iteration of a loop, in a frame, in place of all.
type loopTracer struct {
	f      *frame
	rec    LoopRecorder
	body   *autodiff.LoopBody
	s      *ir.For
	loop   *ir.Var
	lo, n  int            // the first iteration, and how many there are
	list   []int          // the iterations, where they do not follow each other
	mixed  *variantTracer // of which these are a variant; nil where no iterations are of another
	states map[*ir.Var]*state
	order  []*state
	next   []func() autodiff.Ref // of the iteration's carries, known when it has run
	steps  map[stepKey]autodiff.Ref
	forms  map[ir.Expr]*form
	inside map[*ir.Var]bool   // variables that an iteration changes
	steady *steadiness        // nil until something asks for it
	wholes map[ir.Expr]*Value // of which iterations pick parts

	picked    [][]int // the iterations by what they pick of numbers of the iteration, where they do
	runLength int     // iterations before one that relies on another number; 0 where that is not known
	variants  [][]int // the iterations by the number that they rely on, where that is known
	split     bool    // a call was taken apart

	numbers int     // how many discrete numbers there are besides those that stand for others
	commons [][]int // what each of these stands for, by iteration
	parts   map[*ir.Index]*Value
	at      source.Span // the current statement, where there is a watcher
}

// traceLoop traces one iteration in place of all, and reports whether that was possible; if not, tried has
// what differs between iterations.
func (f *frame) traceLoop(s *ir.For, iterations iterations) (tried *loopTracer, ok bool) {
	rec := f.m.Rec.(LoopRecorder)
	loop := rec.TraceLoop(iterations.n)
	if loop == nil {
		return nil, false
	}
	r := f.newTracer(s, iterations)
	r.body = rec.TraceVariant(loop, nil)
	before, terms := f.snapshot(), len(f.m.terms)
	if d := f.m.disc; d != nil {
		r.numbers = len(d.low)
		defer func() {
			d.clean(r.numbers)
			if !ok {
				d.failures++
			}
		}()
	}
	if r.try(func() bool {
		return r.begin(s, iterations.induction) && r.run(s, iterations.body) && r.end(before, terms)
	}) {
		return r, true
	}
	if f.m.Watch != nil {
		f.m.Watch.Refused(s.Loc, r.at)
	}
	rec.EndLoop([]*autodiff.LoopBody{r.body}, false)
	copy(f.vars, before)
	f.m.terms = f.m.terms[:terms]
	return r, false
}

// newTracer is of iterations of a loop.
func (f *frame) newTracer(s *ir.For, iterations iterations) *loopTracer {
	return &loopTracer{f: f, rec: f.m.Rec.(LoopRecorder), s: s, loop: s.Var, lo: iterations.lo, n: iterations.n, list: iterations.list, states: map[*ir.Var]*state{},
		steps: map[stepKey]autodiff.Ref{}, forms: map[ir.Expr]*form{}, inside: map[*ir.Var]bool{},
		parts: map[*ir.Index]*Value{}, wholes: map[ir.Expr]*Value{}}
}

// try calls work, which may refuse by panic. An iteration that fails does so when it is run by
// itself, too.
func (r *loopTracer) try(work func() bool) (kept bool) {
	m := r.f.m
	depth := m.depth
	defer func() {
		r.f.tracer, m.tracer, m.depth = nil, nil, depth
		switch e := recover().(type) {
		case nil, traceAborted, stop:
		default:
			panic(e)
		}
	}()
	r.f.tracer, m.tracer = r, r
	return work()
}

// abort returns the iteration up.
func (r *loopTracer) abort() { panic(traceAborted{}) }

// begin puts placeholders in place of loop-carried variables.
func (r *loopTracer) begin(s *ir.For, induction *inductionVars) bool {
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
	induction.placeholders(r)
	r.f.vars[r.loop.Slot] = slot{v: Int(r.lo)}
	var states []ir.State
	if plan := r.f.m.Prog.Recurrences[s]; plan != nil {
		states = plan.States
	}
	for _, p := range states {
		v := r.f.slot(p.Var).v
		if v == nil || v.Fields != nil || v.Elems != nil {
			return false
		}
		st := &state{r: r, v: p.Var, start: v, first: v.X}
		if r.mixed != nil {
			st.first = r.mixed.numbers(r.list[0], p.Var)
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

// first evaluates an index in the first iteration.
func (r *loopTracer) first(x ir.Expr) int {
	return int(r.evalIteration(0, func() *Value { return r.f.expr(x) }).X[0])
}

// value is the loop's variable in iteration i, from 0.
func (r *loopTracer) value(i int) int {
	if r.list != nil {
		return r.list[i]
	}
	return r.lo + i
}

// evalIteration evaluates as in iteration i by itself.
func (r *loopTracer) evalIteration(i int, work func() *Value) *Value {
	f := r.f
	saved := f.vars[r.loop.Slot]
	f.tracer = nil
	f.vars[r.loop.Slot] = slot{v: Int(r.value(i))}
	v := work()
	f.vars[r.loop.Slot] = saved
	f.tracer = r
	return v
}

// run does the iteration.
func (r *loopTracer) run(s *ir.For, body func()) bool {
	r.f.m.countIteration()
	if body != nil {
		body()
		return true
	}
	fl := r.f.stmts(s.Body)
	return fl == next || fl == continuing
}

// carry makes a placeholder for loop-carried variables, and returns its number: what is number i
// of v before the first one.
func (r *loopTracer) carry(name carryName, v *Value, i int, next func() autodiff.Ref) (autodiff.Ref, int) {
	k := len(r.next)
	if k == maxCarried {
		r.abort()
	}
	var x autodiff.Node
	if r.mixed == nil {
		x = r.body.Carry(r.rec.NodeOf(v.number(i)))
	} else {
		k = r.mixed.carry(name, v, i)
		x = r.body.CarryIn(k)
	}
	for len(r.next) <= k {
		r.next = append(r.next, nil)
	}
	r.next[k] = next
	return autodiff.Ref{Node: x}, k
}

// number is number i of a value, as a value.
func (v *Value) number(i int) *Value { return v.slice(types.Real, nil, i, 1) }

// requireUniform refuses where a value that control flow relies on differs between iterations. It
// reports whether the value is one of data.
func (r *loopTracer) requireUniform(v *Value) (data bool) {
	refused, known, data := false, true, true
	for i := range v.X {
		ref := v.Ref(i)
		if !r.differs(ref) {
			data = data && ref.Node == autodiff.None
			continue
		}
		all, ok := r.body.Known(ref)
		if !ok {
			known = false
			break
		}
		refused = r.note(func(t int) int { return int(all[min(t, len(all)-1)]) }) || refused
	}
	if !known {
		r.runLength, r.variants = 0, nil
		r.abort()
	}
	if refused {
		r.abort()
	}
	return data
}

// requireUniformNumber refuses where a number that control flow relies on differs between iterations.
func (r *loopTracer) requireUniformNumber(number func(t int) int) {
	if r.note(number) {
		r.abort()
	}
}

// note notes which iterations have the same number, and reports whether some do not.
func (r *loopTracer) note(number func(t int) int) (differs bool) {
	first := number(0)
	for t := range r.n {
		if number(t) == first {
			continue
		}
		if r.runLength == 0 || t < r.runLength {
			r.runLength = t
		}
		if r.variants == nil {
			r.variants = r.sorted(number)
		}
		return true
	}
	return false
}

// expr evaluates what mentions the loop's variable or is read of what iterations write; nil
// for anything else.
func (r *loopTracer) expr(x ir.Expr) *Value {
	switch x := x.(type) {
	case *ir.Const:
		return nil
	case *ir.Ref:
		if r.states[x.Var] != nil {
			r.abort()
		}
		if x.Var == r.loop {
			return r.table(x.T, func() *Value { return r.f.expr(x) })
		}
		return nil
	case *ir.Index:
		if v, list, ok := ir.Subscripts(x); ok {
			if st := r.states[v]; st != nil {
				return st.read(x, list)
			}
			if !r.inside[v] && r.indexVaries(list) {
				return r.part(x, r.f.slot(v), list)
			}
		} else if base, list := subscripted(x); r.f.m.disc == nil && r.indexVaries(list) && r.unchanging(base) {
			return r.part(x, &slot{v: r.whole(base)}, list)
		}
	}
	if m := r.form(x); m.mentions && r.known(m) {
		return r.table(x.Type(), func() *Value { return r.f.expr(x) })
	}
	return nil
}

// subscripted is what an index list, or several in a row that are of one container, picks parts of.
func subscripted(x *ir.Index) (base ir.Expr, list []ir.IndexArg) {
	if inner, ok := x.X.(*ir.Index); ok {
		if base, first := subscripted(inner); ir.AllSingle(first) {
			return base, append(first[:len(first):len(first)], x.Indices...)
		}
	}
	return x.X, x.Indices
}

// unchanging reports whether an expression is the same in all iterations.
func (r *loopTracer) unchanging(x ir.Expr) bool {
	if r.steady == nil {
		r.steady = &steadiness{memo: &r.f.m.memo, changed: changedIn(r.s)}
	}
	return r.steady.is(x)
}

// whole is the value of an unchanging expression.
func (r *loopTracer) whole(x ir.Expr) *Value {
	v := r.wholes[x]
	if v == nil {
		v = r.f.expr(x)
		r.wholes[x] = v
	}
	return v
}

// A form is what an expression reads.
type form struct {
	mentions bool // the loop's variable
	calm     bool // it has no effects: library functions of variables
	pure     bool // and none of the variables is one that iterations change
	vars     []*ir.Var
}

// form looks into an expression.
func (r *loopTracer) form(x ir.Expr) *form {
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

// known reports whether an expression of such a form can be evaluated for all iterations now.
func (r *loopTracer) known(m *form) bool {
	if !m.pure {
		return false
	}
	for _, v := range m.vars {
		if s := r.f.slot(v); s.v == nil || s.alt != nil || v != r.loop && s.v.Active() {
			return false
		}
	}
	return true
}
