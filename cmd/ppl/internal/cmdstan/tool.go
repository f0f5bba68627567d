package cmdstan

// This file starts the programs of the folder, which all are ppl under other names.

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/problem"
)

// Run runs a program of the folder by its name and gives the exit code: "stanc",
// "stansummary", "print" and "diagnose" are those of bin/; "model FILE ARGS..." is the
// executable in FILE, and "build ..." makes one, for the makefile. ppl is the program
// itself, which executables are to start.
func Run(ctx context.Context, ppl, name string, args []string, out, errs io.Writer) int {
	errs = problem.NewPrinter(errs)
	if name == "stanc" {
		return runStanc(args, out, errs)
	}
	out = problem.NewPrinter(out) // print statements, and names of columns, may be a stranger's
	switch {
	case name == "stansummary" || name == "print":
		return runSummary(args, out, errs)
	case name == "diagnose":
		return runDiagnose(args, out, errs)
	case name == "build":
		return runBuild(ppl, args, out, errs)
	case name == "model" && len(args) > 0:
		return runModel(ctx, args[0], args[1:], out, errs)
	}
	fmt.Fprintf(errs, "no such program: %s; the folder that ppl cmdstan lays out has those that use this one\n", name)
	return exitUsage
}

// runBuild makes an executable: build [--set=NAME=VALUE]... TARGET STANC-OPTIONS... FILE. A
// setting of the makefile counts as given unless its value is empty or false.
func runBuild(ppl string, args []string, out, errs io.Writer) int {
	settings := map[string]bool{}
	for len(args) > 0 {
		setting, found := strings.CutPrefix(args[0], "--set=")
		if !found {
			break
		}
		name, value, _ := strings.Cut(setting, "=")
		if value != "" && !strings.EqualFold(value, "false") {
			settings[name] = true
		}
		args = args[1:]
	}
	if len(args) == 0 {
		fmt.Fprintln(errs, "build: expected a target and a file")
		return exitUsage
	}
	target := args[0]
	o, err := parseStanc(args[1:])
	if err == nil && o.file == "" {
		err = fmt.Errorf("required argument FILE is missing")
	}
	if err != nil {
		fmt.Fprintln(errs, "stanc:", err)
		return exitUsage
	}
	p, err := build(ppl, o.file, target, o, settings)
	if err != nil {
		reportProgram(errs, err)
		return exitNotOK
	}
	o.warn(p, errs)
	return exitOK
}
