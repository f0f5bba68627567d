package frame

// This file says which ppl this is, and on which machine.

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/seed-12b88e03/ppl/autodiff/native"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Version is that of the next release, as in CHANGELOG.md.
const Version = "0.1.0"

// Commit is what the program was built from.
func Commit() string {
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

// Build is which ppl this is, for others that must give the same bytes.
func (a *App) Build() string {
	if a.Release != "" {
		return a.Release
	}
	return fmt.Sprintf("ppl %s, commit %s", Version, Commit())
}

// ThisMachine is what run.json records of where a run is made.
func ThisMachine() *draws.Machine {
	code := "yes"
	if reason := native.Reason(); reason != "" {
		code = "no: " + reason
	}
	return &draws.Machine{System: runtime.GOOS, Processor: runtime.GOARCH, Kernels: vec.Name(), Native: code}
}

// RemarkMoved reports that a run that is resumed was begun on another kind of machine.
func (a *App) RemarkMoved(begun *draws.Machine, quiet bool) {
	here := ThisMachine()
	if begun == nil || begun.System == here.System && begun.Processor == here.Processor {
		return
	}
	a.Remarks(quiet)(fmt.Sprintf("the run was begun on %s/%s and goes on here on %s/%s", begun.System, begun.Processor, here.System, here.Processor))
}
