package lang

// This file builds the diagnoses bread and sbc.

import (
	"regexp"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/bread"
	"github.com/seed-12b88e03/ppl/diagnose/sbc"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/ais"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/lower"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// options checks those of a diagnosis, as far as that needs no data. The error is a *MethodError.
func (b *builder) options(c *check.CheckedMethod) error {
	var err error
	switch c.Row.Name {
	case "bread":
		_, err = b.breadOptions(c)
	case "sbc":
		_, err = b.sbcOptions(c)
	case "gibbs_prior":
		_, err = b.gibbsOptions(c)
	case "prior_predictive", "posterior_predictive":
		_, err = b.predictiveOptions(c)
	case "held_out":
		_, _, err = b.heldOptions(c)
	}
	return placed(c, err)
}

// breadOptions reads the options that need no data, and checks them.
func (b *builder) breadOptions(c *check.CheckedMethod) (o bread.Options, err error) {
	if o, err = b.breadMethods(c.Inner); err != nil {
		return o, err
	}
	o.Steps = nil
	for _, v := range c.Args["steps"].List {
		o.Steps = append(o.Steps, v.Int)
	}
	o.Chains, o.Schedule, o.Datasets, o.Data = c.Int("chains"), c.Text("schedule"), c.Int("datasets"), c.Text("data")
	o.Bad, o.Warning = c.Real("bad"), c.Real("warning")
	for name, data := range map[string]string{"hyper": bread.Fitted, "settle": bread.Fitted, "start": bread.Given} {
		if c.Given(name) && o.Data != data {
			return o, methodError(c.Args[name].Loc, "option-without-effect", "%s belongs to data = %q, found data = %q", name, data, o.Data)
		}
	}
	optionalBread(c, &o)
	if o.Data == bread.Fitted { // its hyperparameters are found when there is a model
		return o, nil
	}
	_, err = bread.New(o)
	return o, err
}

// breadMethods are the options with the methods of a bread around c.
func (b *builder) breadMethods(c *check.CheckedMethod) (o bread.Options, err error) {
	if c.Gives&check.GivesKernel == 0 {
		kernel, err := nuts.New(nuts.DefaultOptions())
		if err != nil {
			return o, err
		}
		o = bread.DefaultOptions(kernel)
		o.From, err = b.summedOut().build(withDensity(c))
		o.Method = o.From
		return o, err
	}
	for c.Inner != nil {
		c = c.Inner
	}
	kernel, err := b.kernel(c)
	if err != nil {
		return o, err
	}
	o = bread.DefaultOptions(kernel)
	o.Fit, err = b.ofFit(c).kernel(c)
	return o, err
}

// optionalBread reads the options that have no default in the table.
func optionalBread(c *check.CheckedMethod, o *bread.Options) {
	if c.Has("settle") {
		o.Settle = c.Int("settle")
	}
	if c.Has("pilot") {
		o.Pilot = ais.DefaultPilot().Of(c.Int("pilot"))
	}
	if c.Has("log_evidence") {
		known := c.Real("log_evidence")
		o.LogEvidence = &known
	}
}

func (b *builder) bread(c *check.CheckedMethod, m *Model) (diagnose.Diagnosis, infer.Model, error) {
	o, err := b.breadOptions(c)
	if err != nil {
		return nil, nil, err
	}
	model, err := b.generator(c, m)
	if err != nil {
		return nil, nil, err
	}
	if o.Data == bread.Fitted {
		if o.Hyper, err = m.hyperparameters(c); err != nil {
			return nil, nil, err
		}
	}
	if c.Has("start") {
		_, whole := o.Kernel.(jointMethod)
		if o.Start, err = m.readStart(c.Args["start"].Text, whole); err != nil {
			return nil, nil, methodError(c.Args["start"].Loc, "method-option", "start: %v", err)
		}
	}
	d, err := bread.New(o)
	return d, jointFor(o.Kernel, model), err
}

// jointFor is the form of the model that a kernel moves on.
func jointFor(kernel infer.Markov, m *bind.Model) infer.Model {
	if _, ok := kernel.(jointMethod); ok {
		return m.Joint()
	}
	return m
}

// sbcOptions reads the options that need no data, and checks them.
func (b *builder) sbcOptions(c *check.CheckedMethod) (o sbc.Options, err error) {
	inner, err := b.build(c.Inner)
	if err != nil {
		return o, err
	}
	o = sbc.DefaultOptions(inner)
	o.Replications, o.Draws, o.Bins = c.Int("replications"), c.Int("draws"), c.Int("bins")
	o.Doublings, o.Posterior = c.Int("doublings"), fromPosterior(c)
	o.Bad, o.Warning = c.Real("bad"), c.Real("warning")
	if list := c.Args["statistics"]; list != nil {
		if err := b.scalars(list); err != nil {
			return o, err
		}
	}
	_, err = sbc.New(o)
	return o, err
}

// scalars fails where a statistic is neither a variable nor one number.
func (b *builder) scalars(list *check.Value) error {
	for _, v := range list.List {
		_, index, _ := strings.Cut(strings.ReplaceAll(v.Expr.Span().Text(), " ", ""), "[")
		if _, variable := v.Expr.(*ast.Ident); variable || elementIndex.MatchString(index) {
			continue // of which all columns count
		}
		if t := b.statistic(v.Expr).Type(); !t.IsScalar() {
			return methodError(v.Expr.Span(), "method-option", "a statistic must be one number, found %s, which is a %s", v.Expr.Span().Text(), t)
		}
	}
	return nil
}

// statistic is an expression in a method of the program, or in one that is not in it.
func (b *builder) statistic(e ast.Expr) ir.Expr {
	info := b.program.Info
	if b.info != nil {
		info = b.info
	}
	return lower.Exprs(b.program.IR, info, Library(), []ast.Expr{e})[0]
}

func (b *builder) sbc(c *check.CheckedMethod, m *Model) (diagnose.Diagnosis, infer.Model, error) {
	o, err := b.sbcOptions(c)
	if err != nil {
		return nil, nil, err
	}
	o.Columns = m.parameterColumns()
	if list := c.Args["statistics"]; list != nil {
		if o.Columns, o.Statistics, err = b.statistics(m, list); err != nil {
			return nil, nil, err
		}
		o.Named = len(o.Columns) + len(o.Statistics)
	}
	from, err := b.generator(c, m)
	if err != nil {
		return nil, nil, err
	}
	d, err := sbc.New(o)
	return d, stated(m.bound, from), err
}

// parameterColumns names the columns of the parameters.
func (m *Model) parameterColumns() []string {
	out := []string{}
	for _, v := range m.Program.IR.Parameters {
		out = append(out, m.columnsOf(v.Name)...)
	}
	return out
}

// columnsOf names the columns of a variable.
func (m *Model) columnsOf(name string) []string {
	var out []string
	for _, c := range m.Columns() {
		if rest, ok := strings.CutPrefix(c, name); ok && (rest == "" || rest[0] == '.' || rest[0] == ':') {
			out = append(out, c)
		}
	}
	return out
}

// elementIndex is what stands behind "[" in the name of an element.
var elementIndex = regexp.MustCompile(`^-?[0-9]+((,|\]\[)-?[0-9]+)*\]$`)

// statistics are what a list of expressions names: columns, by variables or elements with
// whole numbers as indices, and values of other expressions.
func (b *builder) statistics(m *Model, list *check.Value) (columns []string, stats []sbc.Statistic, err error) {
	columns = []string{}
	for _, v := range list.List {
		text := v.Expr.Span().Text()
		base, index, indexed := strings.Cut(strings.ReplaceAll(text, " ", ""), "[")
		name := base
		if indexed {
			name += "." + strings.NewReplacer(",", ".", "][", ".", "]", "").Replace(index)
		}
		if found := m.columnsOf(name); len(found) > 0 {
			for _, c := range found {
				if !slices.Contains(columns, c) {
					columns = append(columns, c)
				}
			}
			continue
		}
		if own := m.columnsOf(base); elementIndex.MatchString(index) && len(own) > 0 {
			return nil, nil, methodError(v.Expr.Span(), "method-option", "there is no such element of %s: its elements are %s to %s", base, own[0], own[len(own)-1])
		}
		stats = append(stats, sbc.Statistic{Name: text, At: valueOf(b.statistic(v.Expr))})
	}
	return columns, stats, nil
}
