// Calls of kernels that a statement makes again and again under its discrete parameters.

package eval

import (
	"math"

	"github.com/seed-12b88e03/ppl/stdlib"
)

// calls are the last calls with their results. Under the values of a discrete parameter a
// statement calls a density with few different arguments, as at a change point with the rate
// before or after it; one node then stands for all calls that are the same.
type calls struct{ list []called }

// A called kernel has its arguments and its result.
type called struct {
	fn   *stdlib.Function
	args []*Value
	out  *Value
}

// mostCalls bounds what is looked through at each call.
const mostCalls = 8

// find returns the result of a call that was made; nil where it was not.
func (c *calls) find(fn *stdlib.Function, args []*Value) *Value {
	for i := range c.list {
		if k := &c.list[i]; k.fn == fn && sameValues(k.args, args) {
			return k.out
		}
	}
	return nil
}

// add remembers a call.
func (c *calls) add(fn *stdlib.Function, args []*Value, out *Value) {
	if len(c.list) == mostCalls {
		c.forget()
	}
	c.list = append(c.list, called{fn, args, out})
}

func (c *calls) forget() { c.list = c.list[:0] }

// sameValues reports whether lists hold the same values, as far as is known without computing them.
func sameValues(a, b []*Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && !sameNumber(a[i], b[i]) {
			return false
		}
	}
	return true
}

// sameNumber reports whether values are the same single number.
func sameNumber(a, b *Value) bool {
	return isNumber(a.T) && a.T.Base == b.T.Base && b.T.Dims == 0 && !a.Active() && !b.Active() &&
		math.Float64bits(a.X[0]) == math.Float64bits(b.X[0])
}
