// Package page writes a page about fits and verdicts: one HTML file that needs nothing
// else, follows the reader's choice of light or dark, and can be read on a phone.
//
// Contract. A Page is text and figures; all of it is escaped on the way. Same page, same
// bytes. There are no scripts in it, and a policy that forbids loading anything.
//
// Concurrency. Write may be called from several goroutines.
package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/plots"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// A Page is what the report says.
type Page struct {
	Title    string
	Sections []Section
	Model    Source
}

// A Section is about one fit, or one verdict.
type Section struct {
	ID       string // within the page
	Title    string
	Method   string // or directive, as an expression
	Severity diagnose.Severity
	Lead     string // a sentence
	Facts    []Fact
	Findings []Finding
	Notes    []string
	Tables   []Table
	Figures  []*plots.Figure
}

// A Fact is a name with its value.
type Fact struct{ Name, Value string }

// A Finding is the outcome of a check.
type Finding struct {
	Severity diagnose.Severity
	Meaning  string
	Figure   string
	Remedy   string // empty if nothing is wrong
}

// A Table has names in its first column and figures in the others.
type Table struct {
	Title  string
	Header []string
	Rows   [][]string
	Note   string
	Folded bool // shown when the reader asks for it
}

// An entry is a line of the list of contents.
type entry struct{ ID, Title string }

// Contents are the parts of a section that have a title.
func (s Section) Contents() []entry {
	var out []entry
	if len(s.Findings) > 0 {
		out = append(out, entry{s.ID + "-findings", "Findings"})
	}
	for i, t := range s.Tables {
		if t.Title != "" {
			out = append(out, entry{tableID(s.ID, i), t.Title})
		}
	}
	for i, f := range s.Figures {
		out = append(out, entry{figureID(s.ID, i), f.Title})
	}
	return out
}

func tableID(section string, i int) string  { return fmt.Sprintf("%s-table-%d", section, i+1) }
func figureID(section string, i int) string { return fmt.Sprintf("%s-figure-%d", section, i+1) }

// A Source is the text of the model.
type Source struct {
	File string
	Text string
	Note string // why there is none, or what is wrong with it
}

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

var layout = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"css":      func() template.CSS { return template.CSS(pageCSS + plots.CSS()) },
		"panel":    func(f *plots.Figure, p *plots.Panel) template.HTML { return template.HTML(p.SVG(f.Title)) },
		"keyCSS":   func(k plots.Key) template.CSS { return template.CSS(k.CSS()) },
		"mark":     mark,
		"tableID":  tableID,
		"figureID": figureID,
		"slug":     func(parts ...string) string { return strings.Join(parts, "-") },
	}).Parse(pageHTML))
})

// mark stands beside the word for a severity.
func mark(s diagnose.Severity) string {
	switch s {
	case diagnose.Good:
		return "✓"
	case diagnose.Warning:
		return "!"
	case diagnose.Bad:
		return "✗"
	}
	return "–"
}

// WriteCell writes a section without its figures as a part of some other page: one that has its own styles.
func WriteCell(w io.Writer, s Section) error {
	return layout().ExecuteTemplate(problem.NewPrinter(w), "cell", s)
}

// Write writes the page. What would turn the direction of writing is shown, as in a terminal: names and sources may
// be a stranger's.
func Write(w io.Writer, p Page) error { return layout().Execute(problem.NewPrinter(w), p) }
