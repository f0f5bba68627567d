package lsp

// This file finds the variables that are visible at a place.

import (
	"strings"

	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// readable returns the document's program in the form in which names can be looked up. While
// the statement at the offset is being typed it is left out; where the rest does not
// parse, either, it is the last program that did, or nil.
func (s *Server) readable(d *document, offset int) *lang.Program {
	if d.program.Info != nil {
		return d.program
	}
	text := d.text()
	from := strings.LastIndexAny(text[:offset], ";{}") + 1
	to := len(text)
	if n := strings.IndexAny(text[offset:], ";}\n"); n >= 0 {
		to = offset + n
		if text[to] == ';' {
			to++
		}
	}
	blank := strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return ' '
	}, text[from:to])
	blank += strings.Repeat(" ", to-from-len(blank)) // offsets behind stay what they are
	if p, _ := lang.Compile(d.path, text[:from]+blank+text[to:], s.compiling(d.path)); p.Info != nil {
		return p
	}
	return d.parsed
}

// visible lists the variables that may be read at an offset.
func visible(p *lang.Program, offset int) []*check.Symbol {
	v := &scope{info: p.Info, file: p.File, offset: offset}
	if f := p.AST.Functions; f != nil && v.inside(f.Loc) {
		v.functions(f)
		return v.found
	}
	kind, body := blockAt(p.AST, v)
	for k := ast.DataKind; k < kind; k++ {
		if k != ast.GeneratedQuantitiesKind || kind == ast.InferenceKind {
			v.found = append(v.found, p.Info.Globals[k]...)
		}
	}
	v.statements(body)
	return v.found
}

// blockAt is the block around the scope's place. Behind the last block it is the
// inference block, in front of which all variables are declared.
func blockAt(p *ast.Program, v *scope) (ast.BlockKind, []ast.Stmt) {
	for _, b := range []*ast.Block{p.Data, p.TransformedData, p.Parameters, p.TransformedParameters, p.Model, p.GeneratedQuantities, p.Simulate} {
		if b != nil && v.inside(b.Loc) {
			return b.Kind, b.Body
		}
	}
	return ast.InferenceKind, nil
}

// A scope gathers the variables declared before a place, in the blocks around it.
type scope struct {
	info   *check.Info
	file   *source.File
	offset int
	found  []*check.Symbol
}

// inside reports whether the place is in a span. A span of another file was included, and
// is never around the place.
func (v *scope) inside(s source.Span) bool {
	return s.File == v.file && s.Start < v.offset && v.offset <= s.End
}

func (v *scope) add(id *ast.Ident) {
	if sym := v.info.Defs[id]; sym != nil {
		v.found = append(v.found, sym)
	}
}

func (v *scope) functions(b *ast.FunctionsBlock) {
	for _, f := range b.Functions {
		if f.Body == nil || !v.inside(f.Loc) {
			continue
		}
		for _, p := range f.Params {
			v.add(p.Name)
		}
		v.statements(f.Body.Body)
	}
}

func (v *scope) statements(body []ast.Stmt) {
	for _, s := range body {
		v.statement(s)
	}
}

func (v *scope) statement(s ast.Stmt) {
	if s == nil {
		return
	}
	if d, ok := s.(*ast.Decl); ok {
		if d.Loc.File != v.file || d.Loc.End <= v.offset {
			v.add(d.Name)
		}
		return
	}
	if !v.inside(s.Span()) {
		return
	}
	switch s := s.(type) {
	case *ast.BlockStmt:
		v.statements(s.Body)
	case *ast.Profile:
		v.statements(s.Body)
	case *ast.If:
		v.statement(s.Then)
		v.statement(s.Else)
	case *ast.While:
		v.statement(s.Body)
	case *ast.For:
		v.add(s.Var)
		v.statement(s.Body)
	case *ast.ForEach:
		v.add(s.Var)
		v.statement(s.Body)
	}
}
