package main

// This file is ppl check: problems of models, and what the stages made of them.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/describe"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/pass"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// checkCmd checks models.
type checkCmd struct {
	Models []string `arg:"" name:"model" help:"Files of models."`
	Data   string   `placeholder:"FILE" help:"Data as JSON, to look at sizes, constraints and the full conditional of each parameter, too; - is standard input."`
	input.ImputeFlag
	input.SourceFlags
	input.DisableFlag
	Dump     string `placeholder:"STAGE" help:"Print a stage: ast, types, ir, passes (the IR after each rewriting), or graph (the compiled density; needs the data)."`
	Info     bool   `help:"Names, types and functions used, as JSON."`
	JSON     bool   `name:"json" help:"Problems as JSON on standard output, a line for each model; with --data also the full conditionals."`
	Pedantic bool   `help:"Warn of what is allowed and likely to be a mistake, too: missing priors, supports, Jacobians, ..."`
}

// stages are what --dump can show.
var stages = []string{"ast", "types", "ir", "passes", "graph"}

// Help implements kong.HelpProvider.
func (*checkCmd) Help() string {
	return frame.Examples(
		"ppl check model.ppl",
		"ppl check model.ppl --data data.json     # sizes and constraints, too",
		"ppl check model.ppl --dump=ir",
	)
}

// Run checks each model and fails if one has errors.
func (c *checkCmd) Run(a *frame.App) error {
	if c.Data == "-" && len(c.Models) > 1 {
		return frame.Wrongf("standard input can be the data of one model only")
	}
	if c.Dump != "" && !slices.Contains(stages, c.Dump) {
		return frame.Wrongf("--dump: there is no stage %q; there are %s", c.Dump, strings.Join(stages, ", "))
	}
	code := 0
	for _, path := range c.Models {
		err := c.model(a, path)
		if err == nil {
			continue
		}
		var e *frame.Exit
		if !errors.As(err, &e) {
			return err
		}
		code = max(code, frame.CodeOf(err))
		if e.Err != nil {
			a.ShowError(err)
		}
	}
	if code != 0 {
		return &frame.Exit{Code: code}
	}
	return nil
}

// model checks one model.
func (c *checkCmd) model(a *frame.App, path string) error {
	p, err := input.CompileModel(a, path, &c.IncludeFlags)
	if p == nil {
		return frame.Wrong(frame.PlainPath(err))
	}
	found := c.found(p)
	if c.JSON && c.Dump == "" && !c.Info {
		return c.modelJSON(a, p, path, found)
	}
	if err := c.problems(a, found); err != nil {
		return err
	}
	if c.Dump == "ast" {
		if _, err := fmt.Fprint(a.Stdout, ast.Dump(p.AST)); err != nil {
			return err
		}
	}
	if found.HasErrors() {
		return &frame.Exit{Code: frame.ExitWrongInput} // they were shown
	}
	if err := c.stages(a, p); err != nil {
		return err
	}
	return c.bound(a, p, path)
}

// modelJSON prints one line about a model.
func (c *checkCmd) modelJSON(a *frame.App, p *lang.Program, path string, found *problem.List) error {
	var text bytes.Buffer
	if err := problem.WriteJSON(&text, found, problem.Options{}); err != nil {
		return err
	}
	line := struct {
		Model        string                 `json:"model"`
		Problems     json.RawMessage        `json:"problems"`
		More         int                    `json:"more"` // problems that are not shown
		Conditionals []describe.Conditional `json:"conditionals,omitempty"`
		Effects      []describe.Effect      `json:"effects,omitempty"`
	}{Model: path}
	if err := json.Unmarshal(text.Bytes(), &line); err != nil {
		return err
	}
	var failed error
	switch {
	case found.HasErrors():
		failed = &frame.Exit{Code: frame.ExitWrongInput} // they are in the line
	case c.Data != "":
		var m *lang.Model
		if m, failed = input.BindModel(context.Background(), a, p, &input.DataSource{Path: c.Data, Quiet: c.Quiet}, c.options()); failed == nil {
			line.Conditionals, line.Effects = describe.ConditionalsOf(m), describe.EffectsOf(m)
		}
	}
	enc := json.NewEncoder(a.Stdout)
	enc.SetEscapeHTML(false)
	return errors.Join(enc.Encode(line), failed)
}

func (c *checkCmd) options() lang.BindOptions {
	return lang.BindOptions{Seed: c.SeedOr(1), Without: c.Disable}
}

// found are errors and warnings, as far as they show without data.
func (c *checkCmd) found(p *lang.Program) *problem.List {
	var list problem.List
	list.Append(p.Problems())
	if c.Pedantic {
		list.Append(p.Lint())
	}
	var method *lang.MethodError
	if c.Data == "" && errors.As(p.CheckMethods(), &method) {
		list.Add(method.Problem)
	}
	return &list
}

// problems shows errors and warnings.
func (c *checkCmd) problems(a *frame.App, list *problem.List) error {
	if c.JSON {
		return problem.WriteJSON(a.Stdout, list, problem.Options{})
	}
	var b strings.Builder
	_ = problem.WriteText(&b, list, problem.Options{}) // a Builder does not fail
	a.Stderr.Text(b.String())
	return nil
}

// stages prints what is asked for of a program without errors.
func (c *checkCmd) stages(a *frame.App, p *lang.Program) error {
	var err error
	switch c.Dump {
	case "types":
		_, err = fmt.Fprint(a.Stdout, describe.TypesText(p.Info))
	case "ir":
		_, err = fmt.Fprint(a.Stdout, ir.Dump(p.IR))
	case "passes":
		_, err = pass.Run(p.IR, lang.Library(), pass.Options{After: func(s pass.Pass, q *ir.Program) error {
			_, err := fmt.Fprintf(a.Stdout, "after %s: %s\n%s", s.Name, s.Doc, ir.Dump(q))
			return err
		}})
	}
	if err == nil && c.Info {
		err = describe.WriteInfo(a.Stdout, p.Info)
	}
	return err
}

// withoutData shows the full conditionals of a program that neither has data nor computes
// any.
func (c *checkCmd) withoutData(a *frame.App, p *lang.Program, path string) error {
	if p.NeedsData() || p.AST.TransformedData != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), a.Patience)
	defer cancel()
	m, err := input.BindModel(ctx, a, p, &input.DataSource{}, c.options())
	if err == nil {
		err = describe.WriteConditionals(a.Stdout, path, m)
	}
	if ctx.Err() != nil {
		a.Remarks(c.Quiet)(fmt.Sprintf("%s: full conditionals are not shown: to evaluate the model takes more than %v", path, a.Patience))
		return nil
	}
	return err
}

// bound joins the model with its data where these are asked for.
func (c *checkCmd) bound(a *frame.App, p *lang.Program, path string) error {
	quiet := c.JSON || c.Info || c.Dump != "" || c.Quiet
	if c.Data == "" && c.Dump != "graph" {
		if !quiet {
			if _, err := fmt.Fprintf(a.Stdout, "%s: no errors\n", path); err != nil {
				return err
			}
			ok, problems := p.Generative()
			if err := writeGenerative(a.Stdout, path, ok, problems); err != nil {
				return err
			}
			return c.withoutData(a, p, path)
		}
		return nil
	}
	from := &input.DataSource{Path: c.Data, Quiet: c.Quiet, Impute: c.Impute}
	if c.Data == "" {
		from = (&input.ModelFlags{ImputeFlag: c.ImputeFlag, SourceFlags: c.SourceFlags}).DataSource(a, p, path)
	}
	m, err := input.BindModel(context.Background(), a, p, from, c.options())
	if err != nil {
		return err
	}
	if c.Dump == "graph" {
		text, err := m.Bound().DumpGraph(make([]float64, m.Dim()))
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(a.Stdout, text)
		return err
	}
	if err := m.CheckMethods(); err != nil {
		return frame.Wrong(err)
	}
	if quiet {
		return nil
	}
	_, err = fmt.Fprintf(a.Stdout, "%s: no errors; %d unconstrained parameters, %d values a draw\n", path, m.Dim(), len(m.Columns()))
	if err != nil {
		return err
	}
	if err := checkGenerative(a, path, m, c.SeedOr(1)); err != nil {
		return err
	}
	return describe.WriteConditionals(a.Stdout, path, m)
}
