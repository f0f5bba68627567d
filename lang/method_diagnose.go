package lang

// This file builds the diagnoses bread and sbc.

import (
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/bread"
	"github.com/seed-12b88e03/ppl/diagnose/sbc"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/source"
)

func (b *builder) bread(c *check.CheckedMethod, m *Model) (diagnose.Diagnosis, infer.Model, error) {
	var kernel infer.Markov
	var err error
	if c.Inner.Gives&check.GivesKernel != 0 {
		kernel, err = b.kernel(c.Inner)
	} else {
		kernel, err = nuts.New(nuts.DefaultOptions())
	}
	if err != nil {
		return nil, nil, err
	}
	o := bread.DefaultOptions(kernel)
	if c.Inner.Gives&check.GivesKernel == 0 {
		if o.From, err = b.build(withDensity(c.Inner)); err != nil {
			return nil, nil, err
		}
		o.Method = o.From
	}
	model, err := b.generator(c, m)
	if err != nil {
		return nil, nil, err
	}
	o.Steps = nil
	for _, v := range c.Args["steps"].List {
		o.Steps = append(o.Steps, v.Int)
	}
	o.Chains, o.Schedule, o.Datasets, o.Data = c.Int("chains"), c.Text("schedule"), c.Int("datasets"), c.Text("data")
	o.Bad, o.Warning = c.Real("bad"), c.Real("warning")
	if o.Data == "fitted" {
		return nil, nil, methodError(c.Args["data"].Loc, "method-not-available", "this version cannot run bread with data = \"fitted\" yet; it runs \"simulated\" and \"given\"")
	}
	if c.Has("start") {
		if o.Start, err = m.readStart(c.Args["start"]); err != nil {
			return nil, nil, err
		}
	}
	d, err := bread.New(o)
	return d, jointFor(kernel, model), err
}

// jointFor is the form of the model that a kernel moves on.
func jointFor(kernel infer.Markov, m *bind.Model) infer.Model {
	if _, ok := kernel.(jointMethod); ok {
		return m.Joint()
	}
	return m
}

// readStart reads exact posterior draws from the file that an option names.
func (m *Model) readStart(v *check.Value) ([][]float64, error) {
	sets, err := data.ReadAllFile(v.Text, nil)
	if err != nil {
		return nil, methodError(v.Loc, "method-option", "start: %v", err)
	}
	var out [][]float64
	for _, set := range sets {
		q, err := m.Point(set)
		if err != nil {
			return nil, methodError(v.Loc, "method-option", "start: %v", err)
		}
		out = append(out, q)
	}
	return out, nil
}

func (b *builder) sbc(c *check.CheckedMethod, m *Model) (diagnose.Diagnosis, infer.Model, error) {
	inner, err := b.build(c.Inner)
	if err != nil {
		return nil, nil, err
	}
	o := sbc.DefaultOptions(inner)
	o.Replications, o.Draws, o.Bins = c.Int("replications"), c.Int("draws"), c.Int("bins")
	o.Bad, o.Warning = c.Real("bad"), c.Real("warning")
	o.Columns = m.parameterColumns()
	if list := c.Args["statistics"]; list != nil {
		if o.Columns, err = m.namedColumns(list); err != nil {
			return nil, nil, err
		}
	}
	from, err := b.generator(c, m)
	if err != nil {
		return nil, nil, err
	}
	d, err := sbc.New(o)
	if from != m.bound {
		return d, exchanged{m.bound, from}, err
	}
	return d, m.bound, err
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

// namedColumns are the columns that a list of statistics names: variables, or elements
// with whole numbers as indices.
func (m *Model) namedColumns(list *check.Value) ([]string, error) {
	var out []string
	for _, v := range list.List {
		text := v.Expr.Span().Text()
		name, index, indexed := strings.Cut(strings.ReplaceAll(text, " ", ""), "[")
		if indexed {
			name += "." + strings.NewReplacer(",", ".", "][", ".", "]", "").Replace(index)
		}
		columns := m.columnsOf(name)
		if len(columns) == 0 {
			return nil, notAColumn(v.Expr.Span(), text)
		}
		for _, c := range columns {
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out, nil
}

func notAColumn(at source.Span, text string) error {
	return methodError(at, "method-not-available",
		"this version can rank parameters, transformed parameters and their elements only, found %s; define it in transformed parameters and name it here", text)
}
