package lsp

// This file explains what is under the pointer.

import (
	"fmt"
	"strings"

	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// mostForms of a function are shown.
const mostForms = 8

func markdown(text string) *markup { return &markup{"markdown", text} }

// code shows lines as source text, then a text.
func explained(lines []string, text string) string {
	out := "```ppl\n" + strings.Join(lines, "\n") + "\n```"
	if text != "" {
		out += "\n" + text
	}
	return out
}

func (s *Server) hover(p placeParams) (any, error) {
	d, err := s.document(p.Document.URI)
	if err != nil {
		return nil, err
	}
	offset := d.table.offset(p.Position)
	word, from := wordAt(d.text(), offset)
	around := contextAt(d.text(), from)
	if word == "" || around.comment {
		return nil, nil
	}
	text := d.nameText(offset)
	if text == "" && around.quoted { // where names may stand, too
		return nil, nil
	}
	if text == "" {
		text = d.calledText(offset)
	}
	if text == "" && around.block == ast.InferenceKind.String() {
		text = directiveText(word, around)
	}
	if text == "" {
		text = libraryText(word, around.tilde)
	}
	if text == "" {
		return nil, nil
	}
	return hover{*markdown(text), d.table.span(from, from+len(word))}, nil
}

// nameText explains the user's name at an offset.
func (d *document) nameText(offset int) string {
	at, ok := find(d.program, offset)
	switch {
	case !ok:
		return ""
	case at.symbol == nil:
		for _, b := range bindings(d.program) {
			if b.Name.Name == at.binding {
				return explained([]string{b.Loc.Text()}, "method of this block")
			}
		}
		return ""
	case at.symbol.Kind == check.FunctionName:
		var forms []string
		for _, f := range d.program.Info.Functions {
			if f.Name == at.symbol.Name {
				forms = append(forms, f.Sig.String())
			}
		}
		return explained(forms, "function of this program")
	}
	return explained([]string{declared(at.symbol) + " " + at.symbol.Name}, at.symbol.Kind.String())
}

// declared is a variable's type as it was declared, with constraints and sizes.
func declared(v *check.Symbol) string {
	if v.Decl != nil {
		return strings.Join(strings.Fields(v.Decl.Type.Loc.Text()), " ")
	}
	return v.Type.String()
}

// calledText explains the library's function whose name is at an offset, with the form
// that the call means.
func (d *document) calledText(offset int) string {
	info := d.program.Info
	if info == nil {
		return ""
	}
	for call, callee := range info.Calls {
		if callee.User == nil && covers(call.Name.Loc, d.program.File, offset) {
			return calleeText(callee)
		}
	}
	for sample, callee := range info.Samples {
		if callee.User == nil && covers(sample.Dist.Loc, d.program.File, offset) {
			return calleeText(callee)
		}
	}
	return ""
}

func calleeText(c *check.Callee) string {
	signatures, doc := catalogue(c.Name)
	if c.Sig == nil || len(signatures) == 0 {
		return libraryText(c.Name, false)
	}
	if n := len(lang.Library().Signatures(c.Name)) - 1; n > 0 {
		doc += fmt.Sprintf("\n\nThe form used here, of %d.", n+1)
	}
	return explained([]string{c.Sig.String()}, doc)
}

// libraryText explains a name of the library; empty where it is none.
func libraryText(name string, distribution bool) string {
	if distribution {
		for _, end := range densities {
			if text := libraryText(name+end, false); text != "" {
				return text
			}
		}
	}
	signatures, doc := catalogue(name)
	if len(signatures) == 0 {
		return ""
	}
	if more := len(signatures) - mostForms; more > 0 {
		signatures = append(signatures[:mostForms:mostForms], fmt.Sprintf("// and %d more", more))
	}
	return explained(signatures, doc)
}

// directiveText explains a method or an option.
func directiveText(word string, around context) string {
	methods := lang.Methods()
	if row := methods.Row(around.call.name); row != nil {
		if o := row.Option(word); o != nil {
			return explained([]string{o.Name + ": " + optionText(o)}, o.Doc)
		}
		for _, t := range append(methods.Divergences, methods.Losses...) {
			if t.Name == word {
				return explained([]string{termText(t)}, t.Doc)
			}
		}
	}
	row := methods.Row(word)
	if row == nil {
		return ""
	}
	lines := []string{row.Name}
	for _, o := range row.Options {
		lines = append(lines, "  "+o.Name+": "+optionText(o))
	}
	return explained(lines, row.Doc)
}

// optionText is what an option takes.
func optionText(o *check.Option) string {
	text := o.Describe()
	if o.Default != "" && !strings.Contains(text, "default") {
		text += ", default " + o.Default
	}
	return text
}

func termText(t *check.Term) string {
	var args []string
	for _, a := range t.Args {
		args = append(args, a.Name)
	}
	return t.Name + "(" + strings.Join(args, ", ") + ")"
}

// covers reports whether a span of a file holds an offset or ends there.
func covers(s source.Span, f *source.File, offset int) bool {
	return s.File == f && s.Start <= offset && offset <= s.End
}
