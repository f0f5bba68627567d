package parser

// This file parses expressions by precedence climbing, as in the table of operators
// of the Stan reference manual.

import (
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// Levels of precedence, loosest first; all are left-associative but power.
const (
	precOr = iota + 1
	precAnd
	precEqual
	precLess
	precSum
	precProduct
	precIntDivide
	precUnary // no infix operator: prefix operators bind between %/% and ^
	precPower
)

// precedence returns an infix operator's level, 0 for other tokens.
func precedence(k kind) int {
	switch k {
	case or:
		return precOr
	case and:
		return precAnd
	case equals, notEquals:
		return precEqual
	case less, lessEq, greater, greaterEq:
		return precLess
	case plus, minus:
		return precSum
	case times, divide, modulo, eltTimes, eltDivide:
		return precProduct
	case intDivide, leftDivide:
		return precIntDivide
	case hat, eltPow:
		return precPower
	}
	return 0
}

// expr parses any expression. After an error it returns what it has, never nil.
func (p *parser) expr() ast.Expr { return p.ternaryRest(p.binary(precOr)) }

// boundExpr parses the value of a bound: in it ">" closes the bounds, so comparisons,
// logical operators and the ternary stand only in parentheses.
func (p *parser) boundExpr() ast.Expr { return p.binary(precSum) }

func (p *parser) ternaryRest(cond ast.Expr) ast.Expr {
	if p.kind() != question {
		return cond
	}
	if !p.enter() {
		return cond
	}
	defer p.leave()
	p.next()
	then := p.expr()
	p.expect(colon, `and another value after "?"`)
	other := p.expr()
	return &ast.Ternary{Loc: cond.Span().To(other.Span()), Cond: cond, Then: then, Else: other}
}

// binary parses operands and operators of the given level or a tighter one. Every
// nested expression passes through here, so here the levels are counted.
func (p *parser) binary(level int) ast.Expr {
	if !p.enter() {
		p.leave()
		return p.noExpr()
	}
	defer p.leave()
	return p.binaryRest(p.unary(), level)
}

// binaryRest goes on behind the operand x, with operators of the given level or a
// tighter one.
func (p *parser) binaryRest(x ast.Expr, level int) ast.Expr {
	for n := 0; ; n++ {
		prec := precedence(p.kind())
		if prec == 0 || prec < level {
			return x
		}
		if n == maxChain {
			p.tooLong()
			return x
		}
		op := p.next()
		right := prec + 1
		if prec == precPower {
			right = prec
		}
		y := p.binary(right)
		x = &ast.Binary{Loc: x.Span().To(y.Span()), Op: ast.Op(spelling[op.kind]), OpLoc: op.span(), L: x, R: y}
	}
}

func (p *parser) tooLong() {
	p.fail(codeDepth, p.tok().span(), "more than %d operators in one expression", maxChain).
		Help = "give a part a name of its own"
}

func (p *parser) unary() ast.Expr {
	switch k := p.kind(); k {
	case minus, plus, bang:
		op := p.next()
		x := p.binary(precUnary)
		return &ast.Unary{Loc: op.span().To(x.Span()), Op: ast.Op(spelling[k]), X: x}
	}
	return p.postfix(p.primary())
}

// postfix goes on behind x with indices, fields and transpositions.
func (p *parser) postfix(x ast.Expr) ast.Expr {
	for n := 0; ; n++ {
		switch p.kind() {
		case lbrack:
			indices := p.indices()
			x = &ast.Index{Loc: x.Span().To(p.last().span()), X: x, Indices: indices}
		case dotInt:
			x = p.field(x)
		case quote:
			t := p.next()
			x = &ast.Postfix{Loc: x.Span().To(t.span()), Op: "'", X: x}
		default:
			return x
		}
		if n == maxChain {
			p.tooLong()
			return x
		}
	}
}

func (p *parser) field(x ast.Expr) ast.Expr {
	t := p.next()
	n, err := strconv.Atoi(strings.ReplaceAll(t.text()[1:], "_", ""))
	if err != nil || n < 1 {
		p.fail(codeSyntax, t.span(), "expected the number of a tuple's field, found %s", quoted(shorten(t.text()))).
			Help = "fields are counted from 1: write x.1 for the first"
	}
	return &ast.TupleGet{Loc: x.Span().To(t.span()), X: x, Field: n}
}

// noExpr stands for an expression that is not there; an error was reported.
func (p *parser) noExpr() ast.Expr {
	at := p.tok()
	return &ast.Ident{Loc: source.Span{File: at.file, Start: at.start, End: at.start}}
}

// ofGrid is the value that stands for a grid's variable, parsed anew, in parentheses.
func ofGrid(p *parser) ast.Expr {
	at, variable := p.pos, p.variable
	p.pos, p.variable = p.valueAt, ""
	x := p.expr()
	p.pos, p.variable = at, variable
	return &ast.Paren{Loc: x.Span(), X: x}
}

func (p *parser) primary() ast.Expr {
	t := p.tok()
	switch k := p.kind(); k {
	case ident:
		p.next()
		id := &ast.Ident{Loc: t.span(), Name: t.text()}
		switch {
		case p.kind() == lparen:
			return p.call(id)
		case p.variable != "" && id.Name == p.variable:
			return ofGrid(p)
		}
		return id
	case intLit:
		p.next()
		return &ast.IntLit{Loc: t.span(), Text: t.text()}
	case realLit, dotInt:
		p.next()
		return &ast.RealLit{Loc: t.span(), Text: t.text()}
	case imagLit:
		p.next()
		return &ast.RealLit{Loc: t.span(), Text: strings.TrimSuffix(t.text(), "i"), Imag: true}
	case lparen:
		return p.paren()
	case lbrack:
		elems := p.elements(rbrack)
		return &ast.RowLit{Loc: t.span().To(p.last().span()), Elems: elems}
	case lbrace:
		elems := p.elements(rbrace)
		return &ast.ArrayLit{Loc: t.span().To(p.last().span()), Elems: elems}
	case kwTarget:
		return p.target()
	}
	p.noPrimary()
	return p.noExpr()
}

// noPrimary reports what stands where an expression should begin.
func (p *parser) noPrimary() {
	t := p.tok()
	switch k := p.kind(); {
	case k == stringLit:
		p.fail(codeStringPlace, t.span(), "expected an expression, found %s", t.describe()).
			Help = "strings may only be printed: in print, reject, fatal_error and profile"
	case k == kwTrue || k == kwFalse:
		p.fail(codeReserved, t.span(), "expected an expression, found the keyword %s", quoted(t.text())).
			Help = "write 1 for true and 0 for false"
	case k == reserved || k.isKeyword():
		help := "choose another name for the variable"
		if k.startsType() {
			help = "declare a variable in a statement of its own"
		}
		p.fail(codeReserved, t.span(), "expected an expression, found %s", t.describe()).Help = help
	case k == quote:
		p.unexpected("an expression").Help = "strings stand in double quotes"
	default:
		if !p.foreignOperator() {
			p.unexpected("an expression").Help = "write a value here, or remove what stands before it"
		}
	}
}

// foreignOperator reports operators of other languages: ^=, %=, ++, --, ** and the like.
func (p *parser) foreignOperator() bool {
	t, before := p.tok(), p.last()
	if p.bailed || p.pos == 0 || before.file != t.file {
		return false
	}
	op := source.Span{File: t.file, Start: before.start, End: t.end}
	help := "write x = x " + before.text() + " ..."
	switch {
	case before.end == t.start && t.kind == assign && precedence(before.kind) >= precSum:
	case before.end == t.start && t.kind == times && before.kind == times:
		help = `write "^"`
	case before.end == t.start && t.kind == assign && before.kind == colon:
		help = `assign with "="`
	case p.pos > 1 && before.start > 0 && t.file.Text[before.start-1] == t.file.Text[before.start] &&
		(before.kind == plus || before.kind == minus) && (t.kind == semi || t.kind == rparen):
		op = source.Span{File: t.file, Start: before.start - 1, End: before.end}
		help = "write x " + before.text() + "= 1"
	default:
		return false
	}
	p.fail(codeSyntax, op, "there is no operator %s", quoted(op.Text())).Help = help
	return true
}

// paren parses (x) or a tuple: (x, y, ...), or of one element (x,).
func (p *parser) paren() ast.Expr {
	open := p.next()
	if p.kind() == rparen {
		p.unexpected("an expression").Help = "a tuple has one element, as (x,), or more"
		return p.noExpr()
	}
	elems := []ast.Expr{p.expr()}
	commas := 0
	for p.accept(comma) {
		commas++
		if p.kind() == rparen && commas == 1 {
			break
		}
		if p.kind() == rparen {
			p.unexpected("an expression").Help = `remove the "," before it`
			break
		}
		elems = append(elems, p.expr())
	}
	p.closing(rparen, open, "")
	loc := open.span().To(p.last().span())
	if commas == 0 {
		return &ast.Paren{Loc: loc, X: elems[0]}
	}
	return &ast.TupleLit{Loc: loc, Elems: elems}
}

// elements parses the elements of an array or a row vector, brackets included. [] is
// the empty row vector; {} would be an array of nothing in particular.
func (p *parser) elements(closer kind) []ast.Expr {
	open := p.next()
	if p.kind() == closer {
		p.next()
		if closer == rbrace {
			p.fail(codeSyntax, open.span().To(p.last().span()), "an empty array has no type").
				Help = "declare a variable with size 0 instead"
		}
		return nil
	}
	return p.exprList(closer, open, "the element")
}

// exprList parses one expression or more up to and with the token that closes open.
func (p *parser) exprList(closer kind, open token, what string) []ast.Expr {
	elems := p.exprs(closer)
	p.closing(closer, open, what)
	return elems
}

// exprs parses expressions with commas between them, up to what closes them.
func (p *parser) exprs(closer kind) []ast.Expr {
	elems := []ast.Expr{p.expr()}
	for p.accept(comma) {
		if p.kind() == closer {
			p.unexpected("an expression").Help = `remove the "," before it`
			break
		}
		elems = append(elems, p.expr())
	}
	return elems
}

// target parses target().
func (p *parser) target() ast.Expr {
	t := p.next()
	id := &ast.Ident{Loc: t.span(), Name: t.text()}
	if p.kind() != lparen {
		p.unexpected(`"(" after "target"`).Help = `write target() for its value, and "target += x;" to add to it`
		return id
	}
	return p.call(id)
}

// call parses the arguments of a function, with "|" behind the first where the
// function is a density given parameters.
func (p *parser) call(name *ast.Ident) ast.Expr {
	p.oldCall(name)
	open := p.next()
	c := &ast.Call{Loc: name.Loc, Name: name}
	if !p.accept(rparen) {
		c.Args = append(c.Args, p.expr())
		p.callRest(c, open)
	}
	c.Loc = name.Loc.To(p.last().span())
	return c
}

// callRest parses what follows the first argument of a call whose "(" is open.
func (p *parser) callRest(c *ast.Call, open token) {
	if p.accept(bar) {
		c.Bar = true
		if p.accept(rparen) {
			return
		}
		c.Args = append(c.Args, p.expr())
	}
	for p.accept(comma) {
		if p.kind() == rparen {
			p.unexpected("an argument").Help = `remove the "," before it`
			return
		}
		c.Args = append(c.Args, p.expr())
	}
	if p.kind() == bar {
		p.fail(codeSyntax, p.tok().span(), `"|" may only follow the first argument`).
			Help = "write f(x | a, b)"
	}
	p.closing(rparen, open, "the argument of "+quoted(c.Name.Name))
}

// indices parses [i, j, ...], brackets included.
func (p *parser) indices() []ast.IndexArg {
	open := p.next()
	var out []ast.IndexArg
	if p.accept(rbrack) {
		return out
	}
	for {
		out = append(out, p.index())
		if !p.accept(comma) {
			break
		}
	}
	p.closing(rbrack, open, "the index")
	return out
}

// index parses one index; it may be empty.
func (p *parser) index() ast.IndexArg {
	start := p.pos
	a := ast.IndexArg{Kind: ast.IndexAll}
	switch p.kind() {
	case comma, rbrack:
		at := p.tok()
		a.Loc = source.Span{File: at.file, Start: at.start, End: at.start}
		return a
	case colon:
		p.next()
		if k := p.kind(); k != comma && k != rbrack {
			a.Kind, a.Hi = ast.IndexUpTo, p.expr()
		}
	default:
		a.Kind, a.Lo = ast.IndexExpr, p.expr()
		if p.accept(colon) {
			a.Kind = ast.IndexFrom
			if k := p.kind(); k != comma && k != rbrack {
				a.Kind, a.Hi = ast.IndexRange, p.expr()
			}
		}
	}
	a.Loc = p.from(start)
	return a
}
