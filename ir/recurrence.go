// Recurrences: loops whose iterations are alike.

package ir

import "strings"

// A Recurrence says how the iterations of a loop hand numbers on, so that one iteration can stand
// for all. It is a remark: a loop with one means what it means without.
type Recurrence struct {
	States      []State
	Independent bool // no iteration reads what another one writes, and none draws random numbers

	Induction []*Var // integers that iterations carry
	Slice     []Stmt // what they depend on of the loop's body
}

// A State is a variable that iterations write and that was declared before the loop.
type State struct {
	Var *Var
	// Of a variable of which each iteration writes a part of its own: the index along which the loop
	// runs, counted over all of a place's indices, and what this index is where an iteration writes,
	// an integer of the loop's variable and of what is the same in all iterations. nil for a
	// variable that every iteration reads and writes in the same way.
	Axis int
	At   Expr
}

// text writes loop-carried variables: variables, of which those with a part for each iteration
// have what is written. It is empty where there is no remark.
func (r *Recurrence) text() string {
	if r == nil {
		return ""
	}
	if len(r.States) == 0 {
		return ", one body"
	}
	list := make([]string, len(r.States))
	for i, s := range r.States {
		list[i] = name(s.Var)
		if s.At != nil {
			list[i] += "[" + strings.Repeat(":, ", s.Axis) + ExprText(s.At) + "]"
		}
	}
	return ", one body, carrying " + strings.Join(list, ", ")
}
