package parser

// This file parses statements, dispatched on their first token.

import (
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// statements parses one statement or declaration, appends what it gives to dst, and
// recovers from its errors. It takes a token at least.
func (p *parser) statements(dst []ast.Stmt) []ast.Stmt {
	start, n := p.pos, len(dst)
	if !p.enter() {
		p.leave()
		p.recover(start)
		return append(dst, &ast.Bad{Loc: p.from(start)})
	}
	defer p.leave()
	dst = p.statement(dst)
	if p.bailed {
		p.recover(start)
		dst = p.keepWhole(dst, n, start)
	}
	if p.pos == start {
		p.next()
	}
	return dst
}

// keepWhole replaces the broken last statement by a Bad; declared names are kept, so
// that later stages know them.
func (p *parser) keepWhole(dst []ast.Stmt, n, start int) []ast.Stmt {
	for _, s := range dst[n:] {
		switch s.(type) {
		case *ast.Decl, *ast.BlockStmt, *ast.Profile, *ast.If, *ast.For, *ast.ForEach, *ast.While:
		default:
			return append(dst[:n], &ast.Bad{Loc: p.from(start)})
		}
	}
	if len(dst) == n {
		return append(dst, &ast.Bad{Loc: p.from(start)})
	}
	return dst
}

func (p *parser) statement(dst []ast.Stmt) []ast.Stmt {
	p.annotations()
	start := p.pos
	switch k := p.kind(); k {
	case semi:
		p.next()
		return append(dst, &ast.Empty{Loc: p.from(start)})
	case lbrace:
		return append(dst, p.blockOrArray())
	case kwIf:
		return append(dst, p.ifStmt())
	case kwFor:
		return append(dst, p.forStmt())
	case kwWhile:
		return append(dst, p.whileStmt())
	case kwReturn:
		return append(dst, p.returnStmt())
	case kwBreak, kwContinue:
		p.next()
		p.endOf(quoted(spelling[k]))
		if k == kwBreak {
			return append(dst, &ast.Break{Loc: p.from(start)})
		}
		return append(dst, &ast.Continue{Loc: p.from(start)})
	case kwPrint, kwReject, kwFatalError:
		return append(dst, p.printStmt(k))
	case kwProfile:
		return append(dst, p.profile())
	case kwTarget:
		if p.peek(1) != lparen {
			return append(dst, p.targetAdd())
		}
	case kwElse:
		p.unexpected("a statement").Help = `this "else" has no "if" directly before it`
		return dst
	default:
		if k.startsType() {
			return p.declaration(dst)
		}
	}
	if p.is("jacobian") && p.peek(1) == plusAssign {
		return append(dst, p.targetAdd())
	}
	return append(dst, p.exprStmt())
}

// endOf takes the ";" at a statement's end. Where the next token is on a new line it
// is reported behind the last one, and the statement is kept.
func (p *parser) endOf(what string) {
	if p.accept(semi) || p.bailed {
		return
	}
	if t := p.tok(); t.kind != eof && (p.startsLine() || t.kind == rbrace) {
		end := p.last()
		p.report(codeSemicolon, source.Span{File: end.file, Start: end.end, End: end.end},
			`expected ";" at the end of %s`, what).Help = `add ";"`
		return
	}
	p.unexpected(`";" at the end of ` + what)
}

// braced parses { statements }.
func (p *parser) braced() []ast.Stmt {
	open := p.next()
	return p.bracedRest(open, nil)
}

func (p *parser) bracedRest(open token, body []ast.Stmt) []ast.Stmt {
	for {
		switch k := p.kind(); {
		case k == rbrace:
			p.next()
			return body
		case k == none, k == eof, p.atBlock():
			p.unclosed(open)
			return body
		}
		body = p.statements(body)
	}
}

// unclosed reports a "{" without its "}".
func (p *parser) unclosed(open token) {
	if p.tok().kind == eof {
		q := p.tooEarly(`"}"`)
		q.Help, q.Notes = `add "}"`, note(open, `the "{" is here`)
		return
	}
	if p.unclosedAt == p.pos {
		p.bailed = true // the braces around it are open as well
		return
	}
	p.unclosedAt = p.pos
	q := p.fail(codeBrace, p.tok().span(), `expected "}", found the start of the block %s`, quoted(p.blockWord()))
	q.Help, q.Notes = `add "}" before it`, note(open, `the "{" is here`)
}

// body parses the statement that an if, for or while governs.
func (p *parser) body() ast.Stmt {
	start := p.pos
	if k := p.kind(); k == rbrace || k == eof || k == none {
		p.unexpected("a statement").Help = `write a statement, or ";" for none`
		return &ast.Bad{Loc: p.from(start)}
	}
	list := p.statements(nil)
	if len(list) == 1 {
		if _, isDecl := list[0].(*ast.Decl); !isDecl {
			return list[0]
		}
	}
	return &ast.BlockStmt{Loc: p.from(start), Body: list} // declarations live in a block of their own
}

func (p *parser) ifStmt() ast.Stmt {
	start := p.pos
	p.next()
	s := &ast.If{Cond: p.condition("if")}
	if p.bailed {
		return &ast.Bad{Loc: p.from(start)}
	}
	s.Then = p.body()
	if p.accept(kwElse) {
		s.Else = p.body()
	}
	s.Loc = p.from(start)
	return s
}

// condition parses ( x ); after an error inside it the body is read all the same.
func (p *parser) condition(word string) ast.Expr {
	open := p.pos
	if !p.expect(lparen, "after "+quoted(word)) {
		return nil
	}
	x := p.expr()
	if p.kind() == assign {
		p.fail(codeSyntax, p.tok().span(), `expected ")", found "="`).Help = `compare with "=="`
	}
	p.expect(rparen, "after the condition")
	p.recoverHead(open)
	return x
}

func (p *parser) whileStmt() ast.Stmt {
	start := p.pos
	p.next()
	s := &ast.While{Cond: p.condition("while")}
	if p.bailed {
		return &ast.Bad{Loc: p.from(start)}
	}
	s.Body = p.body()
	s.Loc = p.from(start)
	return s
}

// forStmt parses for (i in lo:hi) or for (x in xs).
func (p *parser) forStmt() ast.Stmt {
	start := p.pos
	p.next()
	open := p.pos
	p.expect(lparen, `after "for"`)
	if p.kind().startsType() {
		p.unexpected("the loop variable's name").Help = "the loop variable has no type: write for (i in 1:N)"
	}
	v := p.newName("the loop variable's name")
	if p.kind() == assign {
		p.fail(codeSyntax, p.tok().span(), `expected "in", found "="`).Help = "write for (" + v.Name + " in 1:N)"
	}
	p.expect(kwIn, "after the loop variable")
	lo := p.expr()
	var hi ast.Expr
	if p.accept(colon) {
		hi = p.expr()
	}
	p.expect(rparen, "after the loop's range")
	if !p.recoverHead(open) {
		return &ast.Bad{Loc: p.from(start)}
	}
	body := p.body()
	if hi == nil {
		return &ast.ForEach{Loc: p.from(start), Var: v, X: lo, Body: body}
	}
	return &ast.For{Loc: p.from(start), Var: v, Lo: lo, Hi: hi, Body: body}
}

func (p *parser) returnStmt() ast.Stmt {
	start := p.pos
	p.next()
	s := &ast.Return{}
	if k := p.kind(); k != semi && k != rbrace {
		s.X = p.expr()
	}
	p.endOf(`"return"`)
	s.Loc = p.from(start)
	return s
}

func (p *parser) printStmt(k kind) ast.Stmt {
	start := p.pos
	word := quoted(p.next().text())
	s := &ast.Print{Kind: ast.PrintStmt}
	switch k {
	case kwReject:
		s.Kind = ast.RejectStmt
	case kwFatalError:
		s.Kind = ast.FatalStmt
	}
	if p.expect(lparen, "after "+word) {
		open := p.last()
		if p.kind() == rparen {
			p.unexpected("something to print").Help = "write a string or an expression"
		}
		for {
			s.Args = append(s.Args, p.printable())
			if !p.accept(comma) {
				break
			}
		}
		p.closing(rparen, open, "the argument of "+word)
	}
	p.endOf(word)
	s.Loc = p.from(start)
	return s
}

// printable parses a string or an expression.
func (p *parser) printable() ast.Expr {
	if p.kind() != stringLit {
		return p.expr()
	}
	return stringOf(p.next())
}

func stringOf(t token) *ast.StringLit {
	return &ast.StringLit{Loc: t.span(), Value: strings.Trim(t.text(), `"`)}
}

func (p *parser) profile() ast.Stmt {
	start := p.pos
	p.next()
	s := &ast.Profile{}
	p.expect(lparen, `after "profile"`)
	if p.kind() == stringLit {
		s.Name = stringOf(p.next())
	} else {
		p.unexpected("the profile's name in quotes")
	}
	p.expect(rparen, "after the profile's name")
	if p.kind() == lbrace {
		s.Body = p.braced()
	} else {
		p.unexpected(`"{" after the profile's name`)
	}
	s.Loc = p.from(start)
	return s
}

// targetAdd parses target += x and jacobian += x.
func (p *parser) targetAdd() ast.Stmt {
	start := p.pos
	word := p.next()
	if k := p.kind(); k != plusAssign {
		p.unexpected(`"+=" after "target"`).Help = `the log density can only be added to: write "target += x;"`
	}
	p.accept(plusAssign)
	x := p.expr()
	p.endOf("the statement")
	return &ast.TargetAdd{Loc: p.from(start), Jacobian: word.kind != kwTarget, X: x}
}

// blockOrArray parses a local block, or a statement that begins with an array
// literal, as in {a, b} ~ normal(0, 1); which it is shows behind the first element.
func (p *parser) blockOrArray() ast.Stmt {
	start := p.pos
	open := p.next()
	if k := p.kind(); k == rbrace || k == lbrace || !p.kind().startsExpr() {
		body := p.bracedRest(open, nil)
		return &ast.BlockStmt{Loc: p.from(start), Body: body}
	}
	inner := p.pos
	if !p.arrayAhead(start) {
		p.pos = inner
		body := p.bracedRest(open, nil)
		return &ast.BlockStmt{Loc: p.from(start), Body: body}
	}
	p.pos = start
	return p.exprStmt()
}

// arrayAhead reports whether the "{" with index open closes before any ";" and another
// operator than a statement's start follows.
func (p *parser) arrayAhead(open int) bool {
	depth := 0
	const far = 1000 // an array literal at a statement's start is short
	for i := open; i < min(len(p.toks), open+far); i++ {
		switch p.toks[i].kind {
		case lbrace:
			depth++
		case rbrace:
			depth--
			if depth == 0 {
				k := p.toks[min(i+1, len(p.toks)-1)].kind
				return k == tilde || k == lbrack || k == quote || precedence(k) > 0 && k != minus && k != plus
			}
		case semi, eof:
			return false
		}
	}
	return false
}

// startsExpr reports whether an expression may begin with k.
func (k kind) startsExpr() bool {
	switch k {
	case ident, intLit, realLit, dotInt, imagLit, lparen, lbrack, lbrace, minus, plus, bang, kwTarget:
		return true
	}
	return false
}
