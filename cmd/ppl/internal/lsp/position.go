package lsp

// This file turns places of the protocol into byte offsets of the text, and back.

import (
	"net/url"
	"path/filepath"
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/seed-12b88e03/ppl/lang/source"
)

// A table of the lines of a text; lines end in LF, CR LF or CR.
type table struct {
	text   string
	starts []int
}

func newTable(text string) *table {
	t := &table{text: text, starts: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			t.starts = append(t.starts, i+1)
		}
	}
	return t
}

// offset is the byte of a place; places outside the text are moved into it.
func (t *table) offset(p position) int {
	switch {
	case p.Line < 0:
		return 0
	case p.Line >= len(t.starts):
		return len(t.text)
	}
	end := len(t.text)
	if p.Line+1 < len(t.starts) {
		end = t.starts[p.Line+1]
	}
	at, units := t.starts[p.Line], 0
	line := strings.TrimRight(t.text[at:end], "\r\n")
	for i, r := range line {
		if units += width(r); units > p.Character {
			return at + i
		}
	}
	return at + len(line)
}

// position is the place of a byte.
func (t *table) position(offset int) position {
	offset = max(0, min(offset, len(t.text)))
	line := sort.SearchInts(t.starts, offset+1) - 1
	p := position{Line: line}
	for _, r := range t.text[t.starts[line]:offset] {
		p.Character += width(r)
	}
	return p
}

// width is how many UTF-16 code units a character takes; broken UTF-8 takes one.
func width(r rune) int {
	if r == utf8.RuneError {
		return 1
	}
	return utf16.RuneLen(r)
}

func (t *table) span(from, to int) span { return span{t.position(from), t.position(to)} }

// fileURI is the address of a file.
func fileURI(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive of Windows
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// filePath is the file of an address. An address that is no file serves as a name.
func filePath(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return uri
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' {
		path = path[1:] // a drive of Windows
	}
	return filepath.FromSlash(path)
}

// location is the place of a span of the document or of a file that it includes.
func (d *document) location(s source.Span) location {
	if s.File.Name == d.path {
		return location{d.uri, d.table.span(s.Start, s.End)}
	}
	return location{fileURI(s.File.Name), newTable(s.File.Text).span(s.Start, s.End)}
}
