// Arithmetic on single numbers that depend on nothing, without a Value for each step: most
// of what loops over data compute.

package eval

import (
	"math"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A plainNumber is a constant, and whether an observation went into it.
type plainNumber struct {
	x        float64
	observed bool
}

// plain evaluates an expression that is made of single numbers, operators and elements of
// containers, none of which depends on the recorder's input. ok is false for any other one,
// and wherever something is wrong: expr then evaluates it, with its messages. Nothing is
// recorded here, so that the attempt leaves no traces.
func (f *frame) plain(x ir.Expr) (n plainNumber, ok bool) {
	if f.rolling != nil || f.m.sim != nil {
		return plainNumber{}, false // these watch every step
	}
	switch x := x.(type) {
	case *ir.Const:
		return plainNumber{x: x.X}, isNumber(x.T)
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
			return plainNumber{}, false
		case test.x != 0:
			return f.plain(x.Then)
		}
		return f.plain(x.Else)
	case *ir.Logic:
		l, ok := f.plain(x.L)
		if ok && (l.x != 0) != x.Or {
			l, ok = f.plain(x.R)
		}
		if l.x != 0 {
			return plainNumber{x: 1}, ok
		}
		return plainNumber{}, ok
	}
	return plainNumber{}, false
}

// isNumber says whether values of a type are one real number or integer.
func isNumber(t types.Type) bool {
	return t.Dims == 0 && (t.Base == types.RealBase || t.Base == types.IntBase)
}

func (f *frame) plainRef(x *ir.Var) (plainNumber, bool) {
	s := f.variable(x)
	switch {
	case s.v == nil || !isNumber(s.v.T):
		return plainNumber{}, false
	case s.alt != nil:
		if s.alt.base < 0 {
			return plainNumber{}, false
		}
		d, id := f.m.disc, s.alt.base
		d.touch(id)
		return plainNumber{x: float64(d.low[id] + d.value[id])}, true
	}
	return plainNumber{s.v.X[0], s.v.Observed}, !s.v.Active()
}

// plainElement reads x[i] or x[i, j] of a variable.
func (f *frame) plainElement(x *ir.Index) (plainNumber, bool) {
	r, ok := x.X.(*ir.Ref)
	if !ok || !isNumber(x.T) {
		return plainNumber{}, false
	}
	s := f.variable(r.Var)
	v := s.v
	if v == nil || s.alt != nil || v.Active() || len(x.Indices) != len(v.Dims) || len(v.Dims) > 2 {
		return plainNumber{}, false
	}
	var at [2]int
	for k := range x.Indices {
		if x.Indices[k].Kind != ir.Single {
			return plainNumber{}, false
		}
		i, ok := f.plain(x.Indices[k].Lo)
		if !ok || i.x < 1 || i.x > float64(v.Dims[k]) {
			return plainNumber{}, false
		}
		at[k] = int(i.x) - 1
	}
	return plainNumber{v.X[offset(v, at)], v.Observed}, true
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

func (f *frame) plainCall(x *ir.Call) (plainNumber, bool) {
	fn := x.Fn.(*stdlib.Function)
	if !isOperation(fn) || !isNumber(x.T) {
		return plainNumber{}, false
	}
	if n, ok := f.compared(x); ok {
		return n, true
	}
	var out plainNumber
	var point [maxOperands]float64
	for i, a := range x.Args {
		n, ok := f.plain(a)
		if !ok {
			return plainNumber{}, false
		}
		point[i] = n.x
		out.observed = out.observed || n.observed
	}
	f.m.point = point
	if fn.Valid != nil && fn.Valid(f.m.point[:len(x.Args)]) != nil {
		return plainNumber{}, false
	}
	out.x = applyOp(fn.Op, &f.m.point)
	fits := x.T.Base != types.IntBase || out.x <= math.MaxInt32 && out.x >= math.MinInt32
	return out, fits
}

// isOperation says whether a function is one of single numbers, and nothing besides.
func isOperation(fn *stdlib.Function) bool {
	return fn.Op != nil && fn.Parts == nil && fn.Jacobian == nil && fn.Higher == ""
}
