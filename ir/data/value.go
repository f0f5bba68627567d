package data

// This file defines what a file holds after reading: sets of named values.

import (
	"bytes"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

// A Set is the content of one object: values by variable name.
type Set struct {
	File string // as shown in messages
	Vars map[string]*Value
	// Vanished counts numbers that are not 0 as written and so small that they are read as 0; First is the first of them.
	Vanished int
	First    Vanished

	// reopen returns the text again from its start, so that a message can point at one
	// number; nil where the text is gone.
	reopen func() (io.ReadCloser, error)
	table  bool     // some of it was a table
	names  []string // all that are there, those that were passed over, too, in the order written; nil: not known

	Remarks []string // what was concluded from tables, for who gave them
}

// HasTable reports whether a table was read, whose rows imply sizes.
func (s *Set) HasTable() bool { return s != nil && s.table }

// Names returns the names of all variables in the data, in the order written, whether or not they were
// read.
func (s *Set) Names() []string {
	if s == nil {
		return nil
	}
	if s.names != nil {
		return s.names
	}
	return slices.Sorted(maps.Keys(s.Vars))
}

// AddSize adds an integer that other variables imply.
func (s *Set) AddSize(name string, n int) {
	s.Vars[name] = &Value{Name: name, X: []float64{float64(n)}, Ints: true, FirstReal: -1}
}

// A Value is a variable as written. Exactly one of three forms holds: numbers (X),
// one tuple (Fields), an array of tuples (Elems).
type Value struct {
	Name string
	Dims []int // sizes of the nested arrays, outermost first; none for one number or tuple
	// X holds the numbers in the order written: row by row, the last index fastest. See ByRow.
	X []float64
	// Ints reports that every number was written as an integer: without a point or an
	// exponent. FirstReal is the place in X of the first that was not, or -1.
	Ints      bool
	FirstReal int
	// Missing is the count of numbers up to the first that is marked as missing, null or NA, that one included; 0 where none
	// is. Their places in X hold NaN.
	Missing int
	// Levels are the texts that X numbers from 1, where a column of a table holds text; nil otherwise.
	Levels []string
	Fields map[string]*Value // of a tuple, by key
	Elems  []*Value          // of an array of tuples, in the order written; as many as Dims hold
	Pos    Position          // where the value starts

	byColumn bool // X of an array of arrays lies column by column; see ByRow

	from place // that knows where its numbers stand, if it is not the set's text; nil otherwise
}

// A place finds the numbers of a value again.
type place interface {
	// locate makes an error that stands at the k-th number, or at the value's start where k is
	// negative, and returns the text of what stands there; empty where the text is gone.
	locate(k int) (e *Error, written string)
}

// A Vanished number is one that is read as 0 although it is not 0 as written.
type Vanished struct {
	Variable, Text string
	Pos            Position
}

// A Position is a place in a file. Line and Column count from 1, the column in
// runes; Offset counts bytes from 0. The zero Position is no place.
type Position struct {
	Line, Column int
	Offset       int64
}

// ByRow is the value with its numbers in the order written. Columns of a table that lie in memory one behind the other are not
// until somebody needs them so.
func (v *Value) ByRow() *Value {
	if v == nil || !v.byColumn {
		return v
	}
	out := *v
	out.byColumn = false
	out.X = byColumns(v.X, []int{v.Dims[1], v.Dims[0]}, 1)
	return &out
}

// IsTuple reports whether the value is a tuple or an array of tuples.
func (v *Value) IsTuple() bool { return v.Fields != nil || v.Elems != nil }

// Len is the number of elements that the sizes ask for.
func Len(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// ReadFile reads a file; see Read. Messages that come later can point at single
// numbers, for which the file is read once more.
func ReadFile(path string, want func(name string) bool) (*Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := Read(f, path, want)
	if err != nil {
		return nil, err
	}
	s.reopen = func() (io.ReadCloser, error) { return os.Open(path) }
	return s, nil
}

// ReadAllFile reads a file with one object or an array of objects; see ReadFile.
func ReadAllFile(path string, want func(name string) bool) ([]*Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sets, err := ReadAll(f, path, want)
	for _, s := range sets {
		s.reopen = func() (io.ReadCloser, error) { return os.Open(path) }
	}
	return sets, err
}

// ReadBytes reads a text, which it keeps for the sake of messages; see Read.
func ReadBytes(text []byte, file string, want func(name string) bool) (*Set, error) {
	s, err := Read(bytes.NewReader(text), file, want)
	if err != nil {
		return nil, err
	}
	s.reopen = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	return s, nil
}

// ReadOnce reads from what cannot be read again, such as a pipe. It returns the text, too, which is kept for the sake of
// messages; see Read.
func ReadOnce(r io.Reader, file string, want func(name string) bool) (*Set, []byte, error) {
	var text bytes.Buffer
	s, err := Read(io.TeeReader(r, &text), file, want)
	if err != nil {
		return nil, nil, err
	}
	s.reopen = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text.Bytes())), nil }
	return s, text.Bytes(), nil
}

// Merge joins sets; each keeps its places. No two may have a variable of the same name.
func Merge(sets ...*Set) (*Set, error) {
	out := &Set{Vars: map[string]*Value{}}
	var files []string
	for _, s := range sets {
		files = append(files, s.File)
		out.table = out.table || s.table
		out.names = append(out.names, s.Names()...)
		for name, v := range s.Vars {
			if out.Vars[name] != nil {
				return nil, &Error{File: s.File, Code: "duplicate-key", Variable: name, Message: "the variable is in another of the files, too"}
			}
			if v.from == nil {
				own := *v
				own.from = setPlace{s, v}
				v = &own
			}
			out.Vars[name] = v
		}
		if out.Vanished == 0 {
			out.First = s.First
		}
		out.Vanished += s.Vanished
	}
	out.File = strings.Join(files, ", ")
	return out, nil
}

// A setPlace is the place of a value in the text of its own set.
type setPlace struct {
	set   *Set
	value *Value
}

func (p setPlace) locate(k int) (*Error, string) { return p.set.locate(p.value, k) }
