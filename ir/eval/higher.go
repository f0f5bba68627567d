// Functions of functions.

package eval

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A Solver runs the library's functions of functions (ode_rk45, ...), which call
// user-defined functions many times. Package ir/bind supplies them, since they run
// compiled code. The error is reported at the call.
type Solver func(m *Machine, call *HigherCall) (*Value, error)

// A HigherCall is one use of such a function.
type HigherCall struct {
	At     source.Span
	Fn     *stdlib.Function
	Result types.Type
	Args   []*Value // functions among them have Fn set

	drop dropping // of a function of slices
}

func (f *frame) higher(x *ir.Call, fn *stdlib.Function) *Value {
	if f.m.Solve == nil {
		fail(x.Loc, "%s cannot be called here", fn.Name)
	}
	call := &HigherCall{At: x.Loc, Fn: fn, Result: x.T, Args: f.exprs(x.Args), drop: f.slicing(x)}
	if f.m.sim != nil {
		return f.m.sim.solve(call)
	}
	v, err := f.m.Solve(f.m, call)
	if err != nil {
		failWith(x.Loc, err)
	}
	return v
}

// solve runs a function of functions on numbers that are all known.
func (s *Simulation) solve(call *HigherCall) *Value {
	if s.awaitsAny(call.Args) {
		panic(blocked{})
	}
	active := anyActive(call.Args)
	for i, a := range call.Args {
		call.Args[i] = plain(a)
	}
	s.m.Rec = nil
	defer func() { s.m.Rec = s }()
	v, err := s.m.Solve(s.m, call)
	if err != nil {
		failWith(call.At, err)
	}
	if active {
		derive(v)
	}
	return v
}

// derive marks v, or the fields of a tuple, as computed from what is simulated.
func derive(v *Value) {
	if len(v.X) > 0 {
		v.Node = derived
	}
	for _, f := range v.Fields {
		derive(f)
	}
}

// dividedRows adds the term x of a statement if it is a sum over rows that is divided into parts. Where that fails, the message
// is that of the term in one, if it has one now.
func (f *frame) dividedRows(s ir.Stmt, x ir.Expr) bool {
	sum := f.m.RowSums[s]
	if sum == nil || f != &f.m.global || f.m.tracer != nil || f.m.disc != nil {
		return false
	}
	rows := f.rowCount(sum.Lengths[0])
	if slices.ContainsFunc(sum.Lengths, func(l ir.RowLength) bool { return f.rowCount(l) != rows }) {
		return false
	}
	call := &HigherCall{At: s.Span(), Fn: rowSumFunction, Result: types.Real, Args: []*Value{{Fn: sum.Fn}}}
	for _, v := range sum.Given {
		call.Args = append(call.Args, f.expr(&ir.Ref{Node: ir.Node{Loc: s.Span(), T: v.Type}, Var: v}))
	}
	v, err := f.m.SumRows(f.m, call, rows)
	if err != nil {
		f.eval(x)
		failWith(s.Span(), err)
	}
	if v != nil {
		f.m.AddTerm(s.Span(), v)
	}
	return v != nil
}

// rowSumFunction names sums over rows.
var rowSumFunction = &stdlib.Function{Name: "sum over rows"}

// rowCount is a number of rows.
func (f *frame) rowCount(l ir.RowLength) int {
	v := f.expr(l.X)
	if l.Number {
		return int(v.X[0])
	}
	return v.Dims[l.Dim]
}

// ApplySlice calls the first argument of a call with given arguments: the slice of the
// second, where it starts and ends, and the fourth and on. A density that the call names
// _lupdf or _lupmf leaves out what statements around the call do.
func (m *Machine) ApplySlice(call *HigherCall, args []*Value) (v *Value, err error) {
	err = guarded(func() { v = m.global.userCall(call.At, call.Args[0].Fn, args, call.drop).known() })
	return v, err
}

// Apply calls a user's function with given arguments, from outside.
func (m *Machine) Apply(at source.Span, fn *ir.Function, args []*Value) (v *Value, err error) {
	err = guarded(func() { v = m.global.userCall(at, fn, args, dropping{}).known() })
	return v, err
}
