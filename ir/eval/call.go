// Calls of library functions and of the user's.

package eval

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// maxDepth bounds recursion of the user's functions.
const maxDepth = 2000

// maxOperands is the greatest number of arguments of a scalar function.
const maxOperands = 3

func (f *frame) call(x *ir.Call) *Value {
	fn := x.Fn.(*stdlib.Function)
	if fn.Higher != "" {
		return f.higher(x, fn)
	}
	if n, ok := f.tryPlain(x); ok {
		return newNumber(x.T, n)
	}
	args := f.evals(x.Args)
	v := f.proper(x, args, f.apply(x.Loc, fn, x.T, args))
	if x.T.Base == types.IntBase && fn.Draw == nil {
		fitsInt(x.Loc, v.known())
		if rec, ok := f.m.Rec.(DrawRecorder); ok && v.Active() && !small(fn.Name) {
			rec.Ints(v)
		}
	}
	return v
}

// fitsInt fails where an integer result is outside the range of ints, which in Stan
// would go on with a number of the wrong sign.
func fitsInt(at source.Span, v *Value) {
	for _, x := range v.X {
		if x > math.MaxInt32 || x < math.MinInt32 {
			fail(at, "integer overflow: the result %.0f is outside the range of an int, -2147483648 to 2147483647", x)
		}
	}
}

// small reports whether a function gives truth values, or one of its arguments.
func small(name string) bool {
	return strings.HasPrefix(name, "logical_") || name == stdlib.Choice.Name || name == stdlib.Pick.Name
}

// apply calls a library function. The result's type is t.
func (f *frame) apply(at source.Span, fn *stdlib.Function, t types.Type, args []*Value) *Value {
	const anIteration = 64 // numbers that a call takes
	for _, a := range args {
		f.m.countWork(len(a.X) / anIteration)
	}
	switch {
	case fn.Parts != nil:
		return f.tuple(at, fn, t, args)
	case fn.Jacobian != nil && f.m.Jacobian:
		f.m.AddTerm(at, f.kernel(at, fn.Jacobian, types.Real, slices.Clone(args)))
	}
	switch {
	case fn.Op != nil:
		return f.m.elementwise(at, fn, t, args)
	case fn.Layout != nil:
		return f.m.layout(at, fn, t, allKnown(args))
	case fn.Draw != nil:
		return f.m.draw(at, fn, t, allKnown(args))
	}
	return f.kernel(at, fn, t, args)
}

// tuple calls the functions that a tuple-valued function consists of.
func (f *frame) tuple(at source.Span, fn *stdlib.Function, t types.Type, args []*Value) *Value {
	given := make([]types.Arg, len(args))
	for i, a := range args {
		given[i] = types.Arg{Type: a.T}
	}
	out := NewValue(t, nil, nil)
	for _, name := range fn.Parts {
		m, mismatch := types.Resolve(f.m.Lib.Signatures(name), given)
		if mismatch != nil {
			fail(at, "%s: the library has no %s of these arguments", fn.Name, name)
		}
		part := f.apply(at, f.m.Lib.Row(m.Sig), m.Result, slices.Clone(args))
		out.Fields = append(out.Fields, part.known())
	}
	for _, x := range fn.Numbers {
		out.Fields = append(out.Fields, NewValue(t.Fields[len(out.Fields)], nil, []float64{x}))
	}
	return out
}

// named makes sure that a library error says which function it is about.
func named(fn *stdlib.Function, err error) error {
	if strings.Contains(err.Error(), fn.Name) {
		return err
	}
	return fmt.Errorf("%s: %w", fn.Name, err)
}

func anyActive(args []*Value) bool {
	for _, a := range args {
		if a.Active() {
			return true
		}
	}
	return false
}

// elementwise applies a scalar function to containers, scalars broadcast.
func (m *Machine) elementwise(at source.Span, fn *stdlib.Function, t types.Type, args []*Value) *Value {
	shape := args[0]
	for _, a := range args[1:] {
		switch {
		case len(shape.Dims) == 0:
			shape = a
		case len(a.Dims) > 0 && !sameDims(a.Dims, shape.Dims):
			fail(at, "%s: sizes do not fit: %s and %s", fn.Name, sizes(shape.Dims), sizes(a.Dims))
		}
	}
	if err := stdlib.CheckMemory(float64(len(shape.X))); err != nil {
		failWith(at, named(fn, err))
	}
	out := newZeros(t, shape.Dims, len(shape.X))
	if m.defers(args, len(out.X)) {
		m.putOff(args, out, func() { m.numbers(at, fn, args, out.X) })
	} else {
		m.numbers(at, fn, allKnown(args), out.X)
	}
	if m.Rec != nil && anyActive(args) && len(out.X) > 0 {
		out.Node = m.Rec.Elementwise(at, fn, args, out)
	}
	return out
}

// numbers fills in the result of an elementwise call.
func (m *Machine) numbers(at source.Span, fn *stdlib.Function, args []*Value, out []float64) {
	point := &m.point
	for i := range out {
		for k, a := range args {
			point[k] = a.X[0]
			if len(a.Dims) > 0 {
				point[k] = a.X[i]
			}
		}
		if fn.Valid != nil {
			if err := fn.Valid(point[:len(args)]); err != nil && !m.sim.awaits(args, i) {
				failWith(at, named(fn, err))
			}
		}
		out[i] = applyOp(fn.Op, point)
	}
}

// leavesOpen reports whether integers that go into a kernel may be other ones in other runs of what is
// recorded: counts that a density is of, where the data are supplied later or rows draw them, and arrays of
// integers in a row.
func (m *Machine) leavesOpen(fn *stdlib.Function, i int, a *Value) bool {
	density := i == 0 && graph.IsDensity(fn.Name)
	if _, row := m.Rec.(DrawRecorder); row && m.Rand != nil && m.tracer == nil {
		return density || len(a.Dims) > 0 || fn.Name == stdlib.Pick.Name
	}
	return density && m.Supplied && len(a.Dims) > 0
}

func applyOp(op *autodiff.Op, x *[maxOperands]float64) float64 {
	switch {
	case op.F1 != nil:
		return op.F1(x[0])
	case op.F2 != nil:
		return op.F2(x[0], x[1])
	}
	return op.F3(x[0], x[1], x[2])
}

func tensors(args []*Value) []stdlib.Tensor {
	out := make([]stdlib.Tensor, len(args))
	for i, a := range args {
		out[i] = a.tensor()
	}
	return out
}

// layout applies a rearrangement: dependencies move with their numbers. Integer
// arguments of it are sizes and positions, never contents that could be active,
// unless they are among the elements copied.
func (m *Machine) layout(at source.Span, fn *stdlib.Function, t types.Type, args []*Value) *Value {
	in := make([]stdlib.Tensor, len(args))
	if r := m.tracer; r != nil && unit(t) == 1 {
		if v := r.layout(fn, t, args); v != nil {
			return v
		}
	}
	for i, a := range args {
		if a.T.Base == types.IntBase && a.T.Dims == 0 && a.Active() {
			args[i] = m.guard(a)
		}
		in[i] = args[i].tensor()
	}
	if err := stdlib.CheckLayout(fn.Name, in); err != nil {
		failWith(at, err)
	}
	dims, from, err := fn.Layout(in)
	if err != nil {
		failWith(at, named(fn, err))
	}
	u := unit(t) // elements are complex numbers where the result's are
	out := NewValue(t, dims, make([]float64, len(from)*u))
	for i, r := range from {
		if r.Arg >= 0 {
			copy(out.X[i*u:(i+1)*u], in[r.Arg].X[int(r.Elem)*u:])
		}
	}
	if anyActive(args) {
		out.Refs = make([]autodiff.Ref, len(out.X))
		for i := range out.Refs {
			out.Refs[i].Node = autodiff.None
			if r := from[i/u]; r.Arg >= 0 {
				out.Refs[i] = args[r.Arg].Ref(int(r.Elem)*u + i%u)
			}
		}
		out.dropConstantRefs()
	}
	return out
}

// kernel applies a function of whole arguments. Integers that depend on parameters
// are relied on, since kernels take derivatives of reals only.
func (f *frame) kernel(at source.Span, fn *stdlib.Function, t types.Type, args []*Value) *Value {
	if r := f.m.tracer; r != nil {
		if v := r.categories(f, at, fn, args); v != nil {
			return v
		}
		if v := r.elements(f, at, fn, args); v != nil {
			return v
		}
	}
	for i, a := range args {
		if f.m.tracer.takes(fn, args, a) {
			continue
		}
		if a.T.Base == types.IntBase && !f.m.leavesOpen(fn, i, a) {
			args[i] = f.m.guard(a)
		}
	}
	d := f.m.disc
	if d != nil && f.m.sim == nil {
		if v := d.calls.find(fn, args); v != nil {
			return v
		}
	}
	in := tensors(args)
	k := fn.Kernel
	dims, err := k.Dims(in)
	if err == nil {
		err = stdlib.CheckNumbers(fn.Name, dims)
	}
	if err != nil {
		failWith(at, named(fn, err))
	}
	if f.m.sim.awaitsAny(args) {
		return unknownOf(t, dims)
	}
	out := newZeros(t, dims, product(dims)*unit(t))
	switch {
	case k.SizesOnly:
		f.m.compute(at, fn, in, out)
	case f.m.defers(args, len(out.X)):
		f.m.putOff(args, out, func() { f.m.compute(at, fn, in, out) })
	default:
		allKnown(args)
		if !f.m.compute(at, fn, in, out) {
			return out
		}
	}
	if f.m.Rec != nil && len(out.X) > 0 && !k.SizesOnly && anyActive(args) {
		out.Node = f.m.Rec.Kernel(at, fn, args, out)
	}
	if d != nil {
		d.calls.add(fn, args, out)
	}
	return out
}

// compute fills in the result of a kernel. False says that the call shows the present values
// of discrete parameters to be impossible.
func (m *Machine) compute(at source.Span, fn *stdlib.Function, in []stdlib.Tensor, out *Value) bool {
	var work []float64
	if w := fn.Kernel.Work; w != nil {
		work = make([]float64, w(in))
	}
	switch err := fn.Kernel.Value(in, out.X, work); {
	case err == nil:
	case m.disc.impossible(fn, err):
		out.X[0] = math.Inf(-1)
		return false
	default:
		failWith(at, named(fn, err))
	}
	return true
}

// draw calls an _rng function.
func (m *Machine) draw(at source.Span, fn *stdlib.Function, t types.Type, args []*Value) *Value {
	if m.Rand == nil {
		fail(at, "%s: no random numbers are to be had here", fn.Name)
	}
	in := tensors(allKnown(args))
	dims, err := fn.Draw.Dims(in)
	if err == nil {
		err = stdlib.CheckNumbers(fn.Name, dims)
	}
	if err != nil {
		failWith(at, named(fn, err))
	}
	out := NewValue(t, dims, make([]float64, product(dims)*unit(t)))
	if err := fn.Draw.Draw(m.Rand, in, out.X); err != nil {
		failWith(at, named(fn, err))
	}
	if rec, ok := m.Rec.(DrawRecorder); ok && len(out.X) > 0 {
		out.Node = rec.Draw(at, fn, args, out)
	}
	return out
}

// userCallOf evaluates a call of a user's function, whose statements have the roles that
// they have in this call.
func (f *frame) userCallOf(x *ir.UserCall) *Value {
	args, drop := f.evals(x.Args), f.called(x.Fn, x.Args, x.Unnormalized)
	if x.Fn.Target {
		roles := f.m.Roles
		f.m.Roles = roles.Within(x)
		defer func() { f.m.Roles = roles }()
	}
	if f.m.remembers(x.Fn, drop) {
		return f.m.once(x.Fn, args, func() *Value { return f.userCall(x.Span(), x.Fn, args, drop) })
	}
	return f.userCall(x.Span(), x.Fn, args, drop)
}

// userCall runs a function of the user's in a frame of its own.
func (f *frame) userCall(at source.Span, fn *ir.Function, args []*Value, drop dropping) *Value {
	return f.enter(at, fn, args, drop, func(g *frame) { g.stmts(fn.Body) })
}

// enter makes the frame of a call of a user's function, and runs its body there.
func (f *frame) enter(at source.Span, fn *ir.Function, args []*Value, drop dropping, body func(g *frame)) *Value {
	m := f.m
	if m.depth++; m.depth > maxDepth {
		fail(at, "%s: functions call each other more than %d deep", fn.Name, maxDepth)
	}
	likelihood := m.likelihood
	defer func() { m.depth, m.likelihood = m.depth-1, likelihood }()
	m.countRecorded(at)
	g := &frame{m: m, vars: make([]slot, fn.Slots), drop: drop}
	for i, p := range fn.Params {
		g.vars[p.Slot] = slot{v: args[i]}
	}
	body(g)
	if g.value == nil {
		if fn.Result.Base != types.VoidBase {
			fail(at, "%s ended without returning a value", fn.Name)
		}
		return NewValue(types.Void, nil, nil)
	}
	return g.value
}
