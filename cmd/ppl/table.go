package main

// This file shows summaries and findings, as tables and as JSON.

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// A report is a fit as shown to people and to scripts.
type report struct {
	Name       string             `json:"name"`
	Method     string             `json:"method"`
	Parameters []draws.Summary    `json:"parameters"`
	Findings   []diagnose.Finding `json:"findings"`
	Evidence   *draws.EstimateRun `json:"log_evidence"`

	Grid    *gridPoint          `json:"grid,omitempty"`
	Effects []draws.CentringRun `json:"effects,omitempty"` // how location-scale effects were sampled

	kind draws.Kind
}

// reportOf is the report of a fit.
func reportOf(f *lang.Fit) report {
	r := report{Name: f.Name, Method: f.Method, Parameters: f.Summaries, Findings: f.Findings, kind: f.Posterior.Draws.Kind()}
	if e := f.Posterior.LogEvidence; e != nil {
		r.Evidence = &draws.EstimateRun{Value: draws.Number(e.Value), Error: draws.Number(e.Error)}
	}
	if s := f.Posterior.Stopping; s != nil {
		r.Effects = s.Centring
	}
	return r
}

// variables are the names of the rows that are columns of the model.
func (r report) variables() []string {
	var names []string
	for _, s := range r.Parameters {
		if s.Name != draws.LogDensityColumn {
			names = append(names, s.Name)
		}
	}
	return names
}

// writeReports writes {"fits": [...]}.
func writeReports(w io.Writer, reports []report) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Fits []report `json:"fits"`
	}{reports})
}

// isBad reports whether a finding of any report is bad.
func isBad(reports []report) bool {
	for _, r := range reports {
		if diagnose.Worst(r.Findings) == diagnose.Bad {
			return true
		}
	}
	return false
}

// text shows a report with at most most rows; 0 means any number.
func (r report) text(most int, l look) string {
	out := r.table(most, l.width)
	if r.Evidence != nil {
		place := decimals(float64(r.Evidence.Error))
		out += fmt.Sprintf("\nlog p(y): %s, standard error %s\n", fixed(float64(r.Evidence.Value), place), fixed(float64(r.Evidence.Error), place))
	}
	return problem.Printable(out) + "\n" + l.findings(r.Findings)
}

// table shows the parameters' summaries with at most most rows, no wider than width; 0
// means any number.
func (r report) table(most, width int) string {
	rows := r.Parameters
	if most > 0 && len(rows) > most {
		rows = rows[:most]
	}
	n := r.columns()
	text := [][]string{summaryHeader[:n]}
	for _, s := range rows {
		text = append(text, summaryRow(s)[:n])
	}
	text, gone := within(text, width, spare)
	t := newTable()
	t.AppendHeader(cells(text[0]))
	for _, row := range text[1:] {
		t.AppendRow(cells(row))
	}
	out := t.Render() + "\n" + goneText(gone)
	if hidden := len(r.Parameters) - len(rows); hidden > 0 {
		out += fmt.Sprintf("... and %d more rows; ppl summary of the fit's folder, or --json, shows them all\n", hidden)
	}
	return out
}

// summaryHeader are the names of the columns of summaries.
var summaryHeader = []string{"", "mean", "mcse", "sd", "5%", "50%", "95%", "ess_bulk", "ess_tail", "rhat"}

// summaryRow writes a summary out, each figure with the digits that it deserves.
func summaryRow(s draws.Summary) []string {
	place := decimals(s.MCSE)
	return []string{
		s.Name, fixed(s.Mean, place), fixed(s.MCSE, place), fixed(s.SD, place), fixed(s.Q5, place), fixed(s.Q50, place), fixed(s.Q95, place),
		fixed(s.ESSBulk, 0), fixed(s.ESSTail, 0), fixed(s.RHat, 3),
	}
}

// cells is a row of the terminal's table.
func cells(text []string) table.Row {
	out := make(table.Row, len(text))
	for i, c := range text {
		out[i] = c
	}
	return out
}

// columns is how many columns of the table have a meaning for the draws.
func (r report) columns() int {
	switch r.kind {
	case draws.Chains:
		return 10
	case draws.Mode:
		return 2
	}
	return 9 // without R-hat
}

// newTable makes a table without rules: first column to the left, the rest to the right.
func newTable() table.Writer {
	t := table.NewWriter()
	style := table.StyleDefault
	style.Options = table.OptionsNoBordersAndSeparators
	style.Format.Header = text.FormatDefault
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	// Cells are as wide as they are shown: the table takes a terminal's codes to have no width.
	shown := func(cell any) string { return problem.Printable(fmt.Sprint(cell)) }
	columns := []table.ColumnConfig{{Number: 1, Transformer: shown}}
	for i := 2; i <= 10; i++ {
		columns = append(columns, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight, Transformer: shown})
	}
	t.SetColumnConfigs(columns)
	return t
}

// decimals is the number of digits behind the point that a quantity with this Monte
// Carlo error deserves: two digits of the error.
func decimals(mcse float64) int {
	if !(mcse > 0) || math.IsInf(mcse, 0) {
		return -1
	}
	return max(0, 1-int(math.Floor(libm.Log10(mcse))))
}

// fixed writes x with so many decimals; -1, and numbers that would get long, mean four
// significant digits.
func fixed(x float64, decimals int) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case decimals < 0 || decimals > 8 || math.Abs(x) >= 1e9:
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	text := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}
