package main

// This file shows findings and verdicts in words: wrapped and coloured at a terminal.

import (
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// colorFlag reports whether severities are coloured.
type colorFlag struct {
	Color string `enum:"auto,always,never" default:"auto" placeholder:"auto|always|never" help:"Colour severities; auto, as without it: at a terminal, unless NO_COLOR is set."`
}

// A look is how text is shown to people.
type look struct {
	width  int  // of a line; 0: as long as it gets
	colour bool // of severities
	brief  bool // one line for all findings where all is well
}

// look is that of standard output. Text made with it is printable but for its own colours, and
// is written to raw.
func (a *app) look(color string) look {
	terminal := isTerminal(a.raw)
	return look{
		width: a.width(), brief: terminal,
		colour: color == "always" || color != "never" && terminal && os.Getenv("NO_COLOR") == "",
	}
}

// whole is the look with a line for each finding.
func (l look) whole() look {
	l.brief = false
	return l
}

// margin is the width of the column of severities.
const margin = 9

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

// severity is the word for a severity, filled up to the margin.
func (l look) severity(s diagnose.Severity) string {
	word, fill := string(s), strings.Repeat(" ", max(1, margin-len(s)))
	if l.colour {
		word = colour(s).EscapeSeq() + word + text.EscapeReset
	}
	return word + fill
}

// paragraph is a text right of the margin, with what stands in the margin of its first line.
// Lines end between words.
func (l look) paragraph(head, body string) string {
	body = problem.Printable(body)
	if room := l.width - margin; l.width > 0 && room >= 20 {
		lines := strings.Split(text.WrapSoft(body, room), "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		body = strings.Join(lines, "\n"+strings.Repeat(" ", margin))
	}
	return head + body + "\n"
}

// note is a paragraph without a head.
func (l look) note(body string) string { return l.paragraph(strings.Repeat(" ", margin), body) }

// findings shows findings: those passed on one line each, the others with the bound that was
// missed and what helps. Where all is well one line says so, if the look is brief.
func (l look) findings(findings []diagnose.Finding) string {
	if l.brief && len(findings) > 1 && allGood(findings) {
		return l.paragraph(l.severity(diagnose.Worst(findings)), fmt.Sprintf("All %d checks of the fit passed: %s", len(findings), namesOf(findings)))
	}
	var b strings.Builder
	for _, f := range findings {
		b.WriteString(l.paragraph(l.severity(f.Severity), fmt.Sprintf("%s (%s)", strings.TrimSuffix(f.Meaning, "."), findingFigure(f))))
		if f.Remedy != "" {
			b.WriteString(l.note(f.Remedy))
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

// findingFigure is what was measured, with the bound if it was missed.
func findingFigure(f diagnose.Finding) string {
	text := f.Quantity
	if !math.IsNaN(float64(f.Value)) {
		text += ": " + fixed(float64(f.Value), findingDecimals(f))
	}
	if f.Severity != diagnose.Good && !math.IsNaN(float64(f.Threshold)) {
		text += ", bound " + fixed(float64(f.Threshold), boundDecimals(f))
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
