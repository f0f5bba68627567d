package lang

// This file turns checked directives into inference methods.

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/parser"
)

// DefaultMethod is what runs where a program names no method.
const DefaultMethod = "nuts()"

// A Method is a method of the language with all its options.
type Method struct {
	checked *check.CheckedMethod
	rows    check.Methods
}

// A builder makes a method ready to run.
type builder func(*check.CheckedMethod, infer.Init) (infer.Method, error)

// builders make the methods that can be run. It is a function because wrappers build
// the methods that they wrap.
func builders() map[string]builder {
	return map[string]builder{
		"nuts":       buildNUTS,
		"hmc":        buildHMC,
		"mh":         buildMH,
		"advi":       buildADVI,
		"laplace":    buildLaplace,
		"map":        buildMap,
		"pathfinder": buildPathfinder,
		"ais":        buildAIS,
		"smc":        buildSMC,
		"bridge":     buildBridge,
	}
}

// Method checks an expression such as "nuts(draws = 500)" against the program. A name
// that the inference block binds may stand for its method. The error is a
// *CompileError.
func (p *Program) Method(expr string) (*Method, error) {
	if p.Info == nil {
		return nil, &CompileError{p.problems}
	}
	file := source.NewFile("method", expr)
	tree, found := parser.ParseMethod(file)
	if found.HasErrors() {
		return nil, &CompileError{found}
	}
	checked, _, found := check.CheckMethod(tree, false, p.Info, p.methods)
	if found.HasErrors() || checked == nil {
		return nil, &CompileError{found}
	}
	return &Method{checked.Clone(), p.methods}, nil
}

// Methods gives the bindings of the inference block, in order; where there is none,
// DefaultMethod.
func (p *Program) Methods() ([]*Method, error) {
	if p.Info == nil {
		return nil, &CompileError{p.problems}
	}
	var out []*Method
	for _, d := range p.Info.Directives {
		if d.Name != "" && d.Method != nil {
			m := &Method{d.Method.Clone(), p.methods}
			m.checked.Binding = d.Name
			out = append(out, m)
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
	if m.checked.Binding != "" {
		return m.checked.Binding
	}
	return m.checked.Row.Name
}

// Set gives a simple option (a number, truth value or text) a value, written as in the
// language but without quotes.
func (m *Method) Set(option, value string) error {
	return m.checked.Override(m.rows, option, value)
}

// Has says whether the method has an option of that name.
func (m *Method) Has(option string) bool { return m.checked.Row.Option(option) != nil }

// Seed is the seed that the expression gives; ok is false where it gives none.
func (m *Method) Seed() (seed uint64, ok bool) {
	v := m.checked.Args["seed"]
	if v == nil || !v.Given {
		return 0, false
	}
	return uint64(v.Int), true
}

// Runnable says whether this version can run the method; the error tells why not.
func (m *Method) Runnable() error {
	_, err := m.build(infer.Init{})
	return err
}

// build makes the method ready to run; init is where its chains start, for methods
// that have chains.
func (m *Method) build(init infer.Init) (infer.Method, error) { return build(m.checked, init) }

func build(c *check.CheckedMethod, init infer.Init) (infer.Method, error) {
	list := builders()
	create := list[c.Row.Name]
	if create == nil {
		var known []string
		for name := range list {
			known = append(known, name)
		}
		sort.Strings(known)
		return nil, fmt.Errorf("%s belongs to the language, but this version cannot run it yet; it runs %s", c.Row.Name, strings.Join(known, ", "))
	}
	return create(c, init)
}

// chainOptionsOf reads what all Markov methods share.
func chainOptionsOf(c *check.CheckedMethod, init infer.Init) infer.MarkovOptions {
	if len(init.Points) == 0 {
		init.Radius = c.Args["init"].Real
	}
	return infer.MarkovOptions{
		Chains: c.Args["chains"].Int, Warmup: c.Args["warmup"].Int, Draws: c.Args["draws"].Int, Thin: c.Args["thin"].Int, Init: init,
	}
}

// metricOf is the metric of a Hamiltonian method.
func metricOf(c *check.CheckedMethod) string {
	return map[string]string{"diagonal": draws.MetricDiagonal, "dense": draws.MetricDense, "unit": draws.MetricUnit}[c.Args["metric"].Text]
}

func buildNUTS(c *check.CheckedMethod, init infer.Init) (infer.Method, error) {
	o := nuts.DefaultOptions()
	o.MarkovOptions = chainOptionsOf(c, init)
	o.Delta = c.Args["delta"].Real
	o.Metric = metricOf(c)
	o.MaxDepth = c.Args["max_depth"].Int
	if v := c.Args["step_size"]; v != nil {
		o.StepSize = v.Real
	}
	return nuts.New(o)
}

// String gives the method as an expression of the language with all options that have
// a value, in the order of the method's page.
func (m *Method) String() string { return methodText(m.checked) }

func methodText(c *check.CheckedMethod) string {
	var args []string
	if c.Inner != nil {
		args = append(args, methodText(c.Inner))
	}
	for _, o := range c.Row.Options {
		if v := c.Args[o.Name]; v != nil {
			args = append(args, o.Name+" = "+valueText(v))
		}
	}
	text := c.Row.Name + "(" + strings.Join(args, ", ") + ")"
	if len(c.Swap) > 0 {
		var lines []string
		for _, s := range c.Swap {
			lines = append(lines, s.Span().Text())
		}
		text += " { " + strings.Join(lines, " ") + " }"
	}
	return text
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
