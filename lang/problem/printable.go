package problem

// This file makes text fit to be shown: a terminal obeys none of it.

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// obeyed reports whether a terminal may do something on a rune other than show it: control
// characters, which begin sequences that move the cursor, set the title or write to the
// clipboard; line ends that no other program takes for such; and marks that turn the direction
// of writing, by which text reads as what it is not.
func obeyed(r rune) bool {
	switch {
	case r == '\t' || r == '\n':
		return false
	case r < ' ', r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029:
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// Printable shows what a terminal would obey, but the tab and the line feed, as \u and four
// hexadecimal digits, which in the strings of JSON means the same. Bytes that are no UTF-8
// become U+FFFD.
func Printable(text string) string {
	if strings.IndexFunc(text, obeyed) < 0 && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if obeyed(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// A Printer writes text as Printable shows it. A character may come in several pieces.
type Printer struct {
	w    io.Writer
	rest []byte // the beginning of a character
}

// NewPrinter makes a Printer that writes to w.
func NewPrinter(w io.Writer) *Printer { return &Printer{w: w} }

// Unwrap is the writer behind the printer.
func (p *Printer) Unwrap() io.Writer { return p.w }

// Write implements io.Writer.
func (p *Printer) Write(b []byte) (int, error) {
	text := append(p.rest, b...)
	p.rest = nil
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				p.rest = append(p.rest, tail...)
				text = text[:len(text)-n]
			}
			break
		}
	}
	if _, err := io.WriteString(p.w, Printable(string(text))); err != nil {
		return 0, err
	}
	return len(b), nil
}
