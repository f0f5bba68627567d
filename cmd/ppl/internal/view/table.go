// Package view shows fits and findings to people: tables as wide as the terminal, wrapped and coloured words; and as JSON.
package view

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

// A Report is a fit as shown to people and to scripts.
type Report struct {
	Name       string             `json:"name"`
	Method     string             `json:"method"`
	Parameters []draws.Summary    `json:"parameters"`
	Findings   []diagnose.Finding `json:"findings"`
	Evidence   *draws.EstimateRun `json:"log_evidence"`

	Grid    *GridPoint          `json:"grid,omitempty"`
	Normal  *draws.NormalRun    `json:"normal,omitempty"`  // the approximation on the unconstrained scale, where it is one
	Effects []draws.CentringRun `json:"effects,omitempty"` // how location-scale effects were sampled

	Kind draws.Kind
}

// ReportOf is the report of a fit.
func ReportOf(f *lang.Fit) Report {
	r := Report{Name: f.Name, Method: f.Method, Parameters: f.Summaries, Findings: f.Findings, Kind: f.Posterior.Draws.Kind()}
	if e := f.Posterior.LogEvidence; e != nil {
		r.Evidence = &draws.EstimateRun{Value: draws.Number(e.Value), Error: draws.Number(e.Error)}
	}
	if f.Posterior.Fit != nil {
		r.Normal = f.Posterior.Fit.Normal
	}
	if s := f.Posterior.Stopping; s != nil {
		r.Effects = s.Centring
	}
	return r
}

// Variables are the names of the rows that are columns of the model.
func (r Report) Variables() []string {
	var names []string
	for _, s := range r.Parameters {
		if s.Name != draws.LogDensityColumn {
			names = append(names, s.Name)
		}
	}
	return names
}

// WriteReports writes {"fits": [...]}.
func WriteReports(w io.Writer, reports []Report) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Fits []Report `json:"fits"`
	}{reports})
}

// IsBad reports whether a finding of any report is bad.
func IsBad(reports []Report) bool {
	for _, r := range reports {
		if diagnose.Worst(r.Findings) == diagnose.Bad {
			return true
		}
	}
	return false
}

// Text shows a report with at most most rows; 0 means any number.
func (r Report) Text(most int, l Look) string {
	out := r.Table(most, l.Width)
	if r.Evidence != nil {
		place := Decimals(float64(r.Evidence.Error))
		out += fmt.Sprintf("\nlog p(y): %s, standard error %s\n", Fixed(float64(r.Evidence.Value), place), Fixed(float64(r.Evidence.Error), place))
	}
	return problem.Printable(out) + "\n" + l.Findings(r.Findings)
}

// Table shows the parameters' summaries with at most most rows, no wider than width; 0
// means any number.
func (r Report) Table(most, width int) string {
	rows := r.Parameters
	if most > 0 && len(rows) > most {
		rows = rows[:most]
	}
	n := r.Columns()
	text := [][]string{SummaryHeader[:n]}
	for _, s := range rows {
		text = append(text, SummaryRow(s)[:n])
	}
	text, gone := Within(text, width, spare)
	t := NewTable()
	t.AppendHeader(Cells(text[0]))
	for _, row := range text[1:] {
		t.AppendRow(Cells(row))
	}
	out := t.Render() + "\n" + GoneText(gone)
	if hidden := len(r.Parameters) - len(rows); hidden > 0 {
		out += fmt.Sprintf("... and %d more rows; ppl summary of the fit's folder, or --json, shows them all\n", hidden)
	}
	return out
}

// SummaryHeader are the names of the columns of summaries.
var SummaryHeader = []string{"", "mean", "mcse", "sd", "5%", "50%", "95%", "ess_bulk", "ess_tail", "rhat"}

// SummaryRow writes a summary out, each figure with the digits that it deserves.
func SummaryRow(s draws.Summary) []string {
	place := Decimals(s.MCSE)
	return []string{
		s.Name, Fixed(s.Mean, place), Fixed(s.MCSE, place), Fixed(s.SD, place), Fixed(s.Q5, place), Fixed(s.Q50, place), Fixed(s.Q95, place),
		Fixed(s.ESSBulk, 0), Fixed(s.ESSTail, 0), Fixed(s.RHat, 3),
	}
}

// Cells is a row of the terminal's table.
func Cells(text []string) table.Row {
	out := make(table.Row, len(text))
	for i, c := range text {
		out[i] = c
	}
	return out
}

// Columns is how many columns of the table have a meaning for the draws.
func (r Report) Columns() int {
	switch r.Kind {
	case draws.Chains:
		return 10
	case draws.Mode:
		return 2
	}
	return 9 // without R-hat
}

// NewTable makes a table without rules: first column to the left, the rest to the right.
func NewTable() table.Writer {
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

// Decimals is the number of digits behind the point that a quantity with this Monte
// Carlo error deserves: two digits of the error.
func Decimals(mcse float64) int {
	if !(mcse > 0) || math.IsInf(mcse, 0) {
		return -1
	}
	return max(0, 1-int(math.Floor(libm.Log10(mcse))))
}

// Fixed writes x with so many decimals; -1, and numbers that would get long, mean four
// significant digits.
func Fixed(x float64, decimals int) string {
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

// EffectsHead is what the figures of effectsText are.
const EffectsHead = "effects sampled from non-centred (0) to centred (1)"

// EffectsLine says how effects were sampled, after the end of a line; it is empty where there are none.
func (r Report) EffectsLine() string {
	if len(r.Effects) == 0 {
		return ""
	}
	return "\n" + EffectsHead + ": " + r.EffectsText()
}

// EffectsText lists effects with how far they were centred.
func (r Report) EffectsText() string {
	const most = 4
	var list []string
	for i, c := range r.Effects {
		if i == most {
			list = append(list, fmt.Sprintf("and %d more", len(r.Effects)-most))
			break
		}
		text := fmt.Sprintf("%s (written %s) at %g", c.Name, c.Written, float64(c.Least))
		if c.Most != c.Least {
			text += fmt.Sprintf(" to %g", float64(c.Most))
		}
		list = append(list, text)
	}
	text := strings.Join(list, ", ")
	if r.Effects[0].Fixed {
		text += ", as written: it is learned where warmup is not given"
	}
	return text
}
