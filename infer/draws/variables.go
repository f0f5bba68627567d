// This file puts columns together to the variables that they are the numbers of.

package draws

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Variable is an array of numbers that stands in several columns. A slot of a tuple
// is a variable of its own, with the indices of the tuple's array before its own.
type Variable struct {
	Name    string // without indices, as in "theta" or, for the second slot of a tuple, "t:2"
	Base    string // of the declaration: "theta", "t"
	Dims    []int  // nil for a scalar
	Columns []int  // places of the columns, last index fastest; for complex numbers real and imaginary part in turn
	Complex bool
}

// Variables groups columns by name, in the order of their first columns. The columns are
// named as in a fit's files: indices joined by dots, slots of tuples after a colon,
// ".real" and ".imag" last. A name whose indices do not fill an array gives one scalar a
// column.
func Variables(columns []string) []Variable {
	var order []string
	groups := map[string]*group{}
	for i, column := range columns {
		e := parseColumn(column)
		e.at = i
		g := groups[e.name]
		if g == nil {
			g = &group{}
			groups[e.name] = g
			order = append(order, e.name)
		}
		g.elements = append(g.elements, e)
	}
	var out []Variable
	for _, name := range order {
		if v, ok := groups[name].variable(); ok {
			out = append(out, v)
			continue
		}
		for _, e := range groups[name].elements {
			out = append(out, Variable{Name: columns[e.at], Base: e.base, Columns: []int{e.at}})
		}
	}
	return out
}

// Base is the name of the variable that a column is part of: what was declared.
func Base(column string) string {
	end := strings.IndexAny(column, ".:")
	if end < 0 {
		return column
	}
	return column[:end]
}

// An element is a column's name taken apart.
type element struct {
	name, base string
	index      []int // from 1
	part       int   // 0: real number; 1, 2: real and imaginary part
	at         int
}

func parseColumn(column string) element {
	e := element{base: Base(column)}
	var name strings.Builder
	for i, slot := range strings.Split(column, ":") {
		if i > 0 {
			name.WriteByte(':')
		}
		for k, piece := range strings.Split(slot, ".") {
			n, err := strconv.Atoi(piece)
			switch {
			case k == 0:
				name.WriteString(piece)
			case err == nil:
				e.index = append(e.index, n)
			case piece == "real":
				e.part = 1
			case piece == "imag":
				e.part = 2
			default:
				name.WriteString("." + piece)
			}
		}
	}
	e.name = name.String()
	return e
}

// A group is the columns of one name.
type group struct{ elements []element }

// variable is the array of a group, if its indices fill one.
func (g *group) variable() (Variable, bool) {
	first := g.elements[0]
	v := Variable{Name: first.name, Base: first.base, Complex: first.part > 0}
	if n := len(first.index); n > 0 {
		v.Dims = make([]int, n)
	}
	for _, e := range g.elements {
		if len(e.index) != len(v.Dims) || (e.part > 0) != v.Complex {
			return v, false
		}
		for k, i := range e.index {
			v.Dims[k] = max(v.Dims[k], i)
		}
	}
	n, width := 1, 1
	for _, d := range v.Dims {
		n *= d
	}
	if v.Complex {
		width = 2
	}
	if n*width != len(g.elements) {
		return v, false
	}
	v.Columns = slices.Repeat([]int{-1}, n*width)
	for _, e := range g.elements {
		place := 0
		for k, i := range e.index {
			place = place*v.Dims[k] + i - 1
		}
		place = place*width + max(e.part-1, 0)
		if place < 0 || place >= len(v.Columns) || v.Columns[place] >= 0 {
			return v, false
		}
		v.Columns[place] = e.at
	}
	return v, true
}

// An UnknownVariableError says that a selection names what there is not.
type UnknownVariableError struct {
	Name  string
	Known []string // names of the variables there are
}

func (e *UnknownVariableError) Error() string {
	if base := Base(Dotted(e.Name)); base != e.Name && slices.Contains(e.Known, base) {
		return fmt.Sprintf("the variable %s has no part %q", base, e.Name)
	}
	if len(e.Known) == 0 {
		return fmt.Sprintf("there is no variable %q", e.Name)
	}
	return fmt.Sprintf("there is no variable %q; there are %s", e.Name, strings.Join(e.Known, ", "))
}

// Dotted is the name of a column for a part of a variable, written theta[3], theta[2,3] or
// theta.3; other names stay as they are.
func Dotted(name string) string {
	base, indices, found := strings.Cut(name, "[")
	if !found {
		return name
	}
	inside, rest, closed := strings.Cut(indices, "]")
	if !closed {
		return name
	}
	return base + "." + strings.ReplaceAll(strings.ReplaceAll(inside, " ", ""), ",", ".") + Dotted(rest)
}

// Selects reports whether a name stands for a column: its own name, in any spelling of its
// indices, that of its variable, or that of a part that it belongs to.
func Selects(name, column string) bool {
	name = Dotted(name)
	return name == column || strings.HasPrefix(column, name) && strings.ContainsRune(".:", rune(column[len(name)]))
}

// Select returns the places of the columns that the names stand for, in the order of the
// columns; all of them where there are no names. lp__ may be among the names where it is no
// column: it is always kept. The error is an *UnknownVariableError.
func Select(columns, names []string) ([]int, error) {
	used := make([]bool, len(names))
	var at []int
	for i, column := range columns {
		selected := len(names) == 0
		for k, name := range names {
			if Selects(name, column) {
				selected, used[k] = true, true
			}
		}
		if selected {
			at = append(at, i)
		}
	}
	for k, name := range names {
		if !used[k] && name != LogDensityColumn {
			return nil, &UnknownVariableError{Name: name, Known: variablesOf(columns)}
		}
	}
	return at, nil
}

// variablesOf are the names of the variables of columns, each once.
func variablesOf(columns []string) []string {
	var known []string
	for _, column := range columns {
		if base := Base(column); !slices.Contains(known, base) {
			known = append(known, base)
		}
	}
	return known
}

// Only is the table with the columns of the named variables alone; lp__ and the
// sampler's columns stay. Without names it is d itself.
func (d *Draws) Only(names []string) (*Draws, error) {
	if len(names) == 0 {
		return d, nil
	}
	at, err := Select(d.Columns(), names)
	if err != nil {
		return nil, err
	}
	first := 1 + d.stats
	out := New(len(d.chains), d.Stats(), Picked(d.Columns(), at))
	for c := range d.chains {
		out.Reserve(c, d.Len(c))
		for i := range d.Len(c) {
			row := d.Row(c, i)
			out.Append(Row{Chain: c, LogDensity: row[0], Stats: row[1:first], Values: Picked(row[first:], at)})
		}
	}
	return out, nil
}

// Picked are the elements of x at the given places.
func Picked[T any](x []T, at []int) []T {
	out := make([]T, len(at))
	for i, k := range at {
		out[i] = x[k]
	}
	return out
}

// ByVariable gathers the numbers of each variable; x has one for each column.
func ByVariable(columns []string, x []float64) map[string][]float64 {
	out := map[string][]float64{}
	for i, c := range columns {
		base := Base(c)
		out[base] = append(out[base], x[i])
	}
	return out
}

// Bases are what was declared of columns, each once.
func Bases(columns []string) []string {
	var out []string
	for _, c := range columns {
		if base := Base(c); !slices.Contains(out, base) {
			out = append(out, base)
		}
	}
	return out
}
