package parser

// This file holds the parser's state, its errors and how it goes on after them.

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
)

const (
	maxProblems = 50      // reported a run; a list much longer helps nobody
	maxDepth    = 1000    // of nested expressions, statements and types
	maxChain    = 100_000 // operators in one expression: its tree is as deep
)

// A parser reads one run of tokens. It lives for one call of Parse.
type parser struct {
	file    *source.File
	toks    []token
	pos     int
	bailed  bool // since the last error: every token reads as none
	ended   bool // the end of the file was reported as too early
	stopped bool // maxProblems is reached
	depth   int
	// unclosedAt is the token that showed that a "{" has no "}"; one report does for all.
	unclosedAt int
	problems   *problem.List
	private    map[*source.File]source.Span // files whose text is not shown, by where they are included
	comments   []ast.Comment
	variable   string // of a grid, whose value stands at valueAt; empty outside
	valueAt    int
}

func newParser(file *source.File, includes func(string) (*source.File, error)) *parser {
	s := scanner{includes: includes}
	s.scan(file)
	return &parser{file: file, toks: s.tokens, problems: &s.problems, private: s.private, comments: s.comments}
}

// list returns the problems found, at most maxProblems.
func (p *parser) list() *problem.List {
	found := p.shown()
	if found.Len() <= maxProblems {
		return found
	}
	out := &problem.List{}
	for _, q := range found.Sorted()[:maxProblems] {
		out.Add(q)
	}
	return out
}

// tok is the current token, whatever went wrong before.
func (p *parser) tok() token { return p.toks[p.pos] }

// last is the token before the current one.
func (p *parser) last() token { return p.toks[max(p.pos-1, 0)] }

// kind is the current token's kind, or none after an error.
func (p *parser) kind() kind {
	if p.bailed {
		return none
	}
	return p.toks[p.pos].kind
}

// peek is the kind n tokens on; a hint for messages and contextual keywords.
func (p *parser) peek(n int) kind {
	if p.bailed || p.pos+n >= len(p.toks) {
		return none
	}
	return p.toks[p.pos+n].kind
}

// is reports whether the current token is the given word in the place of a keyword.
func (p *parser) is(word string) bool {
	return (p.kind() == ident || p.kind() == reserved) && p.tok().text() == word
}

// next takes the current token; the end of the file stays.
func (p *parser) next() token {
	t := p.toks[p.pos]
	if t.kind != eof {
		p.pos++
	}
	return t
}

func (p *parser) accept(k kind) bool {
	if p.kind() != k {
		return false
	}
	p.next()
	return true
}

// closing takes the token of kind k that ends what began with the token open; before
// says what may stand before it.
func (p *parser) closing(k kind, open token, before string) {
	if p.accept(k) {
		return
	}
	expected := quoted(spelling[k])
	if before != "" {
		expected += ` or "," after ` + before
	}
	missing := k
	if before != "" && p.beginsItem() && !newlineBetween(gapBetween(p.last(), p.tok())) {
		missing = comma
	}
	q := p.unexpected(expected)
	q.Help = "add " + quoted(spelling[missing])
	if newlineBetween(gapBetween(open, p.tok())) {
		q.Notes = note(open, quoted(spelling[open.kind])+" is here")
	}
}

// beginsItem reports whether the current token begins a further member of a list: a value or a bound.
func (p *parser) beginsItem() bool {
	switch p.kind() {
	case ident, intLit, realLit, kwLower, kwUpper, kwOffset, kwMultiplier:
		return true
	}
	return false
}

// expect takes a token of kind k or reports that it is missing; after says behind
// what it was expected.
func (p *parser) expect(k kind, after string) bool {
	if p.accept(k) {
		return true
	}
	p.unexpected(quoted(spelling[k]) + " " + after).Help = "add " + quoted(spelling[k])
	return false
}

// from is the span from the token with index start to the last one taken.
func (p *parser) from(start int) source.Span {
	if p.pos <= start {
		return p.toks[start].span()
	}
	return p.toks[start].span().To(p.last().span())
}

// fail reports an error and makes the rest of the statement silent. The problem it
// returns takes notes and help; after an earlier error it goes nowhere.
func (p *parser) fail(code string, where source.Span, format string, args ...any) *problem.Problem {
	if p.bailed || p.stopped || p.tok().kind == broken {
		p.bailed = true // said already: here, or by the scanner
		return &problem.Problem{}
	}
	p.bailed = true
	return p.report(code, where, format, args...)
}

// report adds an error after which parsing goes on as if nothing had happened.
func (p *parser) report(code string, where source.Span, format string, args ...any) *problem.Problem {
	if p.problems.Len() >= maxProblems {
		p.stopped, p.bailed = true, true
		return &problem.Problem{}
	}
	return p.problems.Errorf(code, where, format, args...)
}

// unexpected reports that something else than the current token was expected. The
// help is a general one, for callers that know no better.
func (p *parser) unexpected(expected string) *problem.Problem {
	t := p.tok()
	if t.kind == eof {
		return p.tooEarly(expected)
	}
	q := p.fail(codeSyntax, t.span(), "expected %s, found %s", expected, t.describe())
	q.Help = "write what is expected before " + quoted(shorten(t.text())) + ", or remove that"
	return q
}

// tooEarly reports the end of the file, once: all that is open ends there.
func (p *parser) tooEarly(expected string) *problem.Problem {
	if p.ended {
		p.bailed = true
		return &problem.Problem{}
	}
	p.ended = !p.bailed
	end := p.last()
	q := p.fail(codeEnd, source.Span{File: end.file, Start: end.end, End: end.end}, "expected %s, found the end of the file", expected)
	q.Help = "the text ends too early: add " + expected
	return q
}

func (p *parser) expectEnd(of string) {
	if k := p.kind(); k != eof && k != none {
		p.fail(codeSyntax, p.tok().span(), "expected the end of %s, found %s", of, p.tok().describe()).
			Help = "remove what follows " + of
	}
}

// enter counts one level of nesting; where it says false the caller returns at once.
// Each enter has its leave.
func (p *parser) enter() bool {
	p.depth++
	if p.depth <= maxDepth {
		return true
	}
	p.fail(codeDepth, p.tok().span(), "more than %d levels of nesting", maxDepth).
		Help = "give a part a name of its own"
	p.stopped = true // what follows would only repeat it
	return false
}

func (p *parser) leave() { p.depth-- }

// startsLine reports whether the current token is the first on its line.
func (p *parser) startsLine() bool {
	return p.pos == 0 || newlineBetween(gapBetween(p.last(), p.tok()))
}

// gapBetween is the text between neighbouring tokens; where they stand in different
// files, a line end.
func gapBetween(a, b token) string {
	if a.file != b.file || b.start < a.end {
		return "\n"
	}
	return a.file.Text[a.end:b.start]
}

func newlineBetween(gap string) bool {
	for i := range len(gap) {
		if gap[i] == '\n' {
			return true
		}
	}
	return false
}

// recover ends the silence after an error. It skips to the end of the statement that
// began at token start: behind its ";" or the "}" of a block that it opened, or before
// a "}" that is not its own, a new block of the program, or a line that begins with a
// statement's keyword.
func (p *parser) recover(start int) {
	if p.stopped {
		p.pos = len(p.toks) - 1
		return
	}
	p.bailed = false
	if p.tok().kind == eof {
		return
	}
	outer := p.openBraces(start)     // of array literals that the error is inside of
	byLine := p.tok().kind == broken // a string without an end took the line's ";" with it
	for depth := outer; ; p.next() {
		switch k := p.tok().kind; {
		case k == eof, p.pos > start && p.atBlock():
			return
		case k == lbrace:
			depth++
		case k == rbrace:
			depth--
			if depth < 0 {
				return
			}
			if depth == outer {
				p.next()
				return
			}
			outer = min(outer, depth)
		case depth > outer:
		case k == semi:
			p.next()
			return
		case p.pos > start && p.startsLine() && (byLine || startsStatement(k)):
			return
		}
	}
}

func (p *parser) openBraces(start int) int {
	n := 0
	for _, t := range p.toks[start:p.pos] {
		switch t.kind {
		case lbrace:
			n++
		case rbrace:
			n = max(n-1, 0)
		}
	}
	return n
}

// startsStatement reports whether a keyword at a line's start is the start of a
// statement, even in the middle of a broken one.
func startsStatement(k kind) bool {
	switch k {
	case kwFor, kwIf, kwWhile, kwReturn, kwBreak, kwContinue, kwPrint, kwReject, kwFatalError, kwProfile, kwVoid:
		return true
	}
	return k.startsType()
}

// recoverHead ends the silence after an error inside the parentheses of an if, for,
// while or a function's head, so that the body is read. It skips behind the ")" that
// belongs to the "(" with index open; where there is none it says false.
func (p *parser) recoverHead(open int) bool {
	if !p.bailed {
		return true
	}
	if p.toks[open].kind != lparen {
		return false
	}
	depth := 0
	for i := open; ; i++ {
		switch p.toks[i].kind {
		case lparen:
			depth++
		case rparen:
			depth--
		case eof, lbrace, rbrace:
			return false
		case semi:
			if next := p.toks[i+1]; next.kind == eof || newlineBetween(gapBetween(p.toks[i], next)) {
				return false // at a line's end it is no for (;;)
			}
		}
		if depth == 0 && i >= p.pos {
			p.pos, p.bailed = i+1, p.stopped
			return !p.stopped
		}
		if depth == 0 {
			return false
		}
	}
}

// name takes a name; what says what it names.
func (p *parser) name(what string) *ast.Ident {
	t := p.tok()
	switch {
	case p.kind() == ident:
		p.next()
		return &ast.Ident{Loc: t.span(), Name: t.text()}
	case p.kind() == reserved || p.kind().isKeyword():
		p.fail(codeReserved, t.span(), "expected %s, found the keyword %s, which cannot be a name", what, quoted(t.text())).
			Help = fmt.Sprintf("choose another name, such as %s_", t.text())
	default:
		p.unexpected(what)
	}
	return &ast.Ident{Loc: t.span()}
}

// newName takes a name that is declared here: such a name may not end in "__". A
// keyword in a name's place is taken as the name, so that the declaration is read.
func (p *parser) newName(what string) *ast.Ident {
	if k := p.kind(); k == reserved || k.isKeyword() {
		switch p.peek(1) {
		case semi, comma, assign, lparen, rparen, lbrack, kwIn:
			t := p.next()
			p.report(codeReserved, t.span(), "the keyword %s cannot be a name", quoted(t.text())).
				Help = fmt.Sprintf("choose another name, such as %s_", t.text())
			return &ast.Ident{Loc: t.span(), Name: t.text()}
		}
	}
	id := p.name(what)
	if n := len(id.Name); n > 2 && id.Name[n-2:] == "__" {
		p.report(codeName, id.Loc, "the name %s ends in two underscores", quoted(id.Name)).
			Help = "names that end in __ are kept for the output; remove the underscores at the end"
	}
	return id
}

func note(at token, message string) []problem.Note {
	return []problem.Note{{Span: at.span(), Message: message}}
}
