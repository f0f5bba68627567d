package main

// This file runs the script tests: whole command lines with their output and exit code.

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"ppl": main}) }

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "numbers": numbers, "same": same},
	})
}

// exits runs a command and compares its exit code: exits CODE COMMAND ARG...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		got = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// numbers sees to it that a file has so many lines that do not start with #:
// numbers FILE COUNT
func numbers(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: numbers FILE COUNT")
	}
	n := 0
	for _, line := range strings.Split(strings.TrimSpace(ts.ReadFile(args[0])), "\n") {
		if !strings.HasPrefix(line, "#") {
			n++
		}
	}
	if fmt.Sprint(n) != args[1] {
		ts.Fatalf("%s: %d lines without #, want %s", args[0], n, args[1])
	}
}

// timeComment are the comment lines of a CSV file that hold times and dates.
var timeComment = regexp.MustCompile(`(?m)^# .*(datetime|seconds).*\n`)

// same compares two files but for the comments that hold times: same FILE FILE
func same(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: same FILE FILE")
	}
	a, b := timeComment.ReplaceAllString(ts.ReadFile(args[0]), ""), timeComment.ReplaceAllString(ts.ReadFile(args[1]), "")
	if diff := cmp.Diff(a, b); diff != "" {
		ts.Fatalf("%s and %s differ:\n%s", args[0], args[1], diff)
	}
}
