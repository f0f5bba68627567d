package format

// This file breaks lines: documents in the manner of Wadler's "A prettier printer"
// (2003), laid out in one pass.

import (
	"strings"
	"unicode/utf8"
)

// A doc is a piece of layout: a text, or one of the types below.
type doc any

type (
	// text stands on one line.
	text string
	// seq is its parts in a row.
	seq []doc
	// line is a space, or the end of the line where the group around it is broken.
	line struct{}
	// soft is like line, but nothing in place of the space.
	soft struct{}
	// hard always ends the line; every group around it is broken.
	hard struct{}
	// blank is the end of the line and an empty line.
	blank struct{}
	// suffix is put at the end of the line it falls on, which ends soon: a comment.
	// Every group around it is broken.
	suffix string
	// raw is text with line ends that are kept as they are.
	raw string
	// nest indents the lines that begin inside.
	nest struct{ inside doc }
	// group is laid out flat where it fits on the line, else broken.
	group struct{ inside doc }
	// fill breaks only those of its separators behind which the next part does not
	// fit: parts at even places, separators at odd ones.
	fill []doc
)

// Width is that of a line in the canonical layout, in characters, where it can be broken.
const Width = 80

const indent = 2 // of what is nested

// A command is a document that waits to be laid out.
type command struct {
	doc   doc
	depth int
	flat  bool
}

// A layouter writes documents.
type layouter struct {
	width   int // of a line
	out     strings.Builder
	column  int
	depth   int  // of the line being written, which is indented with its first text
	ended   bool // by a comment that takes the rest of the line
	pending []string
	stack   []command
}

// layout returns the text of a document.
func layout(d doc, width int) string {
	l := &layouter{width: width, stack: []command{{doc: d}}}
	for len(l.stack) > 0 {
		c := l.stack[len(l.stack)-1]
		l.stack = l.stack[:len(l.stack)-1]
		l.step(c)
	}
	l.suffixes()
	return l.out.String()
}

func (l *layouter) step(c command) {
	switch d := c.doc.(type) {
	case nil:
	case text:
		l.text(string(d))
	case raw:
		l.text(string(d))
	case seq:
		for i := len(d) - 1; i >= 0; i-- {
			l.push(command{d[i], c.depth, c.flat})
		}
	case line:
		if c.flat {
			l.text(" ")
		} else {
			l.newline(c.depth)
		}
	case soft:
		if !c.flat {
			l.newline(c.depth)
		}
	case hard:
		l.newline(c.depth)
	case blank:
		l.newline(c.depth)
		l.newline(c.depth)
	case suffix:
		l.pending = append(l.pending, string(d))
	case nest:
		l.push(command{d.inside, c.depth + indent, c.flat})
	case group:
		flat := command{d.inside, c.depth, true}
		if c.flat || l.fits(flat, true) {
			l.push(flat)
		} else {
			l.push(command{d.inside, c.depth, false})
		}
	case fill:
		l.fill(d, c)
	case fillFrom:
		l.rest(d, c)
	}
}

func (l *layouter) push(c command) { l.stack = append(l.stack, c) }

// fill lays out the first part, and decides on the separator behind it.
func (l *layouter) fill(d fill, c command) {
	if len(d) < 3 || c.flat {
		for i := len(d) - 1; i >= 0; i-- {
			l.push(command{d[i], c.depth, c.flat})
		}
		return
	}
	l.push(command{fillFrom{d[2:], d[1]}, c.depth, false})
	l.push(command{group{d[0]}, c.depth, false})
}

// fillFrom is the rest of a fill, with the separator before it.
type fillFrom struct {
	rest fill
	sep  doc
}

func (l *layouter) rest(d fillFrom, c command) {
	next := seq{d.sep, d.rest[0]}
	flat := l.fits(command{next, c.depth, true}, false)
	l.push(command{d.rest, c.depth, false})
	l.push(command{d.sep, c.depth, flat})
}

func (l *layouter) text(s string) {
	if s == "" {
		return
	}
	if l.ended {
		l.newline(l.depth)
		s = strings.TrimPrefix(s, " ")
	}
	l.ended = strings.HasPrefix(s, "//") || strings.HasPrefix(s, " //") || strings.HasPrefix(s, "#")
	if l.column == 0 && s != " " {
		l.out.WriteString(strings.Repeat(" ", l.depth))
		l.column = l.depth
	}
	l.out.WriteString(s)
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		l.column, s = 0, s[i+1:]
	}
	l.column += utf8.RuneCountInString(s)
}

func (l *layouter) newline(depth int) {
	l.suffixes()
	l.out.WriteByte('\n')
	l.column, l.depth, l.ended = 0, depth, false
}

// suffixes writes the comments that wait for the end of the line.
func (l *layouter) suffixes() {
	pending := l.pending
	l.pending = nil
	for _, s := range pending {
		if l.column > 0 && !strings.HasSuffix(l.out.String(), " ") {
			s = " " + s
		}
		l.text(s)
	}
}

// fits reports whether c, laid out flat, and what follows up to the next possible end of
// the line, where tail asks for it, fit on the line. Comments do not count.
func (l *layouter) fits(c command, tail bool) bool {
	room := l.width - max(l.column, l.depth)
	todo := []command{c}
	below := len(l.stack)
	for room >= 0 {
		if len(todo) == 0 {
			if !tail || below == 0 {
				return true
			}
			below--
			todo = append(todo, l.stack[below])
			continue
		}
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch d := c.doc.(type) {
		case text:
			room -= utf8.RuneCountInString(string(d))
		case raw:
			return !c.flat
		case seq:
			for i := len(d) - 1; i >= 0; i-- {
				todo = append(todo, command{d[i], c.depth, c.flat})
			}
		case fill:
			for i := len(d) - 1; i >= 0; i-- {
				todo = append(todo, command{d[i], c.depth, c.flat})
			}
		case fillFrom:
			return true // its separator may end the line
		case line:
			if !c.flat {
				return true
			}
			room--
		case soft:
			if !c.flat {
				return true
			}
		case hard, blank:
			return !c.flat
		case suffix:
			if c.flat {
				return false
			}
		case nest:
			todo = append(todo, command{d.inside, c.depth, c.flat})
		case group:
			todo = append(todo, command{d.inside, c.depth, c.flat})
		}
	}
	return false
}
