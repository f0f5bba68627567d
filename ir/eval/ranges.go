// Ranges of a discrete number's values under which a statement does the same.
//
// While a statement is evaluated, each comparison of a discrete number with another one says for
// which of its values the outcome would be the same; whatever else reads the number says for
// none but the present one. So "t < change ? early : late" is evaluated once for all values
// up to t, and once for those above, and a table over one number is stored by such ranges: the
// factors of a change point and T observations take room and time in proportion to T.

package eval

import (
	"sort"

	"github.com/seed-12b88e03/ppl/ir"
)

// A reach is the values of a discrete number, from 0, for which nothing has differed so far.
type reach struct{ lo, hi int }

// narrow reports that outcomes are the same from lo to hi only.
func (d *discreteState) narrow(id, lo, hi int) {
	r := &d.reach[id]
	r.lo, r.hi = max(r.lo, lo), min(r.hi, hi)
}

// open forgets what was compared with numbers.
func (d *discreteState) open(vars []int) {
	for _, id := range vars {
		d.reach[id] = reach{0, d.count[id] - 1}
	}
}

// next is the value, from 0, after those from i on for which nothing differs.
func (d *discreteState) next(id, i int) int { return max(d.reach[id].hi, i) + 1 }

// within returns a table's value of a joint value, and says for which others it is the same.
func (t *table) within(d *discreteState, index int) *Value {
	k := t.place(index)
	if t.ends != nil {
		d.narrow(t.vars[0], t.from(k), t.ends[k]-1)
		return t.values[k]
	}
	for _, id := range t.vars {
		d.narrow(id, d.value[id], d.value[id])
	}
	return t.values[k]
}

// A held is values over joint values of discrete numbers. Those over one number may
// be held by ranges, each ending before ends.
type held struct {
	values []*Value
	ends   []int // nil for a value each
}

// at is the value of a joint value.
func (h *held) at(index int) *Value { return h.values[h.place(index)] }

func (h *held) place(index int) int {
	if h.ends == nil {
		return index
	}
	return sort.SearchInts(h.ends, index+1)
}

// from is where range k begins.
func (h *held) from(k int) int {
	switch {
	case h.ends == nil:
		return k
	case k == 0:
		return 0
	}
	return h.ends[k-1]
}

// add appends a value that holds up to end.
func (h *held) add(v *Value, end int) {
	h.values, h.ends = append(h.values, v), append(h.ends, end)
}

// whole returns a value for each joint value.
func (h *held) whole() []*Value {
	if h.ends == nil {
		return h.values
	}
	out := make([]*Value, 0, h.ends[len(h.ends)-1])
	for k, v := range h.values {
		for len(out) < h.ends[k] {
			out = append(out, v)
		}
	}
	return out
}

// comparisons are how two integers may be compared, and each seen from the other side.
var comparisons = map[string]string{
	"logical_lt": "logical_gt", "logical_lte": "logical_gte", "logical_gt": "logical_lt",
	"logical_gte": "logical_lte", "logical_eq": "logical_eq", "logical_neq": "logical_neq",
}

// compared evaluates the comparison of a discrete number with what does not depend on
// one; ok is false for anything else.
func (f *frame) compared(x *ir.Call) (n float64, ok bool) {
	d := f.m.disc
	if d == nil || len(x.Args) != 2 {
		return n, false
	}
	name := x.Fn.BuiltinName()
	other, ok := comparisons[name]
	if !ok {
		return n, false
	}
	id, ok := f.discrete(x.Args[0])
	with := x.Args[1]
	if !ok {
		id, ok = f.discrete(x.Args[1])
		name, with = other, x.Args[0]
	}
	if !ok {
		return n, false
	}
	y, ok := f.plain(with)
	if !ok {
		return n, false
	}
	d.mention(id)
	yes, lo, hi := compare(name, d.value[id], int(y)-d.low[id], d.count[id])
	d.narrow(id, lo, hi)
	if yes {
		n = 1
	}
	return n, true
}

// compare reports how v, one of n values, compares with c, and from where to where the same holds.
func compare(name string, v, c, n int) (yes bool, lo, hi int) {
	below, above := reach{0, c - 1}, reach{c, n - 1}
	switch name {
	case "logical_lte", "logical_gt":
		below.hi, above.lo = c, c+1
	case "logical_eq", "logical_neq":
		if v == c {
			return name == "logical_eq", v, v
		}
		above.lo = c + 1
	}
	side := above
	if v <= below.hi {
		side = below
	}
	switch name {
	case "logical_lt", "logical_lte":
		yes = v <= below.hi
	case "logical_gt", "logical_gte":
		yes = v >= above.lo
	default:
		yes = name == "logical_neq"
	}
	return yes, side.lo, min(side.hi, n-1)
}

// discrete returns the discrete number that an expression reads.
func (f *frame) discrete(x ir.Expr) (id int, ok bool) {
	switch x := x.(type) {
	case *ir.Ref:
		s := f.variable(x.Var)
		if s.v == nil || s.alt == nil || s.alt.base < 0 || !isNumber(s.v.T) {
			return 0, false
		}
		return s.alt.base, true
	case *ir.Index:
		r, ok := x.X.(*ir.Ref)
		if !ok || !isNumber(x.T) || len(x.Indices) != 1 || x.Indices[0].Kind != ir.Single {
			return 0, false
		}
		s := f.variable(r.Var)
		if s.v == nil || s.alt == nil || s.alt.base < 0 || len(s.v.Dims) != 1 {
			return 0, false
		}
		i, ok := f.plain(x.Indices[0].Lo)
		if !ok || i < 1 || i > float64(s.v.Dims[0]) {
			return 0, false
		}
		return s.alt.base + int(i) - 1, true
	}
	return 0, false
}
