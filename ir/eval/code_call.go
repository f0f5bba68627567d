// Calls of single numbers as closures: operators, functions, conditions and random draws.

package eval

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A testCode is a condition.
type testCode func(f *frame) bool

// test compiles a condition: comparisons and what joins them without a number for the truth.
func (c *coder) test(x ir.Expr) testCode {
	switch x := x.(type) {
	case *ir.Logic:
		l, r := c.test(x.L), c.test(x.R)
		if x.Or {
			return func(f *frame) bool { return l(f) || r(f) }
		}
		return func(f *frame) bool { return l(f) && r(f) }
	case *ir.Call:
		if len(x.Args) == 2 && isNumber(x.T) && allNumbers(x.Args) {
			if t := comparison(x.Fn.(*stdlib.Function).Name, c.number, x.Args); t != nil {
				return t
			}
		}
	}
	n := c.number(x)
	return func(f *frame) bool { return n(f) != 0 }
}

// comparison compiles a comparison of two numbers; nil for any other function.
func comparison(name string, number func(ir.Expr) numberCode, args []ir.Expr) testCode {
	var holds func(a, b numberCode) testCode
	switch name {
	case "logical_eq":
		holds = func(a, b numberCode) testCode { return func(f *frame) bool { x := a(f); return x == b(f) } }
	case "logical_neq":
		holds = func(a, b numberCode) testCode { return func(f *frame) bool { x := a(f); return x != b(f) } }
	case "logical_lt":
		holds = func(a, b numberCode) testCode { return func(f *frame) bool { x := a(f); return x < b(f) } }
	case "logical_lte":
		holds = func(a, b numberCode) testCode { return func(f *frame) bool { x := a(f); return x <= b(f) } }
	case "logical_gt":
		holds = func(a, b numberCode) testCode { return func(f *frame) bool { x := a(f); return x > b(f) } }
	case "logical_gte":
		holds = func(a, b numberCode) testCode { return func(f *frame) bool { x := a(f); return x >= b(f) } }
	default:
		return nil
	}
	return holds(number(args[0]), number(args[1]))
}

// oneIf is the number of a condition.
func oneIf(test testCode) numberCode {
	return func(f *frame) float64 {
		if test(f) {
			return 1
		}
		return 0
	}
}

// callNumber compiles a call of a library function with single numbers; nil for any other.
func (c *coder) callNumber(x *ir.Call) numberCode {
	fn := x.Fn.(*stdlib.Function)
	if !isNumber(x.T) || !allNumbers(x.Args) || fn.Jacobian != nil || fn.Higher != "" || fn.Parts != nil {
		return nil
	}
	var n numberCode
	switch {
	case isOperation(fn) && len(x.Args) > 0:
		if fn.Valid == nil && len(x.Args) == 2 {
			if t := comparison(fn.Name, c.number, x.Args); t != nil {
				return oneIf(t)
			}
		}
		n = operation(x, fn, c.numbers(x.Args))
	case fn.Op != nil || fn.Layout != nil || len(x.Args) > mostScalars:
		return nil
	case fn.Draw != nil:
		return c.drawNumber(x, fn)
	case fn.Kernel != nil:
		n = c.kernelNumber(x, fn)
	default:
		return nil
	}
	if x.T.Base != types.IntBase {
		return n
	}
	return func(f *frame) float64 {
		out := n(f)
		if out > math.MaxInt32 || out < math.MinInt32 {
			fitsInt(x.Loc, newNumber(x.T, out))
		}
		return out
	}
}

// operation compiles a function of single numbers.
func operation(x *ir.Call, fn *stdlib.Function, args []numberCode) numberCode {
	if fn.Valid != nil {
		return validOperation(x, fn, args)
	}
	switch op := fn.Op; {
	case op.F1 != nil:
		a, g := args[0], op.F1
		return func(f *frame) float64 { return g(a(f)) }
	case op.F2 != nil:
		return binary(op, args[0], args[1])
	default:
		a, b, d, g := args[0], args[1], args[2], op.F3
		return func(f *frame) float64 {
			first := a(f)
			second := b(f)
			return g(first, second, d(f))
		}
	}
}

// binary compiles an operation of two numbers, arithmetic without a call.
func binary(op *autodiff.Op, a, b numberCode) numberCode {
	switch op {
	case autodiff.Add:
		return func(f *frame) float64 { left := a(f); return left + b(f) }
	case autodiff.Sub:
		return func(f *frame) float64 { left := a(f); return left - b(f) }
	case autodiff.Mul:
		return func(f *frame) float64 { left := a(f); return left * b(f) }
	}
	g := op.F2
	return func(f *frame) float64 {
		left := a(f)
		return g(left, b(f))
	}
}

// drawNumber compiles a draw of one number from a distribution whose arguments are single numbers.
func (c *coder) drawNumber(x *ir.Call, fn *stdlib.Function) numberCode {
	args, ranks := c.numbers(x.Args), ranksOf(x.Args)
	return func(f *frame) float64 {
		var point [mostScalars]float64
		for i, a := range args {
			point[i] = a(f)
		}
		if f.m.Rand == nil {
			fail(x.Loc, "%s: no random numbers are to be had here", fn.Name)
		}
		s := f.m.workingSet()
		in := s.given(ranks, point[:len(args)])
		_, err := fn.Draw.Dims(in)
		if err == nil {
			s.out[0] = 0
			err = fn.Draw.Draw(f.m.Rand, in, s.out[:])
		}
		if err != nil {
			failWith(x.Loc, named(fn, err))
		}
		return s.out[0]
	}
}
