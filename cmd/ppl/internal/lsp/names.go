package lsp

// This file follows the user's names: definition and references.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// A name is a place where something of the user's is named.
type name struct {
	loc     source.Span
	symbol  *check.Symbol // nil for a binding
	binding string        // of the inference block; empty for a symbol
	defines bool
}

// same reports whether two names name the same thing. The forms of an overloaded function
// count as one.
func (n name) same(m name) bool {
	if n.symbol == nil || m.symbol == nil {
		return n.symbol == m.symbol && n.binding == m.binding
	}
	return n.symbol == m.symbol || n.isFunction() && m.isFunction() && n.symbol.Name == m.symbol.Name
}

// names lists all of a program, by file and place. A program that does not parse has none.
func names(p *lang.Program) []name {
	if p == nil || p.Info == nil {
		return nil
	}
	var out []name
	for id, sym := range p.Info.Defs {
		out = append(out, name{loc: id.Loc, symbol: sym, defines: true})
	}
	for id, sym := range p.Info.Uses {
		out = append(out, name{loc: id.Loc, symbol: sym})
	}
	out = append(out, bound(p)...)
	slices.SortFunc(out, func(a, b name) int {
		return cmp.Or(strings.Compare(a.loc.File.Name, b.loc.File.Name), cmp.Compare(a.loc.Start, b.loc.Start))
	})
	return slices.CompactFunc(out, func(a, b name) bool { return a.loc == b.loc })
}

// bindings are the directives that give a method a name.
func bindings(p *lang.Program) []ast.Directive {
	if p == nil || p.AST.Inference == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.AST.Inference.Items), func(d ast.Directive) bool { return d.Name == nil })
}

// bound lists the names of bindings where they are made and used.
func bound(p *lang.Program) []name {
	var out []name
	known := map[string]bool{}
	for _, d := range bindings(p) {
		known[d.Name.Name] = true
		out = append(out, name{loc: d.Name.Loc, binding: d.Name.Name, defines: true})
	}
	if p.AST.Inference == nil {
		return nil
	}
	eachMethod(p.AST.Inference, func(m *ast.Method, x ast.Expr) {
		id, _ := x.(*ast.Ident)
		if !m.Called && known[m.Name.Name] && (id == nil || p.Info.Uses[id] == nil) {
			out = append(out, name{loc: m.Name.Loc, binding: m.Name.Name})
		}
	})
	return out
}

// eachMethod calls f for every method of the block, and for what may be one; x is the
// same text as an expression.
func eachMethod(b *ast.Inference, f func(m *ast.Method, x ast.Expr)) {
	var method func(m *ast.Method, x ast.Expr)
	var value func(v ast.Value)
	value = func(v ast.Value) {
		switch v := v.(type) {
		case *ast.MethodValue:
			method(v.Method, v.Expr)
		case *ast.PairValue:
			value(v.Value)
		case *ast.ListValue:
			for _, e := range v.Elems {
				value(e)
			}
		}
	}
	method = func(m *ast.Method, x ast.Expr) {
		if m == nil {
			return
		}
		f(m, x)
		for _, a := range m.Args {
			value(a.Value)
		}
	}
	for _, d := range b.Items {
		method(d.Method, nil)
	}
}

// find is the name at an offset of the document.
func find(p *lang.Program, offset int) (name, bool) {
	for _, n := range names(p) {
		if covers(n.loc, p.File, offset) {
			return n, true
		}
	}
	return name{}, false
}

// all lists the places of what n names.
func all(p *lang.Program, n name) []name {
	return slices.DeleteFunc(names(p), func(m name) bool { return !m.same(n) })
}

func (s *Server) definition(p placeParams) (any, error) {
	d, err := s.document(p.Document.URI)
	if err != nil {
		return nil, err
	}
	offset := d.table.offset(p.Position)
	for _, c := range d.program.AST.Comments {
		if isInclude(c) && covers(c.Loc, d.program.File, offset) {
			if f := d.included(c); f != nil {
				return location{URI: fileURI(f.Name)}, nil
			}
		}
	}
	at, ok := find(d.program, offset)
	switch {
	case !ok:
		return nil, nil
	case at.symbol != nil && at.symbol.Func != nil && at.symbol.Func.Def != nil:
		return d.location(at.symbol.Func.Def.Name.Loc), nil
	case at.symbol != nil:
		return d.location(at.symbol.Def.Loc), nil
	}
	for _, n := range all(d.program, at) {
		if n.defines {
			return d.location(n.loc), nil
		}
	}
	return nil, nil
}

func (s *Server) references(p referenceParams) (any, error) {
	d, err := s.document(p.Document.URI)
	if err != nil {
		return nil, err
	}
	out := []location{}
	if at, ok := find(d.program, d.table.offset(p.Position)); ok {
		for _, n := range all(d.program, at) {
			if with := p.Context.IncludeDeclaration; !n.defines || with == nil || *with {
				out = append(out, d.location(n.loc))
			}
		}
	}
	return out, nil
}

// How a highlighted name is used, with the protocol's numbers.
const (
	reads  = 2
	writes = 3
)

// documentHighlight returns the places in the document of what is named at a place; null
// leaves it to the editor to look for the word.
func (s *Server) documentHighlight(p placeParams) (any, error) {
	d, err := s.document(p.Document.URI)
	if err != nil {
		return nil, err
	}
	at, ok := find(d.program, d.table.offset(p.Position))
	if !ok {
		return nil, nil
	}
	var out []highlight
	for _, n := range all(d.program, at) {
		if n.loc.File != d.program.File {
			continue
		}
		kind := reads
		if n.defines {
			kind = writes
		}
		out = append(out, highlight{d.table.span(n.loc.Start, n.loc.End), kind})
	}
	return out, nil
}
