// Expressions as closures.

package eval

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// mostScalars is the greatest number of arguments of a kernel that is called without a Value for each.
const mostScalars = 8

// A scratch is the arguments of the current kernel, all of them single numbers.
type scratch struct {
	x    [mostScalars]float64
	in   [mostScalars]stdlib.Tensor // of x
	out  [1]float64
	room []float64
}

// workingSet returns the machine's scratch.
func (m *Machine) workingSet() *scratch {
	if m.scratch == nil {
		s := new(scratch)
		for i := range s.x {
			s.in[i].X = s.x[i : i+1 : i+1]
		}
		m.scratch = s
	}
	return m.scratch
}

// work returns n zeros.
func (s *scratch) work(n int) []float64 {
	if n > cap(s.room) {
		s.room = make([]float64, n)
	}
	w := s.room[:n]
	clear(w)
	return w
}

// number compiles an expression of one real number or integer.
func (c *coder) number(x ir.Expr) numberCode {
	switch x := x.(type) {
	case *ir.Const:
		if isNumber(x.T) {
			n := x.X
			return func(*frame) float64 { return n }
		}
	case *ir.Ref:
		return readNumber(x)
	case *ir.Index:
		if n := c.elementOf(x); n != nil {
			return n
		}
	case *ir.Call:
		if n := c.callNumber(x); n != nil {
			return n
		}
	case *ir.Promote:
		if isNumber(x.T) && isNumber(x.X.Type()) {
			return c.number(x.X)
		}
	case *ir.Cond:
		test, then, other := c.test(x.Test), c.number(x.Then), c.number(x.Else)
		return func(f *frame) float64 {
			if test(f) {
				return then(f)
			}
			return other(f)
		}
	case *ir.Logic:
		return oneIf(c.test(x))
	}
	v := c.other(x)
	return func(f *frame) float64 { return v(f).X[0] }
}

func readNumber(x *ir.Ref) numberCode {
	at := x.Var.Slot
	return func(f *frame) float64 {
		v := f.vars[at].v
		if v == nil {
			f.require(x.Loc, x.Var)
			v = f.vars[at].v
		}
		return v.X[0]
	}
}

func (c *coder) numbers(xs []ir.Expr) []numberCode {
	out := make([]numberCode, len(xs))
	for i, x := range xs {
		out[i] = c.number(x)
	}
	return out
}

func allNumbers(xs []ir.Expr) bool {
	for _, x := range xs {
		if !isNumber(x.Type()) {
			return false
		}
	}
	return true
}

// validOperation is operation for a function that rejects arguments.
func validOperation(x *ir.Call, fn *stdlib.Function, args []numberCode) numberCode {
	return func(f *frame) float64 {
		var point [maxOperands]float64
		for i, a := range args {
			point[i] = a(f)
		}
		f.m.point = point
		if err := fn.Valid(f.m.point[:len(args)]); err != nil {
			failWith(x.Loc, named(fn, err))
		}
		return applyOp(fn.Op, &f.m.point)
	}
}

// kernelNumber compiles a call of a kernel whose arguments and result are single numbers.
func (c *coder) kernelNumber(x *ir.Call, fn *stdlib.Function) numberCode {
	args, ranks := c.numbers(x.Args), ranksOf(x.Args)
	return func(f *frame) float64 {
		var point [mostScalars]float64
		for i, a := range args {
			point[i] = a(f)
		}
		return f.m.workingSet().call(x, fn, ranks, point[:len(args)])
	}
}

// given returns single numbers as the arguments of a kernel.
func (s *scratch) given(ranks []stdlib.Rank, args []float64) []stdlib.Tensor {
	copy(s.x[:], args)
	for i, r := range ranks {
		s.in[i].Rank = r
	}
	return s.in[:len(args)]
}

func ranksOf(xs []ir.Expr) []stdlib.Rank {
	ranks := make([]stdlib.Rank, len(xs))
	for i, x := range xs {
		ranks[i] = RankOf(x.Type())
	}
	return ranks
}

// call runs a kernel.
func (s *scratch) call(x *ir.Call, fn *stdlib.Function, ranks []stdlib.Rank, args []float64) float64 {
	in := s.given(ranks, args)
	if _, err := fn.Kernel.Dims(in); err != nil {
		failWith(x.Loc, named(fn, err))
	}
	s.out[0] = 0
	var work []float64
	if w := fn.Kernel.Work; w != nil {
		work = s.work(w(in))
	}
	if err := fn.Kernel.Value(in, s.out[:], work); err != nil {
		failWith(x.Loc, named(fn, err))
	}
	return s.out[0]
}

// container compiles any expression.
func (c *coder) container(x ir.Expr) valueCode {
	if r, ok := x.(*ir.Ref); ok {
		return func(f *frame) *Value { return f.read(r).known() }
	}
	if t := x.Type(); isNumber(t) {
		n := c.number(x)
		return func(f *frame) *Value { return newNumber(t, n(f)) }
	}
	return c.other(x)
}

func (c *coder) containers(xs []ir.Expr) func(f *frame) []*Value {
	each := make([]valueCode, len(xs))
	for i, x := range xs {
		each[i] = c.container(x)
	}
	return func(f *frame) []*Value {
		out := make([]*Value, len(each))
		for i, x := range each {
			out[i] = x(f)
		}
		return out
	}
}

// other compiles containers, and scalars that have no code of their own; expressions that are rare in rows
// are left to the interpreter.
func (c *coder) other(x ir.Expr) valueCode {
	switch x := x.(type) {
	case *ir.Call:
		return c.call(x)
	case *ir.UserCall:
		if !x.Fn.Target {
			return c.userCall(x)
		}
	case *ir.Promote:
		v := c.container(x.X)
		return func(f *frame) *Value { return promote(v(f), x.T) }
	case *ir.Field:
		v := c.container(x.X)
		return func(f *frame) *Value { return field(v(f), x.I, x.T) }
	case *ir.Array:
		elems := c.containers(x.Elems)
		return func(f *frame) *Value { return arrayOf(x, elems(f)) }
	case *ir.Row:
		elems := c.containers(x.Elems)
		return func(f *frame) *Value { return rowOf(x, elems(f)) }
	case *ir.Cond:
		test, then, other := c.test(x.Test), c.container(x.Then), c.container(x.Else)
		return func(f *frame) *Value {
			if test(f) {
				return then(f)
			}
			return other(f)
		}
	}
	return func(f *frame) *Value { return f.expr(x) }
}

func (c *coder) call(x *ir.Call) valueCode {
	fn := x.Fn.(*stdlib.Function)
	if fn.Higher != "" {
		return func(f *frame) *Value { return f.expr(x) }
	}
	args := c.containers(x.Args)
	return func(f *frame) *Value {
		v := f.apply(x.Loc, fn, x.T, args(f)).known()
		if x.T.Base == types.IntBase && fn.Draw == nil {
			fitsInt(x.Loc, v)
		}
		return v
	}
}

func (c *coder) userCall(x *ir.UserCall) valueCode {
	args, body := c.containers(x.Args), c.function(x.Fn)
	return func(f *frame) *Value {
		given := args(f)
		return f.enter(x.Loc, x.Fn, given, dropping{}, func(g *frame) { g.run(*body) })
	}
}

// function compiles the body of a user's function, once.
func (c *coder) function(fn *ir.Function) *[]stepCode {
	if body := c.functions[fn]; body != nil {
		return body
	}
	body := new([]stepCode)
	c.functions[fn] = body
	*body = c.steps(fn.Body)
	return body
}

// indexed is a list of indices with the place of the expression that has it.
type indexed struct {
	at      source.Span
	indices []ir.IndexArg
}

// An elementCode is where one number of a variable lies, as its indices have it.
type elementCode struct{ positions []position }

// A position is the index of one dimension; dim is its number in the list that it stands in.
type position struct {
	at  source.Span
	dim int
	i   numberCode

	// The index is a variable, of slot ref, and shift; ref is -1 for another expression.
	ref, shift int
}

// mostDims is the greatest number of dimensions of what is indexed without a selection.
const mostDims = 6

// element compiles lists of indices that together pick one number of a variable; nil where they do not.
func (c *coder) element(t types.Type, lists []indexed) *elementCode {
	if t.Base == types.TupleBase || t.Base.IsComplex() {
		return nil
	}
	e := &elementCode{}
	for _, l := range lists {
		for dim, a := range l.indices {
			if a.Kind != ir.Single {
				return nil
			}
			p := position{at: l.at, dim: dim, i: c.number(a.Lo)}
			p.ref, p.shift = shifted(a.Lo)
			e.positions = append(e.positions, p)
		}
	}
	if n := len(e.positions); n != t.Rank() || n > mostDims {
		return nil
	}
	return e
}

// elementOf compiles x[i, j] or x[i][j] of a variable x; nil for other indices.
func (c *coder) elementOf(x *ir.Index) numberCode {
	if !isNumber(x.T) {
		return nil
	}
	lists := []indexed{{x.Loc, x.Indices}}
	base := x.X
	for {
		inner, ok := base.(*ir.Index)
		if !ok {
			break
		}
		lists, base = append([]indexed{{inner.Loc, inner.Indices}}, lists...), inner.X
	}
	r, ok := base.(*ir.Ref)
	if !ok {
		return nil
	}
	e := c.element(r.Var.Type, lists)
	if e == nil {
		return nil
	}
	at := r.Var.Slot
	read := func(f *frame) *Value {
		f.require(x.Loc, r.Var)
		return f.vars[at].v
	}
	switch len(e.positions) {
	case 1:
		p := e.positions[0]
		return func(f *frame) float64 {
			v := f.vars[at].v
			if v == nil {
				v = read(f)
			}
			return v.X[p.of(f, v.Dims[0])]
		}
	case 2:
		p, q, matrix := e.positions[0], e.positions[1], r.Var.Type.Dims == 0
		return func(f *frame) float64 {
			v := f.vars[at].v
			if v == nil {
				v = read(f)
			}
			i, j := p.of(f, v.Dims[0]), q.of(f, v.Dims[1])
			if matrix {
				return v.X[i+j*v.Dims[0]]
			}
			return v.X[i*v.Dims[1]+j]
		}
	}
	return func(f *frame) float64 {
		v := f.vars[at].v
		if v == nil {
			v = read(f)
		}
		return v.X[e.offset(f, v)]
	}
}

// offset is where the element lies in v: arrays are row-major, matrices column-major inside.
func (e *elementCode) offset(f *frame, v *Value) int {
	switch len(e.positions) {
	case 1:
		return e.positions[0].of(f, v.Dims[0])
	case 2:
		i := e.positions[0].of(f, v.Dims[0])
		return offset(v, [2]int{i, e.positions[1].of(f, v.Dims[1])})
	}
	var at [mostDims]int
	for k := range e.positions {
		at[k] = e.positions[k].of(f, v.Dims[k])
	}
	out, step := 0, 1
	for k := v.T.Dims; k < len(v.Dims); k++ {
		out += at[k] * step
		step *= v.Dims[k]
	}
	for k := v.T.Dims - 1; k >= 0; k-- {
		out += at[k] * step
		step *= v.Dims[k]
	}
	return out
}

// of evaluates an index of a dimension of the given size, and counts it from 0.
func (p *position) of(f *frame, size int) int {
	if p.ref >= 0 {
		if v := f.vars[p.ref].v; v != nil {
			if i := int(v.X[0]) + p.shift - 1; uint(i) < uint(size) {
				return i
			}
		}
	}
	i := int(p.i(f))
	if i < 1 || i > size {
		outOfRange(p.at, i, p.dim, size)
	}
	return i - 1
}

// shifted reads an index n, n + k or n - k of a variable n and a number k; slot is -1 for any other.
func shifted(x ir.Expr) (slot, shift int) {
	sign := 1
	if c, ok := x.(*ir.Call); ok && len(c.Args) == 2 {
		k, isConst := c.Args[1].(*ir.Const)
		switch op := c.Fn.(*stdlib.Function).Op; {
		case !isConst || !isNumber(k.T):
			return -1, 0
		case op == autodiff.Sub:
			sign = -1
		case op != autodiff.Add:
			return -1, 0
		}
		x, shift = c.Args[0], sign*int(k.X)
	}
	if r, ok := x.(*ir.Ref); ok && isNumber(r.Var.Type) {
		return r.Var.Slot, shift
	}
	return -1, 0
}
