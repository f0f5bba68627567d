// Execution of statements.

package eval

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// flow reports how a statement ended.
type flow uint8

const (
	next flow = iota
	breaking
	continuing
	returning
)

// leaves reports whether a loop ends when its body ended so.
func (fl flow) leaves() bool { return fl == breaking || fl == returning }

// after is how a loop ends that its body made end.
func (fl flow) after() flow {
	if fl == returning {
		return returning
	}
	return next
}

func (f *frame) stmts(body []ir.Stmt) flow {
	top := f.m.sim != nil && f == &f.m.global
	for _, s := range body {
		var fl flow
		if top {
			fl = f.m.sim.step(f, s)
		} else {
			fl = f.stmt(s)
		}
		if fl != next {
			return fl
		}
	}
	return next
}

func (f *frame) stmt(s ir.Stmt) flow {
	f.m.likelihood = f.m.Roles.Likelihood(s)
	if f.m.Watch != nil {
		f.watched(s)
	}
	switch s := s.(type) {
	case *ir.Declare:
		f.declare(s)
	case *ir.Assign:
		if f.m.disc == nil {
			f.assign(&s.To, f.eval(s.X))
			break
		}
		f.storeTable(&s.To, f.enumerate(s.Loc, func() *Value { return f.expr(s.X) }))
	case *ir.Unpack:
		f.unpack(s.To, f.expr(s.X))
	case *ir.TargetAdd:
		if f.m.sim != nil {
			f.generates(s)
		} else if (!s.Jacobian || f.m.Jacobian) && !f.dividedRows(s, s.X) {
			f.addTerm(s.Loc, func() *Value { return f.total(s.Loc, f.eval(s.X)) })
		}
	case *ir.Sample:
		f.sample(s)
	case *ir.Eval:
		f.expr(s.X)
		f.fixed(s.Loc)
	case *ir.Block:
		return f.block(s)
	case *ir.If:
		return f.conditional(s)
	case *ir.For:
		return f.loop(s)
	case *ir.ForEach:
		return f.each(s)
	case *ir.While:
		for f.truth(s.Test) {
			f.fixed(s.Loc)
			f.m.countRecorded(s.Loc)
			if fl := f.stmts(s.Body); fl.leaves() {
				return fl.after()
			}
		}
	case *ir.Jump:
		if s.Break {
			return breaking
		}
		return continuing
	case *ir.Return:
		if s.X != nil {
			f.value = f.eval(s.X)
		}
		return returning
	case *ir.Print:
		f.print(s)
	default:
		panic(fmt.Sprintf("eval: unknown statement %T", s))
	}
	return next
}

// watched passes the watcher a statement, or notes it as the current one of the traced loop.
func (f *frame) watched(s ir.Stmt) {
	if f.m.tracer != nil {
		f.m.tracer.at = s.Span()
	} else if f == &f.m.global {
		f.m.Step(s.Span())
	}
}

// conditional runs one branch or, where the test depends on discrete parameters, each
// under the values that lead to it.
func (f *frame) conditional(s *ir.If) flow {
	run := func(yes bool) flow {
		if yes {
			return f.stmts(s.Then)
		}
		return f.stmts(s.Else)
	}
	if f.m.disc == nil {
		return run(f.truth(s.Test))
	}
	return f.branches(s.Loc, s.Test, func(v *Value) flow { return run(f.m.guard(v).X[0] != 0) })
}

func (f *frame) declare(s *ir.Declare) {
	if s.Init == nil {
		f.vars[s.Var.Slot] = slot{v: Undefined(f.shape(s.Var.Name, s.Var.Decl)), owned: true}
		return
	}
	f.declareAs(s, func() *Value { return f.eval(s.Init) })
}

// declareAs makes a variable and gives it its initial value.
func (f *frame) declareAs(s *ir.Declare, init func() *Value) {
	shape := f.shape(s.Var.Name, s.Var.Decl)
	t := f.enumerate(s.Loc, func() *Value {
		v := init()
		f.m.checkShape(s.Init.Span(), s.Var.Name, s.Var, shape, v)
		return v
	})
	f.vars[s.Var.Slot] = slot{}
	f.storeTable(&ir.Place{Loc: s.Loc, Var: s.Var, T: shape.Type}, t)
}

// assign stores x in a place. Whole variables take the value as it is; parts are
// written in place, after a copy where the variable's value may be shared.
func (f *frame) assign(to *ir.Place, x *Value) {
	if f.m.Kept != nil && f == &f.m.global && f.m.Kept(to.Var) {
		return
	}
	if f.tracer != nil {
		if st := f.tracer.states[to.Var]; st != nil {
			st.write(to, x)
			return
		}
	}
	s := f.variable(to.Var)
	if len(to.Path) == 0 {
		if to.Var.Decl != nil {
			f.m.checkSizes(to.Loc, to.Var.Name, to.Var, s.v, x)
		}
		*s = slot{v: x.viewed(to.T)}
		return
	}
	s.v.known()
	x.known()
	if !s.owned {
		*s = slot{v: s.v.clone(), owned: true, alt: s.alt}
	}
	if s.alt != nil {
		f.overwrite(to, s)
	}
	f.assignPart(to, s.v, to.Path, x)
}

// grows reports whether what has type t and no elements, the variable v or a field of it, takes a value of
// other sizes, as in Stan: an array whose size is zero, or a vector or matrix without entries. Variables that
// are in the output keep their sizes.
func (m *Machine) grows(v *ir.Var, t types.Type, old, x []int) bool {
	if sameDims(old, x) || len(old) != len(x) {
		return false
	}
	for i, n := range old {
		switch {
		case i >= t.Dims:
			return slices.Contains(old[i:], 0) && !m.written(v)
		case n == 0:
			return !m.written(v)
		case n != x[i]:
			return false
		}
	}
	return false
}

// written reports whether a variable is part of each row of output.
func (m *Machine) written(v *ir.Var) bool {
	return slices.Contains(m.Prog.TransformedParameters.Vars, v) || slices.Contains(m.Prog.GeneratedQuantities.Vars, v)
}

// checkSizes fails where a value of other sizes is to take the place of old, which is
// called name and part of v, and does not grow; of tuples it compares what they hold.
func (m *Machine) checkSizes(at source.Span, name string, v *ir.Var, old, x *Value) {
	if old == nil || m.grows(v, old.T, old.Dims, x.Dims) {
		return
	}
	if !sameDims(old.Dims, x.Dims) {
		fail(at, "%s has size %s and cannot hold a value of size %s", name, sizes(old.Dims), sizes(x.Dims))
	}
	for i, e := range old.Elems {
		m.checkSizes(at, name+"["+strconv.Itoa(i+1)+"]", v, e, x.Elems[i])
	}
	for i, field := range old.Fields {
		m.checkSizes(at, name+"."+strconv.Itoa(i+1), v, field, x.Fields[i])
	}
}

func (f *frame) assignPart(to *ir.Place, v *Value, path []ir.Access, x *Value) {
	step := path[0]
	last := len(path) == 1
	if step.Indices == nil {
		if last {
			f.m.checkSizes(to.Loc, to.Loc.Text(), to.Var, v.Fields[step.Field], x)
			v.Fields[step.Field] = x.clone()
			return
		}
		f.assignPart(to, v.Fields[step.Field], path[1:], x)
		return
	}
	if last {
		f.store(to, v, step.Indices, x)
		return
	}
	if v.T.Base == types.TupleBase {
		s := f.selection(to.Loc, step.Indices, v.Dims)
		f.assignPart(to, v.Elems[s.offsets(v.T, v.Dims)[0]], path[1:], x)
		return
	}
	// x[i][j] = ...: change the part and put it back.
	part := f.pick(to.Loc, v, step.Indices)
	f.assignPart(to, part, path[1:], x)
	f.store(to, v, step.Indices, part)
}

func (f *frame) unpack(to []ir.UnpackTo, x *Value) {
	for i := range to {
		v := promote(x.Fields[i], to[i].T)
		if to[i].Place == nil {
			f.unpack(to[i].Nested, v)
			continue
		}
		f.assign(to[i].Place, v)
	}
}

func (f *frame) block(s *ir.Block) flow {
	if s.Profile != "" && f.m.Profile != nil {
		defer f.m.Profile(s.Profile)()
	}
	return f.stmts(s.Body)
}

func (f *frame) loop(s *ir.For) flow {
	lo, hi := f.integer(s.Lo), f.integer(s.Hi)
	f.fixed(s.Loc)
	if f.canTrace(s) {
		if lo <= hi {
			f.callSteady(s)
		}
		if a, ok := f.followed(s, lo, hi); ok {
			return f.kept(s, lo, hi, a)
		}
	}
	return f.iterate(s, lo, hi)
}

// kept runs a loop of which iterations may stand for others.
func (f *frame) kept(s *ir.For, lo, hi int, a *inductionVars) flow {
	switch {
	case f.traceVariants(s, lo, hi, a):
		return next
	case f.m.disc != nil:
		return f.iterate(s, lo, hi)
	}
	for tries := 0; lo <= hi; {
		done, end := f.traceSegments(s, lo, hi, a, &tries)
		a.set(f, lo+done)
		if fl := f.iterate(s, lo+done, end); fl != next {
			return fl
		}
		lo = end + 1
	}
	return next
}

// iterate runs iterations one by one.
func (f *frame) iterate(s *ir.For, lo, hi int) flow {
	for i := lo; i <= hi; i++ {
		f.m.countRecorded(s.Loc)
		f.vars[s.Var.Slot] = slot{v: Int(i)}
		if fl := f.stmts(s.Body); fl.leaves() {
			return fl.after()
		}
	}
	return next
}

// each runs a loop over a container: rows of arrays, single numbers of vectors and
// matrices.
func (f *frame) each(s *ir.ForEach) flow {
	v := f.expr(s.X)
	f.fixed(s.Loc)
	for i := range v.length() {
		f.vars[s.Var.Slot] = slot{v: v.element(i)}
		if f.drop.on {
			f.drop.bind(s.Var, f.varies(s.X))
		}
		if fl := f.stmts(s.Body); fl.leaves() {
			return fl.after()
		}
	}
	return next
}

// Section is the n elements of an array from element from (counted from 0) on.
func (v *Value) Section(from, n int) *Value {
	dims := append([]int{n}, v.Dims[1:]...)
	each := product(v.Dims[1:])
	if v.T.Base == types.TupleBase {
		out := NewValue(v.T, dims, nil)
		out.Elems = v.Elems[from*each : (from+n)*each]
		return out
	}
	each *= unit(v.T)
	return v.slice(v.T, dims, from*each, n*each)
}

// length is how many elements there are: rows of an array, or numbers of a vector or matrix.
func (v *Value) length() int {
	if v.T.Dims > 0 {
		return v.Dims[0]
	}
	return product(v.Dims)
}

// element returns element i of an array, or number i of a vector or matrix.
func (v *Value) element(i int) *Value {
	if v.T.Dims == 0 {
		u := unit(v.T)
		return v.slice(v.T.Scalar(), nil, i*u, u)
	}
	t, dims := v.T.Elem(), v.Dims[1:]
	n := product(dims)
	if t.Base == types.TupleBase {
		if t.Dims == 0 {
			return v.Elems[i]
		}
		out := NewValue(t, dims, nil)
		out.Elems = v.Elems[i*n : (i+1)*n]
		return out
	}
	n *= unit(t)
	return v.slice(t, dims, i*n, n)
}

// total adds up a container for "target +=".
func (f *frame) total(at source.Span, v *Value) *Value {
	if len(v.Dims) == 0 {
		return v.as(types.Real)
	}
	return f.sum(at, v)
}

// Total is the log density accumulated so far.
func (m *Machine) Total(at source.Span) *Value {
	parts := make([]*Value, len(m.terms))
	for i, t := range m.terms {
		parts[i] = t.Value.known()
	}
	if len(parts) == 0 {
		return Real(0)
	}
	return m.global.sum(at, join(types.ArrayOf(types.Real, 1), []int{len(parts)}, parts))
}

// sum adds up the numbers of a container.
func (f *frame) sum(at source.Span, v *Value) *Value {
	return f.kernel(at, sumFunction, types.Real, []*Value{v.as(types.ArrayOf(types.Real, 1))})
}

// print writes print's text, or stops with that of reject and fatal_error.
func (f *frame) print(s *ir.Print) {
	if f.m.tracer != nil {
		f.m.tracer.abort()
	}
	text := ""
	for _, x := range s.Args {
		if t, ok := x.(*ir.Text); ok {
			text += t.S
			continue
		}
		text += Format(f.expr(x))
	}
	switch s.Kind {
	case ir.PrintOut:
		if f.m.Print != nil {
			f.m.Print(text)
		}
	default:
		if text == "" {
			text = [...]string{ir.Reject: "reject()", ir.Fatal: "fatal_error()"}[s.Kind]
		}
		panic(stop{&Error{Span: s.Loc, Text: text, Reject: s.Kind == ir.Reject}})
	}
}
