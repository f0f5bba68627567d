package eval

// This file tests which calls count as the same.

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff"
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
