// Blocks that the user has put parameters into: draws of some of the discrete numbers given the others,
// and what cannot be drawn jointly.

package conjugate

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/junction"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// A discreteSet is some of the discrete numbers, drawn jointly given all others.
type discreteSet struct {
	ids    []int // the discrete numbers of the set
	tree   *junction.Tree
	factor []setFactor // the factors that depend on some of them
}

// A setFactor is a factor as a function of the set's numbers; its events come one after the other,
// those of the last number's values closest together.
type setFactor struct {
	factor int
	own    []int // which of its numbers are in the set
	first  int   // its first event
}

// setsOf are the blocks of discrete parameters, by their groups or, where they are in none, with a
// block of their own or of all of these. Numbers are drawn one at a time until drawSets has seen them.
func (m *Host) setsOf(by infer.Blocking) []*conditional {
	var out []*conditional
	at := map[string]*conditional{}
	next := 0
	for _, d := range m.Discrete {
		group := by.Group(d.Var.Name)
		key := fmt.Sprint(group)
		if group < 0 && by.Choice == infer.ByParameter {
			key = d.Var.Name
		}
		c := at[key]
		if c == nil {
			c = m.singly(tooLarge)
			c.Name, c.Coords, c.group, c.set = d.Var.Name, nil, group, &discreteSet{}
			at[key], out = c, append(out, c)
		} else {
			c.Name += ", " + d.Var.Name
		}
		n := trace.Numbers([]trace.Discrete{d})
		c.set.ids = append(c.set.ids, trace.Span(next, n)...)
		c.Coords = append(c.Coords, trace.Span(m.Dim+next, n)...)
		next += n
	}
	return out
}

// drawSets finds out which sets of discrete numbers can be drawn jointly. The error is a
// *infer.GroupError where one that was asked for cannot.
func (m *Host) drawSets(b *blocks) error {
	for _, c := range b.list {
		if c.set == nil {
			continue
		}
		err := c.set.prepare(b.sel)
		switch {
		case err == nil:
			c.Exact, c.Reason, c.draw = true, "", drawSet
		case errors.As(err, new(*junction.SizeError)) && c.group >= 0:
			return &infer.GroupError{Group: c.group, Reason: err.Error()}
		}
	}
	return nil
}

// prepare makes the tables.
func (t *discreteSet) prepare(sel *Selector) error {
	local := map[int]int{}
	count := make([]int, len(t.ids))
	for i, id := range t.ids {
		local[id], count[i] = i, sel.count[id]
	}
	var events []junction.Event
	for f, vars := range sel.vars {
		s := setFactor{factor: f, first: len(events)}
		scope := []int{}
		for k, id := range vars {
			if at, ok := local[id]; ok {
				s.own, scope = append(s.own, k), append(scope, at)
			}
		}
		if len(scope) == 0 {
			continue
		}
		t.factor = append(t.factor, s)
		value := make([]int, len(scope))
		for {
			event := make(junction.Event, len(scope))
			for k, at := range scope {
				event[k] = junction.Value{Number: at, Value: value[k]}
			}
			events = append(events, event)
			if !advance(value, func(k int) int { return count[scope[k]] }) {
				break
			}
		}
	}
	var err error
	t.tree, err = junction.New(count, events, mostEntries)
	return err
}

// advance goes on to the next combination of values; false after the last, when it is back at the first.
func advance(value []int, count func(k int) int) bool {
	for k := len(value) - 1; k >= 0; k-- {
		if value[k]++; value[k] < count(k) {
			return true
		}
		value[k] = 0
	}
	return false
}

// drawSet draws the numbers of a block given all others.
func drawSet(s *State, c *conditional, rng *rand.Rand) error {
	if err := s.openFactors(); err != nil {
		return err
	}
	p, sel, t := s.b.products, s.b.sel, c.set
	if s.sets[c] == nil {
		s.sets[c] = t.tree.NewState()
	}
	z := s.q[s.m.Dim:]
	var parameters []float64
	for i := range t.factor {
		f := &t.factor[i]
		vars := sel.vars[f.factor]
		value := make([]int, len(f.own))
		for {
			entry, next := 0, 0
			for k, id := range vars {
				v := int(z[id]) - sel.low[id]
				if next < len(f.own) && f.own[next] == k {
					v = value[next]
					next++
				}
				entry = entry*sel.count[id] + v
			}
			at, total := sel.offset[f.factor]+entry, 0.0
			for _, share := range p.share[p.start[at]:p.start[at+1]] {
				total += float64(share.Coef * s.values[share.Product])
			}
			parameters = append(parameters, total)
			if !advance(value, func(k int) int { return sel.count[vars[f.own[k]]] }) {
				break
			}
		}
	}
	state := s.sets[c]
	if !state.Set(parameters) {
		return infer.Reject("all values of a discrete parameter have probability zero")
	}
	drawn := make([]int, len(t.ids))
	state.Draw(rng, drawn)
	for i, id := range t.ids {
		s.move(s.m.Dim+id, float64(sel.low[id]+drawn[i]))
	}
	return nil
}

// apart makes sure that blocks of one group do not depend on each other given the rest: what does is
// in one block where it can be drawn jointly. A group of one parameter has the blocks that it would
// have without.
func (a *analysis) apart() error {
	group := make([]int, a.b.size) // of each number
	block := make([]*conditional, a.b.size)
	for i := range group {
		group[i] = -1
	}
	several := func(g int) bool { return g >= 0 && len(a.by.Groups[g]) > 1 }
	for _, c := range a.b.list {
		if c.p == nil || !several(c.group) {
			continue
		}
		for _, k := range a.numbersOf(c) {
			group[k], block[k] = c.group, c
		}
	}
	tied := func(g int, x, y *conditional, at source.Span) error {
		if slices.Index(a.b.list, x) > slices.Index(a.b.list, y) {
			x, y = y, x
		}
		return &infer.GroupError{Group: g, Reason: fmt.Sprintf("%s and %s depend on each other, %s, and are neither jointly normal, alone or with their precision, nor all discrete",
			x.Name, y.Name, place(at))}
	}
	each := func(product int32, visit func(k int) error) error {
		for _, p := range a.x.list[product].powers {
			for _, k := range a.x.uses[p.Atom] {
				if err := visit(k); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for product := range a.x.list {
		first := map[int]*conditional{}
		err := each(int32(product), func(k int) error {
			if g := group[k]; g >= 0 {
				if c := first[g]; c != nil && c != block[k] {
					return tied(g, c, block[k], a.x.place(int32(product)))
				}
				first[g] = block[k]
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return a.apartFromDiscrete(several, func(c *conditional, product int32, at source.Span) error {
		return each(product, func(k int) error {
			if group[k] == c.group {
				return tied(c.group, c, block[k], at)
			}
			return nil
		})
	})
}

// apartFromDiscrete looks at the products that entries of factors with discrete numbers of a group have.
func (a *analysis) apartFromDiscrete(several func(g int) bool, look func(c *conditional, product int32, at source.Span) error) error {
	owner := map[int]*conditional{}
	for _, c := range a.b.list {
		if c.p == nil && several(c.group) {
			for _, at := range c.Coords {
				owner[at-a.m.Dim] = c
			}
		}
	}
	if len(owner) == 0 {
		return nil
	}
	for f, vars := range a.b.sel.vars {
		entries := 1
		for _, id := range vars {
			entries *= a.b.sel.count[id]
		}
		from := a.b.sel.offset[f]
		for _, id := range vars {
			c := owner[id]
			if c == nil {
				continue
			}
			for _, share := range a.x.share[a.x.start[from]:a.x.start[from+entries]] {
				if err := look(c, share.Product, a.from[f]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// numbersOf are the numbers that a block's coordinates belong to.
func (a *analysis) numbersOf(c *conditional) []int {
	switch {
	case c.scale != nil:
		return append(slices.Clone(c.at), c.scale.at[0])
	case len(c.at) > 0:
		return c.at
	}
	at := 0
	for i := range a.m.Params {
		n := len(eval.Undefined(a.m.Params[i].Shape).X)
		if &a.m.Params[i] == c.p {
			var out []int
			for _, k := range c.Coords {
				if a.b.valueOf[k] < 0 {
					return trace.Span(at, n) // ties between a parameter's own numbers do not count
				}
				out = append(out, a.b.valueOf[k])
			}
			return out
		}
		at += n
	}
	return nil
}
