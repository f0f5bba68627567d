// Recurrences: loops whose rounds are alike.

package ir

import "strings"

// A Recurrence says how the rounds of a loop hand numbers on, so that one round can stand
// for all. It is a remark: a loop with one means what it means without.
type Recurrence struct {
	States []State
	Apart  bool // no round reads what another one writes, and none draws random numbers

	Ahead []*Var // integers that rounds hand on
	Slice []Stmt // what they depend on of the loop's body
}

// A State is a variable that rounds write and that was declared before the loop.
type State struct {
	Var *Var
	// Of a variable of which each round writes a part of its own: the index along which
	// the loop runs, counted over all of a place's indices, and what this index is where
	// a round writes, an integer of the loop's variable and of what is the same in all rounds. nil for a
	// variable that every round reads and writes in the same way.
	Axis int
	At   Expr
}

// text writes what rounds hand on: variables, of which those with a part for each round
// have what is written. It is empty where there is no remark.
func (r *Recurrence) text() string {
	if r == nil {
		return ""
	}
	if len(r.States) == 0 {
		return ", alike"
	}
	list := make([]string, len(r.States))
	for i, s := range r.States {
		list[i] = name(s.Var)
		if s.At != nil {
			list[i] += "[" + strings.Repeat(":, ", s.Axis) + ExprText(s.At) + "]"
		}
	}
	return ", alike, handing on " + strings.Join(list, ", ")
}
