package main

// This file tests what scripts cannot reach: bugs, progress, and how numbers look.

import (
	"bytes"
	"errors"
	"math"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// A bug is reported as one, with its place and without a trace, wherever it happened.
func TestBugReport(t *testing.T) {
	var stack []byte
	func() {
		defer func() { _ = recover(); stack = debug.Stack() }()
		var none []int
		_ = none[len(stack)]
	}()
	var out bytes.Buffer
	a := &app{stderr: newConsole(&out), args: []string{"run", "m.ppl"}}
	code := a.finish(&infer.PanicError{Value: errors.New("index out of range"), Stack: stack})
	got := out.String()
	for _, want := range []string{"internal error: index out of range\n", "This is a bug in ppl", "  ppl run m.ppl\n", "  version " + version + " at cmd/ppl/app_test.go:"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if code != exitFailed || strings.Contains(got, "goroutine") || strings.Count(got, "\n") != 4 {
		t.Errorf("code %d, found\n%s", code, got)
	}
}

// report makes a progress report of two chains, done transitions of 100 each.
func progressOf(first, second int) infer.ProgressReport {
	return infer.ProgressReport{Chains: []infer.Step{
		{Chain: 0, Done: first, Total: 100, Warmup: first < 50}, {Chain: 1, Done: second, Total: 100, Warmup: second < 50},
	}, Divergences: second / 50}
}

func TestProgressWithoutTerminal(t *testing.T) {
	var out bytes.Buffer
	c := newConsole(&out)
	for _, n := range []int{0, 4, 9, 10, 11, 35, 60, 100} {
		watch(c, progressOf(n, n))
	}
	c.endProgress()
	want := " 10% chains: 2 in warm-up\n 30% chains: 2 in warm-up\n 60% chains: 2 sampling; 1 divergences\n100% chains: 2 done; 2 divergences\n"
	if out.String() != want {
		t.Errorf("found\n%s\nwant\n%s", out.String(), want)
	}
}

func TestProgressOnTerminal(t *testing.T) {
	var out bytes.Buffer
	c := newConsole(&out)
	c.terminal = true
	watch(c, progressOf(50, 10))
	c.text("a remark\n")
	c.endProgress()
	bar := "█████████░░░░░░░░░░░░░░░░░░░░░  30% chains: 1 in warm-up, 1 sampling"
	if want := bar + "\r\x1b[K" + "a remark\n" + bar + "\r\x1b[K"; out.String() != want {
		t.Errorf("found %q\nwant  %q", out.String(), want)
	}
}

func TestFigures(t *testing.T) {
	for _, c := range []struct {
		x, mcse float64
		want    string
	}{
		{4.30939, 0.055, "4.309"}, {1234.5, 12, "1234"}, {1234.5, 1.2, "1234.5"}, {-0.0001, 0.01, "0.000"}, {0.00123456, 0.0000012, "0.0012346"},
		{1e12, 1e3, "1e+12"}, {2.5, 0, "2.5"}, {2.5, math.NaN(), "2.5"}, {math.NaN(), 1, "NaN"}, {math.Inf(1), 1, "+Inf"}, {1.5e-12, 1e-14, "1.5e-12"},
	} {
		if got := fixed(c.x, decimals(c.mcse)); got != c.want {
			t.Errorf("%v with error %v: found %s, want %s", c.x, c.mcse, got, c.want)
		}
	}
}

func watch(c *console, r infer.ProgressReport) { c.progress(r, chainStage(r)) }

func TestStageWithoutChains(t *testing.T) {
	for want, s := range map[string]infer.Step{
		"fitting": {Done: 3, Total: 10, Warmup: true}, "drawing": {Done: 7, Total: 10}, "done": {Done: 10, Total: 10},
	} {
		if got := fitStage(infer.ProgressReport{Chains: []infer.Step{s}}); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
}
