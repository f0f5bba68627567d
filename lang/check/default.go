package check

// This file makes option values from text: the table's defaults, and settings that
// come from flags.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// defaultMethod checks a method of the table's own: a name, with "()" or without.
func (c *methodChecker) defaultMethod(text string, at source.Span) *CheckedMethod {
	name := strings.TrimSuffix(text, "()")
	return c.ofRow(c.methods.Row(name), &ast.Method{Loc: at, Name: &ast.Ident{Loc: at, Name: name}, Called: true})
}

// defaultValue makes an option's default.
func (c *methodChecker) defaultValue(opt *Option, at source.Span) *Value {
	if opt.Kind == MethodKind {
		return &Value{Kind: MethodKind, Method: c.defaultMethod(opt.Default, at), Loc: at}
	}
	v, err := c.methods.parseValue(opt, opt.Default)
	if err != nil {
		// The table's own test parses every default.
		return &Value{Kind: opt.Kind, IsList: opt.List, Loc: at}
	}
	v.Loc = at
	return v
}

// parseValue reads a value of a simple kind from text: numbers, truth values, texts
// without quotes, catalogue entries, and lists of them in brackets.
func (ms Methods) parseValue(opt *Option, text string) (*Value, error) {
	text = strings.TrimSpace(text)
	if opt.List {
		return ms.parseList(opt, text)
	}
	out := &Value{Kind: opt.Kind}
	switch opt.Kind {
	case IntKind, RealKind:
		n, ok := parseNumber(text)
		switch {
		case !ok || opt.Kind == IntKind && n != float64(int(n)):
			return nil, fmt.Errorf("%s must be %s, found %s", opt.Name, opt.kindText(), text)
		case !opt.inRange(n):
			return nil, fmt.Errorf("%s must be %s, found %s", opt.Name, opt.rangeText(), text)
		}
		return opt.numberValue(n, nil), nil
	case BoolKind:
		if text != "true" && text != "false" {
			return nil, fmt.Errorf("%s must be true or false, found %s", opt.Name, text)
		}
		out.Bool = text == "true"
	case StringKind:
		out.Text = text
	case EnumKind:
		if slices.Contains(opt.Enum, text) {
			out.Text = text
			return out, nil
		}
		return nil, fmt.Errorf("%s must be one of %s, found %q", opt.Name, quotedList(opt.Enum), text)
	case DivergenceKind:
		return out, parseTerm(out, ms.Divergences, text)
	case LossKind:
		return out, parseTerm(out, ms.Losses, text)
	default:
		return nil, fmt.Errorf("%s cannot be given as text", opt.Name)
	}
	return out, nil
}

// parseList reads [value, ...].
func (ms Methods) parseList(opt *Option, text string) (*Value, error) {
	body, ok := strings.CutPrefix(text, "[")
	if ok {
		body, ok = strings.CutSuffix(body, "]")
	}
	if !ok {
		return nil, fmt.Errorf("%s must be a list [...], found %s", opt.Name, text)
	}
	out := &Value{Kind: opt.Kind, IsList: true}
	one := *opt
	one.List = false
	for _, part := range strings.Split(body, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		v, err := ms.parseValue(&one, part)
		if err != nil {
			return nil, err
		}
		out.List = append(out.List, v)
	}
	return out, nil
}

// parseTerm reads NAME(number, ...).
func parseTerm(out *Value, catalogue []*Term, text string) error {
	name, rest, _ := strings.Cut(text, "(")
	t := findTerm(catalogue, strings.TrimSpace(name))
	if t == nil {
		return fmt.Errorf("there is no %q", name)
	}
	out.Term = &TermValue{Term: t}
	given := strings.Split(strings.TrimSuffix(rest, ")"), ",")
	for i, opt := range t.Args {
		text := opt.Default
		if i < len(given) && strings.TrimSpace(given[i]) != "" {
			text = strings.TrimSpace(given[i])
		}
		n, ok := parseNumber(text)
		if !ok || !opt.inRange(n) {
			return fmt.Errorf("%s of %s must be a number %s, found %q", opt.Name, t.Name, opt.rangeText(), text)
		}
		out.Term.Args = append(out.Term.Args, n)
	}
	if t.Valid != nil {
		return t.Valid(out.Term.Args)
	}
	return nil
}
