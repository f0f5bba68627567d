package main

// This file shows verdicts, for people and as JSON.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/infer/manifest"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// diagnosisFile is the name of the verdicts in a fit's folder.
const diagnosisFile = "diagnosis.json"

// writeVerdicts writes {"verdicts": [...]}.
func writeVerdicts(w io.Writer, verdicts []*diagnose.Verdict) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Verdicts []*diagnose.Verdict `json:"verdicts"`
	}{append([]*diagnose.Verdict{}, verdicts...)})
}

// diagnosisPlace refuses folders that hold neither a fit nor verdicts.
func diagnosisPlace(dir string) error {
	if err := folders.NotReserved(dir); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return frame.Wrongf("--out %s: this is no folder that can be written to", dir)
	case len(entries) == 0 || folders.OnlyTemporary(entries):
		return nil
	}
	switch _, _, _, err := manifest.Find(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return frame.Wrongf("--out %s: the folder holds other files than a fit's; choose another", dir)
	case err != nil:
		return frame.Wrongf("--out %s: %w", dir, err)
	}
	return nil
}

// saveVerdicts writes diagnosis.json whole or not at all.
func saveVerdicts(d disk.Disk, dir string, verdicts []*diagnose.Verdict) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := writeVerdicts(&b, verdicts); err != nil {
		return err
	}
	return d.ReplaceBytes(filepath.Join(dir, diagnosisFile), b.Bytes())
}

// show prints a verdict for people, unless JSON was asked for.
func (c *diagnoseCmd) show(a *frame.App, v *diagnose.Verdict) error {
	if c.JSON {
		return nil
	}
	_, err := io.WriteString(a.Raw, verdictText(v, a.Look(c.Color).Whole())+"\n")
	return err
}

func verdictText(v *diagnose.Verdict, l view.Look) string {
	if f, ok := v.Figures.(diagnose.ConsultationFigures); ok {
		return conclusionText(v, f, l)
	}
	var b strings.Builder
	b.WriteString(problem.Printable(v.Directive) + "\n" + l.Paragraph(l.Label(v.Severity), v.Summary))
	if v.Incomplete {
		b.WriteString(l.Note("The run was cut short; the verdict is about what was done."))
	}
	for _, n := range v.Notes {
		b.WriteString(l.Note(n))
	}
	for _, t := range v.Tables {
		b.WriteString("\n")
		if t.Title != "" {
			b.WriteString(problem.Printable(t.Title) + "\n")
		}
		b.WriteString(problem.Printable(tableText(t, l.Width)))
	}
	if f, ok := v.Figures.(diagnose.FitFigures); ok {
		b.WriteString("\n" + l.Findings(f.Findings))
	}
	return b.String()
}

// tableText renders a table, cut to the rows that a person reads, no wider than width; 0 means
// any number.
func tableText(t diagnose.Table, width int) string {
	rows := append([][]string{t.Header}, t.Rows[:min(mostRows, len(t.Rows))]...)
	rows, gone := view.Within(rows, width, view.SpareOfVerdicts)
	w := view.NewTable()
	w.AppendHeader(view.Cells(rows[0]))
	for _, r := range rows[1:] {
		w.AppendRow(view.Cells(r))
	}
	text := w.Render() + "\n" + view.GoneText(gone)
	if hidden := len(t.Rows) - mostRows; hidden > 0 {
		text += fmt.Sprintf("... and %d more rows; --json shows them all\n", hidden)
	}
	return text
}
