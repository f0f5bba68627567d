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

	line  string // the part of the line around the place
	caret int    // runes of line before the place
}

// Error returns file:line:column and the message, on one line.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File + ":")
		if e.Pos.Line > 0 {
			fmt.Fprintf(&b, "%d:%d:", e.Pos.Line, e.Pos.Column)
		}
		b.WriteByte(' ')
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
