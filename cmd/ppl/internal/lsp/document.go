package lsp

// This file keeps the open documents, checks them and tells the client what was found.

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// A document is a text that the editor has open.
type document struct {
	uri     string
	path    string // of the file, which need not exist
	version int
	table   *table
	program *lang.Program // of the text
	parsed  *lang.Program // the last that could be parsed; nil for none
}

// text is the document's.
func (d *document) text() string { return d.table.text }

// document finds an open document.
func (s *Server) document(uri string) (*document, error) {
	if d := s.open[uri]; d != nil {
		return d, nil
	}
	return nil, errorf(codeInvalidParams, "the document %s is not open", uri)
}

func (s *Server) didOpen(p openParams) (any, error) {
	d := &document{uri: p.Document.URI, path: filePath(p.Document.URI)}
	s.open[d.uri] = d
	s.update(d, p.Document.Version, p.Document.Text)
	return nil, nil
}

func (s *Server) didChange(p changeParams) (any, error) {
	d, err := s.document(p.Document.URI)
	if err != nil {
		return nil, err
	}
	text := d.text()
	for _, c := range p.Changes {
		if c.Range == nil {
			text = c.Text
			continue
		}
		t := newTable(text) // a client may send parts although whole texts were asked for
		from := t.offset(c.Range.Start)
		text = text[:from] + c.Text + text[max(from, t.offset(c.Range.End)):]
	}
	s.update(d, p.Document.Version, text)
	return nil, nil
}

func (s *Server) didClose(p documentParams) (any, error) {
	d, err := s.document(p.Document.URI)
	if err != nil {
		return nil, err
	}
	delete(s.open, d.uri)
	s.publish(d, []diagnostic{})
	return nil, nil
}

// filesChanged checks all documents again: they may include what was saved.
func (s *Server) filesChanged(struct{}) (any, error) {
	for _, uri := range slices.Sorted(maps.Keys(s.open)) {
		d := s.open[uri]
		s.update(d, d.version, d.text())
	}
	return nil, nil
}

// update takes a new text over and reports its problems.
func (s *Server) update(d *document, version int, text string) {
	d.version, d.table = version, newTable(text)
	d.program, _ = lang.Compile(d.path, text, s.compiling(d.path)) // the error is in the problems
	if d.program.Info != nil {
		d.parsed = d.program
	}
	s.publish(d, s.found(d))
}

func (s *Server) publish(d *document, list []diagnostic) {
	s.send(notification{version, "textDocument/publishDiagnostics", diagnostics{d.uri, d.version, list}})
}

// isFragment reports of a file whether it is a part of programs, by the ending that Stan's
// users give such files; it is checked with the programs that include it.
func isFragment(path string) bool { return strings.EqualFold(filepath.Ext(path), ".stanfunctions") }

// found lists the document's problems.
func (s *Server) found(d *document) []diagnostic {
	out := []diagnostic{}
	if isFragment(d.path) {
		return out
	}
	for _, p := range d.program.Problems().Sorted() {
		out = append(out, d.diagnostic(p, "ppl"))
	}
	if s.lint {
		for _, p := range d.program.Lint().Sorted() {
			out = append(out, d.diagnostic(p, "ppl lint"))
		}
	}
	return out
}

// diagnostic is a problem as the protocol has it. A problem of an included file is shown
// where the document includes it, with the place as related information.
func (d *document) diagnostic(p problem.Problem, from string) diagnostic {
	out := diagnostic{Severity: 1 + int(p.Severity), Code: p.Code, Source: from, Message: p.Message}
	switch {
	case p.Span.IsZero():
	case p.Span.File == d.program.File:
		out.Range = d.table.span(p.Span.Start, p.Span.End)
	default:
		at := d.includeOf(p.Span.File)
		out.Range = d.table.span(at.Start, at.End)
		out.Message = p.Span.String() + ": " + p.Message
		out.Related = append(out.Related, note{d.location(p.Span), p.Message})
	}
	for _, n := range p.Notes {
		if n.Span.IsZero() {
			out.Message += "\nnote: " + n.Message
			continue
		}
		out.Related = append(out.Related, note{d.location(n.Span), n.Message})
	}
	if p.Help != "" {
		out.Message += "\nhelp: " + p.Help
	}
	return out
}

// includeOf is the document's line that includes a file, or through which another does.
func (d *document) includeOf(file *source.File) source.Span {
	var before source.Span
	for _, c := range d.program.AST.Comments {
		if c.Loc.File != d.program.File || !isInclude(c) {
			continue
		}
		if sameFile(d.included(c), file) || before.IsZero() {
			before = c.Loc
		}
	}
	return before
}

func isInclude(c ast.Comment) bool { return strings.HasPrefix(c.Text, "#include") }

func sameFile(f, g *source.File) bool { return f != nil && f.Name == g.Name }

// included is the file that a line of the document includes; nil where it was not found.
func (d *document) included(c ast.Comment) *source.File {
	name := strings.Trim(strings.TrimSpace(strings.TrimPrefix(c.Text, "#include")), `"<>`)
	for _, f := range d.program.Included {
		if f.Name == name || strings.HasSuffix(filepath.ToSlash(f.Name), "/"+filepath.ToSlash(filepath.Clean(name))) {
			return f
		}
	}
	return nil
}

// formatting lays the document out. One with syntax errors stays as it is.
func (s *Server) formatting(p documentParams) (any, error) {
	d, err := s.document(p.Document.URI)
	if err != nil {
		return nil, err
	}
	out, err := lang.Format(d.path, d.text(), s.compiling(d.path))
	if err != nil {
		return nil, err
	}
	if out == d.text() {
		return []textEdit{}, nil
	}
	return []textEdit{{d.table.span(0, len(d.text())), out}}, nil
}
