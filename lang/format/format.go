// Package format writes programs in the one canonical layout. Comments, includes and
// single empty lines stay where they were; everything else about the layout is decided
// here. Formatting what was formatted changes nothing, and the tree stays the same.
//
// A tree that is formatted must have been parsed without errors. Each call has a formatter
// of its own, so calls may run at the same time.
package format

import (
	"fmt"
	"slices"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// Program returns the canonical text of a program that was parsed without errors, with lines
// of a width where they can be broken. Text that
// came in by #include is left out, and the #include line kept; the error is that of an
// included file that begins or ends inside a statement.
func Program(prog *ast.Program, width int) (string, error) {
	f := &formatter{file: prog.File}
	for _, c := range prog.Comments {
		if c.Loc.File == prog.File {
			f.comments = append(f.comments, c)
		}
	}
	slices.SortFunc(f.comments, func(a, b ast.Comment) int { return a.Loc.Start - b.Loc.Start })
	out := layout(f.program(prog), width)
	if !f.foreign.IsZero() {
		return "", fmt.Errorf("%s: an #include inside a statement cannot be formatted", f.foreign)
	}
	return out, nil
}

// A formatter turns one program into a document.
type formatter struct {
	file     *source.File
	comments []ast.Comment // those that are not yet in the document
	last     int           // where in the file ends what is in the document
	foreign  source.Span   // of an include inside a statement; zero if there is none
}

// A section is one of the program's blocks, and what writes it.
type section struct {
	at    source.Span
	write func() doc
}

func (f *formatter) program(prog *ast.Program) doc {
	var all []section
	if b := prog.Functions; b != nil {
		all = append(all, section{b.Loc, func() doc { return f.functions(b) }})
	}
	for _, b := range []*ast.Block{prog.Data, prog.TransformedData, prog.Parameters, prog.TransformedParameters,
		prog.Model, prog.GeneratedQuantities, prog.Simulate} {
		if b != nil {
			all = append(all, section{b.Loc, func() doc { return seq{text(b.Kind.String() + " "), f.block(b.Body, b.Loc)} }})
		}
	}
	if b := prog.Inference; b != nil {
		all = append(all, section{b.Loc, func() doc { return f.inference(b) }})
	}
	out := items(f, all, func(s section) source.Span { return s.at }, func(s section) doc { return s.write() },
		len(f.file.Text))
	if len(out) == 0 {
		return nil
	}
	return append(out[1:], hard{}) // the file's first line has no line before it
}

// items returns nodes one below the other, with the comments between them and up to the
// place end. Each begins with the end of the line before. Nodes of other files are left
// out.
func items[T any](f *formatter, list []T, span func(T) source.Span, write func(T) doc, end int) seq {
	var out seq
	for _, x := range list {
		at := span(x)
		if at.File != f.file {
			continue
		}
		out = f.above(out, at.Start)
		out = append(out, f.newline(out, at.Start), f.ahead(at.Start), write(x), f.behind(at.End))
		f.last = max(f.last, at.End)
	}
	return f.above(out, end)
}

// newline is the end of the line before what begins at start, with an empty line if there
// was one. Nothing is above the first line inside braces.
func (f *formatter) newline(above seq, start int) doc {
	if len(above) > 0 && emptyLine(f.file.Text[min(f.last, start):start]) {
		return blank{}
	}
	return hard{}
}

func (f *formatter) functions(b *ast.FunctionsBlock) doc {
	return seq{text("functions "), braced(items(f, b.Functions, (*ast.Function).Span, f.function, b.Loc.End))}
}

// block returns statements in braces that end where loc ends.
func (f *formatter) block(body []ast.Stmt, loc source.Span) doc {
	return braced(items(f, declarations(body), statement.span, f.statement, loc.End))
}

// braced puts items into braces.
func braced(items seq) doc {
	if len(items) == 0 {
		return text("{}")
	}
	return seq{text("{"), nest{items}, hard{}, text("}")}
}
