// What a round that stands for all picks by an integer of the round.

package eval

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// chosen gives the element of v at an integer of the round, counted from 1; nil where that
// integer is not known.
func (r *rolling) chosen(v, index *Value) *Value {
	if len(index.Dims) > 0 || !r.differs(index.Ref(0)) {
		return nil
	}
	numbers, ok := r.round.Known(index.Ref(0))
	if !ok || len(numbers) != r.n {
		return nil
	}
	at := make([]int32, r.n)
	for t, k := range numbers {
		if k < 1 || int(k) > len(v.X) {
			r.refuse()
		}
		at[t] = int32(k) - 1
	}
	out := newNumber(v.T.Scalar(), v.X[at[0]])
	out.Refs = []autodiff.Ref{r.pick(v, at)}
	out.dropConstantRefs()
	return out
}

// pick makes the stand-in of number at[t] of v.
func (r *rolling) pick(v *Value, at []int32) autodiff.Ref {
	varies, carried := false, false
	for i := range v.X {
		differs := r.differs(v.Ref(i))
		varies, carried = varies || differs, carried || differs && r.round.Carried(v.Ref(i).Node)
	}
	if carried && r.mix != nil {
		r.relyOn(func(t int) int { return int(at[t]) })
	}
	if varies {
		refs := make([]autodiff.Ref, len(v.X))
		for i := range refs {
			refs[i] = r.ref(v.Ref(i), v.X[i])
		}
		if carried && r.picked == nil {
			r.picked = r.sorted(func(t int) int { return int(at[t]) })
		}
		return autodiff.Ref{Node: r.round.Pick(refs, at)}
	}
	all := NewValue(types.Vector, []int{r.n}, make([]float64, r.n))
	all.Refs = make([]autodiff.Ref, r.n)
	for t, k := range at {
		all.X[t], all.Refs[t] = v.X[k], v.Ref(int(k))
	}
	all.dropConstantRefs()
	return r.stand(all)
}

// element gives x[i] of a vector or an array of numbers, where i is an integer of the round;
// nil for anything else.
func (r *rolling) element(f *frame, v *Value, list []ir.IndexArg) *Value {
	if len(list) != 1 || list[0].Kind != ir.Single || len(v.Dims) != 1 || unit(v.T) != 1 || v.Elems != nil {
		return nil
	}
	return r.chosen(v, f.expr(list[0].Lo))
}

// categories gives the log mass of a category of the round; nil where that is not known.
func (r *rolling) categories(f *frame, at source.Span, fn *stdlib.Function, args []*Value) *Value {
	if fn.Name != "categorical_lpmf" && fn.Name != "categorical_logit_lpmf" {
		return nil
	}
	p := r.chosen(args[1], args[0])
	if p == nil {
		return nil
	}
	var work []float64
	in := tensors(args)
	if fn.Kernel.Work != nil {
		work = make([]float64, fn.Kernel.Work(in))
	}
	if fn.Kernel.Value(in, make([]float64, 1), work) != nil {
		r.refuse() // run round by round, it fails with a message
	}
	out := r.logMass(f, at, fn, args, p)
	r.rec.Require(at, fn, args, out)
	return out
}

// logMass is the log mass of a category with the parameter p.
func (r *rolling) logMass(f *frame, at source.Span, fn *stdlib.Function, args []*Value, p *Value) *Value {
	if fn.Name == "categorical_lpmf" {
		return f.elementwise(at, logarithm, types.Real, []*Value{p})
	}
	rows := f.m.Lib.Functions("log_sum_exp")
	ofVector := slices.IndexFunc(rows, func(fn *stdlib.Function) bool { return fn.Kernel != nil })
	total := f.kernel(at, rows[ofVector], types.Real, args[1:])
	return f.elementwise(at, difference, types.Real, []*Value{p, total})
}

// takes says whether a function is known for integers that differ from round to round, of
// which a is one: as one of single numbers.
func (r *rolling) takes(fn *stdlib.Function, args []*Value, a *Value) bool {
	return r != nil && fn.Pointwise != nil && len(a.Dims) == 0 && r.differs(a.Ref(0)) &&
		!slices.ContainsFunc(args, func(a *Value) bool { return len(a.Dims) > 0 })
}

var (
	logarithm  = &stdlib.Function{Name: "log", Op: autodiff.Log}
	difference = &stdlib.Function{Name: "subtract", Op: autodiff.Sub}
)

// mostElements is the greatest number of elements of a density that is taken apart.
const mostElements = 64

// elements gives the log mass of counts as the sum of those of each, where something about
// them differs from round to round; nil where it is not such a one.
func (r *rolling) elements(f *frame, at source.Span, fn *stdlib.Function, args []*Value) *Value {
	n := -1
	differ := false
	for _, a := range args {
		switch {
		case len(a.Dims) == 0:
			differ = differ || r.differs(a.Ref(0))
			continue
		case len(a.Dims) > 1 || n >= 0 && len(a.X) != n || unit(a.T) != 1:
			return nil
		}
		n = len(a.X)
		for i := range a.X {
			differ = differ || r.differs(a.Ref(i))
		}
	}
	if fn.Pointwise == nil || !isMass(fn.Name) || !differ || n < 1 || n > mostElements {
		return nil
	}
	parts := make([]*Value, n)
	for i := range parts {
		one := slices.Clone(allKnown(args))
		for k, a := range args {
			if len(a.Dims) > 0 {
				one[k] = a.slice(a.T.Scalar(), nil, i, 1)
			}
		}
		parts[i] = f.kernel(at, fn, types.Real, one)
	}
	r.apart = true
	return f.sum(at, join(types.ArrayOf(types.Real, 1), []int{n}, parts))
}
