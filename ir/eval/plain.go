// Arithmetic on single numbers that depend on nothing, without a Value for each step: most
// of what loops over data compute.

package eval

import (
	"math"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// plain evaluates an expression that is made of single numbers, operators and elements of
// containers, none of which depends on the recorder's input. ok is false for any other one,
// and wherever something is wrong: expr then evaluates it, with its messages. Nothing is
// recorded here, so that the attempt leaves no traces.
func (f *frame) plain(x ir.Expr) (n float64, ok bool) {
	if f.tracer != nil || f.m.sim != nil {
		return 0, false // these watch every step
	}
	switch x := x.(type) {
	case *ir.Const:
		return x.X, isNumber(x.T)
	case *ir.Ref:
		return f.plainRef(x.Var)
	case *ir.Index:
		return f.plainElement(x)
	case *ir.Call:
		return f.plainCall(x)
	case *ir.Promote:
		if isNumber(x.T) {
			return f.plain(x.X)
		}
	case *ir.Cond:
		test, ok := f.plain(x.Test)
		switch {
		case !ok:
			return 0, false
		case test != 0:
			return f.plain(x.Then)
		}
		return f.plain(x.Else)
	case *ir.Logic:
		l, ok := f.plain(x.L)
		if !ok {
			f.m.remember(x, x.L, true)
			return 0, false
		}
		if (l != 0) != x.Or {
			l, ok = f.plain(x.R)
		}
		if l != 0 {
			return 1, ok
		}
		return 0, ok
	}
	return 0, false
}

// isNumber reports whether values of a type are one real number or integer.
func isNumber(t types.Type) bool {
	return t.Dims == 0 && (t.Base == types.RealBase || t.Base == types.IntBase)
}

func (f *frame) plainRef(x *ir.Var) (float64, bool) {
	s := f.variable(x)
	switch {
	case s.v == nil || !isNumber(s.v.T):
		return 0, false
	case s.alt != nil:
		if s.alt.base < 0 {
			return 0, false
		}
		d, id := f.m.disc, s.alt.base
		d.touch(id)
		return float64(d.low[id] + d.value[id]), true
	}
	return s.v.X[0], !s.v.Active()
}

// plainElement reads x[i] or x[i, j] of a variable.
func (f *frame) plainElement(x *ir.Index) (float64, bool) {
	r, ok := x.X.(*ir.Ref)
	if !ok || !isNumber(x.T) {
		return 0, false
	}
	s := f.variable(r.Var)
	v := s.v
	if v == nil || s.alt != nil || v.Active() || len(x.Indices) != len(v.Dims) || len(v.Dims) > 2 {
		return 0, false
	}
	var at [2]int
	for k := range x.Indices {
		if x.Indices[k].Kind != ir.Single {
			return 0, false
		}
		i, ok := f.plain(x.Indices[k].Lo)
		if !ok || i < 1 || i > float64(v.Dims[k]) {
			return 0, false
		}
		at[k] = int(i) - 1
	}
	return v.X[offset(v, at)], true
}

// offset is where an element of a container of one or two dimensions lies.
func offset(v *Value, at [2]int) int {
	switch {
	case len(v.Dims) < 2:
		return at[0]
	case v.T.Dims == 0: // a matrix
		return at[0] + at[1]*v.Dims[0]
	}
	return at[0]*v.Dims[1] + at[1]
}

func (f *frame) plainCall(x *ir.Call) (float64, bool) {
	fn := x.Fn.(*stdlib.Function)
	if !isOperation(fn) || !isNumber(x.T) {
		return 0, false
	}
	if n, ok := f.compared(x); ok {
		return n, true
	}
	var point [maxOperands]float64
	for i, a := range x.Args {
		n, ok := f.plain(a)
		if !ok {
			f.m.remember(x, a, i == 0)
			return 0, false
		}
		point[i] = n
	}
	f.m.point = point
	if fn.Valid != nil && fn.Valid(f.m.point[:len(x.Args)]) != nil {
		return 0, false
	}
	out := applyOp(fn.Op, &f.m.point)
	fits := x.T.Base != types.IntBase || out <= math.MaxInt32 && out >= math.MinInt32
	return out, fits
}

// remember notes that x is not plain, for its operand is not. A long sum is evaluated from outside to inside, and without
// what was refused before plain would go through all that is left of it at each of its terms.
func (m *Machine) remember(x, operand ir.Expr, first bool) {
	if !first || !m.isRefused(operand) {
		m.refused = m.refused[:0]
	}
	m.refused = append(m.refused, x)
}

// isRefused reports whether x is the outermost of the expressions that were refused last, each the first operand of
// the one around it.
func (m *Machine) isRefused(x ir.Expr) bool {
	n := len(m.refused)
	return n > 0 && m.refused[n-1] == x
}

// tryPlain is plain for an expression that is evaluated otherwise if it is refused.
func (f *frame) tryPlain(x ir.Expr) (n float64, ok bool) {
	if !f.m.isRefused(x) {
		n, ok = f.plain(x)
	}
	if !ok && f.m.isRefused(x) {
		f.m.refused = f.m.refused[:len(f.m.refused)-1]
	}
	return n, ok
}

// isOperation reports whether a function is one of single numbers, and nothing besides.
func isOperation(fn *stdlib.Function) bool {
	return fn.Op != nil && fn.Parts == nil && fn.Jacobian == nil && fn.Higher == ""
}
