package parser

// This file parses declarations of variables and the functions block.

import (
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
)

// declaration parses one declaration and appends a Decl for each of its names.
func (p *parser) declaration(dst []ast.Stmt) []ast.Stmt {
	start := p.pos
	t := p.typeExpr(true)
	if p.bailed {
		return append(dst, &ast.Bad{Loc: p.from(start)})
	}
	for first := true; ; first = false {
		d := &ast.Decl{Type: t, Cont: !first}
		if p.kind() == less {
			p.unexpected("the variable's name").Help = "write the bounds directly behind the type, as in real<lower=0> x"
		}
		if k := p.kind(); len(t.Bounds) > 0 && first && k != ident && k.startsExpr() {
			p.unexpected("the variable's name").Help = `in bounds, put a comparison into parentheses`
		}
		d.Name = p.newName("the variable's name")
		if p.bailed {
			return append(dst, &ast.Bad{Loc: p.from(start)})
		}
		dst = append(dst, d)
		if p.kind() == lbrack {
			p.oldArray(d)
		}
		if p.accept(assign) {
			d.Init = p.expr()
			if p.bailed {
				d.Init = nil
			}
		}
		d.Loc = p.from(start)
		if !p.accept(comma) {
			break
		}
	}
	switch p.kind() {
	case lparen:
		p.unexpected(`";" at the end of the declaration`).Help = "functions are defined in the functions block"
	case tilde:
		p.unexpected(`";" at the end of the declaration`).Help = "a variable is declared in one statement and gets its distribution in another, of the model block; in generated quantities it is drawn, as in real y = normal_rng(0, 1)"
	}
	p.endOf("the declaration")
	return dst
}

// oldArray reads the sizes behind a name, as in real x[N], and reports them.
func (p *parser) oldArray(d *ast.Decl) {
	open := p.next()
	if p.kind() == rbrack {
		p.unexpected("a size").Help = "write array[N] " + d.Type.Loc.Text() + " " + d.Name.Name
		return
	}
	sizes := p.exprList(rbrack, open, "the size")
	if p.bailed {
		return
	}
	brackets := open.span().To(p.last().span())
	typ := strings.Join(strings.Fields(d.Type.Loc.Text()), " ")
	p.report(codeOldArray, brackets, "the sizes of an array do not stand behind its name").
		Help = "write array" + brackets.Text() + " " + typ + " " + d.Name.Name
	t := *d.Type
	t.IsArray = true
	t.ArrayDims += len(sizes)
	t.ArraySizes = append(append([]ast.Expr(nil), sizes...), t.ArraySizes...)
	d.Type = &t
}

// function parses a definition or a forward declaration; nil after an error in its
// head that leaves nothing to keep.
func (p *parser) function() *ast.Function {
	p.annotations()
	start := p.pos
	f := &ast.Function{}
	if k := p.kind(); k == kwVoid {
		p.next()
	} else if k.startsType() {
		f.Result = p.typeExpr(false)
	} else {
		p.notFunction()
		p.recover(start)
		return nil
	}
	f.Name = p.newName("the function's name")
	open := p.pos
	if k := p.kind(); k == semi || k == assign {
		p.unexpected(`"(" after the function's name`).Help = "variables are declared in the other blocks"
	}
	if p.expect(lparen, "after the function's name") {
		f.Params = p.params(p.last())
	}
	if p.bailed && !p.recoverHead(open) {
		p.recover(start)
		return nil
	}
	p.functionBody(f)
	if p.bailed {
		p.recover(start)
	}
	f.Loc = p.from(start)
	return f
}

func (p *parser) notFunction() {
	if t := p.tok(); p.kind() == ident {
		q := p.fail(codeType, t.span(), "expected a function's result type or \"void\", found the name %s", quoted(t.text()))
		q.Help = "begin a function with the type of its result"
		if near := nearest(t.text(), append(typeNames(), "void")); near != "" {
			q.Help = "did you mean " + quoted(near) + "?"
		}
		return
	}
	p.unexpected(`a function's result type or "void"`)
}

func (p *parser) functionBody(f *ast.Function) {
	switch p.kind() {
	case semi:
		p.next()
	case lbrace:
		start := p.pos
		body := p.braced()
		f.Body = &ast.BlockStmt{Loc: p.from(start), Body: body}
	default:
		p.unexpected(`"{" before the function's body`).
			Help = `write the body in braces, or ";" for a declaration without one`
	}
}

func (p *parser) params(open token) []*ast.Param {
	if p.accept(rparen) {
		return nil
	}
	var out []*ast.Param
	for {
		out = append(out, p.param())
		if !p.accept(comma) {
			break
		}
	}
	p.closing(rparen, open, "the argument")
	return out
}

func (p *parser) param() *ast.Param {
	start := p.pos
	q := &ast.Param{DataOnly: p.accept(kwData)}
	q.Type = p.typeExpr(false)
	q.Name = p.newName("the argument's name")
	if p.kind() == lbrack && !p.bailed {
		p.fail(codeOldArray, p.tok().span(), "the brackets of an array do not stand behind its name").
			Help = "write array[] " + q.Type.Loc.Text() + " " + q.Name.Name
	}
	q.Loc = p.from(start)
	return q
}

// annotations takes @name, which asks a compiler for something and means nothing here,
// for a comment.
func (p *parser) annotations() {
	for p.accept(at) {
		start := p.pos - 1
		if k := p.kind(); k == ident || k == reserved || k.isKeyword() {
			p.next()
			loc := p.from(start)
			p.comments = append(p.comments, ast.Comment{Loc: loc, Text: loc.Text()})
		} else {
			p.unexpected("the annotation's name")
		}
	}
}
