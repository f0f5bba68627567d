package data

// This file defines what a file holds after reading: sets of named values.

import (
	"bytes"
	"io"
	"os"
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
}

// A Value is a variable as written. Exactly one of three forms holds: numbers (X),
// one tuple (Fields), an array of tuples (Elems).
type Value struct {
	Name string
	Dims []int // sizes of the nested arrays, outermost first; none for one number or tuple
	// X holds the numbers in the order written: row by row, the last index fastest.
	X []float64
	// Ints reports that every number was written as an integer: without a point or an
	// exponent. FirstReal is the place in X of the first that was not, or -1.
	Ints      bool
	FirstReal int
	Fields    map[string]*Value // of a tuple, by key
	Elems     []*Value          // of an array of tuples, in the order written; as many as Dims hold
	Pos       Position          // where the value starts
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
