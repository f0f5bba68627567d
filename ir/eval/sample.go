// Statements "y ~ distribution(...)", with truncation, and sums.

package eval

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

func (f *frame) sample(s *ir.Sample) {
	if s.Trunc == nil {
		f.m.AddTerm(s.Loc, f.expr(s.Density))
		return
	}
	f.truncated(s)
}

// truncated adds the density and the normaliser of each element of the variate.
func (f *frame) truncated(s *ir.Sample) {
	var args []*Value
	var apply func(args []*Value) *Value
	switch d := s.Density.(type) {
	case *ir.Call:
		args = f.exprs(d.Args)
		fn := d.Fn.(*stdlib.Function)
		apply = func(a []*Value) *Value { return f.apply(s.Loc, fn, types.Real, a) }
	case *ir.UserCall:
		args = f.exprs(d.Args)
		apply = func(a []*Value) *Value { return f.userCall(s.Loc, d.Fn, a) }
	}
	lo, hi := f.bound(s.Trunc.Lo), f.bound(s.Trunc.Hi)
	for i, x := range args[0].X {
		if lo != nil && x < at(lo, i).X[0] || hi != nil && x > at(hi, i).X[0] {
			f.m.settled(args[0])
			f.m.AddTerm(s.Loc, Real(math.Inf(-1)))
			return
		}
	}
	f.m.AddTerm(s.Loc, apply(args))
	n := 1
	for _, a := range append([]*Value{}, args...) {
		if len(a.Dims) > 0 {
			n = len(args[0].X)
		}
	}
	for i := range n {
		params := make([]*Value, len(args)-1)
		for k, a := range args[1:] {
			params[k] = at(a, i)
		}
		f.m.AddTerm(s.Loc, f.negate(s.Loc, f.normaliser(s, lo, hi, i, params)))
	}
}

// bound evaluates a truncation bound; nil where it is open.
func (f *frame) bound(x ir.Expr) *Value {
	if x == nil {
		return nil
	}
	return f.expr(x)
}

// at is element i of a container, or the scalar itself.
func at(v *Value, i int) *Value {
	if len(v.Dims) == 0 {
		return v
	}
	if v.T.Dims == 0 && v.T.Base.BaseRank() == 1 || v.T.Dims == 1 {
		return v.element(i)
	}
	return v
}

// normaliser is the log probability of lying within the bounds.
func (f *frame) normaliser(s *ir.Sample, lo, hi *Value, i int, params []*Value) *Value {
	t := s.Trunc
	call := func(c ir.Callee, bound *Value) *Value {
		args := append([]*Value{bound}, params...)
		if c.User != nil {
			return f.userCall(s.Loc, c.User, args)
		}
		return f.apply(s.Loc, c.Builtin.(*stdlib.Function), types.Real, args)
	}
	below := func() *Value {
		b := at(lo, i)
		if t.Discrete { // the bound itself is inside
			b = Int(int(b.X[0]) - 1)
		}
		return b
	}
	switch {
	case hi == nil:
		return call(t.LCCDF, below())
	case lo == nil:
		return call(t.LCDF, at(hi, i))
	}
	return f.elementwise(s.Loc, logDiffExp, types.Real, []*Value{call(t.LCDF, at(hi, i)), call(t.LCDF, below())})
}

func (f *frame) negate(at source.Span, v *Value) *Value {
	return f.elementwise(at, negation, types.Real, []*Value{v})
}

// The operations that statements imply, as rows of their own.
var (
	negation   = &stdlib.Function{Name: "minus", Op: autodiff.Neg}
	logDiffExp = &stdlib.Function{Name: "log_diff_exp", Op: &autodiff.Op{Name: "log_diff_exp",
		F2: func(x, y float64) float64 {
			switch {
			case math.IsInf(y, -1):
				return x
			case x-y < math.Ln2:
				return x + math.Log(-math.Expm1(y-x))
			}
			return x + math.Log1p(-math.Exp(y-x))
		},
		D2: func(x, y, _ float64) (float64, float64) {
			return -1 / math.Expm1(y-x), -1 / math.Expm1(x-y)
		}}}
	sumFunction = &stdlib.Function{Name: SumName, Kernel: &stdlib.Kernel{
		Dims: func([]stdlib.Tensor) ([]int, error) { return nil, nil },
		Value: func(in []stdlib.Tensor, out, _ []float64) error {
			out[0] = 0
			for _, x := range in[0].X {
				out[0] += x
			}
			return nil
		},
		VJP: func(_ []stdlib.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			for i := range din[0] {
				din[0][i] += adj[0]
			}
		}}}
)

// SumName is the name of the function that adds up a container's numbers.
const SumName = "sum"
