// Functions that programs cannot name and passes need: about which iteration of a loop is
// where.

package pass

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// ints is the type of arrays of positions.
var ints = types.ArrayOf(types.Int, 1)

// gridFunction returns lo to hi, each so many times in a row, and all of that so many
// times over: what a variable of nested loops is in each iteration.
var gridFunction = &stdlib.Function{Name: "loop_grid", Kernel: &stdlib.Kernel{
	Dims: func(in []stdlib.Tensor) ([]int, error) {
		lo, hi, each, times := gridOf(in)
		return []int{max(hi-lo+1, 0) * max(each, 0) * max(times, 0)}, nil
	},
	Value: func(in []stdlib.Tensor, out, _ []float64) error {
		lo, hi, each, times := gridOf(in)
		k := 0
		for range times {
			for i := lo; i <= hi; i++ {
				for range each {
					out[k] = float64(i)
					k++
				}
			}
		}
		return nil
	}}}

func gridOf(in []stdlib.Tensor) (lo, hi, each, times int) {
	return int(in[0].X[0]), int(in[1].X[0]), int(in[2].X[0]), int(in[3].X[0])
}

// whereFunction returns the positions, from 1, of the numbers that are not 0.
var whereFunction = &stdlib.Function{Name: "positions_where", Kernel: &stdlib.Kernel{
	Dims: func(in []stdlib.Tensor) ([]int, error) {
		n := 0
		for _, x := range in[0].X {
			if x != 0 {
				n++
			}
		}
		return []int{n}, nil
	},
	Value: func(in []stdlib.Tensor, out, _ []float64) error {
		k := 0
		for i, x := range in[0].X {
			if x != 0 {
				out[k] = float64(i + 1)
				k++
			}
		}
		return nil
	}}}

// A maker makes expressions that have the place of a loop in the source.
type maker struct {
	lib *stdlib.Library
	at  source.Span
}

func (m maker) node(t types.Type) ir.Node { return ir.Node{Loc: m.at, T: t} }

func (m maker) int(n int) ir.Expr { return &ir.Const{Node: m.node(types.Int), X: float64(n)} }

func (m maker) ref(v *ir.Var) ir.Expr { return &ir.Ref{Node: m.node(v.Type), Var: v} }

// call applies a function whose result has type t.
func (m maker) call(fn *stdlib.Function, t types.Type, args ...ir.Expr) ir.Expr {
	return &ir.Call{Node: m.node(t), Fn: fn, Args: args}
}

// named applies the library's function of that name, which there must be.
func (m maker) named(name string, args ...ir.Expr) ir.Expr {
	x, ok := m.resolve(name, m.at, args)
	if !ok {
		panic(fmt.Sprintf("pass: the library has no %s of %d such arguments", name, len(args)))
	}
	return x
}

// resolve applies the overload that takes arguments of these types, if there is one.
func (m maker) resolve(name string, at source.Span, args []ir.Expr) (*ir.Call, bool) {
	given := make([]types.Arg, len(args))
	for i, a := range args {
		given[i] = types.Arg{Type: a.Type(), Data: true}
	}
	match, mismatch := types.Resolve(m.lib.Signatures(name), given)
	if mismatch != nil {
		return nil, false
	}
	converted := make([]ir.Expr, len(args))
	for i, a := range args {
		converted[i] = promote(a, match.Params[i])
	}
	return &ir.Call{Node: ir.Node{Loc: at, T: match.Result}, Fn: m.lib.Row(match.Sig), Args: converted}, true
}

// promote converts an expression where its type is another.
func promote(x ir.Expr, t types.Type) ir.Expr {
	if x.Type().Equal(t) {
		return x
	}
	return &ir.Promote{Node: ir.Node{Loc: x.Span(), T: t}, X: x}
}

// plus adds a number to an int, folding what is constant.
func (m maker) plus(x ir.Expr, n int) ir.Expr {
	if c, ok := x.(*ir.Const); ok {
		return m.int(int(c.X) + n)
	}
	if n == 0 {
		return x
	}
	if sum, ok := x.(*ir.Call); ok && sum.Fn.BuiltinName() == "add" {
		if c, ok := sum.Args[1].(*ir.Const); ok {
			return m.plus(sum.Args[0], int(c.X)+n)
		}
	}
	return m.named("add", x, m.int(n))
}

// minus subtracts ints.
func (m maker) minus(x, y ir.Expr) ir.Expr {
	if c, ok := y.(*ir.Const); ok {
		return m.plus(x, -int(c.X))
	}
	return m.named("subtract", x, y)
}

// times multiplies ints.
func (m maker) times(x, y ir.Expr) ir.Expr {
	if c, ok := x.(*ir.Const); ok && c.X == 1 {
		return y
	}
	if c, ok := y.(*ir.Const); ok && c.X == 1 {
		return x
	}
	return m.named("multiply", x, y)
}

// iterations is the number of iterations of a loop that has any.
func (m maker) rounds(f *ir.For) ir.Expr {
	if c, ok := f.Lo.(*ir.Const); ok && c.X == 1 {
		return f.Hi
	}
	return m.plus(m.minus(f.Hi, f.Lo), 1)
}
