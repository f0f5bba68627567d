package data

// This file walks over the bytes of a stream and knows its place in them.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	bufferSize = 1 << 16
	keptBefore = 60 // bytes before the current one that stay for messages
	shownAfter = 30 // bytes after it that messages show
)

// A scanner reads a stream through one buffer. Errors travel as panics of type
// stop, so that the grammar below reads straight; guarded turns them back.
type scanner struct {
	file string
	src  io.Reader
	size int64  // of the stream in bytes; 0 where it is not known
	buf  []byte // buf[pos:] is still to be read
	pos  int
	base int64 // offset of buf[0] in the stream
	err  error // what ended the stream, io.EOF included; nil before

	line      int
	lineStart int64 // offset of the current line's first byte
	joined    int   // bytes of the current line that continue a rune

	vanished int // numbers read as 0 that are none, and the first of them
	first    Vanished
}

func newScanner(r io.Reader, file string) *scanner {
	s := &scanner{file: file, src: r, size: sizeOf(r), buf: make([]byte, 0, bufferSize), line: 1}
	if s.peek() == 0xEF && s.more(3) && bytes.HasPrefix(s.buf[s.pos:], []byte("\xEF\xBB\xBF")) {
		s.pos += 3 // a byte order mark
		s.lineStart = 3
	}
	if name := s.wide(); name != "" {
		s.fail("json-syntax", "", "the text is %s; save it as UTF-8", name)
	}
	return s
}

// wide names the encoding of a text whose characters have two or four bytes each, by its byte order
// mark or by the zeros beside its first character, which is one of ASCII in JSON; "" for others.
func (s *scanner) wide() string {
	s.more(4)
	b := s.buf[s.pos:]
	starts := func(mark string) bool { return bytes.HasPrefix(b, []byte(mark)) }
	switch {
	case starts("\xFF\xFE\x00\x00"), starts("\x00\x00\xFE\xFF"):
		return "UTF-32"
	case starts("\xFF\xFE"), starts("\xFE\xFF"):
		return "UTF-16"
	case len(b) >= 4 && (b[0] != 0 && b[1] == 0 && b[2] != 0 && b[3] == 0 || b[0] == 0 && b[1] != 0 && b[2] == 0 && b[3] != 0):
		return "UTF-16"
	}
	return ""
}

// end is what peek gives behind the last byte. It is no byte of valid JSON.
const end = 0

// peek returns the current byte.
func (s *scanner) peek() byte {
	if s.pos < len(s.buf) || s.more(1) {
		return s.buf[s.pos]
	}
	return end
}

// atEnd reports whether the stream is used up.
func (s *scanner) atEnd() bool { return s.pos >= len(s.buf) && !s.more(1) }

// more makes sure that at least n bytes are to be read, if the stream has them.
func (s *scanner) more(n int) bool {
	if len(s.buf)-s.pos >= n {
		return true
	}
	if keep := max(0, s.pos-keptBefore); keep > 0 {
		s.buf = s.buf[:copy(s.buf, s.buf[keep:])]
		s.base += int64(keep)
		s.pos -= keep
	}
	for empty := 0; len(s.buf)-s.pos < n && s.err == nil; {
		got, err := s.src.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+got]
		s.err = err
		if empty++; got > 0 {
			empty = 0
		} else if err == nil && empty == 100 {
			s.err = io.ErrNoProgress
		}
	}
	if s.err != nil && !errors.Is(s.err, io.EOF) && len(s.buf)-s.pos < n {
		panic(stop{fmt.Errorf("%s: %w", s.file, s.err)})
	}
	return len(s.buf)-s.pos >= n
}

// blank skips white space.
func (s *scanner) blank() {
	for {
		switch s.peek() {
		case '\n':
			s.pos++
			s.newLine()
		case ' ', '\t', '\r':
			s.pos++
		default:
			return
		}
	}
}

// step takes one byte inside a string or a text that is passed over.
func (s *scanner) step() byte {
	c := s.buf[s.pos]
	s.pos++
	if c&0xC0 == 0x80 {
		s.joined++
	} else if c == '\n' {
		s.newLine()
	}
	return c
}

func (s *scanner) newLine() {
	s.line++
	s.lineStart = s.base + int64(s.pos)
	s.joined = 0
}

// here is the position of the current byte.
func (s *scanner) here() Position {
	at := s.base + int64(s.pos)
	return Position{Line: s.line, Column: int(at-s.lineStart) - s.joined + 1, Offset: at}
}

// A mark is a place to which rewind can return.
type mark struct {
	offset int64
	joined int
}

// mark remembers the current byte.
func (s *scanner) mark() mark { return mark{s.base + int64(s.pos), s.joined} }

// rewind goes back to a mark on the same line, for a message, if it is near enough.
func (s *scanner) rewind(m mark) {
	if i := m.offset - s.base; i >= 0 {
		s.pos, s.joined = int(i), m.joined
	}
}

// skipTo moves to an offset that lies ahead.
func (s *scanner) skipTo(offset int64) {
	for s.base+int64(s.pos) < offset && !s.atEnd() {
		s.step()
	}
}

// stop carries an error up to guarded.
type stop struct{ err error }

// guarded runs f and returns the error that it stopped with.
func guarded(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stop:
			err = r.err
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// fail stops with an error at the current byte.
func (s *scanner) fail(code, variable, format string, args ...any) {
	panic(stop{s.errorHere(code, variable, format, args...)})
}

// errorHere makes an error at the current byte, with the line around it.
func (s *scanner) errorHere(code, variable, format string, args ...any) *Error {
	e := &Error{File: s.file, Pos: s.here(), Code: code, Variable: variable, Message: fmt.Sprintf(format, args...)}
	s.more(shownAfter + 1)
	first := max(0, s.pos-keptBefore, int(s.lineStart-s.base))
	before := s.buf[first:s.pos]
	after := s.buf[s.pos:min(len(s.buf), s.pos+shownAfter+1)]
	cutAfter := len(after) > shownAfter
	after = after[:min(len(after), shownAfter)]
	if i := bytes.IndexByte(after, '\n'); i >= 0 {
		after, cutAfter = bytes.TrimSuffix(after[:i], []byte("\r")), false
	}
	e.excerpt(before, after, s.base+int64(first) > s.lineStart, cutAfter)
	return e
}

// expect takes one byte of punctuation.
func (s *scanner) expect(c byte, variable, what string) {
	s.blank()
	if s.peek() != c || s.atEnd() {
		s.fail("json-syntax", variable, "expected %s, found %s", what, s.found())
	}
	s.pos++
}

// found says in words what stands at the current byte.
func (s *scanner) found() string {
	if s.atEnd() {
		return "the end of the file"
	}
	switch c := s.peek(); {
	case c == '[':
		return "an array"
	case c == '{':
		return "an object"
	case c == '"':
		s.more(30)
		if i := bytes.IndexByte(s.buf[s.pos+1:], '"'); i >= 0 && i < 28 {
			return show(s.buf[s.pos : s.pos+i+2])
		}
		return "a string"
	case wordByte(c):
		s.more(30)
		n := 0
		for s.pos+n < len(s.buf) && n < 30 && wordByte(s.buf[s.pos+n]) {
			n++
		}
		return show(s.buf[s.pos : s.pos+n])
	case c < ' ' || c == 0x7f:
		return fmt.Sprintf("the control character %#02x", c)
	case c < 0x80:
		return fmt.Sprintf("%q", rune(c))
	}
	return "a character that is not JSON"
}

func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '.' || c == '-' || c == '+'
}
