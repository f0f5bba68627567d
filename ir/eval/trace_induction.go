// Integers that are followed through a loop before it runs.

package eval

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// An inductionVars knows what integers are before each iteration of a loop, and after the last one.
type inductionVars struct {
	lo   int
	vars []*ir.Var
	of   [][]float64 // of each variable
}

// followed runs what integers depend on through a loop; false where that fails.
func (f *frame) followed(s *ir.For, lo, hi int) (a *inductionVars, ok bool) {
	plan := f.m.Prog.Recurrences[s]
	a = &inductionVars{lo: lo, vars: plan.Induction, of: make([][]float64, len(plan.Induction))}
	if len(a.vars) == 0 {
		return a, true
	}
	before, rec := f.snapshot(), f.m.Rec
	f.m.Rec = nil
	err := guarded(func() {
		for i := lo; i <= hi; i++ {
			f.m.countIteration()
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

// note appends the present values of the variables.
func (a *inductionVars) note(f *frame) {
	for k, v := range a.vars {
		a.of[k] = append(a.of[k], f.slot(v).v.X[0])
	}
}

// set gives the variables their values before an iteration.
func (a *inductionVars) set(f *frame, iteration int) {
	for k, v := range a.vars {
		f.vars[v.Slot] = slot{v: Int(int(a.of[k][iteration-a.lo]))}
	}
}

// placeholders replaces the values of the variables by placeholders.
func (a *inductionVars) placeholders(r *loopTracer) {
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

// layout applies a rearrangement whose sizes or positions differ between iterations; nil
// where they do not.
func (r *loopTracer) layout(fn *stdlib.Function, t types.Type, args []*Value) *Value {
	sequences := map[int]indexSequence{}
	for k, a := range args {
		if a.T.Base == types.IntBase && a.T.Dims == 0 && r.differs(a.Ref(0)) {
			sequences[k] = r.sequenceOf(a, 0)
		}
	}
	if len(sequences) == 0 {
		return nil
	}
	in := slices.Clone(args)
	dims := make([][]int, r.n)
	from := make([][]stdlib.Ref, r.n)
	for i := range r.n {
		r.f.m.countIteration()
		for k, c := range sequences {
			in[k] = Int(c.at(i))
		}
		var err error
		if dims[i], from[i], err = fn.Layout(tensors(in)); err != nil {
			r.abort() // run iteration by iteration, it fails with a message
		}
	}
	for k := range dims[0] {
		r.requireUniformNumber(func(i int) int { return dims[i][k] })
	}
	if len(dims[0]) == 0 { // what is picked may differ in number only where there are sizes
		r.requireUniformNumber(func(i int) int { return len(from[i]) })
	}
	out := newZeros(t, dims[0], len(from[0]))
	out.Refs = make([]autodiff.Ref, len(out.X))
	for e, first := range from[0] {
		at := make([]int32, r.n)
		for i := range r.n {
			if from[i][e].Arg != first.Arg {
				r.abort()
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
