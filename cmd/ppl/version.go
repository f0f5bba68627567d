package main

// This file says which ppl this is.

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/seed-12b88e03/ppl/autodiff/native"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// version is that of the next release, as in CHANGELOG.md.
const version = "0.1.0"

// versionCmd prints the version.
type versionCmd struct{}

// Run prints version, commit, Go version, kernels and whether models become machine code.
func (versionCmd) Run(a *app) error {
	commit := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		changed := ""
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = ", changed since"
			}
		}
		commit += changed
	}
	code := "yes"
	if reason := native.Reason(); reason != "" {
		code = "no: " + reason
	}
	_, err := fmt.Fprintf(a.stdout, "ppl %s\ncommit %s\n%s %s/%s\nvector kernels: %s\nnative code: %s\n",
		version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH, vec.Name(), code)
	return err
}
