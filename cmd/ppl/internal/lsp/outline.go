package lsp

// This file is the outline of a document: blocks, with what they declare.

import (
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// The kinds of symbols, with the protocol's numbers.
const (
	symbolModule   = 2
	symbolMethod   = 6
	symbolField    = 8
	symbolFunction = 12
	symbolVariable = 13
	symbolConstant = 14
	symbolEvent    = 24
)

// A symbol is an entry of the outline.
type symbol struct {
	Name      string   `json:"name"`
	Detail    string   `json:"detail,omitempty"`
	Kind      int      `json:"kind"`
	Range     span     `json:"range"`
	Selection span     `json:"selectionRange"`
	Children  []symbol `json:"children,omitempty"`
}

// documentSymbol returns the outline. Of a program with syntax errors it has what could be
// read; what stands in included files is not in it.
func (s *Server) documentSymbol(p documentParams) (any, error) {
	d, err := s.document(p.Document.URI)
	if err != nil {
		return nil, err
	}
	o := &outline{d: d, found: []symbol{}}
	tree := d.program.AST
	if f := tree.Functions; f != nil {
		o.block(ast.FunctionsKind, f.Loc, o.functions(f))
	}
	for _, b := range []*ast.Block{tree.Data, tree.TransformedData, tree.Parameters, tree.TransformedParameters, tree.Model, tree.GeneratedQuantities, tree.Simulate} {
		if b != nil {
			o.block(b.Kind, b.Loc, o.declarations(b))
		}
	}
	if b := tree.Inference; b != nil {
		o.block(ast.InferenceKind, b.Loc, o.directives(b))
	}
	return o.found, nil
}

// An outline is one that is being made.
type outline struct {
	d     *document
	found []symbol
}

// here reports whether something is in the document, and not in a file that it includes.
func (o *outline) here(s source.Span) bool { return s.File == o.d.program.File && s.End > s.Start }

// entry makes a symbol; name is a part of loc.
func (o *outline) entry(kind int, text, detail string, loc, name source.Span) symbol {
	table := o.d.table
	all := table.span(min(loc.Start, name.Start), max(loc.End, name.End))
	return symbol{Name: text, Detail: strings.Join(strings.Fields(detail), " "), Kind: kind, Range: all, Selection: table.span(name.Start, name.End)}
}

func (o *outline) block(kind ast.BlockKind, loc source.Span, inside []symbol) {
	if !o.here(loc) {
		o.found = append(o.found, inside...)
		return
	}
	head := loc
	if brace := strings.IndexByte(loc.Text(), '{'); brace >= 0 {
		head.End = loc.Start + len(strings.TrimRight(loc.Text()[:brace], " \t\r\n"))
	}
	e := o.entry(symbolModule, kind.String(), "", loc, head)
	e.Children = inside
	for _, child := range inside { // a block that is not closed may end before what is in it
		if end := child.Range.End; o.d.table.offset(end) > o.d.table.offset(e.Range.End) {
			e.Range.End = end
		}
	}
	o.found = append(o.found, e)
}

func (o *outline) functions(b *ast.FunctionsBlock) []symbol {
	var out []symbol
	for _, f := range b.Functions {
		if f.Name == nil || !o.here(f.Name.Loc) || f.Name.Name == "" {
			continue
		}
		head := f.Loc.Text()
		if f.Body != nil {
			head = f.Loc.File.Text[f.Loc.Start:f.Body.Loc.Start]
		}
		detail := strings.Replace(strings.TrimSuffix(head, ";"), " "+f.Name.Name+"(", " (", 1)
		out = append(out, o.entry(symbolFunction, f.Name.Name, detail, f.Loc, f.Name.Loc))
	}
	return out
}

// kinds are those of the variables of blocks; what a block does not have here is a variable.
var kinds = map[ast.BlockKind]int{
	ast.DataKind: symbolConstant, ast.TransformedDataKind: symbolConstant, ast.ParametersKind: symbolField, ast.TransformedParametersKind: symbolField,
}

// declarations are the variables of a block, those inside of its statements left out.
func (o *outline) declarations(b *ast.Block) []symbol {
	kind, ok := kinds[b.Kind]
	if !ok {
		kind = symbolVariable
	}
	var out []symbol
	for _, s := range b.Body {
		v, ok := s.(*ast.Decl)
		if ok && v.Name != nil && v.Name.Name != "" && o.here(v.Name.Loc) {
			out = append(out, o.entry(kind, v.Name.Name, v.Type.Loc.Text(), v.Loc, v.Name.Loc))
		}
	}
	return out
}

// directives are the methods that have names, and the diagnoses.
func (o *outline) directives(b *ast.Inference) []symbol {
	var out []symbol
	for _, d := range b.Items {
		switch {
		case d.Method == nil || d.Method.Name == nil || !o.here(d.Method.Name.Loc) || d.Method.Name.Name == "":
		case d.Name == nil:
			out = append(out, o.entry(symbolEvent, "diagnose "+d.Method.Name.Name, "", d.Loc, d.Method.Name.Loc))
		case d.Name.Name != "":
			out = append(out, o.entry(symbolMethod, d.Name.Name, d.Method.Name.Name, d.Loc, d.Name.Loc))
		}
	}
	return out
}
