package parser

// This file parses the directives of the inference block and method expressions.

import (
	"github.com/seed-12b88e03/ppl/lang/ast"
)

// directive parses one binding or diagnosis and recovers from its errors; nil where
// nothing could be kept.
func (p *parser) directive() *ast.Directive {
	start := p.pos
	d := &ast.Directive{}
	switch {
	case p.is("diagnose") && p.peek(1) == assign:
		p.fail(codeDirective, p.tok().span(), `a binding cannot have the name "diagnose"`).Help = "choose another name"
	case p.is("diagnose"):
		p.next()
		d.Method = p.method()
	case p.peek(1) != assign && (p.kind() == ident || p.kind().isKeyword()):
		p.notDirective()
	default:
		d.Name = p.newName(`a name or "diagnose"`)
		p.expect(assign, "after the name")
		d.Method = p.method()
	}
	p.endDirective(d)
	d.Loc = p.from(start)
	if p.bailed {
		p.recover(start)
		if p.pos == start {
			p.next()
		}
		d.Loc = p.from(start)
	}
	if d.Method == nil {
		return nil
	}
	return d
}

func (p *parser) notDirective() {
	t := p.tok()
	q := p.fail(codeDirective, t.span(), `expected "name = method" or "diagnose wrapper", found %s`, t.describe())
	q.Help = "write fit = " + t.text() + "(...);"
	if t.kind != ident {
		q.Help = "this block holds directives only, such as fit = nuts();"
		return
	}
	if near := nearest(t.text(), []string{"diagnose"}); near != "" {
		q.Help = "did you mean " + quoted(near) + "?"
	}
}

// endDirective takes the ";", which may be absent behind "}".
func (p *parser) endDirective(d *ast.Directive) {
	if d.Method != nil && d.Method.Swap != nil && p.kind() != semi {
		return
	}
	p.endOf("the directive")
}

// method parses name(arguments) { swapped priors }; nil where there is no name.
func (p *parser) method() *ast.Method {
	start := p.pos
	v := p.callOrName("the name of a method")
	if v == nil {
		return nil
	}
	switch k := p.kind(); {
	case k == lbrack, k == quote, k == dotInt, k == question, precedence(k) > 0:
		p.unexpected(`the end of the method`)
	}
	if v.Method == nil {
		p.fail(codeDirective, p.from(start), "expected a method, found an expression").
			Help = "write a method, such as nuts()"
		return nil
	}
	return v.Method
}

// value parses the value of an argument.
func (p *parser) value() ast.Value {
	if !p.enter() {
		p.leave()
		return &ast.ExprValue{Loc: p.tok().span(), X: p.noExpr()}
	}
	defer p.leave()
	t := p.tok()
	switch k := p.kind(); {
	case k == stringLit:
		p.next()
		s := stringOf(t)
		return &ast.StringValue{Loc: s.Loc, Text: s.Value}
	case k == kwTrue, k == kwFalse:
		p.next()
		return &ast.BoolValue{Loc: t.span(), On: k == kwTrue}
	case k == lbrack:
		return p.listValue()
	case k == ident && p.peek(1) == colon:
		key := p.name("a name")
		p.next()
		v := p.value()
		return &ast.PairValue{Loc: key.Loc.To(v.Span()), Key: key, Value: v}
	case k == ident:
		v := p.callOrName("a value")
		return p.exprValue(v, v.Expr)
	}
	x := p.expr()
	return &ast.ExprValue{Loc: x.Span(), X: x}
}

// exprValue returns v, or the longer expression of which x, the same text as v, is the
// first operand.
func (p *parser) exprValue(v ast.Value, x ast.Expr) ast.Value {
	if x == nil {
		return v
	}
	y := p.ternaryRest(p.binaryRest(p.postfix(x), precOr))
	if m, ok := v.(*ast.MethodValue); y == x && (!ok || m.Method != nil) {
		return v
	}
	return &ast.ExprValue{Loc: y.Span(), X: y}
}

// listValue parses [v, v, ...].
func (p *parser) listValue() ast.Value {
	start := p.pos
	open := p.next()
	l := &ast.ListValue{}
	if !p.accept(rbrack) {
		for {
			l.Elems = append(l.Elems, p.value())
			if !p.accept(comma) {
				break
			}
		}
		p.closing(rbrack, open, "the element of the list")
	}
	l.Loc = p.from(start)
	return p.exprValue(l, asExpr(l))
}

// callOrName parses a bare name or a call. Its Expr is the same text read as an
// expression; for a call with "|" that is all there is, and Method is nil.
func (p *parser) callOrName(what string) *ast.MethodValue {
	start := p.pos
	name := p.name(what)
	if p.bailed {
		return nil
	}
	m := &ast.Method{Name: name}
	v := &ast.MethodValue{Method: m, Expr: name}
	if p.kind() == lparen {
		m.Called = true
		v.Expr = p.arguments(m)
		if c, ok := v.Expr.(*ast.Call); ok && c.Bar {
			v.Method = nil
		}
	}
	if k := p.kind(); (k == lbrace || k == kwFor) && v.Method != nil {
		m.Swap = p.swap(p.grid())
		v.Expr = nil
	}
	m.Loc = p.from(start)
	v.Loc = m.Loc
	if c, ok := v.Expr.(*ast.Call); ok {
		c.Loc = m.Loc
	}
	return v
}

// arguments parses the arguments of m, parentheses included, and returns the call as an
// expression, nil where it cannot be one.
func (p *parser) arguments(m *ast.Method) ast.Expr {
	open := p.next()
	call := &ast.Call{Name: m.Name}
	if p.accept(rparen) {
		return call
	}
	for {
		a := p.argument()
		m.Args = append(m.Args, a)
		if call != nil {
			call = addArg(call, a)
		}
		if p.kind() == bar && len(m.Args) == 1 && call != nil {
			p.callRest(call, open)
			return call
		}
		if !p.accept(comma) {
			break
		}
		if p.kind() == rparen {
			p.unexpected("an argument").Help = `remove the "," before it`
		}
	}
	p.closing(rparen, open, "the argument of "+quoted(m.Name.Name))
	if call == nil {
		return nil
	}
	return call
}

func addArg(c *ast.Call, a *ast.Argument) *ast.Call {
	x := asExpr(a.Value)
	if a.Name != nil || x == nil {
		return nil
	}
	c.Args = append(c.Args, x)
	return c
}

// argument parses name = value or a bare value; "data" is a name here.
func (p *parser) argument() *ast.Argument {
	start := p.pos
	a := &ast.Argument{}
	if k := p.kind(); p.peek(1) == assign && (k == ident || k == kwData) {
		t := p.next()
		a.Name = &ast.Ident{Loc: t.span(), Name: t.text()}
		p.next()
	}
	a.Value = p.value()
	a.Loc = p.from(start)
	return a
}

// asExpr returns a value as an expression, nil where it cannot be one.
func asExpr(v ast.Value) ast.Expr {
	switch v := v.(type) {
	case *ast.ExprValue:
		return v.X
	case *ast.MethodValue:
		return v.Expr
	case *ast.ListValue:
		row := &ast.RowLit{Loc: v.Loc}
		for _, e := range v.Elems {
			x := asExpr(e)
			if x == nil {
				return nil
			}
			row.Elems = append(row.Elems, x)
		}
		if len(row.Elems) > 0 {
			return row
		}
	}
	return nil
}

// grid parses "for v in [value, ...]"; nil where there is no "for". The second result are the places of the values.
func (p *parser) grid() (g *ast.Grid, at []int) {
	start := p.pos
	if !p.accept(kwFor) {
		return nil, nil
	}
	g = &ast.Grid{Var: p.name("the name of a grid's variable")}
	p.expect(kwIn, "after the variable")
	if open := p.tok(); p.expect(lbrack, `after "in"`) {
		for {
			at = append(at, p.pos)
			g.Values = append(g.Values, p.expr())
			if !p.accept(comma) {
				break
			}
		}
		p.closing(rbrack, open, "the value")
	}
	g.Loc = p.from(start)
	if p.kind() != lbrace && !p.bailed {
		p.unexpected("the new priors in braces")
	}
	return g, at
}

// swap parses { parameter ~ distribution; ... }, of a grid once more for each value, which stands at a place in at.
func (p *parser) swap(g *ast.Grid, at []int) *ast.Swap {
	if p.bailed {
		return &ast.Swap{Loc: p.tok().span(), Grid: g}
	}
	open := p.pos
	s := p.priors()
	if s.Grid = g; g == nil || p.problems.HasErrors() {
		return s
	}
	end := p.pos
	for _, value := range at {
		p.pos, p.variable, p.valueAt = open, g.Var.Name, value
		g.Blocks = append(g.Blocks, p.priors().Priors)
		p.variable = ""
	}
	p.pos = end
	return s
}

// priors parses { parameter ~ distribution; ... }.
func (p *parser) priors() *ast.Swap {
	start := p.pos
	open := p.next()
	s := &ast.Swap{}
	for p.kind() != rbrace {
		if k := p.kind(); k == eof || k == none || p.atBlock() {
			p.unclosed(open)
			break
		}
		if prior := p.prior(); prior != nil {
			s.Priors = append(s.Priors, prior)
		}
	}
	p.accept(rbrace)
	s.Loc = p.from(start)
	return s
}

// prior parses one new prior and recovers from its errors.
func (p *parser) prior() ast.Stmt {
	start := p.pos
	if p.kind() == kwTarget {
		s := p.targetAdd()
		if p.bailed {
			p.recover(start)
		}
		return s
	}
	if p.kind() != ident {
		p.unexpected("the name of a parameter").Help = "this block holds new priors only, such as theta ~ normal(0, 1); or target += x;"
	}
	name := p.name("the name of a parameter")
	s := &ast.Sample{X: name}
	switch p.kind() {
	case lbrack:
		indices := p.indices()
		s.X = &ast.Index{Loc: name.Loc.To(p.last().span()), X: name, Indices: indices}
	case lparen: // to_vector(theta)
		s.X = p.call(name)
	}
	if p.expect(tilde, "after the parameter") {
		if p.is(ast.DrawnPrior) && p.peek(1) == lparen && p.peek(2) == stringLit {
			s.Dist = p.name("the name of a distribution")
			open := p.next()
			s.Args = []ast.Expr{stringOf(p.next())} // a prior that is known by draws alone
			p.closing(rparen, open, "the argument of "+quoted(s.Dist.Name))
		} else {
			p.distribution(s)
		}
		p.endOf("the prior")
	}
	s.Loc = p.from(start)
	if !p.bailed {
		return s
	}
	p.recover(start)
	if p.pos == start {
		p.next()
	}
	return nil
}
