package parser

// This file turns text into tokens, follows #include, and collects comments.

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// A scanner reads one file and those that it includes into one run of tokens.
// Its tables of characters are plain switches: there is nothing to build.
type scanner struct {
	includes func(name string) (*source.File, error)
	tokens   []token
	comments []ast.Comment
	problems problem.List
	open     []*source.File // the files being read, outermost first
	included int            // bytes of included text so far
	files    int            // included files so far

	libraries map[string]bool              // .stanfunctions files that are included already
	private   map[*source.File]source.Span // where files whose text is not shown were included from
}

// scan reads a whole program; the last token is always eof.
func (s *scanner) scan(file *source.File) {
	s.tokens = make([]token, 0, len(file.Text)/3+8)
	s.file(file)
	s.tokens = append(s.tokens, token{file: file, start: len(file.Text), end: len(file.Text), kind: eof})
}

func (s *scanner) file(f *source.File) {
	s.open = append(s.open, f)
	pos := 0
	if strings.HasPrefix(f.Text, "\ufeff") {
		pos = len("\ufeff")
	}
	if i := bareReturn(f.Text); i >= 0 {
		s.problems.Errorf(codeLineEnds, source.Span{File: f, Start: i, End: i + 1}, "the lines end with carriage returns alone, which end no line here").
			Help = `save the file with line feeds, as by tr '\r' '\n'`
		pos = len(f.Text)
	}
	for pos < len(f.Text) {
		pos = s.next(f, pos)
	}
	s.open = s.open[:len(s.open)-1]
}

// bareReturn is the first carriage return of a text that ends most of its lines by them alone,
// as old Macintoshes did; -1 for other texts.
func bareReturn(text string) int {
	returns := strings.Count(text, "\r") - strings.Count(text, "\r\n")
	if returns <= strings.Count(text, "\n") || returns == 1 && strings.HasSuffix(text, "\r") {
		return -1
	}
	for i := range len(text) {
		if text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			return i
		}
	}
	return -1
}

// next reads what begins at pos, which may be white space, and returns the place
// after it.
func (s *scanner) next(f *source.File, pos int) int {
	c := f.Text[pos]
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
		return pos + 1
	case isLetter(c) || c == '_' || c >= utf8.RuneSelf:
		return s.word(f, pos)
	case isDigit(c) || c == '.' && pos+1 < len(f.Text) && isDigit(f.Text[pos+1]):
		return s.number(f, pos)
	case c == '"':
		return s.str(f, pos)
	case c == '#':
		return s.hash(f, pos)
	case strings.HasPrefix(f.Text[pos:], "//"):
		end := lineEnd(f.Text, pos)
		s.comment(f, pos, end)
		return end
	case strings.HasPrefix(f.Text[pos:], "/*"):
		return s.blockComment(f, pos)
	}
	k, n := operator(f.Text[pos:])
	if c == '.' && k == none {
		help := "names have no points: write _ instead; a tuple's field is a number, as in x.1"
		if pos > 0 && f.Text[pos-1] == '.' {
			help = "a range is written with a colon, as in 1:N"
		}
		s.problems.Errorf(codeCharacter, source.Span{File: f, Start: pos, End: pos + 1}, `"." is neither an operator nor part of a number`).Help = help
		s.add(f, broken, pos, pos+1)
		return pos + 1
	}
	if k == none {
		s.problems.Errorf(codeCharacter, source.Span{File: f, Start: pos, End: pos + 1},
			"%s does not belong to the language", shown(rune(c))).Help = "remove it"
		return pos + 1
	}
	s.add(f, k, pos, pos+n)
	return pos + n
}

func (s *scanner) add(f *source.File, k kind, start, end int) {
	s.tokens = append(s.tokens, token{file: f, start: start, end: end, kind: k})
}

func (s *scanner) comment(f *source.File, start, end int) {
	s.comments = append(s.comments, ast.Comment{
		Loc: source.Span{File: f, Start: start, End: end}, Text: f.Text[start:end]})
}

// operator returns the longest operator at the start of text.
func operator(text string) (kind, int) {
	if len(text) >= 3 {
		switch text[:3] {
		case "%/%":
			return intDivide, 3
		case ".*=":
			return eltTimesAssign, 3
		case "./=":
			return eltDivideAssign, 3
		}
	}
	if len(text) >= 2 {
		if k := pair(text[0], text[1]); k != none {
			return k, 2
		}
	}
	return single(text[0]), 1
}

func pair(a, b byte) kind {
	switch [2]byte{a, b} {
	case [2]byte{'.', '^'}:
		return eltPow
	case [2]byte{'.', '*'}:
		return eltTimes
	case [2]byte{'.', '/'}:
		return eltDivide
	case [2]byte{'|', '|'}:
		return or
	case [2]byte{'&', '&'}:
		return and
	case [2]byte{'=', '='}:
		return equals
	case [2]byte{'!', '='}:
		return notEquals
	case [2]byte{'<', '='}:
		return lessEq
	case [2]byte{'>', '='}:
		return greaterEq
	case [2]byte{'+', '='}:
		return plusAssign
	case [2]byte{'-', '='}:
		return minusAssign
	case [2]byte{'*', '='}:
		return timesAssign
	case [2]byte{'/', '='}:
		return divideAssign
	}
	return none
}

func single(c byte) kind {
	switch c {
	case '{':
		return lbrace
	case '}':
		return rbrace
	case '(':
		return lparen
	case ')':
		return rparen
	case '[':
		return lbrack
	case ']':
		return rbrack
	case ',':
		return comma
	case ';':
		return semi
	case '|':
		return bar
	case '?':
		return question
	case ':':
		return colon
	case '@':
		return at
	case '!':
		return bang
	case '-':
		return minus
	case '+':
		return plus
	case '^':
		return hat
	case '\'':
		return quote
	case '*':
		return times
	case '/':
		return divide
	case '%':
		return modulo
	case '\\':
		return leftDivide
	case '<':
		return less
	case '>':
		return greater
	case '~':
		return tilde
	case '=':
		return assign
	}
	return none
}

// word reads a name, a keyword, or a run of letters that no name may have.
func (s *scanner) word(f *source.File, start int) int {
	end := start
	foreign := false
	for end < len(f.Text) {
		c := f.Text[end]
		if isLetter(c) || isDigit(c) || c == '_' {
			end++
			continue
		}
		if c < utf8.RuneSelf {
			break
		}
		r, n := utf8.DecodeRuneInString(f.Text[end:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			break
		}
		foreign = true
		end += n
	}
	if end == start {
		return s.foreignCharacter(f, start)
	}
	text := f.Text[start:end]
	if foreign {
		s.problems.Errorf(codeCharacter, source.Span{File: f, Start: start, End: end},
			"the name %s has letters other than a-z and A-Z", quoted(text)).
			Help = "write names with the letters a-z and A-Z, digits and _"
	} else if text[0] == '_' {
		s.problems.Errorf(codeName, source.Span{File: f, Start: start, End: end},
			"the name %s begins with an underscore", quoted(text)).Help = "begin names with a letter"
	}
	if k, ok := words[text]; ok {
		s.add(f, k, start, end)
	} else {
		s.add(f, ident, start, end)
	}
	return end
}

// lookalikes are characters that word processors put for an operator.
var lookalikes = map[rune]string{'−': "-", '–': "-", '—': "-", '×': "*", '·': "*", '÷': "/", '≤': "<=", '≥': ">=",
	'≠': "!=", '’': "'", '‘': "'", '′': "'", '“': `"`, '”': `"`, '∼': "~", '˜': "~", '；': ";", '，': ",", '（': "(", '）': ")"}

// shown returns a character as messages show it; one that cannot be seen, or that a
// terminal would obey, by its number.
func shown(r rune) string {
	if !unicode.IsPrint(r) {
		return fmt.Sprintf("the character %U", r)
	}
	return quoted(string(r))
}

func (s *scanner) foreignCharacter(f *source.File, pos int) int {
	r, n := utf8.DecodeRuneInString(f.Text[pos:])
	if unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' {
		return pos + n // a foreign kind of white space harms nobody
	}
	at := source.Span{File: f, Start: pos, End: pos + n}
	if r == utf8.RuneError && n == 1 {
		s.problems.Errorf(codeCharacter, at, "the byte 0x%02x is not UTF-8 text", f.Text[pos]).
			Help = "save the file as UTF-8"
		return pos + n
	}
	p := s.problems.Errorf(codeCharacter, at, "%s does not belong to the language", shown(r))
	p.Help = "remove it"
	if ascii, ok := lookalikes[r]; ok {
		p.Help = "write " + ascii + " instead"
		if k, _ := operator(ascii); k != none {
			s.add(f, k, pos, pos+n)
		}
	}
	return pos + n
}

// number reads an integer, a real or an imaginary number, in the forms of the
// reference manual's INTNUMERAL, REALNUMERAL, DOTNUMERAL and IMAGNUMERAL.
func (s *scanner) number(f *source.File, start int) int {
	text := f.Text
	k := intLit
	end := digits(text, start)
	if end < len(text) && text[end] == '.' {
		k = realLit
		if end == start {
			k = dotInt
		}
		end = digits(text, end+1)
	}
	if e := exponent(text, end); e > end {
		k, end = realLit, e
	}
	if end < len(text) && text[end] == 'i' && (end+1 == len(text) || !isWordByte(text[end+1])) {
		k = imagLit
		end++
	}
	if end < len(text) && (isWordByte(text[end]) || k != dotInt && secondPoint(text, end)) {
		return s.badNumber(f, start, end)
	}
	s.add(f, k, start, end)
	return end
}

// secondPoint reports whether a point and a digit follow at pos: after a name they are a
// tuple's field, after a number they are nothing.
func secondPoint(text string, pos int) bool {
	return pos+1 < len(text) && text[pos] == '.' && isDigit(text[pos+1])
}

func (s *scanner) badNumber(f *source.File, start, end int) int {
	letters := end
	for end < len(f.Text) && (isWordByte(f.Text[end]) || secondPoint(f.Text, end)) {
		end++
	}
	p := s.problems.Errorf(codeNumber, source.Span{File: f, Start: start, End: end},
		"%s is neither a number nor a name", quoted(shorten(f.Text[start:end])))
	p.Help = "begin names with a letter; to multiply write " + f.Text[start:letters] + " * " + f.Text[letters:end]
	switch f.Text[letters] {
	case '_':
		p.Help = "put an underscore only between digits, as in 1_000"
	case '.':
		p.Help = "a number has one decimal point at most"
	case 'e', 'E':
		p.Help = "write digits behind the e, as in 1e-3"
	}
	s.add(f, ident, start, end)
	return end
}

// digits returns the end of a run of digits with single underscores inside.
func digits(text string, pos int) int {
	for pos < len(text) && (isDigit(text[pos]) ||
		text[pos] == '_' && pos > 0 && isDigit(text[pos-1]) && pos+1 < len(text) && isDigit(text[pos+1])) {
		pos++
	}
	return pos
}

// exponent returns the end of an exponent at pos, or pos where there is none.
func exponent(text string, pos int) int {
	if pos >= len(text) || text[pos] != 'e' && text[pos] != 'E' {
		return pos
	}
	i := pos + 1
	if i < len(text) && (text[i] == '+' || text[i] == '-') {
		i++
	}
	if i >= len(text) || !isDigit(text[i]) {
		return pos
	}
	return digits(text, i)
}

// str reads a string; strings end on their line and have no escapes.
func (s *scanner) str(f *source.File, start int) int {
	end := start + 1
	for end < len(f.Text) && f.Text[end] != '"' && f.Text[end] != '\n' && f.Text[end] != '\r' {
		end++
	}
	if end < len(f.Text) && f.Text[end] == '"' {
		end++
		s.add(f, stringLit, start, end)
		return end
	}
	s.problems.Errorf(codeString, source.Span{File: f, Start: start, End: end},
		"the string does not end on its line").Help = `close it with "`
	s.add(f, broken, start, end)
	return end
}

func (s *scanner) blockComment(f *source.File, start int) int {
	n := strings.Index(f.Text[start+2:], "*/")
	if n < 0 {
		s.problems.Errorf(codeComment, source.Span{File: f, Start: start, End: start + 2},
			"the comment has no end").Help = "close it with */"
		s.comment(f, start, len(f.Text))
		return len(f.Text)
	}
	end := start + 2 + n + 2
	s.comment(f, start, end)
	return end
}

func lineEnd(text string, pos int) int {
	n := strings.IndexByte(text[pos:], '\n')
	if n < 0 {
		return len(text)
	}
	return pos + len(strings.TrimSuffix(text[pos:pos+n], "\r"))
}

func isLetter(c byte) bool   { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool    { return c >= '0' && c <= '9' }
func isWordByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }
