// Chains of discrete numbers, summed out as a loop that the recorder keeps.

package eval

import (
	"container/heap"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// A chain is discrete numbers with as many values each, of which each but the last meets
// only the one before it and the one after: the states of a hidden Markov chain. Each link
// has as many factors, so that summing one number out is the same as summing out the next.
type chain struct {
	e         *eliminator
	rec       LoopRecorder
	iteration *autodiff.LoopBody
	span      source.Span
	ids       []int
	alone     [][]*Term // factors of each number alone
	pairs     [][]*Term // and of each with the next; none of the last
}

// chain sums out a chain that begins with a number, and reports whether it has. Its
// eliminations are not noted, since draws are made of programs without loops.
func (e *eliminator) chain(id int) bool {
	rec, ok := e.m.Rec.(LoopRecorder)
	if !ok || e.oneByOne[id] || len(e.neighbours(id)) != 2 {
		return false
	}
	c := &chain{e: e, rec: rec}
	if c.follow(id); len(c.ids) < 2 {
		return false
	}
	c.span = c.pairs[0][0].At
	if loop := rec.TraceLoop(len(c.ids) - 1); loop != nil {
		c.iteration = rec.TraceVariant(loop, nil)
		if left, ok := c.sumOut(); ok {
			c.replace(left)
			return true
		}
	}
	for _, id := range c.ids { // so that it is not followed again from each of them
		e.oneByOne[id] = true
	}
	return false
}

// follow finds the numbers from one on, and their factors.
func (c *chain) follow(id int) {
	before, count := -1, c.e.m.disc.count
	for {
		next := -1
		var alone, pairs []*Term
		for _, t := range c.e.of[id] {
			switch other := t.other(id); {
			case len(t.Vars) == 1:
				alone = append(alone, t)
			case len(t.Vars) == 2 && other == before:
			case len(t.Vars) == 2 && (next < 0 || other == next):
				next = other
				pairs = append(pairs, t)
			default: // it meets others, too
				next = -2
			}
			if next == -2 {
				break
			}
		}
		n := len(c.ids)
		if n > 1 && len(alone) != len(c.alone[1]) || n > 0 && count[id] != count[c.ids[0]] {
			c.pairs = c.pairs[:max(0, n-1)]
			return
		}
		c.ids, c.alone = append(c.ids, id), append(c.alone, alone)
		if next < 0 || n > 0 && len(pairs) != len(c.pairs[0]) {
			return
		}
		c.pairs = append(c.pairs, pairs)
		before, id = id, next
	}
}

// other is the number beside id in a factor of two.
func (t *Term) other(id int) int {
	if len(t.Vars) != 2 {
		return -1
	}
	return t.Vars[0] + t.Vars[1] - id
}

// sumOut returns the factor that all numbers but the last leave of it.
func (c *chain) sumOut() (left []*Value, ok bool) {
	carries := make([]*Value, c.e.m.disc.count[c.ids[0]])
	start := slices.Clone(carries)
	for i := range start {
		start[i] = c.add(Real(0), c.alone[0], func(k int) *Value { return c.entry(c.alone[0][k], 0, i, 0) })
		carries[i] = Real(start[i].X[0])
		carries[i].Node = c.iteration.Carry(c.rec.NodeOf(start[i]))
	}
	var next []autodiff.Ref
	for _, v := range c.link(0, carries, c.step) {
		next = append(next, c.ref(v))
	}
	err := c.iteration.Close(next, next)
	if !c.rec.EndLoop([]*autodiff.LoopBody{c.iteration}, err == nil) {
		return nil, false
	}
	for j, v := range c.numbers(start) {
		v.Node = c.iteration.Final(next[j])
		left = append(left, v)
	}
	return left, true
}

// ref names what a number is.
func (c *chain) ref(v *Value) autodiff.Ref {
	if ref := v.Ref(0); ref.Node != autodiff.None {
		return ref
	}
	return autodiff.Ref{Node: c.rec.NodeOf(v)}
}

// An entries gives factor k of link t, one of the number after it alone or else of both,
// where the number is its value i and the one after it its value j.
type entries func(t, k int, alone bool, i, j int) *Value

// link sums number t out, given what those before it leave for each of its values, and
// multiplies by the factors of the next number alone.
func (c *chain) link(t int, before []*Value, get entries) []*Value {
	after := make([]*Value, len(before))
	for j := range after {
		parts := make([]*Value, len(before))
		for i, v := range before {
			parts[i] = c.add(v, c.pairs[t], func(k int) *Value { return get(t, k, false, i, j) })
		}
		all := c.e.m.global.logSumExp(c.span, parts)
		after[j] = c.add(all, c.alone[t+1], func(k int) *Value { return get(t, k, true, 0, j) })
	}
	return after
}

// add adds factors to a number.
func (c *chain) add(v *Value, factors []*Term, get func(k int) *Value) *Value {
	for k := range factors {
		v = c.e.m.elementwise(c.span, addition, types.Real, []*Value{v, get(k)})
	}
	return v
}

// entry is a factor where number p is its value i and the next one its value j.
func (c *chain) entry(t *Term, p, i, j int) *Value {
	d := c.e.m.disc
	d.value[c.ids[p]], d.value[c.ids[p+1]] = i, j
	v := t.entry(d)
	d.value[c.ids[p]], d.value[c.ids[p+1]] = 0, 0
	return v
}

// likelihood reports whether data take part in a factor of the chain.
func (c *chain) likelihood() bool {
	any := func(list []*Term) bool { return slices.ContainsFunc(list, func(t *Term) bool { return t.Likelihood }) }
	return slices.ContainsFunc(c.alone, any) || slices.ContainsFunc(c.pairs, any)
}

// at returns a factor as it is in link t.
func (c *chain) at(t, k int, alone bool, i, j int) *Value {
	if alone {
		return c.entry(c.alone[t+1][k], t, i, j)
	}
	return c.entry(c.pairs[t][k], t, i, j)
}

// step returns a factor in all links: itself where it is the same in all, or a placeholder.
func (c *chain) step(_, k int, alone bool, i, j int) *Value {
	n := len(c.ids) - 1
	first, same, active := c.at(0, k, alone, i, j), true, false
	all := NewValue(types.Vector, []int{n}, make([]float64, n))
	all.Refs = make([]autodiff.Ref, n)
	for t := range n {
		v := c.at(t, k, alone, i, j)
		all.X[t], all.Refs[t] = v.X[0], v.Ref(0)
		same = same && all.Refs[t] == all.Refs[0] && math.Float64bits(v.X[0]) == math.Float64bits(first.X[0])
		active = active || v.Active()
	}
	if same {
		return first
	}
	if !active {
		all.Refs = nil
	}
	v := Real(first.X[0])
	v.Node = c.iteration.Step(c.rec.NodeOf(all))
	return v
}

// numbers does all links with plain numbers.
func (c *chain) numbers(now []*Value) []*Value {
	m := c.e.m
	m.Rec = nil
	defer func() { m.Rec = c.rec }()
	for i, v := range now {
		now[i] = Real(v.X[0])
	}
	for t := range len(c.ids) - 1 {
		now = c.link(t, now, c.at)
	}
	return now
}

// replace replaces the factors of the chain by what is left of it.
func (c *chain) replace(left []*Value) {
	e, n := c.e, len(c.ids)-1
	last := c.ids[n]
	for _, id := range c.ids[:n] {
		e.gone[id] = true
		delete(e.of, id)
	}
	e.of[last] = slices.DeleteFunc(e.of[last], func(t *Term) bool {
		return slices.Contains(c.alone[n], t) || slices.Contains(c.pairs[n-1], t)
	})
	e.add(&Term{At: c.span, Vars: []int{last}, Table: left, Likelihood: c.likelihood()})
	heap.Push(&e.queue, item{last, e.cost(last)})
}
