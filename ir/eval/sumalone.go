// Sums of the factors of one discrete number.

package eval

import (
	"slices"

	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// fewSteps is how many factors that change once are few: these are added up in pairs.
const fewSteps = 32

// sumAlone adds up the factors that are of one number of n values only, for each of them. Those
// that have one value below a place and another one from there on, as a change point's, are a
// sum over what comes before and one over what comes after: running sums, both without
// differences, which would lose digits and could not be taken of impossible values.
func (e *eliminator) sumAlone(factors []*Term, n int, at source.Span) []*Value {
	var steps, rest []*Term
	for _, t := range factors {
		if len(t.ends) == 2 {
			steps = append(steps, t)
		} else {
			rest = append(rest, t)
		}
	}
	if len(steps) < fewSteps {
		return e.changes(factors, n, at)
	}
	f := &e.m.global
	all := e.running(steps, n, at)
	if len(rest) > 0 {
		others := join(types.ArrayOf(types.Real, 1), []int{n}, e.changes(rest, n, at))
		all = f.m.elementwise(at, addition, all.T, []*Value{all, others.as(all.T)})
	}
	out := make([]*Value, n)
	for i := range out {
		out[i] = all.known().slice(types.Real, nil, i, 1)
	}
	return out
}

// running adds up factors that change once.
func (e *eliminator) running(steps []*Term, n int, at source.Span) *Value {
	below, from := make([][]*Value, n), make([][]*Value, n) // by place of the change: the values before it, and from it on
	for _, t := range steps {
		k := t.ends[0]
		below[k], from[k] = append(below[k], t.Table[0]), append(from[k], t.Table[1])
	}
	after := e.cumulative(from, at) // sums over changes up to i
	slices.Reverse(below)
	before := e.cumulative(below[:n-1], at) // sums over changes from n - 1 - i on
	induction := make([]*Value, n)
	for i := range n - 1 {
		induction[i] = before.slice(types.Real, nil, n-2-i, 1)
	}
	induction[n-1] = Real(0)
	return e.m.elementwise(at, addition, after.T, []*Value{after, e.vector(induction)})
}

// cumulative returns the running sums of lists of numbers.
func (e *eliminator) cumulative(lists [][]*Value, at source.Span) *Value {
	parts := make([]*Value, len(lists))
	for i, list := range lists {
		parts[i] = Real(0)
		for k, v := range list {
			if k == 0 {
				parts[i] = v
				continue
			}
			parts[i] = e.adder(at)(parts[i], v)
		}
	}
	f := &e.m.global
	return f.kernel(at, f.m.container("cumulative_sum"), types.ArrayOf(types.Real, 1), []*Value{e.vector(parts)})
}

// vector is numbers side by side.
func (e *eliminator) vector(parts []*Value) *Value {
	return join(types.ArrayOf(types.Real, 1), []int{len(parts)}, parts)
}

// changes adds up factors in pairs, for the first value, and then again what changes.
func (e *eliminator) changes(factors []*Term, n int, at source.Span) []*Value {
	at0 := make([][]int, n) // the factors that change at a value
	place := make([]int, len(factors))
	for k, t := range factors {
		h := t.held()
		for r := range h.values {
			i := h.from(r)
			at0[i] = append(at0[i], k)
		}
	}
	sum := newSumTree(len(factors), e.adder(at))
	out := make([]*Value, n)
	for i := range out {
		for _, k := range at0[i] {
			sum.set(k, factors[k].Table[place[k]])
			place[k]++
		}
		out[i] = sum.total()
	}
	return out
}
