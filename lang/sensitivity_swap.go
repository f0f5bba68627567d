package lang

// This file shows what other priors would make of a fit.

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// SwapPriors compares a fit with what it would be under other priors, such as
// "tau ~ normal(0, 1);", by prior_swap: a table of moments, and what its checks found beside. The errors
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
	v := &diagnose.Verdict{Directive: "prior_swap() { " + text + " }", Kind: "swap", Severity: diagnose.Worst(swapped.Findings)}
	v.Summary = "Under these priors in place of the model's:"
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
	v.Figures = diagnose.FitFigures{Fit: method.Name(), Findings: swapped.Findings}
	return v, nil
}

func rowsByName(rows []draws.Summary) map[string]draws.Summary {
	out := map[string]draws.Summary{}
	for _, r := range rows {
		out[r.Name] = r
	}
	return out
}
