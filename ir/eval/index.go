// Indexing: which numbers of a container an index list picks, and of what sizes and
// type the result is.

package eval

import (
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// A selection is an index list evaluated against a container: for each dimension
// the positions picked, from 0.
type selection struct {
	axes []axis
}

// An axis is what one dimension's index picks: lo, lo+1, ... (n of them), or at.
type axis struct {
	single bool
	lo, n  int
	at     []int
}

func (a *axis) pos(i int) int {
	if a.at != nil {
		return a.at[i]
	}
	return a.lo + i
}

// selection evaluates the index list for a container of the given sizes; the
// dimensions beyond the list stay whole.
func (f *frame) selection(at source.Span, indices []ir.IndexArg, dims []int) selection {
	s := selection{axes: make([]axis, len(dims))}
	for k, d := range dims {
		if k >= len(indices) {
			s.axes[k] = axis{n: d}
			continue
		}
		s.axes[k] = f.axis(at, &indices[k], d, k)
	}
	return s
}

func (f *frame) axis(at source.Span, a *ir.IndexArg, size, dim int) axis {
	check := func(i int) int {
		if i < 1 || i > size {
			outOfRange(at, i, dim, size)
		}
		return i - 1
	}
	switch a.Kind {
	case ir.Single:
		return axis{single: true, lo: check(f.integer(a.Lo)), n: 1}
	case ir.Multi, ir.Zip:
		v := f.m.guard(f.expr(a.Lo))
		out := axis{n: len(v.X), at: make([]int, len(v.X))}
		for i, x := range v.X {
			out.at[i] = check(int(x))
		}
		return out
	case ir.Range:
		lo, hi := 1, size
		if a.Lo != nil {
			lo = f.integer(a.Lo)
		}
		if a.Hi != nil {
			hi = f.integer(a.Hi)
		}
		if hi < lo {
			return axis{}
		}
		check(lo)
		check(hi)
		return axis{lo: lo - 1, n: hi - lo + 1}
	}
	return axis{n: size}
}

// outOfRange fails at an index of dimension dim, counted from 0.
func outOfRange(at source.Span, i, dim, size int) {
	from := ""
	if i < 1 {
		from = ", and indices begin at 1"
	}
	fail(at, "index %d of dimension %d%s is out of range; the size is %d%s", i, dim+1, ofWhat(at), size, from)
}

// ofWhat names the container that an index expression starts with, for messages; it
// is empty where that is not a variable.
func ofWhat(at source.Span) string {
	name, _, ok := strings.Cut(at.Text(), "[")
	if !ok || strings.ContainsAny(name, "(){}'*/+-") {
		return ""
	}
	return " of " + strings.TrimSpace(name)
}

// strides returns the distance between neighbours in each dimension, in numbers.
func strides(t types.Type, dims []int) []int {
	out := make([]int, len(dims))
	step := unit(t)
	for k := t.Dims; k < len(dims); k++ { // vectors and matrices: first index fastest
		out[k] = step
		step *= dims[k]
	}
	for k := t.Dims - 1; k >= 0; k-- { // arrays: last index fastest
		out[k] = step
		step *= dims[k]
	}
	return out
}

// result returns the type and sizes of what a selection picks.
func (s *selection) result(t types.Type) (types.Type, []int) {
	var dims []int
	out := t
	for k := range t.Dims {
		if s.axes[k].single {
			out.Dims--
		} else {
			dims = append(dims, s.axes[k].n)
		}
	}
	base := s.axes[t.Dims:]
	for k := range base {
		if !base[k].single {
			dims = append(dims, base[k].n)
		}
	}
	out.Base = indexedBase(t.Base, base)
	return out, dims
}

// indexedBase is the base type left after indexing a vector or matrix.
func indexedBase(b types.Base, axes []axis) types.Base {
	singles := 0
	for i := range axes {
		if axes[i].single {
			singles++
		}
	}
	if singles == 0 {
		return b
	}
	scalar, row, column := types.RealBase, types.RowVectorBase, types.VectorBase
	if b.IsComplex() {
		scalar, row, column = types.ComplexBase, types.ComplexRowVectorBase, types.ComplexVectorBase
	}
	switch {
	case singles == len(axes):
		return scalar
	case axes[0].single:
		return row
	}
	return column
}

// offsets lists where the picked elements start, in the layout order of the result.
func (s *selection) offsets(t types.Type, dims []int) []int {
	step := strides(t, dims)
	out := []int{0}
	for k := range t.Dims { // row-major: later dimensions vary faster
		out = s.axes[k].extend(out, step[k], false)
	}
	base := []int{0}
	for k := t.Dims; k < len(dims); k++ { // column-major
		base = s.axes[k].extend(base, step[k], true)
	}
	if len(base) == 1 && base[0] == 0 {
		return out
	}
	all := make([]int, 0, len(out)*len(base))
	for _, o := range out {
		for _, b := range base {
			all = append(all, o+b)
		}
	}
	return all
}

// extend adds one dimension to a list of offsets, inside (false: it varies fastest)
// or outside.
func (a *axis) extend(offs []int, step int, outer bool) []int {
	if a.single {
		for i := range offs {
			offs[i] += a.lo * step
		}
		return offs
	}
	out := make([]int, 0, len(offs)*a.n)
	if outer {
		for i := range a.n {
			for _, o := range offs {
				out = append(out, o+a.pos(i)*step)
			}
		}
		return out
	}
	for _, o := range offs {
		for i := range a.n {
			out = append(out, o+a.pos(i)*step)
		}
	}
	return out
}

// scalarOffset is the fast path: the element that single indices pick; ok is false
// where the list is of another form.
func (f *frame) scalarOffset(at source.Span, t types.Type, indices []ir.IndexArg, dims []int) (off int, ok bool) {
	if len(indices) != len(dims) || len(dims) > 2 {
		return 0, false
	}
	for k := range indices {
		if indices[k].Kind != ir.Single {
			return 0, false
		}
	}
	i := f.axis(at, &indices[0], dims[0], 0).lo
	if len(dims) == 1 {
		return i * unit(t), true
	}
	j := f.axis(at, &indices[1], dims[1], 1).lo
	if t.Dims == 0 { // a matrix
		return (i + j*dims[0]) * unit(t), true
	}
	return (i*dims[1] + j) * unit(t), true
}

// places returns the elements that an index list picks: their type and sizes together,
// and where in v they start.
func (f *frame) places(at source.Span, v *Value, indices []ir.IndexArg) (t types.Type, dims, offs []int) {
	if slices.ContainsFunc(indices, func(a ir.IndexArg) bool { return a.Kind == ir.Zip }) {
		offs = f.zip(at, v, indices)
		return types.ArrayOf(v.T.Scalar(), 1), []int{len(offs)}, offs
	}
	s := f.selection(at, indices, v.Dims)
	t, dims = s.result(v.T)
	return t, dims, s.offsets(v.T, v.Dims)
}

// zip lists where the elements start that indices running together name.
func (f *frame) zip(at source.Span, v *Value, indices []ir.IndexArg) []int {
	step := strides(v.T, v.Dims)
	var offs []int
	base := 0
	for k := range indices {
		if indices[k].Kind == ir.Single {
			base += f.axis(at, &indices[k], v.Dims[k], k).lo * step[k]
			continue
		}
		a := f.axis(at, &indices[k], v.Dims[k], k)
		if offs == nil {
			offs = make([]int, a.n)
		}
		if a.n != len(offs) {
			fail(at, "%d positions of dimension %d are paired with %d of another", a.n, k+1, len(offs))
		}
		for i := range offs {
			offs[i] += a.at[i] * step[k]
		}
	}
	for i := range offs {
		offs[i] += base
	}
	return offs
}

// pick copies the selected part of a container.
func (f *frame) pick(at source.Span, v *Value, indices []ir.IndexArg) *Value {
	if v.T.Base == types.TupleBase {
		return f.pickTuples(at, v, indices)
	}
	if off, ok := f.scalarOffset(at, v.T, indices, v.Dims); ok {
		t := v.T.Scalar()
		return v.slice(t, nil, off, unit(t))
	}
	t, dims, offs := f.places(at, v, indices)
	u := unit(v.T)
	out := NewValue(t, dims, make([]float64, len(offs)*u))
	for i, o := range offs {
		copy(out.X[i*u:(i+1)*u], v.X[o:o+u])
	}
	if v.Active() {
		out.Refs = make([]autodiff.Ref, len(out.X))
		for i, o := range offs {
			for k := range u {
				out.Refs[i*u+k] = v.Ref(o + k)
			}
		}
	}
	return out
}

// slice copies n numbers from off.
func (v *Value) slice(t types.Type, dims []int, off, n int) *Value {
	if n == 1 && t.Dims == 0 {
		return v.single(t, dims, off)
	}
	out := NewValue(t, dims, append(make([]float64, 0, n), v.X[off:off+n]...))
	if v.Active() {
		out.Refs = make([]autodiff.Ref, n)
		for k := range n {
			out.Refs[k] = v.Ref(off + k)
		}
		out.dropConstantRefs()
	}
	return out
}

// single copies the number at off.
func (v *Value) single(t types.Type, dims []int, off int) *Value {
	out := &scalar{Value: Value{T: t, Dims: dims, Node: autodiff.None}, x: [1]float64{v.X[off]}}
	out.X = out.x[:]
	if ref := v.Ref(off); ref.Node != autodiff.None {
		out.ref[0] = ref
		out.Refs = out.ref[:]
	}
	return &out.Value
}

// dropConstantRefs forgets a list of references none of which depends on anything.
func (v *Value) dropConstantRefs() {
	for _, r := range v.Refs {
		if r.Node != autodiff.None {
			return
		}
	}
	v.Refs = nil
}

// pickTuples indexes an array of tuples.
func (f *frame) pickTuples(at source.Span, v *Value, indices []ir.IndexArg) *Value {
	s := f.selection(at, indices, v.Dims)
	t, dims := s.result(v.T)
	offs := s.offsets(v.T, v.Dims)
	if t.Dims == 0 {
		return v.Elems[offs[0]]
	}
	out := NewValue(t, dims, nil)
	for _, o := range offs {
		out.Elems = append(out.Elems, v.Elems[o])
	}
	return out
}

// store writes x into the selected part of v, which the caller owns.
func (f *frame) store(to *ir.Place, v *Value, indices []ir.IndexArg, x *Value) {
	at := to.Loc
	if v.T.Base == types.TupleBase {
		f.storeTuples(to, v, indices, x)
		return
	}
	if off, ok := f.scalarOffset(at, v.T, indices, v.Dims); ok {
		v.put(off, x, 0, unit(v.T))
		return
	}
	_, dims, offs := f.places(at, v, indices)
	if !sameDims(dims, x.Dims) {
		fail(at, "cannot assign a value of size %s to a part of size %s", sizes(x.Dims), sizes(dims))
	}
	u := unit(v.T)
	for i, o := range offs {
		v.put(o, x, i*u, u)
	}
}

func (f *frame) storeTuples(to *ir.Place, v *Value, indices []ir.IndexArg, x *Value) {
	at := to.Loc
	s := f.selection(at, indices, v.Dims)
	t, dims := s.result(v.T)
	offs := s.offsets(v.T, v.Dims)
	if t.Dims == 0 {
		f.m.checkSizes(at, at.Text(), to.Var, v.Elems[offs[0]], x)
		v.Elems[offs[0]] = x.clone()
		return
	}
	if !sameDims(dims, x.Dims) {
		fail(at, "cannot assign a value of size %s to a part of size %s", sizes(x.Dims), sizes(dims))
	}
	for i, o := range offs {
		f.m.checkSizes(at, at.Text(), to.Var, v.Elems[o], x.Elems[i])
		v.Elems[o] = x.Elems[i].clone()
	}
}

// put copies n numbers of x, from its number from on, to position off of v.
func (v *Value) put(off int, x *Value, from, n int) {
	copy(v.X[off:off+n], x.X[from:from+n])
	if !v.Active() && !x.Active() {
		return
	}
	if v.Refs == nil {
		v.Refs = v.refs()
		v.Node = autodiff.None
		if v.Refs == nil {
			v.Refs = make([]autodiff.Ref, len(v.X))
			for i := range v.Refs {
				v.Refs[i].Node = autodiff.None
			}
		}
	}
	for k := range n {
		v.Refs[off+k] = x.Ref(from + k)
	}
}

func sameDims(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
