package data

// This file reads strings and numbers.

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// maxString is the most bytes of a key or a string; no name is longer.
const maxString = 1 << 16

// text reads a string in quotes.
func (s *scanner) text(variable string) string {
	start := s.here()
	s.pos++ // the opening quote
	var out []byte
	for {
		switch {
		case s.atEnd():
			s.fail("json-syntax", variable, "the string that starts at line %d, column %d has no end", start.Line, start.Column)
		case s.peek() == '"':
			s.pos++
			return string(out)
		case s.peek() == '\\':
			s.pos++
			out = s.escape(out, variable)
		case s.peek() < ' ':
			s.fail("json-syntax", variable, "a string must not hold %s", s.found())
		default:
			out = append(out, s.step())
		}
		if len(out) > maxString {
			s.fail("json-syntax", variable, "a string of more than %d bytes", maxString)
		}
	}
}

// escape reads what follows a backslash.
func (s *scanner) escape(out []byte, variable string) []byte {
	if s.atEnd() {
		return out
	}
	c := s.peek()
	plain := map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}
	if to, ok := plain[c]; ok {
		s.pos++
		return append(out, to)
	}
	if c != 'u' {
		s.fail("json-syntax", variable, "an escape that JSON does not have: %s after a backslash", s.found())
	}
	s.pos++
	r := s.hex(variable)
	if utf16.IsSurrogate(r) {
		if s.more(2) && s.buf[s.pos] == '\\' && s.buf[s.pos+1] == 'u' {
			s.pos += 2
			r = utf16.DecodeRune(r, s.hex(variable))
		} else {
			r = utf8.RuneError
		}
	}
	return utf8.AppendRune(out, r)
}

// hex reads the four digits of an escape.
func (s *scanner) hex(variable string) rune {
	if !s.more(4) {
		s.fail("json-syntax", variable, "the file ends inside an escape")
	}
	n, err := strconv.ParseUint(string(s.buf[s.pos:s.pos+4]), 16, 32)
	if err != nil {
		s.fail("json-syntax", variable, "\\u must be followed by four hexadecimal digits")
	}
	s.pos += 4
	return rune(n)
}

// special holds the numbers that are written as words, in strings or bare.
var special = map[string]float64{
	"NaN": math.NaN(), "Inf": math.Inf(1), "+Inf": math.Inf(1), "-Inf": math.Inf(-1),
	"Infinity": math.Inf(1), "+Infinity": math.Inf(1), "-Infinity": math.Inf(-1),
}

// number reads a number in any of its forms. whole says that it was written as an
// integer.
func (s *scanner) number(variable string) (x float64, whole bool) {
	switch c := s.peek(); {
	case c >= '0' && c <= '9', c == '-':
		return s.digits(variable)
	case c == '"':
		return s.quoted(variable), false
	case c == 'N', c == 'I':
		return s.bare(variable), false
	}
	s.fail(codeOf(s.peek()), variable, "expected a number or an array, found %s", s.found())
	return 0, false
}

// codeOf tells a value of the wrong kind from something that is no JSON.
func codeOf(c byte) string {
	switch c {
	case 't', 'f', 'n', '{', '[', '"':
		return "data-type"
	}
	return "json-syntax"
}

// quoted reads "NaN" and its like.
func (s *scanner) quoted(variable string) float64 {
	start := s.mark()
	x, ok := special[s.text(variable)]
	if !ok {
		s.rewind(start)
		s.fail("data-type", variable, `expected a number, found %s; of strings only "NaN", "Inf" and "-Inf" are numbers`, s.found())
	}
	return x
}

// bare reads NaN, Infinity and -Infinity.
func (s *scanner) bare(variable string) float64 {
	for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
		n := len(word)
		if s.more(n) && string(s.buf[s.pos:s.pos+n]) == word && (!s.more(n+1) || !wordByte(s.buf[s.pos+n])) {
			s.pos += n
			return special[word]
		}
	}
	s.fail("json-syntax", variable, "expected a number, found %s", s.found())
	return 0
}

// maxNumber is the most bytes of a number.
const maxNumber = 1 << 12

// digits reads a number in JSON's form. Numbers of at most 15 digits are put together
// here, exactly: both parts of the one multiplication or division are exact.
func (s *scanner) digits(variable string) (float64, bool) {
	if s.peek() == '-' && s.more(2) && s.buf[s.pos+1] == 'I' {
		return s.bare(variable), false
	}
	n := s.length(variable)
	b := s.buf[s.pos : s.pos+n]
	i, mantissa, digits := 0, int64(0), 0
	if b[0] == '-' {
		i = 1
	}
	first := i
	for ; i < n && isDigit(b[i]) && digits < 16; i++ {
		mantissa = mantissa*10 + int64(b[i]-'0')
		digits++
	}
	if i == first || b[first] == '0' && i > first+1 {
		s.fail("json-syntax", variable, "%s is no number of JSON", s.found())
	}
	whole, scale := i == n, 0
	if i < n && b[i] == '.' {
		for i++; i < n && isDigit(b[i]) && digits < 16; i++ {
			mantissa = mantissa*10 + int64(b[i]-'0')
			digits++
			scale++
		}
	}
	if i < n || digits > 15 || b[n-1] == '.' {
		return s.slow(b, variable)
	}
	s.pos += n
	x := float64(mantissa) / pow10[scale]
	if b[0] == '-' && (mantissa != 0 || !whole) { // there is no integer -0
		x = -x
	}
	return x, whole
}

var pow10 = [16]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// length is the number of bytes of the word at the current byte.
func (s *scanner) length(variable string) int {
	for n := 0; ; n++ {
		if s.pos+n >= len(s.buf) && !s.more(n+1) || !wordByte(s.buf[s.pos+n]) {
			return n
		}
		if n > maxNumber {
			s.fail("json-syntax", variable, "a number of more than %d bytes", maxNumber)
		}
	}
}

// slow reads a number with an exponent or many digits.
func (s *scanner) slow(b []byte, variable string) (float64, bool) {
	if !isNumber(b) {
		s.fail("json-syntax", variable, "%s is no number of JSON", s.found())
	}
	x, err := strconv.ParseFloat(string(b), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		s.fail("json-syntax", variable, "%s is no number of JSON", s.found())
	}
	if math.IsInf(x, 0) {
		s.fail("data-type", variable, "%s is too large for a number", s.found())
	}
	if mantissa, _, _ := bytes.Cut(bytes.ToLower(b), []byte("e")); x == 0 && bytes.ContainsAny(mantissa, "123456789") {
		if s.vanished == 0 {
			s.first = Vanished{variable, string(b), s.here()}
		}
		s.vanished++
	}
	s.pos += len(b)
	for _, c := range b {
		if c == '.' || c == 'e' || c == 'E' {
			return x, false
		}
	}
	return x, true
}

// isNumber checks a number against JSON's grammar.
func isNumber(b []byte) bool {
	if len(b) > 0 && b[0] == '-' {
		b = b[1:]
	}
	rest := afterDigits(b)
	if len(rest) == len(b) || b[0] == '0' && len(b)-len(rest) > 1 {
		return false
	}
	if b = rest; len(b) > 0 && b[0] == '.' {
		if rest = afterDigits(b[1:]); len(rest) == len(b)-1 {
			return false
		}
		b = rest
	}
	if len(b) == 0 {
		return true
	}
	if b[0] != 'e' && b[0] != 'E' {
		return false
	}
	if b = b[1:]; len(b) > 0 && (b[0] == '+' || b[0] == '-') {
		b = b[1:]
	}
	return len(b) > 0 && len(afterDigits(b)) == 0
}

func afterDigits(b []byte) []byte {
	for len(b) > 0 && isDigit(b[0]) {
		b = b[1:]
	}
	return b
}
