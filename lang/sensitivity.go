package lang

// This file measures how far a posterior depends on its priors and its likelihood, and shows what other priors
// would make of it.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/loo"
	"github.com/seed-12b88e03/ppl/diagnose/sensitivity"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/ir/bind"
)

// SensitivityOptions are the settings of Sensitivity.
type SensitivityOptions struct {
	Variables []string // to be measured; all parameters where there are none
	// Priors are the lines of the statements that count as priors together. Where there are
	// none these are the statements of the prior but those that tie several parameters to each
	// other, such as theta ~ normal(mu, tau), which are a part of the model.
	Priors   []int
	Seed     uint64 // of fits where weights do not hold
	Jobs     int    // chains at work at the same time; 0 means one
	Observer infer.Observer
}

// Sensitivity measures how far variables of a fit depend on the priors, the likelihood
// and each statement of the prior, by power-scaling (package diagnose/sensitivity). The errors are
// those of Generate, and of a model whose prior cannot be told from the likelihood.
func (m *Model) Sensitivity(ctx context.Context, fit *draws.Draws, o SensitivityOptions) (*diagnose.Verdict, error) {
	fit = fit.Balanced().AtHand(loo.MostDraws)
	if fit.Total() == 0 {
		return nil, errors.New("the fit has no draws")
	}
	names, err := m.sensitive(fit, o.Variables)
	if err != nil {
		return nil, err
	}
	d, err := m.divide(ctx, fit, o)
	if err != nil {
		return nil, err
	}
	r, err := sensitivity.Of(fit, names, d.parts)
	if err != nil {
		return nil, err
	}
	scaled, err := r.Scale(fit, func(power float64) (*draws.Draws, error) { return d.refit(ctx, power, o) })
	if err != nil {
		return nil, err
	}
	return r.Verdict(scaled), nil
}

// sensitive are the columns of the variables that are measured.
func (m *Model) sensitive(fit *draws.Draws, variables []string) ([]string, error) {
	if len(variables) == 0 {
		return m.ParameterColumns(), nil
	}
	only, err := fit.Only(variables)
	if err != nil {
		return nil, err
	}
	return only.Columns(), nil
}

// A divided is a density in parts.
type divided struct {
	model      *Model
	statements *bind.Statements
	priors     []bool // which statements count as priors together
	parts      []sensitivity.Part
}

// refit fits the model with its priors raised to a power.
func (d *divided) refit(ctx context.Context, power float64, o SensitivityOptions) (*draws.Draws, error) {
	powers := make([]float64, len(d.statements.List))
	for i := range powers {
		if powers[i] = 1; d.priors[i] {
			powers[i] = power
		}
	}
	post, err := d.model.refit(ctx, d.statements.Powered(powers), infer.Options{Seed: o.Seed, Jobs: o.Jobs, Observer: o.Observer})
	if err != nil {
		return nil, err
	}
	return post.Draws.Balanced(), nil
}

// divide evaluates the priors together, the likelihood, and each statement of the prior, at the draws
// of a fit.
func (m *Model) divide(ctx context.Context, fit *draws.Draws, o SensitivityOptions) (*divided, error) {
	at, err := m.parametersIn(fit)
	if err != nil {
		return nil, err
	}
	q, err := m.bound.UnconstrainRow(draws.Picked(fit.Row(0, 0), at))
	if err != nil {
		return nil, atDraw(0, 0, err)
	}
	if err := bind.Unscaled(m.bound); err != nil {
		return nil, err
	}
	d := &divided{model: m}
	if d.statements, err = m.bound.NewStatements(q); err != nil {
		return nil, err
	}
	if d.priors, err = m.choosePriors(d.statements.List, o.Priors); err != nil {
		return nil, err
	}
	logs, err := d.evaluate(ctx, fit, at, o.Jobs)
	if err != nil {
		return nil, err
	}
	last := len(logs) - 1
	d.parts = []sensitivity.Part{{Name: "all priors", Log: zeros(fit)}, {Name: "the likelihood", Log: logs[last]}}
	for i, s := range d.statements.List[:last] {
		if d.priors[i] {
			addTo(d.parts[sensitivity.PriorPart].Log, logs[i])
		}
		if !s.At.IsZero() && !bind.OfMissing(m.bound, s) {
			d.parts = append(d.parts, sensitivity.Part{Name: oneLine(s.At.Text()), Line: s.At.Position().Line, Log: logs[i]})
		}
	}
	return d, nil
}

// choosePriors are the statements that count as priors together.
func (m *Model) choosePriors(list []bind.Statement, lines []int) ([]bool, error) {
	out, known := make([]bool, len(list)), []int{}
	for i, s := range list {
		switch {
		case s.Likelihood, bind.OfMissing(m.bound, s):
		case s.At.IsZero():
			out[i] = true
		default:
			line := s.At.Position().Line
			known = append(known, line)
			out[i] = slices.Contains(lines, line) || len(lines) == 0 && len(s.Parameters) == 1
		}
	}
	for _, line := range lines {
		if !slices.Contains(known, line) {
			return nil, &LineError{line, known}
		}
	}
	return out, nil
}

// A LineError says that no statement of the prior stands in a line.
type LineError struct {
	Line  int
	Known []int // lines with such statements
}

// Error names the lines that have some.
func (e *LineError) Error() string {
	return fmt.Sprintf("there is no statement of the prior in line %d; there are some in lines %s", e.Line, strings.Trim(fmt.Sprint(e.Known), "[]"))
}

// evaluate returns the log density of each statement at each draw of each chain.
func (d *divided) evaluate(ctx context.Context, fit *draws.Draws, at []int, jobs int) ([][][]float64, error) {
	m, statements := d.model, d.statements
	list := statements.List
	logs := make([][][]float64, len(list))
	for i := range logs {
		logs[i] = make([][]float64, fit.Chains())
	}
	err := m.eachChain(ctx, fit, jobs, func(chain int) error {
		e, out := statements.NewEvaluator(), make([]float64, len(list))
		for i := range fit.Len(chain) {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			q, err := m.bound.UnconstrainRow(draws.Picked(fit.Row(chain, i), at))
			if err == nil {
				err = e.Log(q, out)
			}
			if err != nil {
				return atDraw(chain, i, err)
			}
			for k, x := range out {
				logs[k][chain] = append(logs[k][chain], x)
			}
		}
		return nil
	})
	return logs, err
}

func zeros(fit *draws.Draws) [][]float64 {
	out := make([][]float64, fit.Chains())
	for c := range out {
		out[c] = make([]float64, fit.Len(c))
	}
	return out
}

func addTo(sum, x [][]float64) {
	for c := range sum {
		for i, v := range x[c] {
			sum[c][i] += v
		}
	}
}

// oneLine is text without line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// SwapPriors compares a fit with what it would be under other priors, such as
// "tau ~ normal(0, 1);", by prior_swap or, where its checks do not find the answer good, by a fit: a table of moments, and what was found beside. The errors
// are those of MethodOn and Run.
func (m *Model) SwapPriors(ctx context.Context, fit *draws.Draws, priors string, o SensitivityOptions) (*diagnose.Verdict, error) {
	names, err := m.sensitive(fit, o.Variables)
	if err != nil {
		return nil, err
	}
	text := strings.TrimSpace(priors)
	if !strings.HasSuffix(text, ";") {
		text += ";"
	}
	method, err := m.Program.MethodOn(&Earlier{Draws: fit}, "prior_swap() { "+text+" }")
	if err != nil {
		return nil, err
	}
	swapped, err := m.Run(ctx, method, RunOptions{Seed: o.Seed, Jobs: o.Jobs, Observer: o.Observer})
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	v := &diagnose.Verdict{Directive: "prior_swap() { " + text + " }", Kind: "swap", Summary: "Under these priors in place of the model's:"}
	by := method.Name()
	if diagnose.Worst(swapped.Findings) != diagnose.Good {
		again, err := m.fitSwapped(ctx, method, o)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err == nil:
			v.Summary = "Under these priors in place of the model's, by a fit of the model with them, since what prior_swap made of the draws was not confirmed:"
			swapped, by = again, "nuts"
		}
	}
	v.Severity = diagnose.Worst(swapped.Findings)
	table := diagnose.Table{Header: []string{"variable", "as fitted: mean", "sd", "swapped: mean", "sd", "shift, in sds"}}
	before, after := rowsByName(fit.Summaries()), rowsByName(swapped.Summaries)
	for _, name := range names {
		a, b := before[name], after[name]
		table.Rows = append(table.Rows, []string{
			name, fmt.Sprintf("%.4g", a.Mean), fmt.Sprintf("%.4g", a.SD), fmt.Sprintf("%.4g", b.Mean), fmt.Sprintf("%.4g", b.SD),
			fmt.Sprintf("%+.2f", (b.Mean-a.Mean)/a.SD),
		})
	}
	v.Tables = []diagnose.Table{table}
	v.Figures = diagnose.FitFigures{Fit: by, Findings: swapped.Findings}
	return v, nil
}

// fitSwapped fits the model with the priors that a method exchanges.
func (m *Model) fitSwapped(ctx context.Context, method *Method, o SensitivityOptions) (*Fit, error) {
	b := &builder{outermost: method.checked, program: m.Program, info: method.info}
	s, err := m.bound.Swap(b.lowered(method.checked), weighsDraws(method.checked))
	if err != nil {
		return nil, err
	}
	sampler, err := m.Program.Method("nuts()")
	if err != nil {
		return nil, err
	}
	bound := s.Model().(*bind.Model)
	to := &Model{Program: m.Program, bound: bound}
	to.free.New = func() any { return bound.NewEvaluator() }
	return to.Run(ctx, sampler, RunOptions{Seed: o.Seed, Jobs: o.Jobs, Observer: o.Observer})
}

func rowsByName(rows []draws.Summary) map[string]draws.Summary {
	out := map[string]draws.Summary{}
	for _, r := range rows {
		out[r.Name] = r
	}
	return out
}
