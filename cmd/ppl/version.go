package main

// This file says which ppl this is.

import (
	_ "embed"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/seed-12b88e03/ppl/autodiff/native"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// version is that of the next release, as in CHANGELOG.md.
const version = "0.1.0"

// stanVersion is that of the Stan language whose programs run.
const stanVersion = "2.40"

// licences are those of Go and of the modules that are linked; TestLicences writes them.
//
//go:embed licences.txt
var licences string

// versionCmd prints the version.
type versionCmd struct {
	Licences bool `help:"Print the licences of the software of others that is inside."`
}

// Run prints version, commit, Go version, kernels and whether models become machine code.
func (c *versionCmd) Run(a *app) error {
	if c.Licences {
		_, err := io.WriteString(a.stdout, licences)
		return err
	}
	m := thisMachine()
	_, err := fmt.Fprintf(a.stdout, "ppl %s\nStan language %s\ncommit %s\n%s %s/%s\nvector kernels: %s\nnative code: %s\n",
		version, stanVersion, commit(), runtime.Version(), m.System, m.Processor, m.Kernels, m.Native)
	return err
}

// commit is what the program was built from.
func commit() string {
	out, changed := "unknown", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				out = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = ", changed since"
			}
		}
	}
	return out + changed
}

// build is which ppl this is, for others that must give the same bytes.
func (a *app) build() string {
	if a.release != "" {
		return a.release
	}
	return fmt.Sprintf("ppl %s, commit %s", version, commit())
}

// thisMachine is what run.json records of where a run is made.
func thisMachine() *draws.Machine {
	code := "yes"
	if reason := native.Reason(); reason != "" {
		code = "no: " + reason
	}
	return &draws.Machine{System: runtime.GOOS, Processor: runtime.GOARCH, Kernels: vec.Name(), Native: code}
}

// remarkMoved reports that a run that is resumed was begun on another kind of machine.
func (a *app) remarkMoved(begun *draws.Machine, quiet bool) {
	here := thisMachine()
	if begun == nil || begun.System == here.System && begun.Processor == here.Processor {
		return
	}
	a.remarks(quiet)(fmt.Sprintf("the run was begun on %s/%s and goes on here on %s/%s", begun.System, begun.Processor, here.System, here.Processor))
}
