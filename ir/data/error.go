package data

// This file defines the errors of reading and converting, and how they are shown.

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// An Error says what is wrong with the data, and where.
type Error struct {
	File     string
	Pos      Position // zero where the place is not known
	Code     string   // stable and kebab-case: "json-syntax", "ragged-array", "data-type", "data-size", "data-missing", ...
	Variable string   // with its indices, such as "y[2]"; empty outside variables
	Message  string   // what was expected or declared, and what was found

	cell  string // of a table without lines
	line  string // the part of the line around the place
	caret int    // runes of line before the place
}

// CellError is an error about a cell of a table without lines; the row counts from 0, and a negative one means the
// column as a whole.
func CellError(file, column string, row int, code, format string, args ...any) *Error {
	e := &Error{File: file, Code: code, Variable: column, Message: fmt.Sprintf(format, args...), cell: "column " + column}
	if row >= 0 {
		e.cell = fmt.Sprintf("row %d of %s", row+1, e.cell)
	}
	return e
}

// Place is file:line:column, or the file with the cell of a table without lines; known is false where it is the file alone.
func (e *Error) Place() (place string, known bool) {
	switch {
	case e.Pos.Line > 0:
		return fmt.Sprintf("%s:%d:%d", e.File, e.Pos.Line, e.Pos.Column), true
	case e.cell != "":
		return e.File + ": " + e.cell, true
	}
	return e.File, false
}

// Error returns file:line:column and the message, on one line.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		place, _ := e.Place()
		b.WriteString(place + ": ")
	}
	b.WriteString("error: ")
	if e.Variable != "" {
		b.WriteString(e.Variable + ": ")
	}
	fmt.Fprintf(&b, "%s [%s]", e.Message, e.Code)
	return b.String()
}

// Text returns the error as problems of a program are shown: Error's line, then the
// line of the file with a caret under the place.
func (e *Error) Text() string {
	var b strings.Builder
	b.WriteString(e.Error() + "\n")
	if e.line != "" {
		fmt.Fprintf(&b, "    %s\n    %s^\n", e.line, strings.Repeat(" ", e.caret))
	}
	return b.String()
}

// excerpt prepares the part of a line around a place: before and after are the texts
// on both sides of it, cut reports whether they go on beyond their ends.
func (e *Error) excerpt(before, after []byte, cutBefore, cutAfter bool) {
	b, a := show(before), show(after)
	if cutBefore {
		b = "..." + b
	}
	if cutAfter {
		a += "..."
	}
	e.line, e.caret = strings.TrimRight(b+a, " "), utf8.RuneCountInString(b)
}

// show makes text fit to print: each rune takes one place.
func show(text []byte) string {
	for len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029:
			return utf8.RuneError
		}
		return r
	}, string(text))
}
