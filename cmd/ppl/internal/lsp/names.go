package lsp

// This file follows the user's names: definition, references, renaming.

import (
	"cmp"
	"fmt"
	"regexp"
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

// same says whether two names name the same thing. The forms of an overloaded function
// count as one.
func (n name) same(m name) bool {
	if n.symbol == nil || m.symbol == nil {
		return n.symbol == m.symbol && n.binding == m.binding
	}
	both := n.symbol.Kind == check.FunctionName && m.symbol.Kind == check.FunctionName
	return n.symbol == m.symbol || both && n.symbol.Name == m.symbol.Name
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

func (s *Server) references(p placeParams) (any, error) {
	d, err := s.document(p.Document.URI)
	if err != nil {
		return nil, err
	}
	out := []location{}
	if at, ok := find(d.program, d.table.offset(p.Position)); ok {
		for _, n := range all(d.program, at) {
			out = append(out, d.location(n.loc))
		}
	}
	return out, nil
}

// renamable is the name at a place and all its places, or why it cannot be renamed.
func (s *Server) renamable(p placeParams) (*document, name, []name, error) {
	d, err := s.document(p.Document.URI)
	if err != nil {
		return nil, name{}, nil, err
	}
	if d.program.Problems().HasErrors() {
		return nil, name{}, nil, errorf(codeRequestFailed, "the program has errors: mend them before renaming")
	}
	offset := d.table.offset(p.Position)
	at, ok := find(d.program, offset)
	if !ok {
		word, _ := wordAt(d.text(), offset)
		if word == "" {
			return nil, name{}, nil, errorf(codeRequestFailed, "there is no name here")
		}
		return nil, name{}, nil, errorf(codeRequestFailed, "%q belongs to the language and cannot be renamed", word)
	}
	places := all(d.program, at)
	for _, n := range places {
		if n.loc.File != d.program.File {
			return nil, name{}, nil, errorf(codeRequestFailed,
				"%q stands in the included file %s, which other programs may include: rename it there by hand", n.loc.Text(), n.loc.File.Name)
		}
	}
	return d, at, places, nil
}

func (s *Server) prepareRename(p placeParams) (any, error) {
	d, at, _, err := s.renamable(p)
	if err != nil {
		return nil, err
	}
	return d.table.span(at.loc.Start, at.loc.End), nil
}

func (s *Server) rename(p renameParams) (any, error) {
	d, at, places, err := s.renamable(p.placeParams)
	if err != nil {
		return nil, err
	}
	if err := allowed(at, p.NewName); err != nil {
		return nil, err
	}
	var edits []textEdit
	var after strings.Builder
	done := 0
	for _, n := range places {
		text := p.NewName
		if at.symbol != nil {
			text = renamed(n.loc.Text(), at.symbol.Name, p.NewName)
		}
		edits = append(edits, textEdit{d.table.span(n.loc.Start, n.loc.End), text})
		after.WriteString(d.text()[done:n.loc.Start] + text)
		done = n.loc.End
	}
	after.WriteString(d.text()[done:])
	if err := s.unharmed(d, after.String()); err != nil {
		return nil, errorf(codeRequestFailed, "%q does not do here: %v", p.NewName, err)
	}
	return workspaceEdit{map[string][]textEdit{d.uri: edits}}, nil
}

var wellFormed = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// allowed says whether something may have the new name, as far as that can be seen from
// the name.
func allowed(n name, to string) error {
	switch {
	case !wellFormed.MatchString(to) || strings.HasSuffix(to, "__"):
		return errorf(codeRequestFailed, "%q is no name: a letter, then letters, digits and _, not __ at the end", to)
	case n.symbol == nil || n.symbol.Kind != check.FunctionName:
		return nil
	}
	switch end, given := ending(n.symbol.Name), ending(to); {
	case end == given:
		return nil
	case end == "":
		return errorf(codeRequestFailed, "%q would be another kind of function: the ending %s has a meaning", to, given)
	default:
		return errorf(codeRequestFailed, "%q would be another kind of function: the name must end in %s", to, end)
	}
}

// ending is the part of a function's name that says what it is; empty for most.
func ending(name string) string {
	for e := check.LPDF; e <= check.Jacobian; e++ {
		if strings.HasSuffix(name, e.String()) {
			return e.String()
		}
	}
	return ""
}

// renamed is the new text of a place where a name stood: in full, without the ending of
// a density, after "~", or with the ending of one that may drop constants.
func renamed(text, from, to string) string {
	if text == from {
		return to
	}
	stem := strings.TrimSuffix(from, ending(from))
	return strings.TrimSuffix(to, ending(to)) + strings.TrimPrefix(text, stem)
}

// unharmed says whether a program is still right after renaming, and names as much.
func (s *Server) unharmed(d *document, text string) error {
	after, err := lang.Compile(d.path, text, s.options)
	if err != nil {
		return err
	}
	if before, now := len(names(d.program)), len(names(after)); before != now {
		return fmt.Errorf("another thing has that name")
	}
	return nil
}
