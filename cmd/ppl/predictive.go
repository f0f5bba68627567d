package main

// This file is ppl simulate --check: statistics of the data beside those of simulated data
// sets.

import (
	"encoding/json"
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/console"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// checkReplications is how many data sets a check draws by itself.
const checkReplications = 1000

// compare draws the data sets and prints the check.
func (c *simulateCmd) compare(a *frame.App, m *lang.Model, sims simulations) error {
	observed := draws.ByVariable(m.Known())
	replicated := map[string][][]float64{}
	for i := range sims.n {
		s, err := sims.draw(i)
		if err != nil {
			return err
		}
		for name, x := range draws.ByVariable(s.Known()) {
			replicated[name] = append(replicated[name], x)
		}
	}
	var checks []diagnose.PredictiveCheck
	columns, _ := m.Known()
	for _, v := range draws.Bases(columns) {
		checks = append(checks, diagnose.ComparePredictive(v, observed[v], replicated[v])...)
	}
	if len(checks) == 0 {
		return frame.Wrongf("%s: the model has no observations to compare", c.Model)
	}
	if c.JSON {
		enc := json.NewEncoder(a.Stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(struct {
			Replications int                        `json:"replications"`
			Checks       []diagnose.PredictiveCheck `json:"checks"`
		}{sims.n, checks})
	}
	return c.show(a, sims.n, checks)
}

// show prints the check for people.
func (c *simulateCmd) show(a *frame.App, n int, checks []diagnose.PredictiveCheck) error {
	from := "the prior"
	if c.Fit != "" {
		from = c.Fit
	}
	t := view.NewTable()
	t.AppendHeader(table.Row{"", "observed", "mean", "5%", "95%", "p"})
	short := func(x draws.Number) string { return view.Fixed(float64(x), -1) }
	for _, k := range checks {
		t.AppendRow(table.Row{k.Statistic + " of " + k.Name, short(k.Observed), short(k.Mean), short(k.Q5), short(k.Q95), view.Fixed(float64(k.P), 3)})
	}
	_, err := fmt.Fprintf(a.Stdout, "%s simulated from %s\n\n%s\n\np is the share of simulated data sets with a larger statistic than the observed one; near 0 or 1\nthe model does not produce data like these.\n",
		console.Plural(n, "data set"), from, t.Render())
	return err
}
