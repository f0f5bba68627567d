package parser

// This file reads the tokens one by one, reports errors, and goes on after them.

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

// A cursor stands before one of the tokens and collects problems.
type cursor struct {
	toks    []token
	pos     int
	bailed  bool // since the last error: every token reads as none
	ended   bool // the end of the file was reported as too early
	stopped bool // maxProblems is reached
	depth   int
	// unclosedAt is the token that showed that a "{" has no "}"; one report does for all.
	unclosedAt int
	problems   *problem.List
}

// tok is the current token, whatever went wrong before.
func (c *cursor) tok() token { return c.toks[c.pos] }

// last is the token before the current one.
func (c *cursor) last() token { return c.toks[max(c.pos-1, 0)] }

// kind is the current token's kind, or none after an error.
func (c *cursor) kind() kind {
	if c.bailed {
		return none
	}
	return c.toks[c.pos].kind
}

// peek is the kind n tokens on; a hint for messages and contextual keywords.
func (c *cursor) peek(n int) kind {
	if c.bailed || c.pos+n >= len(c.toks) {
		return none
	}
	return c.toks[c.pos+n].kind
}

// is reports whether the current token is the given word in the place of a keyword.
func (c *cursor) is(word string) bool {
	return (c.kind() == ident || c.kind() == reserved) && c.tok().text() == word
}

// next takes the current token; the end of the file stays.
func (c *cursor) next() token {
	t := c.toks[c.pos]
	if t.kind != eof {
		c.pos++
	}
	return t
}

func (c *cursor) accept(k kind) bool {
	if c.kind() != k {
		return false
	}
	c.next()
	return true
}

// closing takes the token of kind k that ends what began with the token open; before
// says what may stand before it.
func (c *cursor) closing(k kind, open token, before string) {
	if c.accept(k) {
		return
	}
	expected := quoted(spelling[k])
	if before != "" {
		expected += ` or "," after ` + before
	}
	missing := k
	if before != "" && c.beginsItem() && !newlineBetween(gapBetween(c.last(), c.tok())) {
		missing = comma
	}
	q := c.unexpected(expected)
	q.Help = "add " + quoted(spelling[missing])
	if newlineBetween(gapBetween(open, c.tok())) {
		q.Notes = note(open, quoted(spelling[open.kind])+" is here")
	}
}

// beginsItem reports whether the current token begins a further member of a list: a value or a bound.
func (c *cursor) beginsItem() bool {
	switch c.kind() {
	case ident, intLit, realLit, kwLower, kwUpper, kwOffset, kwMultiplier:
		return true
	}
	return false
}

// expect takes a token of kind k or reports that it is missing; after says behind
// what it was expected.
func (c *cursor) expect(k kind, after string) bool {
	if c.accept(k) {
		return true
	}
	c.unexpected(quoted(spelling[k]) + " " + after).Help = "add " + quoted(spelling[k])
	return false
}

// from is the span from the token with index start to the last one taken.
func (c *cursor) from(start int) source.Span {
	if c.pos <= start {
		return c.toks[start].span()
	}
	return c.toks[start].span().To(c.last().span())
}

// fail reports an error and makes the rest of the statement silent. The problem it
// returns takes notes and help; after an earlier error it goes nowhere.
func (c *cursor) fail(code string, where source.Span, format string, args ...any) *problem.Problem {
	if c.bailed || c.stopped || c.tok().kind == broken {
		c.bailed = true // said already: here, or by the scanner
		return &problem.Problem{}
	}
	c.bailed = true
	return c.report(code, where, format, args...)
}

// report adds an error after which parsing goes on as if nothing had happened.
func (c *cursor) report(code string, where source.Span, format string, args ...any) *problem.Problem {
	if c.problems.Len() >= maxProblems {
		c.stopped, c.bailed = true, true
		return &problem.Problem{}
	}
	return c.problems.Errorf(code, where, format, args...)
}

// unexpected reports that something else than the current token was expected. The
// help is a general one, for callers that know no better.
func (c *cursor) unexpected(expected string) *problem.Problem {
	t := c.tok()
	if t.kind == eof {
		return c.tooEarly(expected)
	}
	q := c.fail(codeSyntax, t.span(), "expected %s, found %s", expected, t.describe())
	q.Help = "write what is expected before " + quoted(shorten(t.text())) + ", or remove that"
	return q
}

// tooEarly reports the end of the file, once: all that is open ends there.
func (c *cursor) tooEarly(expected string) *problem.Problem {
	if c.ended {
		c.bailed = true
		return &problem.Problem{}
	}
	c.ended = !c.bailed
	end := c.last()
	q := c.fail(codeEnd, source.Span{File: end.file, Start: end.end, End: end.end}, "expected %s, found the end of the file", expected)
	q.Help = "the text ends too early: add " + expected
	return q
}

func (c *cursor) expectEnd(of string) {
	if k := c.kind(); k != eof && k != none {
		c.fail(codeSyntax, c.tok().span(), "expected the end of %s, found %s", of, c.tok().describe()).
			Help = "remove what follows " + of
	}
}

// enter counts one level of nesting; where it says false the caller returns at once.
// Each enter has its leave.
func (c *cursor) enter() bool {
	c.depth++
	if c.depth <= maxDepth {
		return true
	}
	c.fail(codeDepth, c.tok().span(), "more than %d levels of nesting", maxDepth).
		Help = "give a part a name of its own"
	c.stopped = true // what follows would only repeat it
	return false
}

func (c *cursor) leave() { c.depth-- }

// startsLine reports whether the current token is the first on its line.
func (c *cursor) startsLine() bool {
	return c.pos == 0 || newlineBetween(gapBetween(c.last(), c.tok()))
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
func (c *cursor) recover(start int) {
	if c.stopped {
		c.pos = len(c.toks) - 1
		return
	}
	c.bailed = false
	if c.tok().kind == eof {
		return
	}
	outer := c.openBraces(start)     // of array literals that the error is inside of
	byLine := c.tok().kind == broken // a string without an end took the line's ";" with it
	for depth := outer; ; c.next() {
		switch k := c.tok().kind; {
		case k == eof, c.pos > start && c.atBlock():
			return
		case k == lbrace:
			depth++
		case k == rbrace:
			depth--
			if depth < 0 {
				return
			}
			if depth == outer {
				c.next()
				return
			}
			outer = min(outer, depth)
		case depth > outer:
		case k == semi:
			c.next()
			return
		case c.pos > start && c.startsLine() && (byLine || startsStatement(k)):
			return
		}
	}
}

func (c *cursor) openBraces(start int) int {
	n := 0
	for _, t := range c.toks[start:c.pos] {
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
func (c *cursor) recoverHead(open int) bool {
	if !c.bailed {
		return true
	}
	if c.toks[open].kind != lparen {
		return false
	}
	depth := 0
	for i := open; ; i++ {
		switch c.toks[i].kind {
		case lparen:
			depth++
		case rparen:
			depth--
		case eof, lbrace, rbrace:
			return false
		case semi:
			if next := c.toks[i+1]; next.kind == eof || newlineBetween(gapBetween(c.toks[i], next)) {
				return false // at a line's end it is no for (;;)
			}
		}
		if depth == 0 && i >= c.pos {
			c.pos, c.bailed = i+1, c.stopped
			return !c.stopped
		}
		if depth == 0 {
			return false
		}
	}
}

// name takes a name; what says what it names.
func (c *cursor) name(what string) *ast.Ident {
	t := c.tok()
	switch {
	case c.kind() == ident:
		c.next()
		return &ast.Ident{Loc: t.span(), Name: t.text()}
	case c.kind() == reserved || c.kind().isKeyword():
		c.fail(codeReserved, t.span(), "expected %s, found the keyword %s, which cannot be a name", what, quoted(t.text())).
			Help = fmt.Sprintf("choose another name, such as %s_", t.text())
	default:
		c.unexpected(what)
	}
	return &ast.Ident{Loc: t.span()}
}

// newName takes a name that is declared here: such a name may not end in "__". A
// keyword in a name's place is taken as the name, so that the declaration is read.
func (c *cursor) newName(what string) *ast.Ident {
	if k := c.kind(); k == reserved || k.isKeyword() {
		switch c.peek(1) {
		case semi, comma, assign, lparen, rparen, lbrack, kwIn:
			t := c.next()
			c.report(codeReserved, t.span(), "the keyword %s cannot be a name", quoted(t.text())).
				Help = fmt.Sprintf("choose another name, such as %s_", t.text())
			return &ast.Ident{Loc: t.span(), Name: t.text()}
		}
	}
	id := c.name(what)
	if n := len(id.Name); n > 2 && id.Name[n-2:] == "__" {
		c.report(codeName, id.Loc, "the name %s ends in two underscores", quoted(id.Name)).
			Help = "names that end in __ are kept for the output; remove the underscores at the end"
	}
	return id
}

func note(at token, message string) []problem.Note {
	return []problem.Note{{Span: at.span(), Message: message}}
}

// atBlock reports whether a block's head, "{" included, stands here.
func (c *cursor) atBlock() bool {
	switch c.kind() {
	case kwFunctions, kwData, kwParameters, kwModel:
		return c.peek(1) == lbrace
	case kwTransformed:
		return (c.peek(1) == kwData || c.peek(1) == kwParameters) && c.peek(2) == lbrace
	case kwGenerated:
		return c.peek(1) == kwQuantities && c.peek(2) == lbrace
	case ident:
		return c.peek(1) == lbrace && (c.is("simulate") || c.is("inference"))
	}
	return false
}
