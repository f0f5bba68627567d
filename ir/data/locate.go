package data

// This file finds single numbers again in a text that was read, for messages.

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ErrorAt makes an error about an element of v: index counts from 0 and follows v's
// Dims (a complex number is one element of its own two numbers); without an index the
// error is about the whole value.
func (s *Set) ErrorAt(v *Value, index []int, code, format string, args ...any) error {
	element := -1
	if len(index) > 0 {
		element = flat(v.Dims, index)
	}
	e, _ := s.locate(v, element)
	e.Code, e.Variable, e.Message = code, indexed(v.Name, index), fmt.Sprintf(format, args...)
	return e
}

// elementPath are indices and fields behind a variable's name, as messages write them: "[2, 1]", "[2].1[3]".
var elementPath = regexp.MustCompile(`^(?:\[\d+(?:, ?\d+)*\]|\.\d+)*`)

// ErrorAtElement makes an error about the element of v that a text names, which begins with v's name and its indices, such as
// "x[2] is -1"; where it names none, about all of v.
func (s *Set) ErrorAtElement(v *Value, text, code, format string, args ...any) error {
	for {
		p, ok := v.from.(setPlace)
		if !ok {
			break
		}
		s, v = p.set, p.value
	}
	path := elementPath.FindString(strings.TrimPrefix(text, v.Name))
	whole := v.Name + path
	var index []int
	for path != "" && v != nil {
		var step string
		if path[0] == '[' {
			step, path, _ = strings.Cut(path[1:], "]")
			for number := range strings.SplitSeq(step, ",") {
				i, _ := strconv.Atoi(strings.TrimSpace(number)) // digits, by the pattern
				index = append(index, i-1)
			}
			continue
		}
		end := 1 + len(path[1:]) - len(strings.TrimLeft(path[1:], "0123456789"))
		step, path = path[1:end], path[end:]
		if v.Elems != nil {
			v = v.Elems[flat(v.Dims, index)]
		}
		v, index = v.Fields[step], nil
	}
	e := &Error{File: s.File}
	if v != nil {
		errors.As(s.ErrorAt(v, index, "", ""), &e)
	}
	e.Code, e.Variable, e.Message = code, whole, fmt.Sprintf(format, args...)
	return e
}

// flat is the place in the order written; sizes beyond the index count as its first.
func flat(dims, index []int) int {
	k := 0
	for i, d := range dims {
		k *= d
		if i < len(index) {
			k += index[i]
		}
	}
	return k
}

// unflat is the index of the k-th number.
func unflat(dims []int, k int) []int {
	index := make([]int, len(dims))
	for i := len(dims) - 1; i >= 0; i-- {
		index[i] = k % dims[i]
		k /= dims[i]
	}
	return index
}

// locate makes an error that stands at the k-th number of v, or at its start where k
// is negative, and returns the text of what stands there; empty where the text is gone.
func (s *Set) locate(v *Value, k int) (e *Error, written string) {
	if v.from != nil {
		return v.from.locate(k)
	}
	e = &Error{File: s.File, Pos: v.Pos}
	if s.reopen == nil || v.Pos.Line == 0 {
		return e, ""
	}
	r, err := s.reopen()
	if err != nil {
		return e, ""
	}
	defer r.Close()
	// Where the text has changed since it was read, the plain place must do.
	_ = guarded(func() {
		sc := newScanner(r, s.File)
		sc.skipTo(v.Pos.Offset)
		if k >= 0 {
			sc.skipNumbers(k)
			written = sc.found()
		}
		e = sc.errorHere("", "", "")
	})
	return e, written
}

// skipNumbers moves to the number that n others precede.
func (s *scanner) skipNumbers(n int) {
	for !s.atEnd() {
		switch c := s.peek(); {
		case c == '"' || wordByte(c):
			if n == 0 {
				return
			}
			n--
			if c == '"' {
				s.text("")
			} else {
				s.pos += s.length("")
			}
		default:
			s.step()
		}
	}
}
