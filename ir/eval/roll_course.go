// What integers, and the places that indices name, are in all rounds.

package eval

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// A course is what an integer is in all rounds: a progression, or one number a round.
type course struct {
	first, step int
	all         []int // where it is no progression
}

// at is the integer in round i, from 0.
func (c *course) at(i int) int {
	if c.all != nil {
		return c.all[i]
	}
	return c.first + i*c.step
}

// steady says whether it is the same in all rounds.
func (c *course) steady() bool { return c.all == nil && c.step == 0 }

// course evaluates an integer of the round.
func (r *rolling) course(x ir.Expr) course {
	if k, ok := r.slope(x); ok && (k == 0 || r.list == nil) {
		return course{first: r.first(x), step: k}
	} else if ok && r.mix != nil {
		first := float64(r.first(x))
		numbers := make([]float64, r.n)
		for i, t := range r.list {
			numbers[i] = first + float64((t-r.list[0])*k)
		}
		return r.progression(numbers)
	}
	return r.courseOf(r.f.expr(x), 0)
}

// courseOf is what number i of a value of integers is.
func (r *rolling) courseOf(v *Value, i int) course {
	first := int(v.X[i])
	if ref := v.Ref(i); r.differs(ref) {
		numbers, ok := r.round.Known(ref)
		if !ok {
			r.refuse()
		}
		return r.progression(numbers)
	}
	if v.Active() {
		r.f.m.settled(v)
	}
	return course{first: first}
}

// progression makes a course of numbers.
func (r *rolling) progression(numbers []float64) course {
	c := course{first: int(numbers[0])}
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
func (r *rolling) slope(x ir.Expr) (k int, ok bool) {
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
	return 0, !m.mentions && r.settledNow(m)
}

// settledNow says whether an expression of such a form is made of plain numbers, which are the
// same in all rounds.
func (r *rolling) settledNow(m *form) bool {
	for _, v := range m.vars {
		if s := r.f.slot(v); s.v == nil || s.v.Active() || r.states[v] != nil {
			return false
		}
	}
	return m.calm
}

// moves says whether an index differs from round to round.
func (r *rolling) moves(list []ir.IndexArg) bool {
	return slices.ContainsFunc(list, func(a ir.IndexArg) bool {
		return r.movesWith(a.Lo) || r.movesWith(a.Hi)
	})
}

func (r *rolling) movesWith(x ir.Expr) bool {
	if x == nil {
		return false
	}
	m := r.form(x)
	return m.mentions || slices.ContainsFunc(m.vars, func(v *ir.Var) bool {
		w := r.f.slot(v).v
		return r.inside[v] && w != nil && w.Active()
	})
}

// A motion is what an index list picks of a container in all rounds: so many places, each of
// which is offs in the first round and moves on by strides, or, where rows is not nil, is in
// rows[i] in round i.
type motion struct {
	t       types.Type
	dims    []int
	offs    []int
	strides []int
	rows    [][]int
}

// motion follows an index list. Rounds that pick as many places are alike.
func (r *rolling) motion(v *Value, list []ir.IndexArg) (m motion, courses [][]course) {
	courses = make([][]course, len(v.Dims))
	single := make([]bool, len(v.Dims))
	table := false
	for k := range v.Dims {
		if k < len(list) {
			courses[k], single[k] = r.along(&list[k], v.Dims[k])
		} else {
			courses[k], _ = r.along(&ir.IndexArg{Kind: ir.All}, v.Dims[k])
		}
		for i := range courses[k] {
			c := &courses[k][i]
			table = table || c.all != nil
			if c.all == nil && (c.at(0) < 1 || c.at(0) > v.Dims[k] || c.at(r.n-1) < 1 || c.at(r.n-1) > v.Dims[k]) {
				r.refuse() // run round by round, it fails with a message
			}
		}
	}
	first := r.places(v, courses, single, 0)
	m.t, m.dims = first.result(v.T)
	m.offs = first.offsets(v.T, v.Dims)
	if !table {
		second := r.places(v, courses, single, 1)
		m.strides = second.offsets(v.T, v.Dims)
		for k, off := range m.offs {
			m.strides[k] -= off
		}
		return m, courses
	}
	m.rows = make([][]int, r.n)
	for i := range m.rows {
		r.f.m.round()
		s := r.places(v, courses, single, i)
		m.rows[i] = s.offsets(v.T, v.Dims)
	}
	return m, courses
}

// along follows one index, of a dimension of so many places.
func (r *rolling) along(a *ir.IndexArg, size int) (list []course, single bool) {
	lo, hi := course{first: 1}, course{first: size}
	switch a.Kind {
	case ir.Single:
		return []course{r.course(a.Lo)}, true
	case ir.Multi:
		v := r.f.expr(a.Lo)
		for i := range v.X {
			list = append(list, r.courseOf(v, i))
		}
		return list, false
	case ir.Range:
		if a.Lo != nil {
			lo = r.course(a.Lo)
		}
		if a.Hi != nil {
			hi = r.course(a.Hi)
		}
	case ir.All:
	default:
		r.refuse()
	}
	n := max(0, hi.first-lo.first+1)
	r.relyOn(func(i int) int { return max(0, hi.at(i)-lo.at(i)+1) })
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

// places is the selection of round i.
func (r *rolling) places(v *Value, courses [][]course, single []bool, i int) selection {
	s := selection{axes: make([]axis, len(courses))}
	for k, list := range courses {
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
				r.refuse()
			}
		}
		s.axes[k] = a
	}
	return s
}
