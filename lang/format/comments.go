package format

// This file puts comments, and annotations, where they belong: on lines of their own,
// behind what stands before them, or before what stands behind them.

import (
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
)

// take returns the next comment that begins before the place end.
func (f *formatter) take(end int) (ast.Comment, bool) {
	if len(f.comments) == 0 || f.comments[0].Loc.Start >= end {
		return ast.Comment{}, false
	}
	c := f.comments[0]
	f.comments = f.comments[1:]
	return c, true
}

// above appends to items the comments before start, but for those in front of what begins
// at start on its line.
func (f *formatter) above(out seq, start int) seq {
	ended := false // by a comment that takes the rest of the line
	for len(f.comments) > 0 && !f.inFront(f.comments[0], start) {
		c, ok := f.take(start)
		if !ok {
			break
		}
		if f.alone(c) || ended {
			out = append(out, f.newline(out, c.Loc.Start), comment(c))
		} else {
			out = append(out, suffix(trimmed(c)))
		}
		ended = strings.HasPrefix(c.Text, "//")
		f.last = c.Loc.End
	}
	return out
}

// between returns the comments before a separator that can end the line; those in front of
// what begins at start are left to it.
func (f *formatter) between(start int) seq {
	var out seq
	ended := false // by a comment that takes the rest of the line
	for len(f.comments) > 0 && !f.inFront(f.comments[0], start) {
		c, ok := f.take(start)
		if !ok {
			break
		}
		f.within(c)
		if f.alone(c) || ended {
			out = append(out, hard{}, comment(c))
		} else {
			out = append(out, suffix(trimmed(c)))
		}
		ended = strings.HasPrefix(c.Text, "//")
	}
	return out
}

// ahead returns the comments before start where nothing else can end the line.
func (f *formatter) ahead(start int) doc {
	var out seq
	for {
		inFront := len(f.comments) > 0 && f.inFront(f.comments[0], start)
		c, ok := f.take(start)
		if !ok {
			return out
		}
		f.within(c)
		if inFront {
			out = append(out, comment(c), text(" "))
		} else {
			out = append(out, suffix(trimmed(c)), hard{})
		}
	}
}

// behind returns the comments before end that no part of the statement, which ends there,
// has taken.
func (f *formatter) behind(end int) doc {
	var out seq
	for {
		c, ok := f.take(end)
		if !ok {
			return out
		}
		f.within(c)
		if len(out) == 0 {
			out = append(out, suffix(trimmed(c)))
		} else {
			out = append(out, hard{}, comment(c))
		}
	}
}

// within notes an include that stands inside a statement.
func (f *formatter) within(c ast.Comment) {
	if strings.HasPrefix(c.Text, "#") {
		f.foreign = c.Loc
	}
}

// alone reports whether nothing but the comment begins on its line.
func (f *formatter) alone(c ast.Comment) bool {
	before := f.file.Text[:c.Loc.Start]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	return strings.TrimSpace(before) == "" || strings.HasPrefix(c.Text, "#")
}

// inFront reports whether what begins at start follows the comment on its line. At the end of
// the file nothing begins.
func (f *formatter) inFront(c ast.Comment, start int) bool {
	return start < len(f.file.Text) && (strings.HasPrefix(c.Text, "/*") || strings.HasPrefix(c.Text, "@")) && c.Loc.End <= start &&
		strings.TrimSpace(f.file.Text[c.Loc.End:start]) == "" && !strings.Contains(f.file.Text[c.Loc.Start:start], "\n")
}

// trimmed is a comment's text without white space at the ends of its lines.
func trimmed(c ast.Comment) string {
	lines := strings.Split(c.Text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t\r")
	}
	return strings.Join(lines, "\n")
}

// comment returns a comment's text. The lines of one that is drawn as a box of stars are
// aligned below its first star, others stay as they are.
func comment(c ast.Comment) doc {
	lines := strings.Split(trimmed(c), "\n")
	if len(lines) == 1 {
		return text(lines[0])
	}
	out := seq{text(lines[0])}
	for _, l := range lines[1:] {
		l = strings.TrimLeft(l, " \t")
		if !strings.HasPrefix(l, "*") {
			return raw(strings.Join(lines, "\n"))
		}
		out = append(out, hard{}, text(" "+l))
	}
	return out
}

// emptyLine reports whether the text between two things holds an empty line.
func emptyLine(between string) bool {
	lines := strings.Split(between, "\n")
	for i := 1; i < len(lines)-1; i++ {
		if strings.TrimSpace(lines[i]) == "" {
			return true
		}
	}
	return false
}
