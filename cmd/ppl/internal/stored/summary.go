package stored

// This file is ppl summary: the table and findings of fits on disk.

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// SummaryCmd summarises fits.
type SummaryCmd struct {
	Paths []string `arg:"" name:"dir" help:"Folder of a fit, or CSV files of its chains."`
	outputs.VariableFlag
	view.ColorFlag
	JSON   bool `name:"json" help:"Summary and findings as JSON."`
	Strict bool `help:"Exit with code 3 where a finding is bad."`
}

// Help implements kong.HelpProvider.
func (*SummaryCmd) Help() string {
	return frame.Examples("ppl summary fit", "ppl summary fit --variables mu,tau", "ppl summary fit/chain-1.csv fit/chain-2.csv --json")
}

// Run reads the fits and prints them.
func (c *SummaryCmd) Run(a *frame.App) error {
	reports, err := readReports(a, c.Paths, false)
	if err != nil {
		return err
	}
	for i := range reports {
		r := &reports[i]
		if err := c.Check(r.Variables()); err != nil {
			return err
		}
		r.Parameters = c.Rows(r.Parameters)
	}
	if err := c.write(a, reports); err != nil {
		return err
	}
	if c.Strict && view.IsBad(reports) {
		return &frame.Exit{Code: frame.ExitStrict}
	}
	return nil
}

// readReports reads folders of fits, or the CSV files of one.
func readReports(a *frame.App, paths []string, quiet bool) ([]view.Report, error) {
	fits, err := ReadFits(a, paths, quiet)
	var reports []view.Report
	for _, f := range fits {
		reports = append(reports, view.ReportOf(f.Fit))
	}
	return reports, err
}

func (c *SummaryCmd) write(a *frame.App, reports []view.Report) error {
	if c.JSON {
		return view.WriteReports(a.Stdout, reports)
	}
	for _, r := range reports {
		if _, err := fmt.Fprintf(a.Raw, "%s\n\n%s\n", problem.Printable(r.Name+" = "+r.Method+r.EffectsLine()), r.Text(0, a.Look(c.Color).Whole())); err != nil {
			return err
		}
	}
	return nil
}

// A StoredFit is a fit with the folder that it was read from.
type StoredFit struct {
	*lang.Fit
	Dir string
}

// ReadFits reads folders of fits, or the CSV files of one.
func ReadFits(a *frame.App, paths []string, quiet bool) ([]StoredFit, error) {
	if len(paths) > 0 && strings.HasSuffix(paths[0], ".csv") {
		s, err := lang.OpenFiles(paths...)
		if err != nil {
			return nil, folders.Unreadable(err)
		}
		folders.RemarkOn(a, s, quiet)
		return []StoredFit{{s.Fit(), filepath.Dir(paths[0])}}, nil
	}
	var out []StoredFit
	for _, path := range paths {
		dirs, err := folders.FitFolders(a, path)
		if err != nil {
			return nil, frame.Wrong(frame.PlainPath(err))
		}
		for _, dir := range dirs {
			s, err := folders.OpenStored(a, dir, quiet)
			if err != nil {
				return nil, err
			}
			out = append(out, StoredFit{s.Fit(), dir})
		}
	}
	return out, nil
}
