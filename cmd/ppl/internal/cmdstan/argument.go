package cmdstan

// This file is the argument tree: nodes, their values, and the way to a value by names.

import (
	"fmt"
	"strconv"
	"strings"
)

// A kind says what an argument holds.
type kind int

const (
	group  kind = iota // nothing itself, only arguments below it
	bare               // nothing, not even a line of the echo: a choice's branch that is only a name
	choice             // the name of one of the arguments below it
	whole              // a whole number
	number             // a real number
	truth              // true or false
	text               // any text, such as a file
)

// typeNames are those that help and suggestions show.
var typeNames = map[kind]string{
	choice: "list element", whole: "int", number: "double", truth: "boolean", text: "string",
}

// An argument is a node of the tree.
type argument struct {
	name, doc string
	kind      kind
	def       string  // the default, as printed
	valid     string  // the values allowed, in words
	min, max  float64 // of numbers, inclusive
	minOpen   bool    // min itself is not allowed
	maxOpen   bool    // nor is max
	args      []*argument

	value string // present value; set by reset and parsing
}

// reset sets the node and all below it to their defaults.
func (a *argument) reset() {
	a.value = a.def
	for _, b := range a.args {
		b.reset()
	}
}

// find is the argument of that name directly below a, or nil.
func (a *argument) find(name string) *argument {
	for _, b := range a.args {
		if b.name == name {
			return b
		}
	}
	return nil
}

// chosen is the branch that a choice has taken.
func (a *argument) chosen() *argument { return a.find(a.value) }

// isDefault reports whether the present value is the default.
func (a *argument) isDefault() bool { return a.value == a.def }

// set takes a value in the form that it is printed in, or says that it is not valid.
func (a *argument) set(value string) bool {
	switch a.kind {
	case group, bare:
		return false
	case choice:
		if a.find(value) == nil {
			return false
		}
	case whole:
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || !a.inRange(float64(n)) {
			return false
		}
		value = strconv.FormatInt(n, 10)
	case number:
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || !a.inRange(x) {
			return false
		}
		value = formatReal(x)
	case truth:
		switch value {
		case "1", "true":
			value = "1"
		case "0", "false":
			value = "0"
		default:
			return false
		}
	}
	a.value = value
	return true
}

func (a *argument) inRange(x float64) bool {
	return x >= a.min && x <= a.max && !(a.minOpen && x == a.min) && !(a.maxOpen && x == a.max)
}

// validValues are the values allowed, as messages list them.
func (a *argument) validValues() string {
	switch a.kind {
	case choice:
		names := make([]string, len(a.args))
		for i, b := range a.args {
			names[i] = b.name
		}
		return strings.Join(names, ", ")
	case truth:
		return "[0, 1, false, true]"
	}
	if a.valid == "" {
		return "All"
	}
	return a.valid
}

// formatReal prints a number in the shortest form that gives it back, with an exponent of
// two digits as C++ has it.
func formatReal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// A tree is the whole set of arguments with their values.
type tree struct {
	args []*argument
}

// newTree is the table with all values at their defaults.
func newTree() *tree {
	t := &tree{args: arguments()}
	for _, a := range t.args {
		a.reset()
	}
	return t
}

// at follows names from the root: at("method", "sample", "adapt", "delta"). A branch that
// does not exist is a mistake of this package.
func (t *tree) at(path ...string) *argument {
	in := &argument{args: t.args}
	for _, name := range path {
		if in = in.find(name); in == nil {
			panic(fmt.Sprintf("no argument %s", strings.Join(path, " ")))
		}
	}
	return in
}

func (t *tree) text(path ...string) string { return t.at(path...).value }

func (t *tree) flag(path ...string) bool { return t.at(path...).value == "1" }

// int is a whole number's value; set has seen to its form.
func (t *tree) int(path ...string) int {
	n, _ := strconv.Atoi(t.at(path...).value)
	return n
}

// real is a number's value; set has seen to its form.
func (t *tree) real(path ...string) float64 {
	x, _ := strconv.ParseFloat(t.at(path...).value, 64)
	return x
}

// method is the name of the method chosen.
func (t *tree) method() string { return t.text("method") }
