// What integers, and the places that indices name, are in all iterations.

package eval

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// An indexSequence is what an integer is in all iterations: a progression, or one number an
// iteration.
type indexSequence struct {
	first, step int
	all         []int // where it is no progression
}

// at is the integer in iteration i, from 0.
func (c *indexSequence) at(i int) int {
	if c.all != nil {
		return c.all[i]
	}
	return c.first + i*c.step
}

// uniform reports whether it is the same in all iterations.
func (c *indexSequence) uniform() bool { return c.all == nil && c.step == 0 }

// sequence evaluates an integer of the iteration.
func (r *loopTracer) sequence(x ir.Expr) indexSequence {
	if k, ok := r.slope(x); ok && (k == 0 || r.list == nil) {
		return indexSequence{first: r.first(x), step: k}
	} else if ok && r.mixed != nil {
		first := float64(r.first(x))
		numbers := make([]float64, r.n)
		for i, t := range r.list {
			numbers[i] = first + float64((t-r.list[0])*k)
		}
		return r.progression(numbers)
	}
	return r.sequenceOf(r.f.expr(x), 0)
}

// sequenceOf is what number i of a value of integers is.
func (r *loopTracer) sequenceOf(v *Value, i int) indexSequence {
	first := int(v.X[i])
	if ref := v.Ref(i); r.differs(ref) {
		numbers, ok := r.body.Known(ref)
		if !ok {
			r.abort()
		}
		return r.progression(numbers)
	}
	if v.Active() {
		r.f.m.guard(v)
	}
	return indexSequence{first: first}
}

// progression makes an index sequence of numbers.
func (r *loopTracer) progression(numbers []float64) indexSequence {
	c := indexSequence{first: int(numbers[0])}
	if len(numbers) == 1 {
		return c
	}
	c.step = int(numbers[1]) - c.first
	for i, x := range numbers {
		if int(x) != c.first+i*c.step {
			c.step, c.all = 0, make([]int, len(numbers))
			for i, x := range numbers {
				c.all[i] = int(x)
			}
			return c
		}
	}
	return c
}

// slope says by how much an integer grows with the loop's variable, where that shows in
// what is written.
func (r *loopTracer) slope(x ir.Expr) (k int, ok bool) {
	switch x := x.(type) {
	case *ir.Const:
		return 0, true
	case *ir.Ref:
		if x.Var == r.loop {
			return 1, true
		}
	case *ir.Call:
		name := x.Fn.BuiltinName()
		if len(x.Args) != 2 || name != "add" && name != "subtract" {
			break
		}
		a, ok1 := r.slope(x.Args[0])
		b, ok2 := r.slope(x.Args[1])
		if name == "subtract" {
			b = -b
		}
		return a + b, ok1 && ok2
	}
	m := r.form(x)
	return 0, !m.mentions && r.uniformNow(m)
}

// uniformNow reports whether an expression of such a form is made of plain numbers, which are the
// same in all iterations.
func (r *loopTracer) uniformNow(m *form) bool {
	for _, v := range m.vars {
		if s := r.f.slot(v); s.v == nil || s.alt != nil || s.v.Active() || r.states[v] != nil {
			return false
		}
	}
	return m.calm
}

// indexVaries reports whether an index differs between iterations.
func (r *loopTracer) indexVaries(list []ir.IndexArg) bool {
	return slices.ContainsFunc(list, func(a ir.IndexArg) bool {
		return r.varies(a.Lo) || r.varies(a.Hi)
	})
}

func (r *loopTracer) varies(x ir.Expr) bool {
	if x == nil {
		return false
	}
	m := r.form(x)
	return m.mentions || slices.ContainsFunc(m.vars, func(v *ir.Var) bool {
		w := r.f.slot(v).v
		return r.inside[v] && w != nil && w.Active()
	})
}

// An accessPattern is what an index list picks of a container in all iterations: so many places,
// each of which is offs in the first iteration and moves on by strides, or, where rows is not nil,
// is in rows[i] in iteration i.
type accessPattern struct {
	t       types.Type
	dims    []int
	offs    []int
	strides []int
	rows    [][]int
}

// accessPattern follows an index list. Iterations that pick as many places are alike.
func (r *loopTracer) accessPattern(v *Value, list []ir.IndexArg) (m accessPattern, sequences [][]indexSequence) {
	sequences = make([][]indexSequence, len(v.Dims))
	single := make([]bool, len(v.Dims))
	table := false
	for k := range v.Dims {
		if k < len(list) {
			sequences[k], single[k] = r.along(&list[k], v.Dims[k])
		} else {
			sequences[k], _ = r.along(&ir.IndexArg{Kind: ir.All}, v.Dims[k])
		}
		for i := range sequences[k] {
			c := &sequences[k][i]
			table = table || c.all != nil
			if c.all == nil && (c.at(0) < 1 || c.at(0) > v.Dims[k] || c.at(r.n-1) < 1 || c.at(r.n-1) > v.Dims[k]) {
				r.abort() // run iteration by iteration, it fails with a message
			}
		}
	}
	first := r.places(v, sequences, single, 0)
	m.t, m.dims = first.result(v.T)
	m.offs = first.offsets(v.T, v.Dims)
	if !table {
		second := r.places(v, sequences, single, 1)
		m.strides = second.offsets(v.T, v.Dims)
		for k, off := range m.offs {
			m.strides[k] -= off
		}
		return m, sequences
	}
	m.rows = make([][]int, r.n)
	for i := range m.rows {
		r.f.m.countIteration()
		s := r.places(v, sequences, single, i)
		m.rows[i] = s.offsets(v.T, v.Dims)
	}
	return m, sequences
}

// along follows one index, of a dimension of so many places.
func (r *loopTracer) along(a *ir.IndexArg, size int) (list []indexSequence, single bool) {
	lo, hi := indexSequence{first: 1}, indexSequence{first: size}
	switch a.Kind {
	case ir.Single:
		return []indexSequence{r.sequence(a.Lo)}, true
	case ir.Multi:
		v := r.f.expr(a.Lo)
		for i := range v.X {
			list = append(list, r.sequenceOf(v, i))
		}
		return list, false
	case ir.Range:
		if a.Lo != nil {
			lo = r.sequence(a.Lo)
		}
		if a.Hi != nil {
			hi = r.sequence(a.Hi)
		}
	case ir.All:
	default:
		r.abort()
	}
	n := max(0, hi.first-lo.first+1)
	r.requireUniformNumber(func(i int) int { return max(0, hi.at(i)-lo.at(i)+1) })
	for k := range n {
		c := lo
		c.first += k
		if lo.all != nil {
			c.all = make([]int, r.n)
			for i, x := range lo.all {
				c.all[i] = x + k
			}
		}
		list = append(list, c)
	}
	return list, false
}

// places is the selection of iteration i.
func (r *loopTracer) places(v *Value, sequences [][]indexSequence, single []bool, i int) selection {
	s := selection{axes: make([]axis, len(sequences))}
	for k, list := range sequences {
		a := axis{n: len(list), single: single[k]}
		if a.single {
			a.lo = list[0].at(i) - 1
		} else {
			a.at = make([]int, len(list))
			for j := range list {
				a.at[j] = list[j].at(i) - 1
			}
		}
		for j := range list {
			if p := list[j].at(i); p < 1 || p > v.Dims[k] {
				r.abort()
			}
		}
		s.axes[k] = a
	}
	return s
}
