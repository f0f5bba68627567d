package main

// This file tests what scripts cannot reach: bugs, progress, and how numbers look.

import (
	"bytes"
	"errors"
	"math"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/console"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
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
	a := &frame.App{Stderr: console.NewConsole(&out), Args: []string{"run", "m.ppl"}}
	code := a.Finish(&infer.PanicError{Value: errors.New("index out of range"), Stack: stack})
	got := out.String()
	for _, want := range []string{"internal error: index out of range\n", "This is a bug in ppl", "  ppl run m.ppl\n", "  version " + frame.Version + " at cmd/ppl/app_test.go:"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if code != frame.ExitFailed || strings.Contains(got, "goroutine") || strings.Count(got, "\n") != 4 {
		t.Errorf("code %d, found\n%s", code, got)
	}
}

// twoChains is a run of two chains with 50 transitions of warm-up and 50 draws.
var twoChains = draws.Plan{Chains: 2, Warmup: 50, Draws: 50, Thin: 1}

// step tells an observer that both chains have done so much.
func step(o infer.Observer, done int) {
	for chain := range 2 {
		o.Step(infer.Step{Chain: chain, Done: done, Total: 100, WarmupTotal: 50, Warmup: done < 50, StepSize: 0.25, Divergences: done / 50 * chain})
	}
}

func TestProgressWithoutTerminal(t *testing.T) {
	var out bytes.Buffer
	c := console.NewConsole(&out)
	o, end := c.Watch(console.ChainStage, true)
	if err := o.Begin(twoChains); err != nil {
		t.Fatal(err)
	}
	for _, done := range []int{0, 4, 9, 10, 11, 35, 60, 100} {
		step(o, done)
		time.Sleep(console.ProgressEvery) // then the next step is seen
	}
	end()
	// Which steps are seen, and the times that are left, depend on the machine.
	got := regexp.MustCompile(`, about .* left`).ReplaceAllString(out.String(), "")
	lines := regexp.MustCompile(`^( [1-9]0% chains: ([12] in warm-up|, |[12] sampling|1 done)*(; 1 divergence)?\n){3,9}100% chains: 2 done; 2 divergences\n$`)
	if !lines.MatchString(got) {
		t.Errorf("found\n%s", got)
	}
}

func TestProgressOnTerminal(t *testing.T) {
	var out lockedBuffer
	c := console.NewConsole(&out)
	c.Terminal = true
	o, end := c.Watch(console.ChainStage, true)
	if err := o.Begin(twoChains); err != nil {
		t.Fatal(err)
	}
	// The bars are drawn at their own pace; what was drawn before does not count.
	drawn := func(from int, parts ...string) {
		t.Helper()
		if !eventually(func() bool {
			got := out.String()[from:]
			return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(got, part) })
		}) {
			t.Errorf("not all of %q are in\n%q", parts, out.String()[from:])
		}
	}
	step(o, 10)
	drawn(0, "chain 1 ", "chain 2 ", "██░░", " warm-up 10/50, step size 0.25")
	step(o, 75)
	drawn(0, "█████████░░", " draws 25/50, step size 0.25, 1 divergence")
	c.Text("a remark\n")
	drawn(0, "a remark\n")
	drawn(strings.Index(out.String(), "a remark"), "chain 1 ", "chain 2 ")
	end()
	c.Text("after the end\n")
	drawn(0, "after the end\n")
}

// A lockedBuffer is a buffer for several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func TestFigures(t *testing.T) {
	for _, c := range []struct {
		x, mcse float64
		want    string
	}{
		{4.30939, 0.055, "4.309"}, {1234.5, 12, "1234"}, {1234.5, 1.2, "1234.5"}, {-0.0001, 0.01, "0.000"}, {0.00123456, 0.0000012, "0.0012346"},
		{1e12, 1e3, "1e+12"}, {2.5, 0, "2.5"}, {2.5, math.NaN(), "2.5"}, {math.NaN(), 1, "NaN"}, {math.Inf(1), 1, "+Inf"}, {1.5e-12, 1e-14, "1.5e-12"},
	} {
		if got := view.Fixed(c.x, view.Decimals(c.mcse)); got != c.want {
			t.Errorf("%v with error %v: found %s, want %s", c.x, c.mcse, got, c.want)
		}
	}
}

// A narrow terminal shows fewer columns; the name, the mean and the R-hat are always there.
func TestNarrowTables(t *testing.T) {
	r := view.Report{Parameters: []draws.Summary{{Name: "mu", Mean: 1.5, MCSE: 0.1, SD: 1, Q5: 0, Q50: 1, Q95: 3, ESSBulk: 400, ESSTail: 300, RHat: 1}}}
	full := r.Table(0, 0)
	for _, width := range []int{70, 60, 50, 40, 10} {
		got := r.Table(0, width)
		head, _, _ := strings.Cut(got, "\n")
		if len(head) > max(width, 26) || !strings.Contains(got, "not shown, for the terminal is too narrow: mcse") && full != got {
			t.Errorf("%d columns:\n%s", width, got)
		}
		for _, want := range []string{"mean", "sd", "rhat", "mu", "1.50"} {
			if !strings.Contains(got, want) {
				t.Errorf("%d columns: no %s in\n%s", width, want, got)
			}
		}
	}
	if r.Table(0, 200) != full {
		t.Error("a wide terminal shows another table than a file")
	}
}

func TestStageWithoutChains(t *testing.T) {
	for want, s := range map[string]infer.Step{
		"fitting": {Done: 3, Total: 10, Warmup: true}, "drawing": {Done: 7, Total: 10}, "done": {Done: 10, Total: 10},
	} {
		if got := console.FitStage(infer.ProgressReport{Chains: []infer.Step{s}}); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
}

// A run that goes on elsewhere says so; run.json of today and before has the machine, or none.
func TestResumedElsewhere(t *testing.T) {
	here := *frame.ThisMachine()
	moved, kernels := here, here
	moved.Processor, kernels.Kernels = "pdp11", "none"
	for _, c := range []struct {
		begun *draws.Machine
		want  string
	}{
		{nil, ""}, {&here, ""}, {&kernels, ""},
		{&moved, "the run was begun on " + here.System + "/pdp11 and goes on here on " + here.System + "/" + here.Processor + "\n"},
	} {
		var out bytes.Buffer
		a := &frame.App{Stderr: console.NewConsole(&out)}
		a.RemarkMoved(c.begun, false)
		if out.String() != c.want {
			t.Errorf("%v: printed %q, want %q", c.begun, out.String(), c.want)
		}
	}
}
