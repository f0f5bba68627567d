package main

// This file is ppl summary: the table and findings of fits on disk.

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// summaryCmd summarises fits.
type summaryCmd struct {
	Paths []string `arg:"" name:"dir" help:"Folder of a fit, or CSV files of its chains."`
	variableFlag
	view.ColorFlag
	JSON   bool `name:"json" help:"Summary and findings as JSON."`
	Strict bool `help:"Exit with code 3 where a finding is bad."`
}

// Run reads the fits and prints them.
func (c *summaryCmd) Run(a *app) error {
	reports, err := a.readReports(c.Paths, false)
	if err != nil {
		return err
	}
	for i := range reports {
		r := &reports[i]
		if err := c.check(r.Variables()); err != nil {
			return err
		}
		r.Parameters = c.rows(r.Parameters)
	}
	if err := c.write(a, reports); err != nil {
		return err
	}
	if c.Strict && view.IsBad(reports) {
		return &exit{code: exitStrict}
	}
	return nil
}

// readReports reads folders of fits, or the CSV files of one.
func (a *app) readReports(paths []string, quiet bool) ([]view.Report, error) {
	fits, err := a.readFits(paths, quiet)
	var reports []view.Report
	for _, f := range fits {
		reports = append(reports, view.ReportOf(f.Fit))
	}
	return reports, err
}

func (c *summaryCmd) write(a *app, reports []view.Report) error {
	if c.JSON {
		return view.WriteReports(a.stdout, reports)
	}
	for _, r := range reports {
		if _, err := fmt.Fprintf(a.raw, "%s\n\n%s\n", problem.Printable(r.Name+" = "+r.Method+r.EffectsLine()), r.Text(0, a.look(c.Color).Whole())); err != nil {
			return err
		}
	}
	return nil
}

// A storedFit is a fit with the folder that it was read from.
type storedFit struct {
	*lang.Fit
	dir string
}

// readFits reads folders of fits, or the CSV files of one.
func (a *app) readFits(paths []string, quiet bool) ([]storedFit, error) {
	if len(paths) > 0 && strings.HasSuffix(paths[0], ".csv") {
		s, err := lang.OpenFiles(paths...)
		if err != nil {
			return nil, unreadable(err)
		}
		a.remark(s, quiet)
		return []storedFit{{s.Fit(), filepath.Dir(paths[0])}}, nil
	}
	var out []storedFit
	for _, path := range paths {
		dirs, err := fitFolders(a, path)
		if err != nil {
			return nil, wrong(plainPath(err))
		}
		for _, dir := range dirs {
			s, err := a.open(dir, quiet)
			if err != nil {
				return nil, err
			}
			out = append(out, storedFit{s.Fit(), dir})
		}
	}
	return out, nil
}
