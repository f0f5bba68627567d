// The blocks of discrete numbers.

package conjugate

import (
	"strings"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/junction"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
)

// mostEntries bounds the tables of a block of discrete numbers.
const mostEntries = 1e7

// discrete makes a block of each discrete number, or of those that depend on each other given all
// others: of a group, or of all where blocks are to be joint.
func (e *expansion) discrete() error {
	owner := map[int]int{} // of each number: the group that it may share a block in
	var names []string
	var parameters []string
	for _, d := range e.m.Discrete {
		group := e.blocking.Group(d.Var.Name)
		for i := range d.Low {
			if group >= 0 || e.blocking.Choice == infer.Jointly {
				owner[len(names)] = group
			}
			names = append(names, trace.NumberName(d.Var, d.Shape.Dims, i))
			parameters = append(parameters, d.Var.Name)
		}
	}
	sel := e.rec.sel
	e.of, e.offset = make([]int, len(names)), make([]int32, len(names))
	for _, set := range e.dependent(len(names), owner) {
		group, grouped := owner[set[0]]
		if len(set) > 1 && grouped {
			if err := sel.tables(set, mostEntries); err != nil && group >= 0 {
				return &infer.GroupError{Group: group, Reason: err.Error()}
			} else if err == nil {
				e.wholes(set, names, parameters[set[0]])
				continue
			}
		}
		for _, id := range set {
			e.of[id] = len(e.blocks)
			e.add(infer.FactorBlock{
				Name: names[id], Support: infer.Whole, Low: sel.low[id], Size: sel.count[id], Coords: []int{e.m.Dim + id},
			}, parameters[id])
		}
	}
	return nil
}

// wholes makes a block of several numbers.
func (e *expansion) wholes(set []int, names []string, parameter string) {
	b := infer.FactorBlock{Support: infer.Wholes}
	var named []string
	for _, id := range set {
		e.of[id], e.offset[id] = len(e.blocks), int32(b.Size)
		b.Lows, b.Counts = append(b.Lows, e.rec.sel.low[id]), append(b.Counts, e.rec.sel.count[id])
		b.Size += e.rec.sel.count[id]
		b.Coords = append(b.Coords, e.m.Dim+id)
		named = append(named, names[id])
	}
	if b.Name = strings.Join(named, ", "); len(named) > 3 {
		b.Name = named[0] + " to " + named[len(named)-1]
	}
	e.add(b, parameter)
}

// dependent divides n discrete numbers into those that stand in factors with each other and have the
// same owner; without one each is by itself. Sets are in the order of their first numbers.
func (e *expansion) dependent(n int, owner map[int]int) [][]int {
	root := make([]int, n)
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, vars := range e.rec.sel.vars {
		for i, a := range vars {
			for _, b := range vars[:i] {
				group, ok := owner[a]
				other, also := owner[b]
				if ok && also && group == other {
					x, y := find(a), find(b)
					root[max(x, y)] = min(x, y)
				}
			}
		}
	}
	place := map[int]int{}
	var out [][]int
	for i := range n {
		r := find(i)
		at, ok := place[r]
		if !ok {
			at = len(out)
			place[r] = at
			out = append(out, nil)
		}
		out[at] = append(out[at], i)
	}
	return out
}

// tables reports with a *junction.SizeError that a set of numbers needs tables of too many entries.
func (s *Selector) tables(set []int, most float64) error {
	local := map[int]int{}
	count := make([]int, len(set))
	for i, id := range set {
		local[id], count[i] = i, s.count[id]
	}
	var events []junction.Event
	for _, vars := range s.vars {
		var event junction.Event
		for _, id := range vars {
			if at, ok := local[id]; ok {
				event = append(event, junction.Value{Number: at})
			}
		}
		if len(event) > 1 {
			events = append(events, event)
		}
	}
	return junction.Check(count, events, most)
}
