package main

// This file is ppl summary: the table and findings of fits on disk.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// summaryCmd summarises fits.
type summaryCmd struct {
	Paths []string `arg:"" name:"dir" help:"Folder of a fit, or CSV files of its chains."`
	variableFlag
	JSON   bool `name:"json" help:"Summary and findings as JSON."`
	Strict bool `help:"Exit with code 3 where a finding is bad."`
}

// Run reads the fits and prints them.
func (c *summaryCmd) Run(a *app) error {
	reports, err := readReports(c.Paths)
	if err != nil {
		return err
	}
	for i := range reports {
		r := &reports[i]
		if err := c.check(r.variables()); err != nil {
			return err
		}
		r.Parameters = c.rows(r.Parameters)
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
	fits, err := readFits(paths)
	var reports []report
	for _, f := range fits {
		reports = append(reports, reportOf(f.Fit))
	}
	return reports, err
}

func (c *summaryCmd) write(a *app, reports []report) error {
	if c.JSON {
		return writeReports(a.stdout, reports)
	}
	for _, r := range reports {
		if _, err := fmt.Fprintf(a.stdout, "%s = %s\n\n%s\n", r.Name, r.Method, r.text(0, a.width())); err != nil {
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
func readFits(paths []string) ([]storedFit, error) {
	if len(paths) > 0 && strings.HasSuffix(paths[0], ".csv") {
		fit, err := lang.ReadFiles(paths...)
		if err != nil {
			return nil, wrong(plainPath(err))
		}
		return []storedFit{{fit, filepath.Dir(paths[0])}}, nil
	}
	var out []storedFit
	for _, path := range paths {
		dirs, err := fitFolders(path)
		if err != nil {
			return nil, wrong(plainPath(err))
		}
		for _, dir := range dirs {
			fit, err := lang.ReadFit(dir)
			if err != nil {
				return nil, wrong(plainPath(err))
			}
			out = append(out, storedFit{fit, dir})
		}
	}
	return out, nil
}

// fitFolders are the folders of several fits in a folder, or else the folder itself.
func fitFolders(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("%s: this is no folder of a fit", dir)
	}
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
	return dirs, nil
}
