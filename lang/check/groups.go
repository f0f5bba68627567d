package check

// This file checks options that put parameters into groups.

import (
	"cmp"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// groups reads "x, y; z" into lists of parameters, each with its place in the text. False says that
// an error was reported.
func (c *methodChecker) groups(opt *Option, v *Value) bool {
	ok := true
	seen := map[string]bool{}
	for _, words := range parts(v.Text, v.Loc, ";") {
		group := &Value{Kind: NameKind, IsList: true, Loc: words.at}
		for _, word := range parts(words.text, words.at, ",") {
			name := c.inGroup(opt, v, word, seen)
			ok = ok && name != nil
			group.List = append(group.List, name)
		}
		v.List = append(v.List, group)
	}
	return ok
}

// inGroup is the parameter that a word names; nil where an error was reported.
func (c *methodChecker) inGroup(opt *Option, v *Value, word part, seen map[string]bool) *Value {
	switch sym := c.lookup(word.text); {
	case word.text == "":
		c.errorf(word.at, msgGroupEmpty, opt.Name)
		return nil
	case sym == nil || sym.Kind != ParameterVar:
		var names []string
		for _, p := range c.info.Globals[ast.ParametersKind] {
			names = append(names, p.Name)
		}
		if word.text == v.Text {
			names = append(names, opt.Enum...)
		}
		p := c.errorf(word.at, msgGroupName, word.text, opt.Name, quotedList(opt.Enum))
		p.Help = cmp.Or(didYouMean(nearest(word.text, names)), p.Help)
		return nil
	case seen[word.text]:
		c.errorf(word.at, msgGroupTwice, word.text)
		return nil
	default:
		seen[word.text] = true
		c.info.Uses[&ast.Ident{Name: word.text, Loc: word.at}] = sym // as where a name stands by itself
		return &Value{Kind: NameKind, Text: word.text, Sym: sym, Loc: word.at}
	}
}

// A part is a piece of a text in quotes, without the spaces around it, and its place.
type part struct {
	text string
	at   source.Span
}

// parts divides a text at a separator. at is the text's place, with or without quotes; where what
// stands there is written otherwise, each part's place is the whole's.
func parts(text string, at source.Span, separator string) []part {
	from := -1
	if !at.IsZero() {
		from = strings.Index(at.Text(), text)
	}
	var out []part
	for _, piece := range strings.Split(text, separator) {
		word := strings.TrimSpace(piece)
		own := at
		if from >= 0 {
			own.Start = at.Start + from + len(piece) - len(strings.TrimLeft(piece, " \t\r\n"))
			own.End = own.Start + len(word)
			if word == "" { // between two separators, or at an end
				own.Start = at.Start + from
				own.End = min(own.Start+max(len(piece), 1), at.End)
			}
			from += len(piece) + len(separator)
		}
		out = append(out, part{word, own})
	}
	return out
}
