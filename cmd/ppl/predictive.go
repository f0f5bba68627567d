package main

// This file is ppl simulate --check: statistics of the data beside those of simulated data
// sets.

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/lang"
)

// checkReplications is how many data sets a check draws by itself.
const checkReplications = 1000

// A predictiveCheck compares one statistic of an observed variable.
type predictiveCheck struct {
	Name      string       `json:"name"`
	Statistic string       `json:"statistic"`
	Observed  draws.Number `json:"observed"`
	Mean      draws.Number `json:"mean"` // over the simulated data sets, as the quantiles
	Q5        draws.Number `json:"q5"`
	Q95       draws.Number `json:"q95"`
	// P is the share of simulated data sets whose statistic is larger than the observed
	// one; of those where it is equal half counts.
	P draws.Number `json:"p"`
}

// statistics are those that are compared, over all numbers of a variable.
var statistics = []struct {
	name string
	of   func(x []float64) float64
}{
	{"mean", func(x []float64) float64 { return draws.Mean([][]float64{x}) }},
	{"sd", func(x []float64) float64 { return draws.SD([][]float64{x}) }},
	{"min", slices.Min[[]float64]},
	{"median", func(x []float64) float64 { return draws.Quantile(draws.Sorted([][]float64{x}), 0.5) }},
	{"max", slices.Max[[]float64]},
}

// compare draws the data sets and prints the check.
func (c *simulateCmd) compare(a *app, m *lang.Model, sims simulations) error {
	observed := byVariable(m.Observed())
	replicated := map[string][][]float64{}
	for i := range sims.n {
		s, err := sims.draw(i)
		if err != nil {
			return err
		}
		for name, x := range byVariable(bind.Numbers(s.Drawn.Observations)) {
			replicated[name] = append(replicated[name], x)
		}
	}
	var checks []predictiveCheck
	columns, _ := m.Observed()
	for _, v := range variableNames(columns) {
		checks = append(checks, compared(v, observed[v], replicated[v])...)
	}
	if len(checks) == 0 {
		return wrongf("%s: the model has no observations to compare", c.Model)
	}
	if c.JSON {
		enc := json.NewEncoder(a.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(struct {
			Replications int               `json:"replications"`
			Checks       []predictiveCheck `json:"checks"`
		}{sims.n, checks})
	}
	return c.show(a, sims.n, checks)
}

// variableNames are the variables of columns, each once.
func variableNames(columns []string) []string {
	var out []string
	for _, c := range columns {
		if base := draws.Base(c); !slices.Contains(out, base) {
			out = append(out, base)
		}
	}
	return out
}

// byVariable gathers the numbers of each variable.
func byVariable(columns []string, x []float64) map[string][]float64 {
	out := map[string][]float64{}
	for i, c := range columns {
		base := draws.Base(c)
		out[base] = append(out[base], x[i])
	}
	return out
}

// compared compares a variable. A single number is its own only statistic.
func compared(name string, observed []float64, replicated [][]float64) []predictiveCheck {
	var out []predictiveCheck
	for _, s := range statistics {
		of, label := s.of, s.name
		if len(observed) == 1 {
			of, label = func(x []float64) float64 { return x[0] }, "value"
		}
		t, sims := of(observed), make([]float64, len(replicated))
		larger := 0.0
		for i, x := range replicated {
			sims[i] = of(x)
			switch {
			case sims[i] > t:
				larger++
			case sims[i] == t:
				larger += 0.5
			}
		}
		if n := float64(len(sims)); n > 0 && !math.IsNaN(t) {
			larger /= n
		} else {
			larger = math.NaN()
		}
		sorted := draws.Sorted([][]float64{sims})
		out = append(out, predictiveCheck{
			Name: name, Statistic: label, Observed: draws.Number(t), Mean: draws.Number(draws.Mean([][]float64{sims})),
			Q5: draws.Number(draws.Quantile(sorted, 0.05)), Q95: draws.Number(draws.Quantile(sorted, 0.95)), P: draws.Number(larger),
		})
		if len(observed) == 1 {
			break
		}
	}
	return out
}

// show prints the check for people.
func (c *simulateCmd) show(a *app, n int, checks []predictiveCheck) error {
	from := "the prior"
	if c.Fit != "" {
		from = c.Fit
	}
	t := newTable()
	t.AppendHeader(table.Row{"", "observed", "mean", "5%", "95%", "p"})
	short := func(x draws.Number) string { return fixed(float64(x), -1) }
	for _, k := range checks {
		t.AppendRow(table.Row{k.Statistic + " of " + k.Name, short(k.Observed), short(k.Mean), short(k.Q5), short(k.Q95), fixed(float64(k.P), 3)})
	}
	_, err := fmt.Fprintf(a.stdout, "%s simulated from %s\n\n%s\n\np is the share of simulated data sets with a larger statistic than the observed one; near 0 or 1\nthe model does not produce data like these.\n",
		plural(n, "data set"), from, t.Render())
	return err
}
