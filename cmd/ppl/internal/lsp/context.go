package lsp

// This file says what surrounds a place, from the text alone, for that works while a
// program is being typed and does not parse.

import (
	"slices"
	"strings"
)

// A context is what surrounds a place.
type context struct {
	block   string // such as "transformed data"; empty between blocks
	depth   int    // braces open, the block's own included
	call    call   // the innermost one around the place
	tilde   bool   // the word at the place stands after "~"
	comment bool   // inside a comment, or an #include line
	quoted  bool   // inside a string
	option  string // the name in name = "..., inside that string
	from    int    // where the word at the place begins
}

// A call is one whose parentheses are open around a place.
type call struct {
	name   string // empty for none
	tilde  bool   // it stands after "~"
	before int    // arguments before the place
	option string // the first word of the argument at the place: name, in name = value
}

// A scan reads a text up to a place.
type scan struct {
	text  string
	at    int
	end   int
	open  []bracket
	words []string // since the last bracket or semicolon
	last  byte     // before the present word, white space and comments left out
	ahead byte     // the same of the word before
	found context
}

// A bracket is one that is open, with the word before it.
type bracket struct {
	char  byte
	word  string
	tilde bool   // before the word
	first string // word of the argument or statement that it stands in
	parts int    // separators in it so far
}

// contextAt reads the text before the offset.
func contextAt(text string, offset int) context {
	s := &scan{text: text, end: offset}
	for s.at < s.end {
		s.step()
	}
	c := s.found
	c.from = offset
	for c.from > 0 && isWordByte(text[c.from-1]) {
		c.from--
	}
	c.tilde = s.last == '~'
	for _, b := range s.open {
		if b.char == '{' {
			c.depth++
		}
	}
	c.call = s.call()
	return c
}

// call is the innermost call around the place. What stands in other brackets stands in the
// call, too: no statement does.
func (s *scan) call() call {
	first := s.first()
	for _, b := range slices.Backward(s.open) {
		if b.char == '(' && b.word != "" {
			return call{name: b.word, tilde: b.tilde, before: b.parts, option: first}
		}
		first = b.first
	}
	return call{}
}

// first is the first word of the argument or statement at hand.
func (s *scan) first() string {
	if len(s.words) == 0 {
		return ""
	}
	return s.words[0]
}

// step reads a comment, a string, a word or a character.
func (s *scan) step() {
	rest := s.text[s.at:]
	switch c := rest[0]; {
	case strings.HasPrefix(rest, "//"), c == '#':
		s.found.comment = s.skip("\n", 1)
	case strings.HasPrefix(rest, "/*"):
		s.found.comment = s.skip("*/", 2)
	case c == '"':
		s.found.option = ""
		if s.last == '=' && len(s.words) > 0 {
			s.found.option = s.words[len(s.words)-1]
		}
		s.found.quoted = s.skip(`"`, 1)
	case isWordByte(c):
		s.word()
	case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
		s.at++
	default:
		s.sign(c)
		s.last = c
		s.at++
	}
}

// skip goes behind the next closing text; it reports whether the place comes before that.
func (s *scan) skip(closing string, opening int) (inside bool) {
	n := strings.Index(s.text[min(s.at+opening, len(s.text)):], closing)
	if n < 0 || s.at+opening+n+len(closing) > s.end {
		s.at = s.end
		return true
	}
	s.at += opening + n + len(closing)
	return false
}

// word reads a word. One that goes on to the place is not yet a word.
func (s *scan) word() {
	from := s.at
	for s.at < len(s.text) && isWordByte(s.text[s.at]) {
		s.at++
	}
	if s.at < s.end {
		s.words = append(s.words, s.text[from:s.at])
		s.ahead, s.last = s.last, 'a'
	}
}

// sign follows brackets and the ends of statements.
func (s *scan) sign(c byte) {
	word := ""
	if s.last == 'a' && len(s.words) > 0 {
		word = s.words[len(s.words)-1]
	}
	switch c {
	case '{':
		if len(s.open) == 0 {
			s.found.block = strings.Join(s.words, " ")
		}
		s.open = append(s.open, bracket{char: c, word: word, first: s.first()})
	case '(', '[':
		s.open = append(s.open, bracket{char: c, word: word, tilde: s.ahead == '~', first: s.first()})
	case ')', ']', '}':
		s.closed(c)
	case ',':
		s.part()
	case '|':
		if s.last == '|' || strings.HasPrefix(s.text[s.at+1:], "|") {
			return // an operator
		}
		s.part()
	case ';':
	default:
		return
	}
	s.words = nil
}

// part notes a separator.
func (s *scan) part() {
	if n := len(s.open); n > 0 {
		s.open[n-1].parts++
	}
}

// closed takes the bracket away that a closing one belongs to, and those inside it that
// were left open.
func (s *scan) closed(c byte) {
	opening := map[byte]byte{')': '(', ']': '[', '}': '{'}[c]
	for i, b := range slices.Backward(s.open) {
		if b.char == opening {
			s.open = s.open[:i]
			break
		}
		if b.char == '{' {
			break
		}
	}
	if len(s.open) == 0 {
		s.found.block = ""
	}
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// wordAt is the word around an offset; empty where there is none.
func wordAt(text string, offset int) (word string, from int) {
	from = offset
	for from > 0 && isWordByte(text[from-1]) {
		from--
	}
	to := offset
	for to < len(text) && isWordByte(text[to]) {
		to++
	}
	return text[from:to], from
}
