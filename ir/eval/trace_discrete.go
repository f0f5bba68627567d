// Discrete parameters in a traced iteration: each iteration reads elements of its own, and adds a factor
// to the log density.
//
// In the traced iteration a placeholder is enumerated in place of the elements of all iterations. The
// statement's table then has a vector for each value of the placeholder.

package eval

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// A FactorRecorder is a Recorder that can take factors of the same form together.
type FactorRecorder interface {
	Recorder
	// Together reports whether a term may be many factors.
	Together() bool
}

// Factors are factors of the same form: that of iteration i depends on the discrete numbers Vars[i],
// sorted, and its entry k is number i of Table[k], or the only one.
type Factors struct {
	Vars  [][]int
	Table []*Value
}

// mostFailures is how many loops with discrete numbers are tried in vain before no more are.
const mostFailures = 32

// traces reports whether loops may be tried: those of the program itself, where no discrete number
// has been given a value.
func (d *discreteState) traces(f *frame) bool {
	rec, ok := f.m.Rec.(FactorRecorder)
	return ok && rec.Together() && f == &f.m.global && d.pins == 0 && d.failures < mostFailures
}

// clean is the state before a loop is tried, where nothing has been read; first is how many
// numbers there were.
func (d *discreteState) clean(first int) {
	d.low, d.count, d.reach, d.names = d.low[:first], d.count[:first], d.reach[:first], d.names[:first]
	d.value, d.pinned, d.mark = d.value[:first], d.pinned[:first], d.mark[:first]
	clear(d.value)
	clear(d.mark)
	d.touched = d.touched[:0]
	d.calls.forget()
}

// common is the number that stands for ids[i] in iteration i.
func (r *loopTracer) common(ids []int) int {
	for k, c := range r.commons {
		if slices.Equal(c, ids) {
			return r.numbers + k
		}
	}
	d := r.f.m.disc
	first := ids[0]
	for _, id := range ids {
		if d.low[id] != d.low[first] || d.count[id] != d.count[first] {
			r.abort()
		}
	}
	r.commons = append(r.commons, ids)
	d.low, d.count, d.reach = append(d.low, d.low[first]), append(d.count, d.count[first]), append(d.reach, reach{0, d.count[first] - 1})
	d.value, d.pinned, d.mark, d.names = append(d.value, 0), append(d.pinned, 0), append(d.mark, false), append(d.names, d.names[first])
	return len(d.low) - 1
}

// discretePart reads a part of a discrete parameter for all iterations.
func (r *loopTracer) discretePart(s *slot, m accessPattern) *Value {
	d := r.f.m.disc
	out := NewValue(m.t, m.dims, make([]float64, len(m.offs)))
	for k, off := range m.offs {
		ids := make([]int, r.n)
		for i := range ids {
			switch {
			case m.rows != nil:
				ids[i] = s.alt.base + m.rows[i][k]
			default:
				ids[i] = s.alt.base + off + i*m.strides[k]
			}
		}
		id := r.common(ids)
		d.touch(id)
		out.X[k] = float64(d.low[id] + d.value[id])
	}
	return out
}

// stores reports whether what depends on discrete numbers may be kept in a variable: one of the
// iteration's own.
func (r *loopTracer) stores(to *slot, whole bool) bool {
	if !whole {
		return false
	}
	for _, st := range r.order {
		if r.f.slot(st.v) == to {
			return false
		}
	}
	return true
}

// factors makes a factor for each iteration from the factor of the traced one.
func (r *loopTracer) factors(t *Term) ([]outcome, bool) {
	of := func(id, i int) int {
		if id >= r.numbers {
			return r.commons[id-r.numbers][i]
		}
		return id
	}
	order := slices.Clone(t.Vars)
	slices.SortFunc(order, func(a, b int) int { return of(a, 0) - of(b, 0) })
	all := &Factors{Vars: make([][]int, r.n)}
	numbers := make([]int, r.n*len(order))
	for i := range all.Vars {
		v := numbers[i*len(order) : (i+1)*len(order) : (i+1)*len(order)]
		for k, id := range order {
			if v[k] = of(id, i); k > 0 && v[k] <= v[k-1] {
				return nil, false
			}
		}
		all.Vars[i] = v
	}
	all.Table = t.arranged(r.f.m.disc, order)
	*t = Term{At: t.At, Likelihood: t.Likelihood, Many: all}
	var list []outcome
	for k, v := range all.Table {
		ref := v.Ref(0)
		if !r.differs(ref) {
			continue
		}
		list = append(list, outcome{ref, func() autodiff.Node { return r.body.Vector(ref) }, func(node autodiff.Node, x []float64) {
			all.Table[k] = NewValue(types.Vector, []int{len(x)}, slices.Clone(x))
			all.Table[k].Node = node
		}})
	}
	return list, true
}

// arranged is a term's table with its numbers in another order.
func (t *Term) arranged(d *discreteState, order []int) []*Value {
	h := t.held()
	var out []*Value
	n := 1
	for _, id := range order {
		n *= d.count[id]
	}
	for i := range n {
		d.assign(order, i)
		out = append(out, h.at(d.index(t.Vars)))
	}
	d.assign(order, 0)
	return out
}
