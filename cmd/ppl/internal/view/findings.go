package view

// This file shows findings and verdicts in words: wrapped and coloured at a terminal.

import (
	"fmt"
	"math"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// ColorFlag reports whether severities are coloured.
type ColorFlag struct {
	Color string `enum:"auto,always,never" default:"auto" placeholder:"auto|always|never" help:"Colour severities; auto, as without it: at a terminal, unless NO_COLOR is set."`
}

// A Look is how text is shown to people.
type Look struct {
	Width  int  // of a line; 0: as long as it gets
	Colour bool // of severities
	Brief  bool // one line for all findings where all is well
}

// Whole is the look with a line for each finding.
func (l Look) Whole() Look {
	l.Brief = false
	return l
}

// Margin is the width of the column of severities.
const Margin = 9

// colour is that of a severity.
func colour(s diagnose.Severity) text.Color {
	switch s {
	case diagnose.Good:
		return text.FgGreen
	case diagnose.Warning:
		return text.FgYellow
	case diagnose.Bad:
		return text.FgRed
	}
	return text.Faint
}

// Label is the word for a severity, filled up to the margin.
func (l Look) Label(s diagnose.Severity) string {
	word, fill := string(s), strings.Repeat(" ", max(1, Margin-len(s)))
	if l.Colour {
		word = colour(s).EscapeSeq() + word + text.EscapeReset
	}
	return word + fill
}

// Paragraph is a text right of the margin, with what stands in the margin of its first line.
// Lines end between words.
func (l Look) Paragraph(head, body string) string {
	body = problem.Printable(body)
	if room := l.Width - Margin; l.Width > 0 && room >= 20 {
		lines := strings.Split(text.WrapSoft(body, room), "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		body = strings.Join(lines, "\n"+strings.Repeat(" ", Margin))
	}
	return head + body + "\n"
}

// Note is a paragraph without a head.
func (l Look) Note(body string) string { return l.Paragraph(strings.Repeat(" ", Margin), body) }

// Findings shows findings: those passed on one line each, the others with the bound that was
// missed and what helps. Where all is well one line says so, if the look is brief.
func (l Look) Findings(findings []diagnose.Finding) string {
	if l.Brief && len(findings) > 1 && allGood(findings) {
		return l.Paragraph(l.Label(diagnose.Worst(findings)), fmt.Sprintf("All %d checks of the fit passed: %s", len(findings), namesOf(findings)))
	}
	var b strings.Builder
	for _, f := range findings {
		b.WriteString(l.Paragraph(l.Label(f.Severity), fmt.Sprintf("%s (%s)", strings.TrimSuffix(f.Meaning, "."), FindingFigure(f))))
		if f.Remedy != "" {
			b.WriteString(l.Note(f.Remedy))
		}
	}
	return b.String()
}

func allGood(findings []diagnose.Finding) bool {
	for _, f := range findings {
		if f.Severity != diagnose.Good {
			return false
		}
	}
	return true
}

// namesOf lists what was checked.
func namesOf(findings []diagnose.Finding) string {
	names := make([]string, len(findings))
	for i, f := range findings {
		names[i] = strings.ReplaceAll(f.Name, "_", " ")
		if spoken, ok := spokenNames[f.Name]; ok {
			names[i] = spoken
		}
	}
	return strings.Join(names, ", ")
}

// spokenNames are the names of checks that are written otherwise in a text.
var spokenNames = map[string]string{"rhat": "R-hat", "e_bfmi": "E-BFMI", "ess_bulk": "bulk ESS", "ess_tail": "tail ESS"}

// FindingFigure is what was measured, with the bound if it was missed.
func FindingFigure(f diagnose.Finding) string {
	text := f.Quantity
	if !math.IsNaN(float64(f.Value)) {
		text += ": " + Fixed(float64(f.Value), findingDecimals(f))
	}
	if f.Severity != diagnose.Good && !math.IsNaN(float64(f.Threshold)) {
		text += ", bound " + Fixed(float64(f.Threshold), boundDecimals(f))
	}
	return text
}

// findingDecimals shows counts as whole numbers.
func findingDecimals(f diagnose.Finding) int {
	if isWhole(f.Value) && isWhole(f.Threshold) || math.Abs(float64(f.Value)) >= 100 {
		return 0
	}
	return 3
}

// boundDecimals shows a bound as its value, but for numbers such as 400.
func boundDecimals(f diagnose.Finding) int {
	if isWhole(f.Threshold) && math.Abs(float64(f.Threshold)) >= 100 {
		return 0
	}
	return findingDecimals(f)
}

func isWhole(x draws.Number) bool { return float64(x) == math.Trunc(float64(x)) }
