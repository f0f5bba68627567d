package lsp

// This file completes what is being typed.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/parser"
)

// A completer gathers what may stand at a place.
type completer struct {
	prefix string // of the words that are wanted
	seen   map[string]bool
	items  []completion
}

// add takes an item unless it does not fit or is there.
func (c *completer) add(item completion) {
	if c.seen[item.Label] || !strings.HasPrefix(strings.ToLower(item.Label), strings.ToLower(c.prefix)) {
		return
	}
	c.seen[item.Label] = true
	c.items = append(c.items, item)
}

func (c *completer) words(kind int, words []string) {
	for _, w := range words {
		c.add(completion{Label: w, Kind: kind})
	}
}

func (s *Server) completion(p placeParams) (any, error) {
	d, err := s.document(p.Document.URI)
	if err != nil {
		return nil, err
	}
	offset := d.table.offset(p.Position)
	around := contextAt(d.text(), offset)
	c := &completer{prefix: d.text()[around.from:offset], seen: map[string]bool{}}
	switch {
	case around.comment:
	case around.block == "":
		if isFragment(d.path) {
			c.code(s, d, offset, around)
			break
		}
		for k := ast.FunctionsKind; k <= ast.InferenceKind; k++ {
			c.add(completion{Label: k.String(), Kind: kindModule, Detail: "block", InsertText: k.String() + " {"})
		}
	case around.block == ast.InferenceKind.String() && around.depth == 1:
		c.inference(s.readable(d, offset), around, offset)
	case around.quoted:
	case around.tilde:
		c.distributions(s.readable(d, offset))
	default:
		c.code(s, d, offset, around)
	}
	slices.SortStableFunc(c.items, func(a, b completion) int { return strings.Compare(a.Label, b.Label) })
	if c.items == nil {
		c.items = []completion{}
	}
	return completionList{Items: c.items}, nil
}

// code completes statements and expressions.
func (c *completer) code(s *Server, d *document, offset int, around context) {
	if p := s.readable(d, offset); p != nil {
		c.variables(visible(p, offset))
		for _, f := range p.Info.Functions {
			c.add(completion{Label: f.Name, Kind: kindFunction, Detail: f.Sig.String()})
		}
	}
	c.words(kindTypeName, parser.TypeNames())
	c.words(kindKeyword, statementWords())
	random := around.block != ast.ModelKind.String() && !strings.HasSuffix(around.block, "parameters")
	for _, name := range lang.Library().Names() {
		if isWord(name) && (random || !strings.HasSuffix(name, "_rng")) {
			c.add(libraryItem(name, name))
		}
	}
}

// statementWords are the keywords that are no types and no parts of blocks' names.
func statementWords() []string {
	blocks := strings.Fields(ast.TransformedDataKind.String() + " functions parameters model generated quantities")
	return slices.DeleteFunc(parser.Keywords(), func(w string) bool {
		return slices.Contains(blocks, w) && w != ast.DataKind.String() || slices.Contains(parser.TypeNames(), w)
	})
}

// isWord reports of a library name whether it is written as a call; operators are not.
func isWord(name string) bool {
	return strings.IndexFunc(name, func(r rune) bool { return r > 127 || !isWordByte(byte(r)) }) < 0 && !strings.HasPrefix(name, "operator")
}

func (c *completer) variables(symbols []*check.Symbol) {
	for _, v := range symbols {
		c.add(completion{Label: v.Name, Kind: kindVariable, Detail: declared(v) + ", " + v.Kind.String()})
	}
}

// libraryItem is a function of the library under the label.
func libraryItem(label, name string) completion {
	item := completion{Label: label, Kind: kindFunction}
	signatures, doc := catalogue(name)
	if len(signatures) > 0 {
		item.Detail = signatures[0]
	}
	if n := len(signatures) - 1; n > 0 {
		item.Detail += fmt.Sprintf(" (and %d more)", n)
	}
	if doc != "" {
		item.Documentation = markdown(doc)
	}
	return item
}

// catalogue is what the library has on a name.
func catalogue(name string) (signatures []string, doc string) {
	for _, f := range lang.Library().Functions(name) {
		if doc == "" {
			doc = f.Doc
		}
		signatures = append(signatures, f.Signatures...)
	}
	return signatures, doc
}

// densities are the endings of names that may stand after "~" without them.
var densities = []string{check.LPDF.String(), check.LPMF.String()}

// distributions completes what stands after "~".
func (c *completer) distributions(p *lang.Program) {
	for _, end := range densities {
		if p != nil {
			for _, f := range p.Info.Functions {
				if stem, ok := strings.CutSuffix(f.Name, end); ok {
					c.add(completion{Label: stem, Kind: kindFunction, Detail: f.Sig.String()})
				}
			}
		}
		for _, name := range lang.Library().Names() {
			if stem, ok := strings.CutSuffix(name, end); ok {
				c.add(libraryItem(stem, name))
			}
		}
	}
}

// inference completes directives: methods and names bound to them, and inside a
// method's parentheses its options and their values.
func (c *completer) inference(p *lang.Program, around context, offset int) {
	methods := lang.Methods()
	row := methods.Row(around.call.name)
	if around.quoted {
		if row != nil && row.Option(around.option) != nil {
			c.words(kindEnumMember, row.Option(around.option).Enum)
		}
		return
	}
	if row == nil {
		c.words(kindKeyword, []string{"diagnose"})
	} else {
		for _, o := range row.Options {
			c.add(completion{Label: o.Name, Kind: kindProperty, Detail: optionText(o), Documentation: markdown(o.Doc), InsertText: o.Name + " = "})
		}
	}
	for _, m := range methods.Rows {
		c.add(completion{Label: m.Name, Kind: kindMethod, Documentation: markdown(m.Doc), InsertText: m.Name + "("})
	}
	if row != nil {
		for _, t := range append(methods.Divergences, methods.Losses...) {
			c.add(completion{Label: t.Name, Kind: kindFunction, Documentation: markdown(t.Doc)})
		}
	}
	if p == nil {
		return
	}
	for _, b := range bindings(p) {
		c.add(completion{Label: b.Name.Name, Kind: kindVariable, Detail: "method of this block"})
	}
	if row != nil {
		c.variables(visible(p, offset))
	}
}
