package lang

// This file is a method of the language with its options, as programs, the command
// line and the Go API name it.

import (
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/parser"
)

// DefaultMethod is what runs where a program names no method.
const DefaultMethod = "nuts()"

// A Method is a method of the language with all its options.
type Method struct {
	name     string // of the binding; empty where the method's own serves
	checked  *check.CheckedMethod
	rows     check.Methods
	info     *check.Info // tables of the expressions and statements in it
	warnings *problem.List
	earlier  *Earlier  // fit that it may wrap; nil for none
	updating *updating // of Updating; nil for others
}

// Method checks an expression such as "nuts(draws = 500)" against the program. A name
// that the inference block binds may stand for its method. The error is a
// *CompileError.
func (p *Program) Method(expr string) (*Method, error) {
	if err := p.broken(); err != nil {
		return nil, err
	}
	file := source.NewFile("method", expr)
	tree, found := parser.ParseMethod(file)
	if found.HasErrors() {
		return nil, &CompileError{found}
	}
	checked, info, found := check.CheckMethod(tree, false, p.Info, p.methods)
	if found.HasErrors() || checked == nil {
		return nil, &CompileError{found}
	}
	if p.swaps(checked, info, found); found.HasErrors() {
		return nil, &CompileError{found}
	}
	return &Method{name: checked.Binding, checked: clones{}.of(checked), rows: p.methods, info: info, warnings: found}, nil
}

// Warnings are those of an expression that is not in the program; what the program's
// own block is warned of is among the program's problems.
func (m *Method) Warnings() *problem.List { return m.warnings }

// clones copies checked methods and keeps bindings that are shared among them shared.
type clones map[*check.CheckedMethod]*check.CheckedMethod

func (made clones) of(c *check.CheckedMethod) *check.CheckedMethod {
	if c == nil {
		return nil
	}
	if made[c] == nil {
		out := c.Clone()
		made[c] = out
		out.Inner = made.of(c.Inner)
		if with := out.Args["with"]; with != nil && with.Kind == check.MethodKind {
			with := *with
			with.Method = onSwapScale(with.Method)
			out.Args["with"] = &with
		}
	}
	return made[c]
}

// Methods returns the bindings of the inference block, in order; where there is none,
// DefaultMethod. Options set on one of them count in the others that use it, too. The error
// is a *CompileError.
func (p *Program) Methods() ([]*Method, error) {
	if err := p.broken(); err != nil {
		return nil, err
	}
	var out []*Method
	made := clones{}
	for _, d := range p.Info.Directives {
		if d.Name != "" && d.Method != nil {
			out = append(out, &Method{name: d.Name, checked: made.of(d.Method), rows: p.methods, info: p.Info, warnings: &problem.List{}})
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	m, err := p.Method(DefaultMethod)
	if err != nil {
		return nil, err
	}
	return []*Method{m}, nil
}

// Name is the name that the method is bound to, or else its own.
func (m *Method) Name() string {
	if m.name != "" {
		return m.name
	}
	return m.checked.Row.Name
}

// Grid says which grid of priors the method is a point of, nil where it is of none.
func (m *Method) Grid() *check.GridPoint { return m.checked.Grid }

// Divides reports whether the method is chains, which RunOptions.Relay can have moved elsewhere.
func (m *Method) Divides() bool {
	return m.checked.Inner == nil && m.updating == nil && m.checked.Row.Option("thin") != nil
}

// Set returns a simple option (a number, truth value or text) a value, written as in the
// language but without quotes. A wrapper that has no such option hands it on to the
// method inside, if that is run as it stands. The error says what the option takes; the
// method is as before then.
func (m *Method) Set(option, value string) error {
	return m.holder(option).Override(m.rows, option, value)
}

// Has reports whether Set takes an option of that name.
func (m *Method) Has(option string) bool { return m.holder(option).Row.Option(option) != nil }

// Unset takes the value of an option that has no default away.
func (m *Method) Unset(option string) {
	if o := m.holder(option).Row.Option(option); o != nil && o.Default == "" {
		delete(m.holder(option).Args, option)
	}
}

// Value is what Set would have to be given for the present value of an option; ok is
// false where the option has none.
func (m *Method) Value(option string) (text string, ok bool) {
	v := m.holder(option).Args[option]
	if v == nil {
		return "", false
	}
	if v.Kind == check.StringKind || v.Kind == check.EnumKind {
		return v.Text, true
	}
	return valueText(v), true
}

// holder is the method that has the option, or else the outermost.
func (m *Method) holder(option string) *check.CheckedMethod {
	c := m.checked
	for c.Row.Option(option) == nil {
		if c.Inner == nil || c.Row.UsesPart {
			return m.checked
		}
		c = c.Inner
	}
	return c
}

// Seed is the seed that the expression gives; ok is false where it gives none.
func (m *Method) Seed() (seed uint64, ok bool) {
	if !m.checked.Given("seed") {
		return 0, false
	}
	return uint64(m.checked.Int("seed")), true
}

// DropSeeds takes away the seeds that the expression gives, those of the methods
// inside included, so that the run's own counts for all.
func (m *Method) DropSeeds() {
	for c := m.checked; c != nil; c = c.Inner {
		delete(c.Args, "seed")
	}
}

// Runnable reports whether this version can run the method; the error tells why not.
func (m *Method) Runnable() error {
	_, err := (&builder{earlier: m.earlier}).build(m.checked)
	return err
}

// String returns the method as an expression of the language with all options that have
// a value, in the order of the method's page.
func (m *Method) String() string {
	if m.updating != nil {
		return "update(" + methodText(m.checked) + ")"
	}
	return methodText(m.checked)
}

func methodText(c *check.CheckedMethod) string {
	var args []string
	if c.Inner != nil {
		args = append(args, methodText(c.Inner))
	}
	for _, o := range c.Row.Options {
		if v := c.Args[o.Name]; v != nil && (v.Given || o.Idle[0] == "" || c.Text(o.Idle[0]) != o.Idle[1]) {
			args = append(args, o.Name+" = "+valueText(v))
		}
	}
	text := c.Row.Name
	if len(c.Row.Options) > 0 { // an earlier fit has none
		text += "(" + strings.Join(args, ", ") + ")"
	}
	return text + c.SwapText()
}

func valueText(v *check.Value) string {
	if v.IsList {
		parts := make([]string, len(v.List))
		for i, e := range v.List {
			parts[i] = valueText(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	switch v.Kind {
	case check.IntKind:
		return strconv.Itoa(v.Int)
	case check.RealKind:
		return strconv.FormatFloat(v.Real, 'g', -1, 64)
	case check.BoolKind:
		return strconv.FormatBool(v.Bool)
	case check.StringKind, check.EnumKind:
		return strconv.Quote(v.Text)
	case check.MethodKind:
		return methodText(v.Method)
	case check.DivergenceKind, check.LossKind:
		return termsText(v)
	case check.ExprKind:
		return v.Expr.Span().Text()
	}
	return v.Text
}

// termsText writes a divergence, a loss, or divergences by parameter.
func termsText(v *check.Value) string {
	switch {
	case len(v.Pairs) > 0:
		parts := make([]string, len(v.Pairs))
		for i, p := range v.Pairs {
			parts[i] = p.Name + ": " + termText(p.Term)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case v.Term != nil:
		return termText(v.Term)
	}
	return v.Expr.Span().Text()
}

func termText(t *check.TermValue) string {
	var args []string
	name := "sum"
	if t.Term != nil {
		name = t.Term.Name
		for _, a := range t.Args {
			args = append(args, strconv.FormatFloat(a, 'g', -1, 64))
		}
	}
	for _, s := range t.Sum {
		args = append(args, termText(s))
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}
