package eval

// This file tests which calls count as the same, and what is evaluated twice.

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

func TestSameCalls(t *testing.T) {
	fn, other := &stdlib.Function{Name: "f"}, &stdlib.Function{Name: "g"}
	active := Real(2)
	active.Node = autodiff.Node(3)
	twin := *active
	list := NewValue(types.Vector, []int{1}, []float64{2})
	out := Real(7)
	var c calls
	c.add(fn, []*Value{Real(0), active, list}, out)
	for _, test := range []struct {
		name string
		fn   *stdlib.Function
		args []*Value
		want *Value
	}{
		{"the same", fn, []*Value{Real(0), active, list}, out},
		{"another function", other, []*Value{Real(0), active, list}, nil},
		{"fewer arguments", fn, []*Value{Real(0), active}, nil},
		{"zero of the other sign", fn, []*Value{Real(math.Copysign(0, -1)), active, list}, nil},
		{"an integer", fn, []*Value{Int(0), active, list}, nil},
		{"another value that depends on parameters", fn, []*Value{Real(0), &twin, list}, nil},
		{"another container", fn, []*Value{Real(0), active, list.clone()}, nil},
	} {
		if got := c.find(test.fn, test.args); got != test.want {
			t.Errorf("%s: found %v, want %v", test.name, got, test.want)
		}
	}
	for range mostCalls {
		c.add(other, nil, out)
	}
	if c.find(fn, []*Value{Real(0), active, list}) != nil {
		t.Error("old calls are remembered for ever")
	}
}

// The left end of a long sum that is no plain number is looked at a few times, not once for each term.
func TestLongSums(t *testing.T) {
	looks := 0
	number := ir.Node{T: types.Real}
	look := &ir.Call{Node: number, Args: []ir.Expr{&ir.Const{Node: number, X: 1}},
		Fn: &stdlib.Function{Name: "look", Op: &autodiff.Op{F1: func(x float64) float64 { looks++; return x }}}}
	plus := &stdlib.Function{Name: "plus", Op: &autodiff.Op{F2: func(x, y float64) float64 { return x + y }}}
	m := NewMachine(&ir.Program{})
	opaque := &ir.Call{Node: number, Args: []ir.Expr{&ir.Const{Node: number, X: 2}}, Fn: &stdlib.Function{Name: "more than an operation",
		Op: &autodiff.Op{F1: func(x float64) float64 { return x }}, Jacobian: &stdlib.Function{}}}
	start := &ir.Cond{Node: number, Test: look, Then: opaque, Else: opaque}
	sum, both := ir.Expr(start), ir.Expr(start)
	const terms = 500
	for range terms {
		sum = &ir.Call{Node: number, Fn: plus, Args: []ir.Expr{sum, &ir.Const{Node: number, X: 1}}}
		both = &ir.Logic{Node: ir.Node{T: types.Int}, L: both, R: &ir.Const{Node: number, X: 1}}
	}
	f := &m.global
	for _, test := range []struct {
		name string
		x    ir.Expr
		want float64
	}{{"sum", sum, terms + 2}, {"sum again", sum, terms + 2}, {"conjunction", both, 1}} {
		looks = 0
		if got := f.expr(test.x).X[0]; got != test.want {
			t.Errorf("%s: found %g, want %g", test.name, got, test.want)
		}
		if looks > 10 {
			t.Errorf("%s: the left end was looked at %d times", test.name, looks)
		}
	}
}
