package parser

// This file parses the statements that begin with an expression: assignments,
// distribution statements and calls.

import (
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/source"
)

func (p *parser) exprStmt() ast.Stmt {
	start := p.pos
	if p.looksDeclared() {
		p.unknownWord(p.tok().span(), p.tok().text())
		return &ast.Bad{Loc: p.from(start)}
	}
	x := p.expr()
	switch k := p.kind(); k {
	case assign, plusAssign, minusAssign, timesAssign, divideAssign, eltTimesAssign, eltDivideAssign:
		return p.assignment(start, x)
	case tilde:
		return p.sample(start, x)
	case none:
		return &ast.Bad{Loc: p.from(start)}
	}
	if c, ok := x.(*ast.Call); ok {
		return p.callStmt(start, c)
	}
	p.notStatement(x)
	return &ast.Bad{Loc: p.from(start)}
}

func (p *parser) callStmt(start int, c *ast.Call) ast.Stmt {
	if c.Bar {
		p.notStatement(c)
		return &ast.Bad{Loc: p.from(start)}
	}
	if p.oldCallStmt(start, c) {
		return &ast.Bad{Loc: p.from(start)}
	}
	p.endOf("the call")
	return &ast.CallStmt{Loc: p.from(start), Call: c}
}

// looksDeclared reports whether a statement begins with two words, or with a word and
// bounds, as does a declaration with a type that does not exist.
func (p *parser) looksDeclared() bool {
	if p.kind() != ident {
		return false
	}
	switch p.peek(1) {
	case ident:
		return !newlineBetween(gapBetween(p.tok(), p.toks[p.pos+1]))
	case less:
		k := p.peek(2)
		return k == kwLower || k == kwUpper || k == kwOffset || k == kwMultiplier
	}
	return false
}

// unknownWord reports a statement's first word that is neither a type nor a keyword.
func (p *parser) unknownWord(where source.Span, word string) {
	q := p.fail(codeType, where, "%s is neither a type nor a keyword", quoted(word))
	q.Help = "a declaration begins with a type, other statements with a keyword, a variable or a function"
	keywords := []string{"return", "if", "else", "while", "for", "break", "continue", "profile", "print", "reject", "target"}
	if near := nearest(word, append(typeNames(), keywords...)); near != "" {
		q.Help = "did you mean " + quoted(near) + "?"
	}
}

// notStatement reports an expression that does nothing, or a broken statement that
// began with one.
func (p *parser) notStatement(x ast.Expr) {
	if p.oldAssignment(x) {
		return
	}
	t := p.tok()
	if t.kind == eof {
		p.unexpected(`"=", "~" or an operator`)
		return
	}
	if b, ok := x.(*ast.Binary); ok && t.kind == semi && b.Op == "==" {
		p.fail(codeNotStatement, b.OpLoc, "a comparison is not a statement").Help = `assign with "="`
		return
	}
	if i, ok := x.(*ast.Index); ok && t.kind == ident && !p.startsLine() {
		if id, ok := i.X.(*ast.Ident); ok {
			p.unknownWord(id.Loc, id.Name)
			return
		}
	}
	if t.kind == semi || p.startsLine() {
		p.fail(codeNotStatement, x.Span(), "an expression is not a statement").
			Help = `assign it with "=", give it a distribution with "~", or add it with "target +="`
		return
	}
	p.unexpected(`"=", "~" or an operator`)
}

func (p *parser) assignment(start int, lhs ast.Expr) ast.Stmt {
	op := p.next()
	s := &ast.Assign{LHS: lhs, Op: ast.Op(spelling[op.kind])}
	if id, ok := lhs.(*ast.Ident); ok && id.Name == "lp__" {
		p.oldLogProb(id.Loc)
	} else {
		p.assignable(lhs, op)
	}
	s.RHS = p.expr()
	if p.kind() == assign {
		p.fail(codeSyntax, p.tok().span(), `expected ";", found a second "="`).
			Help = `assign to one variable a statement, or compare with "=="`
	}
	p.endOf("the assignment")
	s.Loc = p.from(start)
	return s
}

// assignable reports what cannot stand left of an assignment.
func (p *parser) assignable(x ast.Expr, op token) {
	if tuple, ok := x.(*ast.TupleLit); ok {
		if op.kind != assign {
			p.report(codeNotAssigned, op.span(), "a tuple cannot be assigned to with %s", quoted(op.text())).
				Help = `use "="`
			return
		}
		for _, e := range tuple.Elems {
			p.assignable(e, op)
		}
		return
	}
	for y := x; ; {
		switch z := y.(type) {
		case *ast.Ident:
			return
		case *ast.Index:
			y = z.X
		case *ast.TupleGet:
			y = z.X
		default:
			p.report(codeNotAssigned, x.Span(), "cannot assign to %s", kindOfExpr(x)).
				Help = "left of " + quoted(op.text()) + " stands a variable, or a part of one"
			return
		}
	}
}

func kindOfExpr(x ast.Expr) string {
	switch x.(type) {
	case *ast.IntLit, *ast.RealLit:
		return "a number"
	case *ast.Call:
		return "the result of a function"
	case *ast.Paren:
		return "an expression in parentheses"
	}
	return "an expression"
}

// sample parses x ~ dist(args) T[lo, hi];
func (p *parser) sample(start int, x ast.Expr) ast.Stmt {
	p.next()
	s := &ast.Sample{X: x}
	p.distribution(s)
	if k := p.kind(); precedence(k) > 0 {
		p.unexpected(`";" at the end of the distribution statement`).
			Help = "one distribution stands alone right of ~; add up log densities with target +="
	}
	p.endOf("the distribution statement")
	s.Loc = p.from(start)
	return s
}

// distribution parses what follows "~", without the ";".
func (p *parser) distribution(s *ast.Sample) {
	s.Dist = p.name("the name of a distribution")
	word := quoted(s.Dist.Name)
	if !p.expect(lparen, "after the distribution "+word) {
		return
	}
	if open := p.last(); !p.accept(rparen) {
		s.Args = p.exprs(rparen)
		if p.kind() == bar {
			p.fail(codeSyntax, p.tok().span(), `"|" does not stand in a distribution statement`).
				Help = "write x ~ " + s.Dist.Name + "(...)"
		}
		p.closing(rparen, open, "the argument of "+word)
	}
	if p.is("T") && p.peek(1) == lbrack {
		s.Trunc = p.truncation()
	}
}

func (p *parser) truncation() *ast.Truncation {
	start := p.pos
	p.next()
	open := p.next()
	t := &ast.Truncation{}
	if p.kind() != comma {
		t.Lo = p.expr()
	}
	if p.kind() == rbrack {
		p.unexpected(`"," between the limits of the truncation`).
			Help = "write T[lower, upper]; either may be left out: T[0, ] or T[, 1]"
	}
	p.expect(comma, "between the limits of the truncation")
	if p.kind() != rbrack {
		t.Hi = p.expr()
	}
	p.closing(rbrack, open, "")
	t.Loc = p.from(start)
	return t
}

// spanOf returns the text of a span for a message, on one line.
func spanOf(s source.Span) string { return shorten(oneLine(s.Text())) }
