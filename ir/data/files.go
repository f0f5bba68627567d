package data

// This file reads the files of a data set: JSON and tables, one or several.

import (
	"cmp"
	"io"
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

// A Format reads tables from one kind of file. That of CSV is known; others are given by who reads, since the packages
// that they need are large.
type Format struct {
	Extensions []string // of names of files, with the point
	Magic      string   // that the files begin with, whatever their names; empty for none
	// Read reads the columns that wanted picks by the header; see Table and CellError.
	Read func(path string, wanted func(header []string) []bool) (*Table, error)
}

var csvFormat = Format{Extensions: []string{".csv", ".tsv"}, Read: ReadCSVFile}

// FormatOf is what a file is read as; nil for JSON.
func FormatOf(path string, formats ...Format) *Format { return formatOf(path, formats) }

func formatOf(path string, formats []Format) *Format {
	begins := beginning(path)
	for i := range formats {
		if f := &formats[i]; f.Magic != "" && strings.HasPrefix(begins, f.Magic) {
			return f
		}
	}
	for _, f := range append(formats[:len(formats):len(formats)], csvFormat) {
		if slices.Contains(f.Extensions, strings.ToLower(filepath.Ext(path))) {
			return &f
		}
	}
	return nil
}

// beginning is that of a file that can be read again; empty of others.
func beginning(path string) string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	start := make([]byte, 16)
	n, _ := io.ReadFull(f, start)
	return string(start[:n])
}

// HoldTable reports whether a list of files holds a table.
func HoldTable(list string, formats ...Format) bool {
	return slices.ContainsFunc(Files(list), func(path string) bool { return formatOf(path, formats) != nil })
}

// ReadFiles reads a list of files (see Files) into one set: tables, which are .csv, .tsv and what formats know, and JSON. A column of a
// table is the variable of its name, x.1, x.2, ... or x[1], x[2], ... are the columns of the variable x, and a name like
// "Sepal.Length" is also that of Sepal_Length. Variables that want does not ask for are passed over; a nil want asks for all.
// Errors are those of ReadFile.
func ReadFiles(list string, want func(name string) bool, formats ...Format) (*Set, error) {
	var sets []*Set
	for _, path := range Files(list) {
		read := ReadFile
		if f := formatOf(path, formats); f != nil {
			read = f.readSet
		}
		s, err := read(path, want)
		if err != nil {
			return nil, err
		}
		sets = append(sets, s)
	}
	if len(sets) == 1 && !sets[0].table {
		return sets[0], nil
	}
	return Merge(sets...)
}

func (f *Format) readSet(path string, want func(name string) bool) (*Set, error) {
	var places []columnPlace
	var names []string
	t, err := f.Read(path, func(header []string) []bool {
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

// A columnPlace is the place of a column in the data: a variable, or a column index of one.
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
		switch p := places[c.Place]; {
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
		slices.SortFunc(columns, func(a, b *Column) int { return cmp.Compare(places[a.Place].index, places[b.Place].index) })
		for i, c := range columns {
			if places[c.Place].index != i+1 {
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
