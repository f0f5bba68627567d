// Package source holds program text and the places in it.
//
// A File is immutable once made and safe for concurrent use. A Span points into
// exactly one File, so a span from an included file renders with that file's own
// name and line. The zero Span means "no place" (something the compiler made).
package source

import (
	"fmt"
	"sort"
	"strings"
)

// A File is one piece of program text with the table of its line starts.
type File struct {
	Name string // as shown in messages
	Text string
	// Private reports that no message may show text of the file.
	Private bool
	lines   []int // byte offset of the start of each line
}

// NewFile makes a File and its line table.
func NewFile(name, text string) *File {
	f := &File{Name: name, Text: text, lines: []int{0}}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// A Position is a line and a column, both counted from 1; the column counts bytes
// of UTF-8 as runes, so that a caret under it lands on the character.
type Position struct {
	Line, Column int
}

// Position returns the line and column of a byte offset; offsets outside the text
// are moved to its nearest end.
func (f *File) Position(offset int) Position {
	offset = max(0, min(offset, len(f.Text)))
	line := sort.SearchInts(f.lines, offset+1) - 1
	return Position{Line: line + 1, Column: len([]rune(f.Text[f.lines[line]:offset])) + 1}
}

// Line returns the text of a line (counted from 1) without its line end.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	end := len(f.Text)
	if n < len(f.lines) {
		end = f.lines[n] - 1
	}
	return strings.TrimSuffix(f.Text[f.lines[n-1]:end], "\r")
}

// A Span is the half-open range of bytes [Start, End) of a File.
type Span struct {
	File       *File
	Start, End int
}

// IsZero reports whether the span points nowhere.
func (s Span) IsZero() bool { return s.File == nil }

// Position returns the line and column where the span starts.
func (s Span) Position() Position {
	if s.File == nil {
		return Position{}
	}
	return s.File.Position(s.Start)
}

// Text returns the source text inside the span.
func (s Span) Text() string {
	if s.File == nil {
		return ""
	}
	return s.File.Text[s.Start:s.End]
}

// To returns the span from the start of s to the end of t; where they lie in
// different files it is s.
func (s Span) To(t Span) Span {
	if s.File == nil {
		return t
	}
	if s.File != t.File || t.End < s.End {
		return s
	}
	return Span{s.File, s.Start, t.End}
}

// String returns file:line:column.
func (s Span) String() string {
	if s.File == nil {
		return "-"
	}
	p := s.Position()
	return fmt.Sprintf("%s:%d:%d", s.File.Name, p.Line, p.Column)
}
