package format

// This file lays out declarations, statements and functions.

import (
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// A statement is what one semicolon or brace ends: a statement, or the declarators of one
// declaration.
type statement []ast.Stmt

func (s statement) span() source.Span { return s[0].Span().To(s[len(s)-1].Span()) }

// declarations joins the declarators of one declaration.
func declarations(body []ast.Stmt) []statement {
	var out []statement
	for _, s := range body {
		if d, ok := s.(*ast.Decl); ok && d.Cont && len(out) > 0 {
			out[len(out)-1] = append(out[len(out)-1], s)
			continue
		}
		out = append(out, statement{s})
	}
	return out
}

func (f *formatter) statement(s statement) doc {
	if d, ok := s[0].(*ast.Decl); ok {
		return f.declaration(d, s[1:])
	}
	return f.stmt(s[0])
}

// declaration returns "type name = value, name = value;".
func (f *formatter) declaration(first *ast.Decl, more []ast.Stmt) doc {
	out := seq{f.typ(first.Type), text(" "), f.declarator(first)}
	for _, s := range more {
		d := s.(*ast.Decl)
		out = append(out, text(","), nest{seq{f.between(d.Name.Loc.Start), line{}, f.declarator(d)}})
	}
	return group{append(out, text(";"))}
}

func (f *formatter) declarator(d *ast.Decl) doc {
	name := f.expr(d.Name)
	if d.Init == nil {
		return name
	}
	return seq{name, text(" = "), f.expr(d.Init)}
}

func (f *formatter) stmt(s ast.Stmt) doc {
	switch s := s.(type) {
	case *ast.Assign:
		return seq{f.expr(s.LHS), text(" " + string(s.Op) + " "), f.expr(s.RHS), text(";")}
	case *ast.Sample:
		return f.sample(s)
	case *ast.TargetAdd:
		head := "target += "
		if s.Jacobian {
			head = "jacobian += "
		}
		return seq{text(head), f.expr(s.X), text(";")}
	case *ast.CallStmt:
		return seq{f.expr(s.Call), text(";")}
	case *ast.If:
		return f.ifStmt(s)
	case *ast.For:
		return f.loop(seq{text("for ("), f.expr(s.Var), text(" in "), f.rangeOf(s.Lo, s.Hi), text(")")}, s.Body)
	case *ast.ForEach:
		return f.loop(seq{text("for ("), f.expr(s.Var), text(" in "), f.expr(s.X), text(")")}, s.Body)
	case *ast.While:
		return f.loop(seq{text("while ("), f.expr(s.Cond), text(")")}, s.Body)
	case *ast.Break:
		return text("break;")
	case *ast.Continue:
		return text("continue;")
	case *ast.Return:
		if s.X == nil {
			return text("return;")
		}
		return seq{text("return "), f.expr(s.X), text(";")}
	case *ast.Print:
		name := [...]string{"print", "reject", "fatal_error"}[s.Kind]
		return seq{text(name), f.args(s.Args), text(";")}
	case *ast.Profile:
		return seq{text("profile("), f.expr(s.Name), text(") "), f.block(s.Body, s.Loc)}
	case *ast.BlockStmt:
		return f.block(s.Body, s.Loc)
	case *ast.Decl:
		return f.declaration(s, nil)
	}
	return text(";") // an empty statement
}

func (f *formatter) sample(s *ast.Sample) doc {
	out := seq{f.expr(s.X), text(" ~ "), f.expr(s.Dist), f.args(s.Args)}
	if t := s.Trunc; t != nil {
		out = append(out, text(" T["))
		if t.Lo != nil {
			out = append(out, f.expr(t.Lo))
		}
		out = append(out, text(","))
		if t.Hi != nil {
			out = append(out, text(" "), f.expr(t.Hi))
		}
		out = append(out, text("]"))
	}
	return append(out, text(";"))
}

// loop returns a head with its body: a block on the same line, a statement there only where
// it fits.
func (f *formatter) loop(head doc, body ast.Stmt) doc {
	start := body.Span().Start
	if b, ok := body.(*ast.BlockStmt); ok {
		return seq{head, text(" "), f.ahead(start), f.block(b.Body, b.Loc)}
	}
	return group{seq{head, nest{seq{f.between(start), line{}, f.ahead(start), f.stmt(body)}}}}
}

func (f *formatter) ifStmt(s *ast.If) doc {
	out := seq{f.loop(seq{text("if ("), f.expr(s.Cond), text(")")}, s.Then)}
	if s.Else == nil {
		return out
	}
	between := f.above(nil, s.Else.Span().Start)
	_, braces := s.Then.(*ast.BlockStmt)
	out = append(out, between)
	if braces && len(between) == 0 {
		out = append(out, text(" else"))
	} else {
		out = append(out, hard{}, text("else"))
	}
	if chain, ok := s.Else.(*ast.If); ok {
		return append(out, text(" "), f.ahead(chain.Loc.Start), f.ifStmt(chain))
	}
	return append(out, f.loop(nil, s.Else))
}

func (f *formatter) function(fn *ast.Function) doc {
	var out seq
	result := doc(text("void"))
	if fn.Result != nil {
		result = f.typ(fn.Result)
	}
	out = append(out, result, text(" "), f.expr(fn.Name))
	params := make([]element, len(fn.Params))
	for i, p := range fn.Params {
		params[i] = element{p.Loc.Start, func() doc { return f.param(p) }}
	}
	out = append(out, f.list("(", params, ")"))
	if fn.Body == nil {
		return append(out, text(";"))
	}
	return append(out, text(" "), f.block(fn.Body.Body, fn.Body.Loc))
}

func (f *formatter) param(p *ast.Param) doc {
	var out seq
	if p.DataOnly {
		out = append(out, text("data "))
	}
	return append(out, f.typ(p.Type), text(" "), f.expr(p.Name))
}

// typ returns a type as written in a declaration or in the head of a function.
func (f *formatter) typ(t *ast.TypeExpr) doc {
	out := seq{f.ahead(t.Loc.Start)}
	if t.IsArray {
		out = append(out, text("array["))
		if len(t.ArraySizes) > 0 {
			out = append(out, f.sizes(t.ArraySizes))
		} else {
			out = append(out, text(strings.Repeat(",", t.ArrayDims-1)))
		}
		out = append(out, text("] "))
	}
	out = append(out, text(t.Name))
	for i, b := range t.Bounds {
		out = append(out, text([...]string{"<", ", "}[min(i, 1)]+b.Name+"="), f.expr(b.X))
	}
	if len(t.Bounds) > 0 {
		out = append(out, text(">"))
	}
	if len(t.Sizes) > 0 {
		out = append(out, text("["), f.sizes(t.Sizes), text("]"))
	}
	for i, field := range t.Fields {
		out = append(out, text([...]string{"(", ", "}[min(i, 1)]), f.typ(field))
	}
	switch len(t.Fields) {
	case 0:
	case 1:
		out = append(out, text(",)"))
	default:
		out = append(out, text(")"))
	}
	return out
}
