package lsp

// This file shows the forms of the function or method whose arguments are being typed.

import (
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// signatureHelp returns the forms of the innermost call around a place; null where there is
// none.
func (s *Server) signatureHelp(p placeParams) (any, error) {
	d, err := s.document(p.Document.URI)
	if err != nil {
		return nil, err
	}
	offset := d.table.offset(p.Position)
	around := contextAt(d.text(), offset)
	if around.comment || around.call.name == "" {
		return nil, nil
	}
	if around.block == ast.InferenceKind.String() {
		if row := lang.Methods().Row(around.call.name); row != nil {
			return methodHelp(row, around.call), nil
		}
	}
	list := functionForms(s.readable(d, offset), around.call)
	if len(list) == 0 {
		return nil, nil
	}
	help := signatureHelp{Signatures: list, ActiveParameter: around.call.before}
	if around.call.tilde {
		help.ActiveParameter++ // the first argument stands before "~"
	}
	help.ActiveSignature = max(0, slices.IndexFunc(list, func(f signature) bool { return len(f.Parameters) > help.ActiveParameter }))
	return help, nil
}

// functionForms are the forms of a function of the program or of the library.
func functionForms(p *lang.Program, c call) []signature {
	names := []string{c.name}
	if c.tilde {
		names = nil
		for _, end := range densities {
			names = append(names, c.name+end)
		}
	}
	var out []signature
	for _, name := range names {
		name = strings.NewReplacer("_lupdf", "_lpdf", "_lupmf", "_lpmf").Replace(name)
		if p != nil {
			for _, f := range p.Info.Functions {
				if f.Name == name {
					out = append(out, formOf(f.Sig.String(), ""))
				}
			}
		}
		forms, doc := catalogue(name)
		for _, f := range forms {
			out = append(out, formOf(f, doc))
		}
	}
	return out
}

// formOf takes a signature such as "real f(real x | vector y)" apart.
func formOf(text, doc string) signature {
	out := signature{Label: text, Parameters: []parameter{}}
	if doc != "" {
		out.Documentation = markdown(doc)
	}
	depth, to := 0, len(text)
	part := func(from int) {
		if label := strings.TrimSpace(text[from:to]); label != "" {
			out.Parameters = append(out.Parameters, parameter{Label: label})
		}
		to = from - 1
	}
	// From the end: in front there may be brackets of the result's type.
	for i := len(text) - 1; i >= 0; i-- {
		switch c := text[i]; {
		case c == ')' || c == ']':
			if depth++; depth == 1 {
				to = i
			}
		case c == '(' && depth == 1:
			part(i + 1)
			slices.Reverse(out.Parameters)
			return out
		case c == '(' || c == '[':
			depth--
		case (c == ',' || c == '|') && depth == 1:
			part(i + 1)
		}
	}
	return out
}

// methodHelp shows a method with its options, of which the one that is being typed is
// active.
func methodHelp(row *check.MethodRow, c call) signatureHelp {
	form := signature{Documentation: markdown(row.Doc), Parameters: []parameter{}}
	active := -1
	var labels []string
	if row.Wrapper {
		labels = []string{"method"}
		form.Parameters = append(form.Parameters, parameter{Label: "method"})
		active = c.before // at 0 the method itself is being typed
	}
	for _, o := range row.Options {
		label := o.Name
		if o.Default != "" {
			label += " = " + o.Default
		}
		labels = append(labels, label)
		form.Parameters = append(form.Parameters, parameter{label, markdown(optionText(o) + "\n\n" + o.Doc)})
		if o.Name == c.option {
			active = len(labels) - 1
		}
	}
	if active < 0 {
		active = len(labels) // none
	}
	form.Label = row.Name + "(" + strings.Join(labels, ", ") + ")"
	return signatureHelp{Signatures: []signature{form}, ActiveParameter: active}
}
