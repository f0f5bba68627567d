package main

// This file runs the script tests: whole command lines with their output and exit code.

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ppl": main, "ppl-hasty": hasty, "ppl-held": held, "ppl-other": other})
}

// other is a ppl of another version.
func other() {
	a := frame.NewApp(os.Stdin, os.Stdout, os.Stderr)
	a.Release = "ppl 0.0.1, commit other"
	os.Exit(executeWith(a, os.Args[1:]))
}

// held is what a session is between a run's end and the next line when an interrupt comes, the second of two.
func held() {
	defer holdInterrupts()()
	p, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = p.Signal(os.Interrupt)
	}
	time.Sleep(100 * time.Millisecond)
	fmt.Println("the session goes on", err)
}

// hasty is a ppl that puts runs on disk so often that a short one has many checkpoints, and has little patience.
func hasty() {
	a := frame.NewApp(os.Stdin, os.Stdout, os.Stderr)
	a.CheckpointEvery = 10 * time.Millisecond
	a.Patience = 200 * time.Millisecond
	os.Exit(executeWith(a, os.Args[1:]))
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Values[runningKey{}] = map[string]*running{}
			tables, err := filepath.Abs("internal/tables/testdata")
			e.Setenv("TABLES", tables)
			return err
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "root":
				return os.Geteuid() <= 0, nil // 0, or -1 where permissions are other ones
			case "nohup":
				return signal.Ignored(syscall.SIGHUP), nil // by who started the tests, and so by all they start
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "interrupted": interrupted, "limited": limited, "numbers": numbers, "same": same, "figure": figure, "background": background, "signal": signalled, "fetch": fetched, "secrets": secrets, "together": together},
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
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		got = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// interrupted runs a command, interrupts it once a file, or standard error, has a line that
// matches, and sees to it that it ends with exit code 130:
// interrupted FILE|stderr REGEXP COMMAND ARG...
func interrupted(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: interrupted FILE|stderr REGEXP COMMAND ARG...")
	}
	begun, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	var stdout, stderr lockedBuffer
	cmd := exec.Command(args[2], args[3:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), &stdout, &stderr
	ts.Check(cmd.Start())
	text := func() string {
		if args[0] == "stderr" {
			return stderr.String()
		}
		text, _ := os.ReadFile(ts.MkAbs(args[0])) // it may not be there yet
		return string(text)
	}
	eventually(func() bool { return begun.MatchString(text()) })
	time.Sleep(100 * time.Millisecond) // somewhere in the work that has begun
	ts.Check(cmd.Process.Signal(os.Interrupt))
	err = cmd.Wait()
	_, errOut := ts.Stdout().Write([]byte(stdout.String()))
	_, errErr := ts.Stderr().Write([]byte(stderr.String()))
	ts.Check(errors.Join(errOut, errErr))
	if code := cmd.ProcessState.ExitCode(); code != frame.ExitInterrupted {
		ts.Fatalf("%v, want exit code %d; standard error:\n%s", err, frame.ExitInterrupted, stderr.String())
	}
}

// eventually waits until something is so, for as long as a loaded machine may need.
func eventually(so func() bool) bool {
	for began := time.Now(); time.Since(began) < 2*time.Minute; time.Sleep(10 * time.Millisecond) {
		if so() {
			return true
		}
	}
	return false
}

// limited runs a command that has no end with a limit on its time, and with longer ones
// where the machine was too slow to get anywhere: limited COMMAND ARG...
func limited(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: limited COMMAND ARG...")
	}
	var err error
	for limit := 500 * time.Millisecond; limit < 3*time.Minute; limit *= 8 {
		if err = ts.Exec(args[0], append(slices.Clone(args[1:]), "--time-limit", limit.String())...); err == nil {
			return
		}
	}
	ts.Check(err)
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

// timeComment are the comment lines of a CSV file that hold times and dates, and the lines of run.json that do.
var timeComment = regexp.MustCompile(`(?m)^(# .*(datetime|seconds)|  +"(started|\w*seconds)": ).*\n`)

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

// figure compares a figure of fits written with --json, with a bound on the error:
// figure FILE PATH FIT=WANT±BOUND...; lists of named things are walked by name.
func figure(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: figure FILE PATH FIT=WANT±BOUND...")
	}
	var all map[string]any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &all))
	for _, arg := range args[2:] {
		name, bounds, _ := strings.Cut(arg, "=")
		want, bound, _ := strings.Cut(bounds, "±")
		x, errX := strconv.ParseFloat(want, 64)
		e, errE := strconv.ParseFloat(bound, 64)
		ts.Check(errors.Join(errX, errE))
		at := named(all["fits"], name)
		for _, key := range strings.Split(args[1], ".") {
			at = named(at, key)
		}
		if got, ok := at.(float64); !ok || !(math.Abs(got-x) <= e) {
			ts.Fatalf("%s of %s is %v, want %s", args[1], name, at, bounds)
		}
	}
}

// together sees to it that a file is an array of what the arrays in others hold, one after the other: together FILE FILE...
func together(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: together FILE FILE...")
	}
	var parts []string
	for _, name := range args[1:] {
		text := ts.ReadFile(name)
		parts = append(parts, strings.TrimSuffix(strings.TrimPrefix(text, "[\n"), "\n]\n"))
	}
	if ts.ReadFile(args[0]) != "[\n"+strings.Join(parts, ",\n")+"\n]\n" {
		ts.Fatalf("%s is not what the others are together", args[0])
	}
}

// named is the member of an object, or the element of a list that has the name.
func named(in any, name string) any {
	switch in := in.(type) {
	case map[string]any:
		return in[name]
	case []any:
		for _, e := range in {
			if m, ok := e.(map[string]any); ok && m["name"] == name {
				return m
			}
		}
	}
	return nil
}
