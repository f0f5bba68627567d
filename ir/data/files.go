package data

// This file reads the files of a data set: JSON and tables, one or several.

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Files are the names in a list of files: "rows.csv,sizes.json". A name with a comma stands for itself where there is
// such a file.
func Files(list string) []string {
	if _, err := os.Stat(list); err == nil || !strings.Contains(list, ",") {
		return []string{list}
	}
	return strings.Split(list, ",")
}

// isTable reports whether a file is read as a table.
func isTable(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv", ".tsv":
		return true
	}
	return false
}

// HoldTable reports whether a list of files holds a table.
func HoldTable(list string) bool { return slices.ContainsFunc(Files(list), isTable) }

// ReadFiles reads a list of files (see Files) into one set: tables by their names, .csv and .tsv, and JSON. A column of a
// table is the variable of its name, x.1, x.2, ... or x[1], x[2], ... are the columns of the variable x, and a name like
// "Sepal.Length" is also that of Sepal_Length. Variables that want does not ask for are passed over; a nil want asks for all.
// Errors are those of ReadFile.
func ReadFiles(list string, want func(name string) bool) (*Set, error) {
	paths := Files(list)
	if len(paths) == 1 && !isTable(list) {
		return ReadFile(list, want)
	}
	var sets []*Set
	for _, path := range paths {
		read := ReadFile
		if isTable(path) {
			read = readCSVSet
		}
		s, err := read(path, want)
		if err != nil {
			return nil, err
		}
		sets = append(sets, s)
	}
	return Merge(sets...)
}

func readCSVSet(path string, want func(name string) bool) (*Set, error) {
	var places []columnPlace
	var names []string
	t, err := ReadCSVFile(path, func(header []string) []bool {
		names, places = slices.Clone(header), placesOf(header, want)
		wanted := make([]bool, len(header))
		for i, p := range places {
			wanted[i] = p.variable != ""
		}
		return wanted
	})
	if err != nil {
		return nil, err
	}
	s, err := t.set(places)
	if err == nil {
		s.names = names
	}
	return s, err
}

// A columnPlace is what a column is of the data: a variable, or column index of one.
type columnPlace struct {
	variable string // empty: none that is wanted
	index    int    // from 1; 0: all of the variable
}

// placesOf finds the variables that the names of a header stand for.
func placesOf(header []string, want func(name string) bool) []columnPlace {
	all := want == nil
	if all {
		want = func(string) bool { return true }
	}
	out := make([]columnPlace, len(header))
	for i, name := range header {
		base, index := elementOf(name)
		switch {
		case index != 0 && want(base):
			out[i] = columnPlace{base, index}
		case want(name):
			out[i] = columnPlace{name, 0}
		case want(identifier(name)) && !slices.Contains(header, identifier(name)):
			out[i] = columnPlace{identifier(name), 0}
		}
	}
	return out
}

// elementOf takes "x.3" and "x[3]" apart; the index is 0 where there is none, and -1 where it is below 1.
func elementOf(name string) (base string, index int) {
	at := strings.LastIndexAny(name, ".[")
	if at <= 0 {
		return name, 0
	}
	digits := name[at+1:]
	if name[at] == '[' {
		var closed bool
		if digits, closed = strings.CutSuffix(digits, "]"); !closed {
			return name, 0
		}
	}
	n, err := strconv.Atoi(digits)
	switch {
	case err != nil:
		return name, 0
	case n < 1:
		return name[:at], -1
	}
	return name[:at], n
}

// identifier is a name with underscores in place of what names of variables cannot have.
func identifier(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}

// set makes variables of the columns; places are those of the whole header.
func (t *Table) set(places []columnPlace) (*Set, error) {
	s := &Set{File: t.File, Vars: map[string]*Value{}, table: true}
	parts := map[string][]*Column{}
	for _, c := range t.Columns {
		switch p := places[c.place]; {
		case p.index != 0 && c.Levels != nil:
			return nil, t.fault(c, "the column holds text, and is one of several of %s, which hold numbers", p.variable)
		case p.index != 0:
			parts[p.variable] = append(parts[p.variable], c)
		case s.Vars[p.variable] != nil:
			return nil, t.fault(c, "the variable %s has another column, too", p.variable)
		default:
			s.Vars[p.variable] = t.value(p.variable, []*Column{c}, false)
		}
	}
	for name, columns := range parts {
		slices.SortFunc(columns, func(a, b *Column) int { return cmp.Compare(places[a.place].index, places[b.place].index) })
		for i, c := range columns {
			if places[c.place].index != i+1 {
				return nil, t.fault(c, "expected columns %s.1, %s.2, ... without gaps", name, name)
			}
		}
		if s.Vars[name] != nil {
			return nil, t.fault(columns[0], "there is a column %s, too", name)
		}
		s.Vars[name] = t.value(name, columns, true)
	}
	return s, nil
}
