package main

// This file is ppl summary: the table and findings of fits on disk.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// summaryCmd summarises fits.
type summaryCmd struct {
	Paths  []string `arg:"" name:"dir" help:"Folder of a fit, or CSV files of its chains."`
	JSON   bool     `name:"json" help:"Summary and findings as JSON."`
	Strict bool     `help:"Exit with code 3 where a finding is bad."`
}

// Run reads the fits and prints them.
func (c *summaryCmd) Run(a *app) error {
	reports, err := readReports(c.Paths)
	if err != nil {
		return err
	}
	if err := c.write(a, reports); err != nil {
		return err
	}
	if c.Strict && isBad(reports) {
		return &exit{code: exitStrict}
	}
	return nil
}

// readReports reads folders of fits, or the CSV files of one.
func readReports(paths []string) ([]report, error) {
	if strings.HasSuffix(paths[0], ".csv") {
		fit, err := lang.ReadFiles(paths...)
		if err != nil {
			return nil, wrong(plainPath(err))
		}
		return []report{reportOf(fit)}, nil
	}
	var reports []report
	for _, dir := range paths {
		found, err := readFits(dir)
		if err != nil {
			return nil, wrong(plainPath(err))
		}
		reports = append(reports, found...)
	}
	return reports, nil
}

func (c *summaryCmd) write(a *app, reports []report) error {
	if c.JSON {
		return writeReports(a.stdout, reports)
	}
	for _, r := range reports {
		if _, err := fmt.Fprintf(a.stdout, "%s = %s\n\n%s\n", r.Name, r.Method, r.text(0)); err != nil {
			return err
		}
	}
	return nil
}

// readFits reads a fit's folder, or the folders of several fits in it.
func readFits(dir string) ([]report, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(dir, e.Name(), draws.RunFile)); e.IsDir() && err == nil {
			dirs = append(dirs, filepath.Join(dir, e.Name()))
		}
	}
	if len(dirs) == 0 {
		dirs = []string{dir}
	}
	var out []report
	for _, d := range dirs {
		fit, err := lang.ReadFit(d)
		if err != nil {
			return nil, err
		}
		out = append(out, reportOf(fit))
	}
	return out, nil
}
