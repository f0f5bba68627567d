// Statements "y ~ distribution(...)", with truncation, and sums.

package eval

import (
	"slices"

	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

func (f *frame) sample(s *ir.Sample) {
	if f.m.sim != nil {
		f.generate(s.Loc, s.Density, s.Trunc, s)
		return
	}
	if s.Trunc == nil {
		f.density(s)
		return
	}
	f.truncated(s)
	f.fixed(s.Loc)
}

// density adds the term of a statement without truncation. A vectorised statement over several discrete
// parameters is split into statements on elements, and so is one over a parameter with many values if its
// parts are equal for most of them.
func (f *frame) density(s *ir.Sample) {
	if d := f.m.disc; d != nil && f == &f.m.global {
		d.reset()
		rejected := f.m.attempt(func() { f.expr(s.Density) })
		touched := slices.Clone(d.touched)
		if rejected != nil && len(touched) == 0 {
			panic(stop{rejected})
		}
		d.reset()
		if (len(touched) > 1 || len(touched) == 1 && f.fewRanges(s, touched[0])) && f.split(s) {
			return
		}
	}
	if !f.dividedRows(s, s.Density) {
		f.addTerm(s.Loc, func() *Value { return f.eval(s.Density) })
	}
}

// fewRanges reports whether a part of a statement is the same for most values of a number, which it
// shows by one in the middle.
func (f *frame) fewRanges(s *ir.Sample, id int) bool {
	n := f.m.disc.count[id]
	if n < fewSteps {
		return false
	}
	call, parts := f.splits(s)
	if parts < 2 {
		return false
	}
	p := part(call, literal(parts/2+1))
	t := f.enumerate(s.Loc, func() *Value { return f.expr(p) })
	return len(t.values) <= n/8
}

// truncated adds the density and the normalisers of the variate's elements; the
// density is zero where an element lies outside the bounds.
func (f *frame) truncated(s *ir.Sample) {
	var args []*Value
	var apply func(args []*Value) *Value
	switch d := s.Density.(type) {
	case *ir.Call:
		args = f.exprs(d.Args)
		fn := d.Fn.(*stdlib.Function)
		apply = func(a []*Value) *Value { return f.proper(d, a, f.apply(s.Loc, fn, types.Real, a)) }
	case *ir.UserCall:
		args = f.exprs(d.Args)
		apply = func(a []*Value) *Value { return f.userCall(s.Loc, d.Fn, a, f.called(d.Fn, d.Args, d.Unnormalized)) }
	}
	lo, hi := f.bound(s.Trunc.Lo), f.bound(s.Trunc.Hi)
	if f.m.anyBelow(s.Loc, args[0], lo) || f.m.anyBelow(s.Loc, hi, args[0]) {
		f.m.AddTerm(s.Loc, Real(math.Inf(-1)))
		return
	}
	f.m.AddTerm(s.Loc, apply(args))
	if lo != nil || hi != nil {
		f.addNormalisers(s, lo, hi, args[0], args[1:])
	}
}

// anyBelow reports whether an element of x is below bound; either may be nil (open).
func (m *Machine) anyBelow(at source.Span, x, bound *Value) bool {
	if x == nil || bound == nil {
		return false
	}
	below := m.guard(m.elementwise(at, lessThan, types.Int, []*Value{x, bound}))
	return slices.Contains(below.X, 1)
}

// addNormalisers subtracts the log probability of lying within the bounds, once for
// each element of the variate. Where neither bounds nor parameters differ by element
// it is computed once. Only the univariate distributions of the library have parameters
// by element: others, such as a user's, take a vector as a whole.
func (f *frame) addNormalisers(s *ir.Sample, lo, hi, variate *Value, params []*Value) {
	n, same := product(variate.Dims), true
	byElement := []*Value{lo, hi}
	univariate := elementwiseDensity(s.Trunc)
	if univariate {
		byElement = append(byElement, params...)
	}
	for _, a := range byElement {
		if a != nil && len(a.Dims) > 0 {
			n, same = product(a.Dims), false
		}
	}
	if same && n > 0 {
		z := f.normaliser(s, lo, hi, 0, params)
		f.m.AddTerm(s.Loc, f.m.elementwise(s.Loc, multiplication, types.Real, []*Value{Real(-float64(n)), z}))
		return
	}
	for i := range n {
		own := make([]*Value, len(params))
		for k, a := range params {
			if own[k] = a; univariate {
				own[k] = at(a, i)
			}
		}
		f.m.AddTerm(s.Loc, f.m.elementwise(s.Loc, negation, types.Real, []*Value{f.normaliser(s, lo, hi, i, own)}))
	}
}

// elementwiseDensity reports whether the cumulative functions of a truncation are those of
// a univariate distribution of the library.
func elementwiseDensity(t *ir.Truncation) bool {
	for _, c := range []ir.Callee{t.LCDF, t.LCCDF} {
		if fn, ok := c.Builtin.(*stdlib.Function); ok && fn != nil {
			return fn.Density != nil
		}
	}
	return false
}

// bound evaluates a truncation bound; nil where it is open.
func (f *frame) bound(x ir.Expr) *Value {
	if x == nil {
		return nil
	}
	return f.expr(x)
}

// at is number i of a container, or the scalar itself.
func at(v *Value, i int) *Value {
	if len(v.Dims) == 0 {
		return v
	}
	u := unit(v.T)
	return v.slice(v.T.Scalar(), nil, i*u, u)
}

// normaliser is the log probability of lying within the bounds, for element i of them.
func (f *frame) normaliser(s *ir.Sample, lo, hi *Value, i int, params []*Value) *Value {
	t := s.Trunc
	call := func(c ir.Callee, bound *Value) *Value {
		args := append([]*Value{bound}, params...)
		if c.User != nil {
			return f.userCall(s.Loc, c.User, args, dropping{})
		}
		return f.apply(s.Loc, c.Builtin.(*stdlib.Function), types.Real, args)
	}
	below := func() *Value {
		b := at(lo, i)
		if t.Discrete { // the bound itself is inside
			b = Int(int(f.m.guard(b).X[0]) - 1)
		}
		return b
	}
	switch {
	case hi == nil:
		return call(t.LCCDF, below())
	case lo == nil:
		return call(t.LCDF, at(hi, i))
	}
	return f.m.elementwise(s.Loc, logDiffExp, types.Real, []*Value{call(t.LCDF, at(hi, i)), call(t.LCDF, below())})
}

// The operations that statements imply, as rows of their own.
var (
	negation       = &stdlib.Function{Name: "minus", Op: autodiff.Neg}
	addition       = &stdlib.Function{Name: "add", Op: autodiff.Add}
	subtraction    = &stdlib.Function{Name: "subtract", Op: autodiff.Sub}
	multiplication = &stdlib.Function{Name: "multiply", Op: autodiff.Mul}
	lessThan       = &stdlib.Function{Name: "logical_lt", Op: &autodiff.Op{Name: "logical_lt", F2: func(x, y float64) float64 {
		if x < y {
			return 1
		}
		return 0
	}}}
	logDiffExp = &stdlib.Function{Name: "log_diff_exp", Op: &autodiff.Op{Name: "log_diff_exp",
		F2: func(x, y float64) float64 {
			switch {
			case math.IsInf(y, -1):
				return x
			case x-y < math.Ln2:
				return x + libm.Log(-libm.Expm1(y-x))
			}
			return x + libm.Log1p(-libm.Exp(y-x))
		},
		D2: func(x, y, _ float64) (float64, float64) {
			return -1 / libm.Expm1(y-x), -1 / libm.Expm1(x-y)
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
