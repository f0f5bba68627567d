// Discrete parameters: statements evaluated for every value that they depend on.
//
// A discrete parameter has no value while the density is recorded. Each statement is
// evaluated under an assignment of the discrete numbers that it reads; which these are
// shows while it is evaluated, and it is then evaluated again for all of their joint
// values. What it adds to the log density becomes a factor: a table over those
// numbers. What it stores becomes an alternative of the variable. Vectorised
// statements are taken apart first, so that the factors stay small (split.go), and
// the factors are summed out by variable elimination (eliminate.go).

package eval

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// MaxTable is the greatest number of entries of a table over discrete parameters.
const MaxTable = 10_000_000

// A discreteState knows the discrete numbers of a program.
type discreteState struct {
	low     []int // least value
	count   []int // number of values
	value   []int // under the present assignment, from 0
	pinned  []int // how many enclosing statements fix the number
	touched []int // numbers read since the last reset, each once
	reach   []reach
	mark    []bool
	names   []string
	calls   calls // of the current statement
	refusal error // the last one of a mass function, since the statement began

	pins     int // how many statements are at work that fix numbers
	failures int // loops that were tried in vain
}

// alternatives is what a slot holds beyond its value: either the numbers of a discrete
// parameter, or values that differ by assignment.
type alternatives struct {
	base  int            // of a discrete parameter: its first number; -1 otherwise
	whole *table         // of the variable as a whole
	elems map[int]*table // of single numbers, by their position

	shared bool // a copy of the variable may have it, too
}

// A table is a value for each joint value of some discrete numbers, the first varying
// slowest.
type table struct {
	vars []int
	held
}

// SetDiscrete declares an integer parameter of the given sizes, each number of which
// has values from low to high.
func (m *Machine) SetDiscrete(v *ir.Var, dims []int, low, high []int) {
	if m.disc == nil {
		m.disc = &discreteState{}
	}
	d := m.disc
	s := &m.global.vars[v.Slot]
	n := product(dims)
	*s = slot{v: NewValue(v.Type, dims, make([]float64, n)), alt: &alternatives{base: len(d.low)}}
	for i := range n {
		d.low = append(d.low, low[i])
		d.count = append(d.count, high[i]-low[i]+1)
		d.value = append(d.value, 0)
		d.pinned = append(d.pinned, 0)
		d.reach = append(d.reach, reach{0, high[i] - low[i]})
		d.mark = append(d.mark, false)
		name := numberName(v.Name, dims, i)
		if v.Part != nil {
			name = v.Part[i]
		}
		d.names = append(d.names, name)
	}
}

func numberName(name string, dims []int, i int) string {
	if len(dims) == 0 {
		return name
	}
	text := ""
	for k := len(dims) - 1; k >= 0; k-- {
		text = "," + number(float64(i%dims[k]+1)) + text
		i /= dims[k]
	}
	return name + "[" + text[1:] + "]"
}

// touch notes that a number was read, and that its value counts.
func (d *discreteState) touch(id int) {
	d.narrow(id, d.value[id], d.value[id])
	d.mention(id)
}

// mention notes that a number was read.
func (d *discreteState) mention(id int) {
	if d.pinned[id] == 0 && !d.mark[id] {
		d.mark[id] = true
		d.touched = append(d.touched, id)
	}
}

func (d *discreteState) reset() {
	for _, id := range d.touched {
		d.mark[id] = false
	}
	d.touched = d.touched[:0]
}

// assign sets the numbers of vars to the joint value of the given index.
func (d *discreteState) assign(vars []int, index int) {
	for k := len(vars) - 1; k >= 0; k-- {
		n := d.count[vars[k]]
		d.value[vars[k]] = index % n
		index /= n
	}
}

// index is the joint value of vars under the present assignment.
func (d *discreteState) index(vars []int) int {
	i := 0
	for _, id := range vars {
		i = i*d.count[id] + d.value[id]
	}
	return i
}

// size is the number of joint values of vars; fails where they are too many.
func (d *discreteState) size(at source.Span, vars []int) int {
	n := 1
	for _, id := range vars {
		if n *= d.count[id]; n > MaxTable {
			panic(stop{&Error{Span: at, Table: true, Text: d.tooMany(vars),
				Help: "use gibbs() or mh(), which sample discrete parameters directly"}})
		}
	}
	return n
}

// mostNamed is how many discrete numbers an error names before "...".
const mostNamed = 3

// tooMany reports how large a table over vars would be.
func (d *discreteState) tooMany(vars []int) string {
	names := make([]string, 0, mostNamed+1)
	entries := 1.0
	for i, v := range vars {
		if i < mostNamed {
			names = append(names, d.names[v])
		}
		entries *= float64(d.count[v])
	}
	if len(vars) > mostNamed {
		names = append(names, "...")
	}
	return fmt.Sprintf("summing out the discrete parameters needs a table of %.4g entries over %d of them (%s), and at most %d are possible",
		entries, len(vars), strings.Join(names, ", "), MaxTable)
}

// present returns a variable's value under the present assignment. whole is false where
// single numbers are read, which then go through presentNumber.
func (f *frame) present(s *slot) *Value {
	if s.alt == nil {
		return s.v
	}
	d := f.m.disc
	switch {
	case s.alt.base >= 0:
		v := s.v.clone()
		for i := range v.X {
			d.touch(s.alt.base + i)
			v.X[i] = float64(d.low[s.alt.base+i] + d.value[s.alt.base+i])
		}
		return v
	case s.alt.whole != nil:
		return s.alt.whole.pick(d)
	}
	v := s.v.clone()
	for i, t := range s.alt.elems {
		v.put(i, t.pick(d), 0, 1)
	}
	return v
}

// presentNumber reads number off of a variable.
func (f *frame) presentNumber(s *slot, off int) *Value {
	d := f.m.disc
	switch {
	case s.alt.base >= 0:
		id := s.alt.base + off
		d.touch(id)
		return Int(d.low[id] + d.value[id])
	case s.alt.whole != nil:
		v := s.alt.whole.pick(d)
		return v.slice(v.T.Scalar(), nil, off, 1)
	}
	if t, ok := s.alt.elems[off]; ok {
		return t.pick(d)
	}
	return s.v.slice(s.v.T.Scalar(), nil, off, 1)
}

// pick returns the table's value under the present assignment.
func (t *table) pick(d *discreteState) *Value {
	for _, id := range t.vars {
		d.mention(id)
	}
	return t.within(d, d.index(t.vars))
}

// enumerate evaluates under all joint values of the discrete numbers that the
// evaluation reads.
func (f *frame) enumerate(at source.Span, evaluate func() *Value) *table {
	d := f.m.disc
	if d == nil {
		return &table{held: held{values: []*Value{evaluate()}}}
	}
	outer := append([]int(nil), d.touched...)
	d.reset()
	d.calls.forget()
	t := &table{}
	var rejected error
	for done := false; !done; {
		n := d.size(at, t.vars)
		t.held = held{values: t.values[:0], ends: t.ends[:0]}
		done, rejected = true, nil
		for i := 0; i < n; {
			d.assign(t.vars, i)
			d.open(t.vars)
			var v *Value
			err := f.m.attempt(func() { v = evaluate() })
			if grown := d.union(t.vars); len(grown) > len(t.vars) {
				t.vars, done = grown, false
				break
			}
			if err != nil {
				v, rejected = nil, err
			}
			if i++; len(t.vars) == 1 {
				i = d.next(t.vars[0], i-1)
			}
			t.add(v, i)
		}
		d.assign(t.vars, 0)
		if len(t.values) == n {
			t.ends = nil
		}
	}
	d.reset()
	for _, id := range t.vars {
		d.narrow(id, d.value[id], d.value[id])
	}
	for _, id := range outer {
		d.touch(id)
	}
	if rejected != nil {
		f.m.exclude(at, t, rejected)
	}
	return t
}

// union adds the touched numbers to a sorted list.
func (d *discreteState) union(vars []int) []int {
	out := append([]int(nil), vars...)
	for _, id := range d.touched {
		if !slices.Contains(vars, id) {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// branches runs a statement whose control flow depends on discrete numbers: under
// each of their values on a copy of the variables, which are then joined.
func (f *frame) branches(at source.Span, test ir.Expr, run func(v *Value) flow) flow {
	d := f.m.disc
	tests := f.enumerate(at, func() *Value { return f.expr(test) })
	if len(tests.vars) == 0 {
		return run(tests.values[0])
	}
	if f.m.tracer != nil {
		f.m.tracer.abort()
	}
	before := f.snapshot()
	from := len(f.m.terms)
	var ends [][]slot
	var factors [][]Term
	var rejected error
	accepted := false
	runs := held{} // of values of the tested numbers, those between which nothing differs together
	n := d.size(at, tests.vars)
	for i := 0; i < n; {
		copy(f.vars, before)
		d.assign(tests.vars, i)
		d.open(tests.vars)
		v := tests.within(d, i)
		d.pin(tests.vars, 1)
		fl := next
		if err := f.m.attempt(func() { fl = run(v) }); err != nil {
			copy(f.vars, before)
			f.m.terms = append(f.m.terms[:from], Term{At: at, Value: Real(math.Inf(-1)), Likelihood: f.m.likelihood})
			rejected = err
		} else {
			accepted = true
		}
		d.pin(tests.vars, -1)
		if fl != next {
			fail(at, "a loop or function cannot be left under a condition on a discrete parameter")
		}
		if i++; len(tests.vars) == 1 {
			i = d.next(tests.vars[0], i-1)
		}
		runs.add(v, i)
		ends = append(ends, f.snapshot())
		factors = append(factors, append([]Term(nil), f.m.terms[from:]...))
		f.m.terms = f.m.terms[:from]
	}
	d.assign(tests.vars, 0)
	if !accepted {
		panic(stop{rejected})
	}
	f.join(tests.vars, &runs, before, ends)
	for k, terms := range factors {
		for _, t := range terms {
			f.m.terms = append(f.m.terms, f.under(t, tests.vars, &runs, k, at))
		}
	}
	return next
}

func (d *discreteState) pin(vars []int, by int) {
	d.pins += by
	for _, id := range vars {
		d.pinned[id] += by
	}
}

// snapshot copies the variables; their values are shared from now on.
func (f *frame) snapshot() []slot {
	out := append([]slot(nil), f.vars...)
	for i := range f.vars {
		f.vars[i].owned = false
		out[i].owned = false
		if a := f.vars[i].alt; a != nil {
			a.shared = true
		}
	}
	return out
}

// join makes alternatives of the variables that ended differently.
func (f *frame) join(vars []int, runs *held, before []slot, ends [][]slot) {
	for k := range f.vars {
		same := true
		for _, e := range ends {
			same = same && e[k].v == ends[0][k].v && e[k].alt == ends[0][k].alt
		}
		f.vars[k] = ends[0][k]
		if same {
			continue
		}
		t := &table{vars: vars, held: held{ends: runs.ends}}
		nested := false
		for _, e := range ends {
			nested = nested || e[k].alt != nil
			v := e[k].v
			if v == nil {
				v = before[k].v
			}
			t.values = append(t.values, v)
		}
		f.vars[k] = slot{v: t.values[0], alt: &alternatives{base: -1, whole: t}}
		if nested {
			f.vars[k] = f.m.disc.joinNested(vars, runs, before[k], k, ends)
		}
	}
}

// mostJoined is the greatest table that a variable gets where branches leave it with alternatives of its own.
const mostJoined = 10_000

// joinNested is variable k where runs ended with alternatives of other numbers, too. It has no value where it had none
// before, which is that of an inner block, or where the table is too large.
func (d *discreteState) joinNested(vars []int, runs *held, before slot, k int, ends [][]slot) slot {
	if before.v == nil {
		return slot{}
	}
	t := &table{vars: slices.Clone(vars)}
	n := 1
	for _, e := range ends {
		for _, id := range e[k].alt.numbers() {
			if d.pinned[id] == 0 && !slices.Contains(t.vars, id) {
				t.vars = append(t.vars, id)
			}
		}
	}
	slices.Sort(t.vars)
	for _, id := range t.vars {
		if n *= d.count[id]; n > mostJoined {
			return slot{}
		}
	}
	for i := range n {
		d.assign(t.vars, i)
		s := ends[runs.place(d.index(vars))][k]
		if s.v == nil {
			s = before
		}
		t.values = append(t.values, s.at(d))
	}
	d.assign(t.vars, 0)
	return slot{v: t.values[0], alt: &alternatives{base: -1, whole: t}}
}

// at is a variable's value where the discrete numbers have those of d.
func (s *slot) at(d *discreteState) *Value {
	if s.alt == nil {
		return s.v
	}
	if t := s.alt.whole; t != nil {
		return t.at(d.index(t.vars))
	}
	v := s.v.clone()
	for i, t := range s.alt.elems {
		v.put(i, t.at(d.index(t.vars)), 0, 1)
	}
	return v
}

// numbers are those that alternatives are of.
func (a *alternatives) numbers() (ids []int) {
	if a == nil {
		return nil
	}
	if a.whole != nil {
		ids = a.whole.vars
	}
	for _, t := range a.elems {
		ids = append(ids, t.vars...)
	}
	return ids
}

// under makes a factor that counts only in run k of the joint values of vars.
func (f *frame) under(t Term, vars []int, runs *held, k int, at source.Span) Term {
	d := f.m.disc
	if t.Vars == nil && len(vars) == 1 {
		return t.between(vars, runs.from(k), runs.ends[k], runs.ends[len(runs.ends)-1])
	}
	all := append([]int(nil), vars...)
	for _, id := range t.Vars {
		if !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	slices.Sort(all)
	out := Term{At: t.At, Vars: all, Likelihood: t.Likelihood}
	for i := range d.size(at, all) {
		d.assign(all, i)
		v := Real(0)
		if runs.place(d.index(vars)) == k {
			v = t.entry(d)
		}
		out.Table = append(out.Table, v)
	}
	d.assign(all, 0)
	return out
}

// between makes a factor of a term that counts for values from lo on, below hi, of n.
func (t *Term) between(vars []int, lo, hi, n int) Term {
	h := held{}
	if lo > 0 {
		h.add(Real(0), lo)
	}
	h.add(t.Value, hi)
	if hi < n {
		h.add(Real(0), n)
	}
	return Term{At: t.At, Vars: vars, Likelihood: t.Likelihood, Table: h.values, ends: h.ends}
}

// entry is a term's value under the present assignment.
func (t *Term) entry(d *discreteState) *Value {
	if t.Vars == nil {
		return t.Value
	}
	h := t.held()
	return h.at(d.index(t.Vars))
}

// store keeps a statement's value: the value itself, or alternatives.
func (f *frame) storeTable(to *ir.Place, t *table) {
	if len(t.vars) == 0 {
		f.assign(to, t.values[0])
		return
	}
	s := f.slot(to.Var)
	if r := f.m.tracer; r != nil && !r.stores(s, len(to.Path) == 0) {
		r.abort()
	}
	if len(to.Path) == 0 {
		for i := range t.values {
			t.values[i] = t.values[i].as(to.T)
		}
		*s = slot{v: t.values[0], alt: &alternatives{base: -1, whole: t}}
		return
	}
	off, ok := -1, false
	if len(to.Path) == 1 && to.Path[0].Indices != nil && s.v.T.Base != types.TupleBase {
		off, ok = f.scalarOffset(to.Loc, s.v.T, to.Path[0].Indices, s.v.Dims)
	}
	if !ok || s.alt != nil && s.alt.elems == nil || unit(s.v.T) != 1 {
		fail(to.Loc, "a part of %s that depends on discrete parameters must be assigned number by number", to.Var.Name)
	}
	if s.alt != nil && !s.alt.shared {
		s.alt.elems[off] = t
		return
	}
	next := &alternatives{base: -1, elems: map[int]*table{off: t}}
	if s.alt != nil {
		for k, v := range s.alt.elems {
			if k != off {
				next.elems[k] = v
			}
		}
	}
	s.alt = next
}

// overwrite forgets the alternatives of what a plain value is about to replace.
func (f *frame) overwrite(to *ir.Place, s *slot) {
	if s.alt.elems != nil && len(to.Path) == 1 && to.Path[0].Indices != nil {
		if off, ok := f.scalarOffset(to.Loc, s.v.T, to.Path[0].Indices, s.v.Dims); ok {
			next := &alternatives{base: -1, elems: map[int]*table{}}
			for k, v := range s.alt.elems {
				if k != off {
					next.elems[k] = v
				}
			}
			s.alt = next
			return
		}
	}
	fail(to.Loc, "%s depends on discrete parameters and cannot be changed in part here", to.Var.Name)
}

// addTerm adds a contribution to the log density, or a factor.
func (f *frame) addTerm(at source.Span, evaluate func() *Value) {
	if f.m.disc == nil {
		f.m.AddTerm(at, evaluate())
		return
	}
	f.m.disc.refusal = nil
	t := f.enumerate(at, evaluate)
	f.m.disc.allRefused(at, t)
	if len(t.vars) == 0 {
		f.m.AddTerm(at, t.values[0])
		return
	}
	f.m.terms = append(f.m.terms, Term{At: at, Vars: t.vars, Likelihood: f.m.likelihood, Table: t.values, ends: t.ends})
}

// fixed fails where something that must be known depends on a discrete parameter.
func (f *frame) fixed(at source.Span) {
	d := f.m.disc
	if d == nil || f != &f.m.global || len(d.touched) == 0 {
		return
	}
	fail(at, "this statement depends on the discrete parameter %s in a way that cannot be summed out; "+
		"use gibbs() or mh(), which sample discrete parameters directly", d.names[d.touched[0]])
}
