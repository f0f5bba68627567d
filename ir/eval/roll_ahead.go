// Integers that are followed through a loop before it runs.

package eval

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// An ahead knows what integers are before each round of a loop, and after the last one.
type ahead struct {
	lo   int
	vars []*ir.Var
	of   [][]float64 // of each variable
}

// followed runs what integers depend on through a loop; false where that fails.
func (f *frame) followed(s *ir.For, lo, hi int) (a *ahead, ok bool) {
	plan := f.m.Prog.Recurrences[s]
	a = &ahead{lo: lo, vars: plan.Ahead, of: make([][]float64, len(plan.Ahead))}
	if len(a.vars) == 0 {
		return a, true
	}
	before, rec := f.snapshot(), f.m.Rec
	f.m.Rec = nil
	err := guarded(func() {
		for i := lo; i <= hi; i++ {
			f.m.round()
			a.note(f)
			f.vars[s.Var.Slot] = slot{v: Int(i)}
			f.stmts(plan.Slice)
		}
		a.note(f)
	})
	copy(f.vars, before)
	f.m.Rec = rec
	return a, err == nil
}

// note appends what the variables are.
func (a *ahead) note(f *frame) {
	for k, v := range a.vars {
		a.of[k] = append(a.of[k], f.slot(v).v.X[0])
	}
}

// set gives the variables what they are before a round.
func (a *ahead) set(f *frame, round int) {
	for k, v := range a.vars {
		f.vars[v.Slot] = slot{v: Int(int(a.of[k][round-a.lo]))}
	}
}

// stand gives them stand-ins.
func (a *ahead) stand(r *rolling) {
	for k, v := range a.vars {
		all := NewValue(types.Vector, []int{r.n}, make([]float64, r.n))
		for i := range all.X {
			all.X[i] = a.of[k][r.value(i)-a.lo]
		}
		x := newNumber(types.Int, all.X[0])
		x.Refs = append(x.Refs, r.stand(all))
		x.dropConstantRefs()
		r.f.vars[v.Slot] = slot{v: x}
	}
}

// layout applies a rearrangement whose sizes or positions differ from round to round; nil
// where they do not.
func (r *rolling) layout(fn *stdlib.Function, t types.Type, args []*Value) *Value {
	courses := map[int]course{}
	for k, a := range args {
		if a.T.Base == types.IntBase && a.T.Dims == 0 && r.differs(a.Ref(0)) {
			courses[k] = r.courseOf(a, 0)
		}
	}
	if len(courses) == 0 {
		return nil
	}
	in := slices.Clone(args)
	dims := make([][]int, r.n)
	from := make([][]stdlib.Ref, r.n)
	for i := range r.n {
		r.f.m.round()
		for k, c := range courses {
			in[k] = Int(c.at(i))
		}
		var err error
		if dims[i], from[i], err = fn.Layout(tensors(in)); err != nil {
			r.refuse() // run round by round, it fails with a message
		}
	}
	for k := range dims[0] {
		r.relyOn(func(i int) int { return dims[i][k] })
	}
	if len(dims[0]) == 0 { // what is picked may differ in number only where there are sizes
		r.relyOn(func(i int) int { return len(from[i]) })
	}
	out := newZeros(t, dims[0], len(from[0]))
	out.Refs = make([]autodiff.Ref, len(out.X))
	for e, first := range from[0] {
		at := make([]int32, r.n)
		for i := range r.n {
			if from[i][e].Arg != first.Arg {
				r.refuse()
			}
			at[i] = from[i][e].Elem
		}
		out.Refs[e].Node = autodiff.None
		if first.Arg >= 0 {
			v := args[first.Arg]
			out.X[e], out.Refs[e] = v.X[first.Elem], r.pick(v, at)
		}
	}
	out.dropConstantRefs()
	return out
}
