// Elements that a traced iteration picks by an integer that differs between iterations.

package eval

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// chosen returns the element of v at an index, counted from 1, that differs between iterations; nil
// where its values are not known.
func (r *loopTracer) chosen(v, index *Value) *Value {
	if len(index.Dims) > 0 || !r.differs(index.Ref(0)) {
		return nil
	}
	numbers, ok := r.body.Known(index.Ref(0))
	if !ok || len(numbers) != r.n {
		return nil
	}
	at := make([]int32, r.n)
	for t, k := range numbers {
		if k < 1 || int(k) > len(v.X) {
			r.abort()
		}
		at[t] = int32(k) - 1
	}
	out := newNumber(v.T.Scalar(), v.X[at[0]])
	out.Refs = []autodiff.Ref{r.pick(v, at)}
	out.dropConstantRefs()
	return out
}

// pick makes the placeholder of number at[t] of v.
func (r *loopTracer) pick(v *Value, at []int32) autodiff.Ref {
	varies, carried := false, false
	for i := range v.X {
		differs := r.differs(v.Ref(i))
		varies, carried = varies || differs, carried || differs && r.body.Carried(v.Ref(i).Node)
	}
	if carried && r.mixed != nil {
		r.requireUniformNumber(func(t int) int { return int(at[t]) })
	}
	if varies {
		refs := make([]autodiff.Ref, len(v.X))
		for i := range refs {
			refs[i] = r.ref(v.Ref(i), v.X[i])
		}
		if carried && r.picked == nil {
			r.picked = r.sorted(func(t int) int { return int(at[t]) })
		}
		return autodiff.Ref{Node: r.body.Pick(refs, at)}
	}
	all := NewValue(types.Vector, []int{r.n}, make([]float64, r.n))
	all.Refs = make([]autodiff.Ref, r.n)
	for t, k := range at {
		all.X[t], all.Refs[t] = v.X[k], v.Ref(int(k))
	}
	all.dropConstantRefs()
	return r.stand(all)
}

// element returns x[i] of a vector or an array of numbers, where i is an integer of the iteration;
// nil for anything else.
func (r *loopTracer) element(f *frame, v *Value, list []ir.IndexArg) *Value {
	if len(list) != 1 || list[0].Kind != ir.Single || len(v.Dims) != 1 || unit(v.T) != 1 || v.Elems != nil {
		return nil
	}
	return r.chosen(v, f.expr(list[0].Lo))
}

// categories returns the log mass of a category of the iteration; nil where that is not known.
func (r *loopTracer) categories(f *frame, at source.Span, fn *stdlib.Function, args []*Value) *Value {
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
		r.abort() // run iteration by iteration, it fails with a message
	}
	out := r.logMass(f, at, fn, args, p)
	r.rec.Require(at, fn, args, out)
	return out
}

// logMass is the log mass of a category with the parameter p.
func (r *loopTracer) logMass(f *frame, at source.Span, fn *stdlib.Function, args []*Value, p *Value) *Value {
	if fn.Name == "categorical_lpmf" {
		return f.m.elementwise(at, logarithm, types.Real, []*Value{p})
	}
	rows := f.m.Lib.Functions("log_sum_exp")
	ofVector := slices.IndexFunc(rows, func(fn *stdlib.Function) bool { return fn.Kernel != nil })
	total := f.kernel(at, rows[ofVector], types.Real, args[1:])
	return f.m.elementwise(at, difference, types.Real, []*Value{p, total})
}

// takes reports whether a traced loop can hold a call of fn with an argument a whose integers differ
// between iterations: fn has a form for single numbers, or one that is expanded for a few counts.
func (r *loopTracer) takes(fn *stdlib.Function, args []*Value, a *Value) bool {
	if r != nil && stdlib.TakesCounts(fn.Name, len(a.X)) && len(args[1].X) == len(a.X) {
		differ := slices.ContainsFunc(a.Refs, r.differs)
		if differ && r.n <= maxShared && !r.anyDiffers(args[1]) {
			r.abort() // calls in each iteration share the logarithms, and their counts are added
		}
		return differ
	}
	return r != nil && fn.Pointwise != nil && len(a.Dims) == 0 && r.differs(a.Ref(0)) &&
		!slices.ContainsFunc(args, func(a *Value) bool { return len(a.Dims) > 0 })
}

// anyDiffers reports whether a number of v is another one in other iterations.
func (r *loopTracer) anyDiffers(v *Value) bool {
	for i := range v.X {
		if r.differs(v.Ref(i)) {
			return true
		}
	}
	return false
}

var (
	logarithm  = &stdlib.Function{Name: "log", Op: autodiff.Log}
	difference = &stdlib.Function{Name: "subtract", Op: autodiff.Sub}
)

// maxElements is the greatest number of elements of a density that is taken apart.
const maxElements = 64

// maxUnrolled is up to how many iterations a density of more than fewElements counts is a call in each, which is faster than one
// by one where a single one is a call, too.
const (
	maxUnrolled = 1 << 14
	fewElements = 4
)

// maxShared is the greatest number of iterations in which masses of counts with the same probabilities are a call each.
const maxShared = 1 << 10

// elements returns the log mass of a container of counts as the sum over its elements, where something
// about them differs between iterations; nil for other calls.
func (r *loopTracer) elements(f *frame, at source.Span, fn *stdlib.Function, args []*Value) *Value {
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
	if fn.Pointwise == nil || !isMass(fn.Name) || !differ || n < 1 || n > maxElements {
		return nil
	}
	if n > fewElements && r.n <= maxUnrolled && stdlib.Lowering(fn.Name, stdlib.ForCounts) == nil {
		r.abort()
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
	r.split = true
	return f.sum(at, join(types.ArrayOf(types.Real, 1), []int{n}, parts))
}
