// Variable elimination: the factors over discrete numbers summed out exactly.

package eval

import (
	"container/heap"
	"fmt"
	"slices"

	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// An Elimination is how one discrete number was summed out: the sum of the factors
// that it was in, as a table over it and its neighbours. Given the neighbours' values
// the table's slice is, up to a constant, the log of the number's conditional
// probabilities.
type Elimination struct {
	ID    int   // the number
	Vars  []int // the number and its neighbours, sorted; the first varies slowest
	Table []*Value
}

// Discrete describes the discrete numbers: least value and number of values of each.
func (m *Machine) Discrete() (low, count []int) {
	if m.disc == nil {
		return nil, nil
	}
	return m.disc.low, m.disc.count
}

// SumOut replaces the factors among terms by the log of the sum of their product over
// all values of the discrete numbers, and returns the steps in the order made, without those
// of chains that the recorder keeps as loops. The sum is an observation's term where any
// factor is.
func (m *Machine) SumOut(terms []Term) (out []Term, steps []Elimination, err error) {
	if m.disc == nil {
		return terms, nil, nil
	}
	before := m.terms
	m.terms = append([]Term(nil), terms...)
	err = guarded(func() { steps = m.sumOut() })
	out, m.terms = m.terms, before
	return out, steps, err
}

func (m *Machine) sumOut() []Elimination {
	e := m.eliminator()
	var steps []Elimination
	for id := range e.order {
		if !e.chain(id) {
			steps = append(steps, e.eliminate(id))
		}
	}
	return steps
}

// Summable reports whether SumOut could make its tables, without making them; the error is
// that of the first that is too large.
func (m *Machine) Summable(terms []Term) error {
	if m.disc == nil {
		return nil
	}
	before := m.terms
	m.terms = make([]Term, len(terms))
	for i := range terms { // which numbers meet in a factor is all that counts
		m.terms[i] = Term{At: terms[i].At, Vars: terms[i].Vars}
	}
	err := guarded(func() {
		e := m.eliminator()
		for id := range e.order {
			e.meet(id)
		}
	})
	m.terms = before
	return err
}

// eliminator takes the factors off the machine's terms.
func (m *Machine) eliminator() *eliminator {
	e := &eliminator{m: m, of: map[int][]*Term{}, oneByOne: map[int]bool{}}
	var plain []Term
	for i := range m.terms {
		t := m.terms[i]
		if t.Vars == nil {
			plain = append(plain, t)
			continue
		}
		if _, program := m.Rec.(FactorRecorder); !program {
			t.numbers()
		}
		e.add(&t)
	}
	for id := range m.disc.low { // numbers in no factor: every value counts alike
		if len(e.of[id]) == 0 {
			t := &Term{Vars: []int{id}, Table: make([]*Value, m.disc.count[id])}
			for i := range t.Table {
				t.Table[i] = Real(0)
			}
			e.add(t)
		}
	}
	e.queue.e = e
	for id := range m.disc.low {
		heap.Push(&e.queue, item{id, e.cost(id)})
	}
	m.terms = plain
	return e
}

// order returns the numbers as they are to be eliminated: always the one that costs least.
func (e *eliminator) order(yield func(id int) bool) {
	for e.queue.Len() > 0 {
		next := heap.Pop(&e.queue).(item)
		if e.gone[next.id] {
			continue
		}
		if c := e.cost(next.id); c > next.cost { // stale
			heap.Push(&e.queue, item{next.id, c})
			continue
		}
		if !yield(next.id) {
			return
		}
	}
}

type eliminator struct {
	m       *Machine
	entries int             // of the tables of many numbers so far
	of      map[int][]*Term // the factors of each number
	gone    map[int]bool
	queue   queue

	oneByOne map[int]bool // numbers of chains that the recorder does not keep
}

func (e *eliminator) add(t *Term) {
	for _, id := range t.Vars {
		e.of[id] = append(e.of[id], t)
	}
	if e.gone == nil {
		e.gone = map[int]bool{}
	}
}

// neighbours is the number with all that share a factor with it, sorted.
func (e *eliminator) neighbours(id int) []int {
	seen := map[int]bool{id: true}
	out := []int{id}
	for _, t := range e.of[id] {
		for _, v := range t.Vars {
			if !seen[v] {
				seen[v] = true
				out = append(out, v)
			}
		}
	}
	slices.Sort(out)
	return out
}

// cost is the size of the table that eliminating a number makes.
func (e *eliminator) cost(id int) float64 {
	c := 1.0
	for _, v := range e.neighbours(id) {
		c *= float64(e.m.disc.count[v])
	}
	return c
}

func (e *eliminator) eliminate(id int) Elimination {
	d, f := e.m.disc, &e.m.global
	vars := e.neighbours(id)
	var at source.Span
	factors := e.of[id]
	for _, t := range factors {
		at = t.At
	}
	step := Elimination{ID: id, Vars: vars}
	e.count(vars, d.size(at, vars), at)
	if len(vars) == 1 {
		step.Table = e.sumAlone(factors, d.size(at, vars), at)
	} else {
		step.Table = e.sums(factors, vars, at)
	}
	left := e.replace(id, vars, factors, at)
	rest := left.Vars
	for i := range d.size(at, rest) {
		e.m.countIteration()
		d.assign(rest, i)
		parts := make([]*Value, d.count[id])
		for k := range parts {
			d.value[id] = k
			parts[k] = step.Table[d.index(vars)]
		}
		d.value[id] = 0
		left.Table = append(left.Table, f.logSumExp(at, parts))
	}
	d.assign(rest, 0)
	if len(rest) == 0 {
		e.m.terms = append(e.m.terms, Term{At: at, Value: left.Table[0], Likelihood: left.Likelihood})
	}
	return step
}

// sums adds up factors for all joint values of the numbers that they are of.
func (e *eliminator) sums(factors []*Term, vars []int, at source.Span) (out []*Value) {
	d := e.m.disc
	sum := newSumTree(len(factors), e.adder(at))
	for i := range d.size(at, vars) {
		e.m.countIteration()
		d.assign(vars, i)
		for k, t := range factors {
			sum.set(k, t.entry(d))
		}
		out = append(out, sum.total())
	}
	d.assign(vars, 0)
	return out
}

// adder adds two numbers.
func (e *eliminator) adder(at source.Span) func(x, y *Value) *Value {
	return func(x, y *Value) *Value {
		return e.m.elementwise(at, addition, types.Real, []*Value{x, y})
	}
}

// fewMeet is the greatest number of discrete parameters of a table that is not counted: the tables of
// chains have few, and need not all be in memory at once.
const fewMeet = 3

// meet is eliminate without the tables.
func (e *eliminator) meet(id int) {
	vars := e.neighbours(id)
	factors := e.of[id]
	at := factors[len(factors)-1].At
	e.count(vars, e.m.disc.size(at, vars), at)
	e.replace(id, vars, factors, at)
}

// count adds a table to those that there are together, and refuses too many.
func (e *eliminator) count(vars []int, size int, at source.Span) {
	if len(vars) > fewMeet {
		e.entries += size
	}
	if e.entries > MaxTable {
		panic(stop{&Error{Span: at, Table: true, Text: fmt.Sprintf("summing out the discrete parameters needs tables of more than %d entries in all", MaxTable),
			Help: "use gibbs() or mh(), which sample discrete parameters directly"}})
	}
}

// replace puts the factor that is left of a number, over its neighbours, in the place of
// the factors that it was in. The factor's table is the caller's to fill.
func (e *eliminator) replace(id int, vars []int, factors []*Term, at source.Span) *Term {
	e.remove(id, factors)
	left := &Term{At: at, Vars: slices.DeleteFunc(slices.Clone(vars), func(v int) bool { return v == id }), Likelihood: slices.ContainsFunc(factors, func(t *Term) bool { return t.Likelihood })}
	e.add(left)
	for _, v := range left.Vars {
		heap.Push(&e.queue, item{v, e.cost(v)})
	}
	return left
}

// remove takes a number and its factors out.
func (e *eliminator) remove(id int, factors []*Term) {
	e.gone[id] = true
	for _, t := range factors {
		for _, v := range t.Vars {
			if v != id {
				e.of[v] = slices.DeleteFunc(e.of[v], func(u *Term) bool { return u == t })
			}
		}
	}
	delete(e.of, id)
}

// logSumExp is the log of the sum of exponentials of scalars.
func (f *frame) logSumExp(at source.Span, parts []*Value) *Value {
	if len(parts) == 1 {
		return parts[0].as(types.Real)
	}
	t := types.ArrayOf(types.Real, 1)
	return f.kernel(at, f.m.container("log_sum_exp"), types.Real, []*Value{join(t, []int{len(parts)}, parts)})
}

// A queue orders numbers by the cost of eliminating them; entries may be out of date.
type queue struct {
	e     *eliminator
	items []item
}

type item struct {
	id   int
	cost float64
}

func (q *queue) Len() int { return len(q.items) }
func (q *queue) Less(i, j int) bool {
	if q.items[i].cost != q.items[j].cost {
		return q.items[i].cost < q.items[j].cost
	}
	return q.items[i].id < q.items[j].id
}
func (q *queue) Swap(i, j int) { q.items[i], q.items[j] = q.items[j], q.items[i] }
func (q *queue) Push(x any)    { q.items = append(q.items, x.(item)) }
func (q *queue) Pop() any {
	x := q.items[len(q.items)-1]
	q.items = q.items[:len(q.items)-1]
	return x
}

// container finds the row of a library function that takes whole containers.
func (m *Machine) container(name string) *stdlib.Function {
	for _, fn := range m.Lib.Functions(name) {
		if fn.Kernel != nil {
			return fn
		}
	}
	panic("eval: the library has no " + name + " of containers")
}
