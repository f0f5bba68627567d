package check

// This file is what a checked method offers to those who run it: its options' values,
// overriding them, and its text.

import (
	"fmt"
	"maps"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/source"
)

// Override sets a simple option (a number, truth value, text, catalogue entry or a
// list of such) from text, as a flag of the command line does; texts are without
// quotes. The error says what is wrong with it. It changes m: callers that share a
// checked method clone it first.
func (m *CheckedMethod) Override(methods Methods, name, text string) error {
	opt := m.Row.Option(name)
	if opt == nil {
		return fmt.Errorf("%s has no option %q", m.Row.Name, name)
	}
	v, err := methods.parseValue(opt, text)
	if err != nil {
		return err
	}
	v.Given = true
	m.Args[name] = v
	return nil
}

// Drawn says where the draws of a new prior are.
type Drawn struct {
	Path string
	Loc  source.Span
}

// Clone copies a checked method and, shared bindings kept apart no more, those inside
// it, so that options can be overridden.
func (m *CheckedMethod) Clone() *CheckedMethod {
	if m == nil {
		return nil
	}
	out := *m
	out.Inner = m.Inner.Clone()
	out.Args = make(map[string]*Value, len(m.Args))
	maps.Copy(out.Args, m.Args)
	return &out
}

// Has reports whether an option was given or has a default.
func (m *CheckedMethod) Has(name string) bool { return m.Args[name] != nil }

// Given reports whether an option was written in the program or overridden.
func (m *CheckedMethod) Given(name string) bool { return m.Args[name] != nil && m.Args[name].Given }

// Int, Real, Bool and Text give an option's value; zero where it has none.
func (m *CheckedMethod) Int(name string) int { return m.arg(name).Int }

// Real returns a numeric option's value.
func (m *CheckedMethod) Real(name string) float64 { return m.arg(name).Real }

// Bool returns a truth value.
func (m *CheckedMethod) Bool(name string) bool { return m.arg(name).Bool }

// Text returns a text or the choice made.
func (m *CheckedMethod) Text(name string) string { return m.arg(name).Text }

func (m *CheckedMethod) arg(name string) *Value {
	if v := m.Args[name]; v != nil {
		return v
	}
	return &Value{}
}

// String writes a checked method as source text: the name, what it wraps and the
// options that were given, in the table's order. Expressions and new priors are
// quoted from the program.
func (m *CheckedMethod) String() string {
	var parts []string
	if m.Inner != nil {
		parts = append(parts, m.Inner.String())
	}
	for _, o := range m.Row.Options {
		if v := m.Args[o.Name]; v != nil && v.Given {
			parts = append(parts, o.Name+" = "+v.String())
		}
	}
	s := m.Row.Name + "(" + strings.Join(parts, ", ") + ")"
	return s + m.SwapText()
}

// SwapText writes the new priors as source text, with the value of a grid that they are for; empty where there are none.
func (m *CheckedMethod) SwapText() string {
	if len(m.Swap) == 0 {
		return ""
	}
	var priors []string
	for _, p := range m.Swap {
		priors = append(priors, p.Span().Text())
	}
	of := ""
	if g := m.Grid; g != nil {
		of = fmt.Sprintf(" for %s in [%s]", g.Variable, g.Value)
	}
	return of + " { " + strings.Join(priors, " ") + " }"
}

// String writes a value as source text.
func (v *Value) String() string {
	if v.IsList {
		parts := make([]string, len(v.List))
		for i, e := range v.List {
			parts[i] = e.String()
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	switch v.Kind {
	case IntKind, RealKind:
		return formatNumber(v.Real)
	case BoolKind:
		return fmt.Sprint(v.Bool)
	case StringKind, EnumKind:
		return fmt.Sprintf("%q", v.Text)
	case NameKind:
		return v.Text
	case MethodKind:
		if v.Method != nil {
			return v.Method.String()
		}
	}
	switch {
	case v.Term != nil:
		return v.Term.String()
	case v.Expr != nil:
		return v.Expr.Span().Text()
	}
	parts := make([]string, len(v.Pairs))
	for i, p := range v.Pairs {
		parts[i] = p.Name + ": " + p.Term.String()
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// String writes a catalogue entry as source text.
func (t *TermValue) String() string {
	var parts []string
	name := "sum"
	for _, s := range t.Sum {
		parts = append(parts, s.String())
	}
	if t.Term != nil {
		name = t.Term.Name
		for _, n := range t.Args {
			parts = append(parts, formatNumber(n))
		}
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}
